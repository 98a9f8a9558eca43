"""Logouts that the company's provider announces by itself, without a browser (OpenID Connect
Back-Channel Logout 1.0)."""

from urllib.parse import parse_qsl
from uuid import UUID

from tessera import limits
from tessera.activity.service import SystemActor, record_system
from tessera.auth import accounts
from tessera.auth.sessions.service import end_sessions_of_provider
from tessera.authz.context import RequestContext
from tessera.authz.queries import lock_user
from tessera.authz.rate_limits import limit
from tessera.identity.sso import errors, provider_queries, queries
from tessera.identity.sso.provider_queries import Provider
from tessera.identity.sso.schemas import host_of
from tessera.integrations import openid
from tessera.integrations.openid import Logout, ProviderFailed
from tessera.kit.database import Connection
from tessera.kit.tokens import hash_handle

_MOST_BYTES = 32 * 1024
_MOST_FIELDS = 10


async def log_out(context: RequestContext, company: UUID, uuid: UUID, body: bytes) -> None:
    """Ends the person's sessions of browsers that began with the named session of the provider, or
    with any, and those of the client program, which then forgets its keys."""
    await limit(context, limits.SSO_LOGOUTS, company, context.site)
    token = _token(body)
    async with context.database.without_tenant() as connection:
        company_id = await queries.company_of_uuid(connection, company) or 0
    async with context.database.tenant(company_id) as connection:
        provider = await provider_queries.provider_of_uuid(connection, company_id, uuid)
    if provider is None:
        raise errors.SsoLogoutRefused
    try:
        configuration = await openid.read_configuration(context.settings, provider.issuer)
        logout = await openid.read_logout(
            context.settings, configuration, provider.client_id, token
        )
    except ProviderFailed:
        raise errors.SsoLogoutRefused from None
    async with context.database.tenant(company_id) as connection:
        token_hash = hash_handle(logout.id)
        if not await queries.add_logout(connection, company_id, provider.id, token_hash):
            raise errors.SsoLogoutRefused
        for user_id in await _users(connection, provider, logout):
            await _end_sessions(connection, provider, user_id, logout)


def _token(body: bytes) -> str:
    try:
        if len(body) > _MOST_BYTES:
            raise ValueError("too long")
        fields = parse_qsl(body.decode("ascii"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise errors.SsoLogoutRefused from None
    tokens = [value for name, value in fields if name == "logout_token"]
    if len(tokens) != 1:
        raise errors.SsoLogoutRefused
    return tokens[0]


async def _users(connection: Connection, provider: Provider, logout: Logout) -> list[int]:
    """With both a subject and a session, the session has to be the subject's."""
    company_id, issuer = provider.company_id, provider.issuer
    if logout.subject is None:
        session = logout.session or ""
        return await queries.users_of_session(connection, company_id, provider.id, issuer, session)
    user_id = await queries.linked_user(connection, company_id, issuer, logout.subject)
    return [] if user_id is None else [user_id]


async def _end_sessions(
    connection: Connection, provider: Provider, user_id: int, logout: Logout
) -> None:
    await lock_user(connection, user_id)
    account = await accounts.account(connection, user_id)
    if account is None:
        return
    company_id = provider.company_id
    await queries.drop_logins_of(connection, company_id, provider.id, user_id, logout.session)
    ended = await end_sessions_of_provider(
        connection, company_id, user_id, provider.issuer, logout.session
    )
    if ended:
        await record_system(
            connection,
            company_id,
            "sso.loggedOut",
            by=SystemActor(host_of(provider.issuer)),
            target=account.name,
        )
