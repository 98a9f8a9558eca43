"""The user's own account: name, language, and contacts, which change only once confirmed."""

from datetime import timedelta

import asyncpg

from tessera.activity.service import record
from tessera.auth import codes, contact_queries, queries
from tessera.auth.codes import CodeOwner
from tessera.auth.countries import check_country
from tessera.auth.errors import (
    AddressInUse,
    LinkExpired,
    LinkOfAnotherAccount,
    LinkUnknown,
    LinkUsed,
    NothingToChange,
)
from tessera.auth.schemas import CodeSent, ProfileUpdate, UserRead
from tessera.auth.service import user_read
from tessera.authz.context import Access, Identity
from tessera.kit.i18n import Language
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.notifications.service import enqueue_email


async def update_profile(access: Access, data: ProfileUpdate) -> UserRead:
    await queries.set_profile(
        access.connection,
        access.current_user.user_id,
        first_name=data.first_name,
        last_name=data.last_name,
        language=data.language,
    )
    await record(access, "profile.updated")
    return user_read(await _own_account(access))


async def ask_for_address(access: Access, address: str) -> None:
    """Mails a link to the new address and a notice to the old one; nothing changes yet. An address
    already in use gets no link, and the response does not reveal that."""
    account = await _own_account(access)
    folded = normalize_email(address)
    if folded == account["email_folded"] and account["email_confirmed_at"]:
        raise NothingToChange(fields={"email_address": "unchanged"})
    await post_confirm_link(access, account, address)
    if folded != account["email_folded"]:
        await mail_account(access, account, account["email"], "addressChangeAsked", address=address)
        await record(access, "email.changeAsked", target=address)


async def post_confirm_link(access: Access, account: asyncpg.Record, address: str) -> None:
    settings = access.context.settings
    folded = normalize_email(address)
    if folded != account["email_folded"] and await queries.address_taken(access.connection, folded):
        return
    token = new_handle()
    await queries.add_link(
        access.connection,
        company_id=account["company_id"],
        user_id=account["id"],
        purpose="confirmEmail",
        token_hash=hash_handle(token),
        email=address,
        lasting=timedelta(hours=settings.confirm_link_hours),
    )
    link = f"{settings.public_url}/confirm-email?token={token}"
    await mail_account(access, account, address, "confirmAddress", link=link)


async def confirm_address(access: Access, token: str) -> UserRead:
    """Only the account's owner, signed in, can confirm: the link alone is not enough."""
    found = await queries.find_link(access.connection, hash_handle(token))
    if found is None:
        raise LinkUnknown
    company_id, link_id = found
    if company_id != access.current_user.company_id:
        raise LinkOfAnotherAccount
    link = await queries.link(access.connection, link_id, "confirmEmail")
    if link is None:
        raise LinkUnknown
    if link["user_id"] != access.current_user.user_id:
        raise LinkOfAnotherAccount
    if link["used_at"]:
        raise LinkUsed
    if link["expired"]:
        raise LinkExpired
    try:
        await queries.set_address(
            access.connection,
            access.current_user.user_id,
            link["email"],
            normalize_email(link["email"]),
        )
    except asyncpg.UniqueViolationError:
        raise AddressInUse from None
    await queries.use_link(access.connection, link_id)
    await contact_queries.forget(access.connection, access.current_user.user_id, "email")
    await record(access, "email.confirmed", target=link["email"])
    return user_read(await _own_account(access))


async def ask_for_phone(identity: Identity, phone_number: str) -> CodeSent:
    current_user = identity.current_user
    check_country(identity.context, phone_number)
    async with identity.access() as access:
        account = await _own_account(access)
        if account["phone_number"] == phone_number:
            raise NothingToChange(fields={"phoneNumber": "unchanged"})
        await record(access, "phone.changeAsked")
    owner = CodeOwner(
        current_user.company_id, current_user.user_id, "phone", current_user.session_id
    )
    return await codes.send_code(
        identity.context, owner, phone_number, Language(account["language"])
    )


async def confirm_phone(identity: Identity, code: str) -> UserRead:
    current_user = identity.current_user
    owner = CodeOwner(
        current_user.company_id, current_user.user_id, "phone", current_user.session_id
    )
    phone_number = await codes.check_code(identity.context, owner, code)
    async with identity.access() as access:
        await queries.set_phone(access.connection, current_user.user_id, phone_number)
        await contact_queries.forget(access.connection, current_user.user_id, "phone")
        await record(access, "phone.changed")
        account = await _own_account(access)
        await mail_account(
            access, account, account["email"], "phoneChanged", phone=codes.mask_phone(phone_number)
        )
    return user_read(account)


async def _own_account(access: Access) -> asyncpg.Record:
    account = await queries.account(access.connection, access.current_user.user_id)
    assert account is not None
    return account


async def mail_account(
    access: Access,
    account: asyncpg.Record,
    to: str,
    template: str,
    *,
    link: str | None = None,
    **params: str,
) -> None:
    await enqueue_email(
        access.connection,
        access.context.keys,
        company_id=account["company_id"],
        to=to,
        language=Language(account["language"]),
        template=template,
        link=link,
        name=account["first_name"],
        **params,
    )
