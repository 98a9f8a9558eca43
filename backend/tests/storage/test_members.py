from tests.factories.accounts import Factory, Outbox
from tests.factories.people import Team
from tests.storage.client import Device, SpaceClient


class TestWaiting:
    async def test_a_member_with_keys_waits_until_access_is_granted(
        self, leader: Device, member: Device, space: SpaceClient, outbox: Outbox
    ) -> None:
        (waiting,) = (await leader.ok("GET", "/waiting"))["members"]
        assert waiting["uuid"] == str(member.user.uuid)
        (mail,) = await outbox.messages()
        assert mail["subject"].endswith("waits for access to your files")
        # A newer envelope of the same keys is no news.
        await member.ok("PUT", "/keys", member.keys_body(revision=2))
        assert len(await outbox.messages()) == 1
        assert (await space.add(leader, member)).status_code == 200
        assert (await leader.ok("GET", "/waiting"))["members"] == []

    async def test_members_do_not_see_who_waits(self, member: Device) -> None:
        assert (await member.call("GET", "/waiting")).status_code == 403


class TestDevices:
    async def test_lists_client_sessions_and_ends_one(
        self, leader: Device, make: Factory, team: Team
    ) -> None:
        headers = await make.session(team.member, client="Laptop")
        (device,) = (await leader.ok("GET", "/devices"))["devices"]
        assert (device["name"], device["userUuid"]) == ("Laptop", str(team.member.uuid))
        ended = await leader.http.delete(
            f"/api/user/{team.member.uuid}/client-sessions/{device['id']}", headers=leader.headers
        )
        assert ended.status_code == 204
        assert (await leader.ok("GET", "/devices"))["devices"] == []
        refused = await leader.http.get("/api/storage/keys", headers=headers)
        assert refused.status_code == 401
