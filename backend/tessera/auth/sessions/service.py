"""Signing in and out, and the list of the user's own sessions."""

from dataclasses import dataclass, field
from datetime import timedelta

from tessera import limits
from tessera.activity.service import record, record_for
from tessera.auth import errors
from tessera.auth import queries as auth_queries
from tessera.auth.accounts import end_other_sessions, own_account, user_read
from tessera.auth.passkeys import service as passkeys
from tessera.auth.passkeys.schemas import Assertion, PasskeyAsked
from tessera.auth.passwords.hashing import check_room, secret_matches
from tessera.auth.queries import Account
from tessera.auth.sessions import devices, queries, schemas
from tessera.auth.sessions.queries import (
    ProviderProof,
    client_sessions_of_company,
    end_sessions_of_provider,
    end_sessions_without_provider,
    shorten_sessions,
)
from tessera.auth.two_factor import verification
from tessera.auth.two_factor.codes import CodeOwner
from tessera.auth.two_factor.recovery_codes import is_recovery_code
from tessera.auth.two_factor.schemas import AuthenticatorAsked, CodeSent
from tessera.authz import queries as authz_queries
from tessera.authz.context import (
    Access,
    Identity,
    RequestContext,
    SecondFactor,
    SessionFactor,
    accepts,
)
from tessera.authz.permissions import Role
from tessera.authz.policies import (
    Policies,
    check_client,
    check_origin,
    policies_of,
    refused_factor,
)
from tessera.authz.rate_limits import limit, limit_all
from tessera.kit.database import Connection
from tessera.kit.rate_counters import Counter, decrement
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle, sign_token
from tessera.kit.user_agent import Device, device_of
from tessera.settings import Settings
from tessera_core.kdf import KDF_VERSION, is_auth_secret, salt_to_text

# Queries that other features call.
__all__ = [
    "ProviderProof",
    "client_sessions_of_company",
    "end_sessions_of_provider",
    "end_sessions_without_provider",
    "shorten_sessions",
]


async def prelogin(context: RequestContext, address: str) -> schemas.PreloginRead:
    """An unknown address gets a salt too, always the same one, so that nothing is revealed."""
    await limit(context, limits.PRELOGIN, context.site)
    folded = normalize_email(address)
    invented = context.keys.mac("unknown-salts", folded)[:16]
    async with context.database.without_tenant() as connection:
        salt = await queries.login_salt(connection, folded, invented)
    return schemas.PreloginRead(salt=salt_to_text(salt), kdf=KDF_VERSION)


async def login(
    context: RequestContext, data: schemas.LoginStart
) -> CodeSent | AuthenticatorAsked | PasskeyAsked:
    account = await _check_password(context, data)
    if await _needs_recovery_code(context, account):
        return AuthenticatorAsked(recovery_code_only=True)
    if data.passkey:
        asked = await passkeys.ask(context, account, "login", None)
        if asked is not None:
            return asked
    owner = CodeOwner(account.company_id, account.id, "login")
    return await verification.ask(context, owner, account)


@dataclass(frozen=True)
class StartedSession:
    read: schemas.SessionRead
    device_cookie: str = field(repr=False)


async def verify_otp(context: RequestContext, data: schemas.VerifyOtp) -> StartedSession:
    account = await _check_password(context, data)
    by_recovery_code = is_recovery_code(data.otp)
    if not by_recovery_code and await _needs_recovery_code(context, account):
        raise errors.RecoveryCodeNeeded
    owner = CodeOwner(account.company_id, account.id, "login")
    factor = await verification.check(context, owner, data.otp)
    return await start_session(
        context,
        account.company_id,
        account.id,
        second_factor=factor,
        password_hash=account.password_hash,
        client=data.client,
        by_recovery_code=by_recovery_code,
    )


async def login_with_passkey(context: RequestContext, data: schemas.PasskeyLogin) -> StartedSession:
    account = await _check_password(context, data)
    if await _needs_recovery_code(context, account):
        raise errors.RecoveryCodeNeeded
    await passkeys.check(context, account, "login", None, data.credential)
    return await start_session(
        context,
        account.company_id,
        account.id,
        second_factor="passkey",
        password_hash=account.password_hash,
    )


async def start_session(
    context: RequestContext,
    company_id: int,
    user_id: int,
    *,
    second_factor: SessionFactor,
    password_hash: str | None = None,
    client: schemas.ClientDevice | None = None,
    provider: ProviderProof | None = None,
    by_recovery_code: bool = False,
) -> StartedSession:
    """`password_hash` is what the password was compared with. If it has changed since, no session
    is opened, because the change ended all existing sessions. `client` is given by the client
    program, whose sessions last longer and may call less."""
    settings = context.settings
    handle = new_handle(company_id)
    device = Device("", client.system) if client else device_of(context.user_agent)
    async with context.database.tenant(company_id) as connection:
        await authz_queries.lock_user(connection, user_id)
        account = await auth_queries.account(connection, user_id)
        if account is None or (password_hash and account.password_hash != password_hash):
            raise errors.LoginFailed
        provider = provider or await _provider_proof(connection, context, account)
        is_exempt = by_recovery_code and account.role == Role.TEAM_LEADER
        if account.sso_required and provider is None and not is_exempt:
            raise errors.SsoRequired
        policies = await policies_of(connection, company_id)
        check_origin(context, policies.networks, policies.countries)
        is_accepted = accepts(policies.second_factors, second_factor)
        if client:
            check_client(policies.min_client_version, client.version)
            if not is_accepted:
                raise refused_factor(policies.second_factors)
        expires_at = await queries.add_session(
            connection,
            company_id=company_id,
            user_id=user_id,
            handle_hash=hash_handle(handle),
            lifetime=_lifetime(settings, policies, is_client=client is not None),
            verified_for=_verified_for(settings, second_factor),
            origin=context.origin,
            second_factor=second_factor,
            provider=provider,
            browser=device.browser,
            system=device.system,
            client_name=client.name if client else None,
            client_version=client.version if client else None,
        )
        await record_for(
            connection,
            context,
            company_id,
            "session.started",
            actor_uuid=account.uuid,
            actor_name=account.name,
        )
        cookie = await devices.remember_device(connection, context, company_id, user_id)
    token = sign_token(context.keys, handle, expires_at)
    return StartedSession(_session_read(token, account, is_accepted=is_accepted), cookie)


def _verified_for(settings: Settings, factor: SessionFactor) -> timedelta:
    """Nothing that is proved elsewhere gives verified access."""
    return timedelta(seconds=0 if factor == "provider" else settings.verified_seconds)


def _lifetime(settings: Settings, policies: Policies, *, is_client: bool) -> timedelta:
    if is_client:
        days = policies.client_session_days or settings.client_session_days
        return timedelta(days=min(days, settings.client_session_days))
    hours = policies.session_hours or settings.session_hours
    return timedelta(hours=min(hours, settings.session_hours))


async def token_login(access: Access, token: str) -> schemas.SessionRead:
    is_accepted = access.current_user.is_factor_accepted
    return _session_read(token, await own_account(access), is_accepted=is_accepted)


async def logout(access: Access) -> None:
    await queries.end_session(access.connection, access.current_user.session_id)
    await record(access, "session.ended")


async def ask_for_verification(
    identity: Identity, *, passkey: bool = False
) -> CodeSent | AuthenticatorAsked | PasskeyAsked:
    current_user = identity.current_user
    async with identity.access() as access:
        account = await own_account(access)
    if passkey:
        session_id = current_user.session_id
        asked = await passkeys.ask(identity.context, account, "verify", session_id)
        if asked is not None:
            return asked
    owner = CodeOwner.of(current_user, "verify")
    return await verification.ask(identity.context, owner, account)


async def verify_session(identity: Identity, code: str) -> schemas.VerifiedRead:
    current_user = identity.current_user
    owner = CodeOwner.of(current_user, "verify")
    factor = await verification.check(identity.context, owner, code)
    return await _set_verified(identity, factor)


async def verify_with_passkey(identity: Identity, credential: Assertion) -> schemas.VerifiedRead:
    async with identity.access() as access:
        account = await own_account(access)
    session_id = identity.current_user.session_id
    await passkeys.check(identity.context, account, "verify", session_id, credential)
    return await _set_verified(identity, "passkey")


async def _set_verified(identity: Identity, factor: SecondFactor) -> schemas.VerifiedRead:
    seconds = identity.context.settings.verified_seconds
    async with identity.access() as access:
        await queries.set_verified(
            access.connection, access.current_user.session_id, timedelta(seconds=seconds), factor
        )
        await record(access, "session.verified")
    return schemas.VerifiedRead(verified_for=seconds)


async def own_sessions(access: Access) -> list[schemas.OwnSession]:
    return [
        schemas.OwnSession.of(
            row, started_at=row.created_at, last_used_at=row.last_seen_at, current=row.is_current
        )
        for row in await _active_sessions(access, access.current_user.user_id)
    ]


async def client_sessions(access: Access, user_id: int) -> list[schemas.ClientSession]:
    return [
        schemas.ClientSession.of(
            row,
            name=row.client_name or "",
            version=row.client_version or "",
            started_at=row.created_at,
            last_used_at=row.last_seen_at,
        )
        for row in await _active_sessions(access, user_id)
        if row.kind == "client"
    ]


async def _active_sessions(access: Access, user_id: int) -> list[queries.ActiveSession]:
    settings = access.context.settings
    return await queries.active_sessions(
        access.connection,
        user_id,
        access.current_user.session_id,
        idle=timedelta(seconds=settings.session_idle_seconds),
        client_idle=timedelta(days=settings.client_session_idle_days),
    )


async def end_one(access: Access, session_id: int) -> None:
    """To the user, somebody else's session does not exist."""
    device = await queries.end_session_of(
        access.connection, access.current_user.user_id, session_id, ("browser", "client")
    )
    if device is None:
        raise errors.SessionNotFound
    await record(access, "session.signedOut", target=device)


async def end_client_session(access: Access, user_id: int, session_id: int) -> str:
    """Returns the name of the device."""
    device = await queries.end_session_of(access.connection, user_id, session_id, ("client",))
    if device is None:
        raise errors.SessionNotFound
    return device


async def end_others(access: Access) -> None:
    await end_other_sessions(access)
    await record(access, "session.othersSignedOut")


async def end_all(access: Access) -> None:
    await auth_queries.end_sessions_of(access.connection, access.current_user.user_id)
    await auth_queries.delete_devices(access.connection, access.current_user.user_id)
    await record(access, "session.allSignedOut")


async def _check_password(context: RequestContext, data: schemas.Login) -> Account:
    """Counts the attempt before any comparison, for known and unknown addresses alike."""
    if not is_auth_secret(data.password):
        raise errors.PasswordNotDerived(fields={"password": "derived"})
    folded = normalize_email(data.email_address)
    account, device_id = await _find_account(context, folded)
    unknown_origin = context.site if device_id is None else None
    check_room(unknown_origin)
    counted = _login_counters(context, folded, device_id)
    await limit_all(context, *counted)
    stored = account.password_hash if account else None
    try:
        matches = await secret_matches(stored, data.password, unknown_origin=unknown_origin)
    except errors.HashingBusy:
        await decrement(context.database, *counted)
        raise
    if account is None or not matches:
        raise errors.LoginFailed
    await decrement(context.database, *counted)
    check_may_log_in(account)
    async with context.database.tenant(account.company_id) as connection:
        policies = await policies_of(connection, account.company_id)
        # The first time, the password confirms what the provider has proved in this browser.
        needs_proof = account.sso_required and account.role != Role.TEAM_LEADER
        if needs_proof and await _provider_proof(connection, context, account) is None:
            raise errors.SsoRequired
    check_origin(context, policies.networks, policies.countries)
    return account


async def _needs_recovery_code(context: RequestContext, account: Account) -> bool:
    """Whether a recovery code is all that lets the account in. Only leaders get this far without
    the provider."""
    if not account.sso_required:
        return False
    async with context.database.tenant(account.company_id) as connection:
        return await _provider_proof(connection, context, account) is None


async def _provider_proof(
    connection: Connection, context: RequestContext, account: Account
) -> ProviderProof | None:
    if not context.sso_cookie:
        return None
    browser_hash = hash_handle(context.sso_cookie)
    return await queries.provider_proof(connection, account.company_id, account.id, browser_hash)


def check_may_log_in(account: Account) -> None:
    """Call it only once the person is proved."""
    if not account.is_enabled:
        if account.disabled_reason:
            raise errors.CompanyDisabledForReason(reason=account.disabled_reason)
        raise errors.CompanyDisabled
    in_debt = account.deactivated_for_debt_at is not None and account.role != "teamLeader"
    if not account.is_active or in_debt:
        raise errors.AccountDisabled


def _login_counters(context: RequestContext, folded: str, device_id: int | None) -> list[Counter]:
    """A device that has logged in to the account before has its own limit, so that attempts
    from elsewhere do not lock it out."""
    if device_id is not None:
        return [context.counter(limits.LOGIN_OF_DEVICE, device_id)]
    return [
        context.counter(limits.LOGIN, folded, context.subnet),
        context.counter(limits.LOGIN_ANY_ORIGIN, folded),
        context.counter(limits.LOGIN_PER_ORIGIN, context.site),
    ]


async def _find_account(context: RequestContext, folded: str) -> tuple[Account | None, int | None]:
    """Returns the account, and the device if it has logged in to it before. Runs the same
    statements whether or not the address is known."""
    async with context.database.without_tenant() as connection:
        company_id, user_id = await auth_queries.find_login(connection, folded)
    async with context.database.tenant(company_id) as connection:
        account = await auth_queries.account(connection, user_id)
        return account, await devices.find_device(connection, context, user_id)


def _session_read(token: str, account: Account, *, is_accepted: bool) -> schemas.SessionRead:
    return schemas.SessionRead(
        access_token=token,
        user=user_read(account, is_accepted=is_accepted),
        sealed_user_key=account.sealed_user_key,
        salt=salt_to_text(account.salt),
    )
