"""Across all companies, for the platform role only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.encryption import WrappedKey
from tessera.kit.rows import fetch_one, fetch_row, fetch_rows


@dataclass(frozen=True)
class SealedTable:
    """A table whose rows are sealed with the platform key itself, most of them only briefly, and
    how the seal is bound to its row."""

    table: str
    column: str
    purpose: str
    place: str
    # Whose row it is: finds it by an index, together with `id`.
    owner: str = "company_id"


class SealedRow(Struct, frozen=True):
    owner: int
    id: int
    sealed: bytes
    place: str


# Requests for a reset link are left out: they wait only briefly and can be repeated.
SEALED_TABLES = (
    SealedTable("messages", "sealed", "messages", "'message|' || company_id || '|' || id"),
    SealedTable("deletion_proofs", "sealed", "deletion-proofs", "'proof|' || company_uuid"),
    SealedTable("card_operations", "sealed_token", "card-operations", "'operation|' || id"),
    # Before there is a company.
    SealedTable("registrations", "sealed", "registrations", "'registration|' || id", "ticket_id"),
    SealedTable(
        "authenticators",
        "sealed_secret",
        "authenticators",
        "'authenticator|' || company_id || '|' || user_id",
    ),
    # Those that no data key seals.
    SealedTable(
        "sso_providers",
        "sealed_secret",
        "sso-secrets",
        "'sso-secret|' || company_id || '|' || id || '|' || issuer",
    ),
)


async def wrapped_by_others(
    connection: Connection, fingerprint: bytes, after: tuple[int, int], maximum: int
) -> list[WrappedKey]:
    rows = await connection.fetch(
        "SELECT company_id, version, wrapped, wrapped_by FROM data_keys WHERE wrapped_by <> $1"
        " AND (company_id, version) > ($2, $3) ORDER BY company_id, version LIMIT $4 FOR UPDATE",
        fingerprint, *after, maximum,
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


async def request_health_files(connection: Connection, company_ids: Sequence[int]) -> None:
    """The next check of these companies' warehouses rewrites the health file."""
    await connection.execute(
        "UPDATE warehouses SET health_version = NULL WHERE company_id = ANY($1::int[])",
        list(company_ids),
    )


async def sealed_rows(connection: Connection, table: SealedTable) -> list[SealedRow]:
    return await fetch_rows(
        connection,
        SealedRow,
        f"SELECT {table.owner} AS owner, id, {table.column} AS sealed, {table.place} AS place"
        f" FROM {table.table} WHERE {table.column} IS NOT NULL ORDER BY id FOR UPDATE",
    )


async def replace_sealed(
    connection: Connection, table: SealedTable, row: SealedRow, sealed: bytes
) -> None:
    await connection.execute(
        f"UPDATE {table.table} SET {table.column} = $3 WHERE {table.owner} = $1 AND id = $2",
        row.owner, row.id, sealed,
    )  # fmt: skip


async def company_by_uuid(connection: Connection, uuid: UUID) -> int | None:
    return await connection.fetchval("SELECT id FROM companies WHERE uuid = $1", uuid)


class NamedCompany(Struct, frozen=True):
    id: int
    name: str


async def named_company(connection: Connection, uuid: UUID) -> NamedCompany | None:
    return await fetch_row(
        connection, NamedCompany, "SELECT id, name FROM companies WHERE uuid = $1", uuid
    )


class Anchor(Struct, frozen=True):
    company_id: int
    company_uuid: UUID
    anchor_sequence: int
    anchor_hash: bytes
    anchor_signature: bytes


async def anchors(connection: Connection, after: int, maximum: int) -> list[Anchor]:
    """Of the companies' activity, with the rows locked."""
    return await fetch_rows(
        connection,
        Anchor,
        "SELECT h.company_id, c.uuid AS company_uuid, h.anchor_sequence, h.anchor_hash,"
        " h.anchor_signature FROM activity_heads h JOIN companies c ON c.id = h.company_id"
        " WHERE h.company_id > $1 AND h.anchor_sequence > 0 ORDER BY h.company_id LIMIT $2"
        " FOR NO KEY UPDATE OF h",
        after, maximum,
    )  # fmt: skip


async def set_anchor_signature(connection: Connection, company_id: int, signature: bytes) -> None:
    await connection.execute(
        "UPDATE activity_heads SET anchor_signature = $2 WHERE company_id = $1",
        company_id, signature,
    )  # fmt: skip


class ArchivedWal(Struct, frozen=True):
    system_identifier: int
    last_wal: str | None


async def archived_wal(connection: Connection) -> ArchivedWal:
    """What the primary says that it has archived."""
    return await fetch_one(
        connection,
        ArchivedWal,
        "SELECT c.system_identifier, a.last_archived_wal AS last_wal"
        " FROM pg_stat_archiver a, pg_control_system() c",
    )


class RestoredState(Struct, frozen=True):
    system_identifier: int
    segment_bytes: int
    has_checksums: bool
    replayed_to: str
    replayed_bytes: int
    committed_at: datetime | None
    companies: int


async def restored_state(connection: Connection) -> RestoredState:
    """Of a server that has just been restored; as the platform role."""
    return await fetch_one(
        connection,
        RestoredState,
        "SELECT c.system_identifier, pg_size_bytes(current_setting('wal_segment_size'))"
        "  AS segment_bytes, current_setting('data_checksums') = 'on' AS has_checksums,"
        " pg_last_wal_replay_lsn()::text AS replayed_to,"
        " pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint AS replayed_bytes,"
        " pg_last_xact_replay_timestamp() AS committed_at,"
        " (SELECT count(*) FROM companies WHERE id <> 1) AS companies"
        " FROM pg_control_system() c",
    )
