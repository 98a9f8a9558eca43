from collections.abc import Collection
from uuid import UUID

from msgspec import Struct

from tessera.kit.announcements import CHANNEL
from tessera.kit.database import Connection
from tessera.kit.rows import fetch_rows
from tessera_core.log import LogState


class SpaceMember(Struct, frozen=True):
    member: UUID
    public_keys: bytes


async def count_spaces(connection: Connection, company_id: int) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM spaces WHERE company_id = $1", company_id
    )


async def add_space(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    *,
    head: bytes,
    time: int,
    leader: UUID,
    recovery_keys: bytes,
) -> bool:
    added = await connection.fetchval(
        "INSERT INTO spaces (company_id, id, sequence, head, time, generation,"
        " awaiting_generation, leader, recovery_keys) VALUES ($1, $2, 1, $3, $4, 0, true, $5, $6)"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, space_id, head, time, leader, recovery_keys,
    )  # fmt: skip
    return added is not None


async def move_on(connection: Connection, company_id: int, state: LogState) -> None:
    assert state.recovery_keys is not None
    await connection.execute(
        "UPDATE spaces SET sequence = $3, head = $4, time = $5, generation = $6,"
        " awaiting_generation = $7, leader = $8, recovery_keys = $9"
        " WHERE company_id = $1 AND id = $2"
        f" RETURNING pg_notify('{CHANNEL}', id || ' ' || sequence),"
        # Processes of 0.8.0 know announcements without a sequence only.
        f" pg_notify('{CHANNEL}', id::text)",
        company_id, state.space, state.sequence, state.head, state.time, state.generation,
        state.awaiting_generation, state.leader, state.recovery_keys.encode(),
    )  # fmt: skip


async def members(
    connection: Connection, company_id: int, space_id: UUID, only: UUID | None = None
) -> list[SpaceMember]:
    return await fetch_rows(
        connection,
        SpaceMember,
        "SELECT member, public_keys FROM space_members WHERE company_id = $1 AND space_id = $2"
        " AND ($3::uuid IS NULL OR member = $3)",
        company_id,
        space_id,
        only,
    )


async def are_members(
    connection: Connection, company_id: int, space_id: UUID, members: Collection[UUID]
) -> bool:
    found: int = await connection.fetchval(
        "SELECT count(*) FROM space_members WHERE company_id = $1 AND space_id = $2"
        " AND member = ANY($3::uuid[])",
        company_id, space_id, list(members),
    )  # fmt: skip
    return found == len(members)


async def set_member(
    connection: Connection, company_id: int, space_id: UUID, member: UUID, public_keys: bytes
) -> None:
    await connection.execute(
        "INSERT INTO space_members (company_id, space_id, member, public_keys)"
        " VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (company_id, space_id, member) DO UPDATE SET public_keys = $4",
        company_id, space_id, member, public_keys,
    )  # fmt: skip


async def remove_member(
    connection: Connection, company_id: int, space_id: UUID, member: UUID
) -> None:
    await connection.execute(
        "DELETE FROM space_members WHERE company_id = $1 AND space_id = $2 AND member = $3",
        company_id, space_id, member,
    )  # fmt: skip


async def removed_keys(
    connection: Connection, company_id: int, space_id: UUID, sign_keys: Collection[bytes]
) -> set[bytes]:
    """Returns those of these signing keys that lost access to the space."""
    rows = await connection.fetch(
        "SELECT sign_key FROM removed_space_keys WHERE company_id = $1 AND space_id = $2"
        " AND sign_key = ANY($3::bytea[])",
        company_id, space_id, list(sign_keys),
    )  # fmt: skip
    return {row["sign_key"] for row in rows}


async def add_removed_keys(
    connection: Connection, company_id: int, space_id: UUID, sign_keys: Collection[bytes]
) -> None:
    await connection.execute(
        "INSERT INTO removed_space_keys (company_id, space_id, sign_key)"
        " SELECT $1, $2, * FROM unnest($3::bytea[]) ON CONFLICT DO NOTHING",
        company_id, space_id, list(sign_keys),
    )  # fmt: skip


async def add_entry(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    *,
    sequence: int,
    entry_id: bytes,
    kind: int,
    author: UUID,
    content: bytes,
) -> bool:
    """False if the space has an entry of this id."""
    added = await connection.fetchval(
        "INSERT INTO log_entries (company_id, space_id, sequence, entry_id, kind, author, content)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)"
        " ON CONFLICT (company_id, space_id, entry_id) DO NOTHING RETURNING true",
        company_id, space_id, sequence, entry_id, kind, author, content,
    )  # fmt: skip
    return added is not None


async def has_entry(
    connection: Connection, company_id: int, space_id: UUID, entry_id: bytes
) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM log_entries"
        " WHERE company_id = $1 AND space_id = $2 AND entry_id = $3)",
        company_id, space_id, entry_id,
    )  # fmt: skip
