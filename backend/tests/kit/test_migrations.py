import asyncio
import re
import shutil
import subprocess
from pathlib import Path

import asyncpg
import pytest

from tessera.kit import migrations
from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.migrations import Migration, OtherMigrations, known_migrations, migrate
from tessera.kit.processes import SLOT_LOCK
from tessera.kit.versions import is_older
from tessera_core.version import __version__
from tests.fixtures.command_line import Command
from tests.fixtures.database import settings_for
from tests.kit.schema_document import DOCUMENT, describe

ROOT = Path(__file__).parents[3]
KNOWN = known_migrations()
# The database of every installation since 0.8.0 has run it.
BASELINE_DIGEST = "f40bab1dca3c60dd2c866ed2b2d42d14a69a132abeb90fa1ecdc295715d32e11"
GOOD = "ALTER TABLE users ADD COLUMN nick_name text NOT NULL DEFAULT '';\n"
BAD = "ALTER TABLE users ADD COLUMN nick_name text NOT NULL;\n"
CONTRACT = f"-- Contract: needs version {__version__}\nALTER TABLE users DROP COLUMN nick_name;\n"
# What squawk lets pass, and what disturbs the version before, or those who wait for the table.
DISTURBS = re.compile(
    r"^\s*(DROP (POLICY|TRIGGER|VIEW|TYPE)|REVOKE|UPDATE|DELETE|LOCK|TRUNCATE)\b|lock_timeout",
    re.MULTILINE,
)


async def test_schema_document_is_current(platform: Connection) -> None:
    current = await describe(platform)
    assert DOCUMENT.read_text(encoding="utf-8") == current, "docs/schema.sql: run make schema"


async def test_second_run_of_migrations_does_nothing(urls: EmbeddedUrls) -> None:
    assert (await migrate(settings_for(urls))).ran == []


class TestFiles:
    def test_baseline_is_frozen(self) -> None:
        assert KNOWN[0].digest == BASELINE_DIGEST, "add a numbered migration instead"

    def test_numbers_are_consecutive(self) -> None:
        numbers = [int(migration.number) for migration in KNOWN]
        assert numbers == list(range(1, len(numbers) + 1))

    def test_contract_migrations_need_a_version_that_exists(self) -> None:
        needed = [each.needs_version for each in KNOWN if each.needs_version]
        assert needed
        for version in needed:
            assert is_older("0.8.0", version)
            assert not is_older(__version__, version)

    def test_other_migrations_do_not_disturb_the_version_before(self) -> None:
        for migration in KNOWN[1:]:
            if migration.needs_version is None:
                assert DISTURBS.findall(migration.sql) == [], migration.name
            for statement in migration.statements or []:
                assert "CONCURRENTLY" in statement, f"not in a transaction: {migration.name}"


@pytest.mark.own_database
class TestNumberedMigrations:
    async def test_second_of_two_simultaneous_migrations_waits(
        self, urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        index = "CREATE INDEX CONCURRENTLY added ON users (language);"
        _add_migrations(monkeypatch, f"SELECT pg_sleep(0.2); {GOOD}", index)
        runs = await asyncio.gather(*(migrate(settings_for(urls)) for _ in range(2)))
        assert sorted(run.ran for run in runs) == [[], ["0101_added.sql", "0102_added.sql"]]

    async def test_failed_migration_leaves_nothing_and_is_repeated(
        self, urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _add_migrations(monkeypatch, f"{GOOD} SELECT 1 / 0;")
        with pytest.raises(asyncpg.DivisionByZeroError):
            await migrate(settings_for(urls))
        _add_migrations(monkeypatch, GOOD)
        assert (await migrate(settings_for(urls))).ran == ["0101_added.sql"]

    async def test_index_that_could_not_be_built_is_built_anew(
        self, urls: EmbeddedUrls, platform: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _add_migrations(
            monkeypatch,
            "DROP INDEX CONCURRENTLY IF EXISTS added;\n"
            "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS added ON counters (resets_at);\n",
        )
        await platform.execute(
            "INSERT INTO counters (key, count, resets_at) VALUES ('a', 1, now()), ('b', 1, now())"
        )
        with pytest.raises(asyncpg.UniqueViolationError):
            await migrate(settings_for(urls))
        await platform.execute("DELETE FROM counters")
        assert (await migrate(settings_for(urls))).ran == ["0101_added.sql"]
        assert await platform.fetchval(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = 'added'::regclass"
        )

    async def test_migration_that_waits_or_holds_a_table_gives_up(
        self, urls: EmbeddedUrls, platform: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _add_migrations(
            monkeypatch,
            "DO $$ BEGIN ASSERT current_setting('lock_timeout') = '5s'"
            " AND current_setting('statement_timeout') = '1min'; END $$",
        )
        assert (await migrate(settings_for(urls))).ran == ["0101_added.sql"]

    async def test_migration_that_ran_must_not_change(
        self, urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _add_migrations(monkeypatch, GOOD)
        await migrate(settings_for(urls))
        _add_migrations(monkeypatch, f"{GOOD}-- changed")
        with pytest.raises(OtherMigrations):
            await migrate(settings_for(urls))


@pytest.mark.own_database
class TestContractMigrations:
    @pytest.fixture(autouse=True)
    def add_contract(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _add_migrations(monkeypatch, GOOD, CONTRACT, GOOD.replace("nick", "middle"))

    async def test_contracting_migrations_run_when_asked_for(
        self, run_command: Command, platform: Connection
    ) -> None:
        ended = await run_command("migrate")
        assert "ran 0101_added.sql\nran 0103_added.sql\nleft 0102_added.sql: " in ended.stdout
        assert f"every process runs version {__version__}" in ended.stdout
        ended = await run_command("migrate", "--contract")
        assert ended.stdout.startswith("ran 0102_added.sql\n")
        needed = await platform.fetchval(
            "SELECT needs_version FROM migrations WHERE name = '0102_added.sql'"
        )
        assert needed == __version__

    @pytest.mark.parametrize(
        ("name", "version"),
        [("tessera-serve 0.8.0 - 1763500000", "0.8.0"), ("another", "unknown")],
    )
    async def test_contracting_is_refused_while_an_older_process_runs(
        self,
        urls: EmbeddedUrls,
        run_command: Command,
        platform: Connection,
        name: str,
        version: str,
    ) -> None:
        older = await asyncpg.connect(urls.app, server_settings={"application_name": name})
        await older.execute("SELECT pg_advisory_lock($1, 0)", SLOT_LOCK)
        ended = await run_command("migrate", "--contract")
        assert ended.exit_code == 2
        assert f"processes of version {version} are running" in ended.stderr
        assert "0101_added.sql" not in [
            name for (name,) in await platform.fetch("SELECT name FROM migrations")
        ]
        # The others do not mind.
        assert (await run_command("migrate")).exit_code == 0
        await older.close()
        assert (await run_command("migrate", "--contract")).exit_code == 0

    async def test_empty_database_has_no_older_processes(
        self, urls: EmbeddedUrls, platform: Connection
    ) -> None:
        await platform.execute(
            "DROP SCHEMA public CASCADE; DROP SCHEMA dbos CASCADE; CREATE SCHEMA public;"
            " GRANT ALL ON SCHEMA public TO tessera_owner"
        )
        run = await migrate(settings_for(urls))
        assert run.ran == [migration.name for migration in migrations.known_migrations()]
        assert run.left == []


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

    @pytest.mark.parametrize(
        ("sql", "rule"),
        [
            (GOOD, None),
            (BAD, "adding-required-field"),
            (CONTRACT, None),
            (CONTRACT.partition("\n")[2], "ban-drop-column"),
            ("ALTER TABLE users RENAME COLUMN email TO mail;", "renaming-column"),
            ("ALTER TABLE users ALTER COLUMN role TYPE varchar(9);", "changing-column-type"),
            ("CREATE INDEX added ON users (email);", "require-concurrent-index-creation"),
            ("CREATE INDEX CONCURRENTLY IF NOT EXISTS added ON users (email);", None),
            (f"-- Contract: needs version 0.8.1\n{BAD}", "adding-required-field"),
            (
                "ALTER TABLE users ADD CONSTRAINT named CHECK (email <> '');",
                "constraint-missing-not-valid",
            ),
        ],
    )
    def test_migration_that_blocks_or_breaks_the_running_version_is_found(
        self, tmp_path: Path, sql: str, rule: str | None
    ) -> None:
        if shutil.which("squawk", path=str(ROOT / ".venv/bin")) is None:
            pytest.skip("squawk is not installed: run make setup")
        (tmp_path / "0002_added.sql").write_text(sql)
        linted = subprocess.run(
            ["make", "-s", "lint-migrations", f"MIGRATIONS={tmp_path}"],
            check=False, cwd=ROOT, capture_output=True, text=True,
        )  # fmt: skip
        assert (linted.returncode != 0) == (rule is not None), linted.stdout
        assert (rule or "Found 0 issues in 1 file") in linted.stdout


def _lint_command(folder: Path) -> str:
    arguments = ["make", "-n", "-s", "lint-migrations", f"MIGRATIONS={folder}"]
    return subprocess.check_output(arguments, cwd=ROOT, text=True).strip()


def _add_migrations(monkeypatch: pytest.MonkeyPatch, *texts: str) -> None:
    added = [Migration(f"010{number}_added.sql", sql) for number, sql in enumerate(texts, 1)]
    monkeypatch.setattr(migrations, "known_migrations", lambda: [*KNOWN, *added])
