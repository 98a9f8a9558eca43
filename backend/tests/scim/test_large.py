"""A directory of 50,000 people."""

import json
from typing import Any

import asyncpg
import pytest
from scim2_models import ScimFilter

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.scim import queries
from tessera.scim.filters import condition
from tests.scim.directory import Directory

pytestmark = pytest.mark.extended

PEOPLE = 50_000


@pytest.fixture
async def ids(directory: Directory, platform: Connection, urls: EmbeddedUrls) -> list[str]:
    """Their ids, in the order of the list."""
    rows = await platform.fetch(
        "INSERT INTO directory_users"
        " (company_id, user_name, user_name_folded, external_id, emails, email, email_folded)"
        " SELECT $1, n || '@x.test', n || '@x.test', n::text,"
        "  jsonb_build_array(jsonb_build_object('value', n || '@x.test', 'primary', true)),"
        "  n || '@x.test', n || '@x.test'"
        " FROM generate_series(1, $2::int) n RETURNING id::text",
        directory.team.company.id, PEOPLE,
    )  # fmt: skip
    # As autovacuum does; the platform's role may not.
    superuser = await asyncpg.connect(urls.superuser)
    await superuser.execute("VACUUM ANALYZE directory_users")
    await superuser.close()
    return [row["id"] for row in rows]


class Explained:
    """Runs statements, and keeps how many rows each step of their plans has read."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.read: dict[str, int] = {}

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        text = await self._connection.fetchval(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", *values
        )
        self._add(json.loads(text)[0]["Plan"])
        return await self._connection.fetch(statement, *values)

    def _add(self, node: dict[str, Any]) -> None:
        if node.get("Relation Name") == "directory_users":
            rows = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
            kind = node["Node Type"]
            self.read[kind] = self.read.get(kind, 0) + int(rows * node["Actual Loops"])
        for part in node.get("Plans", []):
            self._add(part)


@pytest.mark.parametrize("filter_", ['userName eq "777@x.test"', 'externalId eq "777"'])
async def test_somebody_is_found_by_an_index(
    directory: Directory, ids: list[str], platform: Connection, filter_: str
) -> None:
    explained: Any = Explained(platform)
    where, values = condition(ScimFilter(filter_), queries.FILTERED, first=4)
    (found,) = await queries.users(
        explained, directory.team.company.id, where, values, skip=0, count=100,
    )  # fmt: skip
    assert found.user_name == "777@x.test"
    assert sum(explained.read.values()) <= 2, explained.read


async def test_the_last_page_reads_the_index_and_its_own_rows(
    directory: Directory, ids: list[str], platform: Connection
) -> None:
    explained: Any = Explained(platform)
    company = directory.team.company.id
    page = await queries.users(
        explained,
        company,
        "true",
        [],
        skip=PEOPLE - 48,
        count=200,
    )
    assert len(page) == 50
    in_index = explained.read.pop("Index Only Scan")
    assert in_index <= PEOPLE + 2
    assert sum(explained.read.values()) <= len(page), explained.read
    last = (await directory.get("/Users", startIndex=PEOPLE - 47, count=200)).json()
    assert last["totalResults"] == PEOPLE + 2
    assert [each["id"] for each in last["Resources"]] == [str(each.id) for each in page]
    assert last["Resources"][-1]["id"] == ids[-1]
