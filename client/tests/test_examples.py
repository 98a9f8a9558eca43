"""Every example of the manual pages is run, with the files and people that it takes for granted."""

import shlex
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import time_ns
from typing import Any

import certifi
import pytest

from client.tests.conftest import Computer
from client.tests.service import ORIGIN, Person, Service
from client.tests.test_advice_runs import World, follow, put_without_keeping
from client.tests.test_recovery import copy_warehouses
from client.tests.test_update import CONTENT, manifest, pin_new_key
from tessera_client.commands import backup
from tessera_client.texts import Language, catalogue
from tessera_client.ui import launch
from tessera_client.vault import membership, spaces

pytestmark = pytest.mark.extended

# Before the days that the examples name.
BEGIN = int(datetime(2026, 11, 15, tzinfo=UTC).timestamp() * 1000)
# They run until they are interrupted; the tests of the drive start and end them.
ENDLESS = {"mount", "unmount", "serve"}

FILES = "report.pdf", "photos/1.jpg", "film.mp4", "draft.txt", "final.txt", "gone.txt"
STORED = (
    "2026/report.pdf", "2026/draft.txt", "2026/final.txt", "2026/gone.txt", "draft.txt",
    "plans/draft.txt",
)  # fmt: skip


@pytest.fixture
def _past(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    _set_clock(service, monkeypatch, BEGIN)


def _set_clock(service: Service, patch: pytest.MonkeyPatch, milliseconds: int | None) -> None:
    """None stands for the present."""
    service.clock = milliseconds and milliseconds / 1000
    for module in (spaces, membership):
        patch.setattr(module, "now", lambda: milliseconds or time_ns() // 10**6)


@pytest.fixture
def world(
    _past: None, service: Service, leader: Computer, member: Computer, tmp_path: Path,
    new_computer: Callable[[str, Person], Computer], monkeypatch: pytest.MonkeyPatch,
) -> World:  # fmt: skip
    """Two spaces with files, a recovery kit, and the programs to move in from."""
    home, work = tmp_path / "home", tmp_path / "work"
    for path in (*(work / name for name in FILES), home / "Documents" / "letter.txt"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)
    shutil.copy(certifi.where(), work / "company.pem")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    leader.ok("spaces", "create", "Archive")
    for place in STORED:
        leader.ok("put", Path(place).name, f"Designs:/{place}")
    leader.ok("rm", "Designs:/2026/gone.txt")
    made = World(service, leader, member, tmp_path, new_computer, monkeypatch)
    made.make_kit()
    made.placeholders = {
        "https://tessera.example": ORIGIN,
        "/media/disk/tessera": str(tmp_path / "export"),
        "Designs:412:9f3c5a01b2d4e6f8": _end_of(leader, "Designs"),
        "LINK": leader.ok("share", "Designs:/draft.txt")["link"],
        "REQUEST": leader.ok("request", "Scans", "--to", "Designs:/2026")["link"],
        "3f2a9c01-5d0e-4f6b-9a3c-0b1c2d3e4f50": leader.ok("share", "Designs:/draft.txt")["id"],
    }
    _set_clock(service, monkeypatch, None)
    return made


def _end_of(leader: Computer, space: str) -> str:
    (end,) = [end for end in leader.ok("status")["ends"] if end["space"] == space]
    return f"{space}:{end['sequence']}:{end['hash']}"


def _name_people(world: World, command: str) -> Computer:
    """Puts people in the place of the examples' ones, and returns the computer of the command."""
    service, names = world.service, world.placeholders
    heard, runner = world.member, world.leader
    names["ada@example.com"] = service.member.email
    match command:
        case "login":
            names["ada@example.com"] = service.leader.email
        case "trust":
            names["leader@example.com"] = service.leader.email
            heard, runner = world.leader, world.member
        case "grant":
            names["omar@example.com"] = "omar@tessera.test"
            heard = world.new_computer("omar", service.join("omar@tessera.test"))
        case "handover":
            service.leader.is_leader, service.member.is_leader = False, True
    words = world.words(heard)
    names |= {"...": words, "apple river stone lamp north cloud": words}
    return runner


def _prepare(world: World, command: str) -> None:
    """Brings about what single commands need besides."""
    patch = world.monkeypatch
    match command:
        case "requests":
            world.leader.ok("put", "report.pdf", world.placeholders["REQUEST"])
            [row] = world.leader.ok("requests")["requests"]
            world.placeholders["3f2a9c01-5d0e-4f6b-9a3c-0b1c2d3e4f50"] = row["arrivals"][0]["id"]
        case "ui":
            patch.setattr(launch, "open_page", lambda *_, **__: "http://127.0.0.1:4711/")
        case "spaces":
            world.placeholders["Designs"] = "New"
        case "rescue":
            for number, copy in enumerate(copy_warehouses(world.service, world.folder)[:2], 1):
                Path(f"copy{number}").symlink_to(copy)
        case "backup" | "sync":
            (Path.home() / "Designs").mkdir()
            patch.setattr("watchfiles.watch", lambda *_, **__: iter(()))
            patch.setattr(backup, "WATCH_SECONDS", 0)
        case "reopen" | "give-up":
            _restore_service(world, is_lost=command == "give-up")
        case "doctor":
            world.service.on_call = _connected
        case "service":
            patch.setattr("tessera_client.commands.service._call", lambda _: None)
            patch.delenv("XDG_CONFIG_HOME", raising=False)
        case "update":
            world.service.manifest = manifest("9.0.0", pin_new_key(patch))
            downloads = Path.home() / "Downloads"
            downloads.mkdir()
            (downloads / "tess-9.0.0-linux-x64.pyz").write_bytes(CONTENT)
        case "import":
            for program, output in (("rclone", "[]"), ("restic", "")):
                script = world.folder / "bin" / program
                script.parent.mkdir(exist_ok=True)
                script.write_text(f"#!/bin/sh\nprintf '{output}'\n")
                script.chmod(0o700)
            patch.setenv("PATH", f"{world.folder / 'bin'}:/usr/bin:/bin")


def _restore_service(world: World, *, is_lost: bool) -> None:
    restore = world.service.back_up()
    if is_lost:
        put_without_keeping(world, world.leader)
    restore()


def _connected(name: str, answer: Any) -> Any:
    if name == "GET /storage/health":
        for warehouse in answer["warehouses"]:
            warehouse["status"] = 1
    return answer


# After each of these a computer is not what it was, or the examples of others would be in the way.
ALONE = {
    "requests",
    "logout",
    "trust",
    "revoke",
    "handover",
    "device-lost",
    "rm",
    "mv",
    "recover",
    "rescue",
    "reopen",
    "give-up",
    "sync",
}


def pages() -> list[Any]:
    """Those that change little share a world: it takes longer to make than to use."""
    commands: dict[str, Any] = catalogue(Language.EN)["commands"]
    found = {name: [*page["examples"].items()] for name, page in commands.items()}
    shared = [*catalogue(Language.EN)["program"]["examples"].items()]
    shared += [each for name in found.keys() - ALONE - ENDLESS for each in found[name]]
    alone = [pytest.param(found[name], id=name) for name in sorted(ALONE)]
    return [pytest.param(sorted(shared), id="shared"), *alone]


@pytest.mark.parametrize("examples", pages())
def test_examples_of_manual_pages_can_be_run(world: World, examples: list[tuple[str, str]]) -> None:
    prepared = set[str]()
    for line, explanation in examples:
        assert isinstance(explanation, str)
        typed, pipe, _ = line.partition("tess ")[2].partition("| ")
        command = typed.split()[0]
        computer = _name_people(world, command)
        if command not in prepared:
            prepared.add(command)
            _prepare(world, command)
        parts = [
            str(Path(part).expanduser()) if part[0] == "~" else part for part in shlex.split(typed)
        ]
        if pipe:
            computer.binary(*parts)
        else:
            follow(world, shlex.join(parts), computer)
        for name in ("copy", "old", "restored"):
            shutil.rmtree(name, ignore_errors=True)
