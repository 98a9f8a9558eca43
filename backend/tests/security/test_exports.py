"""Attacks on exports: what a member enters must not become a formula in somebody's spreadsheet."""

import csv
import io

import httpx
import pytest

from tessera.kit.exports import safe_cell
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.security.attacker import error_of

FORMULAS = ["=1+1", "+1", "-1", "@SUM(1)", "＝1+1", '=HYPERLINK("http://evil.example")']
STARTS = tuple("=+-@＝＋－＠")


def cells_elsewhere(text: str) -> list[str]:
    """The cells of a spreadsheet that separates by semicolons or tabs, as many countries' do. It
    takes a quotation mark inside a cell for a letter, and so ends a row at every line break."""
    return [
        cell.strip('"')
        for line in text.splitlines()
        for part in line.split(";")
        for cell in part.split("\t")
    ]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize(
    "before", ["", ";", "Ada;", "Ada\t", "Ada\n", "Ada\r\n", ';"', "\n\n", "a;;"]
)
def test_no_cell_of_any_spreadsheet_begins_with_a_formula(before: str, formula: str) -> None:
    line = io.StringIO()
    csv.writer(line).writerow(["first", safe_cell(before + formula), "last"])
    (row,) = csv.reader(io.StringIO(line.getvalue()))
    assert not row[1].startswith(STARTS)
    assert not [cell for cell in cells_elsewhere(line.getvalue()) if cell.startswith(STARTS)]


@pytest.mark.parametrize(
    "text", ["Ada", "O'Neil", "Ada-Lind", "a=b", "1; 2", "a, -b", "x@y.test", "", "Smith; Sons"]
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert safe_cell(text) == text


@pytest.mark.parametrize("number", ["+12025550100", "+1 202 555 0100"])
def test_phone_number_gets_no_apostrophe(number: str) -> None:
    assert safe_cell(number) == number


async def test_a_members_name_is_no_formula_in_any_export(
    client: httpx.AsyncClient, people: People, make: Factory
) -> None:
    team = await people.team()
    member = await people.person(team.company, first_name="Ada;=cmd|' /C calc'!A0")
    leader = await make.session(team.leader, verified=True)
    body = {"uuids": [str(member.uuid)], "enabled": False}
    assert (await client.put("/api/users/status", json=body, headers=leader)).status_code == 204
    for path in ("/api/users/export", "/api/activity/export"):
        text = (await client.get(path, headers=leader)).content.decode("utf-8-sig")
        assert not [cell for cell in cells_elsewhere(text) if cell.startswith(("=", "@"))], text


class TestTenants:
    async def test_members_of_another_company_are_not_exported(
        self, client: httpx.AsyncClient, people: People, make: Factory
    ) -> None:
        team, other = await people.team(), await people.team()
        leader = await make.session(team.leader, verified=True)
        answer = await client.get(f"/api/users/{other.company.id}/export", headers=leader)
        assert answer.status_code in {403, 404}
        for query in ({"companyId": other.company.id}, {"company_id": str(other.company.id)}):
            answer = await client.get("/api/users/export", params=query, headers=leader)
            assert other.member.email not in answer.text

    @pytest.mark.parametrize(
        "path", ["/api/users/export", "/api/activity/export", "/api/companies/export"]
    )
    async def test_export_by_a_member_is_refused(
        self, client: httpx.AsyncClient, people: People, make: Factory, path: str
    ) -> None:
        team = await people.team()
        headers = await make.session(team.member, verified=True)
        assert error_of(await client.get(path, headers=headers))[0] == 403

    @pytest.mark.parametrize(
        "query",
        [
            {"searchText": "' OR 1=1 --"},
            {"searchText": "%"},
            {"sortBy": "id; DROP TABLE users"},
            {"limit": "1000000"},
            {"offset": "-1"},
        ],
    )
    async def test_odd_queries_reach_no_other_company(
        self, client: httpx.AsyncClient, people: People, make: Factory, query: dict[str, str]
    ) -> None:
        team, other = await people.team(), await people.team()
        leader = await make.session(team.leader, verified=True)
        answer = await client.get("/api/users/export", params=query, headers=leader)
        assert answer.status_code in {200, 422}
        assert other.member.email not in answer.text
