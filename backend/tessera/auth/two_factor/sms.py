"""Codes by SMS as the second factor. A user who has an authenticator app or a passkey may turn them
off: who takes over the phone number then cannot log in with it."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from tessera.activity.service import record
from tessera.auth.accounts import end_other_sessions, mail_account, own_account
from tessera.auth.errors import SmsNeeded
from tessera.auth.two_factor import queries
from tessera.auth.two_factor.codes import mask_phone
from tessera.auth.two_factor.queries import SmsState
from tessera.authz import queries as authz_queries
from tessera.authz.context import Access
from tessera.kit.database import Connection
from tessera.notifications import mails
from tessera.settings import Settings


async def is_off(connection: Connection, settings: Settings, user_id: int) -> bool:
    """Not without another factor that works: passkeys end when the public address changes."""
    state = await queries.sms_state(connection, user_id)
    return state.turned_off and not is_needed(state, settings)


def is_needed(state: SmsState, settings: Settings) -> bool:
    """Whether the user has nothing else to log in with."""
    return not (state.has_app or (state.has_passkeys and passkey_host(settings) is not None))


async def set_enabled(access: Access, enabled: bool) -> None:
    """Ends the user's other sessions, like every change of the second factor."""
    user_id = access.current_user.user_id
    await authz_queries.lock_user(access.connection, user_id)
    state = await queries.sms_state(access.connection, user_id)
    if not enabled and is_needed(state, access.context.settings):
        raise SmsNeeded
    if enabled == (not state.turned_off):
        return
    await _set(access, enabled)
    await end_other_sessions(access)


async def turn_on_if_needed(access: Access) -> None:
    """Call after an app or a passkey was removed, so that nobody is locked out."""
    state = await queries.sms_state(access.connection, access.current_user.user_id)
    if state.turned_off and is_needed(state, access.context.settings):
        await _set(access, True)


async def _set(access: Access, enabled: bool) -> None:
    await queries.set_sms_off(access.connection, access.current_user.user_id, not enabled)
    await record(access, "sms.turnedOn" if enabled else "sms.turnedOff")
    account = await own_account(access)
    phone = mask_phone(account.phone_number)
    mail = mails.SmsTurnedOn(phone) if enabled else mails.SmsTurnedOff(phone)
    await mail_account(access.connection, access.context.keys, account, mail)


def passkey_host(settings: Settings) -> str | None:
    """The name that browsers bind passkeys to; None for an IP address, which they do not bind them
    to. This machine's own address counts as `localhost`."""
    host = (urlsplit(settings.public_url).hostname or "").lower()
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return "localhost" if address.is_loopback else None
