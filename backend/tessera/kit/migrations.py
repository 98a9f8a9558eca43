"""Numbered SQL files, each run once, in order, while the version before goes on running.

A file adds what the next version needs, and must not disturb the version before. One that begins
with `-- Contract: needs version 0.8.1` removes what no version from that one on works with: it runs
when it is asked for, after the last older process has ended. A file runs in one transaction, unless
it builds or drops indexes CONCURRENTLY: then statement by statement.
"""

import asyncio
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from urllib.parse import urlsplit

import asyncpg
from dbos import DBOS

from tessera.kit.processes import running_versions
from tessera.kit.versions import is_older
from tessera.settings import Settings
from tessera_core.version import __version__

LOCK = 7_301_977
APP_ROLE = "tessera_app"

_CONTRACT = re.compile(r"-- Contract: needs version ([0-9.]+)\n")
_CONCURRENTLY = re.compile(r"^(CREATE|DROP) .*\bCONCURRENTLY\b", re.MULTILINE)
# Everyone waits behind a migration that waits for a table, or holds one. A file may allow its own
# statements more time.
_TIMEOUTS = "SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = '1min'"
_LOCK_POLL_SECONDS = 0.2


class OtherMigrations(Exception):
    """The database was migrated by files that this version does not have, or has changed."""

    def __init__(self, name: str, settings: Settings) -> None:
        super().__init__(
            f"this database cannot be upgraded: {name} ran in it, and is missing or different in"
            " this version. Versions before 0.8.0 start with an empty database: create one, or in"
            f" the sandbox delete the folder {settings.data_dir}, and run the command again"
        )


class VersionTooOld(Exception):
    """A later version has removed what this one works with."""

    def __init__(self, name: str, needs_version: str) -> None:
        super().__init__(
            f"this database needs version {needs_version} of Tessera or a later one, because {name}"
            f" ran in it; this is version {__version__}"
        )


class NotMigrated(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"this database lacks {name}: run `tessera migrate` of version {__version__} first"
        )


class OlderProcessesRun(Exception):
    def __init__(self, name: str, needs_version: str, running: list[str]) -> None:
        super().__init__(
            f"{name} removes what versions before {needs_version} work with, and processes of"
            f" version {', '.join(running)} are running: replace them, and run the command again"
        )


class WrongMode(Exception):
    pass


@dataclass(frozen=True)
class Migration:
    name: str
    sql: str

    @property
    def number(self) -> str:
        return _number(self.name)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @cached_property
    def needs_version(self) -> str | None:
        """Of a contract migration: the first version that works without what it removes."""
        found = _CONTRACT.match(self.sql)
        return found.group(1) if found else None

    @property
    def statements(self) -> list[str] | None:
        """Those that cannot be in a transaction; None if all are in one."""
        if not _CONCURRENTLY.search(self.sql):
            return None
        return [statement for statement in re.split(r";\s*(?:\n|$)", self.sql) if statement]


@dataclass(frozen=True)
class MigrationRun:
    ran: list[str]
    # Contract migrations, which nobody asked for.
    left: list[Migration]


def known_migrations() -> list[Migration]:
    return [
        Migration(entry.name, entry.read_text(encoding="utf-8"))
        for entry in sorted(files("tessera.migrations").iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".sql")
    ]


async def migrate(settings: Settings, *, contract: bool = False) -> MigrationRun:
    """Migrates the database to this version. Contract migrations run with `contract`, and in an
    empty database."""
    known = known_migrations()
    connection = await asyncpg.connect(settings.database_owner_url)
    try:
        # A statement that waits would have a CREATE INDEX CONCURRENTLY wait for it.
        while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):  # noqa: ASYNC110
            await asyncio.sleep(_LOCK_POLL_SECONDS)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, digest text NOT NULL,"
            " ran_at timestamptz NOT NULL DEFAULT now(), needs_version text)"
        )
        done = await _require_own(connection, known, settings)
        await _require_version(connection)
        due: list[Migration] = []
        left: list[Migration] = []
        for migration in known:
            if migration.name not in done:
                waits = migration.needs_version is not None and not contract and done
                (left if waits else due).append(migration)
        await _require_processes(connection, due)
        for migration in due:
            await _run(connection, migration)
        await _claim_for_mode(connection, settings)
        DBOS.migrate(engine_url(settings.database_owner_url), application_role=APP_ROLE)
    finally:
        await connection.close()
    return MigrationRun([migration.name for migration in due], left)


async def _run(connection: "asyncpg.Connection[asyncpg.Record]", migration: Migration) -> None:
    if migration.statements is not None:
        for statement in migration.statements:
            await connection.execute(statement)
    async with connection.transaction():
        if migration.statements is None:
            await connection.execute(_TIMEOUTS)
            await connection.execute(migration.sql)
        await connection.execute(
            "INSERT INTO migrations (name, digest, needs_version) VALUES ($1, $2, $3)",
            migration.name,
            migration.digest,
            migration.needs_version,
        )


def _number(name: str) -> str:
    return name.partition("_")[0]


async def _require_own(
    connection: "asyncpg.Connection[asyncpg.Record]", known: list[Migration], settings: Settings
) -> set[str]:
    """Returns the names of those that ran, which later versions may have run as well."""
    digests = {migration.name: migration.digest for migration in known}
    done = await connection.fetch("SELECT name, digest FROM migrations ORDER BY name DESC")
    for name, digest in done:
        is_of_later_version = name not in digests and _number(name) > known[-1].number
        if digests.get(name) != digest and not is_of_later_version:
            raise OtherMigrations(name, settings)
    return {name for name, _ in done}


async def _require_version(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    rows = await connection.fetch(
        "SELECT name, needs_version FROM migrations WHERE needs_version IS NOT NULL ORDER BY name"
    )
    for name, needs_version in rows:
        if is_older(__version__, needs_version):
            raise VersionTooOld(name, needs_version)


async def _require_processes(
    connection: "asyncpg.Connection[asyncpg.Record]", due: list[Migration]
) -> None:
    running = await running_versions(connection)
    for migration in due:
        if (needs := migration.needs_version) is None:
            continue
        older = sorted({each or "unknown" for each in running if is_older(each, needs)})
        if older:
            raise OlderProcessesRun(migration.name, needs, older)


async def _claim_for_mode(
    connection: "asyncpg.Connection[asyncpg.Record]", settings: Settings
) -> None:
    """Binds the database to the mode that used it first, to keep demo data from customers."""
    mode = await connection.fetchval(
        "INSERT INTO installation (mode) VALUES ($1)"
        " ON CONFLICT (only_one) DO UPDATE SET mode = installation.mode RETURNING mode",
        settings.mode.value,
    )
    _require_mode(mode, settings)


async def check_database(settings: Settings) -> None:
    """Refuses a database of the other mode, and one with which this version cannot work. Needs no
    right to migrate."""
    connection = await asyncpg.connect(settings.database_platform_url)
    try:
        done: set[str] = set()
        if await connection.fetchval("SELECT to_regclass('installation')") is not None:
            mode = await connection.fetchval("SELECT mode FROM installation")
            _require_mode(mode or settings.mode.value, settings)
            await _require_version(connection)
            done = {name for (name,) in await connection.fetch("SELECT name FROM migrations")}
        for migration in known_migrations():
            if migration.name not in done and migration.needs_version is None:
                raise NotMigrated(migration.name)
    finally:
        await connection.close()


def _require_mode(mode: str, settings: Settings) -> None:
    if mode != settings.mode.value:
        raise WrongMode(
            f"this database belongs to a {mode} installation; refusing to run in"
            f" {settings.mode.value} mode"
        )


# For psycopg: so that the engine's threads do not wait a quarter of an hour for a lost network.
_NOTICE_OUTAGES = (
    "connect_timeout=5&keepalives_idle=5&keepalives_interval=5&keepalives_count=3"
    "&tcp_user_timeout=15000"
)


def engine_url(url: str, *, notice_outages: bool = False) -> str:
    """Returns the URL for the workflow engine, which connects through SQLAlchemy and psycopg.
    SQLAlchemy accepts several hosts as parameters only."""
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    several = hosts.split(",") if "," in hosts else []
    query = [*(f"host={host}" for host in several), parts.query]
    if notice_outages:
        query.append(_NOTICE_OUTAGES)
    place = f"{credentials}{at}" if several else parts.netloc
    listed = "&".join(filter(None, query))
    return f"postgresql+psycopg://{place}{parts.path}{listed and '?'}{listed}"
