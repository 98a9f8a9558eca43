"""The user's own account: name, language, and contacts. A contact changes only once its owner,
signed in, confirms it: an address by the link mailed to it, a phone by the code sent to it.
This includes contacts that somebody else entered for the account."""

from datetime import timedelta

import asyncpg

from tessera import limits
from tessera.activity.service import changed, record
from tessera.auth import errors
from tessera.auth import queries as auth_queries
from tessera.auth.accounts import mail_account, own_account, user_read
from tessera.auth.profile import queries, schemas
from tessera.auth.queries import Account, Link
from tessera.auth.schemas import UserRead
from tessera.auth.two_factor import codes
from tessera.auth.two_factor.codes import CodeOwner, check_country, mask_phone
from tessera.auth.two_factor.schemas import CodeSent
from tessera.authz.context import Access, Identity
from tessera.authz.guards import check_verified
from tessera.authz.queries import Recipient
from tessera.kit.i18n import Language
from tessera.kit.rate_counters import LimitReached, increment_within
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email


async def read_profile(access: Access) -> UserRead:
    return await _user_read(access)


async def update_profile(access: Access, data: schemas.ProfileUpdate) -> UserRead:
    before = await own_account(access)
    await queries.set_profile(
        access.connection,
        access.current_user.user_id,
        first_name=data.first_name,
        last_name=data.last_name,
        language=data.language,
    )
    if data.language != before.language:
        details = changed({"language": before.language}, {"language": data.language})
        await record(access, "language.changed", details=details)
    details = changed(
        {"firstName": before.first_name, "lastName": before.last_name},
        {"firstName": data.first_name, "lastName": data.last_name},
    )
    if details["changes"]:
        await record(access, "profile.updated", details=details)
    return await _user_read(access)


async def ask_for_address(access: Access, address: str) -> None:
    """Mails a link to the new address and a notice to the old one; nothing changes yet. An address
    already in use gets no link, and the response does not reveal that."""
    account = await own_account(access)
    folded = normalize_email(address)
    if folded == account.email_folded and account.is_email_confirmed:
        raise errors.NothingToChange(fields={"email_address": "unchanged"})
    await _count_mails(access, folded)
    await _send_confirm_link(access, account, address)
    if folded != account.email_folded:
        mail = mails.AddressChangeRequested(address=address)
        await mail_account(access.connection, access.context.keys, account, mail)
        details = changed({"email": account.email}, {"email": address})
        await record(access, "email.changeAsked", target=address, details=details)


async def _count_mails(access: Access, *recipients: str) -> None:
    """Limits mails to addresses that a user typed in, per user and per address."""
    counter = access.context.counter
    of_user = counter(limits.MAILS_PER_ACCOUNT, access.current_user.user_id)
    of_recipients = [counter(limits.MAILS_PER_RECIPIENT, folded) for folded in recipients]
    try:
        await increment_within(access.connection, [of_user, *of_recipients])
    except LimitReached as reached:
        raise errors.TooManyMails(reached.resets_in) from None


async def _send_confirm_link(access: Access, account: Account, address: str) -> None:
    settings = access.context.settings
    folded = normalize_email(address)
    if folded != account.email_folded and await auth_queries.address_taken(
        access.connection, folded
    ):
        return
    token = new_handle(account.company_id)
    await auth_queries.add_link(
        access.connection,
        company_id=account.company_id,
        user_id=account.id,
        purpose="confirmEmail",
        token_hash=hash_handle(token),
        email=address,
        lasting=timedelta(hours=settings.confirm_link_hours),
    )
    # A stranger may read it, so it does not greet with a name that the account's owner chose.
    recipient = Recipient(address, account.language)
    mail = mails.ConfirmAddress(link=f"{settings.public_url}/confirm-email?token={token}")
    await enqueue_email(access.connection, access.context.keys, account.company_id, recipient, mail)


async def read_confirm_link(access: Access, token: str) -> schemas.ConfirmLinkRead:
    _, link = await _own_confirm_link(access, token)
    account = await own_account(access)
    return schemas.ConfirmLinkRead(
        current_email_address=account.email,
        new_email_address=link.email,
        is_change=normalize_email(link.email) != account.email_folded,
    )


async def _own_confirm_link(access: Access, token: str) -> tuple[int, Link]:
    """Only the account's owner, signed in, can use it: the link alone is not enough."""
    found = await auth_queries.find_link(access.connection, token)
    if found is None:
        raise errors.LinkUnknown
    company_id, link_id = found
    if company_id != access.current_user.company_id:
        raise errors.LinkOfAnotherAccount
    link = await auth_queries.link(access.connection, link_id, "confirmEmail")
    if link is None:
        raise errors.LinkUnknown
    if link.user_id != access.current_user.user_id:
        raise errors.LinkOfAnotherAccount
    if link.used_at:
        raise errors.LinkUsed
    if link.expired:
        raise errors.LinkExpired
    return link_id, link


async def confirm_address(access: Access, token: str) -> UserRead:
    """Another address needs verified access: whoever reads its mails can reset the password."""
    link_id, link = await _own_confirm_link(access, token)
    before = await own_account(access)
    folded = normalize_email(link.email)
    if folded != before.email_folded:
        check_verified(access.current_user)
        await auth_queries.release_address(access.connection, folded)
    try:
        await queries.set_address(
            access.connection, access.current_user.user_id, link.email, folded
        )
    except asyncpg.UniqueViolationError:
        raise errors.AddressInUse from None
    await auth_queries.use_link(access.connection, link_id)
    await auth_queries.drop_links(
        access.connection, access.current_user.user_id, "confirmEmail", "reset"
    )
    await queries.delete_pending(access.connection, access.current_user.user_id, "email")
    details = changed({"email": before.email}, {"email": link.email})
    await record(access, "email.confirmed", target=link.email, details=details)
    return await _user_read(access)


async def set_directory_address(access: Access, user_id: int, address: str) -> None:
    """The company has proved the domain, so that the address counts at once. It resets no password
    until the account's owner confirms it: a directory must not take over accounts."""
    account = await auth_queries.account(access.connection, user_id)
    assert account is not None
    folded = normalize_email(address)
    await auth_queries.release_address(access.connection, folded)
    try:
        await queries.set_directory_address(access.connection, user_id, address, folded)
    except asyncpg.UniqueViolationError:
        raise errors.AddressInUse from None
    await auth_queries.drop_links(access.connection, user_id, "confirmEmail", "reset")
    await queries.delete_pending(access.connection, user_id, "email")
    details = changed({"email": account.email}, {"email": address})
    await record(access, "email.setByDirectory", target=address, details=details)
    mail = mails.AddressSetByDirectory(former=account.email, address=address)
    for recipient in (account.email, address):
        await enqueue_email(
            access.connection,
            access.context.keys,
            account.company_id,
            Recipient(recipient, account.language, account.first_name),
            mail,
        )


async def ask_for_phone(identity: Identity, phone_number: str) -> CodeSent:
    current_user = identity.current_user
    check_country(identity.context, phone_number)
    async with identity.access() as access:
        account = await own_account(access)
        if account.phone_number == phone_number:
            raise errors.NothingToChange(fields={"phoneNumber": "unchanged"})
        details = _phone_change(account.phone_number, phone_number)
        await record(access, "phone.changeAsked", details=details)
    owner = CodeOwner.of(current_user, "phone")
    return await codes.send_code(identity.context, owner, phone_number, Language(account.language))


async def confirm_phone(identity: Identity, code: str) -> UserRead:
    current_user = identity.current_user
    owner = CodeOwner.of(current_user, "phone")
    phone_number = await codes.check_code(identity.context, owner, code)
    async with identity.access() as access:
        before = await own_account(access)
        await auth_queries.set_phone(access.connection, current_user.user_id, phone_number)
        await queries.delete_pending(access.connection, current_user.user_id, "phone")
        details = _phone_change(before.phone_number, phone_number)
        await record(access, "phone.changed", details=details)
        account = await own_account(access)
        mail = mails.PhoneChanged(phone=mask_phone(phone_number))
        await mail_account(access.connection, access.context.keys, account, mail)
    return user_read(account, is_accepted=access.current_user.is_factor_accepted)


async def ask_for_member(access: Access, user_id: int, *, address: str, phone_number: str) -> None:
    """Proposes the contacts that differ from the account's current ones."""
    account = await auth_queries.account(access.connection, user_id)
    assert account is not None
    folded = normalize_email(address)
    if folded != account.email_folded:
        if await queries.address_taken_here(access.connection, folded):
            raise errors.AddressInUse(fields={"email_address": "address_taken"})
        await _count_mails(access, folded, account.email_folded)
        await _propose(access, user_id, "email", address)
        await _send_confirm_link(access, account, address)
        mail = mails.AddressChangeProposed(address=address)
        await mail_account(access.connection, access.context.keys, account, mail)
        details = changed({"email": account.email}, {"email": address})
        await record(access, "email.changeProposed", target=account.email, details=details)
    if phone_number != account.phone_number:
        await _count_mails(access, account.email_folded)
        await _propose(access, user_id, "phone", phone_number)
        notice = mails.PhoneChangeProposed(
            phone=mask_phone(phone_number), link=access.context.settings.public_url
        )
        await mail_account(access.connection, access.context.keys, account, notice)
        details = _phone_change(account.phone_number, phone_number)
        await record(access, "phone.changeProposed", target=account.email, details=details)


def _phone_change(before: str, after: str) -> dict[str, object]:
    """Masked, because the whole company's leader reads the activity."""
    return {
        "changes": [{"field": "phoneNumber", "from": mask_phone(before), "to": mask_phone(after)}]
    }


async def _propose(access: Access, user_id: int, kind: schemas.ContactKind, value: str) -> None:
    await queries.propose(
        access.connection,
        user_id=user_id,
        kind=kind,
        value=value,
        asked_by=access.current_user.name,
    )


async def pending_changes(access: Access) -> list[schemas.PendingChange]:
    return await queries.pending(access.connection, access.current_user.user_id)


async def decline_change(access: Access, kind: schemas.ContactKind) -> None:
    await _delete_pending(access, access.current_user.user_id, kind)
    await record(access, f"{kind}.changeDeclined")


async def withdraw_change(
    access: Access, user_id: int, kind: schemas.ContactKind, target: str
) -> None:
    """Called by the leader, for a change proposed to a member."""
    await _delete_pending(access, user_id, kind)
    await record(access, f"{kind}.changeWithdrawn", target=target)


async def _delete_pending(access: Access, user_id: int, kind: schemas.ContactKind) -> None:
    if not await queries.delete_pending(access.connection, user_id, kind):
        raise errors.NoSuchChange
    if kind == "email":
        await auth_queries.drop_links(access.connection, user_id, "confirmEmail")


async def _user_read(access: Access) -> UserRead:
    account = await own_account(access)
    return user_read(account, is_accepted=access.current_user.is_factor_accepted)
