from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.audit.records import Record
from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_column, fetch_row, fetch_rows

_RECORD = columns(Record, "a")


class Head(Struct, frozen=True):
    company_uuid: UUID
    sequence: int
    hash: bytes
    anchor_sequence: int
    anchor_hash: bytes
    anchor_signature: bytes | None


class Link(Struct, frozen=True):
    """A place in the chain."""

    sequence: int
    hash: bytes


class ChainedRecord(Record, frozen=True):
    sequence: int
    previous: bytes
    hash: bytes


class StoredLink(Struct, frozen=True):
    """A place in the chain, with its record unless that is gone."""

    sequence: int
    activity_id: int
    hash: bytes
    id: int | None
    at: datetime | None
    actor_uuid: UUID | None
    actor_name: str | None
    api_token_id: int | None
    action: str | None
    target: str | None
    details: str | None
    origin: str | None
    request_id: str | None


_HEAD = (
    "SELECT c.uuid AS company_uuid, h.sequence, h.hash, h.anchor_sequence, h.anchor_hash,"
    " h.anchor_signature FROM activity_heads h JOIN companies c ON c.id = h.company_id"
    " WHERE h.company_id = $1"
)


async def head(connection: Connection, company_id: int) -> Head | None:
    return await fetch_row(connection, Head, _HEAD, company_id)


async def lock_head(connection: Connection, company_id: int) -> Head | None:
    """None if there is no such company."""
    await connection.execute(
        "INSERT INTO activity_heads (company_id) SELECT id FROM companies WHERE id = $1"
        " ON CONFLICT DO NOTHING",
        company_id,
    )
    return await fetch_row(connection, Head, f"{_HEAD} FOR NO KEY UPDATE OF h", company_id)


async def companies_with_unchained(connection: Connection) -> list[int]:
    """For the platform role."""
    return await fetch_column(connection, "SELECT DISTINCT company_id FROM activity_unchained")


async def take_unchained(connection: Connection, company_id: int, most: int) -> list[Record]:
    """An entry whose record is gone stays, for a check to find."""
    return await fetch_rows(
        connection,
        Record,
        "WITH taken AS (DELETE FROM activity_unchained WHERE company_id = $1 AND activity_id IN ("
        "  SELECT u.activity_id FROM activity_unchained u"
        "   JOIN activity a ON a.company_id = u.company_id AND a.id = u.activity_id"
        "   WHERE u.company_id = $1 ORDER BY u.activity_id LIMIT $2)"
        "  RETURNING activity_id)"
        f" SELECT {_RECORD} FROM activity a JOIN taken ON taken.activity_id = a.id"
        " WHERE a.company_id = $1 ORDER BY a.id",
        company_id, most,
    )  # fmt: skip


async def add_to_chain(
    connection: Connection,
    company_id: int,
    after: int,
    ids: Sequence[int],
    hashes: Sequence[bytes],
) -> None:
    if not ids:
        return
    await connection.execute(
        "INSERT INTO activity_chain (company_id, sequence, activity_id, hash)"
        " SELECT $1, $2 + number, id, hash"
        " FROM unnest($3::bigint[], $4::bytea[]) WITH ORDINALITY AS given (id, hash, number)",
        company_id, after, list(ids), list(hashes),
    )  # fmt: skip
    await connection.execute(
        "UPDATE activity_heads SET sequence = $2, hash = $3 WHERE company_id = $1",
        company_id, after + len(ids), hashes[-1],
    )  # fmt: skip


async def companies_with_old(
    connection: Connection, days: int, most: int, except_: Sequence[int]
) -> list[int]:
    """For the platform role."""
    return await fetch_column(
        connection,
        "SELECT DISTINCT company_id FROM (SELECT company_id FROM activity"
        " WHERE at < now() - make_interval(days => $1) AND company_id <> ALL ($3::int[])"
        " ORDER BY at LIMIT $2) old",
        days, most, list(except_),
    )  # fmt: skip


async def last_old(connection: Connection, company_id: int, days: int, most: int) -> Link | None:
    """The last of the oldest links before the first one whose record is younger; None if the first
    one is."""
    return await fetch_row(
        connection,
        Link,
        "WITH oldest AS MATERIALIZED (SELECT c.sequence, c.hash,"
        "  COALESCE(a.at < now() - make_interval(days => $2), true) AS is_old"
        "  FROM (SELECT company_id, sequence, activity_id, hash FROM activity_chain"
        "   WHERE company_id = $1 ORDER BY sequence LIMIT $3) c"
        "  LEFT JOIN activity a ON a.company_id = c.company_id AND a.id = c.activity_id)"
        " SELECT sequence, hash FROM oldest WHERE is_old AND sequence < COALESCE("
        "  (SELECT min(sequence) FROM oldest WHERE NOT is_old), 9223372036854775807)"
        " ORDER BY sequence DESC LIMIT 1",
        company_id, days, most,
    )  # fmt: skip


async def set_anchor(
    connection: Connection, company_id: int, sequence: int, hash_: bytes, signature: bytes
) -> None:
    await connection.execute(
        "UPDATE activity_heads SET anchor_sequence = $2, anchor_hash = $3, anchor_signature = $4"
        " WHERE company_id = $1",
        company_id, sequence, hash_, signature,
    )  # fmt: skip


async def forget_old(connection: Connection, days: int) -> int:
    """Of the entered company, up to its anchor."""
    return await connection.fetchval("SELECT forget_old_activity($1)", days)


async def stored_links(
    connection: Connection, company_id: int, after: int, until: int, most: int
) -> list[StoredLink]:
    return await fetch_rows(
        connection,
        StoredLink,
        f"SELECT c.sequence, c.activity_id, c.hash, {_RECORD} FROM activity_chain c"
        " LEFT JOIN activity a ON a.company_id = c.company_id AND a.id = c.activity_id"
        " WHERE c.company_id = $1 AND c.sequence > $2 AND c.sequence <= $3"
        " ORDER BY c.sequence LIMIT $4",
        company_id, after, until, most,
    )  # fmt: skip


async def records_outside(connection: Connection, company_id: int, most: int) -> list[int]:
    """Records that are neither in the chain nor waiting for it."""
    return await fetch_column(
        connection,
        "SELECT a.id FROM activity a WHERE a.company_id = $1"
        " AND NOT EXISTS (SELECT FROM activity_chain c"
        "  WHERE c.company_id = $1 AND c.activity_id = a.id)"
        " AND NOT EXISTS (SELECT FROM activity_unchained u"
        "  WHERE u.company_id = $1 AND u.activity_id = a.id) ORDER BY a.id LIMIT $2",
        company_id, most,
    )  # fmt: skip


async def gone_before_chained(connection: Connection, company_id: int, most: int) -> list[int]:
    """Records that were removed while they waited for the chain."""
    return await fetch_column(
        connection,
        "SELECT u.activity_id FROM activity_unchained u WHERE u.company_id = $1"
        " AND NOT EXISTS (SELECT FROM activity a"
        "  WHERE a.company_id = $1 AND a.id = u.activity_id) ORDER BY u.activity_id LIMIT $2",
        company_id, most,
    )  # fmt: skip


async def chained_records(
    connection: Connection, company_id: int, after: int, until: int
) -> list[ChainedRecord]:
    """In order, without those that are gone: the gap shows."""
    return await fetch_rows(
        connection,
        ChainedRecord,
        f"SELECT {_RECORD}, c.sequence, c.hash, COALESCE("
        "  (SELECT p.hash FROM activity_chain p"
        "    WHERE p.company_id = c.company_id AND p.sequence = c.sequence - 1),"
        "  (SELECT h.anchor_hash FROM activity_heads h WHERE h.company_id = c.company_id"
        "    AND h.anchor_sequence = c.sequence - 1), decode(repeat('00', 32), 'hex')) AS previous"
        " FROM activity_chain c JOIN activity a ON a.company_id = c.company_id"
        "  AND a.id = c.activity_id"
        " WHERE c.company_id = $1 AND c.sequence > $2 AND c.sequence <= $3 ORDER BY c.sequence",
        company_id, after, until,
    )  # fmt: skip
