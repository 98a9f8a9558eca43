"""Attacks on calls that change several rows at once: all of them or none, and only one's own."""

from functools import partial
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.security.attacker import error_of, snapshot, together

STATUS, REMOVE, RESEND = "/api/users/status", "/api/users/remove", "/api/invites/resend"


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def other(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader, verified=True)


async def ask(
    client: httpx.AsyncClient, headers: dict[str, str], path: str, ids: list[Any]
) -> httpx.Response:
    if path == STATUS:
        return await client.put(path, json={"uuids": ids, "enabled": False}, headers=headers)
    name = "keys" if path == RESEND else "uuids"
    return await client.post(path, json={name: ids}, headers=headers)


def ids_of(team: Team, path: str) -> list[str]:
    return [str(team.invite if path == RESEND else team.member.uuid)]


PATHS = pytest.mark.parametrize("path", [STATUS, REMOVE, RESEND])


@PATHS
async def test_ids_of_another_company_change_nothing(
    client: httpx.AsyncClient, leader: dict[str, str], team: Team, other: Team, people: People,
    platform: Connection, path: str,
) -> None:  # fmt: skip
    own, foreign = ids_of(team, path), ids_of(other, path)
    admin = str((await people.admin()).uuid)
    before = [await snapshot(platform, each.company.id) for each in (team, other)]
    for ids in (
        foreign,
        own + foreign,
        foreign + own,
        [*own, str(uuid4())],
        [*own, admin],
        # An id of the other kind.
        [*own, str(team.member.uuid if path == RESEND else team.invite)],
    ):
        assert (await ask(client, leader, path, ids)).status_code == 404, ids
    # Reading a session's row may renew it; nothing else may differ.
    after = [await snapshot(platform, each.company.id) for each in (team, other)]
    for one in (*before, *after):
        one.pop("public.sessions")
    assert after == before


@PATHS
async def test_bulk_action_with_too_many_ids_is_refused(
    client: httpx.AsyncClient, leader: dict[str, str], team: Team, path: str
) -> None:
    own = ids_of(team, path)
    assert error_of(await ask(client, leader, path, own * 101)) == (422, "invalid_input")
    assert error_of(await ask(client, leader, path, own * 20_000)) == (422, "invalid_input")
    answer = await ask(client, leader, path, [str(uuid4())] * 1_000_000)
    assert answer.status_code == 413


@PATHS
@pytest.mark.parametrize(
    "ids", [[], [None], [1], [""], ["' OR 1=1 --"], ["x" * 36], [[str(uuid4())]], "all"]
)
async def test_what_is_no_list_of_ids(
    client: httpx.AsyncClient, leader: dict[str, str], path: str, ids: Any
) -> None:
    assert error_of(await ask(client, leader, path, ids)) == (422, "invalid_input")


@pytest.mark.parametrize(
    ("path", "code"),
    [(STATUS, "team_leader_cannot_be_disabled"), (REMOVE, "team_leader_cannot_be_removed")],
)
async def test_the_leader_among_others_spares_all(
    client: httpx.AsyncClient, leader: dict[str, str], team: Team, platform: Connection,
    path: str, code: str,
) -> None:  # fmt: skip
    ids = [str(team.member.uuid), str(team.leader.uuid)]
    for order in (ids, ids[::-1], [ids[1]]):
        assert error_of(await ask(client, leader, path, order))[1] == code
    states = await platform.fetch(
        "SELECT is_active FROM users WHERE company_id = $1", team.company.id
    )
    assert [row["is_active"] for row in states] == [True, True]


@pytest.mark.parametrize("path", [STATUS, REMOVE])
async def test_one_member_named_in_many_ways_is_changed_and_told_once(
    client: httpx.AsyncClient, leader: dict[str, str], team: Team, platform: Connection,
    outbox: Outbox, path: str,
) -> None:  # fmt: skip
    uuid = team.member.uuid
    spellings = [str(uuid), str(uuid).upper(), uuid.hex, f"urn:uuid:{uuid}", f"{{{uuid}}}"]
    assert (await ask(client, leader, path, spellings * 20)).status_code == 204
    recorded = await platform.fetchval(
        "SELECT count(*) FROM activity WHERE company_id = $1 AND target = $2",
        team.company.id, team.member.email,
    )  # fmt: skip
    messages = await platform.fetchval(
        "SELECT count(*) FROM messages WHERE company_id = $1", team.company.id
    )
    assert (recorded, messages) == (1, 1)


@pytest.mark.parametrize("path", [STATUS, REMOVE])
async def test_two_at_once_change_once(
    client: httpx.AsyncClient, leader: dict[str, str], team: Team, people: People,
    platform: Connection, path: str,
) -> None:  # fmt: skip
    ids = [
        str(team.member.uuid),
        *[str((await people.person(team.company)).uuid) for _ in range(3)],
    ]
    answers = await together(
        [partial(ask, client, leader, path, order) for order in (ids, ids[::-1])]
    )
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == ([204, 204] if path == STATUS else [204, 404])
    recorded = await platform.fetchval(
        "SELECT count(*) FROM activity WHERE company_id = $1 AND action LIKE 'member.%'",
        team.company.id,
    )
    assert recorded == 4


@PATHS
async def test_bulk_action_by_a_member_is_refused(
    client: httpx.AsyncClient, team: Team, make: Factory, path: str
) -> None:
    headers = await make.session(team.member, verified=True)
    assert (await ask(client, headers, path, ids_of(team, path))).status_code == 403
