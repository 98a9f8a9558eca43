"""Invites people to the user's company. One list is one transaction; the mails are queued."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from tessera import limits
from tessera.activity.service import record
from tessera.authz.context import Access
from tessera.authz.queries import Recipient, lock_company
from tessera.authz.tenancy import enter_company
from tessera.invites import queries
from tessera.invites.errors import InviteNotFound, InviteUsed, TooManyInvites
from tessera.invites.queries import usable_invites_among
from tessera.invites.schemas import InviteProgress, InviteRead, InviteResult
from tessera.kit.pagination import Page, PageRequest
from tessera.kit.rate_counters import LimitReached, increment_within
from tessera.kit.schemas import EmailAddress, normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.notifications import mails
from tessera.notifications.service import enqueue_emails

# Queries that other features call.
__all__ = ["usable_invites_among"]

_address: TypeAdapter[str] = TypeAdapter(EmailAddress)


async def list_invites(
    access: Access, company_id: int | None, request: PageRequest
) -> Page[InviteRead]:
    chosen = await enter_company(access, company_id)
    page = await queries.invites(request).page(access.connection, request, chosen)
    return page.read(
        lambda row: InviteRead.of(row, email_address=row.email, date_created=row.created_at)
    )


async def invite_members(access: Access, data: list[str]) -> list[InviteResult]:
    """Returns one result per address. A single address that is already invited is sent again."""
    connection, company_id = access.connection, access.current_user.company_id
    addresses = [_clean(text) for text in data]
    wanted = {normalize_email(address): address for address in addresses if address}
    await lock_company(connection, company_id)
    members = await queries.members_among(connection, list(wanted))
    invited = await queries.usable_invites_among(connection, list(wanted))
    resend = len(data) == 1
    results: list[InviteResult] = []
    to_send: dict[str, str] = {}
    for text, address in zip(data, addresses, strict=True):
        folded = normalize_email(address) if address else ""
        if not address:
            results.append(InviteResult(email_address=text, state="invalid"))
        elif folded in members:
            results.append(InviteResult(email_address=address, state="alreadyMember"))
        elif folded in to_send or (folded in invited and not resend):
            results.append(InviteResult(email_address=address, state="alreadyInvited"))
        else:
            to_send[folded] = address
            results.append(InviteResult(email_address=address, state="invited"))
    if to_send:
        folded, address = next(iter(to_send.items()))
        is_resent = len(to_send) == 1 and await queries.was_invited(connection, company_id, folded)
        await _send(access, to_send)
        if is_resent:
            await record(access, "invite.resent", target=address, details={"count": 1})
        else:
            await record(
                access,
                "members.invited",
                target=address if len(to_send) == 1 else "",
                details={"count": len(to_send)},
            )
    return results


async def resend(access: Access, keys: Sequence[UUID]) -> None:
    """Sends all of them again, or none."""
    await lock_company(access.connection, access.current_user.company_id)
    invites = await queries.invites_by_key(access.connection, keys)
    if len(invites) < len(set(keys)):
        raise InviteNotFound
    to_send = {normalize_email(invite.email): invite.email for invite in invites}
    members = await queries.members_among(access.connection, list(to_send))
    if members or any(invite.state == "used" for invite in invites):
        raise InviteUsed
    await _send(access, to_send)
    for address in to_send.values():
        await record(access, "invite.resent", target=address, details={"count": 1})


def _clean(text: str) -> str | None:
    try:
        return _address.validate_python(text.strip())
    except ValidationError:
        return None


async def _send(access: Access, to_send: dict[str, str]) -> None:
    """An address with an account elsewhere gets a mail saying so; only its owner learns that."""
    await _count(access, to_send)
    settings, current_user = access.context.settings, access.current_user
    elsewhere = await queries.accounts_among(access.connection, list(to_send))
    tokens = [new_handle(current_user.company_id) for _ in to_send]
    company, inviter = current_user.company_name, current_user.full_name
    addressed = [
        (
            Recipient(address, current_user.language),
            mails.InviteKnown(company=company, inviter=inviter)
            if folded in elsewhere
            else mails.Invite(
                company=company,
                inviter=inviter,
                days=mails.Count(settings.invite_days, "days"),
                link=f"{settings.public_url}/register?token={token}",
            ),
        )
        for (folded, address), token in zip(to_send.items(), tokens, strict=True)
    ]
    message_ids = await enqueue_emails(
        access.connection, access.context.keys, current_user.company_id, addressed
    )
    await queries.put_invites(
        access.connection,
        current_user.company_id,
        emails=list(to_send.values()),
        folded=list(to_send),
        token_hashes=[hash_handle(token) for token in tokens],
        message_ids=message_ids,
        language=current_user.language,
        lasting=timedelta(days=settings.invite_days),
    )


async def _count(access: Access, to_send: Collection[str]) -> None:
    """Limits mails to strangers in our name, per company and per address."""
    counter, company_id = access.context.counter, access.current_user.company_id
    of_company = counter(limits.INVITES, company_id)
    of_addresses = [counter(limits.INVITES_PER_ADDRESS, company_id, folded) for folded in to_send]
    try:
        await increment_within(access.connection, [of_company], len(to_send))
        await increment_within(access.connection, of_addresses)
    except LimitReached as reached:
        raise TooManyInvites(reached.resets_in) from None


async def progress(access: Access) -> InviteProgress:
    return await queries.progress(access.connection, access.current_user.company_id)


async def cancel_invite(access: Access, key: UUID) -> None:
    address = await queries.cancel_invite(access.connection, key)
    if address is None:
        raise InviteNotFound
    await record(access, "invite.cancelled", target=address)


async def cancel_open_invite(access: Access, address: str) -> None:
    """Nothing happens if the address has none."""
    if await queries.cancel_invite_of(
        access.connection, access.current_user.company_id, normalize_email(address)
    ):
        await record(access, "invite.cancelled", target=address)
