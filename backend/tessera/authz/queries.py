"""Sessions, and what every feature asks of users and companies."""

from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from tessera.authz.context import CallerKind, CurrentUser
from tessera.authz.permissions import (
    CLIENT_PERMISSIONS,
    ROLE_PERMISSIONS,
    TOKEN_SCOPES,
    Permission,
    Role,
)
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.rows import fetch_row
from tessera.kit.tokens import company_of, hash_handle


async def open_session(
    connection: Connection,
    handle: str,
    *,
    idle: timedelta,
    client_idle: timedelta,
    client_version: str | None,
) -> CurrentUser | None:
    """Finds the active session, extends it and enters its company, in one statement.
    `client_version` is what the client program says of itself."""
    row = await connection.fetchrow(
        "SELECT * FROM open_session($1, $2, $3, $4, $5)",
        company_of(handle), hash_handle(handle), idle, client_idle, client_version,
    )  # fmt: skip
    if row is None:
        return None
    role = Role(row["role"])
    permissions = ROLE_PERMISSIONS[role]
    if row["kind"] == "client":
        permissions &= CLIENT_PERMISSIONS
    return CurrentUser(
        **{**dict(row), "role": role, "language": Language(row["language"])},
        permissions=permissions,
    )


async def was_session_ended(connection: Connection, handle: str) -> bool:
    """Whether a session of the client program that does not open was ended, or its user removed."""
    return bool(
        await connection.fetchval(
            "SELECT was_session_ended($1, $2)", company_of(handle), hash_handle(handle)
        )
    )


# For statements of tokens, in which `u` is the leader and `c` the company.
LEADER_COLUMNS = (
    "u.id AS user_id, u.uuid AS user_uuid, c.uuid AS company_uuid, c.name AS company_name,"
    " u.first_name, u.last_name, u.language,"
    " COALESCE(c.subscribed_until > now(), false) AS is_subscribed, c.can_view_warehouse"
)


class LeaderToken(Struct, frozen=True):
    """A token with which a program acts for the company's leader."""

    id: int
    is_usable: bool
    user_id: int
    user_uuid: UUID
    company_uuid: UUID
    company_name: str
    first_name: str
    last_name: str
    language: Language
    is_subscribed: bool
    can_view_warehouse: bool

    def acting_user(
        self,
        company_id: int,
        *,
        kind: CallerKind,
        name: str,
        permissions: frozenset[Permission],
        api_token_id: int | None = None,
    ) -> CurrentUser:
        return CurrentUser(
            session_id=0,
            kind=kind,
            verified_until=None,
            user_id=self.user_id,
            user_uuid=self.user_uuid,
            company_id=company_id,
            company_uuid=self.company_uuid,
            company_name=self.company_name,
            role=Role.TEAM_LEADER,
            first_name=self.first_name,
            last_name=self.last_name,
            language=self.language,
            is_subscribed=self.is_subscribed,
            can_view_warehouse=self.can_view_warehouse,
            permissions=permissions,
            api_token_id=api_token_id,
            token_name=name,
        )


class ApiToken(LeaderToken, frozen=True):
    name: str
    scopes: list[str]
    networks: list[str]
    # Of the company's policies.
    allowed_networks: list[str] | None
    allowed_countries: list[str] | None
    expires_at: datetime

    def current_user(self, company_id: int) -> CurrentUser:
        scopes = {scope for scope in TOKEN_SCOPES if scope in self.scopes}
        return self.acting_user(
            company_id,
            kind="token",
            name=self.name,
            permissions=ROLE_PERMISSIONS[Role.TEAM_LEADER] & scopes,
            api_token_id=self.id,
        )


async def find_api_token(connection: Connection, company_id: int, handle: str) -> ApiToken | None:
    return await fetch_row(
        connection,
        ApiToken,
        "SELECT t.id, t.name, t.scopes, t.expires_at, t.networks::text[] AS networks,"
        " p.networks::text[] AS allowed_networks, p.countries AS allowed_countries,"
        " t.revoked_at IS NULL AND u.role = 'teamLeader' AND u.is_active AND c.is_enabled"
        " AND c.deactivated_for_debt_at IS NULL AS is_usable,"
        f" {LEADER_COLUMNS}"
        " FROM api_tokens t JOIN users u ON u.company_id = t.company_id AND u.id = t.created_by"
        " JOIN companies c ON c.id = t.company_id"
        " LEFT JOIN company_policies p ON p.company_id = t.company_id"
        " WHERE t.company_id = $1 AND t.token_hash = $2",
        company_id, hash_handle(handle),
    )  # fmt: skip


async def record_api_call(
    connection: Connection,
    company_id: int,
    token: ApiToken,
    *,
    call: str,
    refused: bool,
    origin: str,
    request_id: str,
) -> None:
    """The activity is above this layer, and the guard cannot leave the record to the call."""
    await connection.execute(
        "WITH used AS (UPDATE api_tokens SET last_used_at = now(), last_origin = $6"
        "  WHERE company_id = $1 AND id = $2 AND NOT $5)"
        " INSERT INTO activity (company_id, api_token_id, actor_name, target, action, origin,"
        "  request_id)"
        " VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN 'apiToken.refused' ELSE 'apiToken.called' END,"
        "  $6, $7)",
        company_id, token.id, token.name, call, refused, origin, request_id,
    )  # fmt: skip


async def company_exists(connection: Connection, company_id: int) -> bool:
    return bool(await connection.fetchval("SELECT true FROM companies WHERE id = $1", company_id))


async def lock_company(connection: Connection, company_id: int) -> None:
    """Serializes changes that concern the whole company. Not FOR UPDATE: rows that only refer to
    the company, such as an activity record, would wait for it, and two changes could deadlock."""
    await connection.execute("SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE", company_id)


class Recipient(Struct, frozen=True):
    """Whom a mail goes to."""

    email: str
    language: str
    # Without it the mail does not greet.
    first_name: str = ""


async def team_leader(connection: Connection) -> Recipient | None:
    """Returns the leader of the entered company."""
    return await fetch_row(
        connection,
        Recipient,
        "SELECT email, first_name, language FROM users WHERE role = 'teamLeader'"
        " AND company_id = NULLIF(current_setting('app.company', true), '')::int",
    )


async def session_is_active(connection: Connection, session_id: int) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL)", session_id
    )


async def lock_user(connection: Connection, user_id: int) -> None:
    """Serializes changes of one account, so that limits cannot be raced. Not FOR UPDATE: rows that
    only refer to the user would wait for it, and two changes could deadlock."""
    await connection.execute("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", user_id)


async def company_uuid(connection: Connection, company_id: int) -> UUID | None:
    """None if the company was deleted."""
    return await connection.fetchval("SELECT uuid FROM companies WHERE id = $1", company_id)
