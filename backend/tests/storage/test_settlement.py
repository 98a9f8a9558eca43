"""What was sent with upload links counts, whether it was reported or not."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tessera import limits
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage.clouds import call_all
from tessera.storage.quota import service as quota
from tessera.storage.settlement import queries as settlement_queries
from tessera.storage.settlement import service as settlement
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient
from tests.storage.packs import PackFile, put

pytestmark = pytest.mark.usefixtures("buckets")


async def expire(platform: Connection, *packs: PackFile, hours: int = 1) -> None:
    """Lets time pass for the reservations of these packs, or of all."""
    await platform.execute(
        "UPDATE upload_reservations SET expires_at = now() - make_interval(hours => $1),"
        " check_at = now() WHERE $2 OR pack_id = ANY($3::bytea[])",
        hours, not packs, [pack.id for pack in packs],
    )  # fmt: skip


async def settle(resources: Resources, platform: Connection) -> None:
    for company_id in await settlement_queries.due_companies(platform):
        await settlement.settle_batch(resources, company_id)


async def counted(device: Device) -> tuple[int, int]:
    usage = await device.ok("GET", "/usage")
    return usage["used"], usage["reserved"]


def shard_file(buckets: list[Path], pack: PackFile, index: int) -> Path:
    (found,) = [path for each in buckets for path in each.rglob(f"{pack.id.hex()}.{index}")]
    return found


class TestSettlement:
    async def test_an_expired_reservation_counts_until_the_warehouses_were_asked(
        self, leader: Device, space: SpaceClient, platform: Connection
    ) -> None:
        await PackFile(space).send(leader, 0)
        await platform.execute("UPDATE upload_reservations SET expires_at = now()")
        assert await counted(leader) == (0, 3000)

    @pytest.mark.parametrize("sent", [(0,), (0, 1), (0, 1, 2)])
    async def test_what_was_sent_and_not_reported_is_booked_once(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection,
        sent: tuple[int, ...],
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.send(leader, *sent)
        for hours in (1, 13):
            await expire(platform, hours=hours)
            await settle(resources, platform)
            assert await counted(leader) == (3000, 0)
        assert await platform.fetchval("SELECT count(*) FROM upload_reservations") == 0
        # The rest follows, and is not counted again.
        missing = {0, 1, 2} - set(sent)
        if missing:
            await pack.send(leader, *missing)
            await pack.complete(leader, *missing)
        assert (await pack.commit(leader)).status_code == 200
        assert (await counted(leader))[0] == 3000

    async def test_what_was_never_sent_is_released(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection
    ) -> None:
        await PackFile(space).begin(leader)
        await settle(resources, platform)
        assert await counted(leader) == (0, 3000)
        await expire(platform)
        await settle(resources, platform)
        assert await counted(leader) == (0, 0)

    async def test_what_arrives_after_the_release_is_booked(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection
    ) -> None:
        pack = PackFile(space)
        shards = (await pack.begin(leader)).json()["packs"][0]["shards"]
        await expire(platform)
        await settle(resources, platform)
        assert (await put(leader, shards[0]["link"], pack.object(0))).status_code == 200
        await expire(platform, hours=13)
        await settle(resources, platform)
        assert await counted(leader) == (3000, 0)

    async def test_a_warehouse_that_does_not_answer_keeps_the_reservation(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection,
        buckets: list[Path],
    ) -> None:  # fmt: skip
        await PackFile(space).begin(leader)
        away = buckets[0].rename(buckets[0].with_name("away"))
        await expire(platform)
        await settle(resources, platform)
        assert await counted(leader) == (0, 3000)
        assert await settlement_queries.due_companies(platform) == []
        away.rename(buckets[0])
        await expire(platform)
        await settle(resources, platform)
        assert await counted(leader) == (0, 0)

    async def test_renewing_the_links_does_not_postpone_the_check(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection
    ) -> None:
        pack = PackFile(space)
        await pack.send(leader, 0)
        await expire(platform)
        assert (await pack.begin(leader)).status_code == 200
        await settle(resources, platform)
        assert await counted(leader) == (3000, 0)

    async def test_links_of_a_booked_pack_are_checked_too(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection,
        buckets: list[Path],
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.send(leader)
        shard_file(buckets, pack, 2).write_bytes(bytes(5000))
        await pack.complete(leader, 0, 1)
        assert await counted(leader) == (3000, 0)
        await expire(platform)
        await settle(resources, platform)
        assert await counted(leader) == (3000 + 5000 - 1596, 0)
        assert [path for each in buckets for path in each.rglob(f"{pack.id.hex()}.2")] == []


class TestWrongObjects:
    """As the links of Azure and Dropbox allow them, which do not bind the size."""

    async def test_a_larger_object_is_deleted_and_counts_with_its_size(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection,
        buckets: list[Path],
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.send(leader, 0)
        file = shard_file(buckets, pack, 0)
        file.write_bytes(bytes(100_000))
        done = await pack.complete(leader, 0)
        assert done["shards"] == [{"index": 0, "state": "different"}]
        await expire(platform)
        await settle(resources, platform)
        assert not file.exists()
        assert await counted(leader) == (3000 + 100_000 - 1596, 0)
        # The shard itself can still be sent.
        await pack.store(leader)
        assert (await pack.commit(leader)).status_code == 200
        assert (await counted(leader))[0] == 3000 + 100_000 - 1596

    async def test_wrong_object_that_cannot_be_deleted_now_is_deleted_later(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection,
        buckets: list[Path], monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.send(leader, 0)
        file = shard_file(buckets, pack, 0)
        file.write_bytes(bytes(100_000))
        rounds: list[Any] = []

        async def interrupted(resources: Resources, warehouses: Any, calls: Any) -> Any:
            rounds.append(calls)
            # Nothing is deleted the first time.
            return await call_all(resources, {} if len(rounds) == 1 else warehouses, calls)

        monkeypatch.setattr(settlement, "call_all", interrupted)
        await expire(platform)
        await settle(resources, platform)
        assert file.exists()
        assert await counted(leader) == (3000, 0)
        await expire(platform)
        await settle(resources, platform)
        assert not file.exists()
        assert await counted(leader) == (3000 + 100_000 - 1596, 0)

    async def test_an_object_of_a_committed_pack_is_left_to_the_repair(
        self, leader: Device, space: SpaceClient, resources: Resources, platform: Connection,
        buckets: list[Path],
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.send(leader)
        await pack.complete(leader, 0, 1)
        assert (await pack.commit(leader)).status_code == 200
        file = shard_file(buckets, pack, 2)
        file.write_bytes(bytes(5000))
        await expire(platform)
        await settle(resources, platform)
        assert file.exists()
        assert await platform.fetchval("SELECT count(*) FROM upload_reservations") == 0


class TestShare:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"uploaded_bytes": 40_000}}

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(quota, "MIN_SHARE_PACKS", 0)

    async def test_member_cannot_reserve_the_whole_quota(
        self, leader: Device, member: Device, space: SpaceClient, resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        for _ in range(3):
            assert (await PackFile(space).begin(member)).status_code == 200
        answer = await PackFile(space).begin(member)
        assert error_of(answer) == (409, "upload_share_reached")
        assert (answer.json()["reserved"], answer.json()["share"]) == (9000, 10_000)
        assert (await PackFile(space).begin(leader)).status_code == 200
        usage = await leader.ok("GET", "/usage")
        assert {row["uuid"]: (row["bytes"], row["reserved"]) for row in usage["members"]} == {
            str(member.user.uuid): (0, 9000), str(leader.user.uuid): (0, 3000)
        }  # fmt: skip
        assert usage["share"] == (40_000 - 9000) // 4
        # What is not used is released.
        await expire(platform)
        await settle(resources, platform)
        assert (await PackFile(space).begin(member)).status_code == 200

    async def test_what_is_stored_makes_room(self, leader: Device, space: SpaceClient) -> None:
        for _ in range(5):
            await PackFile(space, 5000).store(leader)

    async def test_many_small_packs_of_one_member(
        self, leader: Device, member: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await space.add(leader, member)
        monkeypatch.setitem(limits.CHANGED, "uploads", 8)
        begin = [partial(PackFile(space, 2).begin, member) for _ in range(3)]
        assert [(await call()).status_code for call in begin] == [200, 200, 409]
        assert (await PackFile(space, 2).begin(leader)).status_code == 200

    async def test_64_packs_are_always_allowed(
        self, leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(quota, "MIN_SHARE_PACKS", 64)
        assert (await PackFile(space, 40_000).begin(leader)).status_code == 200
