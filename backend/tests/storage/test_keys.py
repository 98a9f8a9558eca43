from dataclasses import replace
from functools import partial

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core.entries import Change
from tessera_core.envelopes import new_key
from tessera_core.key_envelopes import open_keys
from tessera_core.recovery import new_code, seal_recovery
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.security.attacker import error_of, together
from tests.storage.client import Device, SpaceClient, encoded, recovery_body


class TestKeys:
    async def test_are_created_once_and_open_on_a_second_device(self, member: Device) -> None:
        assert error_of(await member.call("GET", "/keys")) == (404, "storage_keys_missing")
        body = member.keys_body()
        assert await member.ok("PUT", "/keys", body) == {**body, "revision": 1}
        stored = await member.ok("GET", "/keys")
        opened = open_keys(
            stored["envelope"],
            user_key=member.user_key,
            uid=str(member.user.uuid),
            cid=str(member.user.company.uuid),
        )
        assert opened.keys == member.keys

    async def test_a_repeated_call_succeeds(self, member: Device) -> None:
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

    async def test_of_two_devices_at_once_one_wins(self, member: Device) -> None:
        await member.register_keys()
        bodies = [member.keys_body(2) for _ in range(4)]
        answers = await together([partial(member.call, "PUT", "/keys", body) for body in bodies])
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]

    async def test_after_a_reset_new_keys_are_accepted(
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

    async def test_members_see_the_public_keys_of_their_company_only(
        self, member: Device, leader: Device, client: httpx.AsyncClient, people: People,
        make: Factory,
    ) -> None:  # fmt: skip
        other = await people.team()
        stranger = Device(client, other.leader, await make.session(other.leader))
        for device in (member, leader, stranger):
            await device.register_keys()
        page = await member.ok("GET", "/keys/members")
        assert {row["uuid"]: row["publicKeys"] for row in page["members"]} == {
            str(device.user.uuid): encoded(device.keys.public.encode())
            for device in (member, leader)
        }
        assert page["next"] is None
        assert "envelope" not in page["members"][0]
        later = await member.ok("GET", "/keys/members", after=page["members"][0]["uuid"])
        assert later["members"] == page["members"][1:]


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

    async def test_needs_verified_access(self, lost: Device, member: Device) -> None:
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

    async def test_without_keys_there_is_nothing_to_replace(
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
        answer = await lost.call(
            "POST", space.log, {"entry": encoded(space.entry(Change(()), lost).encode())}
        )
        assert error_of(answer) == (422, "entry_refused")
        assert (await space.remove(leader, lost)).status_code == 200
        assert (await space.generation(leader)).status_code == 200
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


class TestRecovery:
    async def test_the_leader_stores_the_pair_and_then_a_kit(self, leader: Device) -> None:
        recovery = PrivateKeys.generate()
        assert error_of(await leader.call("GET", "/recovery")) == (404, "recovery_missing")
        first = recovery_body(leader, recovery)
        stored = await leader.ok("PUT", "/recovery", first)
        assert stored == {**first, "leaderUuid": str(leader.user.uuid), "sealed": None}
        kit = seal_recovery(
            recovery, "three clouds", new_code(), company=leader.user.company.uuid, counter=2
        )
        body = {**recovery_body(leader, recovery, 2), "sealed": encoded(kit.encode())}
        assert (await leader.ok("PUT", "/recovery", body))["sealed"] == body["sealed"]
        for counter in (1, 2, 4):
            answer = await leader.call("PUT", "/recovery", recovery_body(leader, recovery, counter))
            assert error_of(answer) == (409, "recovery_stale")
            assert answer.json()["counter"] == 2

    async def test_a_kit_needs_verified_access_and_the_first_pair_does_not(
        self, leader: Device, make: Factory
    ) -> None:
        leader.headers = await make.session(leader.user)
        recovery = PrivateKeys.generate()
        await leader.ok("PUT", "/recovery", recovery_body(leader, recovery))
        answer = await leader.call("PUT", "/recovery", recovery_body(leader, recovery, 2))
        assert error_of(answer) == (403, "verification_required")

    async def test_a_kit_of_another_company_or_counter_is_refused(
        self, leader: Device, people: People
    ) -> None:
        recovery = PrivateKeys.generate()
        other = (await people.team()).company.uuid
        for company, counter in ((other, 1), (leader.user.company.uuid, 2)):
            kit = seal_recovery(
                recovery, "three clouds", new_code(), company=company, counter=counter
            )
            body = {**recovery_body(leader, recovery), "sealed": encoded(kit.encode())}
            assert error_of(await leader.call("PUT", "/recovery", body)) == (
                422,
                "recovery_malformed",
            )
        body = {**recovery_body(leader, recovery), "leaderGrant": encoded(new_key())}
        assert error_of(await leader.call("PUT", "/recovery", body)) == (422, "recovery_malformed")

    async def test_members_neither_read_nor_store_it(self, member: Device) -> None:
        assert error_of(await member.call("GET", "/recovery")) == (403, "forbidden")
