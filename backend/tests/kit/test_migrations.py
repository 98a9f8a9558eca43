import asyncio
import shutil
import subprocess
from pathlib import Path

import asyncpg
import pytest

from tessera.kit import migrations
from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.migrations import OtherMigrations, migrate
from tessera_core.version import __version__
from tests.fixtures.command_line import Command
from tests.fixtures.database import settings_for
from tests.kit.schema_document import DOCUMENT, describe

ROOT = Path(__file__).parents[3]
GOOD = "ALTER TABLE users ADD COLUMN nick_name text NOT NULL DEFAULT '';\n"
BAD = "ALTER TABLE users ADD COLUMN nick_name text NOT NULL;\n"


async def test_schema_document_is_current(platform: Connection) -> None:
    current = await describe(platform)
    assert DOCUMENT.read_text(encoding="utf-8") == current, "docs/schema.sql: run make schema"


async def test_second_run_of_migrations_does_nothing(urls: EmbeddedUrls) -> None:
    assert await migrate(settings_for(urls)) == []


@pytest.mark.own_database
class TestNumberedMigrations:
    async def test_second_of_two_simultaneous_migrations_waits(
        self, urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _add_migration(monkeypatch, f"SELECT pg_sleep(0.2); {GOOD}")
        runs = await asyncio.gather(*(migrate(settings_for(urls)) for _ in range(2)))
        assert sorted(runs) == [[], ["0002_added.sql"]]

    async def test_failed_migration_leaves_nothing_and_is_repeated(
        self, urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _add_migration(monkeypatch, f"{GOOD} SELECT 1 / 0;")
        with pytest.raises(asyncpg.DivisionByZeroError):
            await migrate(settings_for(urls))
        _add_migration(monkeypatch, GOOD)
        assert await migrate(settings_for(urls)) == ["0002_added.sql"]

    async def test_migration_that_ran_must_not_change(
        self, urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _add_migration(monkeypatch, GOOD)
        await migrate(settings_for(urls))
        _add_migration(monkeypatch, f"{GOOD}-- changed")
        with pytest.raises(OtherMigrations):
            await migrate(settings_for(urls))


@pytest.mark.own_database
class TestDatabaseOfLaterVersion:
    async def test_migrations_of_later_versions_are_accepted(
        self, platform: Connection, run_command: Command
    ) -> None:
        await platform.execute(
            "INSERT INTO migrations (name, digest, needs_version) VALUES"
            " ('9998_added.sql', 'a', NULL), ('9999_removed.sql', 'b', $1)",
            __version__,
        )
        assert (await run_command("migrate")).exit_code == 0

    @pytest.mark.parametrize("command", [("migrate",), ("warehouses", "list")], ids=" ".join)
    async def test_version_that_the_database_no_longer_fits_is_refused_in_words(
        self, platform: Connection, run_command: Command, command: tuple[str, ...]
    ) -> None:
        await platform.execute(
            "INSERT INTO migrations (name, digest, needs_version) VALUES"
            " ('9999_removed.sql', 'b', '90.1')"
        )
        ended = await run_command(*command)
        assert ended.exit_code == 2
        assert "needs version 90.1 of Tessera or a later one, because 9999_removed" in ended.stderr
        assert f"this is version {__version__}" in ended.stderr


@pytest.mark.own_database
async def test_database_of_former_migrations_is_refused_with_a_remedy(
    platform: Connection, run_command: Command
) -> None:
    await platform.execute(
        "ALTER TABLE migrations DROP CONSTRAINT migrations_pkey, ADD COLUMN number int PRIMARY KEY"
        " GENERATED ALWAYS AS IDENTITY; TRUNCATE migrations; INSERT INTO migrations (name, digest)"
        " VALUES ('0001_house.sql', 'a'), ('0091_waiting_grants.sql', 'b')"
    )
    ended = await run_command("migrate")
    assert ended.exit_code == 2
    assert "0001_house.sql" in ended.stderr
    assert "start with an empty database: create one, or in the sandbox delete" in ended.stderr


class TestLint:
    def test_baseline_alone_is_not_linted(self, tmp_path: Path) -> None:
        (tmp_path / "0001_baseline.sql").touch()
        assert _lint_command(tmp_path) == ""

    def test_every_numbered_migration_is_linted(self, tmp_path: Path) -> None:
        for name in ("0001_baseline.sql", "0002_first.sql", "0003_second.sql"):
            (tmp_path / name).touch()
        assert _lint_command(tmp_path).split()[1:] == [
            f"{tmp_path}/0002_first.sql",
            f"{tmp_path}/0003_second.sql",
        ]

    @pytest.mark.parametrize(("sql", "code"), [(GOOD, 0), (BAD, 1)])
    def test_migration_that_breaks_the_running_version_is_found(
        self, tmp_path: Path, sql: str, code: int
    ) -> None:
        squawk = shutil.which("squawk", path=str(ROOT / ".venv/bin"))
        if squawk is None:
            pytest.skip("squawk is not installed: run make setup")
        migration = tmp_path / "0002_added.sql"
        migration.write_text(sql)
        linted = subprocess.run(
            [squawk, migration], check=False, cwd=ROOT, capture_output=True, text=True
        )
        assert linted.returncode == code, linted.stdout
        assert ("adding-required-field" in linted.stdout) == (code == 1)


def _lint_command(folder: Path) -> str:
    arguments = ["make", "-n", "-s", "lint-migrations", f"MIGRATIONS={folder}"]
    return subprocess.check_output(arguments, cwd=ROOT, text=True).strip()


def _add_migration(monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    baseline = {"0001_baseline.sql": migrations.migration_files()["0001_baseline.sql"]}
    monkeypatch.setattr(migrations, "migration_files", lambda: {**baseline, "0002_added.sql": sql})
