"""Logins of the client program with an account of the company's provider. A person confirms them in
a browser: on the same computer, which the browser shows by coming back to a port of it (RFC 8252),
or on another one, where the person types the code that the program shows (like RFC 8628).
Afterwards the program alone asks for the password.
"""

import hmac
from datetime import timedelta
from urllib.parse import urlencode

from tessera import limits
from tessera.auth import accounts
from tessera.auth import errors as auth_errors
from tessera.auth.accounts import Account
from tessera.auth.passwords.hashing import check_room, secret_matches
from tessera.auth.sessions.schemas import ClientDevice
from tessera.auth.sessions.service import (
    ProviderProof,
    StartedSession,
    check_may_log_in,
    start_session,
)
from tessera.authz.context import RequestContext
from tessera.authz.rate_limits import limit
from tessera.identity.sso import errors, queries, schemas
from tessera.identity.sso.logins import LASTING, proved_account, provider_for
from tessera.identity.sso.queries import ClientLogin, ProvedLogin
from tessera.kit.keys import Keys
from tessera.kit.rate_counters import decrement
from tessera.kit.tokens import company_of, hash_handle, new_handle
from tessera_core import base64url
from tessera_core.errors import Malformed
from tessera_core.kdf import is_auth_secret, salt_to_text

INTERVAL = timedelta(seconds=5)
# Without vowels, so that no words appear, and without letters that look like others.
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_CODE_LENGTH = 8


async def start(
    context: RequestContext, data: schemas.ClientLoginStart
) -> schemas.ClientLoginStarted:
    """Like a browser's login, decides by the domain alone."""
    await limit(context, limits.SSO_STARTS, context.site)
    challenge = _digest(data.challenge)
    provider = await provider_for(context, data.email_address)
    if provider is None:
        raise errors.SsoNotAvailable
    handle = new_handle(provider.company_id)
    device_code = _device_code(context.keys, handle)
    async with context.database.tenant(provider.company_id) as connection:
        if not await queries.add_client_login(
            connection,
            company_id=provider.company_id,
            provider_id=provider.id,
            handle_hash=hash_handle(handle),
            challenge=challenge,
            redirect_port=data.redirect.port if data.redirect else None,
            redirect_state=data.redirect.state if data.redirect else None,
            device_code_hash=_hash_code(context.keys, provider.company_id, device_code),
            client_name=data.client.name,
            client_system=data.client.system,
            client_version=data.client.version,
            origin=context.origin,
            lasting=LASTING,
        ):
            raise errors.SsoNotAvailable
    return schemas.ClientLoginStarted(
        handle=handle,
        device_code=_readable(device_code),
        expires_in=int(LASTING.total_seconds()),
        interval=int(INTERVAL.total_seconds()),
    )


async def show(context: RequestContext, data: schemas.ClientLoginNamed) -> schemas.ClientLoginShown:
    """For the browser in which the provider has proved a linked account."""
    proved, account = await proved_account(context)
    login, device_code = await _undecided(context, proved, account, data)
    return schemas.ClientLoginShown(
        name=login.client_name,
        system=login.client_system,
        version=login.client_version,
        origin=login.origin,
        started_at=login.started_at,
        device_code=_readable(device_code),
    )


async def decide(
    context: RequestContext, data: schemas.ClientLoginDecision
) -> schemas.ClientLoginDecided:
    """Uses the browser's login up if it is confirmed."""
    proved, account = await proved_account(context)
    login, _ = await _undecided(context, proved, account, data)
    code, company_id = new_handle(), account.company_id
    async with context.database.tenant(company_id) as connection:
        if not data.accepted:
            await queries.refuse_client_login(connection, company_id, login.id)
            return schemas.ClientLoginDecided(redirect=_redirect(login, error="access_denied"))
        if not await queries.use_login(connection, company_id, proved.id):
            raise errors.SsoLoginExpired
        if not await queries.confirm_client_login(
            connection,
            company_id,
            login.id,
            proved,
            code_hash=hash_handle(code),
            lasting=LASTING,
        ):
            raise errors.SsoClientLoginUnknown
    return schemas.ClientLoginDecided(redirect=_redirect(login, code=code))


async def read_state(
    context: RequestContext, data: schemas.ClientLoginProof
) -> schemas.ClientLoginState:
    await limit(context, limits.SSO_POLLS, context.site)
    login, account = await _own(context, data)
    if login.decided_at is None:
        return schemas.ClientLoginState(confirmed=False)
    if account is None:
        raise errors.SsoClientLoginRefused
    return schemas.ClientLoginState(
        confirmed=True, email_address=account.email, salt=salt_to_text(account.salt)
    )


async def finish(context: RequestContext, data: schemas.ClientLoginFinish) -> StartedSession:
    if not is_auth_secret(data.password):
        raise auth_errors.PasswordNotDerived(fields={"password": "derived"})
    login, account = await _own(context, data)
    if account is None:
        raise errors.SsoLoginExpired
    check_room()
    counted = await limit(context, limits.SSO_PASSWORD, account.id)
    if not await secret_matches(account.password_hash, data.password):
        raise auth_errors.LoginFailed
    await decrement(context.database, counted)
    check_may_log_in(account)
    async with context.database.tenant(account.company_id) as connection:
        if not await queries.use_client_login(connection, account.company_id, login.id):
            raise errors.SsoLoginExpired
        await queries.set_logged_in(connection, account.company_id, account.id)
    return await start_session(
        context,
        account.company_id,
        account.id,
        second_factor="provider",
        password_hash=account.password_hash,
        client=ClientDevice(
            name=login.client_name, system=login.client_system, version=login.client_version
        ),
        provider=ProviderProof(login.issuer, login.provider_session),
    )


async def _undecided(
    context: RequestContext, proved: ProvedLogin, account: Account, data: schemas.ClientLoginNamed
) -> tuple[ClientLogin, str]:
    """A login that waits for somebody whom this provider of the company proves, and its device
    code."""
    counted = await limit(context, limits.SSO_DEVICE_CODES, account.id)
    company_id, keys = account.company_id, context.keys
    device_code = _device_code(keys, data.handle) if data.handle else _typed(data.device_code or "")
    async with context.database.tenant(company_id) as connection:
        login = await queries.undecided_login(
            connection,
            company_id,
            proved.provider_id,
            handle_hash=hash_handle(data.handle) if data.handle else None,
            device_code_hash=None if data.handle else _hash_code(keys, company_id, device_code),
        )
    if login is None:
        raise errors.SsoClientLoginUnknown
    await decrement(context.database, counted)
    return login, device_code


async def _own(
    context: RequestContext, data: schemas.ClientLoginProof
) -> tuple[ClientLogin, Account | None]:
    """The program's own login, and who has confirmed it."""
    company_id = company_of(data.handle)
    if company_id is None:
        raise errors.SsoLoginExpired
    async with context.database.tenant(company_id) as connection:
        login = await queries.client_login(connection, company_id, hash_handle(data.handle))
        if login is None or not _matches(login.challenge, data.verifier):
            raise errors.SsoLoginExpired
        if login.user_id is None:
            return login, None
        # Only a browser of the same computer knows the code.
        if login.redirect_port and not _matches(login.code_hash or b"", data.code or ""):
            raise errors.SsoLoginExpired
        account = await accounts.account(connection, login.user_id)
        linked = await queries.linked_user(
            connection, company_id, login.issuer, login.subject or ""
        )
    if account is None or linked != account.id:
        raise errors.SsoLoginExpired
    return login, account


def _matches(stored: bytes, told: str) -> bool:
    return hmac.compare_digest(stored, hash_handle(told))


def _redirect(login: ClientLogin, **answer: str) -> str | None:
    if login.redirect_port is None:
        return None
    query = urlencode({**answer, "state": login.redirect_state})
    return f"http://127.0.0.1:{login.redirect_port}/?{query}"


def _device_code(keys: Keys, handle: str) -> str:
    number = int.from_bytes(keys.mac("sso-device-codes", handle))
    letters = []
    for _ in range(_CODE_LENGTH):
        number, index = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[index])
    return "".join(letters)


def _readable(code: str) -> str:
    return f"{code[:4]}-{code[4:]}"


def _typed(text: str) -> str:
    return "".join(each for each in text.upper() if each in _LETTERS)


def _hash_code(keys: Keys, company_id: int, code: str) -> bytes:
    """With a key, because codes are short."""
    return keys.mac("sso-device-code-hashes", f"{company_id}|{code}")


def _digest(text: str) -> bytes:
    try:
        return base64url.decode(text)
    except Malformed:
        raise errors.SsoAnswerRefused from None
