"""For the company, or the registration, that the transaction has entered."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.encryption import WrappedKey
from tessera.kit.rows import fetch_rows


@dataclass(frozen=True)
class SealedTable:
    """A table whose rows are sealed with the platform key itself, most of them only briefly, and
    how the seal is bound to its row."""

    table: str
    column: str
    purpose: str
    place: str
    owner: str = "company_id"


class SealedRow(Struct, frozen=True):
    id: int
    sealed: bytes
    place: str


# Requests for a reset link are left out: they wait only briefly and can be repeated.
SEALED_TABLES = (
    SealedTable("messages", "sealed", "messages", "'message|' || company_id || '|' || id"),
    SealedTable("card_operations", "sealed_token", "card-operations", "'operation|' || id"),
    SealedTable(
        "authenticators",
        "sealed_secret",
        "authenticators",
        "'authenticator|' || company_id || '|' || user_id",
    ),
)
REGISTRATIONS = SealedTable(
    "registrations", "sealed", "registrations", "'registration|' || id", owner="id"
)


async def company_ids(connection: Connection) -> list[int]:
    """For the platform role."""
    rows = await connection.fetch("SELECT id FROM companies ORDER BY id")
    return [row["id"] for row in rows]


async def wrapped_by_others(
    connection: Connection, company_id: int, fingerprint: bytes
) -> list[WrappedKey]:
    rows = await connection.fetch(
        "SELECT company_id, version, wrapped, wrapped_by FROM data_keys"
        " WHERE company_id = $1 AND wrapped_by <> $2 ORDER BY version FOR UPDATE",
        company_id, fingerprint,
    )  # fmt: skip
    return [WrappedKey(**dict(row)) for row in rows]


async def replace_wrapped(connection: Connection, keys: Sequence[WrappedKey]) -> None:
    await connection.execute(
        "UPDATE data_keys d SET wrapped = g.wrapped, wrapped_by = g.wrapped_by"
        " FROM unnest($1::int[], $2::int[], $3::bytea[], $4::bytea[])"
        " AS g (company_id, version, wrapped, wrapped_by)"
        " WHERE d.company_id = g.company_id AND d.version = g.version",
        [key.company_id for key in keys],
        [key.version for key in keys],
        [key.wrapped for key in keys],
        [key.wrapped_by for key in keys],
    )


async def request_health_files(connection: Connection, company_id: int) -> None:
    """The next check of the company's warehouses rewrites the health file."""
    await connection.execute(
        "UPDATE warehouses SET health_version = NULL WHERE company_id = $1", company_id
    )


async def sealed_rows(connection: Connection, table: SealedTable, owner_id: int) -> list[SealedRow]:
    return await fetch_rows(
        connection,
        SealedRow,
        f"SELECT id, {table.column} AS sealed, {table.place} AS place FROM {table.table}"
        f" WHERE {table.owner} = $1 AND {table.column} IS NOT NULL ORDER BY id FOR UPDATE",
        owner_id,
    )


async def replace_sealed(
    connection: Connection, table: SealedTable, row_id: int, sealed: bytes
) -> None:
    await connection.execute(
        f"UPDATE {table.table} SET {table.column} = $2 WHERE id = $1", row_id, sealed
    )
