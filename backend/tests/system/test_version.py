"""What `tessera --version` says."""

import subprocess
from pathlib import Path

import pytest

from tessera import source_commit
from tessera_core.version import __version__
from tests.fixtures.command_line import Command

COMMIT = "0123456789abcdef0123456789abcdef01234567"
MIGRATIONS = Path(source_commit.__file__).parent / "migrations"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program lies instead."""
    monkeypatch.setattr(source_commit, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(source_commit, "_BUILT_FROM", tmp_path / "commit.txt")
    monkeypatch.setattr("tessera.cli.source_commit", source_commit.source_commit.__wrapped__)
    return tmp_path


async def shown(run: Command, **settings: str) -> str:
    ended = await run("--version", **settings)
    assert ended.exit_code == 0
    return ended.stdout.strip()


def expected(commit: str) -> str:
    last = max(MIGRATIONS.glob("*.sql")).name.partition("_")[0]
    return f"tessera {__version__}, commit {commit}, schema {last}"


async def test_a_built_program_knows_its_commit(run_without_settings: Command, root: Path) -> None:
    (root / "commit.txt").write_text(f"{COMMIT}\n")
    assert await shown(run_without_settings) == expected(COMMIT)


def test_a_checkout_knows_its_commit(root: Path) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b.test"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "a"], check=True)
    head = subprocess.check_output([*git, "rev-parse", "HEAD"], text=True).strip()
    assert source_commit.source_commit.__wrapped__() == head


@pytest.mark.usefixtures("root")
async def test_else_the_setting_says_it_or_nobody_knows(run_without_settings: Command) -> None:
    assert await shown(run_without_settings, commit=COMMIT) == expected(COMMIT)
    assert await shown(run_without_settings) == expected("unknown")
