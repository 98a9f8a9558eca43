from pathlib import Path

import httpx

from tessera.companies.deletion.service import send_proofs
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.storage.deletion import queries as deletion_queries
from tessera.storage.deletion import service as deletion
from tessera_core.entries import Retire, Unretire
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient
from tests.storage.packs import PackFile, add_warehouses, bucket, put
from tests.storage.test_log import reason
from tests.storage.test_settlement import counted, expire, settle


def shards(folders: list[Path]) -> list[str]:
    return [path.name for folder in folders for path in folder.rglob("packs/*/*")]


async def sweep(resources: Resources, platform: Connection) -> None:
    for company_id in await deletion_queries.due_companies(platform):
        await deletion.delete_due_packs(resources, company_id)


class TestPacks:
    async def test_a_retired_pack_is_deleted_after_30_days_and_its_id_stays_known(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        kept, pack = PackFile(space), PackFile(space)
        for each in (kept, pack):
            await each.store(leader)
            await each.commit(leader)
        await space.send(space.entry(Retire((pack.id,)), leader), leader)
        for days, left in ((29, 6), (31, 3)):
            await platform.execute(
                "UPDATE packs SET retired_at = now() - make_interval(days => $1)"
                " WHERE retired_at IS NOT NULL",
                days,
            )
            await sweep(resources, platform)
            assert len(shards(buckets)) == left
        assert error_of(await pack.begin(leader)) == (409, "pack_exists")
        answer = await space.send(space.entry(Unretire((pack.id,)), leader), leader)
        assert reason(answer) == (422, "entry_refused", "unknown_pack")
        assert reason(await pack.commit(leader)) == (422, "entry_refused", "known_pack")
        assert await deletion_queries.due_companies(platform) == []

    async def test_a_pack_that_was_never_committed_is_deleted_after_7_days(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.store(leader)
        for days, left in ((6, 3), (8, 0)):
            await platform.execute(
                "UPDATE packs SET created_at = now() - make_interval(days => $1)", days
            )
            await sweep(resources, platform)
            assert len(shards(buckets)) == left
        assert await platform.fetchval("SELECT count(*) FROM packs") == 0
        assert reason(await pack.commit(leader)) == (422, "entry_refused", "unknown_pack")

    async def test_a_pack_whose_links_may_still_be_used_is_deleted_after_them(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.begin(leader)
        await platform.execute("UPDATE packs SET created_at = now() - interval '8 days'")
        links = (await pack.begin(leader)).json()["packs"][0]["shards"]
        await sweep(resources, platform)
        assert (await put(leader, links[0]["link"], pack.object(0))).status_code == 200
        await expire(platform, hours=13)
        await settle(resources, platform)
        await sweep(resources, platform)
        assert shards(buckets) == []
        assert await platform.fetchval("SELECT count(*) FROM packs") == 0
        assert await counted(leader) == (3000, 0)

    async def test_what_a_lost_warehouse_holds_is_deleted_when_it_is_back(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.store(leader)
        await platform.execute("UPDATE packs SET created_at = now() - interval '8 days'")
        away = buckets[0].rename(buckets[0].with_name("away"))
        await sweep(resources, platform)
        assert shards(buckets) == []
        assert reason(await pack.commit(leader)) == (422, "entry_refused", "unknown_pack")
        away.rename(buckets[0])
        await sweep(resources, platform)
        assert shards(buckets) == []
        assert await platform.fetchval("SELECT count(*) FROM packs") == 0


class TestCompany:
    async def test_objects_of_a_deleted_company_in_shared_warehouses_are_deleted_before_the_proof(
        self, client: httpx.AsyncClient, leader: Device, space: SpaceClient, team: Team,
        people: People, make: Factory, warehouses: Warehouses, platform: Connection,
        settings: Settings, resources: Resources, outbox: Outbox,
    ) -> None:  # fmt: skip
        shared = await add_warehouses(warehouses, 1)
        folders = [bucket(settings, 1, number) for number in range(3)]
        for warehouse, folder in zip(shared, folders, strict=True):
            folder.mkdir(parents=True)
            (folder / "another-companys").write_bytes(b"tile")
            await platform.execute(
                "INSERT INTO shared_warehouses (company_id, warehouse_id) VALUES ($1, $2)",
                team.company.id, warehouse.id,
            )  # fmt: skip
        await PackFile(space).store(leader)
        await leader.ok("POST", f"{space.log}/flush")
        assert len(shards(folders)) == 3
        stored = [path for folder in folders for path in folder.rglob("*") if path.is_file()]

        headers = await make.session(await people.admin(), verified=True)
        answer = await client.request("DELETE", f"/api/company/{team.company.id}", headers=headers)
        assert answer.status_code == 204, answer.text
        away = folders[0].rename(folders[0].with_name("away"))
        await finish(resources)
        assert shards(folders) == []
        assert await outbox.messages() == []
        away.rename(folders[0])
        for _ in range(2):
            await finish(resources)
        left = [path.name for folder in folders for path in folder.rglob("*") if path.is_file()]
        assert left == ["another-companys"] * 3
        assert await platform.fetchval("SELECT count(*) FROM prefix_deletions") == 0
        (proof,) = await outbox.messages()
        assert proof["to"] == team.leader.email
        assert f"objects in shared warehouses: {len(stored) - 3}." in proof["text"]
        assert "spaces: 1; packs of encrypted files: 1 " in proof["text"]


async def finish(resources: Resources) -> None:
    await deletion.delete_prefixes(resources)
    await send_proofs(resources)
