from dataclasses import replace
from functools import partial

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core.entries import Change
from tessera_core.key_envelopes import open_keys
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.security.attacker import error_of, together
from tests.storage.client import Device, SpaceClient, change_leader, encoded, entries_body


class TestKeys:
    async def test_user_keys_are_created_once_and_open_on_a_second_device(
        self, member: Device
    ) -> None:
        assert error_of(await member.call("GET", "/keys")) == (404, "storage_keys_missing")
        body = member.keys_body()
        assert await member.ok("PUT", "/keys", body) == {**body, "revision": 1}
        stored = await member.ok("GET", "/keys")
        opened, revision = open_keys(
            stored["envelope"],
            user_key=member.user_key,
            uid=str(member.user.uuid),
            cid=str(member.user.company.uuid),
        )
        assert (opened.keys, revision) == (member.keys, 1)

    async def test_repeated_call_to_store_keys_succeeds(self, member: Device) -> None:
        body = member.keys_body()
        await member.ok("PUT", "/keys", body)
        assert await member.ok("PUT", "/keys", body) == {**body, "revision": 1}

    async def test_other_keys_are_refused(self, member: Device) -> None:
        await member.register_keys()
        before = await member.ok("GET", "/keys")
        member.keys = PrivateKeys.generate()
        for revision in (1, 2):
            answer = await member.call("PUT", "/keys", member.keys_body(revision))
            assert error_of(answer) == (409, "storage_keys_exist")
        assert await member.ok("GET", "/keys") == before

    async def test_a_newer_envelope_replaces_the_one_before_it(self, member: Device) -> None:
        await member.register_keys()
        assert (await member.ok("PUT", "/keys", member.keys_body(2)))["revision"] == 2
        for revision in (1, 2, 4):
            answer = await member.call("PUT", "/keys", member.keys_body(revision))
            assert error_of(answer) == (409, "storage_keys_stale")
            assert answer.json()["revision"] == 2

    async def test_keys_of_two_devices_at_once_have_one_winner(self, member: Device) -> None:
        await member.register_keys()
        bodies = [member.keys_body(2) for _ in range(4)]
        answers = await together([partial(member.call, "PUT", "/keys", body) for body in bodies])
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]

    async def test_new_keys_are_accepted_after_a_reset(
        self, member: Device, platform: Connection
    ) -> None:
        await member.register_keys()
        await platform.execute("UPDATE member_keys SET envelope = NULL")
        assert (await member.ok("GET", "/keys"))["envelope"] is None
        member.keys = PrivateKeys.generate()
        assert (await member.ok("PUT", "/keys", member.keys_body(2)))["revision"] == 2

    @pytest.mark.parametrize("damage", ["company", "user", "plain", "short", "first"])
    async def test_a_malformed_envelope_is_refused(
        self, member: Device, leader: Device, platform: Connection, damage: str
    ) -> None:
        body = member.keys_body()
        header, _, rest = body["envelope"].partition(".")
        match damage:
            case "company":
                body["envelope"] = leader.keys_body()["envelope"]
            case "user":
                body["envelope"] = body["envelope"].replace(header, header[:-4] + "AAAA")
            case "plain":
                body["envelope"] = encoded(member.keys.encode())
            case "short":
                body["envelope"] = f"{header}..{rest.split('.')[1]}.AAAA.{rest.split('.')[3]}"
            case "first":
                body["envelope"] = ""
        assert error_of(await member.call("PUT", "/keys", body)) == (422, "envelope_malformed")
        assert await platform.fetchval("SELECT count(*) FROM member_keys") == 0

    @pytest.mark.parametrize("keys", [b"", b"\x01" + b"\xff" * 1248, b"\x02" + bytes(1248)])
    async def test_unusable_public_keys_are_refused(self, member: Device, keys: bytes) -> None:
        body = {**member.keys_body(), "publicKeys": encoded(keys)}
        assert error_of(await member.call("PUT", "/keys", body)) == (422, "public_keys_unusable")

    async def test_whoever_grants_sees_the_public_keys_of_the_company_only(
        self, member: Device, leader: Device, client: httpx.AsyncClient, people: People,
        make: Factory,
    ) -> None:  # fmt: skip
        other = await people.team()
        stranger = Device(client, other.leader, await make.session(other.leader))
        for device in (member, leader, stranger):
            await device.register_keys()
        page = await leader.ok("GET", "/keys/members")
        assert {row["uuid"]: row["publicKeys"] for row in page["members"]} == {
            str(device.user.uuid): encoded(device.keys.public.encode())
            for device in (member, leader)
        }
        assert page["next"] is None
        assert "envelope" not in page["members"][0]
        later = await leader.ok("GET", "/keys/members", after=page["members"][0]["uuid"])
        assert later["members"] == page["members"][1:]


class TestColleagues:
    """A plain member learns of colleagues only what the client needs."""

    @pytest.fixture
    async def others(self, leader: Device, people: People, make: Factory) -> list[Device]:
        others = []
        for _ in range(2):
            user = await people.person(leader.user.company)
            others.append(Device(leader.http, user, await make.session(user)))
            await others[-1].register_keys()
        return others

    async def test_a_member_sees_the_leader_and_names_of_those_in_the_same_space(
        self, leader: Device, member: Device, space: SpaceClient, others: list[Device]
    ) -> None:
        colleague, _stranger = others
        for device in (member, colleague):
            assert (await space.add(leader, device)).status_code == 200
        rows = {row["uuid"]: row for row in (await member.ok("GET", "/keys/members"))["members"]}
        assert rows.keys() == {str(each.user.uuid) for each in (leader, member, colleague)}
        hidden = rows[str(colleague.user.uuid)]
        assert (hidden["emailAddress"], hidden["publicKeys"]) == (None, None)
        assert hidden["firstName"]
        for whole in (leader, member):
            row = rows[str(whole.user.uuid)]
            assert row["emailAddress"] == whole.user.email
            assert row["publicKeys"] == encoded(whole.keys.public.encode())
        assert len((await leader.ok("GET", "/keys/members"))["members"]) == 4

    async def test_member_without_a_space_sees_the_leader_alone(
        self, leader: Device, member: Device, space: SpaceClient, others: list[Device]
    ) -> None:
        assert (await space.add(leader, others[0])).status_code == 200
        rows = (await member.ok("GET", "/keys/members"))["members"]
        assert {row["uuid"] for row in rows} == {str(each.user.uuid) for each in (leader, member)}

    async def test_the_leader_of_a_space_is_shown_whole_and_sees_everybody(
        self, leader: Device, member: Device, space: SpaceClient, others: list[Device],
        platform: Connection,
    ) -> None:  # fmt: skip
        """As long as the log names a former team leader, members check that one's signatures."""
        for device in (member, others[0]):
            assert (await space.add(leader, device)).status_code == 200
        await change_leader(platform, leader, others[1])
        rows = {row["uuid"]: row for row in (await member.ok("GET", "/keys/members"))["members"]}
        assert rows[str(leader.user.uuid)]["publicKeys"] == encoded(leader.keys.public.encode())
        assert rows[str(others[0].user.uuid)]["publicKeys"] is None
        everybody = (await leader.ok("GET", "/keys/members"))["members"]
        assert len(everybody) == 4
        assert all(row["publicKeys"] and row["emailAddress"] for row in everybody)


class TestReplacement:
    """A device was lost, and with it the keys."""

    @pytest.fixture
    async def lost(self, member: Device, make: Factory) -> Device:
        """The member's device with verified access, and new keys to store."""
        await member.register_keys()
        headers = await make.session(member.user, verified=True, client="Desktop")
        return replace(member, headers=headers, keys=PrivateKeys.generate())

    async def test_ends_other_sessions_and_tells_the_leader(
        self, lost: Device, member: Device, leader: Device, outbox: Outbox, platform: Connection
    ) -> None:
        body = lost.keys_body(2)
        assert await lost.ok("PUT", "/keys/replacement", body) == {**body, "revision": 2}
        assert (await member.call("GET", "/keys")).status_code == 401
        assert (await lost.ok("GET", "/keys"))["publicKeys"] == body["publicKeys"]
        subjects = [mail["subject"] for mail in await outbox.messages()]
        assert sum("waits for access" in subject for subject in subjects) == 2
        recorded = await platform.fetchval("SELECT action FROM activity ORDER BY id DESC LIMIT 1")
        assert recorded == "storageKeys.replaced"
        # A repeated call, whose first answer was lost.
        assert await lost.ok("PUT", "/keys/replacement", body) == {**body, "revision": 2}

    async def test_replacing_keys_needs_verified_access(self, lost: Device, member: Device) -> None:
        answer = await member.call("PUT", "/keys/replacement", lost.keys_body(2))
        assert error_of(answer) == (403, "verification_required")
        assert (await member.call("GET", "/keys")).status_code == 200

    @pytest.mark.parametrize("revision", [1, 3])
    async def test_replaces_the_newest_revision_only(self, lost: Device, revision: int) -> None:
        answer = await lost.call("PUT", "/keys/replacement", lost.keys_body(revision))
        assert error_of(answer) == (409, "storage_keys_stale")
        assert answer.json()["revision"] == 1

    async def test_the_same_keys_are_no_replacement(
        self, lost: Device, member: Device, platform: Connection
    ) -> None:
        lost.keys = member.keys
        answer = await lost.call("PUT", "/keys/replacement", lost.keys_body(2))
        assert error_of(answer) == (409, "storage_keys_stale")
        assert (await member.call("GET", "/keys")).status_code == 200

    async def test_replacing_keys_that_do_not_exist_is_refused(
        self, lost: Device, platform: Connection
    ) -> None:
        await platform.execute("DELETE FROM member_keys")
        answer = await lost.call("PUT", "/keys/replacement", lost.keys_body(2))
        assert error_of(answer) == (404, "storage_keys_missing")

    async def test_who_had_access_waits_again(
        self, leader: Device, member: Device, space: SpaceClient, make: Factory
    ) -> None:
        assert (await space.add(leader, member)).status_code == 200
        assert (await leader.ok("GET", "/waiting"))["members"] == []
        headers = await make.session(member.user, verified=True)
        lost = replace(member, headers=headers, keys=PrivateKeys.generate())
        await lost.ok("PUT", "/keys/replacement", lost.keys_body(2))
        (waiting,) = (await leader.ok("GET", "/waiting"))["members"]
        assert waiting["uuid"] == str(member.user.uuid)
        # The log still names the former keys, so nothing can be written with the new ones.
        answer = await lost.call("POST", space.log, entries_body(space.entry(Change(()), lost)))
        assert error_of(answer) == (422, "entry_refused")
        assert (await space.remove(leader, lost)).status_code == 200
        assert (await space.add(leader, lost)).status_code == 200
        await space.change(lost)
        assert (await leader.ok("GET", "/waiting"))["members"] == []


class TestSubscription:
    async def test_members_read_for_90_days_and_nobody_writes(
        self, member: Device, leader: Device, team: Team, platform: Connection
    ) -> None:
        await member.register_keys()
        await leader.register_keys()
        for days, status in ((1, 200), (89, 200), (91, 403)):
            await platform.execute(
                "UPDATE companies SET subscribed_until = now() - make_interval(days => $2)"
                " WHERE id = $1",
                team.company.id, days,
            )  # fmt: skip
            assert (await member.call("GET", "/keys")).status_code == status
            assert (await leader.call("GET", "/keys")).status_code == 200
            answer = await leader.call("PUT", "/keys", leader.keys_body(2))
            assert error_of(answer) == (403, "subscription_required")
