"""Login with an account of the company's OpenID provider.

The provider proves who somebody is and nothing else: no session opens, and no sealed key is handed
out, before this browser has also sent the secret derived from the password, or the assertion of a
passkey. Otherwise whoever runs the provider could guess passwords offline.
"""

import hmac
from dataclasses import dataclass, field
from datetime import timedelta

from tessera import limits
from tessera.activity.service import record
from tessera.auth import accounts
from tessera.auth import errors as auth_errors
from tessera.auth.accounts import Account, own_account
from tessera.auth.passkeys import service as passkeys
from tessera.auth.passkeys.schemas import Assertion
from tessera.auth.passwords.hashing import check_room, secret_matches
from tessera.auth.sessions.service import (
    ProviderProof,
    StartedSession,
    check_may_log_in,
    start_session,
)
from tessera.authz.context import Access, CallContext, RequestContext, SessionFactor
from tessera.authz.rate_limits import limit
from tessera.identity.domains.schemas import domain_name
from tessera.identity.domains.service import company_of_domain, is_proved
from tessera.identity.sso import errors, provider_queries, queries, schemas
from tessera.identity.sso.provider_queries import Provider
from tessera.identity.sso.providers import client_of
from tessera.identity.sso.queries import ProvedLogin
from tessera.integrations import openid
from tessera.integrations.openid import Configuration, ProviderError, ProviderFailed, Subject
from tessera.kit.database import Connection
from tessera.kit.rate_counters import decrement
from tessera.kit.responses import FieldError
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import company_of, hash_handle, new_handle
from tessera.notifications import mails
from tessera_core import base64url
from tessera_core.kdf import is_auth_secret, salt_to_text

LASTING = timedelta(minutes=10)


@dataclass(frozen=True)
class StartedLogin:
    url: str
    cookie: str = field(repr=False)


async def start(context: RequestContext, address: str) -> StartedLogin:
    """Decides by the domain alone: whether anybody has the address is not looked up."""
    await limit(context, limits.SSO_STARTS, context.site)
    provider = await provider_for(context, address)
    if provider is None:
        raise errors.SsoNotAvailable
    configuration = await _configuration(context, provider)
    handle = new_handle(provider.company_id)
    secrets = _secrets(context, handle)
    async with context.database.tenant(provider.company_id) as connection:
        if not await queries.add_login(
            connection,
            company_id=provider.company_id,
            provider_id=provider.id,
            browser_hash=hash_handle(handle),
            lasting=LASTING,
        ):
            raise errors.SsoNotAvailable
    url = openid.authorization_url(
        configuration,
        client_of(context.resources, provider),
        state=secrets.state,
        nonce=secrets.nonce,
        challenge=secrets.challenge,
        login_hint=address,
    )
    return StartedLogin(url, handle)


async def take_answer(context: RequestContext, data: schemas.SsoReturned) -> schemas.SsoProved:
    """The answer is used up before anything of it is compared."""
    company_id, browser_hash = _browser(context)
    async with context.database.tenant(company_id) as connection:
        login_id = await queries.take_answer(connection, company_id, browser_hash)
        provider = await provider_queries.provider_of_login(connection, company_id, login_id or 0)
    if login_id is None or provider is None:
        raise errors.SsoLoginExpired
    # One that passes the browser on to another one would get that one's code (RFC 9700, 4.4).
    if data.provider != provider.uuid:
        raise errors.SsoAnswerRefused
    secrets = _secrets(context, context.sso_cookie)
    if not hmac.compare_digest(secrets.state.encode(), data.state.encode()):
        raise errors.SsoAnswerRefused
    configuration = await _configuration(context, provider)
    if data.issuer is None and configuration.names_issuer:
        raise errors.SsoAnswerRefused
    if data.issuer is not None and data.issuer != provider.issuer:
        raise errors.SsoAnswerRefused
    try:
        proved = await openid.exchange_code(
            context.settings,
            configuration,
            client_of(context.resources, provider),
            code=data.code,
            verifier=secrets.verifier,
            nonce=secrets.nonce,
        )
    except ProviderFailed as failed:
        raise _failure(failed) from None
    return await _accept(context, provider, login_id, proved)


async def log_in(context: RequestContext, password: str) -> StartedSession:
    if not is_auth_secret(password):
        raise auth_errors.PasswordNotDerived(fields={"password": "derived"})
    login, account = await proved_account(context)
    check_room()
    counted = await limit(context, limits.SSO_PASSWORD, account.id)
    if not await secret_matches(account.password_hash, password):
        raise auth_errors.LoginFailed
    await decrement(context.database, counted)
    return await _open_session(context, login, account, second_factor="provider")


async def log_in_with_passkey(
    context: RequestContext, credential: Assertion
) -> tuple[StartedSession, str | None]:
    """Returns the user key too, as the passkey seals it."""
    login, account = await proved_account(context)
    used = await passkeys.check(context, account, "login", None, credential)
    started = await _open_session(context, login, account, second_factor="passkey")
    return started, used.sealed_user_key


async def link(access: Access) -> None:
    """For somebody who has logged in with password and code in the browser in which the provider
    proved the account of the same, proved address."""
    company_id, browser_hash = _browser(access.context)
    user = access.current_user
    if company_id != user.company_id:
        raise errors.SsoLoginExpired
    login = await queries.proved_login(access.connection, company_id, browser_hash)
    if login is None or login.user_id != user.user_id or login.is_linked:
        raise errors.SsoLoginExpired
    account = await own_account(access)
    if not await _is_address_proved(access.connection, account, login.provider_id):
        raise errors.SsoAccountUnknown
    if not await queries.add_identity(access.connection, company_id, login):
        raise errors.SsoAccountTaken
    # Only now is the provider's row held. If it was replaced before, its logins have ended.
    if not await queries.use_login(access.connection, company_id, login.id):
        raise errors.SsoLoginExpired
    provider = schemas.host_of(login.issuer)
    await record(access, "sso.linked", target=provider)
    mail = mails.CompanyAccountLinked(provider=provider)
    await accounts.mail_account(access.connection, access.context.keys, account, mail)


async def _accept(
    context: RequestContext, provider: Provider, login_id: int, proved: Subject
) -> schemas.SsoProved:
    """Finds the account that is linked, or may become so because both sides prove its address."""
    company_id = provider.company_id
    candidate = 0
    if proved.email is not None:
        async with context.database.without_tenant() as connection:
            of_company, user_id = await accounts.find_login(
                connection, normalize_email(proved.email)
            )
        candidate = user_id if of_company == company_id else 0
    async with context.database.tenant(company_id) as connection:
        linked = await queries.linked_user(connection, company_id, provider.issuer, proved.subject)
        account = await accounts.account(connection, linked or candidate)
        if account is None or (
            linked is None and not await _may_link(connection, account, provider)
        ):
            raise errors.SsoAccountUnknown
        if not await queries.set_proved(
            connection,
            company_id,
            login_id,
            user_id=account.id,
            subject=proved.subject,
            session=proved.session,
            lasting=LASTING,
        ):
            raise errors.SsoLoginExpired
    if linked is None:
        return schemas.SsoProved(email_address=account.email, linked=False)
    asked = await passkeys.ask(context, account, "login", None, unlocking=True)
    return schemas.SsoProved(
        email_address=account.email,
        linked=True,
        salt=salt_to_text(account.salt),
        user_uuid=str(account.uuid),
        passkey=asked.options if asked else None,
    )


async def _may_link(connection: Connection, account: Account, provider: Provider) -> bool:
    """Whoever is linked to another provider may be linked anew."""
    issuer = await queries.issuer_of_user(connection, account.company_id, account.id)
    return issuer != provider.issuer and await _is_address_proved(connection, account, provider.id)


async def _is_address_proved(connection: Connection, account: Account, provider_id: int) -> bool:
    """By its owner, and its domain, which leads to the provider, by the company."""
    domain, company_id = _domain(account.email), account.company_id
    if account.email_confirmed_at is None or domain is None:
        return False
    leads_to = await provider_queries.provider_of_domain(connection, company_id, domain)
    return (
        leads_to is not None
        and leads_to.id == provider_id
        and await is_proved(connection, company_id, domain)
    )


async def proved_account(context: RequestContext) -> tuple[ProvedLogin, Account]:
    company_id, browser_hash = _browser(context)
    async with context.database.tenant(company_id) as connection:
        login = await queries.proved_login(connection, company_id, browser_hash)
        account = await accounts.account(connection, login.user_id) if login else None
    if login is None or account is None or not login.is_linked:
        raise errors.SsoLoginExpired
    return login, account


async def _open_session(
    context: RequestContext, login: ProvedLogin, account: Account, *, second_factor: SessionFactor
) -> StartedSession:
    check_may_log_in(account)
    async with context.database.tenant(account.company_id) as connection:
        if not await queries.use_login(connection, account.company_id, login.id):
            raise errors.SsoLoginExpired
        await queries.set_logged_in(connection, account.company_id, account.id)
    return await start_session(
        context,
        account.company_id,
        account.id,
        second_factor=second_factor,
        password_hash=account.password_hash,
        provider=ProviderProof(login.issuer, login.session),
    )


async def provider_for(context: RequestContext, address: str) -> Provider | None:
    domain = _domain(address) or ""
    async with context.database.without_tenant() as connection:
        company_id = await company_of_domain(connection, domain) or 0
    async with context.database.tenant(company_id) as connection:
        return await provider_queries.provider_of_domain(connection, company_id, domain)


async def _configuration(context: RequestContext, provider: Provider) -> Configuration:
    try:
        return await openid.read_configuration(context.settings, provider.issuer)
    except ProviderFailed:
        raise errors.SsoUnavailable from None


def _failure(failed: ProviderFailed) -> Exception:
    if failed.reason in {ProviderError.CODE_REFUSED, ProviderError.TOKEN_REFUSED}:
        return errors.SsoAnswerRefused()
    return errors.SsoUnavailable()


def _domain(address: str) -> str | None:
    try:
        return domain_name(normalize_email(address).rpartition("@")[2])
    except FieldError:
        return None


def _browser(context: CallContext) -> tuple[int, bytes]:
    """The company that the cookie names, and what finds the login in it."""
    company_id = company_of(context.sso_cookie)
    if company_id is None:
        raise errors.SsoLoginExpired
    return company_id, hash_handle(context.sso_cookie)


@dataclass(frozen=True)
class _Secrets:
    """What ties the provider's answer to the browser. Only its cookie leads to them."""

    state: str
    nonce: str
    verifier: str

    @property
    def challenge(self) -> str:
        return base64url.encode(hash_handle(self.verifier))


def _secrets(context: RequestContext, handle: str) -> _Secrets:
    state, nonce, verifier = (
        base64url.encode(context.keys.mac(f"sso-{name}", handle))
        for name in ("state", "nonce", "verifier")
    )
    return _Secrets(state, nonce, verifier)
