"""Arbitrary arguments of every command: an exit code that is documented, and never a traceback."""

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.cli import app
from tessera_client.texts import Language, catalogue

pytestmark = pytest.mark.extended

SEED = 20261118
RUNS = 400
PLACES = 5
COMMANDS = get_command(app).commands  # type: ignore[attr-defined]
EXIT_CODES = {int(code) for code in catalogue(Language.EN)["program"]["exit_status"]}
# They serve a page, wait for changes, or write outside of the test's folders.
LEFT_OUT = {"ui"}
ENDLESS = {"--watch", "--install-completion"}


def words(folder: Path) -> list[str]:
    """What people may type: right, wrong, hostile."""
    return [
        "Designs", "Designs:/", "Designs:/note", "Designs:/dir", "Designs:/dir/deep", "Other:/x",
        "Designs:/" + "a/" * 1500, "Designs:/" + "x" * 5000, "Designs:/\x1b[2J\u202e", ":/", ":",
        "", "-", "--", "-1", "0", "9" * 30, "2026-11-16", "0001-01-01T00:00", "9999-12-31T23:59",
        "1M", "-1K", "leader@tessera.test", "nobody@tessera.test", "create", "a b c d e f",
        "\udcff", "é", "../..", str(folder), str(folder / "note"),
        str(folder / "missing"), str(folder / "unreadable"), str(folder / "loop"),
        "d/" * 1500, str(folder / "note" / "below"), str(folder / "pipe"), "~",
        str(folder / ("n" * 300)),
    ]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "work"
    (folder / "dir").mkdir(parents=True)
    (folder / "note").write_text("note")
    (folder / "unreadable").write_text("secret")
    (folder / "unreadable").chmod(0)
    (folder / "loop").symlink_to("loop")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe")
    monkeypatch.chdir(folder)
    yield folder
    # Nothing in Python removes folders that deep.
    subprocess.run(["rm", "-rf", folder], check=True)


def test_no_argument_leads_to_a_traceback(leader: Computer, service: Service, folder: Path) -> None:
    chosen, typed = random.Random(SEED), words(folder)
    leader.ok("put", folder / "note", folder / "dir", "Designs:/")
    weights = [8] * PLACES + [1] * (len(typed) - PLACES)
    names = sorted(COMMANDS.keys() - LEFT_OUT)
    for word in typed:
        run(leader, ["get", "Designs:/note", word])
    for _ in range(RUNS):
        name = chosen.choice(names)
        command = COMMANDS[name]
        options = [option for each in command.params for option in each.opts if option[0] == "-"]
        needed = sum(each.param_type_name == "argument" for each in command.params)
        count = chosen.choice([needed] * 7 + [0, 1, 4])
        given = [name, *chosen.choices(typed, weights, k=count)]
        for option in chosen.sample(options, min(len(options), chosen.randint(0, 2))):
            if option not in ENDLESS:
                given.insert(chosen.randint(1, len(given)), option)
        run(leader, given)


def run(computer: Computer, given: list[str]) -> None:
    result = CliRunner().invoke(app, given, env=computer.variables(), prog_name="tess")
    is_exit = result.exception is None or isinstance(result.exception, SystemExit)
    assert is_exit, (given, result.exception)
    assert result.exit_code in EXIT_CODES, given
    assert "Traceback" not in result.output, given
    assert not {"\x1b", "\u202e"} & {*result.output}, given
