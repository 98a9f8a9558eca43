"""Entries that are appended together, or not at all."""

from dataclasses import replace
from functools import partial

import pytest

from tessera.kit.database import Connection
from tessera_core.entries import (
    Change,
    FormatChanged,
    Generation,
    MemberRemoved,
    Rewound,
    SetAside,
)
from tessera_core.grants import grants_hash
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.security.attacker import error_of, snapshot, together
from tests.storage.client import Device, SpaceClient, create_space, entries_body
from tests.storage.test_log import reason


class TestTogether:
    async def test_several_entries_are_one_append(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        ahead = replace(space, state=space.state.copy())
        entries = []
        for _ in range(64):
            entries.append(ahead.entry(Change(()), member))
            ahead.state.append(entries[-1])
        assert (await space.send_all(entries, member)).status_code == 200
        page = await member.ok("GET", space.log)
        assert page["sequence"] == 67

    async def test_a_removal_and_its_generation(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        removed = space.entry(MemberRemoved(member.user.uuid), leader)
        assert (await space.generation(leader, removed)).status_code == 200
        (shown,) = await leader.ok("GET", "/spaces")
        assert (shown["sequence"], shown["generation"]) == (5, 2)
        assert shown["awaitingGeneration"] is False

    async def test_somebody_leaves_and_returns_with_other_keys(
        self, leader: Device, member: Device, space: SpaceClient, make: Factory
    ) -> None:
        """Removed, a new generation, and added again: each rests on the entry before it."""
        await space.add(leader, member)
        headers = await make.session(member.user, verified=True)
        returned = replace(member, headers=headers, keys=PrivateKeys.generate())
        await returned.ok("PUT", "/keys/replacement", returned.keys_body(2))
        removed = space.entry(MemberRemoved(member.user.uuid), leader)
        generation, grants = space.next_generation(leader, removed)
        await space.send_grants(generation, grants, leader)
        ahead = replace(space, state=space.state.copy())
        for entry in (removed, generation):
            ahead.state.append(entry)
        added, grants = ahead.added(leader, returned)
        await space.send_grants(added, grants, leader)
        sent = await space.send_all([removed, generation, added], leader)
        assert sent.status_code == 200, sent.text
        await space.change(returned)

    async def test_a_body_that_is_set_aside(self, leader: Device, space: SpaceClient) -> None:
        entry = await space.change(leader)
        clear = SetAside((entry.head.sequence,))
        assert (await space.send(space.entry(clear, leader), leader)).status_code == 200

    async def test_a_rewound_log_needs_a_generation_and_verified_access(
        self, leader: Device, space: SpaceClient, make: Factory
    ) -> None:
        rewound = space.entry(Rewound(9, bytes(32), 1), leader)
        assert reason(await space.send(rewound, leader)) == (
            422, "entry_refused", "generation_awaited"
        )  # fmt: skip
        unverified = replace(leader, headers=await make.session(leader.user))
        assert error_of(await space.send(rewound, unverified)) == (403, "verification_required")
        assert (await space.generation(leader, rewound)).status_code == 200


class TestRefusedBatches:
    """None of the entries is stored, whichever of them is wrong."""

    @pytest.fixture(autouse=True)
    async def nothing_stored(  # type: ignore[no-untyped-def]  # noqa: ANN201
        self, space: SpaceClient, leader: Device, member: Device, platform: Connection
    ):
        assert (await space.add(leader, member)).status_code == 200
        company = leader.user.company.id
        before = await snapshot(platform, company)
        yield
        after = await snapshot(platform, company)
        for table in ("log_entries", "spaces", "space_members", "removed_space_keys", "activity"):
            assert after[f"public.{table}"] == before[f"public.{table}"], table

    async def test_batch_that_ends_without_its_generation_is_refused(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        removed = space.entry(MemberRemoved(member.user.uuid), leader)
        assert reason(await space.send(removed, leader)) == (
            422, "entry_refused", "generation_awaited"
        )  # fmt: skip

    async def test_batch_whose_last_entry_is_bad_is_refused(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        removed = space.entry(MemberRemoved(member.user.uuid), leader)
        generation, grants = space.next_generation(leader, removed)
        await space.send_grants(generation, grants, leader)
        forged = replace(generation, signature=bytes(64))
        answer = await space.send_all([removed, forged], leader)
        assert reason(answer) == (422, "entry_refused", "bad_signature")

    async def test_batch_with_a_gap_is_refused(self, leader: Device, space: SpaceClient) -> None:
        first = space.entry(Change(()), leader)
        ahead = replace(space, state=space.state.copy())
        ahead.state.append(first)
        second = ahead.entry(Change(()), leader)
        ahead.state.append(second)
        third = ahead.entry(Change(()), leader)
        answer = await space.send_all([first, third], leader)
        assert reason(answer) == (422, "entry_refused", "wrong_sequence")
        answer = await space.send_all([second, third], leader)
        assert error_of(answer) == (409, "log_moved_on")

    async def test_batch_of_several_authors_is_refused(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        first = space.entry(Change(()), leader)
        ahead = replace(space, state=space.state.copy())
        ahead.state.append(first)
        answer = await space.send_all([first, ahead.entry(Change(()), member)], leader)
        assert error_of(answer) == (403, "entry_of_somebody_else")

    async def test_a_generation_by_a_member(
        self, member: Device, space: SpaceClient, make: Factory
    ) -> None:
        member.headers = await make.session(member.user, verified=True)
        generation, grants = space.next_generation(member)
        stored = await space.send_grants(generation, grants, member)
        assert error_of(stored) == (403, "forbidden")
        answer = await space.send(generation, member)
        assert reason(answer) == (422, "entry_refused", "not_the_leader")

    async def test_entries_that_are_the_leaders(self, member: Device, space: SpaceClient) -> None:
        for clear in (SetAside((2,)), Rewound(9, bytes(32), 1), FormatChanged(2)):
            answer = await space.send(space.entry(clear, member), member)
            assert reason(answer) == (422, "entry_refused", "not_the_leader")

    async def test_a_format_that_this_service_does_not_know(
        self, leader: Device, space: SpaceClient
    ) -> None:
        answer = await space.send(space.entry(FormatChanged(2), leader), leader)
        assert reason(answer) == (422, "entry_refused", "newer_format")

    async def test_a_generation_without_its_grants(
        self, leader: Device, space: SpaceClient
    ) -> None:
        commitment = space.keyring.next().commitment(space.id, 2)
        entry = space.entry(Generation(commitment, grants_hash(())), leader)
        answer = await space.send(entry, leader)
        assert reason(answer) == (422, "entry_refused", "wrong_grants")

    @pytest.mark.parametrize("count", [0, 65])
    async def test_batches_of_none_and_too_many_are_refused(
        self, leader: Device, space: SpaceClient, count: int
    ) -> None:
        entries = [space.entry(Change(()), leader)] * count
        answer = await leader.call("POST", space.log, entries_body(*entries))
        assert error_of(answer) == (422, "invalid_input")


class TestRemovedKeys:
    async def test_keys_that_were_removed_are_never_accepted_again(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        await space.remove(leader, member)
        # The reader's own rules refuse it too, so the entry is made without them.
        space.state.removed_keys.clear()
        entry, grants = space.added(leader, member)
        await space.send_grants(entry, grants, leader)
        assert reason(await space.send(entry, leader)) == (422, "entry_refused", "key_removed")

    async def test_nor_under_another_uuid(
        self, leader: Device, member: Device, space: SpaceClient, people: People, make: Factory
    ) -> None:
        """Whoever was removed could come back under a new account."""
        await space.add(leader, member)
        await space.remove(leader, member)
        user = await people.person(member.user.company)
        returned = Device(leader.http, user, await make.session(user), keys=member.keys)
        await returned.register_keys()
        space.state.removed_keys.clear()
        entry, grants = space.added(leader, returned)
        await space.send_grants(entry, grants, leader)
        assert reason(await space.send(entry, leader)) == (422, "entry_refused", "key_removed")

    async def test_keys_removed_from_one_space_are_accepted_in_another(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        await space.remove(leader, member)
        other = await create_space(leader, space.recovery)
        assert (await other.add(leader, member)).status_code == 200


class TestRaces:
    async def test_two_removals_at_once_have_one_winner(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        bodies = []
        for _ in range(4):
            removed = space.entry(MemberRemoved(member.user.uuid), leader)
            generation, grants = space.next_generation(leader, removed)
            await space.send_grants(generation, grants, leader)
            bodies.append(entries_body(removed, generation))
        answers = await together([partial(leader.call, "POST", space.log, body) for body in bodies])
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert (await leader.ok("GET", "/spaces"))[0]["sequence"] == 5
