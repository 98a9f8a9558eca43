"""`tess ui`: the page in the browser."""

import json
import socket
import webbrowser
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result, notice
from tessera_client.texts import translate
from tessera_client.transfer.http import Connections, NoAnswer, read_body
from tessera_client.ui import ADDRESS, CONTROL_HEADER
from tessera_client.ui.link_files import remove_link_file, write_link_file
from tessera_client.vault.profile import StateFolder

_RUNNING = "ui.json"
_CONTROL_SECONDS = 5.0
_MAX_ANSWER_BYTES = 64 * 1024


def ui(
    stop: Annotated[bool, typer.Option("--stop", help="options.stop")] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="options.browser")] = True,
) -> Result:
    """Opens the user's files in the browser."""
    folder = StateFolder.from_environment()
    running = folder.path / _RUNNING
    if stop:
        is_stopped = _control(running, "stop") is not None
        running.unlink(missing_ok=True)
        text = translate("results.stopped" if is_stopped else "results.not_running")
        return Result({"stopped": is_stopped}, text)
    if answer := _control(running, "link"):
        _show(folder, str(answer["url"]), browser=browser)
        return Result({"url": answer["url"]}, "")
    # Slow to import, and only needed here.
    import asyncio  # noqa: PLC0415

    from tessera_client.ui.guard import Keys  # noqa: PLC0415
    from tessera_client.ui.page import Page  # noqa: PLC0415
    from tessera_client.ui.server import serve  # noqa: PLC0415

    with socket.socket() as listener:
        listener.bind((ADDRESS, 0))
        listener.listen()
        keys = Keys(listener.getsockname()[1])
        folder.write(_RUNNING, json.dumps({"port": keys.port, "control": keys.control}))
        try:
            show = partial(_show, folder, browser=browser)
            asyncio.run(serve(listener, Page(folder, keys), show))
        finally:
            # Another one may have been started since this one was told to stop.
            if _known(running).get("control") == keys.control:
                running.unlink(missing_ok=True)
            for link in keys.links:
                remove_link_file(folder, link)
    return Result({"stopped": True}, translate("results.stopped"))


def _show(folder: StateFolder, url: str, *, browser: bool) -> None:
    """The link is also said: a browser in a sandbox cannot read the file that leads to it."""
    is_opened = browser and webbrowser.open(write_link_file(folder, url).as_uri())
    notice(translate("notices.page_opens" if is_opened else "notices.open_link", url=url))


def _control(running: Path, action: str) -> dict[str, object] | None:
    """Asks a server that runs already; None if there is none."""
    known = _known(running)
    try:
        url = f"http://{ADDRESS}:{known['port']}/control/{action}"
        headers = {CONTROL_HEADER: str(known["control"]), "Content-Length": "0"}
        with Connections(_CONTROL_SECONDS, _CONTROL_SECONDS).send("POST", url, headers) as response:
            content = read_body(response, _MAX_ANSWER_BYTES)
        answer: dict[str, object] | None = json.loads(content) if response.status == 200 else None
    except (KeyError, ValueError, NoAnswer):
        return None
    return answer


def _known(running: Path) -> dict[str, object]:
    """Port and secret of the server that was started last."""
    try:
        known = json.loads(running.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
