from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row


class Authenticator(Struct, frozen=True):
    id: int
    company_id: int
    user_id: int
    sealed_secret: bytes
    confirmed_at: datetime | None


class SentCode(Struct, frozen=True):
    id: int
    phone_number: str
    consumed_at: datetime | None
    # Seconds.
    expires_in: int
    age: float


class SmsState(Struct, frozen=True):
    turned_off: bool
    has_app: bool
    has_passkeys: bool


class CodeAttempt(Struct, frozen=True):
    tries: int
    code_hash: bytes


# Codes of users, and of people who have no account yet.
CodeTable = Literal["codes", "guest_codes"]

SENT_CODE = (
    "id, phone_number, consumed_at,"
    " ceil(extract(epoch FROM expires_at - now()))::int AS expires_in,"
    " extract(epoch FROM now() - sent_at)::float AS age"
)


_AUTHENTICATOR = f"SELECT {columns(Authenticator, 'authenticators')} FROM authenticators"


async def authenticator_in_use(connection: Connection, user_id: int) -> Authenticator | None:
    return await fetch_row(
        connection,
        Authenticator,
        f"{_AUTHENTICATOR} WHERE user_id = $1 AND confirmed_at IS NOT NULL",
        user_id,
    )


async def pending_authenticator(
    connection: Connection, user_id: int, lasting: timedelta
) -> Authenticator | None:
    return await fetch_row(
        connection,
        Authenticator,
        f"{_AUTHENTICATOR} WHERE user_id = $1 AND confirmed_at IS NULL"
        " AND started_at > now() - $2::interval",
        user_id, lasting,
    )  # fmt: skip


async def start_authenticator(
    connection: Connection, *, company_id: int, user_id: int, sealed_secret: bytes
) -> None:
    """Replaces any unconfirmed secret with the new one."""
    await connection.execute(
        "INSERT INTO authenticators (company_id, user_id, sealed_secret) VALUES ($1, $2, $3)"
        " ON CONFLICT (company_id, user_id) WHERE confirmed_at IS NULL"
        " DO UPDATE SET sealed_secret = excluded.sealed_secret, started_at = now()",
        company_id, user_id, sealed_secret,
    )  # fmt: skip


async def turn_on_authenticator(
    connection: Connection, *, user_id: int, sealed_secret: bytes, step: int
) -> bool:
    """Confirms the secret and deletes the one in use. False if it is not the waiting one."""
    waits = await connection.fetchval(
        "SELECT id FROM authenticators WHERE user_id = $1 AND confirmed_at IS NULL"
        " AND sealed_secret = $2 FOR UPDATE",
        user_id, sealed_secret,
    )  # fmt: skip
    if waits is None:
        return False
    await connection.execute(
        "DELETE FROM authenticators WHERE user_id = $1 AND confirmed_at IS NOT NULL", user_id
    )
    await connection.execute(
        "UPDATE authenticators SET confirmed_at = now(), last_step = $2 WHERE id = $1", waits, step
    )
    return True


async def use_step(connection: Connection, authenticator_id: int, step: int) -> bool:
    """False if the code of this step or a later one was already used: a code works once."""
    taken = await connection.fetchval(
        "UPDATE authenticators SET last_step = $2 WHERE id = $1 AND last_step < $2 RETURNING true",
        authenticator_id, step,
    )  # fmt: skip
    return bool(taken)


async def turn_off_authenticator(connection: Connection, user_id: int) -> bool:
    """Also deletes the recovery codes. False if it was not on."""
    gone = await connection.fetch(
        "DELETE FROM authenticators WHERE user_id = $1 RETURNING confirmed_at", user_id
    )
    await connection.execute("DELETE FROM recovery_codes WHERE user_id = $1", user_id)
    return any(row["confirmed_at"] for row in gone)


async def replace_recovery_codes(
    connection: Connection, *, company_id: int, user_id: int, hashes: Sequence[bytes]
) -> None:
    await connection.execute("DELETE FROM recovery_codes WHERE user_id = $1", user_id)
    await connection.execute(
        "INSERT INTO recovery_codes (company_id, user_id, code_hash)"
        " SELECT $1, $2, unnest($3::bytea[])",
        company_id, user_id, list(hashes),
    )  # fmt: skip


async def use_recovery_code(connection: Connection, user_id: int, code_hash: bytes) -> bool:
    taken = await connection.fetchval(
        "UPDATE recovery_codes SET used_at = now()"
        " WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING true",
        user_id, code_hash,
    )  # fmt: skip
    return bool(taken)


async def recovery_codes_left(connection: Connection, user_id: int) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL", user_id
    )


async def sms_state(connection: Connection, user_id: int) -> SmsState:
    state = await fetch_row(
        connection,
        SmsState,
        "SELECT u.sms_off AS turned_off,"
        " EXISTS (SELECT FROM authenticators a WHERE a.company_id = u.company_id"
        "  AND a.user_id = u.id AND a.confirmed_at IS NOT NULL) AS has_app,"
        " EXISTS (SELECT FROM passkeys k WHERE k.company_id = u.company_id"
        "  AND k.user_id = u.id) AS has_passkeys"
        " FROM users u WHERE u.id = $1",
        user_id,
    )
    return state or SmsState(turned_off=False, has_app=False, has_passkeys=False)


async def set_sms_off(connection: Connection, user_id: int, off: bool) -> None:
    """Also ends the codes that were sent: none of them is accepted later."""
    await connection.execute("UPDATE users SET sms_off = $2 WHERE id = $1", user_id, off)
    await connection.execute(
        "UPDATE codes SET consumed_at = now() WHERE user_id = $1 AND consumed_at IS NULL"
        " AND purpose IN ('login', 'verify')",
        user_id,
    )


async def newest_code(
    connection: Connection, user_id: int, purpose: str, session_id: int | None
) -> SentCode | None:
    return await fetch_row(
        connection,
        SentCode,
        f"SELECT {SENT_CODE}"
        " FROM codes WHERE user_id = $1 AND purpose = $2 AND session_id IS NOT DISTINCT FROM $3"
        " ORDER BY id DESC LIMIT 1",
        user_id, purpose, session_id,
    )  # fmt: skip


async def add_code(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    session_id: int | None,
    purpose: str,
    phone_number: str,
    code_hash: bytes,
    lasting: timedelta,
) -> None:
    await connection.execute(
        "INSERT INTO codes (company_id, user_id, session_id, purpose, phone_number, code_hash,"
        " expires_at) VALUES ($1, $2, $3, $4, $5, $6, now() + $7)",
        company_id, user_id, session_id, purpose, phone_number, code_hash, lasting,
    )  # fmt: skip


async def take_code_attempt(
    connection: Connection, table: CodeTable, code_id: int, maximum: int
) -> CodeAttempt | None:
    """Takes one attempt; None if none is left. The row lock makes concurrent calls queue."""
    return await fetch_row(
        connection,
        CodeAttempt,
        f"UPDATE {table} SET tries = tries + 1"
        " WHERE id = $1 AND tries < $2 AND consumed_at IS NULL AND expires_at > now()"
        " RETURNING tries, code_hash",
        code_id, maximum,
    )  # fmt: skip


async def consume_code(connection: Connection, table: CodeTable, code_id: int) -> bool:
    """False if another call consumed it first: a code works once."""
    taken = await connection.fetchval(
        f"UPDATE {table} SET consumed_at = now() WHERE id = $1 AND consumed_at IS NULL"
        " RETURNING true",
        code_id,
    )
    return bool(taken)
