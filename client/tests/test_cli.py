"""What all commands have in common."""

from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from client.tests.conftest import Computer
from tessera_client.cli import app

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]


class TestOptionsBeforeTheCommand:
    def test_they_count_as_after_it(self, leader: Computer, tmp_path: Path) -> None:
        (tmp_path / "note").write_text("note")
        options = ("--dry-run", "--bandwidth", "2M", "--json")
        assert leader.ok(*options, "put", tmp_path / "note", "Designs:/")["dryRun"]
        assert leader.ok("--json", "ls", "Designs:/")["entries"] == []

    def test_a_malformed_rate(self, leader: Computer, tmp_path: Path) -> None:
        (tmp_path / "note").write_text("note")
        exit_code, answer = leader.run("--bandwidth", "fast", "put", tmp_path / "note", "Designs:/")
        assert (exit_code, answer["error"]) == (2, "bad_rate")

    def test_a_command_without_dry_run_does_nothing_instead_of_everything(self) -> None:
        result = CliRunner().invoke(app, ["--dry-run", "rm", "Designs:/note"])
        assert result.exit_code == 2
        assert "rm has no --dry-run" in result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"], terminal_width=120)
    assert result.exit_code == 0
    assert f"Example: tess {name}" in " ".join(result.stdout.split())


def test_commands_are_completed() -> None:
    result = CliRunner().invoke(
        app,
        [],
        prog_name="tess",
        env={"_TESS_COMPLETE": "complete_bash", "COMP_WORDS": "tess re", "COMP_CWORD": "1"},
    )
    assert {"restore", "revoke", "recover", "recovery-kit", "rescue"} <= {*result.stdout.split()}
