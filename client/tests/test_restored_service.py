"""A service that was restored from a backup, and one that only says so."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.hostile import Hostile
from client.tests.service import Person, Problem, Service
from client.tests.test_lies import cut, log_of
from tessera_client.vault import index, restored_service
from tessera_core import base64url
from tessera_core.bodies import seal_body
from tessera_core.changes import ChangeBody, NameSpace
from tessera_core.entries import Change, Entry, sign_entry


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_bytes(b"written after the backup")
    return path


def read(computer: Computer, path: str = "Designs:/note.txt") -> bytes:
    to = computer.folder / "read"
    computer.ok("get", path, to)
    content = to.read_bytes()
    to.unlink()
    return content


def refused(computer: Computer, *command: str | Path) -> tuple[int, str]:
    exit_code, answer = computer.run(*command)
    return exit_code, answer["error"]


class TestBringingBack:
    def test_what_was_put_before_the_restore_is_readable_after_it(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        restore = service.back_up()
        member.ok("put", note, "Designs:/")
        before = list(log_of(service).entries)
        restore()
        exit_code, stdout, stderr = member.say("ls", "Designs:/")
        assert (exit_code, "note.txt" in stdout) == (0, True)
        assert "restored from a backup. It got 1 entry of Designs back" in stderr
        assert log_of(service).entries == before
        assert read(leader) == note.read_bytes()
        assert refused(member, "put", note, "Designs:/again/") == (1, "storage_restoring")
        assert leader.ok("reopen")["closed"]
        member.ok("put", note, "Designs:/again/")
        assert read(leader, "Designs:/again/note.txt") == note.read_bytes()

    def test_entries_of_others_come_back_from_whoever_has_read_them(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        restore = service.back_up()
        leader.ok("put", note, "Designs:/")
        assert read(member) == note.read_bytes()
        restore()
        assert read(member) == note.read_bytes()
        assert leader.ok("reopen")["closed"]

    def test_a_space_members_and_keys_that_are_younger_than_the_backup(
        self, service: Service, leader: Computer, note: Path,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        member = new_computer("member", service.member)
        words = member.ok("words")["words"]
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        restore = service.back_up()
        leader.ok("spaces", "create", "Plans")
        leader.ok("grant", service.member.email, "Plans", "--words", words)
        member.ok("put", note, "Plans:/")
        leader.ok("revoke", service.member.email, "Plans")
        restore()
        assert [row["name"] for row in leader.ok("spaces")["spaces"]] == ["Designs", "Plans"]
        assert read(leader, "Plans:/note.txt") == note.read_bytes()
        assert service.member.uuid not in list(service.spaces.values())[1].state.members
        assert leader.ok("reopen")["closed"]

    @pytest.mark.parametrize(
        "change", [("put", "note.txt", "Designs:/"), ("spaces", "create", "Plans")]
    )
    def test_others_bring_the_same_entries_back_at_the_same_moment(
        self, service: Service, leader: Computer, note: Path, monkeypatch: pytest.MonkeyPatch,
        change: tuple[str, ...],
    ) -> None:  # fmt: skip
        monkeypatch.chdir(note.parent)
        restore = service.back_up()
        leader.ok(*change)
        listed, whole, keys = leader.ok("spaces"), service.spaces, service.leader.keys
        restore()
        service.leader.keys = keys

        def others_are_faster(name: str, answer: Any) -> Any:
            if name == "GET /storage/restore":
                service.spaces = whole
            return answer

        service.on_call = others_are_faster
        assert leader.ok("spaces") == listed
        assert service.spaces is whole

    def test_what_this_computer_has_not_kept_waits_for_another_one(
        self, service: Service, leader: Computer, member: Computer, note: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        restore = service.back_up()
        with monkeypatch.context() as patch:
            patch.setattr(index, "KEPT_MILLISECONDS", -1000 * 3600)
            leader.ok("put", note, "Designs:/")
        assert read(member) == note.read_bytes()
        restore()
        first = log_of(service).state.sequence + 1
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "restore_waiting")
        assert f"lacks the entries {first} to {first}" in answer["message"]
        assert refused(leader, "reopen") == (3, "restore_waiting")
        member.ok("ls", "Designs:/")
        assert leader.ok("reopen")["closed"]
        assert read(leader) == note.read_bytes()

    def test_the_leader_sees_which_spaces_wait(
        self, service: Service, leader: Computer, member: Computer, note: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        restore = service.back_up()
        with monkeypatch.context() as patch:
            patch.setattr(index, "KEPT_MILLISECONDS", -1000 * 3600)
            member.ok("put", note, "Designs:/")
        restore()
        assert refused(member, "ls", "Designs:/") == (3, "restore_waiting")
        exit_code, answer = leader.run("reopen")
        assert (exit_code, answer["closed"], len(answer["waiting"])) == (4, False, 1)
        end = log_of(service).state.sequence
        assert f"Designs: {end + 1} to {end + 1}" in leader.say("reopen")[1]
        assert service.is_restoring

    def test_many_entries_are_sent_in_parts_and_a_killed_run_goes_on(
        self, service: Service, leader: Computer, note: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        restore = service.back_up()
        for number in range(5):
            leader.ok("put", note, f"Designs:/{number}/")
        before = list(log_of(service).entries)
        restore()
        monkeypatch.setattr(restored_service, "ENTRIES_PER_CALL", 2)
        calls = 0

        def second_fails(name: str, answer: Any) -> Any:
            nonlocal calls
            calls += name.endswith("/log/former")
            if calls == 2 and name.endswith("/log/former"):
                raise Problem(500, "failed")
            return answer

        service.on_call = second_fails
        assert leader.run("ls", "Designs:/")[0] == 1
        assert len(log_of(service).entries) < len(before)
        service.on_call = lambda _, answer: answer
        leader.ok("ls", "Designs:/")
        assert log_of(service).entries == before

    def test_a_second_restore_in_between(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        restore = service.back_up()
        leader.ok("put", note, "Designs:/")
        for _ in range(2):
            restore()
            assert read(leader) == note.read_bytes()
        assert leader.ok("reopen")["closed"]

    def test_a_computer_that_was_off_meanwhile_has_the_newer_pins(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        restore = service.back_up()
        member.ok("put", note, "Designs:/")
        leader.ok("ls", "Designs:/")
        restore()
        assert service.leader.keys is not None
        before = service.leader.keys["revision"]
        leader.ok("ls", "Designs:/")
        assert service.leader.keys["revision"] > before
        assert read(member) == note.read_bytes()

    def test_reopening_is_the_leaders_and_needs_a_restore(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        exit_code, answer = leader.run("reopen")
        assert (exit_code, answer["error"]) == (1, "not_restoring")
        assert answer["message"] == (
            "There is no restore to close: the service does not say that"
            " it was restored from a backup."
        )
        service.is_restoring = True
        assert refused(member, "reopen") == (1, "reopen_forbidden")
        service.verified = False
        assert refused(leader, "reopen") == (3, "code_required")
        assert service.is_restoring


class TestKeeping:
    def test_old_entries_are_forgotten(
        self, service: Service, leader: Computer, note: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        restore = service.back_up()
        leader.ok("put", note, "Designs:/")
        now = time.time()
        monkeypatch.setattr("time.time", lambda: now + 36 * 24 * 3600)
        service.clock = now + 36 * 24 * 3600
        leader.ok("put", note, "Designs:/later/")
        restore()
        assert refused(leader, "ls", "Designs:/") == (3, "restore_waiting")

    def test_an_entry_of_a_time_that_no_calendar_has_ends_nothing(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        log, hostile = log_of(service), Hostile(service, member, service.member)
        clear = Change(())
        head = replace(log.state.next_head(clear, hostile.person.uuid, 0), time=2**64 - 1)
        body = seal_body(ChangeBody((), ()).encode(), head, clear.kind, hostile.keyring())
        entry = sign_entry(head, clear, hostile.keys, body=body)
        log.state.append(entry)
        log.entries.append(base64url.encode(entry.encode()))
        leader.ok("put", note, "Designs:/")
        assert read(leader) == note.read_bytes()

    def test_a_space_keeps_so_many_bytes(
        self, service: Service, leader: Computer, note: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index, "MAX_KEPT_BYTES", 4000)
        for number in range(8):
            leader.ok("put", note, f"Designs:/{number}/")
        restore = service.back_up()
        leader.ok("put", note, "Designs:/")
        restore()
        assert read(leader) == note.read_bytes()
        cut(log_of(service), 3)
        assert refused(leader, "ls", "Designs:/") == (3, "restore_waiting")


class TestLies:
    """A service that pretends a restore learns nothing new, and is not followed."""

    def test_another_history_is_refused_although_it_says_that_it_was_restored(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        restore = service.back_up()
        leader.ok("put", note, "Designs:/")
        restore()
        # A colleague writes something else in its place, with the service's help.
        hostile = Hostile(service, member, service.member)
        service.is_restoring = False
        for error in ("log_rolled_back", "entry_refused"):
            hostile.change(NameSpace("Drafts"))
            service.is_restoring = True
            assert refused(leader, "ls", "Designs:/") == (5, error)
            service.is_restoring = False
        assert refused(leader, "put", note, "Designs:/again/") == (5, "entry_refused")

    def test_a_service_that_says_it_took_entries_and_did_not(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        restore = service.back_up()
        leader.ok("put", note, "Designs:/")
        end = log_of(service).state.sequence
        restore()
        log = log_of(service)
        length = len(log.entries)

        def lie(name: str, answer: Any) -> Any:
            if not name.endswith("/log/former"):
                return answer
            cut(log, length)
            return {**answer, "sequence": end}

        service.on_call = lie
        assert refused(leader, "ls", "Designs:/") == (5, "log_rolled_back")

    def test_a_service_that_never_moves_on(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        restore = service.back_up()
        leader.ok("put", note, "Designs:/")
        restore()
        log = log_of(service)
        length, calls = len(log.entries), 0

        def lie(name: str, answer: Any) -> Any:
            nonlocal calls
            if not name.endswith("/log/former"):
                return answer
            calls += 1
            cut(log, length)
            return {**answer, "sequence": length, "missingPacks": 1}

        service.on_call = lie
        for command in (("ls", "Designs:/"), ("put", note, "Designs:/again/")):
            assert refused(leader, *command) == (3, "restore_waiting")
        assert calls < 10
        # Without saying so it hides entries, as ever.
        service.is_restoring = False
        assert refused(leader, "ls", "Designs:/") == (5, "log_rolled_back")

    def test_entries_leave_as_they_were_signed(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        """Nothing but what the service had before is sent."""
        restore = service.back_up()
        member.ok("put", note, "Designs:/")
        had = set(log_of(service).entries)
        restore()
        service.exchanges.clear()
        member.ok("ls", "Designs:/")
        sent = [
            each
            for name, body, _ in service.exchanges
            if name.endswith("/log/former")
            for each in body["entries"]
        ]
        assert {each["entry"] for each in sent} <= had
        assert all(Entry.decode(base64url.decode(each["entry"])).body for each in sent)

    def test_an_older_envelope_is_refused_unless_it_says_that_it_was_restored(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        before = dict(service.leader.keys or {})
        leader.ok("put", note, "Designs:/")
        service.leader.keys = dict(before)
        assert refused(leader, "ls", "Designs:/") == (5, "keys_rolled_back")
        assert service.leader.keys == before
        service.is_restoring = True
        leader.ok("ls", "Designs:/")
        # The pins are the newer ones: the log is still checked against them.
        cut(log_of(service), 2)
        service.is_restoring = False
        assert refused(leader, "ls", "Designs:/") == (5, "log_rolled_back")

    def test_keys_that_were_replaced_do_not_come_back(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        before = dict(service.member.keys or {})
        words = member.ok("device-lost")["words"]
        service.member.keys = dict(before)
        assert refused(member, "ls", "Designs:/") == (5, "keys_rolled_back")
        assert refused(member, "device-lost") == (5, "keys_rolled_back")
        service.is_restoring = True
        assert refused(member, "ls", "Designs:/") == (3, "keys_restored")
        assert service.member.keys == before
        # The ones that replaced them are sent again.
        assert member.ok("device-lost")["words"] == words == member.ok("words")["words"]
        leader.ok("reopen")
        leader.ok("revoke", service.member.email, "Designs")
        leader.ok("grant", service.member.email, "Designs", "--words", words)
        member.ok("ls", "Designs:/")
        service.member.keys, service.is_restoring = dict(before), True
        member.ok("lock")
        assert refused(member, "ls", "Designs:/") == (5, "keys_rolled_back")
