from datetime import UTC, datetime
from pathlib import Path

import pytest

from tessera.kit.database import Connection
from tessera.limits import UPLOADED_BYTES
from tessera.storage.quota.queries import BillingPeriod
from tessera.storage.quota.service import billing_month
from tests.factories.people import Team
from tests.storage.client import Device, SpaceClient
from tests.storage.packs import PackFile


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class TestBillingMonth:
    @pytest.mark.parametrize(
        ("now", "period", "month"),
        [
            ("2026-02-15", None, ("2026-02-01", "2026-03-01")),
            ("2026-12-31", None, ("2026-12-01", "2027-01-01")),
            ("2026-02-15", ("2026-02-10", "2026-03-10"), ("2026-02-10", "2026-03-10")),
            # A trial ends before the month does.
            ("2026-02-15", ("2026-02-10", "2026-02-24"), ("2026-02-10", "2026-02-24")),
            # Yearly plans go in steps; a short month ends a step early.
            ("2026-03-30", ("2026-01-31", "2027-01-31"), ("2026-02-28", "2026-03-31")),
            ("2027-01-30", ("2026-01-31", "2027-01-31"), ("2026-12-31", "2027-01-31")),
            # The provider's answer is late.
            ("2026-03-11", ("2026-02-10", "2026-03-10"), ("2026-03-10", "2026-04-10")),
        ],
    )
    def test_billing_month_is_the_step_that_holds_today(
        self, now: str, period: tuple[str, str] | None, month: tuple[str, str]
    ) -> None:
        starts, ends = (day(text) for text in period) if period else (None, None)
        found = billing_month(BillingPeriod(day(now), starts, ends))
        assert (found.starts_at, found.renews_at) == tuple(day(text) for text in month)


class TestUsage:
    async def test_counts_by_month_member_and_warehouse(
        self, leader: Device, member: Device, space: SpaceClient, buckets: list[Path]
    ) -> None:
        await space.add(leader, member)
        await PackFile(space, 3000).store(leader)
        await PackFile(space, 2000).store(member)
        await PackFile(space, 1000).begin(member)
        usage = await leader.ok("GET", "/usage")
        quota = UPLOADED_BYTES.maximum
        assert (usage["quota"], usage["used"], usage["reserved"]) == (quota, 5000, 1000)
        assert usage["left"] == quota - 6000
        assert usage["stored"] == 5000
        assert usage["storedCoded"] == 3 * (1500 + 96) + 3 * (1000 + 96)
        assert [month["bytes"] for month in usage["months"]] == [5000]
        assert [row["bytes"] for row in usage["members"]] == [3000, 2000]
        assert [row["name"] for row in usage["members"]] == ["Omar Haddad"] * 2
        assert [row["shards"] for row in usage["warehouses"]] == [2, 2, 2]
        own = await member.ok("GET", "/usage")
        assert [row["uuid"] for row in own["members"]] == [str(member.user.uuid)]

    async def test_months_follow_the_subscription(
        self, leader: Device, space: SpaceClient, buckets: list[Path], team: Team,
        platform: Connection,
    ) -> None:  # fmt: skip
        await PackFile(space).store(leader)
        await platform.execute(
            "INSERT INTO subscriptions (company_id, status, current_period_start,"
            " current_period_end) VALUES ($1, 'active', now() - interval '3 days',"
            " now() + interval '27 days')",
            team.company.id,
        )
        usage = await leader.ok("GET", "/usage")
        assert (usage["used"], usage["stored"]) == (0, 3000)
        assert [month["bytes"] for month in usage["months"]] == [3000]


class TestHealth:
    async def test_counts_packs_by_stored_shards(
        self, leader: Device, space: SpaceClient, buckets: list[Path], platform: Connection
    ) -> None:
        packs = [PackFile(space) for _ in range(4)]
        for pack in packs[:3]:
            await pack.store(leader)
            await pack.commit(leader)
        await packs[3].send(leader, 0, 1)
        await packs[3].complete(leader, 0, 1)
        health = await leader.ok("GET", "/health")
        assert (health["packs"], health["notSafe"], health["lost"]) == (4, 0, 0)
        await packs[3].commit(leader)
        damage = "UPDATE pack_shards SET state = $2 WHERE pack_id = $1 AND index <= $3"
        await platform.execute(damage, packs[0].id, "missing", 0)
        await platform.execute(damage, packs[1].id, "wrong", 1)
        health = await leader.ok("GET", "/health")
        assert (health["notSafe"], health["degraded"], health["lost"]) == (2, 0, 1)
        assert sum(row["missing"] for row in health["warehouses"]) == 4
        assert {row["isPlaced"] for row in health["warehouses"]} == {True}

    async def test_a_removed_warehouse_leaves_shards_without_one(
        self, leader: Device, space: SpaceClient, buckets: list[Path], platform: Connection
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        await pack.commit(leader)
        await platform.execute("DELETE FROM warehouses WHERE id = (SELECT max(id) FROM warehouses)")
        health = await leader.ok("GET", "/health")
        assert (health["notSafe"], health["lost"]) == (1, 0)
        await platform.execute("DELETE FROM warehouses")
        assert (await leader.ok("GET", "/health"))["lost"] == 1
