"""The database put back to an older point in time, and members' clients that have kept entries."""

from collections.abc import Sequence
from typing import Any, Self

import asyncpg
import httpx

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.workflows import Resources
from tessera.storage.restores import service as restores
from tessera_core.entries import Entry
from tessera_core.grants import Grant
from tests.storage.client import Device, SpaceClient, encoded

_TABLES = """
    SELECT table_name AS name, string_agg(quote_ident(column_name), ', ') AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
    GROUP BY 1
"""


class Backup:
    """All rows as they were when it was taken."""

    def __init__(self, connection: Connection, tables: dict[str, str]) -> None:
        self._connection = connection
        self._tables = tables

    @classmethod
    async def take(cls, urls: EmbeddedUrls) -> Self:
        connection = await asyncpg.connect(urls.superuser)
        await connection.execute(
            "SET session_replication_role = replica; DROP SCHEMA IF EXISTS backup CASCADE;"
            " CREATE SCHEMA backup"
        )
        tables = {row["name"]: row["columns"] for row in await connection.fetch(_TABLES)}
        for name, columns in tables.items():
            await connection.execute(f"CREATE TABLE backup.{name} AS SELECT {columns} FROM {name}")
        return cls(connection, tables)

    async def restore(self) -> None:
        async with self._connection.transaction():
            for name, columns in self._tables.items():
                await self._connection.execute(
                    f"DELETE FROM {name}; INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE"
                    f" SELECT {columns} FROM backup.{name}"
                )

    async def close(self) -> None:
        await self._connection.execute("DROP SCHEMA backup CASCADE")
        await self._connection.close()


async def restore(backup: Backup, resources: Resources) -> None:
    """What an operator does."""
    await backup.restore()
    await restores.begin_all(resources)


def former(entry: Entry, grants: Sequence[Grant] = ()) -> dict[str, Any]:
    return {
        "entry": encoded(entry.encode()),
        "grants": [encoded(grant.encode()) for grant in grants],
    }


async def bring_back(
    space: SpaceClient, device: Device, *entries: dict[str, Any] | Entry, seen: int | None = None
) -> httpx.Response:
    body = {
        "entries": [former(each) if isinstance(each, Entry) else each for each in entries],
        "seen": space.state.sequence if seen is None else seen,
    }
    return await device.call("POST", f"{space.log}/former", body)


async def close(device: Device) -> httpx.Response:
    return await device.call("PUT", "/restore/closed")
