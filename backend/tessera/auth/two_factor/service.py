"""Turning an authenticator app on and off as the second factor. Its secret is shown once, during
setup; the recovery codes once, when they are created. Both changes end the user's other sessions,
because those were opened with the previous second factor."""

from datetime import timedelta

from tessera.activity.service import record
from tessera.auth.accounts import end_other_sessions, mail_own_account, own_account
from tessera.auth.errors import (
    AuthenticatorNeeded,
    AuthenticatorNotOn,
    AuthenticatorNotStarted,
    CodeWrong,
)
from tessera.auth.two_factor import queries, sms
from tessera.auth.two_factor.codes import mask_phone
from tessera.auth.two_factor.queries import recovery_codes_left
from tessera.auth.two_factor.recovery_codes import hash_code, new_codes
from tessera.auth.two_factor.schemas import AuthenticatorStarted, RecoveryCodes, TwoFactorRead
from tessera.auth.two_factor.verification import count_attempt, open_secret, seal_secret
from tessera.authz import queries as authz_queries
from tessera.authz.context import Access, Identity
from tessera.authz.permissions import Role
from tessera.kit import clock, totp
from tessera.notifications import mails

# Queries that other features call.
__all__ = ["recovery_codes_left"]

# How long a new secret waits for the app's first code.
WAITS = timedelta(minutes=30)


async def two_factor(access: Access) -> TwoFactorRead:
    account = await own_account(access)
    chosen = await queries.authenticator_in_use(access.connection, account.id)
    state = await queries.sms_state(access.connection, account.id)
    needed = sms.is_needed(state, access.context.settings)
    return TwoFactorRead(
        method="totp" if chosen else "sms",
        phone_number=mask_phone(account.phone_number),
        since=chosen.confirmed_at if chosen else None,
        recovery_codes_left=await recovery_codes_left(access.connection, account.id),
        sms_enabled=needed or not state.turned_off,
        sms_needed=needed,
    )


async def start(access: Access) -> AuthenticatorStarted:
    """Creates a secret. The current factor stays in use until the app's code is confirmed."""
    account = await own_account(access)
    secret = totp.new_secret()
    await queries.start_authenticator(
        access.connection,
        company_id=account.company_id,
        user_id=account.id,
        sealed_secret=seal_secret(access.context.keys, account.company_id, account.id, secret),
    )
    await record(access, "authenticator.started")
    return AuthenticatorStarted(
        secret=totp.secret_text(secret), uri=totp.uri(secret, account.email)
    )


async def confirm(identity: Identity, code: str) -> RecoveryCodes:
    current_user, context = identity.current_user, identity.context
    attempt = await count_attempt(context, current_user.user_id)
    async with identity.access() as access:
        waiting = await queries.pending_authenticator(
            access.connection, current_user.user_id, WAITS
        )
    if waiting is None:
        await attempt.take_back(context)
        raise AuthenticatorNotStarted
    secret = open_secret(context.resources, waiting)
    step = totp.matching_step(secret, code, totp.step_at(clock.now()))
    if step is None:
        raise attempt.wrong(CodeWrong(left=attempt.left))
    async with identity.access() as access:
        await authz_queries.lock_user(access.connection, current_user.user_id)
        turned_on = await queries.turn_on_authenticator(
            access.connection,
            user_id=current_user.user_id,
            sealed_secret=waiting.sealed_secret,
            step=step,
        )
        if not turned_on:
            raise AuthenticatorNotStarted
        made = await _make_recovery_codes(access)
        await end_other_sessions(access)
        await record(access, "authenticator.turnedOn")
        await mail_own_account(access, mails.AuthenticatorTurnedOn())
    await attempt.take_back(context)
    return made


async def turn_off(access: Access) -> None:
    await authz_queries.lock_user(access.connection, access.current_user.user_id)
    account = await own_account(access)
    if account.sso_required and account.role == Role.TEAM_LEADER:
        raise AuthenticatorNeeded
    if not await queries.turn_off_authenticator(access.connection, access.current_user.user_id):
        raise AuthenticatorNotOn
    await end_other_sessions(access)
    await record(access, "authenticator.turnedOff")
    await sms.turn_on_if_needed(access)
    if await sms.is_off(access.connection, access.context.settings, account.id):
        await mail_own_account(access, mails.AuthenticatorRemoved())
        return
    mail = mails.AuthenticatorTurnedOff(phone=mask_phone(account.phone_number))
    await mail_own_account(access, mail)


async def new_recovery_codes(access: Access) -> RecoveryCodes:
    """Replaces all older codes, used or not."""
    await authz_queries.lock_user(access.connection, access.current_user.user_id)
    if await queries.authenticator_in_use(access.connection, access.current_user.user_id) is None:
        raise AuthenticatorNotOn
    made = await _make_recovery_codes(access)
    await record(access, "recoveryCodes.madeAnew")
    await mail_own_account(access, mails.RecoveryCodesRenewed())
    return made


async def _make_recovery_codes(access: Access) -> RecoveryCodes:
    current_user = access.current_user
    made = new_codes()
    await queries.replace_recovery_codes(
        access.connection,
        company_id=current_user.company_id,
        user_id=current_user.user_id,
        hashes=[hash_code(current_user.company_id, current_user.user_id, code) for code in made],
    )
    return RecoveryCodes(recovery_codes=made)
