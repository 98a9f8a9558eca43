"""How the browser learns the one-time link, and what else the processes we start can see."""

import html
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from starlette.testclient import TestClient

from client.tests.conftest import Computer
from client.tests.page.browser import HERE
from tessera_client.ui import launch
from tessera_client.ui.guard import Keys
from tessera_client.ui.link_files import remove_old_link_files, write_link_file
from tessera_client.ui.page import Page
from tessera_client.vault.profile import StateFolder


def test_the_browser_is_given_a_private_file_and_not_the_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_browser(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", open_browser)
    folder = StateFolder(tmp_path / "state", use_keyring=False)
    link = Keys(4711).new_link()
    launch._show(folder, lambda _: None, link, browser=True)
    (url,) = opened
    secret = link.rpartition("/")[2]
    assert url.startswith("file://")
    assert secret not in url
    file = Path(unquote(urlsplit(url).path))
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    (target,) = re.findall(r'content="0;url=([^"]+)"', file.read_text())
    assert html.unescape(target) == link


def test_a_used_link_leaves_no_file(client: TestClient, page: Page, tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state", use_keyring=False)
    used, other = page.keys.new_link(), page.keys.new_link()
    files = [write_link_file(folder, link) for link in (used, other)]
    assert client.get(used).status_code == 200
    assert [file.exists() for file in files] == [False, True]
    assert client.get(f"{HERE}/open/guess").status_code == 403
    assert files[1].exists()


def test_an_unused_file_is_removed_after_a_minute(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "state", use_keyring=False)
    old, new = (write_link_file(folder, Keys(4711).new_link()) for _ in range(2))
    os.utime(old, (time.time() - 61, time.time() - 61))
    remove_old_link_files(folder)
    assert [old.exists(), new.exists()] == [False, True]


def test_the_opened_page_leads_on_by_itself(client: TestClient, page: Page) -> None:
    """A redirect would count as coming from the file, without the cookie."""
    answer = client.get(page.keys.new_link(), follow_redirects=False)
    assert 'content="0;url=/"' in answer.text
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")
def test_a_browser_sees_neither_the_link_nor_a_password(tmp_path: Path) -> None:
    """A process that the installed program starts, and what any user can see of it."""
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\n{{ echo "$@"; env; }} > {seen}.part; mv {seen}.part {seen}\n')
    browser.chmod(0o755)
    secrets = {
        "TESS_PASSWORD": "secret-1", "TESS_PASSPHRASE": "secret-2", "TESS_RECOVERY_CODE": "secret-3"
    }  # fmt: skip
    state = tmp_path / "state"
    environment = {
        **os.environ, **secrets, "TESSERA_CLIENT_DIR": str(state), "TESS_NO_KEYRING": "1",
        "BROWSER": f"{browser} %s",
    }  # fmt: skip
    program = subprocess.Popen(
        [sys.executable, "-m", "tessera_client", "ui"],
        env=environment, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with program:
        try:
            assert program.stderr
            said = program.stderr.readline()
            (secret,) = re.findall(r"/open/(\S+)", said)
            deadline = time.monotonic() + 60
            while not seen.exists():
                assert time.monotonic() < deadline
                time.sleep(0.01)
            Computer(state).ok("ui", "--stop")
            assert program.wait(60) == 0
        finally:
            program.kill()
    shown = seen.read_text()
    assert "file://" in shown
    assert secret not in shown
    assert "secret-" not in shown
    assert not list(state.glob("open-*.html"))
