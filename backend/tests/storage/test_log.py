import secrets
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from uuid import UUID

import httpx
import pytest

from tessera.authz.context import Access
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.storage import queries as storage_queries
from tessera.storage.access import find_space
from tessera.storage.log import entries
from tessera_core import base64url
from tessera_core.entries import (
    Change,
    Entry,
    LeaderChanged,
    MemberRemoved,
    Retire,
    encode_clear,
)
from tessera_core.grants import RECOVERY, Grant, grants_hash
from tessera_core.shards import Coding, PackRecord
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.security.attacker import error_of, snapshot, together
from tests.storage.client import (
    Device,
    SpaceClient,
    change_leader,
    encoded,
    entries_body,
    genesis,
    new_space,
)


def reason(answer: httpx.Response) -> tuple[int, str, str]:
    return (*error_of(answer), answer.json().get("reason", ""))


class TestSpaces:
    async def test_the_leader_creates_one_and_sees_it(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        (shown,) = await leader.ok("GET", "/spaces")
        assert (shown["id"], shown["sequence"], shown["generation"]) == (str(space.id), 2, 1)
        assert (shown["isMember"], shown["awaitingGeneration"]) == (True, False)
        assert await member.ok("GET", "/spaces") == []
        assert error_of(await member.call("GET", space.log)) == (404, "space_not_found")

    async def test_a_member_cannot_create_one(self, member: Device, space: SpaceClient) -> None:
        entry = genesis(new_space(member, space.recovery), member)
        answer = await member.call("POST", "/spaces", {"entry": encoded(entry.encode())})
        assert error_of(answer) == (403, "forbidden")

    async def test_a_repeated_genesis_is_refused(self, leader: Device, space: SpaceClient) -> None:
        (first,) = (await leader.ok("GET", space.log, limit=1))["entries"]
        answer = await leader.call("POST", "/spaces", {"entry": first})
        assert error_of(answer) == (409, "space_exists")

    async def test_genesis_names_the_registered_keys(
        self, leader: Device, space: SpaceClient
    ) -> None:
        other = new_space(leader, PrivateKeys.generate())
        entry = genesis(other, leader)
        answer = await leader.call("POST", "/spaces", {"entry": encoded(entry.encode())})
        assert error_of(answer) == (409, "subject_keys_changed")
        leader.keys = PrivateKeys.generate()
        entry = genesis(new_space(leader, space.recovery), leader)
        answer = await leader.call("POST", "/spaces", {"entry": encoded(entry.encode())})
        assert error_of(answer) == (409, "subject_keys_changed")

    async def test_space_begins_with_a_genesis_only(
        self, leader: Device, space: SpaceClient
    ) -> None:
        entry = space.entry(Change(()), leader)
        answer = await leader.call("POST", "/spaces", {"entry": encoded(entry.encode())})
        assert reason(answer) == (422, "entry_refused", "wrong_kind")


class TestAccess:
    async def test_a_granted_member_opens_the_keyring_reads_and_writes(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        assert (await space.add(leader, member)).status_code == 200
        await space.change(member)
        page = await member.ok("GET", space.log)
        assert page["sequence"] == 4
        assert [Entry.decode(base64url.decode(text)).head.sequence for text in page["entries"]] == [
            1,
            2,
            3,
            4,
        ]
        (own,) = (await member.ok("GET", f"/spaces/{space.id}/grants"))["grants"]
        grant = Grant.decode(base64url.decode(own["grant"]))
        opened = grant.open(member.keys, company=space.company, space=space.id)
        space.state.check_keyring(opened)
        assert opened == space.keyring

    async def test_a_grant_needs_verified_access(
        self, leader: Device, member: Device, space: SpaceClient, make: Factory
    ) -> None:
        entry, grants = space.added(leader, member)
        leader.headers = await make.session(leader.user)
        stored = await space.send_grants(entry, grants, leader)
        assert error_of(stored) == (403, "verification_required")
        # A new generation for the present members does not.
        assert (await space.generation(leader)).status_code == 200

    async def test_member_cannot_grant_access(
        self, leader: Device, member: Device, space: SpaceClient, people: People, make: Factory
    ) -> None:
        await space.add(leader, member)
        third = Device(leader.http, await people.person(member.user.company), {})
        third.headers = await make.session(third.user)
        await third.register_keys()
        member.headers = await make.session(member.user, verified=True)
        entry, grants = space.added(member, third)
        assert error_of(await space.send_grants(entry, grants, member)) == (403, "forbidden")
        refused = await space.send(entry, member)
        assert reason(refused) == (422, "entry_refused", "not_the_leader")

    async def test_a_removed_member_is_shut_out(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        assert (await space.remove(leader, member)).status_code == 200
        for path in (space.log, f"/spaces/{space.id}/grants"):
            assert error_of(await member.call("GET", path)) == (404, "space_not_found")
        await space.change(leader)

    async def test_genesis_is_followed_by_a_generation_only(
        self, leader: Device, space: SpaceClient
    ) -> None:
        begun = new_space(leader, space.recovery)
        entry = genesis(begun, leader)
        await leader.ok("POST", "/spaces", {"entry": encoded(entry.encode())})
        begun.state.append(entry)
        answer = await begun.send(begun.entry(Retire((bytes(16),)), leader), leader)
        assert reason(answer) == (422, "entry_refused", "generation_awaited")
        assert (await begun.generation(leader)).status_code == 200

    async def test_keys_that_changed_since_are_refused(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection
    ) -> None:
        await platform.execute("UPDATE member_keys SET envelope = NULL")
        entry, grants = space.added(leader, member)
        await space.send_grants(entry, grants, leader)
        member.keys = PrivateKeys.generate()
        await member.ok("PUT", "/keys", member.keys_body(2))
        assert error_of(await space.send(entry, leader)) == (409, "subject_keys_changed")

    async def test_a_disabled_member_is_not_added(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection
    ) -> None:
        await platform.execute(
            "UPDATE users SET is_active = false WHERE uuid = $1", member.user.uuid
        )
        answer = await space.add(leader, member)
        assert error_of(answer) == (409, "subject_keys_changed")

    async def test_the_lead_follows_the_team_leader(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection,
        make: Factory,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        space.devices[member.user.uuid] = member
        grants = space.grants(member.user.uuid)
        clear = LeaderChanged(member.user.uuid, member.keys.public, grants_hash(grants))
        entry = space.entry(clear, leader)
        await space.send_grants(entry, grants, leader)
        assert error_of(await space.send(entry, leader)) == (409, "not_the_company_leader")
        await change_leader(platform, leader, member)
        assert (await space.send(entry, leader)).status_code == 200
        member.headers = await make.session(member.user, verified=True)
        assert (await space.remove(member, leader)).status_code == 200

    async def test_recovery_stands_in_for_a_leader_without_keys(
        self, leader: Device, member: Device, space: SpaceClient, make: Factory
    ) -> None:
        await space.add(leader, member)
        headers = await make.session(leader.user, verified=True, client="Desktop")
        lost = replace(leader, headers=headers, keys=PrivateKeys.generate())
        await lost.ok("PUT", "/keys/replacement", lost.keys_body(2))
        space.devices[lost.user.uuid] = lost
        grants = space.grants(lost.user.uuid)
        clear = LeaderChanged(lost.user.uuid, lost.keys.public, grants_hash(grants))
        changed = space.entry(clear, lost, space.head(RECOVERY))
        assert (await space.send_grants(changed, grants, lost)).status_code == 204
        assert error_of(await space.send(changed, member)) == (403, "forbidden")
        unverified = replace(lost, headers=await make.session(lost.user))
        assert error_of(await space.send(changed, unverified)) == (403, "verification_required")
        assert (await space.generation(lost, changed)).status_code == 200
        shown = (await lost.ok("GET", f"/spaces/{space.id}/grants"))["grants"]
        assert {row["member"]: row["generation"] for row in shown} == {
            str(RECOVERY): 2, str(lost.user.uuid): 2
        }  # fmt: skip
        # The lost keys sign nothing more.
        answer = await space.send(space.entry(Change(()), leader), lost)
        assert reason(answer) == (422, "entry_refused", "bad_signature")

    async def test_recovery_writes_nothing_but_a_change_of_leader(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        head = space.head(RECOVERY)
        entry = space.entry(MemberRemoved(member.user.uuid), leader, head)
        assert reason(await space.send(entry, leader)) == (422, "entry_refused", "not_a_member")


class TestRefusals:
    """Each has its code, and stores nothing."""

    @pytest.fixture(autouse=True)
    async def nothing_stored(self, space: SpaceClient, leader: Device, platform: Connection):  # type: ignore[no-untyped-def]  # noqa: ANN201
        company = leader.user.company.id
        before = await snapshot(platform, company)
        yield
        after = await snapshot(platform, company)
        assert after["public.log_entries"] == before["public.log_entries"]
        assert after["public.spaces"] == before["public.spaces"]

    async def test_replayed_entry_is_refused(self, leader: Device, space: SpaceClient) -> None:
        last = (await leader.ok("GET", space.log, after=1))["entries"][0]
        answer = await leader.call("POST", space.log, {"entries": [last]})
        assert error_of(answer) == (409, "log_moved_on")
        assert answer.json()["sequence"] == 2
        assert answer.json()["head"] == encoded(space.state.head)

    async def test_reordered_entry_is_refused(self, leader: Device, space: SpaceClient) -> None:
        head = replace(space.head(leader.user.uuid), sequence=4)
        answer = await space.send(space.entry(Change(()), leader, head), leader)
        assert error_of(answer) == (409, "log_moved_on")

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            ({"previous": bytes(32)}, "wrong_previous"),
            ({"generation": 2}, "wrong_generation"),
            ({"time": 1}, "time_backwards"),
        ],
    )
    async def test_entry_with_a_wrong_field_is_refused(
        self, leader: Device, space: SpaceClient, change: dict[str, object], why: str
    ) -> None:
        head = replace(space.head(leader.user.uuid), **change)  # type: ignore[arg-type]
        space.keyring = space.keyring.next()
        answer = await space.send(space.entry(Change(()), leader, head), leader)
        assert reason(answer) == (422, "entry_refused", why)

    async def test_a_time_more_than_ten_minutes_ahead(
        self, leader: Device, space: SpaceClient
    ) -> None:
        head = space.head(leader.user.uuid)
        late = replace(head, time=head.time + 11 * 60 * 1000)
        answer = await space.send(space.entry(Change(()), leader, late), leader)
        assert reason(answer) == (422, "entry_refused", "time_ahead")

    async def test_an_entry_of_more_than_a_day_ago_is_refused(
        self, leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        entry = space.entry(Change(()), leader)
        later = clock.now() + timedelta(hours=25)
        monkeypatch.setattr(entries, "clock", SimpleNamespace(now=lambda: later))
        assert reason(await space.send(entry, leader)) == (422, "entry_refused", "time_behind")

    async def test_entry_with_a_forged_signature_is_refused(
        self, leader: Device, space: SpaceClient
    ) -> None:
        forged = replace(space.entry(Change(()), leader), signature=secrets.token_bytes(64))
        assert reason(await space.send(forged, leader)) == (422, "entry_refused", "bad_signature")

    async def test_entry_of_another_space_or_company_is_refused(
        self, leader: Device, space: SpaceClient, member: Device
    ) -> None:
        head = space.head(leader.user.uuid)
        for moved in (replace(head, space=RECOVERY), replace(head, company=RECOVERY)):
            answer = await space.send(space.entry(Change(()), leader, moved), leader)
            assert reason(answer) == (422, "entry_refused", "wrong_space")
        elsewhere = f"/spaces/{member.user.uuid}/log"
        body = entries_body(space.entry(Change(()), leader))
        assert error_of(await leader.call("POST", elsewhere, body)) == (404, "space_not_found")

    async def test_a_foreign_companys_space(
        self, space: SpaceClient, leader: Device, people: People, make: Factory
    ) -> None:
        other = await people.team()
        stranger = Device(
            leader.http, other.leader, await make.session(other.leader, verified=True)
        )
        body = entries_body(space.entry(Change(()), leader))
        for method, path, sent in (
            ("GET", space.log, None),
            ("POST", space.log, body),
            ("GET", f"/spaces/{space.id}/grants", None),
        ):
            assert error_of(await stranger.call(method, path, sent)) == (404, "space_not_found")

    async def test_entry_of_somebody_else_is_refused(
        self, leader: Device, space: SpaceClient, member: Device
    ) -> None:
        entry = space.entry(Change(()), member)
        assert error_of(await space.send(entry, leader)) == (403, "entry_of_somebody_else")

    async def test_an_entry_above_its_limit(self, leader: Device, space: SpaceClient) -> None:
        body = {"entries": [encoded(bytes(128 * 1024 + 1))]}
        assert error_of(await leader.call("POST", space.log, body)) == (413, "entry_too_large")
        body = {"entries": [encoded(bytes(1024 * 1024 + 1))]}
        assert (await leader.call("POST", space.log, body)).status_code == 413

    async def test_damaged_entry_is_refused(self, leader: Device, space: SpaceClient) -> None:
        entry = space.entry(Change(()), leader)
        data = entry.encode()
        for damaged in (b"", data[:-1], data + b"\0", entry.encode(with_body=False)):
            answer = await leader.call("POST", space.log, {"entries": [encoded(damaged)]})
            assert error_of(answer) == (422, "entry_malformed")
        answer = await leader.call("POST", space.log, {"entries": ["not base64url!"]})
        assert error_of(answer) == (422, "invalid_input")
        clear = encode_clear(entry.clear)
        swapped = data.replace(clear, clear[:-1] + b"\1")
        answer = await leader.call("POST", space.log, {"entries": [encoded(swapped)]})
        assert error_of(answer) == (422, "entry_malformed")

    async def test_packs_that_nobody_uploaded(self, leader: Device, space: SpaceClient) -> None:
        pack = secrets.token_bytes(16)
        for clear in (Change((PackRecord(pack, Coding(2, 3, 100), bytes(32)),)), Retire((pack,))):
            answer = await space.send(space.entry(clear, leader), leader)
            assert reason(answer) == (422, "entry_refused", "unknown_pack")

    async def test_grants_that_are_missing_or_changed(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        entry, grants = space.added(leader, member)
        assert reason(await space.send(entry, leader)) == (422, "entry_refused", "wrong_grants")
        forged = [replace(grants[0], sealed=bytes(len(grants[0].sealed)))]
        await space.send_grants(entry, forged, leader)
        assert reason(await space.send(entry, leader)) == (422, "entry_refused", "wrong_grants")

    async def test_entry_with_malformed_grants_is_refused(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        entry, grants = space.added(leader, member)
        for sent in (grants * 2, [replace(grants[0], generation=3, sealed=bytes(1136 + 96))]):
            answer = await space.send_grants(entry, sent, leader)
            assert error_of(answer) == (422, "grant_malformed")
        many = await space.send_grants(entry, grants * 201, leader)
        assert error_of(many) == (422, "invalid_input")


class TestRaces:
    async def test_appends_at_one_sequence_have_one_winner(
        self, leader: Device, member: Device, space: SpaceClient
    ) -> None:
        await space.add(leader, member)
        sent = [(space.entry(Change(()), author), author) for author in (leader, member) * 4]
        bodies = [(entries_body(entry), author) for entry, author in sent]
        answers = await together(
            [partial(author.call, "POST", space.log, body) for body, author in bodies]
        )
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 7]
        page = await leader.ok("GET", space.log, after=3)
        assert page["sequence"] == 4
        assert len(page["entries"]) == 1

    async def test_an_entry_id_is_used_once(self, leader: Device, space: SpaceClient) -> None:
        first = await space.change(leader)
        head = replace(space.head(leader.user.uuid), id=first.head.id)
        answer = await space.send(space.entry(Change(()), leader, head), leader)
        assert error_of(answer) == (409, "entry_id_used")


class TestReading:
    async def test_pages_and_entries_without_bodies(
        self, leader: Device, space: SpaceClient
    ) -> None:
        for _ in range(3):
            await space.change(leader)
        pages = [await leader.ok("GET", space.log, after=after, limit=2) for after in (0, 2, 4, 5)]
        assert [len(page["entries"]) for page in pages] == [2, 2, 1, 0]
        assert {page["sequence"] for page in pages} == {5}
        bare = (await leader.ok("GET", space.log, after=2, bodies=False))["entries"]
        assert [Entry.decode(base64url.decode(text)).body for text in bare] == [None] * 3
        assert Entry.decode(base64url.decode(bare[-1])).hash == space.state.head

    async def test_a_page_ends_where_the_space_ended_when_it_was_read(
        self, leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A client takes more entries than the answer's sequence for a changed history."""

        async def find_and_append(access: Access, space_id: UUID) -> storage_queries.Space:
            found = await find_space(access, space_id)
            monkeypatch.undo()
            await space.change(leader)
            return found

        monkeypatch.setattr("tessera.storage.log.service.find_space", find_and_append)
        page = await leader.ok("GET", space.log)
        assert len(page["entries"]) == page["sequence"] == 2
        assert len((await leader.ok("GET", space.log))["entries"]) == 3

    @pytest.mark.parametrize("query", [{"after": -1}, {"limit": 0}, {"limit": 257}])
    async def test_reading_the_log_outside_its_bounds_is_refused(
        self, leader: Device, space: SpaceClient, query: dict[str, int]
    ) -> None:
        assert error_of(await leader.call("GET", space.log, **query)) == (422, "invalid_input")
