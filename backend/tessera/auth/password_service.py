"""Forgetting, resetting and changing a password. A reset makes new keys: the old ones, and with
them the caller's copy of the company's key, cannot be opened any more and are deleted."""

import asyncpg

from tessera.activity.service import record, record_for
from tessera.auth import queries
from tessera.auth.errors import (
    EnvelopeMalformed,
    LinkExpired,
    LinkUnknown,
    LinkUsed,
    OldPasswordWrong,
    PasswordNotDerived,
)
from tessera.auth.passwords import hash_secret, secret_matches
from tessera.auth.rate_limits import limit
from tessera.auth.schemas import ChangePassword, LinkRead, NewPassword, ResetPassword
from tessera.auth.sessions import end_other_sessions
from tessera.auth.workflows import send_reset_link
from tessera.authz.context import Identity, RequestContext
from tessera.kit.database import Connection
from tessera.kit.envelopes import check_user_key
from tessera.kit.i18n import Language
from tessera.kit.kdf import is_auth_secret, salt_from_text
from tessera.kit.rate_counters import decrement
from tessera.kit.tokens import hash_handle
from tessera.notifications.service import enqueue_email


async def forgot_password(visit: RequestContext, address: str) -> None:
    """Takes note of the wish; whether the address is known is found out by a workflow."""
    await limit(visit, f"forgot|{visit.origin}", visit.settings.forgot_per_origin_per_hour)
    async with visit.database.without_tenant() as connection:
        sealed = visit.keys.seal("reset-requests", address.encode(), "reset-request")
        request_id = await queries.add_reset_request(connection, sealed, visit.language)
        await send_reset_link.enqueue(connection, request_id, key=f"reset-request-{request_id}")


async def reset_state(visit: RequestContext, token: str) -> LinkRead:
    company_id, link_id = await _find(visit, token)
    async with visit.database.tenant(company_id) as connection:
        link = await queries.link(connection, link_id, "reset")
    if link is None:
        raise LinkUnknown
    if link["used_at"]:
        return LinkRead(state="used")
    if link["expired"]:
        return LinkRead(state="expired")
    return LinkRead(state="open", uid=link["user_uuid"], cid=link["company_uuid"])


async def reset_password(visit: RequestContext, given: ResetPassword) -> None:
    company_id, link_id = await _find(visit, given.token)
    _check_derived(given)
    password_hash = await hash_secret(given.password)
    async with visit.database.tenant(company_id) as connection:
        link = await queries.link(connection, link_id, "reset")
        if link is None:
            raise LinkUnknown
        if link["used_at"]:
            raise LinkUsed
        if link["expired"]:
            raise LinkExpired
        account = await queries.account(connection, link["user_id"])
        assert account is not None
        await _store(connection, account, given, password_hash)
        await queries.use_link(connection, link_id)
        await queries.drop_company_key(connection, account["id"])
        await queries.end_sessions_of(connection, account["id"])
        await record_for(
            connection,
            visit,
            company_id,
            "password.reset",
            actor_uuid=account["uuid"],
            actor_name=f"{account['first_name']} {account['last_name']}",
        )
        await _tell(connection, visit, account, "passwordReset")


async def change_password(identity: Identity, given: ChangePassword) -> None:
    caller, visit = identity.caller, identity.visit
    _check_derived(given)
    if not is_auth_secret(given.old_password):
        raise PasswordNotDerived(fields={"oldPassword": "derived"})
    counted = await limit(
        visit, f"old-password|{caller.user_id}|{visit.origin}", visit.settings.login_tries
    )
    async with identity.access() as access:
        account = await queries.account(access.connection, caller.user_id)
        assert account is not None
    if not await secret_matches(account["password_hash"], given.old_password):
        raise OldPasswordWrong(fields={"oldPassword": "wrong"})
    await decrement(visit.database, counted)
    password_hash = await hash_secret(given.password)
    async with identity.access() as access:
        await _store(access.connection, account, given, password_hash)
        await end_other_sessions(access)
        await record(access, "password.changed")
        await _tell(access.connection, visit, account, "passwordChanged")


def _check_derived(given: NewPassword) -> None:
    if not is_auth_secret(given.password):
        raise PasswordNotDerived(fields={"password": "derived"})


async def _store(
    connection: Connection, account: asyncpg.Record, given: NewPassword, password_hash: str
) -> None:
    try:
        salt = salt_from_text(given.salt)
        check_user_key(
            given.user_key, uid=str(account["uuid"]), cid=str(account["company_uuid"]), salt=salt
        )
    except ValueError:
        raise EnvelopeMalformed(fields={"userKey": "envelope"}) from None
    await queries.set_password(
        connection,
        account["id"],
        salt=salt,
        password_hash=password_hash,
        sealed_user_key=given.user_key,
    )


async def _tell(
    connection: Connection, visit: RequestContext, account: asyncpg.Record, template: str
) -> None:
    await enqueue_email(
        connection,
        visit.keys,
        company_id=account["company_id"],
        to=account["email"],
        language=Language(account["language"]),
        template=template,
        name=account["first_name"],
    )


async def _find(visit: RequestContext, token: str) -> tuple[int, int]:
    async with visit.database.without_tenant() as connection:
        found = await queries.find_link(connection, hash_handle(token))
    if found is None:
        raise LinkUnknown
    return found
