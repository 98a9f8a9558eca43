from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row

Purpose = Literal["leadership", "holder"]


class StoredHandover(Struct, frozen=True):
    epoch: int
    data: bytes
    sender_keys: bytes
    created_at: datetime


class KeyHolder(Struct, frozen=True):
    user_id: int
    uuid: UUID
    first_name: str
    last_name: str
    email: str
    since: datetime
    is_current: bool

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"


async def held_epoch(connection: Connection, company_id: int, user_id: int) -> int | None:
    """Returns the epoch of the passphrase if the user holds a copy of its key."""
    return await connection.fetchval(
        "SELECT p.epoch FROM company_passphrases p JOIN company_keys k"
        "  ON k.company_id = p.company_id AND k.user_id = $2 AND k.epoch = p.epoch"
        " WHERE p.company_id = $1",
        company_id, user_id,
    )  # fmt: skip


async def put(
    connection: Connection,
    company_id: int,
    user_id: int,
    *,
    purpose: Purpose,
    epoch: int,
    data: bytes,
    sender_keys: bytes,
) -> None:
    """Replaces one of the same user, and keeps the time of the first."""
    await connection.execute(
        "INSERT INTO key_handovers (company_id, user_id, purpose, epoch, data, sender_keys)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (company_id, user_id)"
        " DO UPDATE SET purpose = $3, epoch = $4, data = $5, sender_keys = $6",
        company_id, user_id, purpose, epoch, data, sender_keys,
    )  # fmt: skip


async def stored(
    connection: Connection, company_id: int, user_id: int, purpose: Purpose
) -> StoredHandover | None:
    return await fetch_row(
        connection,
        StoredHandover,
        "SELECT epoch, data, sender_keys, created_at FROM key_handovers"
        " WHERE company_id = $1 AND user_id = $2 AND purpose = $3",
        company_id, user_id, purpose,
    )  # fmt: skip


async def key_holder(connection: Connection, company_id: int) -> KeyHolder | None:
    return await fetch_row(
        connection,
        KeyHolder,
        "SELECT u.id AS user_id, u.uuid, u.first_name, u.last_name, u.email,"
        " h.created_at AS since, COALESCE(h.epoch = p.epoch, false) AS is_current"
        " FROM key_handovers h"
        " JOIN users u ON u.company_id = h.company_id AND u.id = h.user_id"
        " LEFT JOIN company_passphrases p ON p.company_id = h.company_id"
        " WHERE h.company_id = $1 AND h.purpose = 'holder'",
        company_id,
    )


async def give_to_leader(connection: Connection, company_id: int, user_id: int) -> bool:
    """Turns the holder's copy into one that waits for the new leader, if it is of the current
    passphrase."""
    given = await connection.execute(
        "UPDATE key_handovers h SET purpose = 'leadership' FROM company_passphrases p"
        " WHERE h.company_id = $1 AND h.user_id = $2 AND h.purpose = 'holder'"
        " AND p.company_id = h.company_id AND p.epoch = h.epoch",
        company_id, user_id,
    )  # fmt: skip
    return given != "UPDATE 0"


async def name_of(connection: Connection, uuid: UUID) -> str | None:
    return await connection.fetchval(
        "SELECT first_name || ' ' || last_name FROM users WHERE uuid = $1", uuid
    )
