"""Contacts that somebody else entered for an account. They stay pending until the account's owner,
signed in, confirms them: an address by the link mailed to it, a phone by the code sent to it."""

from typing import Literal

from tessera.activity.service import record
from tessera.auth import contact_queries, queries
from tessera.auth.codes import mask_phone
from tessera.auth.errors import AddressInUse, NoSuchChange
from tessera.auth.profile_service import mail_account, post_confirm_link
from tessera.auth.schemas import PendingChange
from tessera.authz.context import Access
from tessera.kit.schemas import normalize_email

Kind = Literal["email", "phone"]


async def ask_for_member(access: Access, user_id: int, *, address: str, phone_number: str) -> None:
    """Proposes the contacts that differ from the account's current ones."""
    account = await queries.account(access.connection, user_id)
    assert account is not None
    folded = normalize_email(address)
    if folded != account["email_folded"]:
        if await contact_queries.address_taken_here(access.connection, folded):
            raise AddressInUse(fields={"email_address": "wrong"})
        await _propose(access, user_id, "email", address)
        await post_confirm_link(access, account, address)
        await mail_account(
            access, account, account["email"], "addressChangeProposed", address=address
        )
        await record(access, "email.changeProposed", target=account["email"])
    if phone_number != account["phone_number"]:
        await _propose(access, user_id, "phone", phone_number)
        await mail_account(
            access,
            account,
            account["email"],
            "phoneChangeProposed",
            link=access.context.settings.public_url,
            phone=mask_phone(phone_number),
        )
        await record(access, "phone.changeProposed", target=account["email"])


async def _propose(access: Access, user_id: int, kind: Kind, value: str) -> None:
    await contact_queries.propose(
        access.connection,
        user_id=user_id,
        kind=kind,
        value=value,
        asked_by=access.current_user.name,
    )


async def pending_changes(access: Access) -> list[PendingChange]:
    rows = await contact_queries.pending(access.connection, access.current_user.user_id)
    return [
        PendingChange(
            kind=row["kind"],
            value=row["value"],
            asked_by=row["asked_by"],
            asked_at=row["asked_at"],
        )
        for row in rows
    ]


async def decline_change(access: Access, kind: Kind) -> None:
    if not await contact_queries.forget(access.connection, access.current_user.user_id, kind):
        raise NoSuchChange
    if kind == "email":
        await contact_queries.drop_confirm_links(access.connection, access.current_user.user_id)
    await record(access, f"{kind}.changeDeclined")
