"""The TypeScript reader and the client agree, and it passes all vectors in browsers."""

import json
import subprocess
from pathlib import Path

import pytest

from client.tests.format.compare import FRONTEND, differences
from e2e.browser import system_browser
from tests.tools import tool

pytestmark = pytest.mark.extended


def test_both_readers_agree_on_100_random_spaces(tmp_path: Path) -> None:
    assert [*differences(tmp_path, range(1, 101))] == []


def test_difference_between_the_readers_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.tests.format.verdicts._content", lambda *_: b"something else")
    assert [*differences(tmp_path, range(1, 4))]


# Hundreds of vectors derive keys by Argon2, which takes minutes on a busy machine.
@pytest.mark.timeout(900)
def test_all_vectors_pass_in_chromium(tmp_path: Path) -> None:
    browser = system_browser()
    assert browser
    _check(["node", "scripts/vault-in-browser.mjs", "chrome", browser, str(tmp_path)])


@pytest.mark.timeout(900)
def test_all_vectors_pass_in_firefox(tmp_path: Path) -> None:
    firefox = tool("firefox-esr")
    _check(["node", "scripts/vault-in-browser.mjs", "firefox", str(firefox), str(tmp_path)])


def _check(command: list[str]) -> None:
    ended = subprocess.run(command, cwd=FRONTEND, check=True, stdout=subprocess.PIPE)
    answer = json.loads(ended.stdout.splitlines()[-1])
    assert answer["failures"] == []
