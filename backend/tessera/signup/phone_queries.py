"""Codes for people without an account. A holder is a ticket or an invite: one of `ticket_id` and
`invite_id` is None."""

from datetime import timedelta

from msgspec import Struct

from tessera.auth.two_factor.codes import SENT_CODE, SentCode
from tessera.kit.database import Connection
from tessera.kit.rows import fetch_one, fetch_row


class Sends(Struct, frozen=True):
    sent: int
    phones: int


_HELD = "ticket_id IS NOT DISTINCT FROM $1 AND invite_id IS NOT DISTINCT FROM $2"


async def lock_holder(connection: Connection, ticket_id: int | None, invite_id: int | None) -> None:
    await connection.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('guest-holder|' || $1, 0))",
        f"{ticket_id}|{invite_id}",
    )


async def newest(
    connection: Connection, ticket_id: int | None, invite_id: int | None
) -> SentCode | None:
    return await fetch_row(
        connection,
        SentCode,
        f"SELECT {SENT_CODE}"
        f" FROM guest_codes WHERE {_HELD} ORDER BY id DESC LIMIT 1",
        ticket_id, invite_id,
    )  # fmt: skip


async def sends(
    connection: Connection, ticket_id: int | None, invite_id: int | None, phone_number: str
) -> Sends:
    """Counts a holder's codes of the last day, and their numbers including this one."""
    return await fetch_one(
        connection,
        Sends,
        "SELECT count(*) AS sent, count(DISTINCT phone_number) FILTER (WHERE phone_number <> $3)"
        f" + 1 AS phones FROM guest_codes WHERE {_HELD} AND sent_at > now() - interval '1 day'",
        ticket_id, invite_id, phone_number,
    )  # fmt: skip


async def add(
    connection: Connection,
    *,
    ticket_id: int | None,
    company_id: int | None,
    invite_id: int | None,
    phone_number: str,
    code_hash: bytes,
    lasting: timedelta,
) -> None:
    await connection.execute(
        "INSERT INTO guest_codes (ticket_id, company_id, invite_id, phone_number, code_hash,"
        " expires_at) VALUES ($1, $2, $3, $4, $5, now() + $6)",
        ticket_id, company_id, invite_id, phone_number, code_hash, lasting,
    )  # fmt: skip


async def is_verified(
    connection: Connection, ticket_id: int | None, invite_id: int | None, phone_number: str
) -> bool:
    """Any number verified before counts, so that going back to it needs no second code."""
    return await connection.fetchval(
        f"SELECT EXISTS (SELECT FROM guest_codes WHERE {_HELD} AND phone_number = $3"
        " AND consumed_at IS NOT NULL)",
        ticket_id, invite_id, phone_number,
    )  # fmt: skip
