"""The real service, killed in the middle of storage work. Nothing is counted twice or lost, and the
work is resumed."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import httpx
import pytest

from tessera.companies.deletion.workflows import review_company
from tessera.kit.database import Connection
from tessera.settings import Settings
from tessera.storage.backups.workflows import remind_company
from tessera_core.objects import ShardObject
from tests.factories.accounts import Factory
from tests.factories.people import Team
from tests.factories.warehouses import S3_FORM, Warehouses
from tests.fixtures.kill_points import Hold
from tests.fixtures.process import Service
from tests.fixtures.waiting import eventually
from tests.storage.client import Device, SpaceClient, encoded, kit_body
from tests.storage.packs import ACTIVE, PackFile, add_warehouses, bucket, links
from tests.storage.test_copies import segments
from tests.storage.test_settlement import counted, expire

pytestmark = [pytest.mark.extended, pytest.mark.timeout(900)]


@pytest.fixture
async def client(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    """The members' devices call the process instead of the application in this one."""
    async with httpx.AsyncClient(base_url=service.address, timeout=60) as http:
        yield http


async def killed(service: Service, hold: Hold, event: str, device: Device, *call: object) -> None:
    """Makes the call, kills the service at the statement, and starts it again."""
    await hold.at(event)
    asked = asyncio.create_task(device.call(*call))  # type: ignore[arg-type]
    await hold.kill(service)
    await asyncio.gather(asked, return_exceptions=True)
    await asyncio.to_thread(service.start)


@pytest.mark.usefixtures("buckets")
async def test_killed_while_an_upload_is_reserved_or_completed(
    service: Service, hold: Hold, leader: Device, space: SpaceClient, platform: Connection
) -> None:
    reserving = ("INSERT ON packs", "INSERT ON pack_shards", "INSERT ON upload_reservations")
    completing = (
        "UPDATE ON pack_shards",
        "INSERT ON usage_months",
        "DELETE ON upload_reservations",
    )
    packs: list[PackFile] = []
    for event in reserving:
        pack = PackFile(space)
        body = {"spaceId": str(space.id), "packs": [pack.described()]}
        await killed(service, hold, event, leader, "POST", "/uploads", body)
        assert await platform.fetchval("SELECT count(*) FROM packs") == len(packs), event
        await pack.store(leader)
        packs.append(pack)
    for event in completing:
        pack = PackFile(space)
        await pack.send(leader)
        done = [{"id": encoded(pack.id), "shards": [0, 1, 2]}]
        body = {"spaceId": str(space.id), "packs": done}
        await killed(service, hold, event, leader, "POST", "/uploads/complete", body)
        used = await platform.fetchval("SELECT sum(bytes) FROM usage_months")
        assert used == sum(each.length for each in packs), event
        assert (await pack.complete(leader))["isSafe"], event
        packs.append(pack)
    usage = await leader.ok("GET", "/usage")
    assert (usage["used"], usage["reserved"]) == (sum(each.length for each in packs), 0)


@pytest.mark.usefixtures("buckets")
async def test_killed_while_unreported_uploads_are_settled(
    service: Service, hold: Hold, leader: Device, space: SpaceClient, platform: Connection
) -> None:
    sent, unused = PackFile(space), PackFile(space, 2000)
    await sent.send(leader, 0)
    await unused.begin(leader)
    await hold.at("INSERT ON usage_months")
    await expire(platform)
    await hold.kill(service)
    await asyncio.to_thread(service.start)

    async def is_settled() -> bool:
        return not await platform.fetchval(
            "SELECT count(*) FROM upload_reservations WHERE bytes > 0"
        )

    await eventually(is_settled, "the uploads are settled")
    assert await counted(leader) == (3000, 0)


async def test_killed_while_the_log_is_copied(
    service: Service, hold: Hold, leader: Device, space: SpaceClient, buckets: list[Path]
) -> None:
    body = kit_body(space.recovery, space.company, counter=1)
    # The call enqueues the work, and the workflow is killed.
    await hold.at("INSERT ON log_copies")
    await leader.ok("PUT", "/recovery/kit", body)
    await hold.kill(service)
    await asyncio.to_thread(service.start)

    def copied() -> bool:
        return all(
            {each.entry.head.sequence for one in segments(folder) for each in one.entries} == {1, 2}
            and any(folder.rglob("recovery/*"))
            for folder in buckets
        )

    async def is_copied() -> bool:
        return await asyncio.to_thread(copied)

    await eventually(is_copied, "every warehouse has the log")


@pytest.mark.parametrize(
    "event",
    [
        "INSERT ON deletion_proofs",
        "UPDATE ON prefix_deletions",
        "DELETE ON prefix_deletions",
        "DELETE ON deletion_proofs",
    ],
)
async def test_company_whose_deletion_is_killed_is_deleted_and_proven_once(
    event: str, service: Service, hold: Hold, leader: Device, space: SpaceClient, team: Team,
    warehouses: Warehouses, platform: Connection, settings: Settings,
) -> None:  # fmt: skip
    folders = [bucket(settings, 1, number) for number in range(3)]
    for number, warehouse in enumerate(await add_warehouses(warehouses, 1)):
        folders[number].mkdir(parents=True)
        await platform.execute(
            "INSERT INTO shared_warehouses (company_id, warehouse_id) VALUES ($1, $2)",
            team.company.id, warehouse.id,
        )  # fmt: skip
    await PackFile(space).store(leader)
    # As if the day had come that the leader was told.
    await platform.execute(
        "UPDATE companies SET leaving_since = now(), deletion_at = now(),"
        " subscribed_until = now() WHERE id = $1",
        team.company.id,
    )
    await hold.at(event)
    await review_company.enqueue(platform, team.company.id, key="the-day-has-come")
    await hold.kill(service)
    await asyncio.to_thread(service.start)

    async def is_deleted() -> bool:
        waiting: int = await platform.fetchval(
            "SELECT (SELECT count(*) FROM companies WHERE id = $1)"
            " + (SELECT count(*) FROM prefix_deletions) + (SELECT count(*) FROM deletion_proofs)"
            " + (SELECT count(*) FROM messages WHERE sealed IS NOT NULL)",
            team.company.id,
        )
        return waiting == 0

    await eventually(is_deleted, "everything is deleted and the proof is sent")
    assert [path for folder in folders for path in folder.rglob("packs/*/*")] == []
    proofs = "SELECT count(*) FROM sandbox_outbox WHERE recipient = $1 AND subject LIKE $2"
    values = team.leader.email, f"{team.name} was deleted%"
    assert await platform.fetchval(proofs, *values) == 1
    notes = await platform.fetchval(
        "SELECT count(*) FROM activity WHERE action = 'company.deleted'"
    )
    assert notes == 1


@pytest.mark.parametrize("event", ["UPDATE ON device_backups", "UPDATE ON messages"])
async def test_reminder_of_a_backup_that_is_killed_is_mailed_once(
    event: str, service: Service, hold: Hold, member: Device, team: Team, make: Factory,
    platform: Connection,
) -> None:  # fmt: skip
    laptop = Device(member.http, team.member, await make.session(team.member, client="Laptop"))
    body = {"days": 3, "isCompleted": True}
    await laptop.ok("PUT", "/backups/0123456789abcdef", body)
    await platform.execute("UPDATE device_backups SET ran_at = now() - interval '4 days'")
    await hold.at(event)
    await remind_company.enqueue(platform, team.company.id, key="overdue")
    await hold.kill(service)
    await asyncio.to_thread(service.start)
    query = "SELECT count(*) FROM sandbox_outbox WHERE recipient = $1 AND subject LIKE 'No backup%'"

    async def is_mailed() -> bool:
        return bool(await platform.fetchval(query, team.member.email))

    await eventually(is_mailed, "the mail is sent")
    await remind_company.enqueue(platform, team.company.id, key="an-hour-later")

    async def is_done() -> bool:
        return not await platform.fetchval(
            "SELECT count(*) FROM dbos.workflow_status WHERE name = $1 AND status <> 'SUCCESS'",
            remind_company.name,
        )

    await eventually(is_done, "the second round is over")
    assert await platform.fetchval(query, team.member.email) == 1


def shards(buckets: list[Path], team: Team, pack: PackFile, index: int) -> list[Path]:
    """Where the shard lies."""
    name = str(ShardObject(team.company.uuid, pack.id, index))
    return [bucket / name for bucket in buckets if (bucket / name).exists()]


async def stored_packs(
    leader: Device, space: SpaceClient, platform: Connection, count: int
) -> list[PackFile]:
    """Committed packs, long ago."""
    packs = [PackFile(space) for _ in range(count)]
    for pack in packs:
        await pack.store(leader)
        assert (await pack.commit(leader)).status_code == 200
    await platform.execute("UPDATE packs SET created_at = now() - interval '1 day'")
    return packs


async def repaired_despite(
    events: Sequence[str], service: Service, hold: Hold, platform: Connection
) -> None:
    """Waits for a repair that is killed at each of these statements, one after the other."""
    for event in events:
        await hold.at(*event.split(" WHEN "))
        if service.ended:
            await asyncio.to_thread(service.start)
        await hold.kill(service)
    await asyncio.to_thread(service.start)

    async def is_finished() -> bool:
        return bool(await platform.fetchval("SELECT finished_at IS NOT NULL FROM repairs"))

    await eventually(is_finished, "the repair is finished")


REPAIRING = (
    "INSERT ON repairs",
    "UPDATE ON pack_shards WHEN NEW.state = 'stored'",
    "UPDATE OF last_pack ON repairs",
    "UPDATE OF finished_at ON repairs",
    "INSERT ON activity WHEN NEW.action = 'storage.repaired'",
    "DELETE ON storage_risks",
)


async def test_killed_while_lost_shards_are_rebuilt(
    service: Service, hold: Hold, leader: Device, space: SpaceClient, team: Team,
    buckets: list[Path], platform: Connection,
) -> None:  # fmt: skip
    packs = await stored_packs(leader, space, platform, 3)
    for pack in packs:
        (lost,) = shards(buckets, team, pack, 1)
        lost.unlink()
    await platform.execute("UPDATE pack_shards SET state = 'missing' WHERE index = 1")
    await repaired_despite(REPAIRING, service, hold, platform)
    for pack in packs:
        (rebuilt,) = shards(buckets, team, pack, 1)
        assert rebuilt.read_bytes() == pack.object(1)
    states = await platform.fetch("SELECT DISTINCT state FROM pack_shards")
    assert [row["state"] for row in states] == ["stored"]
    (repair,) = (await leader.ok("GET", "/repairs"))["repairs"]
    assert (repair["packs"], repair["repaired"], repair["failed"]) == (3, 3, 0)
    records = "SELECT count(*) FROM activity WHERE action = 'storage.repaired'"
    assert await platform.fetchval(records) == 1
    assert await platform.fetchval("SELECT count(*) FROM storage_risks") == 0

    async def mails() -> list[str]:
        rows = await platform.fetch(
            "SELECT subject FROM sandbox_outbox WHERE subject LIKE '%our files are%' ORDER BY id"
        )
        return [row["subject"] for row in rows]

    async def is_notified() -> bool:
        return len(await mails()) >= 2

    await eventually(is_notified, "the leader is notified")
    assert await mails() == ["Some of your files are at risk", "Your files are safe again"]


async def test_killed_while_a_warehouse_is_left(
    service: Service, hold: Hold, leader: Device, space: SpaceClient, team: Team,
    buckets: list[Path], warehouses: Warehouses, platform: Connection, settings: Settings,
) -> None:  # fmt: skip
    packs = await stored_packs(leader, space, platform, 3)
    left = await platform.fetchval("SELECT max(id) FROM warehouses")
    form = {**S3_FORM, "bucket_name": f"bucket-{team.company.id}-3"}
    new = await warehouses.add(team.company.id, form, **ACTIVE)
    folder = bucket(settings, team.company.id, 3)
    folder.mkdir(parents=True)
    call = ("POST", f"/warehouses/{left}/relocation")
    await killed(service, hold, "UPDATE OF leaving_since ON warehouses", leader, *call)
    assert not await platform.fetchval("SELECT bool_or(leaving_since < now()) FROM warehouses")
    await leader.ok(*call)
    moving = (REPAIRING[0], "UPDATE ON pack_shards", *REPAIRING[2:5])
    await repaired_despite(moving, service, hold, platform)
    for pack in packs:
        (found,) = await links(leader, space, pack)
        places = [shard["warehouseId"] for shard in found["shards"]]
        assert left not in places
        assert new.id in places
        assert len(set(places)) == 3
        for shard in found["shards"]:
            got = await leader.http.get(shard["link"]["url"], headers=shard["link"]["headers"])
            assert got.content == pack.object(shard["index"])
    removed = await leader.http.delete(f"/api/warehouse/{left}", headers=leader.headers)
    assert removed.status_code == 204
