"""Member actions: invite, join, edit, disable, remove, and lead."""

from typing import Any
from uuid import UUID, uuid4

from chaos.account import change_passphrase, log_in
from chaos.company_client import CompanyClient, new_phone, verify_phone
from chaos.person import Refused
from tests.signup.signup import new_person


async def invite(client: CompanyClient) -> None:
    await invite_addresses(client, client.person.dice.choice([1, 1, 3]))


async def invite_addresses(client: CompanyClient, count: int) -> None:
    """Invites one address, which a repeated request resends, or a list, which it does not."""
    addresses = [f"{uuid4().hex[:10]}@guest.test" for _ in range(count)]
    await client.do(
        "invite",
        "members.invited",
        "POST",
        "/invite/users/",
        repeats=count == 1,
        json=[{"email_address": address} for address in addresses],
    )
    client.invited += addresses


async def cancel_invite(client: CompanyClient) -> None:
    if not client.invited:
        return
    address = client.invited.pop()
    listed = await client.ask("/invites", params={"searchPhrase": address})
    key = next(each["key"] for each in listed["item1"] if each["email_address"] == address)
    await client.do(
        "cancel invite", "invite.cancelled", "DELETE", f"/invite/{key}", done="invite_not_found"
    )


async def accept_invite(client: CompanyClient) -> None:
    if not client.invited:
        return
    phone = new_phone(client.person)
    await register(client, client.invited.pop(), new_person(UUID(client.uuid), phone))


async def register(client: CompanyClient, address: str, body: dict[str, Any]) -> None:
    """Registers an invited person."""
    person = client.person
    token = await person.newly_sent(address, "/register", [])
    await verify_phone(person, {"X-Invite-Token": token}, body["phoneNumber"])
    operation = person.journal.begin(
        "join", client.uuid, "member.registered", secret=body["password"]
    )
    try:
        await person.do(
            operation, "POST", "/api/auth/register", params={"token": token}, json=body
        )  # fmt: skip
    except Refused as refusal:
        if refusal.code != "invite_used" or operation.answer != "unknown":
            raise
    client.members[address] = (body["phoneNumber"], body["password"])


async def _member(client: CompanyClient) -> dict[str, Any] | None:
    listed = await client.ask("/users", params={"limit": 50})
    members = [each for each in listed["item1"] if each["role"] == "teamMember"]
    return client.person.dice.choice(members) if members else None


async def rename_member(client: CompanyClient) -> None:
    member = await _member(client)
    if member is None:
        return
    kept = {name: member[name] for name in ("uuid", "firstName", "email_address", "phoneNumber")}
    body = {**kept, "lastName": f"Name {uuid4().hex[:8]}"}
    await client.do(
        "rename member",
        "member.updated",
        "PUT",
        "/user",
        json=body,
    )


async def switch_member(client: CompanyClient) -> None:
    member = await _member(client)
    if member is None:
        return
    enabled = not member["isActive"]
    await client.do(
        "switch member",
        f"member.{'enabled' if enabled else 'disabled'}",
        "PUT",
        f"/user/status/{member['uuid']}",
        json={"enabled": enabled},
    )


async def remove_member(client: CompanyClient) -> None:
    member = await _member(client)
    if member is None:
        return
    await client.do(
        "remove member",
        "member.removed",
        "DELETE",
        f"/user/{member['uuid']}",
        done="member_not_found",
    )


async def transfer_leadership(client: CompanyClient) -> None:
    """The new leader goes on, and enters the passphrase again."""
    member = await _member(client)
    if member is None or not member["isActive"]:
        return
    await client.do(
        "transfer leadership",
        "leadership.reassigned",
        "PUT",
        f"/user/team-leader/{member['uuid']}",
        # The former leader's session has ended.
        done="session_expired",
    )
    address = member["email_address"]
    client.members[client.email] = (client.phone, client.secret)
    client.phone, client.secret = client.members.pop(address)
    client.email, client.leader = address, member["uuid"]
    await log_in(client)
    await change_passphrase(client)
