"""People who are still members of spaces although their accounts are deleted or disabled."""

from typing import Any

import pytest

from tessera.kit.database import Connection
from tessera_core.entries import MemberRemoved
from tests.factories.people import People
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient, create_space


@pytest.fixture
async def joined(leader: Device, member: Device, space: SpaceClient) -> SpaceClient:
    assert (await space.add(leader, member)).status_code == 200
    return space


async def removals(leader: Device) -> list[dict[str, Any]]:
    members: list[dict[str, Any]] = (await leader.ok("GET", "/removals"))["members"]
    assert (await leader.ok("GET", "/health"))["removals"] == len(members)
    return members


async def console(leader: Device, method: str, path: str, body: Any = None) -> None:
    answer = await leader.http.request(method, f"/api/{path}", json=body, headers=leader.headers)
    assert answer.status_code in {200, 204}, answer.text


async def test_nobody_has_to_be_removed_while_all_accounts_are_active(
    leader: Device, joined: SpaceClient
) -> None:
    assert await removals(leader) == []


async def test_a_deleted_account_is_named_until_the_log_says_so(
    leader: Device, member: Device, joined: SpaceClient, platform: Connection
) -> None:
    other = await create_space(leader, joined.recovery)
    assert (await other.add(leader, member)).status_code == 200
    name = await platform.fetchval(
        "SELECT first_name || ' ' || last_name FROM users WHERE uuid = $1", member.user.uuid
    )
    await platform.execute("DELETE FROM users WHERE uuid = $1", member.user.uuid)
    (row,) = await removals(leader)
    assert row == {
        "uuid": str(member.user.uuid),
        "name": name,
        "emailAddress": member.user.email,
        "reason": "deleted",
        "spaces": 2,
    }
    removed = joined.entry(MemberRemoved(member.user.uuid), leader)
    assert (await joined.generation(leader, removed)).status_code == 200
    assert [row["spaces"] for row in await removals(leader)] == [1]
    removed = other.entry(MemberRemoved(member.user.uuid), leader)
    assert (await other.generation(leader, removed)).status_code == 200
    assert await removals(leader) == []
    # The name is kept nowhere any more.
    kept = await platform.fetchval("SELECT count(*) FROM space_members WHERE former_name <> ''")
    assert kept == 0


async def test_the_console_deletes_and_the_member_shows(
    leader: Device, member: Device, joined: SpaceClient
) -> None:
    await console(leader, "DELETE", f"user/{member.user.uuid}")
    (row,) = await removals(leader)
    assert (row["uuid"], row["reason"]) == (str(member.user.uuid), "deleted")
    assert row["name"]


async def test_a_disabled_account_shows_and_an_enabled_one_does_not(
    leader: Device, member: Device, joined: SpaceClient, platform: Connection
) -> None:
    for active in (False, True):
        await platform.execute(
            "UPDATE users SET is_active = $2 WHERE uuid = $1", member.user.uuid, active
        )
        shown = [(row["reason"], row["emailAddress"]) for row in await removals(leader)]
        assert shown == ([] if active else [("disabled", member.user.email)])


async def test_who_was_never_in_a_space_is_not_kept(
    leader: Device, member: Device, space: SpaceClient, platform: Connection
) -> None:
    await platform.execute("DELETE FROM users WHERE uuid = $1", member.user.uuid)
    assert await removals(leader) == []


async def test_only_the_team_leader_sees_them_and_only_the_own_company(
    leader: Device, member: Device, joined: SpaceClient, people: People, platform: Connection
) -> None:
    other = await people.team()
    await people.space(other.member)
    await platform.execute("DELETE FROM users WHERE uuid = $1", other.member.uuid)
    assert await removals(leader) == []
    assert error_of(await member.call("GET", "/removals")) == (403, "forbidden")
    await platform.execute("UPDATE users SET is_active = false WHERE uuid = $1", leader.user.uuid)
    assert (await member.ok("GET", "/health"))["removals"] == 0


async def test_a_company_with_former_members_can_be_deleted(
    leader: Device, member: Device, joined: SpaceClient, platform: Connection
) -> None:
    await platform.execute("DELETE FROM users WHERE uuid = $1", member.user.uuid)
    await platform.execute("DELETE FROM companies WHERE id = $1", leader.user.company.id)
    assert await platform.fetchval("SELECT count(*) FROM space_members") == 0
