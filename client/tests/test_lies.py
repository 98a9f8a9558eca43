"""A service and warehouses that lie or fail: nothing wrong is accepted, nothing is lost."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import Person, Service, SpaceLog
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.bodies import seal_body
from tessera_core.entries import Change, Entry, MemberAdded, sign_entry
from tessera_core.grants import Grant, grants_hash, seal_grant
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.user_keys import PrivateKeys, PublicKeys
from tessera_core.words import words_for

CONTENT = bytes(range(256)) * 8000


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.bin"
    path.write_bytes(CONTENT)
    return path


def log_of(service: Service) -> SpaceLog:
    (log,) = service.spaces.values()
    return log


def cut(log: SpaceLog, length: int) -> None:
    """Shows only the first entries."""
    entries = [Entry.decode(base64url.decode(text)) for text in log.entries[:length]]
    log.state = LogState(log.state.company, log.state.space)
    for entry in entries:
        log.state.append(entry)
    log.entries = log.entries[:length]


class TestLyingService:
    def test_a_log_that_lost_entries(self, service: Service, leader: Computer, note: Path) -> None:
        leader.ok("put", note, "Designs:/")
        cut(log_of(service), 3)
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "log_rolled_back")

    def test_a_second_device_knows_what_the_first_has_seen(
        self,
        service: Service,
        leader: Computer,
        note: Path,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:
        leader.ok("put", note, "Designs:/")
        cut(log_of(service), 3)
        second = new_computer("second", service.leader)
        exit_code, answer = second.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "log_rolled_back")

    def test_forked_log_is_refused(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        """Both members see another last entry at the same sequence."""
        log = log_of(service)
        before = len(log.entries)
        leader.ok("put", note, "Designs:/")
        cut(log, before)
        member.ok("put", note, "Designs:/other/")
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "log_rolled_back")

    def test_injected_entry_is_refused(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        """Somebody who is no member adds themselves."""
        log, stranger = log_of(service), PrivateKeys.generate()
        last = Entry.decode(base64url.decode(log.entries[-1]))
        head = replace(
            last.head, sequence=last.head.sequence + 1, previous=last.hash, id=bytes(16),
            author=service.leader.uuid,
        )  # fmt: skip
        clear = MemberAdded(service.company, stranger.public, grants_hash(()))
        forged = sign_entry(head, clear, stranger)
        log.entries.append(base64url.encode(forged.encode()))
        log.state.sequence, log.state.head = head.sequence, forged.hash
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"], answer["reason"]) == (
            5, "entry_refused", "bad_signature"
        )  # fmt: skip

    def test_a_removed_member_who_goes_on_writing(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        log = log_of(service)
        keys = member_keys(member, service)
        leader.ok("revoke", service.member.email, "Designs")
        state = log.state
        last = Entry.decode(base64url.decode(log.entries[-1]))
        head = replace(
            last.head, sequence=state.sequence + 1, previous=state.head, id=bytes(16),
            author=service.member.uuid,
        )  # fmt: skip
        body = seal_body(b"x", head, Change.kind, fake_keyring(state.generation))
        entry = sign_entry(head, Change(()), keys, body=body)
        log.entries.append(base64url.encode(entry.encode()))
        state.sequence, state.head = head.sequence, entry.hash
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["reason"]) == (5, "not_a_member")

    def test_swapped_public_keys_are_refused(
        self, service: Service, leader: Computer, new_computer: Callable[[str, Person], Computer]
    ) -> None:
        member = new_computer("member", service.member)
        words = member.ok("words")["words"]
        assert service.member.keys is not None
        service.member.keys["publicKeys"] = base64url.encode(PrivateKeys.generate().public.encode())
        granted = leader.run("grant", service.member.email, "Designs", "--words", words)
        assert (granted[0], granted[1]["error"]) == (5, "words_differ")
        exit_code, answer = member.run("words")
        assert (exit_code, answer["error"]) == (5, "keys_swapped")

    def test_an_old_key_envelope(self, service: Service, leader: Computer, note: Path) -> None:
        before = dict(service.leader.keys or {})
        leader.ok("put", note, "Designs:/")
        service.leader.keys = before
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "keys_rolled_back")

    def test_the_number_beside_a_key_envelope_is_ignored(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        """What the seal authenticates decides."""
        assert service.leader.keys is not None
        before = dict(service.leader.keys)
        leader.ok("put", note, "Designs:/")
        service.on_call = lambda name, answer: (
            {**before, "revision": 2**31 - 1} if name == "GET /storage/keys" else answer
        )
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "keys_rolled_back")

    @pytest.mark.parametrize("is_missing", [False, True])
    def test_a_pretended_reset_forgets_nothing(
        self, service: Service, member: Computer, note: Path, is_missing: bool
    ) -> None:
        member.ok("put", note, "Designs:/")
        assert service.member.keys is not None
        before = service.member.keys
        service.member.keys = None if is_missing else {**before, "envelope": None}
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "keys_reset")
        assert service.member.keys in (None, {**before, "envelope": None}), "nothing was stored"

    def test_pins_are_kept_after_a_reset_that_the_user_confirms(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        member.ok("put", note, "Designs:/")
        log = log_of(service)
        assert service.member.keys is not None
        service.member.keys["envelope"] = None
        login = ("login", "https://tessera.test", "--email", service.member.email, "--code")
        assert member.run(*login, "123456")[1]["error"] == "keys_reset"
        member.ok(*login, "123456", "--after-reset")
        member.ok("put", note, "Designs:/again/")
        cut(log, 5)
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "log_rolled_back")

    def test_hidden_space_is_noticed(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        """A member may have been removed; a leader cannot be."""
        member.ok("ls", "Designs:/")
        service.on_call = lambda name, answer: [] if name == "GET /storage/spaces" else answer
        exit_code, answer = leader.run("spaces")
        assert (exit_code, answer["error"]) == (5, "space_hidden")
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (1, "space_hidden")

    def test_denied_membership_is_noticed(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        """As hidden as a space that is not listed."""
        member.ok("ls", "Designs:/")
        service.on_call = lambda name, answer: (
            [{**row, "isMember": False} for row in answer]
            if name == "GET /storage/spaces"
            else answer
        )
        for computer, expected in ((leader, 5), (member, 1)):
            exit_code, answer = computer.run("spaces")
            assert (exit_code, answer["error"]) == (expected, "space_hidden")

    def test_a_grant_that_the_leader_did_not_sign(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        """Sealed to the member's public keys by the service: anybody can do that."""
        log = log_of(service)
        renew_keys(service, leader)
        sequence, grant = log.grants[service.member.uuid]
        forged = seal_grant(
            fake_keyring(grant.generation), log.state.members[service.member.uuid],
            company=service.company, space=log.state.space, member=service.member.uuid,
        )  # fmt: skip
        log.grants[service.member.uuid] = (sequence, forged)
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "grant_refused")
        log.digests[sequence] = [base64url.encode(forged.digest)]
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "grant_refused")

    def test_a_signed_grant_that_does_not_open_is_reported_to_the_leader(
        self, service: Service, leader: Computer, member: Computer, note: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        """A faulty client of the leader's has sealed it to nobody."""

        def to_nobody(keyring: Keyring, keys: PublicKeys, **names: Any) -> Grant:
            is_member = names["member"] == service.member.uuid
            other = PrivateKeys.generate().public
            return seal_grant(keyring, other if is_member else keys, **names)

        with monkeypatch.context() as patched:
            patched.setattr("tessera_client.vault.membership.seal_grant", to_nobody)
            renew_keys(service, leader)
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "grant_unreadable")
        assert log_of(service).refused == {service.member.uuid}
        warnings = leader.ok("status")["warnings"]
        (warning,) = [text for text in warnings if "cannot open their access" in text]
        assert service.member.email in warning

    def test_a_list_of_members_without_an_end(self, service: Service, leader: Computer) -> None:
        service.on_call = lambda name, answer: (
            {**answer, "next": str(service.member.uuid)} if name.endswith("/members") else answer
        )
        exit_code, answer = leader.run("status")
        assert (exit_code, answer["error"]) == (5, "members_repeat")

    def test_another_spreading_of_the_pieces_is_refused(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        service.on_call = lambda name, answer: (
            {**answer, "k": 1, "n": 2} if name == "GET /storage/placement" else answer
        )
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (5, "placement_refused")

    def test_replayed_grant_is_refused(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        log = log_of(service)
        old = log.grants[service.member.uuid]
        renew_keys(service, leader)
        log.grants[service.member.uuid] = old
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "grant_replayed")

    def test_a_space_that_the_leader_did_not_make(
        self, service: Service, member: Computer, new_computer: Callable[[str, Person], Computer]
    ) -> None:
        """The service makes its own space and adds the member to it."""
        other = service.join("other@tessera.test", is_leader=True)
        true_spaces, service.spaces, service.records = service.spaces, {}, []
        impostor = new_computer("impostor", other)
        impostor.ok("spaces", "create", "Trap")
        service.spaces |= true_spaces
        words = words_of(service, service.member)
        impostor.ok("grant", service.member.email, "Trap", "--words", words)
        exit_code, answer = member.run("spaces")
        assert exit_code == 5
        assert [closed["error"] for closed in answer["closed"]] == ["leader_not_in_log"]
        assert [space["name"] for space in answer["spaces"]] == ["Designs"], "others still open"

    def test_a_link_to_another_host(self, service: Service, leader: Computer, note: Path) -> None:
        def elsewhere(name: str, answer: Any) -> Any:
            if name == "POST /storage/uploads":
                for shard in answer["packs"][0]["shards"]:
                    shard["link"]["url"] = "https://192.168.1.1/collect"
            return answer

        service.on_call = elsewhere
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (5, "link_host_refused")

    def test_ended_session_asks_to_log_in(self, service: Service, leader: Computer) -> None:
        service.people.remove(service.leader)
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "not_logged_in")


class TestFailingWarehouses:
    @pytest.mark.parametrize(
        "fault", ["flip", "flip first", "truncate", "swap", "old", "403", "500", "stall"]
    )
    def test_file_comes_back_despite_one_bad_warehouse(
        self, service: Service, leader: Computer, note: Path, tmp_path: Path, fault: str
    ) -> None:
        leader.ok("put", note, "Designs:/")
        (pack,) = service.packs
        right, finished = service.objects[0, pack], Event()

        def answer(request: httpx.Request, warehouse: int) -> httpx.Response | None:
            if warehouse != 0:
                return None
            match fault:
                case "flip" | "flip first":
                    damaged = bytearray(right)
                    damaged[-1 if fault == "flip" else 0] ^= 1
                    return httpx.Response(200, content=bytes(damaged))
                case "truncate":
                    return httpx.Response(200, content=right[:-100])
                case "swap":
                    return httpx.Response(200, content=service.objects[1, pack])
                case "old":
                    return httpx.Response(200, content=right[:-32] + bytes(32))
                case "stall":
                    finished.wait(60)
                    raise httpx.ReadTimeout("stalled")
            return httpx.Response(int(fault))

        service.on_object = answer
        leader.ok("get", "Designs:/note.bin", tmp_path / "out")
        finished.set()
        assert (tmp_path / "out").read_bytes() == CONTENT

    def test_a_failing_warehouse_is_asked_once_if_others_can_replace_it(
        self, service: Service, leader: Computer, note: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        asked: list[int] = []

        def answer(_: httpx.Request, warehouse: int) -> httpx.Response | None:
            asked.append(warehouse)
            return httpx.Response(503) if warehouse == 0 else None

        service.on_object = answer
        leader.ok("get", "Designs:/note.bin", tmp_path / "out")
        assert sorted(asked) == [0, 1, 2]
        assert (tmp_path / "out").read_bytes() == CONTENT

    def test_warehouses_that_fail_for_a_moment_are_asked_again(
        self, service: Service, leader: Computer, note: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        failing = {0, 1, 2}

        def answer(_: httpx.Request, warehouse: int) -> httpx.Response | None:
            if warehouse in failing:
                failing.remove(warehouse)
                return httpx.Response(503)
            return None

        service.on_object = answer
        leader.ok("get", "Designs:/note.bin", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == CONTENT

    def test_too_few_pieces_to_be_safe_are_reported_and_sent_later(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        service.on_object = lambda _, warehouse: httpx.Response(503) if warehouse == 1 else None
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["notSafe"]) == (4, ["note.bin"])
        assert leader.ok("status")["pendingPacks"] == 1
        service.on_object = lambda *_: None
        leader.ok("put", note, "Designs:/")
        assert leader.ok("status")["pendingPacks"] == 0
        assert {warehouse for warehouse, _ in service.objects} == {0, 1, 2}

    def test_too_few_pieces_to_be_read_store_nothing(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        service.on_object = lambda _, warehouse: httpx.Response(503) if warehouse else None
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["stored"]) == (4, [])
        assert [each["path"] for each in answer["failed"]] == ["note.bin"]
        service.on_object = lambda *_: None
        packs = len(service.packs)
        assert leader.ok("put", note, "Designs:/")["stored"] == ["note.bin"]
        assert len(service.packs) == packs, "the spooled pack was sent"

    def test_an_expired_link_is_renewed(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        refused: list[int] = []

        def expired(request: httpx.Request, warehouse: int) -> httpx.Response | None:
            if warehouse in refused:
                return None
            refused.append(warehouse)
            return httpx.Response(403)

        service.on_object = expired
        assert leader.ok("put", note, "Designs:/")["notSafe"] == []

    def test_an_upload_whose_answer_was_lost_counts(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        def lose_answer(request: httpx.Request, warehouse: int) -> httpx.Response | None:
            key = (warehouse, request.url.path.rsplit("/", 1)[1])
            if request.method == "PUT":
                service.objects.setdefault(key, request.read())
                raise httpx.ReadError("reset")
            return None

        service.on_object = lose_answer
        assert leader.ok("put", note, "Designs:/")["notSafe"] == []

    def test_a_foreign_object_in_the_place_of_a_piece_abandons_the_pack(
        self, service: Service, leader: Computer, note: Path, tmp_path: Path
    ) -> None:
        foreign: list[str] = []

        def occupied(request: httpx.Request, warehouse: int) -> httpx.Response | None:
            pack = request.url.path.rsplit("/", 1)[1]
            if request.method == "PUT" and warehouse == 2 and not foreign:
                foreign.append(pack)
                service.objects[2, pack] = b"something else"
            return None

        service.on_object = occupied
        leader.ok("put", note, "Designs:/")
        (record,) = log_of(service).state.packs
        assert base64url.encode(record) not in foreign


class TestOtherWriters:
    def test_an_append_that_lost_a_race_is_signed_again(
        self, service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path
    ) -> None:
        raced: list[int] = []

        def race(name: str, answer: Any) -> Any:
            if name == "POST /storage/uploads/complete" and not raced:
                raced.append(1)
                (tmp_path / "other.txt").write_text("other")
                member.ok("put", tmp_path / "other.txt", "Designs:/")
            return answer

        service.on_call = race
        leader.ok("put", note, "Designs:/")
        listed = member.ok("ls", "Designs:/")["entries"]
        assert [entry["path"] for entry in listed] == ["note.bin", "other.txt"]

    def test_new_keys_in_the_middle_of_a_put_start_it_over(
        self, service: Service, leader: Computer, member: Computer, note: Path, tmp_path: Path
    ) -> None:
        raced: list[int] = []

        def race(name: str, answer: Any) -> Any:
            if name == "POST /storage/uploads/complete" and not raced:
                raced.append(1)
                leader.ok("revoke", service.member.email, "Designs")
            return answer

        service.on_call = race
        leader.ok("put", note, "Designs:/")
        state = log_of(service).state
        assert [pack.generation for pack in state.packs.values()] == [2]
        leader.ok("get", "Designs:/note.bin", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == CONTENT

    def test_new_keys_between_the_log_and_the_grant(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        renew_keys(service, leader)
        raced: list[int] = []

        def race(name: str, answer: Any) -> Any:
            if name.endswith("/log") and not raced:
                raced.append(1)
                renew_keys(service, leader)
            return answer

        service.on_call = race
        (listed,) = member.ok("ls", "Designs:/")["entries"]
        assert (listed["path"], log_of(service).state.generation) == ("note.bin", 3)

    def test_a_grant_of_an_entry_that_never_comes(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        renew_keys(service, leader)
        sequence, grant = log_of(service).grants[service.member.uuid]
        log_of(service).grants[service.member.uuid] = (sequence + 9, grant)
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (5, "grant_refused")


def renew_keys(service: Service, leader: Computer) -> None:
    """Grants access to somebody and revokes it."""
    person = service.join(f"{len(service.people)}@tessera.test")
    person.keys = {
        "publicKeys": base64url.encode(PrivateKeys.generate().public.encode()),
        "revision": 1, "envelope": None,
    }  # fmt: skip
    leader.ok("grant", person.email, "Designs", "--words", words_of(service, person))
    leader.ok("revoke", person.email, "Designs")


def words_of(service: Service, person: Person) -> str:
    assert person.keys is not None
    keys = PublicKeys.decode(base64url.decode(person.keys["publicKeys"]))
    return words_for(keys, service.company, person.uuid)


def member_keys(member: Computer, service: Service) -> PrivateKeys:
    stored = StateFolder(member.folder, use_keyring=False).load_secrets().private_keys
    assert stored is not None
    return PrivateKeys.decode(stored)


def fake_keyring(generation: int) -> Keyring:
    return Keyring(tuple(bytes(32) for _ in range(generation)))
