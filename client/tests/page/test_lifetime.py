"""When the page's server ends."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread

import httpx
import pytest

from client.tests.conftest import Computer
from tessera_client.ui import page as page_module
from tessera_client.ui.guard import Keys
from tessera_client.ui.page import Page
from tessera_client.ui.server import serve
from tessera_client.vault.profile import StateFolder


def test_page_server_ends_with_the_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("REFRESH_SECONDS", "EVENT_SECONDS", "CLOSED_SECONDS"):
        monkeypatch.setattr(page_module, name, 0.02)
    links = Queue[str]()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        keys = Keys(listener.getsockname()[1])
        page = Page(StateFolder(tmp_path, use_keyring=False), keys)
        thread = Thread(target=lambda: asyncio.run(serve(listener, page, links.put)), daemon=True)
        thread.start()
        with httpx.Client(timeout=60) as browser:
            assert browser.get(links.get(timeout=60)).status_code == 200
            with browser.stream("GET", f"{keys.origin}/api/events") as events:
                lines = events.iter_lines()
                # It goes on sending while the window is open, for longer than it would wait.
                assert [next(lines) for _ in range(20)]
                assert not page.stopped.is_set()
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.extended
def test_another_command_stops_it(tmp_path: Path) -> None:
    environment = {**os.environ, "TESSERA_CLIENT_DIR": str(tmp_path), "TESS_NO_KEYRING": "1"}
    command = [sys.executable, "-m", "tessera_client", "ui", "--no-browser"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stderr
            assert "http://127.0.0.1:" in program.stderr.readline()
            assert Computer(tmp_path).ok("ui", "--stop") == {"stopped": True}
            assert program.wait(60) == 0
        finally:
            program.kill()
    assert not (tmp_path / "ui.json").exists()
    assert Computer(tmp_path).ok("ui", "--stop") == {"stopped": False}
