from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_row


class Record(Struct, frozen=True):
    counter: int
    public_keys: bytes
    leader: UUID
    time: int


class Kit(Struct, frozen=True):
    counter: int
    record: int
    sealed: bytes
    is_confirmed: bool = False


async def records(connection: Connection, company_id: int) -> list[bytes]:
    """Returns the whole chain, from the first record on."""
    return await fetch_column(
        connection,
        "SELECT content FROM recovery_records WHERE company_id = $1 ORDER BY counter",
        company_id,
    )


async def newest_record(connection: Connection, company_id: int) -> Record | None:
    return await fetch_row(
        connection,
        Record,
        "SELECT counter, public_keys, leader, time FROM recovery_records WHERE company_id = $1"
        " ORDER BY counter DESC LIMIT 1",
        company_id,
    )


async def add_record(
    connection: Connection, company_id: int, record: Record, content: bytes
) -> bool:
    """False if another device has stored a record of this counter."""
    added = await connection.fetchval(
        "INSERT INTO recovery_records (company_id, counter, public_keys, leader, time, content)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING true",
        company_id, record.counter, record.public_keys, record.leader, record.time, content,
    )  # fmt: skip
    return added is not None


async def newest_kit(connection: Connection, company_id: int) -> Kit | None:
    return await fetch_row(
        connection,
        Kit,
        "SELECT counter, record, sealed, confirmed_at IS NOT NULL AS is_confirmed"
        " FROM recovery_kits WHERE company_id = $1 ORDER BY counter DESC LIMIT 1",
        company_id,
    )


async def add_kit(connection: Connection, company_id: int, kit: Kit) -> bool:
    """False if another device has stored a kit of this counter."""
    added = await connection.fetchval(
        "INSERT INTO recovery_kits (company_id, counter, record, sealed) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, kit.counter, kit.record, kit.sealed,
    )  # fmt: skip
    return added is not None


async def confirm_kit(connection: Connection, company_id: int, counter: int) -> None:
    await connection.execute(
        "UPDATE recovery_kits SET confirmed_at = now()"
        " WHERE company_id = $1 AND counter = $2 AND confirmed_at IS NULL",
        company_id, counter,
    )  # fmt: skip


async def spaces_with_former_pair(connection: Connection, company_id: int) -> int:
    """Counts the spaces that do not name the newest record's pair."""
    return await connection.fetchval(
        "SELECT count(*) FROM spaces WHERE company_id = $1 AND recovery_keys IS DISTINCT FROM"
        " (SELECT public_keys FROM recovery_records WHERE company_id = $1"
        "   ORDER BY counter DESC LIMIT 1)",
        company_id,
    )


async def put_handover(
    connection: Connection, company_id: int, *, sender_id: int, recipient_id: int, content: bytes
) -> None:
    await connection.execute(
        "INSERT INTO recovery_handovers (company_id, recipient_id, sender_id, content)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT (company_id, recipient_id)"
        " DO UPDATE SET sender_id = $3, content = $4, created_at = now()",
        company_id, recipient_id, sender_id, content,
    )  # fmt: skip


async def handover(connection: Connection, company_id: int, recipient_id: int) -> bytes | None:
    return await connection.fetchval(
        "SELECT content FROM recovery_handovers WHERE company_id = $1 AND recipient_id = $2",
        company_id, recipient_id,
    )  # fmt: skip
