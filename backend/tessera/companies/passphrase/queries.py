from datetime import datetime

from msgspec import Struct

from tessera.authz.queries import lock_company
from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row, fetch_rows


class PassphrasePair(Struct, frozen=True):
    epoch: int
    sealed_passphrase: str
    sealed_company_key: str | None


class FormerPassphrase(Struct, frozen=True):
    epoch: int
    sealed_passphrase: str
    sealed_key: str | None
    set_at: datetime
    replaced_at: datetime
    replaced_by: str | None


async def stored_epoch(connection: Connection, company_id: int) -> int:
    """Returns zero before the first passphrase. Locks the company to serialize changes."""
    await lock_company(connection, company_id)
    epoch: int | None = await connection.fetchval(
        "SELECT epoch FROM company_passphrases WHERE company_id = $1", company_id
    )
    return epoch or 0


async def is_leader(connection: Connection, user_id: int) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM users WHERE id = $1 AND role = 'teamLeader' AND is_active)",
        user_id,
    )


async def passphrase_pair(
    connection: Connection, company_id: int, user_id: int
) -> PassphrasePair | None:
    """A key copy of another epoch than the passphrase's opens nothing and counts as none."""
    return await fetch_row(
        connection,
        PassphrasePair,
        "SELECT p.epoch, p.sealed_passphrase, k.sealed_company_key"
        " FROM company_passphrases p LEFT JOIN company_keys k"
        "  ON k.company_id = p.company_id AND k.user_id = $2 AND k.epoch = p.epoch"
        " WHERE p.company_id = $1",
        company_id, user_id,
    )  # fmt: skip


async def former_passphrases(connection: Connection, company_id: int) -> list[FormerPassphrase]:
    """The newest first, a hundred at most."""
    return await fetch_rows(
        connection,
        FormerPassphrase,
        "SELECT f.epoch, f.sealed_passphrase, f.sealed_key, f.set_at, f.replaced_at,"
        " u.first_name || ' ' || u.last_name AS replaced_by"
        " FROM former_passphrases f"
        " LEFT JOIN users u ON u.company_id = f.company_id AND u.id = f.replaced_by"
        " WHERE f.company_id = $1 ORDER BY f.epoch DESC LIMIT 100",
        company_id,
    )
