from collections.abc import Collection, Mapping
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_rows
from tessera.storage.packs.queries import Shard


class Reservation(Struct, frozen=True):
    pack_id: bytes
    # Its links may still be used.
    is_open: bool
    # Its links expired so long ago that nothing sent with them can arrive any more.
    is_final: bool


async def due_companies(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only."""
    return await fetch_column(
        connection, "SELECT DISTINCT company_id FROM upload_reservations WHERE check_at <= now()"
    )


async def due_packs(connection: Connection, company_id: int, limit: int) -> list[bytes]:
    return await fetch_column(
        connection,
        "SELECT pack_id FROM upload_reservations WHERE company_id = $1 AND check_at <= now()"
        " ORDER BY check_at, pack_id LIMIT $2",
        company_id, limit,
    )  # fmt: skip


async def reservations(
    connection: Connection, company_id: int, ids: Collection[bytes]
) -> list[Reservation]:
    return await fetch_rows(
        connection,
        Reservation,
        "SELECT pack_id, expires_at > now() AS is_open,"
        " expires_at < now() - interval '12 hours' AS is_final"
        " FROM upload_reservations WHERE company_id = $1 AND pack_id = ANY($2::bytea[])",
        company_id,
        list(ids),
    )


async def postpone(
    connection: Connection, company_id: int, ids: Collection[bytes], minutes: int
) -> None:
    await connection.execute(
        "UPDATE upload_reservations SET check_at = now() + make_interval(mins => $3)"
        " WHERE company_id = $1 AND pack_id = ANY($2::bytea[])",
        company_id, list(ids), minutes,
    )  # fmt: skip


async def release(connection: Connection, company_id: int, ids: Collection[bytes]) -> None:
    """They count no more, and are checked once again for what arrived late."""
    await connection.execute(
        "UPDATE upload_reservations SET bytes = 0, check_at = now() + interval '1 day'"
        " WHERE company_id = $1 AND pack_id = ANY($2::bytea[])",
        company_id, list(ids),
    )  # fmt: skip


async def remove(connection: Connection, company_id: int, ids: Collection[bytes]) -> None:
    await connection.execute(
        "DELETE FROM upload_reservations WHERE company_id = $1 AND pack_id = ANY($2::bytea[])",
        company_id, list(ids),
    )  # fmt: skip


async def uncommitted(
    connection: Connection, company_id: int, ids: Collection[bytes]
) -> set[bytes]:
    """Which of the packs no log entry names and nobody deletes."""
    rows = await connection.fetch(
        "SELECT id FROM packs WHERE company_id = $1 AND id = ANY($2::bytea[])"
        " AND sequence IS NULL AND deleted_at IS NULL",
        company_id, list(ids),
    )  # fmt: skip
    return {row["id"] for row in rows}


async def reset_shards(connection: Connection, company_id: int, shards: Collection[Shard]) -> None:
    """Shards whose wrong object was deleted can be sent again."""
    await connection.execute(
        "UPDATE pack_shards s SET state = 'pending', checksum = NULL"
        " FROM unnest($2::bytea[], $3::int[]) AS g (pack_id, index)"
        " WHERE s.company_id = $1 AND s.pack_id = g.pack_id AND s.index = g.index",
        company_id,
        [shard.pack_id for shard in shards],
        [shard.index for shard in shards],
    )


async def add_excess(
    connection: Connection, company_id: int, excess: Mapping[bytes, int]
) -> dict[UUID, int]:
    """Returns the bytes by the packs' authors."""
    rows = await connection.fetch(
        "UPDATE packs p SET excess = p.excess + g.bytes"
        " FROM unnest($2::bytea[], $3::bigint[]) AS g (id, bytes)"
        " WHERE p.company_id = $1 AND p.id = g.id RETURNING p.author, g.bytes",
        company_id, list(excess), list(excess.values()),
    )  # fmt: skip
    totals: dict[UUID, int] = {}
    for row in rows:
        totals[row["author"]] = totals.get(row["author"], 0) + row["bytes"]
    return totals
