"""The recovery pair: its records, its kits, and its way to a next leader."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core import base64url
from tessera_core.entries import RecoveryChanged
from tessera_core.handovers import RecoveryHandover, seal_recovery_handover
from tessera_core.recovery_records import RecoveryRecord, sign_record
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.security.attacker import error_of, together
from tests.storage.client import (
    Device,
    SpaceClient,
    change_leader,
    create_space,
    encoded,
    genesis,
    kit_body,
    new_record,
    new_space,
    record_body,
)

MALFORMED = (422, "recovery_malformed")


@pytest.fixture
async def first(leader: Device, member: Device) -> tuple[PrivateKeys, RecoveryRecord]:
    """The first pair and its record, which is stored."""
    await leader.register_keys()
    await member.register_keys()
    pair = PrivateKeys.generate()
    record = new_record(leader, pair)
    await leader.ok("PUT", "/recovery/record", record_body(record))
    return pair, record


First = tuple[PrivateKeys, RecoveryRecord]


def successor(leader: Device, first: First) -> First:
    pair = PrivateKeys.generate()
    return pair, new_record(leader, pair, first[1], first[0])


class TestRecords:
    async def test_a_company_without_a_pair_has_an_empty_chain(self, member: Device) -> None:
        assert await member.ok("GET", "/recovery") == {
            "records": [], "kitCounter": 0, "isKitConfirmed": False, "sealed": None
        }  # fmt: skip

    async def test_the_leader_names_a_pair_and_replaces_it(
        self, leader: Device, member: Device, first: First, platform: Connection
    ) -> None:
        _, record = successor(leader, first)
        stored = await leader.ok("PUT", "/recovery/record", record_body(record))
        assert stored["records"] == [encoded(each.encode()) for each in (first[1], record)]
        assert (await member.ok("GET", "/recovery"))["records"] == stored["records"]
        recorded = await platform.fetch(
            "SELECT action FROM activity WHERE action LIKE 'recovery%' ORDER BY id"
        )
        assert [row["action"] for row in recorded] == [
            "recoveryKeys.created", "recoveryKeys.replaced"
        ]  # fmt: skip

    async def test_repeated_call_to_store_a_record_succeeds(
        self, leader: Device, first: First
    ) -> None:
        stored = await leader.ok("PUT", "/recovery/record", record_body(first[1]))
        assert len(stored["records"]) == 1

    async def test_replacing_a_record_needs_verified_access(
        self, leader: Device, make: Factory
    ) -> None:
        leader.headers = await make.session(leader.user)
        await leader.register_keys()
        first = PrivateKeys.generate(), None
        record = new_record(leader, first[0])
        await leader.ok("PUT", "/recovery/record", record_body(record))
        _, second = successor(leader, (first[0], record))
        answer = await leader.call("PUT", "/recovery/record", record_body(second))
        assert error_of(answer) == (403, "verification_required")

    async def test_record_of_a_member_is_refused(
        self, member: Device, first: First, make: Factory
    ) -> None:
        member.headers = await make.session(member.user, verified=True)
        _, record = successor(member, first)
        answer = await member.call("PUT", "/recovery/record", record_body(record))
        assert error_of(answer) == (403, "forbidden")

    async def test_record_with_another_counter_is_stale(self, leader: Device, first: First) -> None:
        other_first = new_record(leader, PrivateKeys.generate())
        pair, second = successor(leader, first)
        third = new_record(leader, PrivateKeys.generate(), second, pair)
        for record in (other_first, third):
            answer = await leader.call("PUT", "/recovery/record", record_body(record))
            assert error_of(answer) == (409, "recovery_stale")
            assert answer.json()["counter"] == 1

    async def test_records_of_two_devices_at_once_have_one_winner(
        self, leader: Device, first: First
    ) -> None:
        bodies = [record_body(successor(leader, first)[1]) for _ in range(4)]
        answers = await together(
            [partial(leader.call, "PUT", "/recovery/record", body) for body in bodies]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]

    async def test_record_without_keys_is_refused(self, leader: Device) -> None:
        record = new_record(leader, PrivateKeys.generate())
        answer = await leader.call("PUT", "/recovery/record", record_body(record))
        assert error_of(answer) == (404, "storage_keys_missing")


HOUR = 3_600_000


def signed_by(signer: PrivateKeys, pair: PrivateKeys, first: First, **change: Any) -> bytes:
    """A replacement with changed fields, signed by everybody who has to."""
    record = sign_record(
        pair,
        signer,
        company=first[1].company,
        leader=first[1].leader,
        time=first[1].time,
        before=first[1],
        pair_before=first[0],
    )
    record = replace(record, **change)
    return replace(
        record,
        leader_signature=signer.sign(record.statement),
        pair_signature=pair.sign(record.statement),
        previous_signature=first[0].sign(record.statement),
    ).encode()


async def test_the_record_that_is_forged_below_is_stored_as_it_is(
    leader: Device, first: First
) -> None:
    data = signed_by(leader.keys, PrivateKeys.generate(), first)
    await leader.ok("PUT", "/recovery/record", {"record": encoded(data)})


class TestForgedRecords:
    """Each is right but for one thing, and is not stored."""

    @pytest.fixture(autouse=True)
    async def nothing_stored(self, first: First, leader: Device):  # type: ignore[no-untyped-def]  # noqa: ANN201
        before = await leader.ok("GET", "/recovery")
        yield
        assert await leader.ok("GET", "/recovery") == before

    async def refused(self, leader: Device, data: bytes) -> None:
        answer = await leader.call("PUT", "/recovery/record", {"record": encoded(data)})
        assert error_of(answer) == MALFORMED

    @pytest.mark.parametrize(
        "change",
        [
            {"company": uuid4()},
            {"leader": uuid4()},
            {"fingerprint": bytes(32)},
            {"previous": bytes([1]) * 32},
            {"time": 1},
        ],
        ids=lambda change: next(iter(change)),
    )
    async def test_record_with_a_forged_field_is_refused(
        self, leader: Device, first: First, change: dict[str, Any]
    ) -> None:
        await self.refused(leader, signed_by(leader.keys, PrivateKeys.generate(), first, **change))

    async def test_record_from_the_future_is_refused(self, leader: Device, first: First) -> None:
        ahead = first[1].time + HOUR
        await self.refused(
            leader, signed_by(leader.keys, PrivateKeys.generate(), first, time=ahead)
        )

    async def test_keys_that_the_leader_has_not_registered(
        self, leader: Device, first: First
    ) -> None:
        other = PrivateKeys.generate()
        fingerprint = other.public.fingerprint
        data = signed_by(other, PrivateKeys.generate(), first, fingerprint=fingerprint)
        await self.refused(leader, data)

    @pytest.mark.parametrize("name", ["leader", "pair", "previous"])
    async def test_record_with_a_forged_signature_is_refused(
        self, leader: Device, first: First, name: str
    ) -> None:
        data = signed_by(leader.keys, PrivateKeys.generate(), first)
        record = RecoveryRecord.decode(data)
        forged = PrivateKeys.generate().sign(record.statement)
        changed: dict[str, Any] = {f"{name}_signature": forged}
        await self.refused(leader, replace(record, **changed).encode())

    async def test_the_same_pair_again(self, leader: Device, first: First) -> None:
        await self.refused(leader, signed_by(leader.keys, first[0], first))

    async def test_damaged_record_is_refused(self, leader: Device, first: First) -> None:
        data = signed_by(leader.keys, PrivateKeys.generate(), first)
        for damaged in (b"", data[:-1], data + b"\0", b"x" + data[1:]):
            await self.refused(leader, damaged)


class TestSpaces:
    async def test_name_the_newest_pair(self, leader: Device, space: SpaceClient) -> None:
        (content,) = (await leader.ok("GET", "/recovery"))["records"]
        health = (await leader.ok("GET", "/health"))["recovery"]
        assert (health["recordCounter"], health["spacesWithFormerPair"]) == (1, 0)
        former = space.recovery
        before = RecoveryRecord.decode(_bytes(content))
        pair, record = successor(leader, (former, before))
        await leader.ok("PUT", "/recovery/record", record_body(record))
        health = (await leader.ok("GET", "/health"))["recovery"]
        assert (health["recordCounter"], health["spacesWithFormerPair"]) == (2, 1)

        entry = genesis(new_space(leader, former), leader)
        answer = await leader.call("POST", "/spaces", {"entry": encoded(entry.encode())})
        assert error_of(answer) == (409, "subject_keys_changed")

        unknown = PrivateKeys.generate()
        for keys, expected in ((unknown, 409), (pair, 200)):
            space.recovery = keys
            answer = await space.generation(
                leader, space.entry(RecoveryChanged(keys.public), leader)
            )
            assert answer.status_code == expected
        health = (await leader.ok("GET", "/health"))["recovery"]
        assert health["spacesWithFormerPair"] == 0
        # The pair before is never accepted again.
        space.recovery = former
        answer = await space.send(space.entry(RecoveryChanged(former.public), leader), leader)
        assert answer.json()["reason"] == "key_removed"

    async def test_a_replacement_needs_verified_access(
        self, leader: Device, space: SpaceClient, make: Factory
    ) -> None:
        (content,) = (await leader.ok("GET", "/recovery"))["records"]
        before = RecoveryRecord.decode(_bytes(content))
        pair, record = successor(leader, (space.recovery, before))
        await leader.ok("PUT", "/recovery/record", record_body(record))
        space.recovery = pair
        leader.headers = await make.session(leader.user)
        answer = await space.generation(leader, space.entry(RecoveryChanged(pair.public), leader))
        assert error_of(answer) == (403, "verification_required")


def _bytes(text: str) -> bytes:
    return base64url.decode(text)


class TestKits:
    async def test_the_newest_one_is_shown_to_the_leader_alone(
        self, leader: Device, member: Device, first: First
    ) -> None:
        company = leader.user.company.uuid
        for counter in (1, 2):
            body = kit_body(first[0], company, counter=counter)
            stored = await leader.ok("PUT", "/recovery/kit", body)
            assert (stored["kitCounter"], stored["sealed"]) == (counter, body["sealed"])
        # A repeated call, whose first answer was lost.
        assert await leader.ok("PUT", "/recovery/kit", body) == stored
        shown = await member.ok("GET", "/recovery")
        assert (shown["kitCounter"], shown["sealed"]) == (2, None)
        assert (await leader.ok("GET", "/health"))["recovery"]["isKitCurrent"] is True

    async def test_only_the_newest_kit_is_confirmed_and_the_next_one_is_not(
        self, leader: Device, first: First
    ) -> None:
        company = leader.user.company.uuid
        confirmation = "/recovery/kit/confirmation"
        answer = await leader.call("PUT", confirmation, {"counter": 1})
        assert error_of(answer) == (409, "recovery_stale")
        for counter in (1, 2):
            body = kit_body(first[0], company, counter=counter)
            assert (await leader.ok("PUT", "/recovery/kit", body))["isKitConfirmed"] is False
            assert (await leader.ok("GET", "/health"))["recovery"]["isKitConfirmed"] is False
            confirmed = await leader.ok("PUT", confirmation, {"counter": counter})
            assert confirmed["isKitConfirmed"] is True
            assert (await leader.ok("GET", "/health"))["recovery"]["isKitConfirmed"] is True
        answer = await leader.call("PUT", confirmation, {"counter": 1})
        assert error_of(answer) == (409, "recovery_stale")

    async def test_kit_is_made_after_the_subscription_has_ended(
        self, leader: Device, first: First, platform: Connection
    ) -> None:
        """Else nothing could be exported by whoever has none."""
        space = await create_space(leader, first[0])
        await platform.execute("UPDATE companies SET subscribed_until = now() - interval '1 day'")
        await leader.ok("POST", f"{space.log}/flush")
        body = kit_body(first[0], leader.user.company.uuid, counter=1)
        await leader.ok("PUT", "/recovery/kit", body)
        confirmed = await leader.ok("PUT", "/recovery/kit/confirmation", {"counter": 1})
        assert confirmed["isKitConfirmed"] is True

    @pytest.mark.parametrize(("counter", "record"), [(1, 1), (3, 1), (2, 2)])
    async def test_kit_of_another_counter_or_pair_is_stale(
        self, leader: Device, first: First, counter: int, record: int
    ) -> None:
        company = leader.user.company.uuid
        await leader.ok("PUT", "/recovery/kit", kit_body(first[0], company, counter=1))
        body = kit_body(first[0], company, counter=counter, record=record)
        answer = await leader.call("PUT", "/recovery/kit", body)
        assert error_of(answer) == (409, "recovery_stale")
        assert answer.json()["counter"] == 1

    async def test_a_kit_of_a_former_pair_is_not_current(
        self, leader: Device, first: First
    ) -> None:
        company = leader.user.company.uuid
        await leader.ok("PUT", "/recovery/kit", kit_body(first[0], company, counter=1))
        pair, record = successor(leader, first)
        await leader.ok("PUT", "/recovery/record", record_body(record))
        assert (await leader.ok("GET", "/health"))["recovery"]["isKitCurrent"] is False
        former = kit_body(first[0], company, counter=2, record=1)
        answer = await leader.call("PUT", "/recovery/kit", former)
        assert error_of(answer) == (409, "recovery_stale")
        body = kit_body(pair, company, counter=2, record=2)
        await leader.ok("PUT", "/recovery/kit", body)
        assert (await leader.ok("GET", "/health"))["recovery"]["isKitCurrent"] is True

    async def test_kit_of_another_company_or_damaged_is_refused(
        self, leader: Device, first: First, people: People
    ) -> None:
        foreign = kit_body(first[0], (await people.team()).company.uuid, counter=1)
        mislabelled = {**kit_body(first[0], leader.user.company.uuid, counter=2), "counter": 1}
        for body in (foreign, mislabelled, {"counter": 1, "sealed": "AAAA"}):
            assert error_of(await leader.call("PUT", "/recovery/kit", body)) == MALFORMED

    async def test_needs_a_record_and_verified_access(self, leader: Device, make: Factory) -> None:
        body = kit_body(PrivateKeys.generate(), leader.user.company.uuid, counter=1)
        assert error_of(await leader.call("PUT", "/recovery/kit", body)) == (
            404, "recovery_missing"
        )  # fmt: skip
        leader.headers = await make.session(leader.user)
        assert error_of(await leader.call("PUT", "/recovery/kit", body)) == (
            403, "verification_required"
        )  # fmt: skip


def handed_over(sender: Device, recipient: Device, first: First) -> RecoveryHandover:
    return seal_recovery_handover(
        first[0],
        recipient.keys.public,
        sender.keys,
        company=sender.user.company.uuid,
        sender=sender.user.uuid,
        recipient=recipient.user.uuid,
        counter=first[1].counter,
    )


async def send(sender: Device, handover: RecoveryHandover) -> httpx.Response:
    body = {"handover": encoded(handover.encode())}
    return await sender.call("PUT", "/recovery/handover", body)


async def waiting(recipient: Device) -> str | None:
    handover: str | None = (await recipient.ok("GET", "/recovery/handover"))["handover"]
    return handover


class TestHandovers:
    async def test_reaches_its_recipient_alone(
        self, leader: Device, member: Device, first: First
    ) -> None:
        assert await waiting(member) is None
        handover = handed_over(leader, member, first)
        assert (await send(leader, handover)).status_code == 204
        assert await waiting(leader) is None
        stored = await waiting(member)
        assert stored == encoded(handover.encode())
        opened = RecoveryHandover.decode(_bytes(stored)).open(
            leader.keys.public, member.keys, company=leader.user.company.uuid
        )
        assert opened == first[0]

    async def test_a_former_leader_whom_the_record_names_may_still_send_it(
        self, leader: Device, member: Device, first: First, platform: Connection
    ) -> None:
        await change_leader(platform, leader, member)
        assert (await send(leader, handed_over(leader, member, first))).status_code == 204

    async def test_recovery_handover_of_a_member_is_refused(
        self, leader: Device, member: Device, first: First, make: Factory
    ) -> None:
        member.headers = await make.session(member.user, verified=True)
        answer = await send(member, handed_over(member, leader, first))
        assert error_of(answer) == (403, "forbidden")

    async def test_recovery_handover_needs_verified_access(
        self, leader: Device, member: Device, first: First, make: Factory
    ) -> None:
        leader.headers = await make.session(leader.user)
        answer = await send(leader, handed_over(leader, member, first))
        assert error_of(answer) == (403, "verification_required")

    async def test_a_forged_one_is_refused(
        self, leader: Device, member: Device, first: First
    ) -> None:
        right = handed_over(leader, member, first)
        forged = PrivateKeys.generate()
        for handover in (
            replace(right, signature=bytes(64)),
            replace(right, number=2),
            replace(right, sealed=bytes(len(right.sealed))),
            handed_over(replace(leader, keys=forged), member, first),
            handed_over(replace(leader, user=member.user), leader, first),
        ):
            assert error_of(await send(leader, handover)) == MALFORMED
        answer = await leader.call("PUT", "/recovery/handover", {"handover": "AAAA"})
        assert error_of(answer) == MALFORMED
        assert await waiting(member) is None

    async def test_recovery_handover_of_another_pair_is_stale(
        self, leader: Device, member: Device, first: First
    ) -> None:
        pair, record = successor(leader, first)
        answer = await send(leader, handed_over(leader, member, (pair, record)))
        assert error_of(answer) == (409, "recovery_stale")
        assert answer.json()["counter"] == 1

    async def test_recipient_of_a_recovery_handover_is_an_active_member_with_keys(
        self, leader: Device, member: Device, first: First, people: People, make: Factory,
        platform: Connection,
    ) -> None:  # fmt: skip
        gone = (409, "subject_keys_changed")
        keyless = Device(leader.http, await people.person(leader.user.company), {})
        team = await people.team()
        foreign = Device(leader.http, team.leader, await make.session(team.leader))
        await foreign.register_keys()
        for recipient in (keyless, foreign):
            assert error_of(await send(leader, handed_over(leader, recipient, first))) == gone
        assert await waiting(foreign) is None
        await platform.execute(
            "UPDATE users SET is_active = false WHERE uuid = $1", member.user.uuid
        )
        assert error_of(await send(leader, handed_over(leader, member, first))) == gone

    async def _replace_record(self, leader: Device, member: Device, first: First) -> None:
        record = successor(leader, first)[1]
        await leader.ok("PUT", "/recovery/record", record_body(record))

    async def _replace_keys(self, leader: Device, member: Device, first: First) -> None:
        new = replace(member, keys=PrivateKeys.generate())
        await new.ok("PUT", "/keys/replacement", new.keys_body(2))

    @pytest.mark.parametrize("event", [_replace_record, _replace_keys], ids=["record", "keys"])
    async def test_recovery_handover_is_dropped_with_the_pair_and_with_the_recipients_keys(
        self, leader: Device, member: Device, first: First, make: Factory, event: Callable[..., Any]
    ) -> None:
        member.headers = await make.session(member.user, verified=True)
        assert (await send(leader, handed_over(leader, member, first))).status_code == 204
        await event(self, leader, member, first)
        assert await waiting(member) is None

    async def test_recovery_handover_is_dropped_when_keys_are_made_after_a_reset(
        self, leader: Device, member: Device, first: First, platform: Connection
    ) -> None:
        assert (await send(leader, handed_over(leader, member, first))).status_code == 204
        await platform.execute("UPDATE member_keys SET envelope = NULL")
        # The same keys, sealed again, still open it.
        await member.ok("PUT", "/keys", member.keys_body(2))
        assert await waiting(member) is not None
        await platform.execute("UPDATE member_keys SET envelope = NULL")
        member.keys = PrivateKeys.generate()
        await member.ok("PUT", "/keys", member.keys_body(3))
        assert await waiting(member) is None

    async def test_recovery_handover_is_dropped_with_its_sender(
        self, leader: Device, member: Device, first: First, platform: Connection
    ) -> None:
        assert (await send(leader, handed_over(leader, member, first))).status_code == 204
        await platform.execute("DELETE FROM users WHERE uuid = $1", leader.user.uuid)
        assert await waiting(member) is None
