"""Names and messages that somebody else has written cannot act on the terminal or deceive."""

import io
import json
from pathlib import Path

import httpx
import pytest
from rich.console import Console

from client.tests.conftest import Computer, connect
from client.tests.service import Service
from client.tests.transport import MemoryTransport
from tessera_client.commands import progress
from tessera_client.commands.output import Output, Result, notice, output
from tessera_client.errors import ClientError
from tessera_client.texts import Language, set_language, translate, visible

ESCAPE = "\x1b]0;owned\x07\x1b[2J"
OVERRIDE = "invoice\u202efdp.exe"
HOSTILE = f"{ESCAPE}{OVERRIDE}\r\nDone.\x9b31m\u2066\u2028[bold]x[/bold]"


def is_harmless(text: str) -> bool:
    return not any(
        character in text for character in "\x1b\x07\r\x9b\u202e\u2066\u2067\u2068\u2028\u200f"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain şey عربي 日本 👨‍👩‍👧.txt", "plain şey عربي 日本 👨‍👩‍👧.txt"),
        ("C:\\Users [1] {x} %s", "C:\\Users [1] {x} %s"),
        ("a\tb\nc\rd\0", r"a\x09b\x0ac\x0dd\x00"),
        ("\x1b[31m\x7f\x9b", r"\x1b[31m\x7f\x9b"),
        ("\u202e\u2067x\u2069\u200f\u061c", r"\u202e\u2067x\u2069\u200f\u061c"),
        ("\u200b\ufeff\u2028\u2029\xad", r"\u200b\ufeff\u2028\u2029\xad"),
        ("\U000e0041\ud800", r"\U000e0041\ud800"),
        ("\u2066tess rescue\u2069", "\u2066tess rescue\u2069"),
        ("\u2066\u202ex\u2069", r"\u2066\u202ex\u2069"),
    ],
)
def test_control_characters_are_shown_escaped(name: str, shown: str) -> None:
    assert visible(name) == shown


def test_values_are_made_visible_and_texts_stay() -> None:
    assert translate("results.moved", place="a\x1bb") == r"Moved to a\x1bb."
    set_language(Language.AR)
    assert is_harmless(translate("results.moved", place=HOSTILE))


def test_a_hostile_file_name_in_every_command(leader: Computer, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    name = HOSTILE.replace("/", "")
    (folder / name).write_text("content")
    (folder / "b").symlink_to("x")
    leader.ok("put", folder, "Designs:/")
    place = f"Designs:/folder/{name}"
    commands: list[tuple[str | Path, ...]] = [
        ("ls", "Designs:/folder"),
        ("get", place, tmp_path),
        ("get", "Designs:/folder", tmp_path / "out"),
        ("versions", place),
        ("mv", place, f"{place}2"),
        ("ls", place),
        ("history", place),
        ("put", folder, "Designs:/new", "--dry-run"),
        ("backup", folder, "Designs:/new", "--dry-run"),
        ("put", folder, "Designs:/"),
        ("rm", "Designs:/folder", "--dry-run"),
        ("rm", place),
        ("trash", "Designs"),
        ("restore", "Designs:/folder", "--dry-run"),
        ("restore", "Designs:/folder"),
        ("stats", "Designs"),
        ("put", tmp_path / f"missing{HOSTILE}", "Designs:/"),
    ]
    for command in commands:
        _, said, complaint = leader.say(*command)
        assert is_harmless(said + complaint), command
        assert "\nDone." not in said + complaint, command
    _, said, _ = leader.say("ls", "Designs:/folder")
    assert len(said.splitlines()) == 3, "a name takes one line"
    assert r"\u202efdp.exe" in said


def test_json_holds_the_exact_name(leader: Computer, tmp_path: Path) -> None:
    (tmp_path / OVERRIDE).write_text("content")
    leader.ok("put", tmp_path / OVERRIDE, "Designs:/")
    (entry,) = leader.ok("ls", "Designs:/")["entries"]
    assert entry["path"] == OVERRIDE


def test_names_of_spaces_and_people(service: Service, leader: Computer) -> None:
    leader.ok("spaces", "create", f"Space{OVERRIDE}{ESCAPE}")

    def rename(_: str, answer: object) -> object:
        if isinstance(answer, dict) and "members" in answer:
            rows = [{**row, "firstName": HOSTILE} for row in answer["members"]]
            return {**answer, "members": rows}
        return answer

    service.on_call = rename
    for command in (("spaces",), ("status",), ("versions", "Designs:/x"), ("doctor",)):
        _, said, complaint = leader.say(*command)
        assert is_harmless(said + complaint), command


def test_messages_of_the_service(
    service: Service, leader: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/storage/spaces":
            return httpx.Response(400, json={"code": "odd", "message": HOSTILE})
        return service.answer(request)

    connect(monkeypatch, MemoryTransport(answer))
    _, _, complaint = leader.say("spaces")
    assert is_harmless(complaint)
    assert len(complaint.splitlines()) == 1
    assert leader.run("spaces")[1]["error"] == "odd"


def test_nothing_reaches_the_terminal_past_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    """Also what a command has put together without a text of the catalogue."""
    raw = f"first\n{ESCAPE}\u202e\x9b"
    Output().show(Result({}, raw))
    Output().show_error(ClientError(raw))
    notice(raw)
    captured = capsys.readouterr()
    assert is_harmless(captured.out + captured.err)
    assert captured.out.startswith("first\n")
    Output(as_json=True).show(Result({"name": raw}))
    assert json.loads(capsys.readouterr().out) == {"name": raw}


def test_progress_takes_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(output, "as_json", False)
    monkeypatch.setattr("sys.stderr", shown)
    console = Console(file=shown, width=200, force_terminal=True, _environ={"TERM": "xterm"})
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    with progress.progress(translate("progress.restoring", name="[red]x[/red]\x1b[7m"), 10) as move:
        move(10)
    assert r"[red]x[/red]\x1b[7m" in shown.getvalue()
