import csv
import io
from typing import Any

import asyncpg
import httpx
import pytest

from tessera.kit.database import Connection, Database
from tessera.kit.exports import safe_cell
from tests.factories.accounts import Factory
from tests.factories.people import People, Team


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader)


@pytest.fixture
async def admin(people: People, make: Factory) -> dict[str, str]:
    return await make.session(await people.admin())


async def add_action(
    platform: Connection,
    team: Team,
    action: str,
    *,
    actor: str = "Ada Lindqvist",
    target: str = "",
    days_ago: int = 0,
) -> None:
    await platform.execute(
        "INSERT INTO activity (company_id, actor_name, action, target, origin, details, at)"
        " VALUES ($1, $2, $3, $4, '192.0.2.7', '{\"count\": 2}',"
        " now() - make_interval(days => $5))",
        team.company.id,
        actor,
        action,
        target,
        days_ago,
    )


async def actions(
    client: httpx.AsyncClient, path: str, headers: dict[str, str], **query: object
) -> list[str]:
    answer = await client.get(path, params=query, headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    return [row["action"] for row in answer.json()["item1"]]


class TestList:
    async def test_a_leader_sees_the_own_company_newest_first(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
    ) -> None:
        await add_action(platform, team, "first.done")
        await add_action(platform, await people.team(), "foreign.done")
        await add_action(platform, team, "second.done", target="x@x.test")
        page = (await client.get("/api/activity", headers=leader)).json()
        assert [row["action"] for row in page["item1"]] == ["second.done", "first.done"]
        row = page["item1"][0]
        assert row["details"] == {"count": 2}
        assert (row["actorName"], row["target"]) == ("Ada Lindqvist", "x@x.test")
        assert row["origin"] == "192.0.2.7"
        assert "companyName" not in row

    async def test_an_admin_sees_all_with_the_company_s_name(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        admin: dict[str, str],
        platform: Connection,
    ) -> None:
        other = await people.team()
        await add_action(platform, team, "first.done")
        await add_action(platform, other, "second.done")
        page = (await client.get("/api/admin/activity", headers=admin)).json()
        assert [row["companyName"] for row in page["item1"]] == [other.name, team.name]
        one = {"filter": f"companyName:matches:{team.name}"}
        assert await actions(client, "/api/admin/activity", admin, **one) == ["first.done"]
        by_id = {"filter": f"companyId:matches:{team.company.id}"}
        assert await actions(client, "/api/admin/activity", admin, **by_id) == ["first.done"]

    async def test_an_admin_sees_one_company_s(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        admin: dict[str, str],
        platform: Connection,
    ) -> None:
        await add_action(platform, team, "first.done")
        await add_action(platform, await people.team(), "foreign.done")
        path = f"/api/company/{team.company.id}/activity"
        assert await actions(client, path, admin) == ["first.done"]
        assert await actions(client, path, admin, filter="action:matches:foreign.done") == []
        unknown = await client.get("/api/company/999999/activity", headers=admin)
        assert (unknown.status_code, unknown.json()["code"]) == (404, "company_not_found")

    async def test_activity_is_searched_and_filtered(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        admin: dict[str, str],
        platform: Connection,
    ) -> None:
        await add_action(platform, team, "session.started", actor="Işıl Şahin", days_ago=9)
        await add_action(platform, team, "member.removed", target="Omar@x.test")
        for headers, path in ((leader, "/api/activity"), (admin, "/api/admin/activity")):
            for query, found in [
                ({"searchText": "IŞIL"}, ["session.started"]),
                ({"searchText": "omar@"}, ["member.removed"]),
                ({"searchText": "removed"}, ["member.removed"]),
                ({"searchText": "192.0.2"}, ["member.removed", "session.started"]),
                ({"searchText": "zz"}, []),
                ({"filter": "action:startsWith:session."}, ["session.started"]),
                ({"filter": "actorName:contains:lind"}, ["member.removed"]),
                ({"filter": "at:greaterThan:2020-01-01", "sort": "at:asc"},
                 ["session.started", "member.removed"]),
            ]:  # fmt: skip
                assert await actions(client, path, headers, **query) == found, (path, query)


class TestExport:
    async def test_a_spreadsheet_computes_nothing(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        admin: dict[str, str],
        platform: Connection,
    ) -> None:
        for actor in ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", 'quo"te, comma', "çelik"):
            await add_action(platform, team, "profile.updated", actor=actor)
        answer = await client.get("/api/activity/export", headers=leader)
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"].startswith('attachment; filename="activity-')
        assert answer.content.startswith(b"\xef\xbb\xbf")
        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
        assert rows[0] == ["When", "Who", "What", "Target", "Details", "IP address"]
        assert [row[1] for row in rows[:0:-1]] == [
            "'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", "'\rx", 'quo"te, comma', "çelik",
        ]  # fmt: skip
        everything = await client.get(
            "/api/admin/activity/export", headers={**admin, "Accept-Language": "tr"}
        )
        assert everything.text.lstrip("\ufeff").startswith('"Ne zaman","Şirket","Kim"')
        assert team.name in everything.text

    async def test_activity_export_holds_what_the_filters_leave(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
    ) -> None:
        for number in range(12):
            await add_action(platform, team, "even.done" if number % 2 == 0 else "odd.done")
        query: dict[str, Any] = {"filter": "action:matches:even.done", "limit": 5, "skip": 1}
        answer = await client.get("/api/activity/export", params=query, headers=leader)
        assert answer.text.count("even done") == 6
        assert "odd done" not in answer.text

    @pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a"])
    def test_formulas_are_shown_instead_of_evaluated(self, text: str) -> None:
        assert safe_cell(text) == f"'{text}"

    @pytest.mark.parametrize("text", ["plain", "", "1=1", " =1"])
    def test_other_cells_stay_as_they_are(self, text: str) -> None:
        assert safe_cell(text) == text


@pytest.mark.extended
class TestNarrowDoors:
    """Row-level security does not apply inside these functions, so they check access themselves."""

    async def test_a_search_answers_for_the_company_of_the_transaction_only(
        self, app: object, people: People, team: Team, platform: Connection
    ) -> None:
        other = await people.team()
        for company_id in (team.company.id, other.company.id):
            # Enough rows to use the index: small companies are scanned without it.
            await platform.execute(
                "INSERT INTO activity (company_id, action)"
                " SELECT $1, 'filler.done' FROM generate_series(1, 5001)",
                company_id,
            )
        await add_action(platform, other, "secret.done")
        database: Database = app.state.resources.database  # type: ignore[attr-defined]
        search = "SELECT ids, total FROM activity_matches('secret.done', 9, NULL, NULL, NULL)"
        async with database.tenant(other.company.id) as connection:
            [(ids, total)] = await connection.fetch(search)
            assert (len(ids), total) == (1, 1)
        async with database.tenant(team.company.id) as connection:
            assert [tuple(row) for row in await connection.fetch(search)] == [([], 0)]
        async with database.without_tenant() as connection:
            assert [tuple(row) for row in await connection.fetch(search)] == [(None, None)]

    @pytest.mark.parametrize("name", ["company_matches", "all_activity_matches"])
    async def test_searches_over_all_companies_are_the_platform_s(
        self, app: object, team: Team, name: str
    ) -> None:
        database: Database = app.state.resources.database  # type: ignore[attr-defined]
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.tenant(team.company.id) as connection:
                await connection.fetchval(f"SELECT {name}('company', 9, 0, 10, true)")
