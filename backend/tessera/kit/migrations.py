"""Numbered SQL files, each run once, in order and in one transaction, under an advisory lock."""

import hashlib
from importlib.resources import files
from urllib.parse import urlsplit

import asyncpg
from dbos import DBOS

from tessera.kit.versions import is_older
from tessera.settings import Settings
from tessera_core.version import __version__

LOCK = 7_301_977
APP_ROLE = "tessera_app"


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


class WrongMode(Exception):
    pass


def migration_files() -> dict[str, str]:
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in sorted(files("tessera.migrations").iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".sql")
    }


async def migrate(settings: Settings) -> list[str]:
    """Migrates the database to this version and returns the names of the migrations run."""
    migrations = migration_files()
    digests = {name: hashlib.sha256(sql.encode()).hexdigest() for name, sql in migrations.items()}
    connection = await asyncpg.connect(settings.database_owner_url)
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", LOCK)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, digest text NOT NULL,"
            " ran_at timestamptz NOT NULL DEFAULT now(), needs_version text)"
        )
        done = await connection.fetch("SELECT name, digest FROM migrations ORDER BY name DESC")
        newest = max(map(_number, digests))
        for name, digest in done:
            is_of_later_version = name not in digests and _number(name) > newest
            if digests.get(name) != digest and not is_of_later_version:
                raise OtherMigrations(name, settings)
        await _require_version(connection)
        ran = sorted(migrations.keys() - {name for name, _ in done})
        for name in ran:
            async with connection.transaction():
                # Gives up rather than have everyone wait behind it for a table that is in use.
                await connection.execute("SET LOCAL lock_timeout = '5s'")
                await connection.execute(migrations[name])
                await connection.execute(
                    "INSERT INTO migrations (name, digest) VALUES ($1, $2)", name, digests[name]
                )
        await _claim_for_mode(connection, settings)
        DBOS.migrate(engine_url(settings.database_owner_url), application_role=APP_ROLE)
    finally:
        await connection.close()
    return ran


def _number(name: str) -> str:
    return name.partition("_")[0]


async def _require_version(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    rows = await connection.fetch(
        "SELECT name, needs_version FROM migrations WHERE needs_version IS NOT NULL ORDER BY name"
    )
    for name, needs_version in rows:
        if is_older(__version__, needs_version):
            raise VersionTooOld(name, needs_version)


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
    """Refuses a database of the other mode, or of a version with which this one cannot work. Needs
    no right to migrate."""
    connection = await asyncpg.connect(settings.database_platform_url)
    try:
        if await connection.fetchval("SELECT to_regclass('installation')") is not None:
            mode = await connection.fetchval("SELECT mode FROM installation")
            _require_mode(mode or settings.mode.value, settings)
            await _require_version(connection)
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
