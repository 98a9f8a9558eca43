"""The maintained totals of lists are exact, whatever happens at the same time."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import asyncpg
import httpx
import pytest

from chaos.audit.companies import QUERIES
from tessera.kit.database import Connection, Database
from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.factories.accounts import Factory
from tests.factories.people import People

# Runs in one statement, and therefore sees totals and rows of the same moment.
DIFFERENCES = QUERIES["a total that differs from its rows"]
MEMBER_DIFFERENCES = QUERIES["a number of members that differs from its total"]
INVITE = """
    INSERT INTO invites (company_id, email, email_folded, token_hash, expires_at)
    SELECT $1, address, address, sha256(address::bytea), now() + interval '1 day'
    FROM (SELECT gen_random_uuid()::text AS address FROM generate_series(1, $2)) given
    ON CONFLICT (company_id, email_folded) WHERE state = 'open' DO UPDATE SET email = excluded.email
"""
USER = """
    INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded, phone_number,
        role, salt, password_hash, sealed_user_key)
    SELECT id, $1, '', '', id::text, id::text, '', 'teamMember', decode(repeat('00', 16), 'hex'),
        '!', '' FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) given
"""
NEWEST = (
    "(SELECT id FROM {} WHERE company_id = $1 ORDER BY id DESC LIMIT $2 FOR UPDATE SKIP LOCKED)"
)
# A company and a number of rows are the parameters of each.
CHANGES = (
    INVITE,
    USER,
    "INSERT INTO activity (company_id, action) SELECT $1, 'a.b' FROM generate_series(1, $2)",
    "UPDATE invites SET state = 'used', ended_at = now() WHERE state = 'open' AND id IN "
    + NEWEST.format("invites"),
    "UPDATE invites SET state = 'cancelled', ended_at = now() WHERE state = 'open' AND id IN "
    + NEWEST.format("invites"),
    "UPDATE invites SET email = 'other' WHERE id IN " + NEWEST.format("invites"),
    "DELETE FROM invites WHERE id IN " + NEWEST.format("invites"),
    "DELETE FROM users WHERE id IN " + NEWEST.format("users"),
    "DELETE FROM activity WHERE id IN " + NEWEST.format("activity"),
)


Connect = Callable[[], Awaitable[Connection]]


@pytest.fixture
async def connect(urls: EmbeddedUrls) -> AsyncIterator[Connect]:
    async with AsyncExitStack() as stack:

        async def connect() -> Connection:
            connection = await asyncpg.connect(urls.superuser)
            stack.push_async_callback(connection.close)
            return connection

        yield connect


async def change(connection: Connection, dice: random.Random, companies: list[int]) -> None:
    """One transaction of a few changes to a company, committed or rolled back."""
    company = dice.choice(companies)
    transaction = connection.transaction()
    await transaction.start()
    for _ in range(dice.randint(1, 3)):
        await connection.execute(dice.choice(CHANGES), company, dice.randint(1, 3))
    if dice.random() < 0.3:
        await transaction.rollback()
    else:
        await transaction.commit()


class TestConcurrency:
    async def test_totals_equal_their_rows_at_every_moment(
        self, connect: Connect, make: Factory, platform: Connection
    ) -> None:
        companies = [(await make.company()).id for _ in range(2)]
        done = asyncio.Event()

        async def work(seed: int) -> None:
            connection = await connect()
            dice = random.Random(seed)
            for _ in range(40):
                await change(connection, dice, companies)

        async def watch() -> int:
            looked = 0
            while not done.is_set():
                assert await platform.fetch(DIFFERENCES) == []
                assert await platform.fetch(MEMBER_DIFFERENCES) == []
                looked += 1
            return looked

        watching = asyncio.create_task(watch())
        await asyncio.gather(*(work(seed) for seed in range(6)))
        done.set()
        assert await watching > 0
        assert await platform.fetch(DIFFERENCES) == []
        assert await platform.fetch(MEMBER_DIFFERENCES) == []
        assert await platform.fetchval("SELECT sum(count) FROM row_counts") > 0

    async def test_no_transaction_waits_for_another_s_total(
        self, connect: Connect, make: Factory, platform: Connection
    ) -> None:
        company = (await make.company()).id
        record = "INSERT INTO activity (company_id, action) VALUES ($1, 'a.b')"
        first = await connect()
        second = await connect()
        await first.execute(record, company)
        open_one = first.transaction()
        await open_one.start()
        await first.execute(record, company)
        await second.execute("SET lock_timeout = '10s'")
        await second.execute(record, company)
        total = "SELECT row_count($1, 'activity')"
        assert await platform.fetchval(total, company) == 2
        await open_one.rollback()
        assert await platform.fetchval(total, company) == 2
        assert await platform.fetch(DIFFERENCES) == []


class TestCompanies:
    async def test_a_deleted_company_leaves_no_totals(
        self, make: Factory, people: People, platform: Connection
    ) -> None:
        team, other = await people.team(), await people.team()
        for each in (team, other):
            await people.invite(each.company, "asked@company.test")
            await platform.execute(CHANGES[2], each.company.id, 2)
        await platform.execute("DELETE FROM companies WHERE id = $1", team.company.id)
        left = await platform.fetch("SELECT DISTINCT company_id FROM row_counts ORDER BY 1")
        assert [row["company_id"] for row in left] == [1, other.company.id]
        assert await platform.fetch(MEMBER_DIFFERENCES) == []
        assert await platform.fetchval("SELECT row_count(1, 'companies')") == 1
        assert await platform.fetchval("SELECT row_count(1, 'all_activity')") == 2
        assert await platform.fetch(DIFFERENCES) == []

    async def test_lists_and_columns_show_them(
        self, client: httpx.AsyncClient, make: Factory, people: People, platform: Connection
    ) -> None:
        team = await people.team()
        await platform.execute(USER, team.company.id, 10)
        admin = await make.session(await people.admin())
        page = (await client.get("/api/companies", headers=admin)).json()
        assert page["item2"] == 1
        assert page["item1"][0]["memberCount"] == 12
        members = await client.get(f"/api/users/{team.company.id}", headers=admin)
        assert members.json()["item2"] == 12


class TestRights:
    async def test_the_application_reads_its_company_s_totals_and_writes_none(
        self, app: object, people: People
    ) -> None:
        mine, theirs = await people.team(), await people.team()
        database: Database = app.state.resources.database  # type: ignore[attr-defined]
        async with database.tenant(mine.company.id) as connection:
            seen = await connection.fetch("SELECT DISTINCT company_id FROM row_counts")
            assert [row["company_id"] for row in seen] == [mine.company.id]
            total = "SELECT row_count($1, 'members')"
            assert await connection.fetchval(total, mine.company.id) == 2
            assert await connection.fetchval(total, theirs.company.id) == 0
        for statement in (
            "UPDATE row_counts SET count = 0",
            "DELETE FROM row_counts",
            f"INSERT INTO row_counts VALUES ({mine.company.id}, 'members', DEFAULT, 1)",
            f"SELECT add_to_row_count({mine.company.id}, 'members', 1)",
            "UPDATE member_counts SET count = 0",
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with database.tenant(mine.company.id) as connection:
                    await connection.execute(statement)
