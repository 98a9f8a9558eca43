"""Starts the page's server, or finds the one that runs already."""

import json
import socket
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tessera_client.texts import translate
from tessera_client.transfer.http import Connections, read_body
from tessera_client.transfer.network import NoAnswer
from tessera_client.ui import ADDRESS, CONTROL_HEADER
from tessera_client.ui.link_files import remove_link_file, write_link_file
from tessera_client.vault.profile import StateFolder

_RUNNING = "ui.json"
_CONTROL_SECONDS = 5.0
_MAX_ANSWER_BYTES = 64 * 1024


def open_page(folder: StateFolder, notify: Callable[[str], None], *, browser: bool) -> str | None:
    """Returns the link to a server that runs already; else serves until the page has ended."""
    running = folder.path / _RUNNING
    show = partial(_show, folder, notify, browser=browser)
    if answer := _control(running, "link"):
        url = str(answer["url"])
        show(url)
        return url
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
            asyncio.run(serve(listener, Page(folder, keys), show))
        finally:
            # Another one may have been started since this one was told to stop.
            if _read(running).get("control") == keys.control:
                running.unlink(missing_ok=True)
            for link in keys.links:
                remove_link_file(folder, link)
    return None


def stop_page(folder: StateFolder) -> bool:
    """Returns False if no server runs."""
    running = folder.path / _RUNNING
    is_stopped = _control(running, "stop") is not None
    running.unlink(missing_ok=True)
    return is_stopped


def _show(folder: StateFolder, notify: Callable[[str], None], url: str, *, browser: bool) -> None:
    """The link is also said: a browser in a sandbox cannot read the file that leads to it."""
    is_opened = browser and webbrowser.open(write_link_file(folder, url).as_uri())
    notify(translate("notices.page_opens" if is_opened else "notices.open_link", url=url))


def _control(running: Path, action: str) -> dict[str, object] | None:
    """Asks a server that runs already; None if there is none."""
    server = _read(running)
    try:
        url = f"http://{ADDRESS}:{server['port']}/control/{action}"
        headers = {CONTROL_HEADER: str(server["control"]), "Content-Length": "0"}
        with Connections(_CONTROL_SECONDS, _CONTROL_SECONDS).send("POST", url, headers) as response:
            content = read_body(response, _MAX_ANSWER_BYTES)
        answer: dict[str, object] | None = json.loads(content) if response.status == 200 else None
    except (KeyError, ValueError, NoAnswer):
        return None
    return answer


def _read(running: Path) -> dict[str, object]:
    """Port and secret of the server that was started last."""
    try:
        server = json.loads(running.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return server if isinstance(server, dict) else {}
