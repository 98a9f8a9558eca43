"""What all commands have in common."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer._click.exceptions
import typer.completion
from typer.exceptions import TyperException
from typer.main import get_command
from typer.testing import CliRunner

from client.tests.conftest import Computer
from client.tests.test_advice import texts
from tessera_client.cli import app
from tessera_client.commands import files, typer_internals
from tessera_client.errors import ClientError, NotLoggedIn, WrongUsage, to_client_error
from tessera_client.texts import Language, catalogue, set_language, show_bytes
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]


class TestOptionsBeforeTheCommand:
    def test_options_before_the_command_count_as_after_it(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        (tmp_path / "note").write_text("note")
        options = ("--dry-run", "--bandwidth", "2M", "--json")
        assert leader.ok(*options, "put", tmp_path / "note", "Designs:/")["dryRun"]
        assert leader.ok("--json", "ls", "Designs:/")["entries"] == []

    def test_malformed_rate_before_the_command_is_refused(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        (tmp_path / "note").write_text("note")
        exit_code, answer = leader.run("--bandwidth", "fast", "put", tmp_path / "note", "Designs:/")
        assert (exit_code, answer["error"]) == (2, "bad_rate")

    def test_a_command_without_dry_run_does_nothing_instead_of_everything(self) -> None:
        result = CliRunner().invoke(app, ["--dry-run", "revoke", "ada@example.com", "Designs"])
        assert result.exit_code == 2
        assert "revoke has no --dry-run" in result.stderr


def test_every_command_with_texts_is_registered() -> None:
    assert COMMANDS.keys() == catalogue(Language.EN)["commands"].keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_manual_page_with_examples(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"], prog_name="tess")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"NAME\n    tess {name} - ")
    assert f"SYNOPSIS\n    tess {name} [OPTIONS]" in result.stdout
    assert f"EXAMPLES\n    tess {name}" in result.stdout
    assert "options." not in result.stdout


def test_the_program_s_page_names_commands_variables_and_exit_codes() -> None:
    result = CliRunner().invoke(app, ["--help"], prog_name="tess")
    assert {*COMMANDS} <= {*result.stdout.split()}
    assert "TESS_PASSWORD\n" in result.stdout
    assert "EXIT STATUS\n    0\n        Done." in result.stdout


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        (["get", "Designs:/note"], "Say where to write: tess get SPACE:/PATH OUT."),
        (["ls", "Designs:/", "more"], "There are more arguments than the command takes."),
        (["ls", "Designs:/", "--deep"], "There is no option --deep."),
        (["put", "note", "Designs:/", "--exclude"], "Check the value of --exclude."),
        (["ls", "Designs:/", "--lang", "fr"], "The value of --lang en|tr|ar cannot be used."),
        (["list"], "There is no command list."),
        (["--json"], "A command is missing."),
    ],
)
def test_a_wrong_command_line(arguments: list[str], mistake: str) -> None:
    result = CliRunner().invoke(app, arguments, prog_name="tess")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0] == mistake


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (["verison", "Designs:/a"], "Did you mean tess versions, tess verify?"),
        (["lst"], "Did you mean tess ls?"),
        (["ls", "Designs:/", "--recursiv"], "Did you mean --recursive?"),
    ],
)
def test_mistyped_command_is_answered_with_similar_ones(
    arguments: list[str], suggestion: str
) -> None:
    result = CliRunner().invoke(app, arguments, prog_name="tess")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1] == suggestion


def test_ctrl_c_ends_with_130_and_one_word(
    leader: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "_top_level", interrupt)
    assert leader.say("ls", "Designs:/") == (130, "", "Interrupted.\n")


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (Language.EN, ["0 bytes", "1 byte", "12 bytes"]),
        (Language.TR, ["0 bayt", "1 bayt", "12 bayt"]),
        (Language.AR, ["0 بايت", "بايت واحد", "12 بايت"]),
    ],
)
def test_units_follow_the_number(language: Language, texts: list[str]) -> None:
    set_language(language)
    assert [show_bytes(size) for size in (0, 1, 12)] == texts


def test_texts_take_sizes_with_their_units() -> None:
    """A unit in the text itself would not follow the number."""
    unit = re.compile(r"\{\w+\} ?(bytes?|bayt|بايت)")
    found = [key for language in Language for key, text in texts(language) if unit.search(text)]
    assert {*found} == {"units.bytes"}


def test_without_arguments_the_manual_is_shown() -> None:
    result = CliRunner().invoke(app, [], prog_name="tess")
    assert result.exit_code == 2
    assert result.stderr.startswith("NAME\n    tess - ")


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("bash", "complete -o default -F _tess_completion tess"),
        ("zsh", "compdef _tess_completion tess"),
        ("fish", "complete --command tess "),
    ],
)
def test_the_completion_script_of_a_shell_is_printed(
    shell: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: shell)
    result = CliRunner().invoke(app, ["--show-completion"], prog_name="tess")
    assert result.exit_code == 0
    assert line in result.stdout


@pytest.mark.parametrize("language", ["en", "tr", "ar"])
def test_completion_script_is_installed_for_the_shell(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("typer._completion_shared._get_shell_name", lambda: "bash")
    arguments = ["--install-completion", "--lang", language]
    result = CliRunner().invoke(app, arguments, prog_name="tess")
    assert result.exit_code == 0
    script = next(path for path in tmp_path.rglob("*") if "_tess_completion" in _text(path))
    assert str(script) in result.stdout
    assert "{" not in result.stdout


def _text(path: Path) -> str:
    return path.read_text() if path.is_file() else ""


def test_commands_are_completed_in_the_shell() -> None:
    result = CliRunner().invoke(
        app,
        [],
        prog_name="tess",
        env={"_TESS_COMPLETE": "complete_bash", "COMP_WORDS": "tess re", "COMP_CWORD": "1"},
    )
    assert {"restore", "revoke", "recover", "recovery-kit", "rescue"} <= {*result.stdout.split()}


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--version"], {"cryptography", "msgspec", "tessera_client.transfer"}),
        (["put", ".", "Designs:/"], {"tessera_client.commands.rescue", "tessera_client.ui"}),
    ],
)
def test_a_command_starts_without_what_is_slow_to_import(
    arguments: list[str], unneeded: set[str], tmp_path: Path
) -> None:
    slow = {"httpx", "keyring", "numpy", "pydantic", "rich", "starlette"} | unneeded
    program = (
        "import sys\n"
        "from tessera_client.cli import app\n"
        "try:\n"
        f"    app({arguments!r})\n"
        "except SystemExit:\n"
        f"    print(sorted({slow!r} & sys.modules.keys()), file=sys.stderr)\n"
    )
    variables = {**os.environ, "TESSERA_CLIENT_DIR": str(tmp_path), "TESS_NO_KEYRING": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=variables, check=True, capture_output=True, text=True
    )
    assert run.stderr.splitlines()[-1] == "[]", run.stderr


def test_version_loads_few_modules(tmp_path: Path) -> None:
    """Each takes processor time; the speed itself depends on the computer."""
    program = (
        "import sys\n"
        "before = {*sys.modules}\n"
        "from tessera_client.cli import app\n"
        "try:\n"
        "    app(['--version'])\n"
        "except SystemExit:\n"
        "    print(len(sys.modules.keys() - before), file=sys.stderr)\n"
    )
    variables = {**os.environ, "TESSERA_CLIENT_DIR": str(tmp_path), "TESS_NO_KEYRING": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=variables, check=True, capture_output=True, text=True
    )
    assert int(run.stderr.splitlines()[-1]) <= 180


def test_what_is_used_of_typer_without_being_public_is_there() -> None:
    """The version in pyproject.toml is bounded because of these names; they stand in one module."""
    for name in (
        typer_internals.NO_ARGUMENTS,
        typer_internals.MISSING_PARAMETER,
        typer_internals.NO_SUCH_OPTION,
    ):
        assert issubclass(getattr(typer._click.exceptions, name), TyperException)
    assert typer_internals.install_completion is typer.completion.install  # type: ignore[attr-defined]
    parameters: list[Any] = get_command(app).params
    assert {parameter.name for parameter in parameters} >= typer_internals.ADDED_OPTIONS - {"help"}
    for parameter in parameters:
        assert callable(parameter.get_runtime_param)
        assert parameter.type_descriptor.annotation
    for source in Path(typer_internals.__file__).parents[1].rglob("*.py"):
        if source.name != "typer_internals.py":
            private = r"_click|get_runtime_param|type_descriptor|typer\.completion"
            assert not re.search(private, source.read_text("utf-8")), source


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (sqlite3.SQLITE_FULL, "No space left on device."),
        (sqlite3.SQLITE_IOERR | 3 << 8, "The disk could not be read or written."),
        (sqlite3.SQLITE_CANTOPEN, "Permission denied."),
    ],
)
def test_trouble_with_the_program_s_own_files_is_explained(code: int, reason: str) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = code
    assert str(to_client_error(error)) == f"The program's own files cannot be used: {reason}"


@pytest.mark.parametrize(
    ("error", "code", "exit_code", "status"),
    [
        (ClientError("Gone.", code="gone"), "gone", 1, 400),
        (WrongUsage("No."), "failed", 2, 400),
        (NotLoggedIn(), "not_logged_in", 3, 409),
        (NotEnoughShards("too few"), "not_enough_pieces", 1, 400),
        (Malformed("no format"), "not_authentic", 5, 422),
        (NotAuthentic("another key"), "not_authentic", 5, 422),
        (OSError(28, "full", "/disk"), "system_error", 1, 400),
        (sqlite3.OperationalError("locked"), "system_error", 1, 400),
        (KeyError("key"), "unexpected", 1, 400),
    ],
)
def test_each_exception_has_one_code_for_commands_and_page(
    error: Exception, code: str, exit_code: int, status: int
) -> None:
    failure = to_client_error(error)
    assert (failure.code, failure.exit_code, failure.http_status) == (code, exit_code, status)
    assert str(failure)
