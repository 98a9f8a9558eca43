"""Keeping a folder and a space the same."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.service import Person, Service
from tessera_client.commands import backup
from tessera_client.sync.selection import TRASH
from tessera_client.vault import put, restore, scan

PLACE = "Designs:/"


def files_of(folder: Path) -> dict[str, str]:
    """What people see in a folder, without its trash."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and TRASH not in path.parts
    }


def trash_of(folder: Path) -> set[str]:
    return {path.name for path in (folder / TRASH).rglob("*") if path.is_file()}


class Synced:
    """A computer with a folder that is kept the same as the space."""

    def __init__(self, computer: Computer, folder: Path) -> None:
        self.computer, self.folder = computer, folder
        folder.mkdir()

    def run(self, *options: str) -> tuple[int, dict[str, Any]]:
        return self.computer.run("sync", self.folder, PLACE, *options)

    def sync(self, *options: str) -> dict[str, Any]:
        exit_code, answer = self.run(*options)
        assert exit_code == 0, answer
        return answer

    def write(self, path: str, content: str) -> Path:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
        return place

    def files(self) -> dict[str, str]:
        return files_of(self.folder)


@pytest.fixture
def ada(leader: Computer, tmp_path: Path) -> Synced:
    return Synced(leader, tmp_path / "ada")


@pytest.fixture
def ben(member: Computer, tmp_path: Path) -> Synced:
    return Synced(member, tmp_path / "ben")


def test_first_pass_gives_both_sides_everything(ada: Synced, ben: Synced) -> None:
    ada.write("plan/a.txt", "a")
    (ada.folder / "empty").mkdir()
    ada.sync()
    ben.write("b.txt", "b")
    assert sorted(ben.sync()["fetched"]) == ["empty", "plan/a.txt"]
    ada.sync()
    assert ada.files() == ben.files() == {"plan/a.txt": "a", "b.txt": "b"}
    assert (ben.folder / "empty").is_dir()
    assert ada.sync() == ben.sync()


def test_edits_go_both_ways(ada: Synced, ben: Synced) -> None:
    ada.write("a", "1")
    ada.write("b", "1")
    ada.sync()
    ben.sync()
    ada.write("a", "2")
    ben.write("b", "3")
    ada.sync()
    ben.sync()
    ada.sync()
    assert ada.files() == ben.files() == {"a": "2", "b": "3"}


def test_edit_of_same_size_right_after_a_pass_is_seen(ada: Synced, ben: Synced) -> None:
    place = ada.write("a", "1")
    ada.sync()
    status = place.stat()
    place.write_text("2")
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert ada.sync()["sent"] == ["a"]
    ben.sync()
    assert ben.files() == {"a": "2"}


def test_file_changed_on_both_sides_keeps_both_versions(ada: Synced, ben: Synced) -> None:
    ada.write("a.txt", "1")
    ada.sync()
    ben.sync()
    ada.write("a.txt", "by ada")
    ben.write("a.txt", "by ben")
    ada.sync()
    exit_code, answer = ben.run()
    assert exit_code == 4
    kept_as = answer["conflicts"][0]["keptAs"]
    ada.sync()
    assert ada.files() == ben.files() == {"a.txt": "by ben", kept_as: "by ada"}


def test_trash_is_emptied_after_a_month_and_nothing_else_is(ada: Synced, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("")
    month_ago, yesterday = (
        f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%d %H.%M.%S}" for days in (31, 1)
    )
    for name in (month_ago, yesterday, "my own", "2020-01-01", "2020-13-01 00.00.00"):
        ada.write(f"{TRASH}/{name}/deep/{name}.txt", "x")
    (ada.folder / TRASH / month_ago / "link").symlink_to(outside)
    (ada.folder / TRASH / "2020-01-01 00.00.00").symlink_to(outside)
    ada.write("kept", "x")
    ada.sync("--dry-run")
    assert (ada.folder / TRASH / month_ago).exists()
    ada.sync()
    left = {path.name for path in (ada.folder / TRASH).iterdir()}
    assert left == {yesterday, "my own", "2020-01-01", "2020-13-01 00.00.00"}
    assert (outside / "precious").exists()
    assert ada.files() == {"kept": "x"}


def test_deletions_go_to_the_trash_of_the_other_side(ada: Synced, ben: Synced) -> None:
    for name in "abcdefgh":
        ada.write(f"x/{name}", name)
    ada.sync()
    ben.sync()
    (ada.folder / "x/a").unlink()
    assert ada.sync()["removed"] == ["x/a"]
    removed = [each["path"] for each in ada.computer.ok("trash", PLACE)["removed"]]
    assert removed == ["x/a"]
    assert ben.sync()["discarded"] == ["x/a"]
    assert "x/a" not in ben.files()
    assert trash_of(ben.folder) == {"a"}
    assert ben.sync()["sent"] == []


def test_folder_deleted_here_is_gone_there(ada: Synced, ben: Synced) -> None:
    ada.write("x/y/a", "a")
    for name in "bcdef":
        ada.write(name, name)
    ada.sync()
    ben.sync()
    (ada.folder / "x/y/a").unlink()
    (ada.folder / "x/y").rmdir()
    (ada.folder / "x").rmdir()
    ada.sync()
    ben.sync()
    assert not (ben.folder / "x").exists()
    assert ben.sync()["sent"] == []
    assert not (ada.folder / "x").exists()


def test_edit_survives_removal_by_others(ada: Synced, ben: Synced) -> None:
    for name in "abcdefgh":
        ada.write(name, name)
    ada.sync()
    ben.sync()
    (ada.folder / "a").unlink()
    (ben.folder / "b").unlink()
    ada.write("b", "edited by ada")
    ben.write("a", "edited by ben")
    ada.sync()
    ben.sync()
    ada.sync()
    assert ada.files() == ben.files()
    assert (ada.files()["a"], ada.files()["b"]) == ("edited by ben", "edited by ada")


def test_moved_file_is_moved_and_not_sent_again(ada: Synced, ben: Synced) -> None:
    ada.write("old/a", "a")
    ada.write("b", "b")
    ada.sync()
    ben.sync()
    ada.folder.joinpath("old").rename(ada.folder / "new")
    answer = ada.sync()
    assert (answer["moved"], answer["sent"], answer["removed"]) == ({"old/a": "new/a"}, [], [])
    inode = (ben.folder / "old/a").stat().st_ino
    answer = ben.sync()
    assert (answer["moved"], answer["fetched"]) == ({"old/a": "new/a"}, [])
    assert (ben.folder / "new/a").stat().st_ino == inode
    assert not (ben.folder / "old").exists()
    assert ada.computer.ok("trash", PLACE)["removed"] == []
    assert ada.sync()["sent"] == ben.sync()["sent"] == []


def test_folder_that_was_empty_once_is_renamed_without_a_conflict(ada: Synced) -> None:
    (ada.folder / "old").mkdir()
    ada.sync()
    ada.write("old/a", "a")
    ada.sync()
    (ada.folder / "old").rename(ada.folder / "new")
    answer = ada.sync()
    assert (answer["moved"], answer["removed"]) == ({"old/a": "new/a"}, ["old"])
    assert ada.files() == {"new/a": "a"}


def test_edit_follows_a_move_by_others(ada: Synced, ben: Synced) -> None:
    ada.write("a", "a")
    ada.sync()
    ben.sync()
    (ada.folder / "a").rename(ada.folder / "b")
    ben.write("a", "edited")
    ada.sync()
    ben.sync()
    ada.sync()
    assert ada.files() == ben.files() == {"b": "edited"}


def test_copied_and_deleted_file_counts_as_moved(ada: Synced) -> None:
    place = ada.write("a", "content")
    ada.sync()
    place.unlink()
    ada.write("b", "content")
    assert ada.sync()["moved"] == {"a": "b"}


@pytest.mark.spec
def test_more_than_a_quarter_is_not_deleted_without_yes(ada: Synced, ben: Synced) -> None:
    for name in "abcd":
        ada.write(name, name)
    ada.sync()
    ben.sync()
    (ada.folder / "a").unlink()
    (ada.folder / "b").unlink()
    exit_code, answer = ada.run()
    assert (exit_code, answer["error"]) == (3, "sync_removes_many")
    assert answer["paths"] == ["a", "b"]
    assert len(ben.files()) == 4
    ada.sync("--yes")
    exit_code, answer = ben.run()
    assert (exit_code, answer["error"]) == (3, "sync_removes_many")
    assert len(ben.files()) == 4
    ben.sync("--yes")
    assert ben.files() == {"c": "c", "d": "d"}


def test_conflict_that_was_resolved_needs_no_yes(ada: Synced, ben: Synced) -> None:
    ada.write("a", "first")
    ada.sync()
    ben.sync()
    ada.write("a", "of ada")
    ben.write("a", "of ben")
    ada.sync()
    ben.run()
    ada.sync()
    [copy] = ada.files().keys() - {"a"}
    (ada.folder / copy).unlink()
    ada.sync()
    ben.sync()
    assert ada.files() == ben.files() == {"a": "of ben"}
    (ada.folder / "a").unlink()
    assert ada.run()[1]["error"] == "sync_removes_many"


def test_one_quarter_is_deleted_without_a_question(ada: Synced) -> None:
    for name in "abcd":
        ada.write(name, name)
    ada.sync()
    (ada.folder / "a").unlink()
    assert ada.sync()["removed"] == ["a"]


@pytest.mark.spec
def test_empty_folder_of_an_unmounted_disk_is_refused(ada: Synced, tmp_path: Path) -> None:
    ada.write("a", "a")
    ada.sync()
    ada.folder.rename(tmp_path / "unmounted")
    ada.folder.mkdir()
    exit_code, answer = ada.run("--yes")
    assert (exit_code, answer["error"]) == (1, "sync_folder_empty")
    ada.computer.ok("sync", ada.folder, "--forget")
    ada.sync()
    assert ada.files() == {"a": "a"}


def test_excluded_and_ignored_files_stay_where_they_are(ada: Synced, ben: Synced) -> None:
    for name in ("a.txt", "b.tmp", "logs/c.log"):
        ada.write(name, name)
    ada.sync()
    ben.sync()
    ada.write("logs/.tessignore", "*.log\n")
    ada.write("logs/d.log", "d")
    ada.write("e.tmp", "e")
    assert ada.sync("--exclude", "*.tmp")["sent"] == ["logs/.tessignore"]
    # What is left out from now on was not deleted.
    (ada.folder / "b.tmp").unlink()
    assert ada.sync("--exclude", "*.tmp")["removed"] == []
    ben.sync()
    assert ben.files().keys() == {"a.txt", "b.tmp", "logs/c.log", "logs/.tessignore"}
    ada.sync()
    assert "b.tmp" in ada.files()


@pytest.mark.parametrize("content", ["*.log\n", "*\n!.tessignore\n"])
def test_ignore_file_of_somebody_else_is_told(
    ada: Synced, ben: Synced, service: Service, content: str
) -> None:
    """It could leave out everything that this computer should send."""
    ada.write("logs/.tessignore", content)
    assert ada.sync()["ignoreFiles"] == []
    ben.sync()
    ben.write("logs/new.log", "never sent")
    answer = ben.sync()
    assert answer["sent"] == []
    assert answer["ignoreFiles"] == [
        {"path": "logs/.tessignore", "author": service.leader.email.partition("@")[0]}
    ]
    exit_code, said, _ = ben.computer.say("sync", ben.folder, PLACE)
    assert exit_code == 0
    assert "logs/.tessignore, which" in said


def test_skipped_subfolder_is_remembered(ada: Synced, ben: Synced) -> None:
    ada.write("big/a", "a")
    ada.write("b", "b")
    ada.sync()
    ben.sync("--skip", "big")
    assert ben.files() == {"b": "b"}
    ben.write("big/own", "own")
    assert ben.computer.ok("sync", ben.folder)["sent"] == []
    assert ben.computer.ok("sync")["syncs"][0]["skip"] == ["big"]
    ben.sync("--skip", "")
    assert ben.files().keys() == {"b", "big/a", "big/own"}


def test_names_that_differ_only_in_case_or_normalisation_are_skipped(
    ada: Synced, ben: Synced
) -> None:
    ada.write("Plan.txt", "first")
    ada.sync()
    ben.sync()
    ben.write("plan.txt", "second")
    ben.write("caf\u00e9", "composed")
    ben.write("cafe\u0301", "decomposed")
    exit_code, answer = ben.run()
    assert exit_code == 4
    skipped = {each["path"] for each in answer["skipped"]}
    assert skipped == {"plan.txt", "caf\u00e9", "cafe\u0301"}
    ada.sync()
    assert ada.files() == {"Plan.txt": "first"}
    (ben.folder / "plan.txt").rename(ben.folder / "other.txt")
    (ben.folder / "cafe\u0301").rename(ben.folder / "bar")
    ben.sync()
    ada.sync()
    assert ada.files() == ben.files()


def test_rename_that_changes_only_the_case_goes_through(ada: Synced, ben: Synced) -> None:
    ada.write("plan", "a")
    ada.sync()
    ben.sync()
    (ada.folder / "plan").rename(ada.folder / "Plan")
    ada.sync()
    ben.sync()
    assert ben.files() == {"Plan": "a"}


def test_name_that_this_system_cannot_hold_is_skipped(
    ada: Synced, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.write("a:b", "a")
    ada.write("c", "c")
    ada.sync()
    (ada.folder / "c").unlink()
    ada.write("c", "changed")
    monkeypatch.setattr(
        "tessera_client.sync.selection.disk_name", lambda name: name.replace(":", "_")
    )
    exit_code, answer = ada.run()
    assert (exit_code, answer["sent"]) == (4, ["c"])
    assert [each["path"] for each in answer["skipped"]] == ["a:b"]


def test_links_are_kept_as_links_and_never_followed(
    ada: Synced, ben: Synced, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    ada.write("x/a", "1")
    (ada.folder / "x/link").symlink_to("a")
    assert ada.sync()["sent"] == ["x/a", "x/link"]
    ben.sync()
    assert (ben.folder / "x/link").readlink() == Path("a")
    # Where a folder was replaced by a link, nothing is written through it.
    ada.write("y/a", "1")
    ada.sync()
    (ben.folder / "y").symlink_to(outside)
    ben.run()
    assert sorted(path.name for path in outside.iterdir()) == ["secret"]


def test_links_that_lead_out_of_the_folder_are_named_and_left_alone(
    ada: Synced, ben: Synced, tmp_path: Path
) -> None:
    (ada.folder / "here").symlink_to(tmp_path)
    exit_code, answer = ada.run()
    assert (exit_code, answer["sent"]) == (4, [])
    assert [each["path"] for each in answer["skipped"]] == ["here"]
    # A colleague can store one in other ways, and move one to where it leads out.
    ada.computer.ok("put", ada.folder / "here", "Designs:/")
    (ada.folder / "here").unlink()
    (ada.folder / "d").mkdir()
    (ada.folder / "d/inner").symlink_to("../file")
    for name in ("file", "a", "b", "c"):
        ada.write(name, name)
    ada.run()
    assert sorted(ben.run()[1]["fetched"]) == ["a", "b", "c", "d/inner", "file"]
    ada.computer.ok("mv", "Designs:/d/inner", "Designs:/inner")
    exit_code, answer = ben.run()
    assert exit_code == 4
    assert {each["path"] for each in answer["skipped"]} == {"here", "inner"}
    assert not (ben.folder / "here").is_symlink()
    assert not (ben.folder / "inner").is_symlink()


@pytest.mark.parametrize("kind", ["endless", "large", "pipe", "nonsense"])
def test_patterns_that_cannot_be_read_are_named_and_the_rest_goes_on(
    ada: Synced, ben: Synced, kind: str
) -> None:
    patterns = ada.folder / ".tessignore"
    match kind:
        case "endless":
            patterns.symlink_to("/dev/zero")
        case "large":
            patterns.write_text("*.log\n" * 20_000)
        case "pipe":
            os.mkfifo(patterns)
        case "nonsense":
            patterns.write_text("*.log\\/\n")
    ada.write("a.log", "1")
    exit_code, answer = ada.run()
    assert exit_code == 4
    assert ".tessignore" in [each["path"] for each in answer["skipped"]]
    assert "a.log" in answer["sent"]
    assert "a.log" in ben.run()[1]["fetched"]


def test_unreadable_folder_is_not_taken_for_deleted(
    ada: Synced, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("x/a", "x/b", "c"):
        ada.write(path, path)
    ada.sync()
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("/x"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    exit_code, answer = ada.run("--yes")
    assert (exit_code, answer["removed"]) == (4, [])
    assert [each["path"] for each in answer["skipped"]] == ["x"]


def test_file_saved_while_its_new_version_is_fetched_is_kept(
    ada: Synced, ben: Synced, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.write("a", "1")
    ada.sync()
    ben.sync()
    ada.write("a", "by ada")
    ada.sync()
    fill = restore.Restorer._describe

    def save(*arguments: Any) -> None:
        fill(*arguments)
        ben.write("a", "saved by ben")

    with monkeypatch.context() as patch:
        patch.setattr(restore.Restorer, "_describe", save)
        exit_code, answer = ben.run()
    assert (exit_code, [each["path"] for each in answer["skipped"]]) == (4, ["a"])
    assert ben.files() == {"a": "saved by ben"}
    exit_code, answer = ben.run()
    assert len(answer["conflicts"]) == 1
    assert sorted(ben.files().values()) == ["by ada", "saved by ben"]


def test_file_that_changes_while_it_is_read_is_read_again(
    ada: Synced, ben: Synced, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, read, left = ada.write("a", "first"), scan.read_chunks, [2]

    def change(file: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            place.write_text(f"changed {left[0]}")
        yield from read(file)

    monkeypatch.setattr(put, "read_chunks", change)
    assert ada.sync()["sent"] == ["a"]
    ben.sync()
    assert ben.files() == {"a": "changed 0"}


def test_mode_goes_both_ways(ada: Synced, ben: Synced) -> None:
    place = ada.write("run", "#!")
    ada.sync()
    ben.sync()
    place.chmod(0o755)
    ada.sync()
    ben.sync()
    assert (ben.folder / "run").stat().st_mode & 0o100
    (ben.folder / "run").chmod(0o644)
    ben.sync()
    ada.sync()
    assert not place.stat().st_mode & 0o100
    assert ada.sync()["sent"] == ben.sync()["sent"] == []


def test_file_and_folder_can_change_places(ada: Synced, ben: Synced) -> None:
    ada.write("x", "file")
    ada.write("y/a", "a")
    ada.sync()
    ben.sync()
    (ada.folder / "x").unlink()
    ada.write("x/inside", "new")
    (ada.folder / "y/a").unlink()
    (ada.folder / "y").rmdir()
    ada.write("y", "now a file")
    ada.sync("--yes")
    ben.sync("--yes")
    assert ben.files() == {"x/inside": "new", "y": "now a file"}
    assert ada.sync()["sent"] == ben.sync()["sent"] == []


def test_dry_run_changes_nothing(ada: Synced, ben: Synced) -> None:
    for name in "abcd":
        ada.write(name, name)
    ada.sync()
    ben.write("new", "new")
    (ada.folder / "a").unlink()
    ada.sync()
    answer = ben.sync("--dry-run")
    assert (answer["sent"], answer["fetched"]) == (["new"], ["b", "c", "d"])
    assert ben.files() == {"new": "new"}
    assert ben.computer.ok("sync")["syncs"] == []


def test_watching_follows_both_sides(
    ada: Synced, ben: Synced, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changes(*_: object, **__: object) -> Iterator[set[object]]:
        ada.write("here", "by ada")
        yield {"here"}
        ben.write("there", "by ben")
        ben.sync()
        yield set()  # Nothing has changed here, but in the space.

    monkeypatch.setattr("watchfiles.watch", changes)
    monkeypatch.setattr(backup, "WATCH_SECONDS", 0)
    ada.sync("--watch")
    assert ada.files() == ben.files() == {"here": "by ada", "there": "by ben"}


def test_place_in_the_space_may_be_a_folder(ada: Synced) -> None:
    ada.write("a", "a")
    ada.computer.ok("sync", ada.folder, "Designs:/deep/place")
    paths = [each["path"] for each in ada.computer.ok("ls", PLACE, "-r")["entries"]]
    assert paths == ["deep/place/a"]
    exit_code, answer = ada.computer.run("sync", ada.folder, "Designs:/deep/place/a")
    assert (exit_code, answer["error"]) == (1, "not_a_folder")


def test_states_of_two_computers_of_one_person_are_apart(
    ada: Synced,
    service: Service,
    new_computer: Callable[[str, Person], Computer],
    tmp_path: Path,
) -> None:
    ada.write("a", "a")
    ada.sync()
    second = Synced(new_computer("second", service.leader), tmp_path / "third")
    second.sync()
    assert second.files() == {"a": "a"}
