"""What happens after the database was restored from a backup."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from tessera.companies.deletion.service import remind_or_delete
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.workflows import Resources
from tessera.storage.copies import merging
from tessera.storage.deletion import service as deletion
from tessera.storage.log import limits as log_limits
from tessera.storage.repair import pack_repair
from tessera.storage.repair import service as repair
from tessera.storage.restores import segments as reading
from tessera.storage.restores import service as restores
from tessera.storage.settlement import service as settlement
from tessera_core.entries import Change, Entry, MemberRemoved, Retire, Rewound
from tessera_core.segments import Segment, SegmentEntry
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient, create_space, encoded, genesis, new_space
from tests.storage.packs import PackFile
from tests.storage.restores import Backup, bring_back, close, former, restore
from tests.storage.shares import ShareFile
from tests.storage.test_copies import segments
from tests.storage.test_log import reason
from tests.storage.test_settlement import expire


@pytest.fixture
async def backup(urls: EmbeddedUrls, space: SpaceClient) -> AsyncIterator[Backup]:
    """Taken when the space has its first two entries."""
    taken = await Backup.take(urls)
    yield taken
    await taken.close()


@pytest.fixture
def company(team: Team) -> int:
    return team.company.id


async def head(device: Device, space: SpaceClient) -> tuple[int, str]:
    page = await device.ok("GET", space.log)
    return page["sequence"], page["head"]


async def states(platform: Connection, pack: PackFile) -> list[str]:
    rows = await platform.fetch(
        "SELECT state FROM pack_shards WHERE pack_id = $1 ORDER BY state", pack.id
    )
    return [row["state"] for row in rows]


def is_back(space: SpaceClient) -> tuple[int, str]:
    return space.state.sequence, encoded(space.state.head)


class TestFromTheWarehouses:
    async def test_entries_grants_and_packs_come_back_as_they_were(
        self, leader: Device, member: Device, space: SpaceClient, buckets: list[Path],
        backup: Backup, resources: Resources, company: int, platform: Connection,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.store(leader)
        await pack.commit(leader)
        await space.add(leader, member)
        await space.change(member)
        await leader.ok("POST", f"{space.log}/flush")
        await restore(backup, resources)
        assert (await head(leader, space))[0] == 2

        await reading.read_company(resources, company)
        assert await head(leader, space) == is_back(space)
        assert await head(member, space) == is_back(space)
        (grant,) = (await member.ok("GET", f"/spaces/{space.id}/grants"))["grants"]
        assert grant["member"] == str(member.user.uuid)
        assert await states(platform, pack) == ["stored"] * 3
        assert await platform.fetchval("SELECT sum(bytes) FROM usage_months") == pack.length
        status = await leader.ok("GET", "/restore")
        assert (status["entries"], status["waiting"], status["closedAt"]) == (3, [], None)

        assert (await close(leader)).status_code == 200
        await space.change(member)

    async def test_a_space_that_was_made_after_the_backup_comes_back(
        self, leader: Device, space: SpaceClient, buckets: list[Path], backup: Backup,
        resources: Resources, company: int,
    ) -> None:  # fmt: skip
        other = await create_space(leader, space.recovery)
        await other.change(leader)
        await leader.ok("POST", f"{other.log}/flush")
        await restore(backup, resources)
        assert error_of(await leader.call("GET", other.log)) == (404, "space_not_found")
        await reading.read_company(resources, company)
        assert await head(leader, other) == is_back(other)

    async def test_a_piece_that_is_lost_is_rebuilt_after_the_closing(
        self, leader: Device, space: SpaceClient, buckets: list[Path], backup: Backup,
        resources: Resources, company: int, platform: Connection,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.store(leader)
        await pack.commit(leader)
        await leader.ok("POST", f"{space.log}/flush")
        (lost,) = buckets[0].rglob("packs/*/*")
        content = lost.read_bytes()
        lost.unlink()
        await restore(backup, resources)
        await reading.read_company(resources, company)
        assert await head(leader, space) == is_back(space)
        assert (await close(leader)).status_code == 200
        await platform.execute("UPDATE packs SET created_at = now() - interval '2 days'")
        async with resources.database.tenant(company) as connection:
            repair_id = await repair.begin_repair(connection, resources, company)
        assert repair_id is not None
        await pack_repair.repair_batch(resources, company, repair_id)
        assert lost.read_bytes() == content

    async def test_a_pack_that_is_away_with_its_warehouses_waits_for_them(
        self, leader: Device, space: SpaceClient, buckets: list[Path], backup: Backup,
        resources: Resources, company: int,
    ) -> None:  # fmt: skip
        await space.change(leader)
        pack = PackFile(space)
        await pack.store(leader)
        await pack.commit(leader)
        await leader.ok("POST", f"{space.log}/flush")
        hidden = [path for folder in buckets[:2] for path in folder.rglob("packs/*/*")]
        for path in hidden:
            path.rename(path.with_suffix(".away"))
        await restore(backup, resources)
        await reading.read_company(resources, company)
        assert (await head(leader, space))[0] == 3
        (waiting,) = (await leader.ok("GET", "/restore"))["waiting"]
        assert waiting == {
            "id": str(space.id), "sequence": 3, "seen": 4, "members": 0, "isInWarehouses": True
        }  # fmt: skip
        assert error_of(await close(leader)) == (409, "restore_incomplete")
        for path in hidden:
            path.with_suffix(".away").rename(path)
        await reading.read_company(resources, company)
        assert await head(leader, space) == is_back(space)
        assert (await close(leader)).status_code == 200

    async def test_an_upload_that_was_under_way_in_the_backup_is_found(
        self, leader: Device, space: SpaceClient, buckets: list[Path], urls: EmbeddedUrls,
        resources: Resources, company: int, platform: Connection,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.begin(leader)
        taken = await Backup.take(urls)
        await pack.store(leader)
        await pack.commit(leader)
        await leader.ok("POST", f"{space.log}/flush")
        await restore(taken, resources)
        await taken.close()
        await reading.read_company(resources, company)
        assert await head(leader, space) == is_back(space)
        assert await states(platform, pack) == ["stored"] * 3

    async def test_a_warehouse_that_lies_is_passed_over(
        self, leader: Device, member: Device, space: SpaceClient, buckets: list[Path],
        backup: Backup, resources: Resources, company: int, platform: Connection,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.store(leader)
        await pack.commit(leader)
        true = space.state.copy()
        await leader.ok("POST", f"{space.log}/flush")
        # By somebody who is no member, and a piece of another content with a right hash.
        forged = replace(space, state=space.state.copy())
        forged.state.sequence, forged.state.head = 2, segments(buckets[1])[0].entries[1].entry.hash
        entry = forged.entry(Change(()), member)
        lying = max(buckets[0].rglob("log/*/*"))
        lying.write_bytes(Segment((SegmentEntry(entry),)).encode())
        piece = next(buckets[0].rglob("packs/*/*"))
        other = PackFile(space, id=pack.id)
        piece.write_bytes(other.object(int(piece.suffix[1:])))
        (buckets[0] / ".tessera/v1" / str(space.company) / "log" / "junk").write_bytes(b"x")
        await restore(backup, resources)
        await reading.read_company(resources, company)
        assert await head(leader, space) == (true.sequence, encoded(true.head))
        assert await states(platform, pack) == ["pending", "stored", "stored"]

    async def test_one_warehouse_alone_does_not_choose_between_two_entries(
        self, leader: Device, member: Device, space: SpaceClient, buckets: list[Path],
        urls: EmbeddedUrls, resources: Resources, company: int,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        taken = await Backup.take(urls)
        other = space.entry(Change(()), member)
        await space.remove(leader, member)
        await leader.ok("POST", f"{space.log}/flush")
        # Longer than what the others have: the removed member has written on.
        path = max(buckets[0].rglob("log/*/*"))
        before = Segment.decode(path.read_bytes()).entries[:3]
        path.write_bytes(Segment((*before, SegmentEntry(other))).encode())
        await restore(taken, resources)
        await taken.close()
        await reading.read_company(resources, company)
        assert await head(leader, space) == is_back(space)
        assert error_of(await member.call("GET", space.log)) == (404, "space_not_found")

    async def test_a_warehouse_that_gives_no_answer_keeps_the_restore_open(
        self, leader: Device, space: SpaceClient, buckets: list[Path], backup: Backup,
        resources: Resources, company: int,
    ) -> None:  # fmt: skip
        away = buckets[0].rename(buckets[0].with_name("away"))
        await restore(backup, resources)
        await reading.read_company(resources, company)
        assert error_of(await close(leader)) == (409, "restore_not_read")
        away.rename(buckets[0])
        await reading.read_company(resources, company)
        assert (await close(leader)).status_code == 200


class TestGivingUp:
    """The entries that came after the backup are on no computer and in no warehouse."""

    @pytest.fixture
    async def abandoned(
        self, leader: Device, member: Device, space: SpaceClient, urls: EmbeddedUrls,
        resources: Resources, company: int,
    ) -> Entry:  # fmt: skip
        """The last entry that everybody has seen, after the restore."""
        await space.add(leader, member)
        taken = await Backup.take(urls)
        left = space.state.copy()
        entries = [await space.change(member) for _ in range(4)]
        await restore(taken, resources)
        await taken.close()
        await reading.read_company(resources, company)
        for device in (leader, member):
            await bring_back(space, device)
        space.state = left
        return entries[-1]

    def rewound(self, space: SpaceClient, leader: Device, abandoned: Entry) -> Entry:
        head = abandoned.head
        return space.entry(Rewound(head.sequence, abandoned.hash, head.time), leader)

    async def test_the_leader_gives_them_up_and_closes_the_restore(
        self, leader: Device, member: Device, space: SpaceClient, abandoned: Entry,
        resources: Resources, company: int, platform: Connection,
    ) -> None:  # fmt: skip
        assert error_of(await close(leader)) == (409, "restore_incomplete")
        rewound = self.rewound(space, leader, abandoned)
        assert (await space.generation(leader, rewound)).status_code == 200
        assert await head(member, space) == is_back(space)
        given_up = await platform.fetchrow(
            "SELECT details ->> 'first', details ->> 'last' FROM activity"
            " WHERE action = 'space.entriesGivenUp'"
        )
        assert given_up is not None
        assert tuple(given_up) == ("4", "7")
        assert (await close(leader)).status_code == 200
        await space.change(member)

    async def test_nothing_is_given_up_before_the_warehouses_were_read(
        self, leader: Device, space: SpaceClient, abandoned: Entry, platform: Connection
    ) -> None:
        await platform.execute("UPDATE storage_restores SET read_at = NULL")
        rewound = self.rewound(space, leader, abandoned)
        generation, grants = space.next_generation(leader, rewound)
        await space.send_grants(generation, grants, leader)
        answer = await space.send_all([rewound, generation], leader)
        assert error_of(answer) == (409, "restore_not_read")
        assert (await head(leader, space))[0] == 3

    async def test_what_was_given_up_does_not_come_back(
        self, leader: Device, member: Device, space: SpaceClient, abandoned: Entry,
        resources: Resources, company: int,
    ) -> None:  # fmt: skip
        before = replace(space, state=space.state.copy())
        former_entry = before.entry(Change(()), member)
        rewound = self.rewound(space, leader, abandoned)
        assert (await space.generation(leader, rewound)).status_code == 200
        answer = await bring_back(space, member, former_entry)
        assert error_of(answer) == (409, "history_differs")
        await reading.read_company(resources, company)
        assert await head(leader, space) == is_back(space)

    async def test_nothing_else_comes_with_it(
        self, leader: Device, member: Device, space: SpaceClient, abandoned: Entry,
        make: Factory,
    ) -> None:  # fmt: skip
        rewound = self.rewound(space, leader, abandoned)
        change = space.entry(Change(()), leader)
        for batch in ([rewound, change], [change, rewound], [change]):
            answer = await space.send_all(batch, leader)
            assert error_of(answer) == (409, "storage_restoring")
        assert reason(await space.send(rewound, leader)) == (
            422, "entry_refused", "generation_awaited"
        )  # fmt: skip
        by_member = space.entry(rewound.clear, member)
        assert reason(await space.send(by_member, member)) == (
            422, "entry_refused", "not_the_leader"
        )  # fmt: skip
        unverified = replace(leader, headers=await make.session(leader.user))
        assert error_of(await space.send(rewound, unverified)) == (403, "verification_required")
        assert (await head(leader, space))[0] == 3
        assert (await leader.ok("GET", "/restore"))["waiting"][0]["seen"] == 7


class TestFromClients:
    async def test_any_member_brings_back_what_others_wrote(
        self, leader: Device, member: Device, space: SpaceClient, urls: EmbeddedUrls,
        resources: Resources,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        taken = await Backup.take(urls)
        entries = [await space.change(leader), await space.change(member)]
        await restore(taken, resources)
        await taken.close()
        for _ in range(2):  # Repeated, because the first answer was lost.
            answer = await bring_back(space, member, *entries)
            assert answer.json() == {
                "sequence": 5, "head": encoded(space.state.head), "missingPacks": 0,
                "needsGrants": False,
            }  # fmt: skip
        assert await head(leader, space) == is_back(space)

    async def test_packs_are_looked_for_in_the_warehouses(
        self, leader: Device, space: SpaceClient, buckets: list[Path], backup: Backup,
        resources: Resources, platform: Connection,
    ) -> None:  # fmt: skip
        packs = [PackFile(space) for _ in range(6)]
        for pack in packs:
            await pack.store(leader)
        change = space.entry(Change(tuple(pack.record for pack in packs)), leader)
        await space.send(change, leader)
        retire = space.entry(Retire((packs[0].id,)), leader)
        await space.send(retire, leader)
        await restore(backup, resources)
        left = []
        for _ in range(3):
            answer = (await bring_back(space, leader, change, retire)).json()
            left.append((answer["sequence"], answer["missingPacks"]))
        assert left == [(2, 4), (2, 2), (4, 0)]
        assert await platform.fetchval("SELECT count(*) FROM packs WHERE sequence = 3") == 6

    async def test_a_removal_comes_with_its_generation_or_not_at_all(
        self, leader: Device, member: Device, space: SpaceClient, urls: EmbeddedUrls,
        resources: Resources,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        taken = await Backup.take(urls)
        change = await space.change(leader)
        removal = space.entry(MemberRemoved(member.user.uuid), leader)
        generation, grants = space.next_generation(leader, removal)
        await space.send_grants(generation, grants, leader)
        assert (await space.send_all([removal, generation], leader)).status_code == 200
        await restore(taken, resources)
        await taken.close()
        # The member's client has no grants of others.
        answer = (await bring_back(space, member, change, removal, generation)).json()
        assert (answer["sequence"], answer["needsGrants"]) == (4, True)
        answer = await bring_back(space, member, removal)
        assert reason(answer) == (422, "entry_refused", "generation_awaited")
        wrong = former(generation, grants[1:])
        answer = await bring_back(space, leader, removal, wrong)
        assert reason(answer) == (422, "entry_refused", "wrong_grants")
        assert (await head(leader, space))[0] == 4
        answer = await bring_back(space, leader, removal, former(generation, grants))
        assert answer.status_code == 200
        assert await head(leader, space) == is_back(space)
        assert error_of(await member.call("GET", space.log)) == (404, "space_not_found")

    async def test_what_does_not_continue_the_log_is_refused_as_a_whole(
        self, leader: Device, member: Device, space: SpaceClient, urls: EmbeddedUrls,
        resources: Resources, people: People, make: Factory, client: httpx.AsyncClient,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        other = await people.team()
        stranger = Device(client, other.leader, await make.session(other.leader))
        taken = await Backup.take(urls)
        first, second, third = [await space.change(leader) for _ in range(3)]
        await restore(taken, resources)
        await taken.close()

        forged = replace(second, signature=bytes(64))
        foreign = new_space(stranger, space.recovery)
        foreign.state.sequence, foreign.state.generation = 3, 1
        theirs = foreign.entry(Change(()), stranger)
        by_stranger = replace(
            space, state=replace(space.state, sequence=3, head=first.head.previous)
        ).entry(Change(()), stranger)
        later = int((clock.now() + timedelta(hours=1)).timestamp() * 1000)
        new = space.entry(Change(()), leader, replace(first.head, id=uuid4().bytes, time=later))
        for entries, expected in {
            (first, forged): (422, "entry_refused", "bad_signature"),
            (theirs,): (422, "entry_refused", "wrong_space"),
            (by_stranger,): (422, "entry_refused", "not_a_member"),
            (new,): (422, "entry_refused", "time_ahead"),
            (second, third): (409, "log_moved_on", ""),
            (first, third): (422, "entry_malformed", ""),
        }.items():
            assert reason(await bring_back(space, member, *entries)) == expected
            assert (await head(member, space))[0] == 3
        answer = await bring_back(space, stranger, first)
        assert error_of(answer) == (404, "space_not_found")
        without_body = {"entry": encoded(first.encode(with_body=False)), "grants": []}
        answer = await bring_back(space, member, without_body)
        assert error_of(answer) == (422, "entry_malformed")
        # Another entry of a member's, in place of what everybody has seen.
        mine = replace(
            space, state=replace(space.state, sequence=3, head=first.head.previous)
        ).entry(Change(()), member)
        assert (await bring_back(space, member, first)).status_code == 200
        assert error_of(await bring_back(space, member, mine)) == (409, "history_differs")
        assert (await bring_back(space, member, first, second, third)).status_code == 200
        assert await head(leader, space) == is_back(space)

    async def test_members_who_were_removed_cannot_write_on(
        self, leader: Device, member: Device, space: SpaceClient, urls: EmbeddedUrls,
        resources: Resources,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        before = replace(space, state=space.state.copy())
        await space.remove(leader, member)
        taken = await Backup.take(urls)
        await restore(taken, resources)
        await taken.close()
        forged = space.entry(Change(()), member)
        assert error_of(await bring_back(space, member, forged)) == (404, "space_not_found")
        answer = await bring_back(space, leader, forged)
        assert reason(answer) == (422, "entry_refused", "not_a_member")
        replayed = before.entry(Change(()), member)
        assert error_of(await bring_back(space, leader, replayed)) == (409, "history_differs")

    async def test_a_space_begins_with_its_leaders_keys_alone(
        self, leader: Device, member: Device, space: SpaceClient, backup: Backup,
        resources: Resources,
    ) -> None:  # fmt: skip
        made = new_space(leader, space.recovery)

        entry = genesis(made, leader)
        await leader.ok("POST", "/spaces", {"entry": encoded(entry.encode())})
        made.state.append(entry)
        await restore(backup, resources)
        theirs = new_space(member, type(space.recovery).generate())
        answer = await bring_back(theirs, member, genesis(theirs, member))
        assert error_of(answer) == (404, "space_not_found")
        change = space.entry(Change(()), leader)
        assert error_of(await bring_back(theirs, member, change)) == (404, "space_not_found")
        assert (await bring_back(made, member, entry)).status_code == 200
        assert await head(leader, made) == is_back(made)

    async def test_a_space_of_others_cannot_be_told_from_one_that_does_not_exist(
        self, leader: Device, member: Device, space: SpaceClient, resources: Resources,
        people: People, make: Factory, client: httpx.AsyncClient, platform: Connection,
    ) -> None:  # fmt: skip
        other = await people.team()
        stranger = Device(client, other.leader, await make.session(other.leader))
        none = new_space(leader, type(space.recovery).generate())
        await restores.begin_all(resources)
        entries = [genesis(none, member), space.entry(Change(()), leader)]
        for device in (member, stranger):
            for sent in ([], entries[:1], entries[1:]):
                answers = [await bring_back(each, device, *sent, seen=9) for each in (space, none)]
                assert {answer.status_code for answer in answers} == {404}
                assert len({answer.json()["code"] for answer in answers}) == 1
        claims = "SELECT count(*) FROM storage_restore_claims"
        assert await platform.fetchval(claims) == 0
        await bring_back(space, leader)
        assert await platform.fetchval(claims) == 1

    async def test_nothing_is_taken_without_a_restore_and_nothing_new_during_one(
        self, leader: Device, member: Device, space: SpaceClient, buckets: list[Path],
        resources: Resources, company: int,
    ) -> None:  # fmt: skip
        entry = space.entry(Change(()), leader)
        assert error_of(await bring_back(space, leader, entry)) == (409, "not_restoring")
        assert error_of(await close(leader)) == (409, "not_restoring")
        await restores.begin_all(resources)
        assert error_of(await space.send(entry, leader)) == (409, "storage_restoring")
        assert error_of(await PackFile(space).begin(leader)) == (409, "storage_restoring")
        made = new_space(leader, space.recovery)

        body = {"entry": encoded(genesis(made, leader).encode())}
        assert error_of(await leader.call("POST", "/spaces", body)) == (409, "storage_restoring")
        await reading.read_company(resources, company)
        assert error_of(await close(member)) == (403, "forbidden")
        assert (await close(leader)).status_code == 200
        assert (await space.send(entry, leader)).status_code == 200


class TestClosing:
    async def test_closing_waits_for_what_members_have_seen(
        self, leader: Device, member: Device, space: SpaceClient, buckets: list[Path],
        urls: EmbeddedUrls, resources: Resources, company: int, platform: Connection,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        taken = await Backup.take(urls)
        entry = await space.change(leader)
        await restore(taken, resources)
        await taken.close()
        await reading.read_company(resources, company)
        assert (await bring_back(space, member)).json()["sequence"] == 3
        (waiting,) = (await leader.ok("GET", "/restore"))["waiting"]
        assert (waiting["sequence"], waiting["seen"], waiting["members"]) == (3, 4, 1)
        assert error_of(await close(leader)) == (409, "restore_incomplete")
        # A lie of somebody whose account is disabled holds up nothing.
        await bring_back(space, member, seen=10**9)
        await bring_back(space, leader, entry)
        assert error_of(await close(leader)) == (409, "restore_incomplete")
        await platform.execute(
            "UPDATE users SET is_active = false WHERE uuid = $1", member.user.uuid
        )
        assert (await close(leader)).status_code == 200

    async def test_a_second_restore_in_between_begins_anew(
        self, leader: Device, space: SpaceClient, buckets: list[Path], backup: Backup,
        resources: Resources, company: int,
    ) -> None:  # fmt: skip
        entries = [await space.change(leader) for _ in range(2)]
        for _ in range(2):
            await restore(backup, resources)
            assert (await bring_back(space, leader, entries[0])).json()["sequence"] == 3
        await restores.begin_all(resources)
        assert (await bring_back(space, leader, *entries)).json()["sequence"] == 4
        assert error_of(await close(leader)) == (409, "restore_not_read")
        await reading.read_company(resources, company)
        assert (await close(leader)).status_code == 200
        assert await head(leader, space) == is_back(space)

    async def test_the_leader_gets_a_mail(
        self, leader: Device, space: SpaceClient, resources: Resources, outbox: Outbox, team: Team
    ) -> None:
        await restores.begin_all(resources)
        mail = (await outbox.messages())[-1]
        assert mail["to"] == team.leader.email
        assert mail["subject"] == "Our service was restored from a backup"
        assert "tess reopen" in mail["text"]
        (listed,) = [
            row for row in await restores.list_all(resources) if row.uuid == team.company.uuid
        ]
        assert (listed.read_at, listed.closed_at, listed.entries) == (None, None, 0)


class TestNothingIsDeleted:
    """Everything that deletes from clouds, or rows of storage, waits for the closing."""

    @pytest.fixture
    async def restoring(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources
    ) -> None:
        await restores.begin_all(resources)

    @pytest.mark.parametrize("is_open", [True, False])
    async def test_retired_and_uncommitted_packs(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection, company: int, is_open: bool,
    ) -> None:  # fmt: skip
        retired, uncommitted, marked = [PackFile(space) for _ in range(3)]
        for pack in (retired, uncommitted, marked):
            await pack.store(leader)
        await retired.commit(leader)
        await space.send(space.entry(Retire((retired.id,)), leader), leader)
        await platform.execute(
            "UPDATE packs SET created_at = now() - interval '8 days',"
            " retired_at = retired_at - interval '31 days',"
            " deleted_at = CASE WHEN id = $1 THEN now() END",
            marked.id,
        )
        if is_open:
            await restores.begin_all(resources)
        await deletion.delete_due_packs(resources, company)
        left = [path for folder in buckets for path in folder.rglob("packs/*/*")]
        assert len(left) == (9 if is_open else 0)

    @pytest.mark.parametrize("is_open", [True, False])
    async def test_shares_that_ended(
        self, leader: Device, buckets: list[Path], resources: Resources, platform: Connection,
        company: int, is_open: bool,
    ) -> None:  # fmt: skip
        ended, expired = ShareFile(leader), ShareFile(leader)
        for share in (ended, expired):
            await share.store()
        await leader.ok("DELETE", f"/shares/{ended.id}")
        await platform.execute(
            "UPDATE shares SET expires_at = now() - interval '91 days' WHERE id = $1", expired.id
        )
        if is_open:
            await restores.begin_all(resources)
        await deletion.delete_due_packs(resources, company)
        left = [path for folder in buckets for path in folder.rglob("packs/*/*")]
        assert len(left) == (6 if is_open else 0)
        forgotten = "SELECT NOT EXISTS (SELECT FROM shares WHERE id = $1)"
        assert await platform.fetchval(forgotten, expired.id) == (not is_open)

    @pytest.mark.parametrize("is_open", [True, False])
    async def test_wrong_objects_of_uploads(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection, company: int, is_open: bool,
    ) -> None:  # fmt: skip
        pack = PackFile(space)
        await pack.send(leader)
        for folder in buckets:
            for path in folder.rglob("packs/*/*"):
                path.write_bytes(b"another")
        await expire(platform, hours=13)
        if is_open:
            await restores.begin_all(resources)
        await settlement.settle_batch(resources, company)
        left = [path for folder in buckets for path in folder.rglob("packs/*/*")]
        assert len(left) == (3 if is_open else 0)

    @pytest.mark.parametrize("is_open", [True, False])
    async def test_segments_are_kept_while_it_is_open(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        company: int, is_open: bool, monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(merging, "MIN_SEGMENTS", 2)
        for _ in range(3):
            await space.change(leader)
            await leader.ok("POST", f"{space.log}/flush")
        if is_open:
            await restores.begin_all(resources)
        await merging.merge_company(resources, company)
        assert len(segments(buckets[0])) == (3 if is_open else 1)

    @pytest.mark.parametrize("is_open", [True, False])
    async def test_grants_that_wait_for_their_entry(
        self, leader: Device, member: Device, space: SpaceClient, resources: Resources,
        platform: Connection, is_open: bool,
    ) -> None:  # fmt: skip
        entry, grants = space.added(leader, member)
        await space.send_grants(entry, grants, leader)
        await platform.execute("UPDATE waiting_grants SET created_at = now() - interval '2 days'")
        if is_open:
            await restores.begin_all(resources)
        await log_limits.delete_orphan_grants(resources)
        waiting = "SELECT count(*) FROM grants WHERE sequence IS NULL"
        assert await platform.fetchval(waiting) == is_open

    @pytest.mark.usefixtures("restoring")
    async def test_pieces_in_a_warehouse_that_is_left(
        self, leader: Device, space: SpaceClient, buckets: list[Path], resources: Resources,
        platform: Connection, company: int,
    ) -> None:  # fmt: skip
        async with resources.database.tenant(company) as connection:
            assert await repair.begin_repair(connection, resources, company) is None
            repair_id = await connection.fetchval(
                "INSERT INTO repairs (company_id, packs) VALUES ($1, 1) RETURNING id", company
            )
        # One that the backup had under way.
        assert not await pack_repair.repair_batch(resources, company, repair_id)

    @pytest.mark.usefixtures("restoring")
    async def test_a_company_that_wanted_to_leave_when_the_backup_was_made(
        self, resources: Resources, platform: Connection, company: int
    ) -> None:
        await platform.execute(
            "UPDATE companies SET leaving_since = now() - interval '31 days',"
            " deletion_at = now() - interval '1 day', subscribed_until = now() WHERE id = $1",
            company,
        )
        assert not await remind_or_delete(resources, company)
        assert await platform.fetchval("SELECT count(*) FROM companies WHERE id = $1", company)
