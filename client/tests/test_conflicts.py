"""Nobody's work is replaced unseen."""

import os
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.tests.conftest import Computer
from client.tests.service import Person, Service
from tessera_client.vault import changes, index
from tessera_client.vault.conflicts import Intent, conflict_name, settle
from tessera_client.vault.spaces import Space
from tessera_core.changes import ChangeBody, Move, Operation, Put, Remove
from tessera_core.entries import Head
from tessera_core.files import File, Folder
from tessera_core.tree import Tree

_TICKS = count(10**18, 10**9)


def write(path: Path, text: str) -> Path:
    """Each at a time of its own, whatever the file system's resolution."""
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    moment = next(_TICKS)
    os.utime(path, ns=(moment, moment))
    return path


def contents(computer: Computer, out: Path) -> dict[str, str]:
    """Everything in the space, by path."""
    computer.ok("get", "Designs:/", out)
    found = {
        path.relative_to(out).as_posix(): path.read_text()
        for path in out.rglob("*")
        if path.is_file()
    }
    for path in found:
        (out / path).unlink()
    return found


class TestPut:
    @pytest.fixture
    def copy(self, leader: Computer, member: Computer, tmp_path: Path) -> Path:
        """The member's copy of a report that the leader has changed since."""
        report = write(tmp_path / "leader-files" / "report.txt", "first")
        leader.ok("put", report, "Designs:/")
        copy = tmp_path / "member-files" / "report.txt"
        member.ok("get", "Designs:/report.txt", copy)
        write(report, "second, by the leader")
        leader.ok("put", report, "Designs:/")
        return copy

    def test_newer_version_of_a_colleague_is_kept_beside_an_edited_old_copy(
        self, member: Computer, copy: Path, tmp_path: Path
    ) -> None:
        write(copy, "first, edited by the member")
        exit_code, answer = member.run("put", copy, "Designs:/")
        assert exit_code == 4
        ((path, kept_as),) = [conflict.values() for conflict in answer["conflicts"]]
        assert path == "report.txt"
        assert kept_as.startswith("report (conflict, leader, 20")
        assert kept_as.endswith(").txt")
        assert contents(member, tmp_path / "out") == {
            "report.txt": "first, edited by the member",
            kept_as: "second, by the leader",
        }
        write(copy, "edited again")
        again = member.ok("put", copy, "Designs:/")
        assert (again["stored"], again["conflicts"]) == (["report.txt"], [])

    def test_people_are_told_where_the_other_version_is(self, member: Computer, copy: Path) -> None:
        write(copy, "edited")
        _, text, _ = member.say("put", copy, "Designs:/")
        assert "is kept as report (conflict, leader, " in text

    def test_replace_stores_over_a_newer_version_knowingly(
        self, member: Computer, copy: Path, tmp_path: Path
    ) -> None:
        write(copy, "edited")
        assert member.ok("put", copy, "Designs:/", "--replace")["conflicts"] == []
        assert contents(member, tmp_path / "out") == {"report.txt": "edited"}

    def test_dry_run_names_the_conflict_and_changes_nothing(
        self, member: Computer, copy: Path, tmp_path: Path
    ) -> None:
        write(copy, "edited")
        exit_code, answer = member.run("put", copy, "Designs:/", "--dry-run")
        assert (exit_code, answer["conflicts"][0]["path"]) == (4, "report.txt")
        assert contents(member, tmp_path / "out") == {"report.txt": "second, by the leader"}

    def test_old_copy_that_nobody_edited_replaces_nothing(
        self, member: Computer, copy: Path, tmp_path: Path
    ) -> None:
        for _ in range(2):
            exit_code, answer = member.run("put", copy, "Designs:/")
            assert (exit_code, answer["stored"], answer["outdated"]) == (4, [], ["report.txt"])
        assert contents(member, tmp_path / "out") == {"report.txt": "second, by the leader"}

    def test_another_folder_may_lead_to_the_same_local_file(
        self, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        leader.ok("put", write(tmp_path / "report.txt", "first"), "Designs:/")
        (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
        (tmp_path / "real").mkdir()
        member.ok("get", "Designs:/report.txt", tmp_path / "link")
        write(tmp_path / "real" / "report.txt", "edited")
        assert member.ok("put", tmp_path / "real" / "report.txt", "Designs:/")["stored"]

    def test_file_of_unknown_origin_keeps_what_was_stored_elsewhere(
        self,
        service: Service,
        leader: Computer,
        new_computer: Callable[[str, Person], Computer],
        tmp_path: Path,
    ) -> None:
        leader.ok("put", write(tmp_path / "a" / "plan", "from the laptop"), "Designs:/")
        other = new_computer("desktop", service.leader)
        other.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        exit_code, answer = other.run(
            "put", write(tmp_path / "b" / "plan", "from the desktop"), "Designs:/"
        )
        assert (exit_code, len(answer["conflicts"])) == (4, 1)
        assert sorted(contents(leader, tmp_path / "out").values()) == [
            "from the desktop", "from the laptop"
        ]  # fmt: skip

    def test_what_this_computer_has_stored_itself_is_replaced_without_a_conflict(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        for number in range(3):
            report = write(tmp_path / f"run{number}" / "report", f"run {number}")
            assert leader.ok("put", report, "Designs:/")["conflicts"] == []
        assert contents(leader, tmp_path / "out") == {"report": "run 2"}

    def test_what_this_computer_has_stored_stays_known_when_it_is_moved(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        leader.ok("put", write(tmp_path / "report.txt", "first"), "Designs:/")
        leader.ok("mv", "Designs:/report.txt", "Designs:/plan.txt")
        answer = leader.ok("put", write(tmp_path / "plan.txt", "second"), "Designs:/")
        assert answer["conflicts"] == []

    def test_colleague_who_was_faster_than_a_lost_answer_is_not_taken_for_oneself(
        self, leader: Computer, member: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        leader.ok("put", write(tmp_path / "report.txt", "first"), "Designs:/")
        send = Space._send

        def send_and_lose(space: Space, batch: Any) -> bool:
            assert send(space, batch)
            monkeypatch.setattr(Space, "_send", send)
            newer = write(tmp_path / "member-files" / "plan.txt", "by the member")
            member.ok("put", newer, "Designs:/", "--replace")
            space.sync()
            return False

        monkeypatch.setattr(Space, "_send", send_and_lose)
        leader.ok("mv", "Designs:/report.txt", "Designs:/plan.txt")
        own = write(tmp_path / "plan.txt", "by the leader")
        exit_code, answer = leader.run("put", own, "Designs:/")
        assert (exit_code, len(answer["conflicts"])) == (4, 1)

    def test_move_that_cannot_be_remembered_is_done(
        self, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        leader.ok("put", write(tmp_path / "report.txt", "first"), "Designs:/")

        def refuse(*_: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(index.Index, "add_origins", refuse)
        leader.ok("mv", "Designs:/report.txt", "Designs:/plan.txt")
        assert [entry["path"] for entry in leader.ok("ls", "Designs:/")["entries"]] == ["plan.txt"]

    def test_moved_version_of_a_colleague_is_kept(
        self, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        report = write(tmp_path / "report.txt", "first")
        leader.ok("put", report, "Designs:/")
        member.ok("put", write(report, "by the member"), "Designs:/", "--replace")
        leader.ok("mv", "Designs:/report.txt", "Designs:/plan.txt")
        exit_code, answer = leader.run(
            "put", write(tmp_path / "plan.txt", "by the leader"), "Designs:/"
        )
        assert (exit_code, len(answer["conflicts"])) == (4, 1)

    def test_equal_content_is_no_conflict(
        self, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        leader.ok("put", write(tmp_path / "a" / "same", "same"), "Designs:/")
        stored = member.ok("put", write(tmp_path / "b" / "same", "same"), "Designs:/")
        assert stored["conflicts"] == []

    def test_earlier_version_that_was_fetched_is_no_origin_of_the_newest(
        self, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        report = write(tmp_path / "report", "first")
        leader.ok("put", report, "Designs:/")
        change = leader.ok("versions", "Designs:/report")["versions"][0]["change"]
        write(report, "second")
        leader.ok("put", report, "Designs:/")
        old = tmp_path / "old"
        member.ok("restore", "Designs:/report", "--change", str(change), "--to", old)
        write(old, "first, edited")
        exit_code, answer = member.run("put", old, "Designs:/report")
        assert (exit_code, len(answer["conflicts"])) == (4, 1)

    def test_origins_that_were_forgotten_count_as_unknown(
        self, leader: Computer, member: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index, "MAX_ORIGINS", 1)
        for name in ("a", "b"):
            leader.ok("put", write(tmp_path / name, name), "Designs:/")
            member.ok("get", f"Designs:/{name}", tmp_path / "copies" / name)
        for name, conflicts in (("b", 0), ("a", 1)):
            edited = write(tmp_path / "copies" / name, "edited")
            assert len(member.run("put", edited, "Designs:/")[1]["conflicts"]) == conflicts

    def test_no_name_of_a_file_lies_in_the_open(self, leader: Computer, tmp_path: Path) -> None:
        leader.ok("put", write(tmp_path / "distinctive-name", "text"), "Designs:/")
        for path in leader.folder.rglob("*"):
            assert not path.is_file() or b"distinctive-name" not in path.read_bytes()


class TestRaces:
    def test_writer_who_lost_a_race_looks_again(
        self, service: Service, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        """The leader stores a file of the same name after the member has read the log."""
        mine = write(tmp_path / "member-files" / "plan.txt", "by the member")
        theirs = write(tmp_path / "leader-files" / "plan.txt", "by the leader")
        is_first = [True]

        def interfere(path: str, answer: Any) -> Any:
            if is_first and path.endswith("/uploads/complete"):
                is_first.clear()
                leader.ok("put", theirs, "Designs:/")
            return answer

        service.on_call = interfere
        exit_code, answer = member.run("put", mine, "Designs:/")
        service.on_call = lambda _, answer: answer
        assert (exit_code, len(answer["conflicts"])) == (4, 1)
        kept_as = answer["conflicts"][0]["keptAs"]
        assert contents(leader, tmp_path / "out") == {
            "plan.txt": "by the member", kept_as: "by the leader"
        }  # fmt: skip
        sequences = [
            row["change"]
            for path in ("plan.txt", kept_as)
            for row in leader.ok("versions", f"Designs:/{path}")["versions"]
        ]
        assert sequences[1] == sequences[2], "both are in one entry"

    def test_version_that_came_while_the_rest_was_stored_is_not_taken_for_the_own_one(
        self, service: Service, leader: Computer, member: Computer, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        """The leader writes the first file again before the member's second one is stored."""
        monkeypatch.setattr(changes, "MAX_OPERATIONS", 2)  # Each file gets an entry of its own.
        mine = write(tmp_path / "member-files" / "plan.txt", "by the member")
        other = write(tmp_path / "member-files" / "zoo.txt", "something else")
        theirs = write(tmp_path / "leader-files" / "plan.txt", "by the leader")
        uploads: list[str] = []

        def interfere(path: str, answer: Any) -> Any:
            if path.endswith("/uploads/complete"):
                uploads.append(path)
                if len(uploads) == 2:
                    leader.ok("put", theirs, "Designs:/", "--replace")
            return answer

        service.on_call = interfere
        member.ok("put", mine, other, "Designs:/")
        assert contents(leader, tmp_path / "out")["plan.txt"] == "by the leader"
        write(mine, "edited by the member")
        exit_code, answer = member.run("put", mine, "Designs:/")
        assert (exit_code, len(answer["conflicts"])) == (4, 1)

    def test_file_in_place_of_a_folder_keeps_what_was_in_it(
        self, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        leader.ok("put", write(tmp_path / "leader-files" / "note", "note"), "Designs:/x/plans/")
        write(tmp_path / "member-files" / "plans", "a file")
        exit_code, answer = member.run("backup", tmp_path / "member-files", "Designs:/x")
        assert (exit_code, len(answer["conflicts"])) == (4, 1)
        kept_as = answer["conflicts"][0]["keptAs"]
        assert contents(leader, tmp_path / "out") == {
            "x/plans": "a file", f"{kept_as}/note": "note"
        }  # fmt: skip

    def test_file_below_a_file_keeps_that_file(
        self, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        leader.ok("put", write(tmp_path / "leader-files" / "plans", "a file"), "Designs:/x/")
        write(tmp_path / "member-files" / "plans" / "note", "note")
        exit_code, answer = member.run("backup", tmp_path / "member-files", "Designs:/x")
        assert (exit_code, len(answer["conflicts"])) == (4, 1)
        kept_as = answer["conflicts"][0]["keptAs"]
        assert contents(leader, tmp_path / "out") == {"x/plans/note": "note", kept_as: "a file"}

    def test_removal_keeps_what_came_meanwhile(
        self, leader: Computer, member: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plan = write(tmp_path / "plan", "first")
        leader.ok("put", plan, "Designs:/")
        write(plan, "second")
        commit = changes.ChangeWriter.commit

        def interfere(writer: changes.ChangeWriter) -> None:
            monkeypatch.setattr(changes.ChangeWriter, "commit", commit)
            leader.ok("put", plan, "Designs:/")
            commit(writer)

        monkeypatch.setattr(changes.ChangeWriter, "commit", interfere)
        member.ok("rm", "Designs:/plan")
        ((path, content),) = contents(leader, tmp_path / "out").items()
        assert content == "second"
        assert path.startswith("plan (conflict, leader")


class TestNames:
    @pytest.mark.parametrize(
        "person", ["../../etc", "a/b\\c:d", "CON", "", "\n\0", "Ada" * 100, "مها " * 40, ".", "a. "]
    )
    @pytest.mark.parametrize("name", ["report.pdf", "x" * 251 + ".pdf", "é" * 127, ".hidden"])
    def test_kept_name_is_one_name_whatever_the_service_calls_people(
        self, person: str, name: str
    ) -> None:
        for number in (1, 12):
            kept_as = conflict_name(name, person, 1_790_000_000_000, number)
            assert len(kept_as.encode()) <= 255
            assert not {*kept_as} & {*'/\\:<>"|?*\0\n'}
            assert kept_as not in {".", ".."}
            assert " (conflict, " in kept_as

    @pytest.mark.parametrize("time", [0, 2**63, 2**64 - 1])
    def test_impossible_times_still_give_a_name(self, time: int) -> None:
        assert conflict_name("a", "Ada", time)


NAMES = st.sampled_from(["a", "b", "a/a", "a/b", "b/a", "a/a/b", "b/" + "n" * 250 + "/a"])
CONTENTS = st.integers(0, 4)


def item(content: int) -> File:
    return File(1, content, executable=False, chunks=(bytes([content]) * 32,))


OPERATIONS = st.one_of(
    st.builds(lambda path, content: Put(path, 0, item(content)), NAMES, CONTENTS),
    st.builds(lambda path: Put(path, 0, Folder(0)), NAMES),
    st.builds(lambda path: Remove(path, 0), NAMES),
    st.tuples(NAMES, NAMES)
    .filter(lambda pair: not f"{pair[1]}/".startswith(f"{pair[0]}/"))
    .map(lambda pair: Move(*pair)),
)


def apply(tree: Tree, sequence: int, operations: list[Operation]) -> None:
    head = Head(
        company=UUID(int=3), space=UUID(int=1), sequence=sequence, previous=bytes(32),
        id=bytes(16), generation=1, author=UUID(int=2), time=1_790_000_000_000,
    )  # fmt: skip
    body = ChangeBody((), tuple(operations))
    tree.apply(head, ChangeBody.decode(body.encode()))


@given(
    earlier=st.lists(OPERATIONS, max_size=8),
    operation=OPERATIONS,
    seen=st.sets(st.integers(1, 8)),
)
def test_nothing_that_was_current_and_unseen_is_absent_afterwards(
    earlier: list[Operation], operation: Operation, seen: set[int]
) -> None:
    tree = Tree()
    for sequence, each in enumerate(earlier, 1):
        apply(tree, sequence, [each])
    unseen = {
        found.chunks
        for path, found in tree.walk()
        if isinstance(found, File) and tree.versions[path][-1].sequence not in seen
    }
    if isinstance(operation, Move) and not list(tree.walk(operation.source)):
        return
    intent = Intent(operation, lambda _, version: version.sequence in seen)
    operations, conflicts = settle(tree, [intent], lambda _: "Ada")
    apply(tree, len(earlier) + 1, operations)
    after = {found.chunks for _, found in tree.walk() if isinstance(found, File)}
    assert unseen <= after
    assert all(list(tree.walk(conflict.kept_as)) for conflict in conflicts)
    if isinstance(operation, Put):
        current = tree.current(operation.path)
        assert current is not None
        assert current.item == operation.item, "the later one has the name"


def test_same_conflict_twice_is_kept_once() -> None:
    tree = Tree()
    apply(tree, 1, [Put("a", 0, item(1))])
    intent = Intent(Put("a", 0, item(2)), lambda *_: False)
    first, (conflict,) = settle(tree, [intent], lambda _: "Ada")
    apply(tree, 2, [*first, Put("a", 0, item(1))])
    again, conflicts = settle(tree, [intent], lambda _: "Ada")
    assert again == [intent.operation]
    assert conflicts == [conflict]
