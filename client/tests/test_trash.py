"""What was removed: listing it and bringing it back; and what a dry run leaves alone."""

import itertools
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.vault import spaces


@pytest.fixture
def folder(leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files and an empty folder, stored; every entry is a second later than the one before."""
    moments = itertools.count(spaces.now(), 1000)
    monkeypatch.setattr(spaces, "now", lambda: next(moments))
    root = tmp_path / "dir"
    (root / "deep" / "empty").mkdir(parents=True)
    (root / "a.txt").write_text("a")
    (root / "deep" / "b.txt").write_text("bb")
    leader.ok("put", root, "Designs:/")
    return root


def removed(computer: Computer, place: str = "Designs") -> list[str]:
    return [row["path"] for row in computer.ok("trash", place)["removed"]]


def listed(computer: Computer) -> list[str]:
    return [entry["path"] for entry in computer.ok("ls", "Designs:/", "-r")["entries"]]


class TestTrash:
    def test_removed_files_are_listed_with_time_author_and_deadline(
        self, leader: Computer, member: Computer, service: Service, folder: Path
    ) -> None:
        assert removed(leader) == []
        assert leader.say("trash", "Designs")[1] == "Nothing that was removed is kept.\n"
        member.ok("rm", "Designs:/dir/deep/b.txt")
        (row,) = leader.ok("trash", "Designs")["removed"]
        assert (row["path"], row["size"], row["author"]) == ("dir/deep/b.txt", 2, "member")
        kept = datetime.fromisoformat(row["keptUntil"]) - datetime.fromisoformat(row["removedAt"])
        assert kept == timedelta(days=30)
        _, shown, _ = leader.say("trash", "Designs:/dir")
        assert "dir/deep/b.txt: 2 bytes, removed " in shown
        assert leader.ok("trash", "Designs:/di")["removed"] == []

    def test_rename_leaves_no_old_names(self, leader: Computer, folder: Path) -> None:
        leader.ok("mv", "Designs:/dir", "Designs:/new")
        assert removed(leader) == []
        leader.ok("rm", "Designs:/new/a.txt")
        assert removed(leader) == ["new/a.txt"]

    def test_file_that_a_folder_replaced_is_listed(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        (folder / "a.txt").unlink()
        (folder / "a.txt").mkdir()
        (folder / "a.txt" / "c.txt").write_text("c")
        leader.ok("put", folder, "Designs:/")
        assert removed(leader) == ["dir/a.txt"]
        exit_code, answer = leader.run("restore", "Designs:/dir")
        assert (exit_code, answer["notRestored"]) == (4, ["dir/a.txt"])
        assert "dir/a.txt/c.txt" in listed(leader), "what is there now stays"

    def test_whole_folder_is_restored_in_one_step(
        self, leader: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        before, packs = listed(leader), len(service.packs)
        leader.ok("rm", "Designs:/dir/a.txt")
        leader.ok("rm", "Designs:/dir")
        assert listed(leader) == []
        answer = leader.ok("restore", "Designs:/dir")
        assert sorted(answer["restored"]) == [
            "dir", "dir/a.txt", "dir/deep", "dir/deep/b.txt", "dir/deep/empty"
        ]  # fmt: skip
        assert (listed(leader), removed(leader), len(service.packs)) == (before, [], packs)
        leader.ok("get", "Designs:/dir", tmp_path / "out")
        assert (tmp_path / "out" / "deep" / "b.txt").read_text() == "bb"
        exit_code, answer = leader.run("restore", "Designs:/dir")
        assert (exit_code, answer["error"]) == (1, "no_such_path")

    def test_removed_folder_is_fetched_without_a_change_in_the_space(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        leader.ok("rm", "Designs:/dir")
        leader.ok("restore", "Designs:/dir", "--to", tmp_path / "out")
        assert (tmp_path / "out" / "a.txt").read_text() == "a"
        assert listed(leader) == []


class TestDryRun:
    def test_nothing_is_removed_moved_or_restored(
        self, leader: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        (log,) = service.spaces.values()
        leader.ok("rm", "Designs:/dir/a.txt")
        entries = len(log.entries)
        answer = leader.ok("rm", "Designs:/dir", "--dry-run")
        names = "dir", "dir/deep", "dir/deep/b.txt", "dir/deep/empty"
        assert answer == {"removed": [f"Designs:/{name}" for name in names], "dryRun": True}
        answer = leader.ok("mv", "Designs:/dir/deep/b.txt", "Designs:/dir", "--dry-run")
        assert answer == {"moved": "Designs:/dir/b.txt", "dryRun": True}
        answer = leader.ok("restore", "Designs:/dir", "--dry-run")
        assert (answer["restored"], answer["dryRun"]) == (["dir/a.txt"], True)
        answer = leader.ok("restore", "Designs:/dir", "--to", tmp_path / "out", "--dry-run")
        assert answer["planned"] == ["a.txt"]
        assert (len(log.entries), (tmp_path / "out").exists()) == (entries, False)

    def test_plan_is_shown_to_people(self, leader: Computer, folder: Path) -> None:
        assert leader.say("rm", "Designs:/dir/a.txt", "--dry-run")[1].splitlines() == [
            "Designs:/dir/a.txt", "1 would be removed."
        ]  # fmt: skip
        _, shown, _ = leader.say("mv", "Designs:/dir/a.txt", "Designs:/x", "--dry-run")
        assert shown == "Would be moved to Designs:/x.\n"
