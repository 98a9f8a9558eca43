from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row


class WaitingHandover(Struct, frozen=True):
    epoch: int
    data: bytes
    sender_keys: bytes | None


async def held_epoch(connection: Connection, company_id: int, user_id: int) -> int | None:
    """Returns the epoch of the passphrase if the user holds a copy of its key."""
    epoch: int | None = await connection.fetchval(
        "SELECT p.epoch FROM company_passphrases p JOIN company_keys k"
        "  ON k.company_id = p.company_id AND k.user_id = $2 AND k.epoch = p.epoch"
        " WHERE p.company_id = $1",
        company_id, user_id,
    )  # fmt: skip
    return epoch


async def add(
    connection: Connection,
    company_id: int,
    user_id: int,
    *,
    epoch: int,
    data: bytes,
    sender_keys: bytes | None,
) -> None:
    await connection.execute(
        "INSERT INTO key_handovers (company_id, user_id, epoch, data, sender_keys)"
        " VALUES ($1, $2, $3, $4, $5)",
        company_id, user_id, epoch, data, sender_keys,
    )  # fmt: skip


async def waiting(connection: Connection, company_id: int, user_id: int) -> WaitingHandover | None:
    return await fetch_row(
        connection,
        WaitingHandover,
        "SELECT epoch, data, sender_keys FROM key_handovers WHERE company_id = $1 AND user_id = $2",
        company_id,
        user_id,
    )
