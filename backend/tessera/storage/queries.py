from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_row, fetch_rows
from tessera.warehouses.enums import StatusCode


class Space(Struct, frozen=True):
    id: UUID
    sequence: int
    head: bytes
    time: int
    generation: int
    awaiting_generation: bool
    leader: UUID
    recovery_keys: bytes
    is_member: bool
    created_at: datetime


class WarehouseRow(Struct, frozen=True):
    company_id: int
    id: int
    type: int
    nick_name: str | None
    status: StatusCode
    has_been_active: bool
    status_since: datetime
    last_check_at: datetime | None
    leaving_since: datetime | None
    sealed: bytes
    key_version: int
    wrapped: bytes
    wrapped_by: bytes


async def unsubscribed_days(connection: Connection, company_id: int) -> float | None:
    """Returns for how many days the subscription has been over; None if it never began."""
    return await connection.fetchval(
        "SELECT (extract(epoch FROM now() - subscribed_until) / 86400)::float8"
        " FROM companies WHERE id = $1",
        company_id,
    )


async def warehouses(connection: Connection) -> list[WarehouseRow]:
    """Of the company of the transaction."""
    return await fetch_rows(connection, WarehouseRow, "SELECT * FROM storage_warehouses()")


_SPACE = (
    "s.id, s.sequence, s.head, s.time, s.generation, s.awaiting_generation, s.leader,"
    " s.recovery_keys, s.created_at, EXISTS (SELECT FROM space_members m"
    "  WHERE m.company_id = s.company_id AND m.space_id = s.id AND m.member = $2) AS is_member"
)


async def spaces(connection: Connection, company_id: int, user: UUID) -> list[Space]:
    return await fetch_rows(
        connection,
        Space,
        f"SELECT {_SPACE} FROM spaces s WHERE s.company_id = $1 ORDER BY s.created_at, s.id",
        company_id,
        user,
    )


async def space(
    connection: Connection, company_id: int, user: UUID, space_id: UUID, *, lock: bool = False
) -> Space | None:
    """With `lock`, appends to this space take turns."""
    return await fetch_row(
        connection,
        Space,
        f"SELECT {_SPACE} FROM spaces s WHERE s.company_id = $1 AND s.id = $3"
        + (" FOR NO KEY UPDATE OF s" if lock else ""),
        company_id,
        user,
        space_id,
    )


async def entries(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    *,
    after: int,
    limit: int,
    max_bytes: int,
    up_to: int | None = None,
) -> list[bytes]:
    """Returns entries up to both limits, and at least one."""
    return await fetch_column(
        connection,
        "SELECT content FROM (SELECT sequence, content,"
        "   sum(length(content)) OVER (ORDER BY sequence) AS bytes, row_number()"
        "   OVER (ORDER BY sequence) AS number FROM (SELECT sequence, content FROM log_entries"
        "     WHERE company_id = $1 AND space_id = $2 AND sequence > $3"
        "      AND ($4::bigint IS NULL OR sequence <= $4)"
        "     ORDER BY sequence LIMIT $5) AS page) AS counted"
        " WHERE bytes <= $6 OR number = 1 ORDER BY sequence",
        company_id, space_id, after, up_to, limit, max_bytes,
    )  # fmt: skip


async def is_restoring(connection: Connection, company_id: int) -> bool:
    """Whether the database was restored from a backup, and the leader has not closed that yet."""
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM storage_restores WHERE company_id = $1 AND closed_at IS NULL)",
        company_id,
    )


async def is_restore_unread(connection: Connection, company_id: int) -> bool:
    """Whether the warehouses are still to be read after a restore."""
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM storage_restores WHERE company_id = $1"
        " AND closed_at IS NULL AND read_at IS NULL)",
        company_id,
    )


async def forget_restore_claims(connection: Connection, company_id: int, space_id: UUID) -> None:
    """What members and warehouses have seen of a log beyond its end."""
    await connection.execute(
        "DELETE FROM storage_restore_claims WHERE company_id = $1 AND space_id = $2",
        company_id, space_id,
    )  # fmt: skip


async def drop_recovery_handovers(
    connection: Connection, company_id: int, recipient_id: int | None = None
) -> None:
    """Deletes the handover to one member, or all of the company."""
    await connection.execute(
        "DELETE FROM recovery_handovers WHERE company_id = $1"
        " AND ($2::bigint IS NULL OR recipient_id = $2)",
        company_id, recipient_id,
    )  # fmt: skip
