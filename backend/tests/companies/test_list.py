"""Filtering and sorting the companies by what triggers maintain."""

import asyncio
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection, Database
from tessera.subscription.queries import mark_lapsed
from tests.factories.accounts import Factory
from tests.factories.people import People


@pytest.fixture
async def admin(people: People, make: Factory) -> dict[str, str]:
    return await make.session(await people.admin())


class TestSubscriptionStates:
    """The list shows, filters and sorts by the same states."""

    async def arrange(self, people: People, platform: Connection) -> dict[str, int]:
        """A company in each state; `lapsed` has ended without an event."""
        ids: dict[str, int] = {}
        states = ("none", "trialing", "active", "pastDue", "ended", "deactivated", "lapsed")
        for state in states:
            company_id = ids[state] = (await people.team()).company.id
            status = {"trialing": "trialing", "pastDue": "past_due"}.get(state, "active")
            await platform.execute(
                "INSERT INTO subscriptions (company_id, status) VALUES ($1, '')", company_id
            )
            await platform.execute(
                "UPDATE subscriptions SET status = $2 WHERE company_id = $1", company_id, status
            )
        await platform.execute(
            "UPDATE companies SET subscribed_until = NULL WHERE id = $1", ids["none"]
        )
        await platform.execute(
            "UPDATE companies SET subscribed_until = now() WHERE id = $1", ids["ended"]
        )
        await platform.execute(
            "UPDATE companies SET deactivated_for_debt_at = now() WHERE id = $1",
            ids["deactivated"],
        )
        await platform.execute(
            "UPDATE companies SET subscribed_until = clock_timestamp() WHERE id = $1",
            ids["lapsed"],
        )
        return ids

    async def page(
        self, client: httpx.AsyncClient, admin: dict[str, str], **query: Any
    ) -> list[tuple[int, str]]:
        answer = await client.get("/api/companies", params={"limit": 25, **query}, headers=admin)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert page["item2"] == len(page["item1"])
        return [(row["id"], row["subscriptionState"]) for row in page["item1"]]

    async def test_subscription_state_is_found_by_its_filter(
        self, client: httpx.AsyncClient, people: People, admin: dict[str, str], platform: Connection
    ) -> None:
        ids = await self.arrange(people, platform)
        stored = "SELECT subscription_state FROM companies WHERE id = $1"
        assert await platform.fetchval(stored, ids["lapsed"]) == "active"
        shown = {
            state: await self.page(client, admin, filter=f"subscriptionState:matches:{state}")
            for state in ids
            if state != "lapsed"
        }
        assert shown == {
            "none": [(ids["none"], "none")],
            "trialing": [(ids["trialing"], "trialing")],
            "active": [(ids["active"], "active")],
            "pastDue": [(ids["pastDue"], "pastDue")],
            "ended": [(ids["lapsed"], "ended"), (ids["ended"], "ended")],
            "deactivated": [(ids["deactivated"], "deactivated")],
        }
        await mark_lapsed(platform)
        assert await platform.fetchval(stored, ids["lapsed"]) == "ended"

    async def test_companies_are_sorted_by_subscription_state(
        self, client: httpx.AsyncClient, people: People, admin: dict[str, str], platform: Connection
    ) -> None:
        await self.arrange(people, platform)
        await mark_lapsed(platform)
        rising = await self.page(client, admin, sort="subscriptionState:asc")
        assert [state for _, state in rising] == [
            "active", "deactivated", "ended", "ended", "none", "pastDue", "trialing",
        ]  # fmt: skip
        falling = await self.page(client, admin, sort="subscriptionState:desc")
        assert falling == rising[::-1]

    async def test_concurrent_changes_leave_the_state_of_both(
        self, app: object, people: People, platform: Connection
    ) -> None:
        company_id = (await people.team()).company.id
        await platform.execute(
            "INSERT INTO subscriptions (company_id, status) VALUES ($1, 'trialing')", company_id
        )
        database: Database = app.state.resources.database  # type: ignore[attr-defined]

        async def extend() -> None:
            async with database.tenant(company_id) as connection:
                await connection.execute(
                    "UPDATE companies SET subscribed_until = now() + interval '1 day'"
                )

        async with database.tenant(company_id) as connection:
            await connection.execute("UPDATE subscriptions SET status = 'past_due'")
            waiting = asyncio.create_task(extend())
            await until_waiting(platform)
        await waiting
        state = await platform.fetchval(
            "SELECT subscription_state FROM companies WHERE id = $1", company_id
        )
        assert state == "pastDue"


async def until_waiting(platform: Connection) -> None:
    """Until a transaction waits for another one's row."""
    waits = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid')"
    async with asyncio.timeout(60):
        while not await platform.fetchval(waits):
            pass


class TestMemberCounts:
    async def test_companies_are_filtered_and_sorted_by_them(
        self, client: httpx.AsyncClient, people: People, admin: dict[str, str], make: Factory
    ) -> None:
        empty = (await make.company()).id
        small, large = (await people.team()).company.id, (await people.team()).company
        await people.person(large)

        async def ids(**query: str) -> list[int]:
            answer = await client.get("/api/companies", params=query, headers=admin)
            assert answer.status_code == 200, answer.text
            page = answer.json()
            assert page["item2"] == len(page["item1"])
            return [row["id"] for row in page["item1"]]

        assert await ids(sort="memberCount:asc") == [empty, small, large.id]
        assert await ids(sort="memberCount:desc") == [large.id, small, empty]
        assert await ids(filter="memberCount:greaterThan:1") == [large.id, small]
        assert await ids(filter="memberCount:lessThan:1") == [empty]
        assert await ids(filter="memberCount:matches:3") == [large.id]
        assert await ids(filter="memberCount:startsWith:2") == [small]
        assert await ids(filter="memberCount:greaterThan:1", sort="memberCount:asc") == [
            small, large.id,
        ]  # fmt: skip

    @pytest.mark.parametrize(
        "text",
        [
            "memberCount:greaterThan:x", "memberCount:matches:-1", f"memberCount:matches:{9**30}",
            "memberCount:lessThan:٣", "subscriptionState:matches:paid",
            "subscriptionState:contains:active",
        ],
    )  # fmt: skip
    async def test_other_values_are_refused(
        self, client: httpx.AsyncClient, admin: dict[str, str], text: str
    ) -> None:
        answer = await client.get("/api/companies", params={"filter": text}, headers=admin)
        assert (answer.status_code, answer.json()["code"]) == (422, "filter_not_understood")
