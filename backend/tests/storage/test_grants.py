import hashlib
from uuid import UUID

from tessera.kit.database import Connection
from tessera_core import base64url
from tessera_core.entries import Entry, Generation, LeaderChanged, MemberAdded
from tessera_core.grants import RECOVERY, grants_hash
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient, change_leader

LABEL = b"tessera/v1/grants"


class TestDigests:
    async def test_a_recipient_recomputes_the_entrys_hash(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        assert (await space.generation(leader)).status_code == 200
        for device in (leader, member):
            rows = (await device.ok("GET", f"/spaces/{space.id}/grants"))["grants"]
            assert {row["member"] for row in rows} - {str(RECOVERY)} == {str(device.user.uuid)}
            for row in rows:
                digests = [base64url.decode(digest) for digest in row["digests"]]
                own = hashlib.sha256(base64url.decode(row["grant"])).digest()
                members = sorted([RECOVERY, *space.state.members], key=lambda uuid: uuid.bytes)
                assert digests[members.index(UUID(row["member"]))] == own
                page = await device.ok("GET", space.log, after=row["sequence"] - 1, limit=1)
                entry = Entry.decode(base64url.decode(page["entries"][0]))
                assert isinstance(entry.clear, Generation)
                assert hashlib.sha256(LABEL + b"".join(digests)).digest() == entry.clear.grants

    async def test_digests_name_a_member_who_was_just_added(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        (row,) = (await member.ok("GET", f"/spaces/{space.id}/grants"))["grants"]
        (digest,) = row["digests"]
        page = await member.ok("GET", space.log, after=row["sequence"] - 1, limit=1)
        entry = Entry.decode(base64url.decode(page["entries"][0]))
        assert isinstance(entry.clear, MemberAdded)
        assert hashlib.sha256(LABEL + base64url.decode(digest)).digest() == entry.clear.grants


class TestRefused:
    async def test_the_leader_sees_it_until_there_is_a_newer_grant(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        path = f"/spaces/{space.id}/grants/refused"
        assert (await leader.ok("GET", "/spaces"))[0]["refusedGrants"] == []
        for _ in range(2):
            await member.ok("POST", path, {"sequence": space.state.sequence})
        assert (await leader.ok("GET", "/spaces"))[0]["refusedGrants"] == [str(member.user.uuid)]
        assert (await member.ok("GET", "/spaces"))[0]["refusedGrants"] == []
        await space.generation(leader)
        assert (await leader.ok("GET", "/spaces"))[0]["refusedGrants"] == []

    async def test_the_leader_of_the_log_sees_it_too(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection
    ) -> None:
        await space.add(leader, member)
        sequence = {"sequence": space.state.sequence}
        await member.ok("POST", f"/spaces/{space.id}/grants/refused", sequence)
        await platform.execute(
            "UPDATE users SET role = 'teamMember' WHERE uuid = $1", leader.user.uuid
        )
        assert (await leader.ok("GET", "/spaces"))[0]["refusedGrants"] == [str(member.user.uuid)]

    async def test_member_refuses_their_own_grant_only(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        path = f"/spaces/{space.id}/grants/refused"
        answer = await member.call("POST", path, {"sequence": 2})
        assert error_of(answer) == (404, "space_not_found")
        await space.add(leader, member)
        # The second entry granted to the leader alone.
        answer = await member.call("POST", path, {"sequence": 2})
        assert error_of(answer) == (404, "grant_not_found")
        assert (await leader.ok("GET", "/spaces"))[0]["refusedGrants"] == []

    async def test_refused_grant_is_forgotten_with_the_membership(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        sequence = {"sequence": space.state.sequence}
        await member.ok("POST", f"/spaces/{space.id}/grants/refused", sequence)
        await space.remove(leader, member)
        assert (await leader.ok("GET", "/spaces"))[0]["refusedGrants"] == []


class TestStoring:
    async def test_grants_of_a_removed_team_leader_are_not_handed_out(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection
    ) -> None:
        """They see every space; what was granted to them before is over."""
        await space.add(leader, member)
        await space.remove(leader, member)
        await change_leader(platform, leader, member)
        rows = (await member.ok("GET", f"/spaces/{space.id}/grants"))["grants"]
        assert [row["member"] for row in rows] == [str(RECOVERY)]

    async def test_a_former_team_leader_hands_a_space_to_one_who_is_no_member(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection
    ) -> None:
        await change_leader(platform, leader, member)
        space.devices[member.user.uuid] = member
        grants = space.grants(member.user.uuid)
        clear = LeaderChanged(member.user.uuid, member.keys.public, grants_hash(grants))
        entry = space.entry(clear, leader)
        assert (await space.send_grants(entry, grants, leader)).status_code == 204
        assert (await space.send(entry, leader)).status_code == 200

    async def test_former_leader_stores_grants_but_adds_nobody(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection
    ) -> None:
        await platform.execute(
            "UPDATE users SET role = 'teamMember' WHERE uuid = $1", leader.user.uuid
        )
        entry, grants = space.added(leader, member)
        await space.send_grants(entry, grants, leader)
        assert error_of(await space.send(entry, leader)) == (403, "forbidden")
