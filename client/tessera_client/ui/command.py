"""`tess ui`: the page in the browser."""

import asyncio
import json
import os
import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import httpx
import typer

from tessera_client.commands.output import Result, notice
from tessera_client.vault.profile import StateFolder

if TYPE_CHECKING:
    from tessera_client.ui.server import Page

ADDRESS = "127.0.0.1"
CONTROL_HEADER = "x-tessera-control"

_RUNNING = "ui.json"


def ui(
    stop: Annotated[bool, typer.Option("--stop", help="End the page's server.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page, or only show its link.")
    ] = True,
) -> Result:
    """Open your files in the browser. The page comes from this computer alone.

    Example: tess ui
    """
    folder = StateFolder.from_environment()
    running = folder.path / _RUNNING
    if stop:
        is_stopped = _control(running, "stop") is not None
        running.unlink(missing_ok=True)
        return Result({"stopped": is_stopped}, "Stopped." if is_stopped else "It was not running.")
    if answer := _control(running, "link"):
        _show(str(answer["url"]), browser=browser)
        return Result({"url": answer["url"]}, "")
    from tessera_client.ui.guard import Keys  # noqa: PLC0415
    from tessera_client.ui.server import Page  # noqa: PLC0415

    with socket.socket() as listener:
        listener.bind((ADDRESS, 0))
        listener.listen()
        keys = Keys(listener.getsockname()[1])
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_private(running, json.dumps({"port": keys.port, "control": keys.control}))
        try:
            asyncio.run(_serve(listener, Page(folder, keys), browser=browser))
        finally:
            running.unlink(missing_ok=True)
    return Result({"stopped": True}, "Stopped.")


async def _serve(listener: socket.socket, page: "Page", *, browser: bool) -> None:
    """Serves the page until it says that it has ended."""
    import uvicorn  # noqa: PLC0415 - slow to import, and only needed here

    from tessera_client.ui.server import create_app  # noqa: PLC0415

    config = uvicorn.Config(create_app(page), log_level="error", server_header=False)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    # The socket listens already: the browser waits until the server takes its call.
    _show(page.keys.new_link(), browser=browser)
    ended = asyncio.create_task(page.stopped.wait())
    await asyncio.wait({serving, ended}, return_when=asyncio.FIRST_COMPLETED)
    page.stopped.set()
    server.should_exit = True
    await serving
    ended.cancel()


def _show(url: str, *, browser: bool) -> None:
    if not (browser and webbrowser.open(url)):
        notice(f"Open this link once: {url}")


def _control(running: Path, action: str) -> dict[str, object] | None:
    """Asks a server that runs already; None if there is none."""
    try:
        known = json.loads(running.read_text(encoding="utf-8"))
        answer = httpx.post(
            f"http://{ADDRESS}:{known['port']}/control/{action}",
            headers={CONTROL_HEADER: known["control"]},
            timeout=5,
        )
    except (OSError, ValueError, KeyError, httpx.HTTPError):
        return None
    found: dict[str, object] | None = answer.json() if answer.is_success else None
    return found


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
