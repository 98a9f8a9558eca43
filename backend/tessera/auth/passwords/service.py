"""Forgotten, reset and changed passwords. Each new password gets a new user key. A change
reseals what the old key sealed; after a reset that can no longer be opened and is deleted."""

from tessera import limits
from tessera.activity.service import record, record_for
from tessera.auth import errors
from tessera.auth import queries as auth_queries
from tessera.auth.accounts import end_other_sessions, mail_account, own_account
from tessera.auth.key_holders import ask_key_holder, end_key_holder_for
from tessera.auth.passwords import queries, schemas
from tessera.auth.passwords.hashing import hash_secret, secret_matches
from tessera.auth.passwords.workflows import send_reset_link
from tessera.auth.queries import Account
from tessera.authz import queries as authz_queries
from tessera.authz.context import Access, Identity, RequestContext
from tessera.authz.errors import SessionExpired
from tessera.authz.permissions import Role
from tessera.authz.rate_limits import limit
from tessera.kit.database import Connection
from tessera.kit.rate_counters import LimitReached, decrement, increment
from tessera.kit.schemas import normalize_email
from tessera.notifications import mails
from tessera_core.envelopes import check_company_key, check_user_key
from tessera_core.kdf import is_auth_secret, salt_from_text, salt_to_text
from tessera_core.key_envelopes import check_keys


async def forgot_password(context: RequestContext, address: str) -> None:
    """Stores the request; a workflow looks the address up. Who has been mailed often gets no more
    mail for now, and the response does not say so: the newest link is in their mailbox."""
    await limit(context, limits.FORGOT_PASSWORD, context.site)
    try:
        counter = context.counter(limits.RESET_MAILS, normalize_email(address))
        await increment(context.database, [counter])
    except LimitReached:
        return
    async with context.database.without_tenant() as connection:
        sealed = context.keys.seal("reset-requests", address.encode(), "reset-request")
        request_id = await queries.add_reset_request(connection, sealed, context.language)
        await send_reset_link.enqueue(connection, request_id, key=f"reset-request-{request_id}")


async def reset_state(context: RequestContext, token: str) -> schemas.LinkRead:
    company_id, link_id = await _find(context, token)
    async with context.database.tenant(company_id) as connection:
        link = await auth_queries.link(connection, link_id, "reset")
        account = await auth_queries.account(connection, link.user_id) if link else None
    if link is None:
        raise errors.LinkUnknown
    if link.used_at:
        return schemas.LinkRead(state="used")
    if link.expired:
        return schemas.LinkRead(state="expired")
    return schemas.LinkRead(
        state="open",
        uid=link.user_uuid,
        cid=link.company_uuid,
        sso_required=account is not None and account.sso_required,
    )


async def reset_password(context: RequestContext, data: schemas.ResetPassword) -> None:
    company_id, link_id = await _find(context, data.token)
    _check_derived(data)
    password_hash = await hash_secret(data.password)
    async with context.database.tenant(company_id) as connection:
        link = await auth_queries.link(connection, link_id, "reset")
        if link is None:
            raise errors.LinkUnknown
        if link.used_at:
            raise errors.LinkUsed
        if link.expired:
            raise errors.LinkExpired
        account = await auth_queries.account(connection, link.user_id)
        assert account is not None
        await _store(connection, account, data, password_hash)
        await auth_queries.use_link(connection, link_id)
        await auth_queries.drop_links(connection, account.id, "reset")
        await _end_keys(connection, context, account)
        await queries.drop_storage_envelope(connection, account.id)
        await auth_queries.end_sessions_of(connection, account.id)
        await auth_queries.delete_devices(connection, account.id)
        await record_for(
            connection,
            context,
            company_id,
            "password.reset",
            actor_uuid=account.uuid,
            actor_name=account.name,
        )
        await mail_account(connection, context.keys, account, mails.PasswordReset())


async def _end_keys(connection: Connection, context: RequestContext, account: Account) -> None:
    """The new user key opens neither a leader's copy of the company key nor a second holder's."""
    await end_key_holder_for(
        connection,
        context,
        account.company_id,
        [account.id],
        actor_uuid=account.uuid,
        actor_name=account.name,
        tell_leader=True,
    )
    await auth_queries.drop_company_key(connection, account.id)
    if account.role == Role.TEAM_LEADER:
        await ask_key_holder(connection, context, account.company_id, leader=account.name)


async def sealed_keys(access: Access) -> schemas.SealedKeys:
    account = await own_account(access)
    sealed = await queries.sealed_by_user(access.connection, account.id)
    return schemas.SealedKeys(
        salt=salt_to_text(account.salt),
        sealed_user_key=account.sealed_user_key,
        sealed_company_key=sealed.company_key,
        storage_keys=sealed.storage_keys,
    )


async def change_password(identity: Identity, data: schemas.ChangePassword) -> None:
    current_user, context = identity.current_user, identity.context
    _check_derived(data)
    if not is_auth_secret(data.old_password):
        raise errors.PasswordNotDerived(fields={"oldPassword": "derived"})
    counted = await limit(context, limits.OLD_PASSWORD, current_user.session_id)
    async with identity.access() as access:
        compared = (await own_account(access)).password_hash
    if not await secret_matches(compared, data.old_password):
        raise errors.OldPasswordWrong(fields={"oldPassword": "old_password"})
    await decrement(context.database, counted)
    password_hash = await hash_secret(data.password)
    async with identity.access() as access:
        account = await _unchanged_account(access, compared)
        await _store(access.connection, account, data, password_hash)
        await _reseal(access.connection, account, data)
        await auth_queries.drop_links(access.connection, account.id, "reset")
        await end_other_sessions(access)
        await auth_queries.delete_devices(access.connection, account.id)
        await record(access, "password.changed")
        await mail_account(access.connection, context.keys, account, mails.PasswordChanged())


async def _unchanged_account(access: Access, compared: str) -> Account:
    """Locks the account. Hashing took a while: a reset that came meanwhile must not be undone."""
    await authz_queries.lock_user(access.connection, access.current_user.user_id)
    account = await own_account(access)
    if account.password_hash != compared:
        raise errors.OldPasswordWrong(fields={"oldPassword": "old_password"})
    if not await authz_queries.session_is_active(access.connection, access.current_user.session_id):
        raise SessionExpired
    return account


def _check_derived(data: schemas.NewPassword) -> None:
    if not is_auth_secret(data.password):
        raise errors.PasswordNotDerived(fields={"password": "derived"})


async def _store(
    connection: Connection, account: Account, data: schemas.NewPassword, password_hash: str
) -> None:
    try:
        salt = salt_from_text(data.salt)
        check_user_key(
            data.user_key, uid=str(account.uuid), cid=str(account.company_uuid), salt=salt
        )
    except ValueError:
        raise errors.EnvelopeMalformed(fields={"userKey": "envelope"}) from None
    await queries.set_password(
        connection,
        account.id,
        salt=salt,
        password_hash=password_hash,
        sealed_user_key=data.user_key,
    )
    await auth_queries.drop_passkey_keys(connection, account.id)


async def _reseal(connection: Connection, account: Account, data: schemas.ChangePassword) -> None:
    """Replaces all that the old user key sealed, or nothing if it has changed meanwhile: what is
    left out could not be opened any more."""
    stored = await queries.sealed_by_user(connection, account.id)
    sent = (data.company_key is not None, data.storage_keys is not None)
    if sent != (stored.company_key is not None, stored.storage_keys is not None):
        raise errors.KeysChanged
    ids = {"uid": str(account.uuid), "cid": str(account.company_uuid)}
    if data.company_key is not None:
        try:
            epoch = check_company_key(data.company_key, **ids)
        except ValueError:
            raise errors.EnvelopeMalformed(fields={"companyKey": "envelope"}) from None
        if not await queries.reseal_company_key(
            connection, account.id, epoch=epoch, sealed=data.company_key
        ):
            raise errors.KeysChanged
    if data.storage_keys is not None:
        try:
            revision = check_keys(data.storage_keys, **ids)
        except ValueError:
            raise errors.EnvelopeMalformed(fields={"storageKeys": "envelope"}) from None
        if not await queries.reseal_storage_keys(
            connection, account.id, revision=revision, envelope=data.storage_keys
        ):
            raise errors.KeysChanged


async def _find(context: RequestContext, token: str) -> tuple[int, int]:
    async with context.database.without_tenant() as connection:
        found = await auth_queries.find_link(connection, token)
    if found is None:
        raise errors.LinkUnknown
    return found
