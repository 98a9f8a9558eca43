from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from tessera.authz.context import SecondFactor, SessionFactor, SessionKind
from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row, fetch_rows


class ActiveSession(Struct, frozen=True):
    id: int
    kind: SessionKind
    browser: str
    system: str
    client_name: str | None
    client_version: str | None
    origin: str
    created_at: datetime
    last_seen_at: datetime
    is_current: bool


class ProviderProof(Struct, frozen=True):
    """The provider that has proved who the user is, and its own name of the session there."""

    issuer: str
    session: str | None


class OwnedSession(Struct, frozen=True):
    """A session of the client program, with whose it is."""

    id: int
    user_uuid: UUID
    user_name: str
    client_name: str | None
    client_version: str | None
    system: str
    created_at: datetime
    last_seen_at: datetime


async def login_salt(connection: Connection, folded: str, invented: bytes) -> bytes:
    """Returns the salt of an account, or the invented one if the address is unknown."""
    return await connection.fetchval("SELECT login_salt($1, $2)", folded, invented)


async def active_sessions(
    connection: Connection,
    user_id: int,
    current: int,
    *,
    idle: timedelta,
    client_idle: timedelta,
) -> list[ActiveSession]:
    """Returns the current session first, then the others by last use."""
    return await fetch_rows(
        connection,
        ActiveSession,
        f"SELECT {columns(ActiveSession, 's', is_current='s.id = $2')} FROM sessions s"
        " WHERE user_id = $1 AND ended_at IS NULL AND expires_at > now()"
        " AND last_seen_at > now() - CASE kind WHEN 'client' THEN $4::interval ELSE $3 END"
        " ORDER BY id = $2 DESC, last_seen_at DESC, id DESC",
        user_id, current, idle, client_idle,
    )  # fmt: skip


async def client_sessions_of_company(
    connection: Connection, company_id: int, *, idle: timedelta
) -> list[OwnedSession]:
    """Returns the sessions of the client program, the last used first."""
    return await fetch_rows(
        connection,
        OwnedSession,
        "SELECT s.id, u.uuid AS user_uuid, u.first_name || ' ' || u.last_name AS user_name,"
        " s.client_name, s.client_version, s.system, s.created_at, s.last_seen_at"
        " FROM sessions s JOIN users u ON u.id = s.user_id"
        " WHERE s.company_id = $1 AND s.kind = 'client' AND s.ended_at IS NULL"
        " AND s.expires_at > now() AND s.last_seen_at > now() - $2::interval"
        " ORDER BY s.last_seen_at DESC, s.id DESC",
        company_id, idle,
    )  # fmt: skip


async def end_session_of(
    connection: Connection, user_id: int, session_id: int, kinds: Sequence[SessionKind]
) -> str | None:
    """Returns where the session was; None if the user has no such session."""
    return await connection.fetchval(
        "UPDATE sessions SET ended_at = now()"
        " WHERE id = $2 AND user_id = $1 AND kind = ANY($3) AND ended_at IS NULL RETURNING"
        " concat_ws(', ', NULLIF(COALESCE(client_name, browser), ''), NULLIF(system, ''))",
        user_id, session_id, kinds,
    )  # fmt: skip


async def add_session(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    handle_hash: bytes,
    lifetime: timedelta,
    verified_for: timedelta,
    origin: str,
    second_factor: SessionFactor,
    provider: ProviderProof | None,
    browser: str,
    system: str,
    client_name: str | None,
    client_version: str | None,
) -> datetime:
    """Returns when the session expires."""
    expires_at: datetime = await connection.fetchval(
        "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, verified_until,"
        " origin, second_factor, browser, system, kind, client_name, client_version,"
        " provider_issuer, provider_session)"
        " VALUES ($1, $2, $3, now() + $4, now() + $5, $6, $7, $8, $9,"
        " CASE WHEN $10::text IS NULL THEN 'browser' ELSE 'client' END, $10, $11, $12, $13)"
        " RETURNING expires_at",
        company_id, user_id, handle_hash, lifetime, verified_for, origin, second_factor,
        browser, system, client_name, client_version,
        provider.issuer if provider else None, provider.session if provider else None,
    )  # fmt: skip
    await connection.execute("UPDATE users SET last_login_at = now() WHERE id = $1", user_id)
    return expires_at


async def provider_proof(
    connection: Connection, company_id: int, user_id: int, browser_hash: bytes
) -> ProviderProof | None:
    """What the provider has just proved of this user in this browser."""
    return await fetch_row(
        connection,
        ProviderProof,
        "SELECT p.issuer, l.provider_session AS session FROM sso_logins l"
        " JOIN sso_providers p ON p.company_id = l.company_id AND p.id = l.provider_id"
        " WHERE l.company_id = $1 AND l.user_id = $2 AND l.browser_hash = $3"
        " AND l.expires_at > now()",
        company_id, user_id, browser_hash,
    )  # fmt: skip


async def end_sessions_without_provider(
    connection: Connection, company_id: int, *, except_session: int
) -> None:
    """Those of browsers. Programs that work in the background go on."""
    await connection.execute(
        "UPDATE sessions SET ended_at = now() WHERE company_id = $1 AND kind = 'browser'"
        " AND ended_at IS NULL AND provider_issuer IS NULL AND id <> $2",
        company_id, except_session,
    )  # fmt: skip


async def end_sessions_of_provider(
    connection: Connection, company_id: int, user_id: int, issuer: str, session: str | None
) -> int:
    """Those of browsers that began with the provider, with that session there if one is named, and
    all of programs. Returns how many."""
    ended = await connection.fetch(
        "UPDATE sessions SET ended_at = now() WHERE company_id = $1 AND user_id = $2"
        " AND ended_at IS NULL AND expires_at > now() AND (kind = 'client'"
        "  OR (provider_issuer = $3 AND ($4::text IS NULL OR provider_session = $4)))"
        " RETURNING 1",
        company_id, user_id, issuer, session,
    )  # fmt: skip
    return len(ended)


async def find_device(
    connection: Connection, user_id: int, token_hashes: list[bytes]
) -> int | None:
    return await connection.fetchval(
        "SELECT id FROM remembered_devices"
        " WHERE user_id = $1 AND token_hash = ANY($2) AND expires_at > now()",
        user_id, token_hashes,
    )  # fmt: skip


async def extend_device(
    connection: Connection, user_id: int, token_hashes: list[bytes], lasting: timedelta
) -> bool:
    extended = await connection.fetchval(
        "UPDATE remembered_devices SET expires_at = now() + $3"
        " WHERE user_id = $1 AND token_hash = ANY($2) AND expires_at > now() RETURNING true",
        user_id, token_hashes, lasting,
    )  # fmt: skip
    return bool(extended)


async def add_device(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    token_hash: bytes,
    lasting: timedelta,
    maximum: int,
) -> None:
    """Keeps the newest devices and forgets the others."""
    await connection.execute(
        "INSERT INTO remembered_devices (company_id, user_id, token_hash, expires_at)"
        " VALUES ($1, $2, $3, now() + $4)",
        company_id, user_id, token_hash, lasting,
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM remembered_devices WHERE user_id = $1 AND (expires_at <= now()"
        " OR id NOT IN (SELECT id FROM remembered_devices"
        "  WHERE user_id = $1 ORDER BY id DESC LIMIT $2))",
        user_id, maximum,
    )  # fmt: skip


async def end_session(connection: Connection, session_id: int) -> None:
    await connection.execute("UPDATE sessions SET ended_at = now() WHERE id = $1", session_id)


async def set_verified(
    connection: Connection, session_id: int, lasting: timedelta, second_factor: SecondFactor
) -> None:
    await connection.execute(
        "UPDATE sessions SET verified_until = now() + $2, second_factor = $3 WHERE id = $1",
        session_id, lasting, second_factor,
    )  # fmt: skip


async def shorten_sessions(
    connection: Connection, company_id: int, *, hours: int | None, client_days: int | None
) -> None:
    """None leaves the sessions of that kind as long as they are."""
    await connection.execute(
        "UPDATE sessions SET expires_at = least(expires_at, created_at + CASE kind"
        " WHEN 'client' THEN make_interval(days => $3) ELSE make_interval(hours => $2) END)"
        " WHERE company_id = $1 AND ended_at IS NULL AND expires_at > now()",
        company_id, hours, client_days,
    )  # fmt: skip
