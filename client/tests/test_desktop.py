"""Notifications of the desktop."""

import json
import os
import sys
from pathlib import Path

import pytest

from tessera_client import desktop
from tessera_client.errors import ClientError


@pytest.fixture
def desktop_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a stand-in for `notify-send` writes its arguments."""
    log, programs = tmp_path / "notified", tmp_path / "bin"
    programs.mkdir()
    program = programs / "notify-send"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        f"open({str(log)!r}, 'a').write(json.dumps(sys.argv[1:]) + '\\n')\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(programs))
    return log


def test_text_is_an_argument_and_not_markup_a_shell_line_or_an_option(desktop_log: Path) -> None:
    for text in ("-u critical", "$(touch x); <b>A & B</b>", "a\x1b[2J\nb\u202e"):
        desktop.notify(text)
    assert [json.loads(line)[-3:] for line in desktop_log.read_text().splitlines()] == [
        ["--", "Tessera", "-u critical"],
        ["--", "Tessera", "$(touch x); &lt;b&gt;A &amp; B&lt;/b&gt;"],
        ["--", "Tessera", "a\\x1b[2J\\x0ab\\u202e"],
    ]


def test_nothing_happens_without_a_program_or_with_a_broken_one(
    desktop_log: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    desktop.notify("text")
    broken = tmp_path / "broken" / "notify-send"
    broken.parent.mkdir()
    broken.write_bytes(b"\x00")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(broken.parent))
    desktop.notify("text")
    assert not desktop_log.exists()


def test_other_systems_get_no_text_as_a_part_of_a_script() -> None:
    text = '" & (do shell script "x") & $(y)'
    *script, title, shown = desktop.command("darwin", text)
    assert (script[0], title, shown) == ("osascript", "Tessera", text)
    assert not any(text in part for part in script)
    assert not any(text in part for part in desktop.command("win32", text))


def test_folder_is_shown_and_never_started() -> None:
    folder = Path("/home/ada/Calculator.app")
    assert desktop.open_command("darwin", folder) == ["open", "-R", str(folder)]
    assert desktop.open_command("linux", folder) == ["xdg-open", str(folder)]


def test_windows_explores_the_folder_without_a_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[tuple[Path, str]] = []
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "startfile", lambda *given: opened.append(given), raising=False)
    desktop.open_folder(tmp_path)
    assert opened == [(tmp_path, "explore")]


def test_relative_folder_is_not_opened(desktop_log: Path) -> None:
    with pytest.raises(ClientError) as refused:
        desktop.open_folder(Path("-x"))
    assert refused.value.code == "folder_gone"
