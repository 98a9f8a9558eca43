"""Plain numbered SQL files, each run once, in order, under an advisory lock."""

import asyncio
import hashlib
from importlib.resources import files
from urllib.parse import urlsplit

import asyncpg
from dbos import DBOS

from tessera.settings import Settings

LOCK = 7_301_977
APP_ROLE = "tessera_app"
# The first line of a migration whose statements run one by one, such as CREATE INDEX CONCURRENTLY.
OUTSIDE_TRANSACTION = "-- Outside a transaction.\n"
_LOCK_POLL_SECONDS = 0.2


class MigrationChanged(Exception):
    pass


class WrongMode(Exception):
    pass


def migration_files() -> list[tuple[int, str, str]]:
    return sorted(
        (int(entry.name[:4]), entry.name, entry.read_text(encoding="utf-8"))
        for entry in files("tessera.migrations").iterdir()
        if entry.name.endswith(".sql")
    )


async def migrate(settings: Settings) -> list[str]:
    """Migrates the database to this version and returns the names of the migrations run."""
    ran = []
    connection = await asyncpg.connect(settings.database_owner_url)
    try:
        await _lock(connection)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (number int PRIMARY KEY, name text NOT NULL,"
            " digest text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())"
        )
        done = {r["number"]: r["digest"] for r in await connection.fetch("TABLE migrations")}
        for number, name, sql in migration_files():
            digest = hashlib.sha256(sql.encode()).hexdigest()
            if number in done:
                if done[number] != digest:
                    raise MigrationChanged(f"{name} was changed after it had run")
                continue
            if sql.startswith(OUTSIDE_TRANSACTION):
                for statement in sql.removesuffix(";\n").split(";\n"):
                    await connection.execute(statement)
                await _record(connection, number, name, digest)
            else:
                async with connection.transaction():
                    await connection.execute(sql)
                    await _record(connection, number, name, digest)
            ran.append(name)
        await _claim_for_mode(connection, settings)
        DBOS.migrate(engine_url(settings.database_owner_url), application_role=APP_ROLE)
    finally:
        await connection.close()
    return ran


async def _lock(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Polls, because a statement that waits for the lock holds a snapshot, and building an index
    concurrently waits for all snapshots."""
    while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):  # noqa: ASYNC110
        await asyncio.sleep(_LOCK_POLL_SECONDS)


async def _record(
    connection: "asyncpg.Connection[asyncpg.Record]", number: int, name: str, digest: str
) -> None:
    await connection.execute(
        "INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)", number, name, digest
    )


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


async def check_mode(settings: Settings) -> None:
    """Refuses a database of the other mode. Needs no right to migrate."""
    connection = await asyncpg.connect(settings.database_platform_url)
    try:
        if await connection.fetchval("SELECT to_regclass('installation')") is not None:
            mode = await connection.fetchval("SELECT mode FROM installation")
            _require_mode(mode or settings.mode.value, settings)
    finally:
        await connection.close()


def _require_mode(mode: str, settings: Settings) -> None:
    if mode != settings.mode.value:
        raise WrongMode(
            f"this database belongs to a {mode} installation; refusing to run in"
            f" {settings.mode.value} mode"
        )


def engine_url(url: str) -> str:
    """Returns the URL for the workflow engine, which connects through SQLAlchemy and psycopg.
    SQLAlchemy accepts several hosts as parameters only."""
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return url.replace("postgresql://", "postgresql+psycopg://", 1)
    query = "&".join([*(f"host={host}" for host in hosts.split(",")), parts.query])
    return f"postgresql+psycopg://{credentials}{at}{parts.path}?{query}"
