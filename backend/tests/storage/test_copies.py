from pathlib import Path

import pytest

from tessera.integrations.clouds.sandbox import SandboxCloud
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.storage.copies import merging
from tessera.storage.copies import service as copies
from tessera.storage.log import service as log
from tessera_core.log import LogState
from tessera_core.objects import SegmentObject, parse_object_name
from tessera_core.segments import Segment
from tests.factories.people import Team
from tests.factories.warehouses import S3_FORM, Warehouses
from tests.storage.client import Device, SpaceClient, encoded, kit_body
from tests.storage.packs import ACTIVE, bucket


def segments(folder: Path) -> list[Segment]:
    """The segments in a warehouse, in the order of their names."""
    found = []
    for path in sorted(folder.rglob("log/*/*")):
        name = parse_object_name(str(path.relative_to(folder)))
        segment = Segment.decode(path.read_bytes())
        assert isinstance(name, SegmentObject)
        assert (name.first, name.last) == (segment.first, segment.last)
        found.append(segment)
    return found


def replay(space: SpaceClient, folder: Path) -> LogState:
    """Reads the log from one warehouse alone, as rescue does, by the log's rules."""
    state = LogState(space.company, space.id)
    for segment in segments(folder):
        for each in segment.entries:
            state.append(each.entry)
            state.check_grants(each.entry, each.grants)
    return state


class TestFlush:
    async def test_all_warehouses_have_the_whole_log_with_its_grants(
        self, leader: Device, member: Device, space: SpaceClient, buckets: list[Path]
    ) -> None:
        flush = f"{space.log}/flush"
        answer = await leader.ok("POST", flush)
        assert (answer["sequence"], len(answer["copies"])) == (2, 3)
        await space.add(leader, member)
        await space.change(member)
        assert (await member.ok("POST", flush))["sequence"] == 4
        # Nothing new: nothing is written.
        assert (await member.ok("POST", flush))["sequence"] == 4
        for folder in buckets:
            assert [(each.first, each.last) for each in segments(folder)] == [(1, 2), (3, 4)]
            assert replay(space, folder).head == space.state.head

    async def test_a_recovery_kit_is_copied_too(
        self, leader: Device, space: SpaceClient, buckets: list[Path]
    ) -> None:
        body = kit_body(space.recovery, space.company, counter=1)
        await leader.ok("PUT", "/recovery/kit", body)
        for _ in range(2):
            await leader.ok("POST", f"{space.log}/flush")
        for folder in buckets:
            (path,) = folder.rglob("recovery/*")
            assert encoded(path.read_bytes()) == body["sealed"]

    async def test_a_lost_warehouse_gets_it_when_it_is_back_and_a_new_one_gets_all(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        warehouses: Warehouses, team: Team, settings: Settings,
    ) -> None:  # fmt: skip
        away = buckets[0].rename(buckets[0].with_name("away"))
        answer = await leader.ok("POST", f"{space.log}/flush")
        assert answer["sequence"] == 0
        assert sorted(copy["sequence"] for copy in answer["copies"]) == [0, 2, 2]
        assert not buckets[0].exists()
        away.rename(buckets[0])
        await copies.copy_all(resources)
        form = {**S3_FORM, "bucket_name": f"bucket-{team.company.id}-3"}
        await warehouses.add(team.company.id, form, **ACTIVE)
        fourth = bucket(settings, team.company.id, 3)
        fourth.mkdir(parents=True)
        await copies.copy_all(resources)
        assert segments(fourth) == []
        await copies.copy_all(resources, everything=True)
        for folder in (*buckets, fourth):
            assert replay(space, folder).head == space.state.head


class TestRounds:
    async def test_new_entries_are_copied_and_many_at_once_in_the_append(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection, monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        await space.change(leader)
        await copies.copy_all(resources)
        monkeypatch.setattr(log, "SEGMENT_ENTRIES", 5)
        monkeypatch.setattr(copies, "SEGMENT_ENTRIES", 2)
        queued = "SELECT count(*) FROM dbos.workflow_status WHERE workflow_uuid LIKE 'copy-log-%'"
        for expected in (0, 1, 1):
            await space.change(leader)
            assert await platform.fetchval(queued) == expected
        await copies.copy_company(resources, leader.user.company.id)
        for folder in buckets:
            assert [(each.first, each.last) for each in segments(folder)] == [
                (1, 3), (4, 5), (6, 6)
            ]  # fmt: skip
        assert await platform.fetchval("SELECT copied_sequence FROM spaces") == 6


class TestMerging:
    async def test_small_segments_become_one_and_the_log_stays_whole(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(merging, "MIN_SEGMENTS", 4)
        for _ in range(3):
            await leader.ok("POST", f"{space.log}/flush")
            await space.change(leader)
        company_id = leader.user.company.id
        await merging.merge_company(resources, company_id)
        assert len(segments(buckets[0])) == 3
        await leader.ok("POST", f"{space.log}/flush")
        foreign = next(buckets[0].rglob("log/*")) / "notes.txt"
        foreign.write_bytes(b"tile")
        await merging.merge_company(resources, company_id)
        assert foreign.read_bytes() == b"tile"
        foreign.unlink()
        for folder in buckets:
            assert [(each.first, each.last) for each in segments(folder)] == [(1, 5)]
            assert replay(space, folder).head == space.state.head
        # What comes later is copied from where the log was.
        await space.change(leader)
        assert (await leader.ok("POST", f"{space.log}/flush"))["sequence"] == 6
        assert [(each.first, each.last) for each in segments(buckets[0])] == [(1, 5), (6, 6)]

    async def test_segments_are_kept_if_the_merged_one_is_not_read_back(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(merging, "MIN_SEGMENTS", 2)
        await leader.ok("POST", f"{space.log}/flush")
        await space.change(leader)
        await leader.ok("POST", f"{space.log}/flush")

        async def nothing(*_: object, **__: object) -> None:
            return None

        monkeypatch.setattr(SandboxCloud, "read", nothing)
        await merging.merge_company(resources, leader.user.company.id)
        for folder in buckets:
            ranges = [(each.first, each.last) for each in segments(folder)]
            assert {(1, 2), (3, 3)} <= set(ranges)
