"""What a team member learns of colleagues: of the leader a name and an address to ask, of others
nothing that a key for a shared space does not need."""

import httpx
import pytest

from tests.authz.matrix import MATRIX, ROLES, Row, Target
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.factories.warehouses import Warehouses
from tests.storage.client import Device

# Calls whose answers name colleagues, and why.
EXPECTED = {
    "GET /api/sandbox/outbox": "sandbox only, public by design",
    "GET /api/storage/keys/members": "spaces are shared with keys whose owner is known",
}
LEADER_IS_NAMED = {"GET /api/downloads/contact"}


def readable(row: Row) -> bool:
    return row.call.startswith("GET ") and row.own.split()[ROLES.index("member")] == "200"


CALLS = [row for row in MATRIX if readable(row) and row.call not in EXPECTED]


def test_there_are_calls_to_check() -> None:
    assert {"GET /api/auth/profile", "GET /api/storage/usage"} < {row.call for row in CALLS}
    assert EXPECTED.keys() | LEADER_IS_NAMED <= {row.call for row in MATRIX if readable(row)}


@pytest.mark.parametrize("row", CALLS, ids=lambda row: row.call)
async def test_an_answer_names_no_colleague(
    client: httpx.AsyncClient,
    make: Factory,
    people: People,
    warehouses: Warehouses,
    row: Row,
) -> None:
    team = await people.team(warehouses=True)
    colleague = await people.person(
        team.company, first_name="Zebulon", last_name="Quimby", phone_number="+12025550188"
    )
    for person in (team.leader, team.member, colleague):
        await Device(client, person, await make.session(person)).register_keys()
    invited = "newcomer@company.test"
    await people.invite(team.company, invited)
    target = Target(
        team.company.id,
        team.name,
        team.member.uuid,
        team.invite,
        (await warehouses.add(team.company.id)).id,
        await people.session(team.member),
        await people.space(team.member),
        (await make.api_token(team.leader)).id,
        await make.provider(team.company.id),
    )
    answer = await client.get(
        row.call.split()[1].format(**row.places(target)),
        params=row.query(target),
        headers=await make.session(team.member, verified=True),
    )
    assert answer.status_code == 200, answer.text
    for private in ("Zebulon", "Quimby", colleague.email, colleague.phone_number, invited):
        assert private not in answer.text
    assert str(colleague.uuid) not in answer.text
    named = team.leader.email in answer.text
    assert named == (row.call in LEADER_IS_NAMED)
