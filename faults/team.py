"""The people of a company: invited, joining, edited, disabled, removed."""

from typing import Any
from uuid import UUID, uuid4

from faults.firm import Firm, new_phone, verify_phone
from faults.person import Refused
from tests.signup.signup import new_person


async def invite(firm: Firm) -> None:
    """One address alone is a resend when it is asked for again; a list is not."""
    count = firm.person.dice.choice([1, 1, 3])
    addresses = [f"{uuid4().hex[:10]}@guest.test" for _ in range(count)]
    await firm.do(
        "invite",
        "members.invited",
        "POST",
        "/invite/users/",
        repeats=count == 1,
        json=[{"email_address": address} for address in addresses],
    )
    firm.invited += addresses


async def cancel_invite(firm: Firm) -> None:
    if not firm.invited:
        return
    address = firm.invited.pop()
    listed = await firm.ask("/invites", params={"searchPhrase": address})
    key = next(each["key"] for each in listed["item1"] if each["email_address"] == address)
    await firm.do(
        "cancel invite", "invite.cancelled", "DELETE", f"/invite/{key}", done="invite_not_found"
    )


async def accept_invite(firm: Firm) -> None:
    if not firm.invited:
        return
    person, address = firm.person, firm.invited.pop()
    token = await person.newly_sent(address, "/register", [])
    phone = new_phone(person)
    await verify_phone(person, {"X-Invite-Token": token}, phone)
    body = new_person(UUID(firm.uuid), phone)
    deed = person.journal.begin("join", firm.uuid, "member.registered", secret=body["password"])
    try:
        await person.do(
            deed, "POST", "/api/auth/register", params={"token": token}, json=body
        )  # fmt: skip
    except Refused as refusal:
        if refusal.code != "invite_used" or deed.answer != "unknown":
            raise


async def _member(firm: Firm) -> dict[str, Any] | None:
    listed = await firm.ask("/users", params={"limit": 50})
    members = [each for each in listed["item1"] if each["role"] == "teamMember"]
    return firm.person.dice.choice(members) if members else None


async def rename_member(firm: Firm) -> None:
    member = await _member(firm)
    if member is None:
        return
    kept = {name: member[name] for name in ("uuid", "firstName", "email_address", "phoneNumber")}
    body = {**kept, "lastName": f"Name {uuid4().hex[:8]}"}
    await firm.do(
        "rename member",
        "member.updated",
        "PUT",
        "/user",
        json=body,
    )


async def switch_member(firm: Firm) -> None:
    member = await _member(firm)
    if member is None:
        return
    enabled = not member["isActive"]
    await firm.do(
        "switch member",
        f"member.{'enabled' if enabled else 'disabled'}",
        "PUT",
        f"/user/status/{member['uuid']}",
        json={"enabled": enabled},
    )


async def remove_member(firm: Firm) -> None:
    member = await _member(firm)
    if member is None:
        return
    await firm.do(
        "remove member",
        "member.removed",
        "DELETE",
        f"/user/{member['uuid']}",
        done="member_not_found",
    )
