import httpx
import pytest

from tests.authz.matrix import MATRIX, ROLES, Row, Target
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.factories.warehouses import Warehouses


class Cells:
    """Creates fresh data for each cell, so that no call sees the effects of another."""

    def __init__(
        self, client: httpx.AsyncClient, make: Factory, people: People, warehouses: Warehouses
    ) -> None:
        self._client = client
        self._make = make
        self._people = people
        self._warehouses = warehouses

    async def send(
        self, row: Row, role: str, *, foreign: bool, verified: bool = True
    ) -> httpx.Response:
        headers, target = await self._world(role, foreign, verified)
        method, path = row.call.split()
        return await self._client.request(
            method,
            path.format(**row.places(target)),
            params=row.query(target),
            json=row.body(target),
            headers=headers,
        )

    async def _world(
        self, role: str, foreign: bool, verified: bool
    ) -> tuple[dict[str, str], Target]:
        team = await self._people.team(subscribed=role != "unsubscribed", warehouses=True)
        if role == "guest":
            headers = {}
        elif role == "admin":
            headers = await self._make.session(await self._people.admin(), verified=verified)
        else:
            person = team.member if role == "member" else team.leader
            headers = await self._make.session(person, verified=verified)
        if role == "admin" and not foreign:
            other = await self._people.admin()
            stored, session = await self._stored(1), await self._people.session(other)
            space, token = await self._people.space(other), await self._make.api_token(other)
            provider = await self._make.provider(1)
            return headers, Target(
                1, "Tessera", other.uuid, team.invite, stored, session, space, token.id, provider
            )
        if foreign and role != "admin":
            team = await self._people.team(warehouses=True)
        stored, session = (
            await self._stored(team.company.id),
            await self._people.session(team.member),
        )
        member, space = team.member.uuid, await self._people.space(team.member)
        token = await self._make.api_token(team.leader)
        provider = await self._make.provider(team.company.id)
        return headers, Target(
            team.company.id,
            team.name,
            member,
            team.invite,
            stored,
            session,
            space,
            token.id,
            provider,
        )

    async def _stored(self, company_id: int) -> int:
        return (await self._warehouses.add(company_id)).id


@pytest.fixture
def cells(
    client: httpx.AsyncClient, make: Factory, people: People, warehouses: Warehouses
) -> Cells:
    return Cells(client, make, people, warehouses)


async def test_every_endpoint_has_a_row(client: httpx.AsyncClient) -> None:
    described = (await client.get("/api/openapi.json")).json()["paths"]
    calls = {
        f"{method.upper()} {path}" for path, methods in described.items() for method in methods
    }
    rows = [row.call for row in MATRIX]
    assert calls - set(rows) == set(), "add a row for these to tests/authz/matrix.py"
    assert set(rows) - calls == set(), "these are gone"
    assert len(rows) == len(set(rows))


@pytest.mark.extended
@pytest.mark.spec("1.6", "6.2", "6.3", "6.5", "6.7")
@pytest.mark.parametrize("row", MATRIX, ids=lambda row: row.call)
async def test_call_answers_each_role_as_the_matrix_says(cells: Cells, row: Row) -> None:
    for foreign, expected in ((False, row.own), (True, row.foreign)):
        got = []
        for role, status in zip(ROLES, (expected or "").split(), strict=bool(expected)):
            if status == "-":
                got.append("-")
                continue
            answer = await cells.send(row, role, foreign=foreign)
            got.append(str(answer.status_code))
        assert " ".join(got) == (expected or ""), "another company's" if foreign else "the own"


@pytest.mark.parametrize("row", [row for row in MATRIX if row.verified], ids=lambda row: row.call)
async def test_verified_access_is_asked_of_those_who_may(cells: Cells, row: Row) -> None:
    asked = 0
    for foreign, expected in ((False, row.own), (True, row.foreign)):
        for role, status in zip(ROLES, (expected or "").split(), strict=bool(expected)):
            if status in {"401", "403"}:
                continue
            answer = await cells.send(row, role, foreign=foreign, verified=False)
            assert answer.json()["code"] == "verification_required", role
            asked += 1
    assert asked
