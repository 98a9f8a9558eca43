from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.invites.schemas import InviteProgress
from tessera.kit.database import Connection
from tessera.kit.filters import Field, Kind
from tessera.kit.pagination import Listing, PageRequest
from tessera.kit.rows import fetch_models, fetch_row, fetch_rows
from tessera.kit.tokens import company_of, hash_handle


class ListedInvite(Struct, frozen=True):
    company_id: int
    email: str
    key: UUID
    created_at: datetime
    expires_at: datetime
    state: Literal["open", "expired", "cancelled"]


class Invite(Struct, frozen=True):
    state: Literal["open", "cancelled", "used"]
    email: str
    expired: bool
    company_name: str
    company_uuid: UUID
    is_enabled: bool


class InviteByKey(Struct, frozen=True):
    key: UUID
    email: str
    state: Literal["open", "cancelled", "used"]


_STATE = (
    "CASE WHEN i.state = 'cancelled' THEN 'cancelled'"
    " WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END"
)
_OPEN = Listing(
    ListedInvite,
    source="invites i",
    columns=f"i.company_id, i.email, i.key, i.created_at, i.expires_at, {_STATE} AS state",
    key="i.id",
    where="i.company_id = $1 AND i.state = 'open'",
    searched="i.email_sorted",
    counter=("$1", "open_invites"),
    search_function="invite_matches",
    newest_first=True,
    fields={
        "email_address": Field("i.email_sorted"),
        "state": Field(_STATE, sortable=False),
        "dateCreated": Field("i.created_at", Kind.TIME),
        "expiresAt": Field("i.expires_at", Kind.TIME),
    },
)
# Includes cancelled ones, unless the address was invited again or is a member.
_ALL = replace(
    _OPEN,
    where=(
        "i.company_id = $1 AND (i.state = 'open' OR i.state = 'cancelled'"
        " AND NOT EXISTS (SELECT FROM invites n WHERE n.company_id = i.company_id"
        "  AND n.email_folded = i.email_folded AND (n.state = 'open' OR n.id > i.id))"
        " AND NOT EXISTS (SELECT FROM users u WHERE u.email_folded = i.email_folded))"
    ),
    counter=None,
    search_function=None,
)


def invites(request: PageRequest) -> Listing[ListedInvite]:
    """Lists open and expired invites; cancelled ones too if the request filters by state."""
    return _ALL if any(each.field == "state" for each in request.filters) else _OPEN


async def members_among(connection: Connection, folded: list[str]) -> set[str]:
    rows = await connection.fetch(
        "SELECT email_folded FROM users WHERE email_folded = ANY($1)", folded
    )
    return {row["email_folded"] for row in rows}


async def usable_invites_among(connection: Connection, folded: list[str]) -> set[str]:
    """Returns the addresses whose invite is open and not expired."""
    rows = await connection.fetch(
        "SELECT email_folded FROM invites"
        " WHERE state = 'open' AND expires_at > now() AND email_folded = ANY($1)",
        folded,
    )
    return {row["email_folded"] for row in rows}


async def was_invited(connection: Connection, company_id: int, folded: str) -> bool:
    """Whether the address had an invite that was not used."""
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM invites WHERE company_id = $1 AND email_folded = $2"
        " AND state <> 'used')",
        company_id, folded,
    )  # fmt: skip


async def accounts_among(connection: Connection, folded: list[str]) -> set[str]:
    """Finds accounts of any company. Reveal the result only to the address itself."""
    return set(await connection.fetchval("SELECT known_addresses($1)", folded))


async def put_invites(
    connection: Connection,
    company_id: int,
    *,
    emails: list[str],
    folded: list[str],
    token_hashes: list[bytes],
    message_ids: list[int],
    language: str,
    lasting: timedelta,
) -> None:
    """Adds new invites and renews open ones: an old link stops working when the new one is sent."""
    await connection.execute(
        "INSERT INTO invites (company_id, email, email_folded, token_hash, message_id, language,"
        " expires_at)"
        " SELECT $1, email, folded, hash, message, $6, now() + $7"
        " FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bigint[])"
        "  AS given (email, folded, hash, message)"
        " ON CONFLICT (company_id, email_folded) WHERE state = 'open' DO UPDATE"
        " SET email = excluded.email, token_hash = excluded.token_hash,"
        " message_id = excluded.message_id, language = excluded.language, posted_at = now(),"
        " expires_at = excluded.expires_at",
        company_id, emails, folded, token_hashes, message_ids, language, lasting,
    )  # fmt: skip


async def progress(connection: Connection, company_id: int) -> InviteProgress:
    """Counts the newest list and older pending mails. A missing message was sent long ago."""
    [row] = await fetch_models(
        connection,
        InviteProgress,
        "WITH posted AS ("
        "  SELECT i.posted_at, m.id IS NULL OR m.sent_at IS NOT NULL AS sent,"
        "   m.failed_at IS NOT NULL AS failed"
        "  FROM invites i LEFT JOIN messages m"
        "   ON m.company_id = i.company_id AND m.id = i.message_id"
        "  WHERE i.company_id = $1 AND i.state = 'open'"
        "   AND i.posted_at > now() - interval '1 day')"
        " SELECT count(*) AS total, count(*) FILTER (WHERE sent) AS sent,"
        "  count(*) FILTER (WHERE failed) AS failed"
        " FROM posted WHERE posted_at = (SELECT max(posted_at) FROM posted)"
        "  OR NOT (sent OR failed)",
        company_id,
    )
    return row


async def cancel_invite(connection: Connection, key: UUID) -> str | None:
    return await connection.fetchval(
        "UPDATE invites SET state = 'cancelled', ended_at = now()"
        " WHERE key = $1 AND state = 'open' RETURNING email",
        key,
    )


async def cancel_invite_of(connection: Connection, company_id: int, folded: str) -> bool:
    cancelled = await connection.fetchval(
        "UPDATE invites SET state = 'cancelled', ended_at = now()"
        " WHERE company_id = $1 AND email_folded = $2 AND state = 'open' RETURNING true",
        company_id, folded,
    )  # fmt: skip
    return bool(cancelled)


async def find_invite(connection: Connection, token: str) -> tuple[int, int] | None:
    row = await connection.fetchrow(
        "SELECT * FROM find_invite($1, $2)", company_of(token), hash_handle(token)
    )
    return (row["company_id"], row["invite_id"]) if row else None


async def invite(connection: Connection, invite_id: int) -> Invite | None:
    """Locks the invite, so that of two registrations with one link the second finds it used."""
    return await fetch_row(
        connection,
        Invite,
        "SELECT i.state, i.email, i.expires_at <= now() AS expired, c.name AS company_name,"
        " c.uuid AS company_uuid, c.is_enabled"
        " FROM invites i JOIN companies c ON c.id = i.company_id"
        " WHERE i.id = $1 FOR NO KEY UPDATE OF i",
        invite_id,
    )


async def invites_by_key(connection: Connection, keys: Sequence[UUID]) -> list[InviteByKey]:
    return await fetch_rows(
        connection,
        InviteByKey,
        "SELECT key, email, state FROM invites WHERE key = ANY($1) ORDER BY id",
        keys,
    )


async def use_invite(connection: Connection, invite_id: int) -> None:
    await connection.execute(
        "UPDATE invites SET state = 'used', ended_at = now() WHERE id = $1", invite_id
    )
