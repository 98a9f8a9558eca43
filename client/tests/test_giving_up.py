"""After a restore of the service: entries that nobody has are given up, by the leader alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.hostile import Hostile
from client.tests.service import Person, Service
from client.tests.test_lies import cut, log_of
from tessera_client.vault import index
from tessera_core import base64url
from tessera_core.entries import Entry, Rewound, sign_entry


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_bytes(b"written before the backup")
    return path


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Runs a command of which this computer keeps no entries."""

    def run(computer: Computer, *command: str | Path) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(index, "KEPT_MILLISECONDS", -1000 * 3600)
            computer.ok(*command)

    return run


Run = Callable[..., None]


def refused(computer: Computer, *command: str | Path) -> tuple[int, str]:
    exit_code, answer = computer.run(*command)
    return exit_code, answer["error"]


def files(computer: Computer) -> set[str]:
    return {row["path"] for row in computer.ok("ls", "Designs:/", "--recursive")["entries"]}


class TestGivingUp:
    def test_the_leader_gives_up_what_nobody_has_and_everybody_goes_on(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        leader.ok("put", note, "Designs:/kept/")
        restore = service.back_up()
        for number in range(4):
            forgetful(leader, "put", note, f"Designs:/{number}/")
        forgetful(leader, "rm", "Designs:/kept/note.txt")
        forgetful(member, "ls", "Designs:/")
        restore()
        left = log_of(service).state.sequence
        assert refused(member, "ls", "Designs:/") == (3, "restore_waiting")
        assert refused(leader, "reopen") == (3, "restore_waiting")
        assert refused(leader, "give-up", "Designs") == (3, "confirmation_required")
        given_up = leader.ok("give-up", "Designs", "--yes")
        assert (given_up["first"], given_up["last"]) == (left + 1, left + 5)
        assert given_up["changed"] == [f"{number}/note.txt" for number in range(4)]
        assert given_up["returning"] == ["kept/note.txt"]
        assert given_up["members"] == []
        assert leader.ok("reopen")["closed"]
        assert files(leader) == files(member) == {"kept/note.txt"}
        member.ok("put", note, "Designs:/again/")
        assert "again/note.txt" in files(leader)

    def test_what_was_removed_stays_out_and_new_members_are_named(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        restore = service.back_up()
        forgetful(leader, "revoke", service.member.email, "Designs")
        restore()
        state = log_of(service).state
        assert service.member.uuid in state.members
        generation = state.generation
        leader.ok("give-up", "Designs", "--yes")
        state = log_of(service).state
        assert service.member.uuid not in state.members
        assert state.generation == generation + 1
        assert refused(member, "ls", "Designs:/")[0] != 0

    def test_who_was_granted_access_in_the_lost_part_is_granted_it_again(
        self, service: Service, leader: Computer, note: Path, forgetful: Run,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        member = new_computer("member", service.member)
        words = member.ok("words")["words"]
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        leader.ok("spaces", "create", "Plans")
        restore = service.back_up()
        forgetful(leader, "grant", service.member.email, "Plans", "--words", words)
        forgetful(member, "ls", "Plans:/")
        restore()
        given_up = leader.ok("give-up", "Plans", "--yes")
        assert given_up["members"] == [str(service.member.uuid)]
        leader.ok("reopen")
        leader.ok("grant", service.member.email, "Plans", "--words", words)
        member.ok("put", note, "Plans:/")

    def test_a_whole_space_that_nobody_has_any_more(
        self, service: Service, leader: Computer, note: Path, forgetful: Run,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        restore = service.back_up()
        forgetful(leader, "spaces", "create", "Plans")
        forgetful(leader, "put", note, "Plans:/")
        forgetful(leader, "spaces", "create", "Sketches")
        restore()
        [listed] = leader.run("spaces")[1]["spaces"]
        assert listed["name"] == "Designs"
        assert refused(leader, "reopen") == (5, "space_absent")
        # Each is named, and nothing else.
        assert refused(leader, "reopen", "--without", "Plans", "--yes") == (5, "space_absent")
        both = ("--without", "Plans", "--without", "Sketches")
        wrong = refused(leader, "reopen", *both, "--without", "Designs", "--yes")
        assert wrong == (1, "space_not_absent")
        assert refused(leader, "reopen", *both) == (3, "confirmation_required")
        assert service.is_restoring
        assert leader.ok("reopen", *both, "--yes")["closed"]
        leader.ok("put", note, "Designs:/")
        # It is not forgotten that the service had them.
        exit_code, said = leader.run("spaces")
        assert (exit_code, [each["error"] for each in said["closed"]]) == (5, ["space_hidden"] * 2)

    def test_what_a_space_lacks_is_not_given_up_with_whole_spaces(
        self, service: Service, leader: Computer, note: Path, forgetful: Run
    ) -> None:
        """Nor is a log of which the service hides the end, under the pretext of a restore."""
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        restore()
        for name in ("Designs", str(next(iter(service.spaces)))):
            assert refused(leader, "reopen", "--without", name, "--yes") == (3, "restore_waiting")
        assert service.is_restoring

    def test_the_leader_is_told_what_is_lost_and_types_the_name(
        self, service: Service, leader: Computer, note: Path, forgetful: Run,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        restore()
        left = log_of(service).state.sequence
        monkeypatch.setattr("tessera_client.commands.prompts.is_interactive", lambda: True)
        for answer in ("y", "designs", ""):
            monkeypatch.setattr("tessera_client.commands.prompts.ask", lambda _, a=answer: a)
            assert refused(leader, "give-up", "Designs") == (2, "cancelled")
            assert log_of(service).state.sequence == left
        monkeypatch.setattr("tessera_client.commands.prompts.ask", lambda _: "Designs")
        _, _, stderr = leader.say("give-up", "Designs")
        assert f"does not have the entries {left + 1} to {left + 1} of Designs" in stderr
        assert "newest version is lost:\n  note.txt" in stderr
        assert log_of(service).state.sequence > left

    def test_the_leader_is_told_who_may_have_more(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        forgetful(member, "put", note, "Designs:/more/")
        restore()
        end = log_of(service).state.sequence + 2
        assert refused(member, "ls", "Designs:/") == (3, "restore_waiting")

        def in_warehouse(name: str, answer: Any) -> Any:
            if name == "GET /storage/restore":
                for row in answer["waiting"]:
                    row["isInWarehouses"] = True
            return answer

        service.on_call = in_warehouse
        monkeypatch.setattr("tessera_client.commands.prompts.is_interactive", lambda: True)
        monkeypatch.setattr("tessera_client.commands.prompts.ask", lambda _: "no")
        _, _, stderr = leader.say("give-up", "Designs")
        assert f"have seen entries up to {end}" in stderr
        assert "A warehouse still has some of them" in stderr

    def test_a_killed_run_is_finished_by_the_next_command(
        self, service: Service, leader: Computer, note: Path, forgetful: Run,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        restore()

        def killed(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("tessera_client.vault.spaces.Space._add_batch", killed)
            leader.say("give-up", "Designs", "--yes")
        assert isinstance(newest(service, 2).clear, Rewound)
        assert files(leader) == set()
        assert leader.ok("reopen")["closed"]
        leader.ok("put", note, "Designs:/again/")

    def test_an_own_file_of_the_lost_part_is_stored_again(
        self, service: Service, leader: Computer, note: Path, forgetful: Run
    ) -> None:
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        restore()
        leader.ok("give-up", "Designs", "--yes")
        leader.ok("reopen")
        leader.ok("put", note, "Designs:/")
        assert files(leader) == {"note.txt"}

    def test_a_synchronised_folder_stores_its_files_of_the_lost_part_again(
        self, service: Service, leader: Computer, note: Path, forgetful: Run
    ) -> None:
        folder = leader.folder / "Synchronised"
        folder.mkdir()
        leader.ok("put", note, "Designs:/kept/")
        leader.ok("put", note, "Designs:/changed/")
        leader.ok("sync", folder, "Designs:/")
        restore = service.back_up()
        (folder / "new.txt").write_bytes(b"new")
        (folder / "changed" / "note.txt").write_bytes(b"changed in the lost part")
        forgetful(leader, "sync", folder, "Designs:/")
        forgetful(leader, "rm", "Designs:/kept/note.txt")
        restore()
        leader.ok("give-up", "Designs", "--yes")
        leader.ok("reopen")
        exit_code, summary = leader.run("sync", folder, "Designs:/")
        assert (exit_code, summary["removed"], summary["discarded"]) == (4, [], [])
        assert {"new.txt", "kept/note.txt"} <= files(leader)
        contents = {path.read_bytes() for path in folder.rglob("*.txt")}
        assert contents == {b"new", b"changed in the lost part", note.read_bytes()}
        assert "changed/note.txt" in files(leader)

    def test_a_second_restore_after_it_is_followed_too(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        for number in range(2):
            restore = service.back_up()
            forgetful(leader, "put", note, f"Designs:/{number}/")
            forgetful(member, "ls", "Designs:/")
            restore()
            leader.ok("give-up", "Designs", "--yes")
            assert files(member) == set()
            leader.ok("reopen")
        assert len(log_of(service).state.rewinds) == 2
        member.ok("put", note, "Designs:/")
        assert files(leader) == {"note.txt"}


def newest(service: Service, back: int) -> Entry:
    return Entry.decode(base64url.decode(log_of(service).entries[-back]))


class TestFollowing:
    def test_who_has_seen_only_a_part_is_asked(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        forgetful(member, "ls", "Designs:/")
        forgetful(leader, "put", note, "Designs:/more/")
        restore()
        leader.ok("give-up", "Designs", "--yes")
        leader.ok("reopen")
        exit_code, answer = member.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "entries_given_up")
        assert "tess give-up" in answer["message"]
        assert refused(member, "put", note, "Designs:/") == (3, "entries_given_up")
        assert member.ok("give-up", "Designs", "--yes")["changed"] == ["note.txt"]
        member.ok("put", note, "Designs:/")

    def test_who_has_seen_the_same_follows_unasked_and_is_told(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        member.ok("ls", "Designs:/")
        restore()
        leader.ok("give-up", "Designs", "--yes")
        _, stdout, stderr = member.say("ls", "Designs:/")
        assert "has given up the entries" in stderr
        assert "note.txt" not in stdout

    def test_a_second_device_follows_by_the_pins_of_the_first(
        self, service: Service, leader: Computer, note: Path, forgetful: Run,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        second = new_computer("second", service.leader)
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        forgetful(second, "ls", "Designs:/")
        restore()
        leader.ok("give-up", "Designs", "--yes")
        leader.ok("reopen")
        assert files(second) == set()
        second.ok("put", note, "Designs:/second/")
        assert files(leader) == {"second/note.txt"}

    def test_a_second_device_that_has_seen_more_asks_first(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        second = new_computer("second", service.member)
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        forgetful(member, "ls", "Designs:/")
        forgetful(second, "put", note, "Designs:/second/")
        restore()
        leader.ok("give-up", "Designs", "--yes")
        leader.ok("reopen")
        assert files(member) == set()
        assert refused(second, "ls", "Designs:/") == (3, "entries_given_up")
        changed = second.ok("give-up", "Designs", "--yes")["changed"]
        assert changed == ["note.txt", "second/note.txt"]
        assert files(second) == set()

    def test_a_device_that_has_seen_more_does_not_follow(
        self, service: Service, leader: Computer, note: Path, forgetful: Run,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        """The entries beyond the end were hidden from the leader's other device."""
        member = new_computer("member", service.member)
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        words = member.ok("words")["words"]
        leader.ok("grant", service.member.email, "Designs", "--words", words)
        member.ok("ls", "Designs:/")
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        forgetful(member, "put", note, "Designs:/more/")
        restore()
        leader.ok("give-up", "Designs", "--yes")
        assert refused(member, "ls", "Designs:/") == (3, "entries_given_up")


class TestLies:
    def test_there_is_nothing_to_give_up_without_a_restore(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        assert refused(leader, "give-up", "Designs") == (1, "nothing_to_give_up")
        assert refused(leader, "give-up", "Other") == (1, "space_not_found")
        forgetful(leader, "put", note, "Designs:/")
        cut(log_of(service), len(log_of(service).entries) - 1)
        assert refused(leader, "give-up", "Designs", "--yes") == (5, "log_rolled_back")

    def test_a_member_cannot_give_up(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        restore = service.back_up()
        forgetful(member, "put", note, "Designs:/")
        restore()
        assert refused(member, "give-up", "Designs", "--yes") == (1, "give_up_forbidden")

    def test_the_leader_signs_nothing_for_another_beginning(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        """The service shows the leader less than the account has seen, and something else."""
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        forgetful(leader, "put", note, "Designs:/more/")
        restore()
        service.is_restoring = False
        forgetful(member, "put", note, "Designs:/other/")
        service.is_restoring = True
        before = len(log_of(service).entries)
        assert refused(leader, "give-up", "Designs", "--yes") == (5, "log_forked")
        assert len(log_of(service).entries) == before

    def test_a_device_that_has_read_less_than_the_account_signs_nothing(
        self, service: Service, leader: Computer, note: Path, forgetful: Run,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:  # fmt: skip
        second = new_computer("second", service.leader)
        forgetful(second, "ls", "Designs:/")
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        kept = service.leader.keys
        restore()
        service.leader.keys = kept
        assert refused(second, "give-up", "Designs", "--yes") == (3, "give_up_elsewhere")

    def test_a_colleague_cannot_make_others_forget(
        self, service: Service, leader: Computer, member: Computer, note: Path, forgetful: Run
    ) -> None:
        """Nobody but the leader may write such an entry, whatever the service accepts."""
        restore = service.back_up()
        forgetful(leader, "put", note, "Designs:/")
        end = log_of(service).state
        restore()
        hostile = Hostile(service, member, service.member)
        log, state = log_of(service), log_of(service).state
        head = state.next_head(Rewound(end.sequence, end.head, end.time), hostile.person.uuid, 0)
        entry = sign_entry(head, Rewound(end.sequence, end.head, end.time), hostile.keys)
        log.entries.append(base64url.encode(entry.encode()))
        state.sequence, state.head = entry.head.sequence, entry.hash
        service.is_restoring = False
        assert refused(leader, "ls", "Designs:/")[0] == 5
        assert refused(leader, "give-up", "Designs", "--yes")[0] == 5
