import secrets
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tessera import limits
from tessera.integrations.clouds.sandbox import SandboxCloud
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera_core.entries import Change, Retire, Unretire
from tessera_core.shards import Shard, recover_pack
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.factories.warehouses import S3_FORM, Warehouses
from tests.security.attacker import error_of, together
from tests.storage.client import Device, SpaceClient, create_space, encoded
from tests.storage.packs import ACTIVE, PackFile, add_warehouses, links, put
from tests.storage.test_log import reason
from tests.storage.test_settlement import expire, settle

pytestmark = pytest.mark.usefixtures("buckets")


class TestPlacement:
    async def test_uploads_use_the_company_s_own_warehouses(self, member: Device) -> None:
        placement = await member.ok("GET", "/placement")
        assert (placement["k"], placement["n"]) == (2, 3)
        assert [row["type"] for row in placement["warehouses"]] == [3, 3, 3]
        assert placement["sharedAccount"] is None

    async def test_five_warehouses_have_two_spares(
        self, member: Device, warehouses: Warehouses, team: Team
    ) -> None:
        one_account = [{**S3_FORM, "bucket_name": f"more-{number}"} for number in range(3)]
        for form in one_account[:2]:
            await warehouses.add(team.company.id, form, **ACTIVE)
        placement = await member.ok("GET", "/placement")
        assert (placement["k"], placement["n"]) == (3, 5)
        assert placement["sharedAccount"] is None
        # Two buckets of one account may be lost; three may not.
        await warehouses.add(team.company.id, one_account[2], **ACTIVE)
        placement = await member.ok("GET", "/placement")
        assert placement["sharedAccount"] == {"type": 3, "warehouses": ["AWS S3"] * 3}

    async def test_warehouse_that_was_never_active_or_is_long_gone_takes_nothing(
        self, member: Device, warehouses: Warehouses, team: Team, platform: Connection
    ) -> None:
        await warehouses.add(team.company.id, status=2)
        fourth = await warehouses.add(team.company.id, **ACTIVE)
        assert (await member.ok("GET", "/placement"))["n"] == 4
        await platform.execute("UPDATE warehouses SET status = 0 WHERE id = $1", fourth.id)
        assert (await member.ok("GET", "/placement"))["n"] == 4
        await platform.execute(
            "INSERT INTO warehouse_transitions (company_id, warehouse_id, at, status)"
            " VALUES ($1, $2, now() - interval '8 days', 0)",
            team.company.id, fourth.id,
        )  # fmt: skip
        await platform.execute(
            "UPDATE warehouses SET created_at = now() - interval '9 days' WHERE id = $1", fourth.id
        )
        assert (await member.ok("GET", "/placement"))["n"] == 3

    async def test_shared_ones_before_three_own_were_active(
        self, member: Device, warehouses: Warehouses, team: Team, platform: Connection
    ) -> None:
        own = await platform.fetchval("SELECT max(id) FROM warehouses")
        await platform.execute("UPDATE warehouses SET has_been_active = false WHERE id = $1", own)
        answer = await member.call("GET", "/placement")
        assert error_of(answer) == (409, "too_few_warehouses")
        shared = await add_warehouses(warehouses, 1, 4)
        for each in shared[:3]:
            await platform.execute(
                "INSERT INTO shared_warehouses (company_id, warehouse_id) VALUES ($1, $2)",
                team.company.id, each.id,
            )  # fmt: skip
        placement = await member.ok("GET", "/placement")
        assert [row["id"] for row in placement["warehouses"]] == [each.id for each in shared[:3]]


class TestLife:
    async def test_what_one_member_stores_another_reads(
        self, leader: Device, member: Device, space: SpaceClient, people: People, make: Factory
    ) -> None:
        other = Device(leader.http, await people.person(member.user.company), {})
        other.headers = await make.session(other.user)
        await other.register_keys()
        for device in (member, other):
            assert (await space.add(leader, device)).status_code == 200
        pack = PackFile(space, 100_000)
        await pack.send(member, 0, 1)
        done = await pack.complete(member)
        assert [shard["state"] for shard in done["shards"]] == ["stored", "stored", "absent"]
        assert (done["isReadable"], done["isSafe"]) == (True, False)
        assert (await pack.commit(member)).status_code == 200

        (found,) = await links(other, space, pack)
        assert found["shards"][2]["link"] is None
        shards = []
        for shard in found["shards"][:2]:
            answer = await other.http.get(shard["link"]["url"], headers=shard["link"]["headers"])
            assert len(answer.content) == shard["size"]
            shards.append(Shard.decode(answer.content))
        name = pack.shards[0].trailer.name
        assert recover_pack(shards, name, pack.record) == pack.content

        # The rest is sent later.
        again = (await pack.begin(member)).json()["packs"][0]["shards"]
        assert [(row["isStored"], row["link"] is None) for row in again] == [
            (True, True), (True, True), (False, False)
        ]  # fmt: skip
        assert (await put(member, again[2]["link"], pack.object(2))).status_code == 200
        assert (await pack.complete(member, 2))["isSafe"]

        assert (await space.remove(leader, other)).status_code == 200
        body = {"spaceId": str(space.id), "packs": [encoded(pack.id)]}
        assert error_of(await other.call("POST", "/links", body)) == (404, "space_not_found")
        assert error_of(await pack.begin(other)) == (404, "space_not_found")
        assert len(await links(member, space, pack)) == 1

    async def test_a_link_creates_once(self, leader: Device, space: SpaceClient) -> None:
        pack = PackFile(space)
        link = (await pack.begin(leader)).json()["packs"][0]["shards"][0]["link"]
        assert (await put(leader, link, pack.object(1))).status_code == 400
        assert (await put(leader, link, pack.object(0))).status_code == 200
        assert (await put(leader, link, pack.object(0))).status_code == 412

    async def test_a_lost_warehouse_gives_no_links_and_the_others_do(
        self, leader: Device, space: SpaceClient, buckets: list[Path]
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        buckets[0].rename(buckets[0].with_name("away"))
        (found,) = await links(leader, space, pack)
        assert sum(shard["link"] is None for shard in found["shards"]) == 1
        begun = (await PackFile(space).begin(leader)).json()["packs"][0]
        assert sum(shard["link"] is None for shard in begun["shards"]) == 1
        # Unreachable is not absent.
        done = await pack.complete(leader)
        assert [shard["state"] for shard in done["shards"]] == ["stored"] * 3

    async def test_no_connection_is_held_while_a_warehouse_makes_links(
        self,
        leader: Device,
        space: SpaceClient,
        resources: Resources,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        held: list[int] = []
        make = SandboxCloud.links

        async def watched(cloud: SandboxCloud, *targets: Any, **given: Any) -> Any:
            held.append(resources.database.app.in_use)
            return await make(cloud, *targets, **given)

        monkeypatch.setattr(SandboxCloud, "links", watched)
        await links(leader, space, pack)
        assert held == [0, 0, 0]

    @pytest.mark.spec("1.1")
    async def test_shards_spread_over_the_warehouses(
        self, leader: Device, space: SpaceClient
    ) -> None:
        first = set()
        for number in range(3):
            pack = PackFile(space, id=bytes([number]) + secrets.token_bytes(15))
            shards = (await pack.begin(leader)).json()["packs"][0]["shards"]
            assert len({shard["warehouseId"] for shard in shards}) == 3
            first.add(shards[0]["warehouseId"])
        assert len(first) == 3


class TestRefusals:
    async def test_more_than_64_packs_in_a_call_are_refused(
        self, leader: Device, space: SpaceClient
    ) -> None:
        described = PackFile(space).described()
        packs = [{**described, "id": encoded(secrets.token_bytes(16))} for _ in range(65)]
        body = {"spaceId": str(space.id), "packs": packs}
        assert error_of(await leader.call("POST", "/uploads", body)) == (422, "invalid_input")
        ids = [pack["id"] for pack in packs]
        for path, sent in (
            ("/links", ids),
            ("/uploads/complete", [{"id": pack, "shards": [0]} for pack in ids]),
        ):
            answer = await leader.call("POST", path, {"spaceId": str(space.id), "packs": sent})
            assert error_of(answer) == (422, "invalid_input")

    @pytest.mark.parametrize(
        "change",
        [
            {"length": 4000},
            {"k": 1, "n": 4},
            {"n": 4},
            {"shards": []},
            {"id": encoded(bytes(15))},
            {"generation": -1},
        ],
    )
    async def test_malformed_pack_description_is_refused(
        self, leader: Device, space: SpaceClient, platform: Connection, change: dict[str, object]
    ) -> None:
        body = {"spaceId": str(space.id), "packs": [{**PackFile(space).described(), **change}]}
        answer = await leader.call("POST", "/uploads", body)
        assert error_of(answer) in {(422, "pack_malformed"), (422, "invalid_input")}
        assert await platform.fetchval("SELECT count(*) FROM packs") == 0

    async def test_pack_twice_in_a_call_is_refused(
        self, leader: Device, space: SpaceClient
    ) -> None:
        body = {"spaceId": str(space.id), "packs": [PackFile(space).described()] * 2}
        assert error_of(await leader.call("POST", "/uploads", body)) == (422, "pack_malformed")

    async def test_upload_for_another_number_of_warehouses_is_refused(
        self, leader: Device, space: SpaceClient
    ) -> None:
        answer = await PackFile(space, coding=(3, 4)).begin(leader)
        assert error_of(answer) == (409, "placement_changed")
        assert (answer.json()["k"], answer.json()["n"]) == (2, 3)

    async def test_upload_of_another_generation_is_refused(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        answer = await PackFile(space, generation=2).begin(leader)
        assert error_of(answer) == (409, "pack_generation_stale")
        await space.add(leader, member)
        await space.remove(leader, member)
        answer = await PackFile(space, generation=1).begin(leader)
        assert error_of(answer) == (409, "pack_generation_stale")

    async def test_other_description_of_a_known_pack_is_refused(
        self, leader: Device, space: SpaceClient
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        answer = await PackFile(space, id=pack.id).begin(leader)
        assert error_of(answer) == (409, "pack_exists")

    async def test_unknown_packs_and_foreign_spaces(
        self, leader: Device, space: SpaceClient, people: People, make: Factory
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        unknown = encoded(secrets.token_bytes(16))
        body = {"spaceId": str(space.id), "packs": [encoded(pack.id), unknown]}
        answer = await leader.call("POST", "/links", body)
        assert error_of(answer) == (404, "pack_not_found")
        assert answer.json()["packs"] == [unknown]
        done = {"spaceId": str(space.id), "packs": [{"id": unknown, "shards": [0]}]}
        assert error_of(await leader.call("POST", "/uploads/complete", done)) == (
            404,
            "pack_not_found",
        )

        other = await people.team()
        stranger = Device(leader.http, other.leader, await make.session(other.leader))
        done = {"spaceId": str(space.id), "packs": [{"id": encoded(pack.id), "shards": [0]}]}
        begun = {"spaceId": str(space.id), "packs": [pack.described()]}
        linked = {"spaceId": str(space.id), "packs": [encoded(pack.id)]}
        for path, sent in (("/uploads", begun), ("/uploads/complete", done), ("/links", linked)):
            assert error_of(await stranger.call("POST", path, sent)) == (404, "space_not_found")

    async def test_a_shard_of_another_size_or_content(
        self, leader: Device, space: SpaceClient, buckets: list[Path]
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        for damage, index in ((b"short", 0), (secrets.token_bytes(96 + 1500), 1)):
            (stored,) = [path for folder in buckets for path in folder.rglob(f"*.{index}")]
            stored.write_bytes(damage)
        done = await pack.complete(leader)
        assert [shard["state"] for shard in done["shards"]] == ["different", "different", "stored"]
        assert not done["isReadable"]
        assert error_of(await pack.commit(leader)) == (409, "pack_incomplete")

    async def test_company_without_a_subscription_reads_but_does_not_upload(
        self, leader: Device, space: SpaceClient, platform: Connection
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        await platform.execute("UPDATE companies SET subscribed_until = now() - interval '1 day'")
        assert error_of(await PackFile(space).begin(leader)) == (403, "subscription_required")
        assert all(shard["link"] for shard in (await links(leader, space, pack))[0]["shards"])


class TestLog:
    """Each refusal has its code, and stores nothing."""

    async def test_a_pack_is_added_once(self, leader: Device, space: SpaceClient) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        assert (await pack.commit(leader)).status_code == 200
        assert reason(await pack.commit(leader)) == (422, "entry_refused", "known_pack")

    async def test_entry_that_names_an_incomplete_pack_is_refused(
        self, leader: Device, space: SpaceClient
    ) -> None:
        pack = PackFile(space)
        await pack.send(leader, 0)
        await pack.complete(leader)
        answer = await pack.commit(leader)
        assert error_of(answer) == (409, "pack_incomplete")
        assert answer.json()["pack"] == encoded(pack.id)
        # Sent, but not reported.
        await pack.send(leader, 1)
        assert error_of(await pack.commit(leader)) == (409, "pack_incomplete")
        await pack.complete(leader, 1)
        assert (await pack.commit(leader)).status_code == 200

    async def test_entry_that_describes_a_pack_differently_is_refused(
        self, leader: Device, space: SpaceClient
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        record = replace(pack.record, coding=replace(pack.record.coding, length=2999))
        answer = await space.send(space.entry(Change((record,)), leader), leader)
        assert error_of(answer) == (409, "pack_differs")

    async def test_a_pack_of_another_space(self, leader: Device, space: SpaceClient) -> None:
        other = await create_space(leader, space.recovery)
        pack = PackFile(other)
        await pack.store(leader)
        answer = await space.send(space.entry(Change((pack.record,)), leader), leader)
        assert reason(answer) == (422, "entry_refused", "unknown_pack")
        body = {"spaceId": str(space.id), "packs": [encoded(pack.id)]}
        assert error_of(await leader.call("POST", "/links", body)) == (404, "pack_not_found")

    async def test_pack_is_retired_and_brought_back_once(
        self, leader: Device, space: SpaceClient
    ) -> None:
        pack = PackFile(space)
        await pack.store(leader)
        retire, unretire = Retire((pack.id,)), Unretire((pack.id,))
        answer = await space.send(space.entry(retire, leader), leader)
        assert reason(answer) == (422, "entry_refused", "unknown_pack")
        await pack.commit(leader)
        answer = await space.send(space.entry(unretire, leader), leader)
        assert reason(answer) == (422, "entry_refused", "pack_not_retired")
        assert (await space.send(space.entry(retire, leader), leader)).status_code == 200
        answer = await space.send(space.entry(retire, leader), leader)
        assert reason(answer) == (422, "entry_refused", "retired_pack")
        assert reason(await pack.commit(leader)) == (422, "entry_refused", "known_pack")
        assert error_of(await pack.begin(leader)) == (409, "pack_exists")
        assert (await space.send(space.entry(unretire, leader), leader)).status_code == 200
        assert (await pack.begin(leader)).status_code == 200


class TestQuota:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"uploaded_bytes": 10_000}}

    async def test_quota_is_reserved_booked_once_and_refused_beyond(
        self, leader: Device, space: SpaceClient
    ) -> None:
        pack = PackFile(space)
        for _ in range(2):
            assert (await pack.begin(leader)).json()["remainingBytes"] == 7000
        await pack.store(leader)
        assert (await pack.begin(leader)).json()["remainingBytes"] == 7000
        answer = await PackFile(space, 7001).begin(leader)
        assert error_of(answer) == (403, "quota_exceeded")
        assert answer.json()["left"] == 7000
        assert answer.json()["renewsAt"] > ""
        await PackFile(space, 7000).store(leader)
        assert error_of(await PackFile(space, 2).begin(leader)) == (403, "quota_exceeded")

    async def test_hundred_uploads_at_once_reserve_as_many_as_fit(
        self, leader: Device, space: SpaceClient, platform: Connection
    ) -> None:
        packs = [PackFile(space) for _ in range(100)]
        answers = await together([partial(pack.begin, leader) for pack in packs])
        statuses = [answer.status_code for answer in answers]
        assert (statuses.count(200), statuses.count(403)) == (3, 97)
        reserved = await platform.fetchval("SELECT sum(bytes) FROM upload_reservations")
        assert reserved == 9000

    async def test_many_small_packs_at_once(
        self, leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "uploads", 2)
        packs = [PackFile(space, 2) for _ in range(3)]
        for pack in packs[:2]:
            assert (await pack.begin(leader)).status_code == 200
        assert error_of(await packs[2].begin(leader)) == (409, "too_many_uploads")
        # A renewed link is no new upload, and a finished one makes room.
        assert (await packs[1].begin(leader)).status_code == 200
        await packs[0].store(leader)
        assert (await packs[2].begin(leader)).status_code == 200

    async def test_a_reservation_is_released_and_its_pack_needs_room_again(
        self, leader: Device, space: SpaceClient, platform: Connection, resources: Resources
    ) -> None:
        late = PackFile(space, 6000)
        shards = (await late.begin(leader)).json()["packs"][0]["shards"]
        await expire(platform)
        await settle(resources, platform)
        other = PackFile(space, 9000)
        await other.begin(leader)
        for shard in shards:
            sent = await put(leader, shard["link"], late.object(shard["index"]))
            assert sent.status_code == 200
        body = {"spaceId": str(space.id), "packs": [{"id": encoded(late.id), "shards": [0, 1]}]}
        answer = await leader.call("POST", "/uploads/complete", body)
        assert error_of(answer) == (403, "quota_exceeded")
        await expire(platform, other)
        await settle(resources, platform)
        assert (await late.complete(leader))["isSafe"]
        assert await platform.fetchval("SELECT sum(bytes) FROM usage_months") == 6000
