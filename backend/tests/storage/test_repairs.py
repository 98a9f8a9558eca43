import secrets
from pathlib import Path
from typing import Any

import pytest

from tessera.integrations.clouds.sandbox import SandboxCloud
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.storage.repair import audits, pack_repair
from tessera.storage.repair import queries as repair_queries
from tessera.storage.repair import service as repairs
from tessera_core.objects import ShardObject
from tests.factories.accounts import Outbox
from tests.factories.people import Team
from tests.factories.warehouses import S3_FORM, Stored, Warehouses
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient, encoded
from tests.storage.packs import ACTIVE, PackFile, add_warehouses, links


@pytest.fixture
async def stored(warehouses: Warehouses, team: Team, buckets: list[Path]) -> list[Stored]:
    return await add_warehouses(warehouses, team.company.id)


@pytest.fixture
def buckets(team: Team, settings: Settings) -> list[Path]:
    """Folders of four warehouses, of which three are connected."""
    root = settings.data_dir / "clouds" / "s3"
    folders = [root / f"bucket-{team.company.id}-{number}" / "tessera" for number in range(4)]
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


@pytest.fixture
async def pack(
    stored: list[Stored], space: SpaceClient, leader: Device, platform: Connection
) -> PackFile:
    """A committed pack, long ago."""
    pack = PackFile(space)
    await pack.store(leader)
    assert (await pack.commit(leader)).status_code == 200
    await platform.execute("UPDATE packs SET created_at = now() - interval '1 day'")
    return pack


@pytest.fixture
async def fourth(warehouses: Warehouses, team: Team) -> Any:
    async def connect() -> Stored:
        form = {**S3_FORM, "bucket_name": f"bucket-{team.company.id}-3"}
        return await warehouses.add(team.company.id, form, **ACTIVE)

    return connect


class Cloud:
    """The objects of a pack in the sandbox's folders."""

    def __init__(self, buckets: list[Path], team: Team, pack: PackFile) -> None:
        self._buckets, self._company, self._pack = buckets, team.company.uuid, pack

    def path(self, index: int) -> Path:
        """Where the shard lies."""
        found = self.all(index)
        assert len(found) == 1
        return found[0]

    def all(self, index: int) -> list[Path]:
        name = str(ShardObject(self._company, self._pack.id, index))
        return [path for bucket in self._buckets if (path := bucket / name).exists()]


@pytest.fixture
def cloud(buckets: list[Path], team: Team, pack: PackFile) -> Cloud:
    return Cloud(buckets, team, pack)


async def audit(resources: Resources, platform: Connection, team: Team) -> None:
    await platform.execute("UPDATE pack_shards SET checked_at = now() - interval '26 days'")
    await audits.audit_batch(resources, team.company.id)


async def repair(resources: Resources, team: Team) -> int | None:
    company_id = team.company.id
    async with resources.database.tenant(company_id) as connection:
        repair_id = await repairs.begin_repair(connection, resources, company_id)
    if repair_id is not None:
        while await pack_repair.repair_batch(resources, company_id, repair_id):
            pass
        await repairs.finish_repair(resources, company_id, repair_id)
    return repair_id


async def states(platform: Connection) -> list[str]:
    rows = await platform.fetch("SELECT state FROM pack_shards ORDER BY index")
    return [row["state"] for row in rows]


async def subjects(outbox: Outbox) -> list[str]:
    """Of the mails about files; the leader is also told of members who wait for access."""
    found = [mail["subject"] for mail in await outbox.messages()]
    return [subject for subject in found if "waits for access" not in subject]


class TestAudits:
    async def test_finds_what_is_missing_and_what_was_changed(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud
    ) -> None:
        cloud.path(0).unlink()
        changed = cloud.path(2)
        changed.write_bytes(secrets.token_bytes(changed.stat().st_size))
        await audit(resources, platform, team)
        assert await states(platform) == ["missing", "stored", "wrong"]

    async def test_leaves_what_was_checked_lately(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud
    ) -> None:
        cloud.path(0).unlink()
        assert not await audits.audit_batch(resources, team.company.id)
        assert await states(platform) == ["stored"] * 3

    async def test_checks_everything_once_a_warehouse_is_back(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud
    ) -> None:
        cloud.path(0).unlink()
        await platform.execute("UPDATE pack_shards SET checked_at = now() - interval '1 hour'")
        await platform.execute(
            "INSERT INTO warehouse_transitions (company_id, warehouse_id, at, status)"
            " SELECT company_id, id, now() - interval '5 minutes', 2 FROM warehouses"
            " WHERE company_id = $1",
            team.company.id,
        )
        await audits.audit_batch(resources, team.company.id)
        assert await states(platform) == ["missing", "stored", "stored"]

    async def test_a_warehouse_that_does_not_answer_proves_nothing(
        self, resources: Resources, platform: Connection, team: Team, buckets: list[Path],
        pack: PackFile,
    ) -> None:  # fmt: skip
        buckets[0].parent.rename(buckets[0].parent.with_name("gone"))
        await audit(resources, platform, team)
        assert await states(platform) == ["stored"] * 3


class TestRepair:
    @pytest.mark.parametrize("index", [0, 1, 2])
    async def test_rebuilds_a_missing_shard(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud,
        pack: PackFile, leader: Device, index: int,
    ) -> None:  # fmt: skip
        path = cloud.path(index)
        path.unlink()
        await audit(resources, platform, team)
        assert await repair(resources, team)
        assert path.read_bytes() == pack.object(index)
        assert await states(platform) == ["stored"] * 3
        (listed,) = (await leader.ok("GET", "/repairs"))["repairs"]
        assert listed["finishedAt"]
        assert (listed["packs"], listed["repaired"], listed["failed"]) == (1, 1, 0)
        assert listed["bytesWritten"] == len(pack.object(index))

    async def test_replaces_a_changed_shard(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud, pack: PackFile
    ) -> None:
        path = cloud.path(1)
        path.write_bytes(bytes(path.stat().st_size))
        await audit(resources, platform, team)
        assert await repair(resources, team)
        assert path.read_bytes() == pack.object(1)

    async def test_moves_the_shard_of_a_removed_warehouse_to_a_new_one(
        self, resources: Resources, platform: Connection, team: Team, stored: list[Stored],
        cloud: Cloud, pack: PackFile, space: SpaceClient, leader: Device, fourth: Any,
        outbox: Outbox,
    ) -> None:  # fmt: skip
        risk, safe = "Some of your files are at risk", "Your files are safe again"
        gone = cloud.path(0)
        await platform.execute("DELETE FROM warehouses WHERE id = $1", stored[pack.id[0] % 3].id)
        # No warehouse without a shard of the pack is left.
        assert await repair(resources, team) is None
        assert await subjects(outbox) == [risk]
        assert await repair(resources, team) is None
        assert await subjects(outbox) == [risk]
        new = await fourth()
        assert await repair(resources, team)
        assert await subjects(outbox) == [risk, safe]
        (found,) = await links(leader, space, pack)
        assert [shard["warehouseId"] for shard in found["shards"]].count(new.id) == 1
        assert [path for path in cloud.all(0) if path != gone]

    async def test_repair_never_uses_changed_shards(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud
    ) -> None:
        cloud.path(0).unlink()
        await audit(resources, platform, team)
        forged = cloud.path(1)
        forged.write_bytes(bytes(forged.stat().st_size))
        assert await repair(resources, team)
        assert await states(platform) == ["missing", "wrong", "stored"]
        assert cloud.all(0) == []

    async def test_counts_a_shard_only_after_it_was_read_back(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        cloud.path(0).unlink()
        await audit(resources, platform, team)
        write = SandboxCloud.write

        async def lose_a_byte(self: SandboxCloud, path: str, content: bytes) -> None:
            await write(self, path, content[:-1])

        with monkeypatch.context() as patched:
            patched.setattr(SandboxCloud, "write", lose_a_byte)
            assert await repair(resources, team)
        assert await states(platform) == ["missing", "stored", "stored"]
        # Nothing was achieved, so it is not tried again at once.
        assert await repair(resources, team) is None

    async def test_goes_on_where_it_was_killed(
        self, resources: Resources, platform: Connection, team: Team, cloud: Cloud,
        pack: PackFile, monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        cloud.path(0).unlink()
        await audit(resources, platform, team)
        company_id = team.company.id
        async with resources.database.tenant(company_id) as connection:
            repair_id = await repairs.begin_repair(connection, resources, company_id)
        assert repair_id is not None

        async def killed(*_: Any, **__: Any) -> None:
            raise RuntimeError

        with monkeypatch.context() as patched:
            patched.setattr(repair_queries, "store_repaired", killed)
            with pytest.raises(RuntimeError):
                await pack_repair.repair_batch(resources, company_id, repair_id)
        # Another run does not begin a second repair meanwhile.
        assert await repair(resources, team) is None
        assert await pack_repair.repair_batch(resources, company_id, repair_id)
        assert not await pack_repair.repair_batch(resources, company_id, repair_id)
        assert await states(platform) == ["stored"] * 3
        assert cloud.path(0).read_bytes() == pack.object(0)


class TestRelocation:
    async def test_moves_the_shards_before_a_warehouse_is_removed(
        self, resources: Resources, team: Team, stored: list[Stored], cloud: Cloud, pack: PackFile,
        leader: Device, fourth: Any,
    ) -> None:  # fmt: skip
        index = (1 - pack.id[0]) % 3
        former = cloud.path(index)
        call = f"/warehouses/{stored[1].id}/relocation"
        refused = await leader.http.delete(f"/api/warehouse/{stored[1].id}", headers=leader.headers)
        assert error_of(refused) == (409, "warehouse_holds_data")
        assert not (await leader.ok("GET", call))["isPossible"]
        assert error_of(await leader.call("POST", call)) == (409, "relocation_impossible")
        await fourth()
        size = len(pack.object(index))
        assert await leader.ok("GET", call) == {
            "shards": 1, "bytes": size, "isPossible": True, "isUnderWay": False
        }  # fmt: skip
        assert (await leader.ok("POST", call))["isUnderWay"]
        assert await repair(resources, team)
        moved = cloud.path(index)
        assert moved != former
        assert moved.read_bytes() == pack.object(index)
        assert (await leader.ok("GET", call))["shards"] == 0
        removed = await leader.http.delete(f"/api/warehouse/{stored[1].id}", headers=leader.headers)
        assert removed.status_code == 204

    async def test_uploads_that_no_entry_names_do_not_hold_a_warehouse(
        self, resources: Resources, team: Team, platform: Connection, stored: list[Stored],
        buckets: list[Path], space: SpaceClient, leader: Device, fourth: Any,
    ) -> None:  # fmt: skip
        """A client that was killed leaves them, and a hostile member could store many."""
        whole, begun = PackFile(space), PackFile(space)
        await whole.store(leader)
        index = (1 - begun.id[0]) % 3
        await begun.send(leader, index)
        await begun.complete(leader, index)
        await platform.execute("UPDATE packs SET created_at = now() - interval '2 hours'")
        await fourth()
        call = f"/warehouses/{stored[1].id}/relocation"
        assert (await leader.ok("POST", call))["shards"] == 2
        assert await repair(resources, team)
        assert (await leader.ok("GET", call))["shards"] == 0
        moved = Cloud(buckets, team, begun)
        assert moved.path(index).read_bytes() == begun.object(index)
        # What was never sent is not made up.
        assert [len(moved.all(each)) for each in range(3)].count(1) == 1
        assert (await whole.commit(leader)).status_code == 200

    async def test_a_warehouse_that_is_left_takes_no_new_packs(
        self, stored: list[Stored], leader: Device, fourth: Any
    ) -> None:
        await fourth()
        assert (await leader.ok("GET", "/placement"))["n"] == 4
        await leader.ok("POST", f"/warehouses/{stored[1].id}/relocation")
        placement = await leader.ok("GET", "/placement")
        assert stored[1].id not in [row["id"] for row in placement["warehouses"]]

    async def test_the_loss_may_be_confirmed_instead(
        self, platform: Connection, stored: list[Stored], pack: PackFile, leader: Device
    ) -> None:
        removed = await leader.http.delete(
            f"/api/warehouse/{stored[1].id}", params={"loseData": True}, headers=leader.headers
        )
        assert removed.status_code == 204
        lost = await platform.fetchval("SELECT count(*) FROM pack_shards WHERE NOT is_stored")
        assert lost == 1

    async def test_members_and_other_companies_cannot_start_it(
        self, stored: list[Stored], leader: Device, member: Device
    ) -> None:
        call = f"/warehouses/{stored[1].id}/relocation"
        assert (await member.call("POST", call)).status_code == 403
        unknown = await leader.call("GET", "/warehouses/999999/relocation")
        assert error_of(unknown) == (404, "storage_warehouse_not_found")


async def test_shards_move_to_own_warehouses_once_three_were_active(
    resources: Resources, platform: Connection, team: Team, warehouses: Warehouses,
    settings: Settings, space: SpaceClient, leader: Device,
) -> None:  # fmt: skip
    shared = await add_warehouses(warehouses, 1)
    await platform.executemany(
        "INSERT INTO shared_warehouses (company_id, warehouse_id) VALUES ($1, $2)",
        [(team.company.id, each.id) for each in shared],
    )
    root = settings.data_dir / "clouds" / "s3"
    for owner in (1, team.company.id):
        for number in range(3):
            (root / f"bucket-{owner}-{number}" / "tessera").mkdir(parents=True, exist_ok=True)
    pack = PackFile(space)
    await pack.store(leader)
    assert (await pack.commit(leader)).status_code == 200
    await platform.execute("UPDATE packs SET created_at = now() - interval '1 day'")
    await add_warehouses(warehouses, team.company.id)
    assert await repair(resources, team)
    owners = await platform.fetch("SELECT DISTINCT warehouse_company_id AS id FROM pack_shards")
    assert [row["id"] for row in owners] == [team.company.id]
    (found,) = await links(leader, space, pack)
    for shard in found["shards"]:
        got = await leader.http.get(shard["link"]["url"], headers=shard["link"]["headers"])
        assert got.content == pack.object(shard["index"])
    name = str(ShardObject(team.company.uuid, pack.id, 0))
    assert not [path for path in root.glob("bucket-1-*/tessera") if (path / name).exists()]
    assert encoded(pack.id) == found["id"]
