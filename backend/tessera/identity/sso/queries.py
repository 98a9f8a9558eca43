from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row


class ProvedLogin(Struct, frozen=True):
    """Whom the provider proved in this browser. `is_linked` says whether the account is bound to
    that subject; until then it only may be."""

    id: int
    provider_id: int
    user_id: int
    issuer: str
    subject: str
    session: str | None
    is_linked: bool


class ClientLogin(Struct, frozen=True):
    """A login of the client program that is under way."""

    id: int
    issuer: str
    challenge: bytes
    redirect_port: int | None
    redirect_state: str | None
    client_name: str
    client_system: str
    client_version: str
    origin: str
    started_at: datetime
    decided_at: datetime | None
    user_id: int | None
    subject: str | None
    provider_session: str | None
    code_hash: bytes | None


async def add_login(
    connection: Connection,
    *,
    company_id: int,
    provider_id: int,
    browser_hash: bytes,
    lasting: timedelta,
) -> bool:
    """False if the provider was removed meanwhile."""
    added = await connection.fetchval(
        "INSERT INTO sso_logins (company_id, provider_id, browser_hash, expires_at)"
        " SELECT company_id, id, $3, now() + $4 FROM sso_providers"
        " WHERE company_id = $1 AND id = $2 RETURNING true",
        company_id, provider_id, browser_hash, lasting,
    )  # fmt: skip
    return bool(added)


async def take_answer(connection: Connection, company_id: int, browser_hash: bytes) -> int | None:
    """Returns the login whose answer this is; None if it has expired or been answered."""
    return await connection.fetchval(
        "UPDATE sso_logins SET answered_at = now() WHERE company_id = $1 AND browser_hash = $2"
        " AND answered_at IS NULL AND expires_at > now() RETURNING id",
        company_id, browser_hash,
    )  # fmt: skip


async def linked_user(
    connection: Connection, company_id: int, issuer: str, subject: str
) -> int | None:
    return await connection.fetchval(
        "SELECT user_id FROM sso_identities"
        " WHERE company_id = $1 AND issuer = $2 AND subject = $3",
        company_id, issuer, subject,
    )  # fmt: skip


async def issuer_of_user(connection: Connection, company_id: int, user_id: int) -> str | None:
    return await connection.fetchval(
        "SELECT issuer FROM sso_identities WHERE company_id = $1 AND user_id = $2",
        company_id, user_id,
    )  # fmt: skip


async def set_proved(
    connection: Connection,
    company_id: int,
    login_id: int,
    *,
    user_id: int,
    subject: str,
    session: str | None,
    lasting: timedelta,
) -> bool:
    """False if the provider was removed meanwhile, and the login with it."""
    stored = await connection.fetchval(
        "UPDATE sso_logins SET user_id = $3, subject = $4, provider_session = $5,"
        " expires_at = now() + $6 WHERE company_id = $1 AND id = $2 RETURNING true",
        company_id, login_id, user_id, subject, session, lasting,
    )  # fmt: skip
    return bool(stored)


async def proved_login(
    connection: Connection, company_id: int, browser_hash: bytes
) -> ProvedLogin | None:
    return await fetch_row(
        connection,
        ProvedLogin,
        "SELECT l.id, l.provider_id, l.user_id, l.subject, l.provider_session AS session, p.issuer,"
        " EXISTS (SELECT FROM sso_identities i"
        "  WHERE i.company_id = l.company_id AND i.user_id = l.user_id AND i.issuer = p.issuer"
        "  AND i.subject = l.subject) AS is_linked"
        " FROM sso_logins l JOIN sso_providers p"
        "  ON p.company_id = l.company_id AND p.id = l.provider_id"
        " WHERE l.company_id = $1 AND l.browser_hash = $2 AND l.user_id IS NOT NULL"
        " AND l.expires_at > now()",
        company_id, browser_hash,
    )  # fmt: skip


async def is_required(connection: Connection, company_id: int) -> bool:
    return await connection.fetchval("SELECT sso_required FROM companies WHERE id = $1", company_id)


async def set_required(connection: Connection, company_id: int, required: bool) -> None:
    await connection.execute(
        "UPDATE companies SET sso_required = $2 WHERE id = $1", company_id, required
    )


async def has_logged_in(connection: Connection, company_id: int, user_id: int) -> bool:
    """By one of the company's providers."""
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM sso_identities"
        " WHERE company_id = $1 AND user_id = $2 AND last_login_at IS NOT NULL)",
        company_id, user_id,
    )  # fmt: skip


async def set_logged_in(connection: Connection, company_id: int, user_id: int) -> None:
    await connection.execute(
        "UPDATE sso_identities SET last_login_at = now() WHERE company_id = $1 AND user_id = $2",
        company_id, user_id,
    )  # fmt: skip


async def use_login(connection: Connection, company_id: int, login_id: int) -> bool:
    """Of two uses one finds it."""
    used = await connection.fetchval(
        "DELETE FROM sso_logins WHERE company_id = $1 AND id = $2 RETURNING true",
        company_id, login_id,
    )  # fmt: skip
    return bool(used)


async def add_identity(connection: Connection, company_id: int, login: ProvedLogin) -> bool:
    """Replaces a link to another provider. False if the subject is linked already, or the account
    to another one of this provider, or the provider was removed meanwhile."""
    await connection.execute(
        "DELETE FROM sso_identities WHERE company_id = $1 AND user_id = $2 AND issuer <> $3",
        company_id, login.user_id, login.issuer,
    )  # fmt: skip
    added = await connection.fetchval(
        "INSERT INTO sso_identities (company_id, user_id, issuer, subject)"
        " SELECT company_id, $2, issuer, $4 FROM sso_providers"
        " WHERE company_id = $1 AND issuer = $3 FOR KEY SHARE"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, login.user_id, login.issuer, login.subject,
    )  # fmt: skip
    return bool(added)


async def company_of_uuid(connection: Connection, uuid: UUID) -> int | None:
    return await connection.fetchval("SELECT find_company($1)", uuid)


async def add_logout(
    connection: Connection, company_id: int, provider_id: int, token_hash: bytes
) -> bool:
    """False if it was received before, or the provider was removed meanwhile."""
    added = await connection.fetchval(
        "INSERT INTO sso_logouts (company_id, provider_id, token_hash)"
        " SELECT company_id, id, $3 FROM sso_providers WHERE company_id = $1 AND id = $2"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, provider_id, token_hash,
    )  # fmt: skip
    return bool(added)


async def users_of_session(
    connection: Connection, company_id: int, provider_id: int, issuer: str, session: str
) -> list[int]:
    """Linked people who have, or had, a session that began with that one of the provider, or whose
    login by it is under way."""
    rows = await connection.fetch(
        "SELECT user_id FROM sso_identities WHERE company_id = $1 AND issuer = $3 AND user_id IN ("
        " SELECT user_id FROM sessions"
        "  WHERE company_id = $1 AND provider_issuer = $3 AND provider_session = $4"
        " UNION ALL SELECT user_id FROM sso_logins"
        "  WHERE company_id = $1 AND provider_id = $2 AND provider_session = $4"
        " UNION ALL SELECT user_id FROM sso_client_logins"
        "  WHERE company_id = $1 AND provider_id = $2 AND provider_session = $4)",
        company_id, provider_id, issuer, session,
    )  # fmt: skip
    return [row["user_id"] for row in rows]


async def drop_logins_of(
    connection: Connection, company_id: int, provider_id: int, user_id: int, session: str | None
) -> None:
    """Those of browsers by the provider, None means all, and all of the client program."""
    await connection.execute(
        "WITH programs AS (DELETE FROM sso_client_logins WHERE company_id = $1 AND user_id = $3)"
        " DELETE FROM sso_logins WHERE company_id = $1 AND provider_id = $2 AND user_id = $3"
        " AND ($4::text IS NULL OR provider_session = $4)",
        company_id, provider_id, user_id, session,
    )  # fmt: skip


async def add_client_login(
    connection: Connection,
    *,
    company_id: int,
    provider_id: int,
    handle_hash: bytes,
    challenge: bytes,
    redirect_port: int | None,
    redirect_state: str | None,
    device_code_hash: bytes,
    client_name: str,
    client_system: str,
    client_version: str,
    origin: str,
    lasting: timedelta,
) -> bool:
    """False if the provider was removed meanwhile."""
    added = await connection.fetchval(
        "INSERT INTO sso_client_logins (company_id, provider_id, handle_hash, challenge,"
        " redirect_port, redirect_state, device_code_hash, client_name, client_system,"
        " client_version, origin, expires_at)"
        " SELECT company_id, id, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12"
        " FROM sso_providers WHERE company_id = $1 AND id = $2 RETURNING true",
        company_id, provider_id, handle_hash, challenge, redirect_port, redirect_state,
        device_code_hash, client_name, client_system, client_version, origin, lasting,
    )  # fmt: skip
    return bool(added)


_CLIENT_LOGIN = (
    f"SELECT {columns(ClientLogin, 'l', issuer='p.issuer')}"
    " FROM sso_client_logins l JOIN sso_providers p"
    "  ON p.company_id = l.company_id AND p.id = l.provider_id"
    " WHERE l.company_id = $1 AND l.expires_at > now()"
)


async def client_login(
    connection: Connection, company_id: int, handle_hash: bytes
) -> ClientLogin | None:
    return await fetch_row(
        connection, ClientLogin, f"{_CLIENT_LOGIN} AND l.handle_hash = $2", company_id, handle_hash
    )


async def undecided_login(
    connection: Connection,
    company_id: int,
    provider_id: int,
    *,
    handle_hash: bytes | None,
    device_code_hash: bytes | None,
) -> ClientLogin | None:
    """By its handle if the browser is on the program's own computer, else by its device code."""
    return await fetch_row(
        connection,
        ClientLogin,
        f"{_CLIENT_LOGIN} AND l.decided_at IS NULL AND l.provider_id = $2"
        " AND CASE WHEN l.redirect_port IS NULL"
        " THEN l.device_code_hash = $4 ELSE l.handle_hash = $3 END",
        company_id, provider_id, handle_hash, device_code_hash,
    )  # fmt: skip


async def confirm_client_login(
    connection: Connection,
    company_id: int,
    login_id: int,
    proved: ProvedLogin,
    *,
    code_hash: bytes,
    lasting: timedelta,
) -> bool:
    """False if somebody decided meanwhile."""
    confirmed = await connection.fetchval(
        "UPDATE sso_client_logins SET decided_at = now(), user_id = $3, subject = $4,"
        " provider_session = $5, code_hash = $6, expires_at = now() + $7"
        " WHERE company_id = $1 AND id = $2 AND decided_at IS NULL RETURNING true",
        company_id, login_id, proved.user_id, proved.subject, proved.session, code_hash, lasting,
    )  # fmt: skip
    return bool(confirmed)


async def refuse_client_login(connection: Connection, company_id: int, login_id: int) -> None:
    await connection.execute(
        "UPDATE sso_client_logins SET decided_at = now()"
        " WHERE company_id = $1 AND id = $2 AND decided_at IS NULL",
        company_id, login_id,
    )  # fmt: skip


async def use_client_login(connection: Connection, company_id: int, login_id: int) -> bool:
    """Of two uses one finds it."""
    used = await connection.fetchval(
        "DELETE FROM sso_client_logins WHERE company_id = $1 AND id = $2 RETURNING true",
        company_id, login_id,
    )  # fmt: skip
    return bool(used)
