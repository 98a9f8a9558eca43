"""The user's own passkeys, and their use as the second factor."""

import secrets
from datetime import timedelta

from tessera import limits
from tessera.activity.service import record
from tessera.auth.accounts import end_other_sessions, mail_own_account, own_account
from tessera.auth.errors import EnvelopeMalformed
from tessera.auth.passkeys import errors, queries, schemas
from tessera.auth.passkeys.ceremonies import (
    check_assertion,
    check_attestation,
    creation_options,
    request_options,
    site_of,
)
from tessera.auth.passkeys.queries import Passkey, Purpose
from tessera.auth.queries import Account
from tessera.auth.two_factor import sms, verification
from tessera.auth.two_factor.verification import count_attempt
from tessera.authz import queries as authz_queries
from tessera.authz.context import Access, CallContext, Identity, RequestContext
from tessera.errors import TesseraError
from tessera.kit.database import Connection
from tessera.notifications import mails
from tessera_core import base64url
from tessera_core.envelopes import check_passkey_key

CHALLENGE_BYTES = 32


async def own_passkeys(access: Access) -> list[schemas.PasskeyRead]:
    passkeys = await queries.passkeys_of(access.connection, access.current_user.user_id)
    return [_read(each) for each in passkeys]


async def start(access: Access) -> schemas.PasskeyOptions:
    site = site_of(access.context.settings)
    account = await own_account(access)
    existing = await queries.passkeys_of(access.connection, account.id)
    if len(existing) >= limits.PASSKEYS.maximum:
        raise errors.TooManyPasskeys(maximum=limits.PASSKEYS.maximum)
    challenge = await _new_challenge(
        access.connection, access.context, account, "register", access.current_user.session_id
    )
    seconds = access.context.settings.code_seconds
    return schemas.PasskeyOptions(
        options=creation_options(site, account, existing, challenge, seconds)
    )


async def add(identity: Identity, data: schemas.PasskeyCreate) -> schemas.PasskeyRead:
    """The challenge is used up and committed before anything is compared."""
    site = site_of(identity.context.settings)
    user_id = identity.current_user.user_id
    async with identity.access() as access:
        challenge = await queries.take_challenge(
            access.connection, user_id, access.current_user.session_id, "register"
        )
    if challenge is None:
        raise errors.PasskeyChallengeExpired
    made = check_attestation(data.credential, challenge, site)
    async with identity.access() as access:
        await authz_queries.lock_user(access.connection, user_id)
        if len(await queries.passkeys_of(access.connection, user_id)) >= limits.PASSKEYS.maximum:
            raise errors.TooManyPasskeys(maximum=limits.PASSKEYS.maximum)
        await _check_name(access, data.name)
        added = await queries.add_passkey(
            access.connection,
            company_id=access.current_user.company_id,
            user_id=user_id,
            credential_id=made.credential_id,
            public_key=made.public_key,
            sign_count=made.sign_count,
            transports=made.transports,
            name=data.name,
        )
        if added is None:
            raise errors.PasskeyAlreadyAdded
        await end_other_sessions(access)
        await record(access, "passkey.added", target=data.name)
        await mail_own_account(access, mails.PasskeyAdded(passkey=data.name))
    return _read(added)


async def rename(access: Access, passkey_id: int, name: str) -> None:
    found = await _own(access, passkey_id)
    if found.name == name:
        return
    await _check_name(access, name, except_id=passkey_id)
    await queries.rename_passkey(access.connection, passkey_id, name)
    await record(access, "passkey.renamed", target=name)


async def remove(access: Access, passkey_id: int) -> None:
    found = await _own(access, passkey_id)
    await queries.delete_passkey(access.connection, passkey_id)
    await end_other_sessions(access)
    await record(access, "passkey.removed", target=found.name)
    await mail_own_account(access, mails.PasskeyRemoved(passkey=found.name))
    await sms.turn_on_if_needed(access)


async def set_key(access: Access, passkey_id: int, sealed: str) -> None:
    """Stores the user key as the passkey seals it. The salt in its header is the password's: a key
    that a change of the password has replaced meanwhile is refused."""
    found = await _own(access, passkey_id)
    account = await own_account(access)
    try:
        check_passkey_key(
            sealed,
            uid=str(account.uuid),
            cid=str(account.company_uuid),
            salt=account.salt,
            credential_id=found.credential_id,
        )
    except ValueError:
        raise EnvelopeMalformed(fields={"sealedUserKey": "envelope"}) from None
    await queries.set_sealed_key(access.connection, passkey_id, sealed)
    await record(access, "passkey.unlockTurnedOn", target=found.name)


async def ask(
    context: RequestContext,
    account: Account,
    purpose: Purpose,
    session_id: int | None,
    *,
    unlocking: bool = False,
) -> schemas.PasskeyAsked | None:
    """Asks for one of the user's passkeys; None if there is none, and a code has to do.
    `unlocking` asks for one of those that unlock the keys."""
    settings, company_id = context.settings, account.company_id
    async with context.database.tenant(company_id) as connection:
        passkeys = await queries.passkeys_of(connection, account.id)
        if unlocking:
            passkeys = [each for each in passkeys if each.sealed_user_key is not None]
        if not passkeys:
            return None
        factors = await verification.factors_of(connection, settings, company_id, account.id)
        if "passkey" not in factors:
            return None
        try:
            site = site_of(context.settings)
        except errors.PasskeysUnavailable:
            return None
        challenge = await _new_challenge(connection, context, account, purpose, session_id)
        method = await verification.code_method(connection, settings, account.id)
    seconds = settings.code_seconds
    return schemas.PasskeyAsked(
        options=request_options(site, passkeys, challenge, seconds),
        code_method=method if method in factors else None,
    )


async def check(
    context: RequestContext,
    account: Account,
    purpose: Purpose,
    session_id: int | None,
    data: schemas.Assertion,
) -> Passkey:
    """Allows as many failures as with codes. The challenge is used up by the first answer. Returns
    the passkey."""
    attempt = await count_attempt(context, account.id)
    async with context.database.tenant(account.company_id) as connection:
        challenge = await queries.take_challenge(connection, account.id, session_id, purpose)
        found = await queries.passkeys_of(connection, account.id)
        factors = await verification.factors_of(
            connection, context.settings, account.company_id, account.id
        )
    if challenge is None:
        await attempt.take_back(context)
        raise errors.PasskeyChallengeExpired
    try:
        factors.check("passkey")
        used = _find(found, account, data)
        site = site_of(context.settings)
        sign_count = check_assertion(data, challenge, site, used.public_key)
        async with context.database.tenant(account.company_id) as connection:
            if not await queries.use_passkey(connection, used.id, sign_count):
                raise errors.PasskeyCopied(passkey=used.name)
    except TesseraError as error:
        raise attempt.wrong(error) from None
    await attempt.take_back(context)
    return used


def _find(passkeys: list[Passkey], account: Account, data: schemas.Assertion) -> Passkey:
    owner = base64url.encode(account.uuid.bytes)
    if data.user_handle not in {None, owner}:
        raise errors.PasskeyUnknown
    for each in passkeys:
        if base64url.encode(each.credential_id) == data.id:
            return each
    raise errors.PasskeyUnknown


async def _new_challenge(
    connection: Connection,
    context: CallContext,
    account: Account,
    purpose: Purpose,
    session_id: int | None,
) -> bytes:
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    await queries.put_challenge(
        connection,
        company_id=account.company_id,
        user_id=account.id,
        session_id=session_id,
        purpose=purpose,
        challenge=challenge,
        lasting=timedelta(seconds=context.settings.code_seconds),
    )
    return challenge


async def _own(access: Access, passkey_id: int) -> Passkey:
    """Locks the account. To the user, somebody else's passkey does not exist."""
    user_id = access.current_user.user_id
    await authz_queries.lock_user(access.connection, user_id)
    found = await queries.passkey(access.connection, user_id, passkey_id)
    if found is None:
        raise errors.PasskeyNotFound
    return found


async def _check_name(access: Access, name: str, *, except_id: int | None = None) -> None:
    user_id = access.current_user.user_id
    if await queries.name_taken(access.connection, user_id, name, except_id=except_id):
        raise errors.PasskeyNameTaken(fields={"name": "passkey_name"})


def _read(row: Passkey) -> schemas.PasskeyRead:
    return schemas.PasskeyRead.of(row, credential_id=base64url.encode(row.credential_id))
