"""Who is mailed about warehouses besides the leader."""

from uuid import uuid4

import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.warehouses.health.notices import report_changes
from tessera.warehouses.health.queries import CheckedWarehouse
from tests.factories.accounts import Outbox, User
from tests.factories.people import People, Team
from tests.warehouses.leader import Leader

LOST = CheckedWarehouse(
    id=7, type=3, nick_name="Frankfurt", status=0, last_error="unreachable", before=2,
    first=False, has_been_active=True,
)  # fmt: skip


@pytest.fixture
def resources(app: FastAPI) -> Resources:
    resources: Resources = app.state.resources
    return resources


async def lose_a_warehouse(resources: Resources, team: Team) -> None:
    async with resources.database.tenant(team.company.id) as connection:
        await report_changes(connection, resources, team.company.id, [LOST])


async def add(leader: Leader, user: User) -> int:
    return (await leader.call("PUT", f"/warehouse-alerts/recipients/{user.uuid}")).status_code


async def recipients(leader: Leader) -> list[str]:
    return [each["email"] for each in (await leader.ok("GET", "/warehouse-alerts"))["recipients"]]


async def addressees(outbox: Outbox) -> list[str]:
    return [mail["to"] for mail in await outbox.messages()]


async def test_a_member_is_mailed_in_their_language_without_the_leader_s_link(
    leader: Leader, team: Team, resources: Resources, outbox: Outbox, platform: Connection
) -> None:
    await platform.execute("UPDATE users SET language = 'ar' WHERE id = $1", team.member.id)
    assert await add(leader, team.member) == 204
    assert await recipients(leader) == [team.member.email]
    await lose_a_warehouse(resources, team)
    to_leader, to_member = await outbox.messages()
    assert (to_leader["to"], to_member["to"]) == (team.leader.email, team.member.email)
    assert to_leader["subject"] == "Warehouse Frankfurt is no longer Active"
    assert to_leader["link"] == "http://console.test/warehouses"
    assert "قائد فريقك" in to_member["text"]
    assert to_member["link"] is None
    assert "you manage" in to_leader["text"]


async def test_adding_twice_and_removing(
    leader: Leader, team: Team, resources: Resources, outbox: Outbox, platform: Connection
) -> None:
    assert [await add(leader, team.member) for _ in range(2)] == [204, 204]
    path = f"/warehouse-alerts/recipients/{team.member.uuid}"
    assert (await leader.call("DELETE", path)).status_code == 204
    assert await leader.code("DELETE", path) == (404, "alert_recipient_not_found")
    assert await recipients(leader) == []
    await lose_a_warehouse(resources, team)
    assert await addressees(outbox) == [team.leader.email]
    rows = await platform.fetch(
        "SELECT action, target FROM activity WHERE action LIKE 'alertRecipient%' ORDER BY id"
    )
    assert [tuple(row) for row in rows] == [
        ("alertRecipient.added", team.member.email),
        ("alertRecipient.removed", team.member.email),
    ]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE users SET is_active = false WHERE id = $1",
        "DELETE FROM users WHERE id = $1",
    ],
    ids=["disabled", "removed"],
)
async def test_who_leaves_gets_no_alerts(
    leader: Leader, team: Team, resources: Resources, outbox: Outbox, platform: Connection,
    change: str,
) -> None:  # fmt: skip
    await add(leader, team.member)
    await platform.execute(change, team.member.id)
    assert await recipients(leader) == []
    await lose_a_warehouse(resources, team)
    assert await addressees(outbox) == [team.leader.email]


async def test_a_recipient_who_becomes_the_leader_is_mailed_once(
    leader: Leader, team: Team, resources: Resources, outbox: Outbox, platform: Connection
) -> None:
    await add(leader, team.member)
    # One after the other: no company may have two leaders, not even within a statement.
    for user, role in ((team.leader, "teamMember"), (team.member, "teamLeader")):
        await platform.execute("UPDATE users SET role = $2 WHERE id = $1", user.id, role)
    await lose_a_warehouse(resources, team)
    (mail,) = await outbox.messages()
    assert mail["to"] == team.member.email
    assert mail["link"] == "http://console.test/warehouses"


async def test_only_active_members_of_the_company(
    leader: Leader, team: Team, people: People
) -> None:
    others = await people.team()
    disabled = await people.person(team.company, active=False)
    for uuid in (team.leader.uuid, others.member.uuid, disabled.uuid, uuid4()):
        refused = await leader.code("PUT", f"/warehouse-alerts/recipients/{uuid}")
        assert refused == (404, "alert_recipient_not_found")
    assert await recipients(leader) == []


async def test_eleventh_alert_recipient_is_refused(
    leader: Leader, team: Team, people: People
) -> None:
    for _ in range(10):
        assert await add(leader, await people.person(team.company)) == 204
    refused = await leader.code("PUT", f"/warehouse-alerts/recipients/{team.member.uuid}")
    assert refused == (409, "too_many_alert_recipients")
    assert len(await recipients(leader)) == 10


async def test_another_company_s_recipients_are_not_mailed(
    leader: Leader, team: Team, people: People, resources: Resources, outbox: Outbox
) -> None:
    await add(leader, team.member)
    others = await people.team(warehouses=True)
    await lose_a_warehouse(resources, others)
    assert await addressees(outbox) == [others.leader.email]
