"""Folders that stay connected: their list, and how they say that they are doing."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.errors import ClientError, NeedsInput, Unreachable
from tessera_client.texts import Language, set_language
from tessera_client.transfer.journal import held
from tessera_client.vault.conflicts import Conflict
from tessera_client.vault.connected_folders import (
    MAX_CONFLICTS,
    ConnectedFolder,
    FolderStatus,
    StatusError,
    edited_connected,
    held_keys,
    load_connected,
    load_status,
    new_id,
    write_status,
)
from tessera_client.vault.folder_reports import FolderReport, find_report
from tessera_client.vault.profile import StateFolder
from tessera_core.user_keys import PrivateKeys

USER = UUID(int=7)
KEYS = PrivateKeys.generate()


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    return StateFolder(tmp_path / "state", use_keyring=False)


def connected(name: str = "Secret plans") -> ConnectedFolder:
    return ConnectedFolder(new_id(), "sync", f"/home/ada/{name}", uuid4(), f"/{name}")


def state_of(computer: Computer) -> StateFolder:
    return StateFolder(computer.folder, use_keyring=False)


def list_of(computer: Computer) -> list[ConnectedFolder]:
    state = state_of(computer)
    return load_connected(state, state.load_profile().user, held_keys(state))


def status_of(computer: Computer) -> FolderStatus | None:
    state = state_of(computer)
    (one,) = list_of(computer)
    return load_status(state, state.load_profile().user, held_keys(state), one.id)


class TestList:
    def test_what_was_added_is_there_again(self, folder: StateFolder) -> None:
        one = connected()
        with edited_connected(folder, USER, KEYS) as folders:
            folders.append(one)
        assert load_connected(folder, USER, KEYS) == [one]

    def test_nothing_changes_if_the_change_fails(self, folder: StateFolder) -> None:
        def change() -> None:
            with edited_connected(folder, USER, KEYS) as folders:
                folders.append(connected())
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            change()
        assert load_connected(folder, USER, KEYS) == []

    def test_no_name_lies_in_the_open(self, folder: StateFolder) -> None:
        one = connected("Secret plans")
        with edited_connected(folder, USER, KEYS) as folders:
            folders.append(one)
        conflict = Conflict("Secret plans/a", "Secret plans/a (Omar)")
        write_status(folder, USER, KEYS, one.id, FolderStatus("conflict", conflicts=[conflict]))
        files = [path for path in folder.path.rglob("*") if path.is_file()]
        assert len(files) >= 2
        assert not any(b"Secret" in path.read_bytes() for path in files)
        for path in files:
            assert path.stat().st_mode & 0o077 == 0 or path.suffix == ".lock", path

    def test_other_keys_and_damage_are_named_and_adding_begins_anew(
        self, folder: StateFolder
    ) -> None:
        with edited_connected(folder, USER, KEYS) as folders:
            folders.append(connected())
        other = PrivateKeys.generate()
        with pytest.raises(ClientError) as failure:
            load_connected(folder, USER, other)
        assert failure.value.code == "folders_damaged"
        with edited_connected(folder, USER, other) as folders:
            assert folders == []
            folders.append(connected())
        assert len(load_connected(folder, USER, other)) == 1
        (folder.user_folder(USER) / "connected" / "folders").write_text("äöü!", "utf-8")
        with pytest.raises(ClientError, match="Connect the folders again"):
            load_connected(folder, USER, other)

    def test_locked_keys_open_nothing(self, folder: StateFolder) -> None:
        with pytest.raises(NeedsInput):
            held_keys(folder)


class TestStatus:
    def test_status_of_another_folder_does_not_count(self, folder: StateFolder) -> None:
        one, two = connected(), connected()
        write_status(folder, USER, KEYS, one.id, FolderStatus("current"))
        place = folder.user_folder(USER) / "connected"
        (place / f"{two.id}.status").write_bytes((place / f"{one.id}.status").read_bytes())
        assert load_status(folder, USER, KEYS, two.id) is None
        known = load_status(folder, USER, KEYS, one.id)
        assert known
        assert (known.state, known.at > 0) == ("current", True)

    def test_thousands_of_conflicts_are_cut(self, folder: StateFolder) -> None:
        conflicts = [Conflict(str(number), f"{number} (2)") for number in range(MAX_CONFLICTS + 5)]
        identifier = new_id()
        write_status(folder, USER, KEYS, identifier, FolderStatus("conflict", conflicts=conflicts))
        known = load_status(folder, USER, KEYS, identifier)
        assert known
        assert len(known.conflicts) == MAX_CONFLICTS

    def test_error_is_said_in_the_language_of_whoever_looks(self) -> None:
        error = StatusError.of(Unreachable.from_code("unreachable", origin="https://tessera.test"))
        english = error.as_text()
        set_language(Language.TR)
        assert "https://tessera.test" in error.as_text()
        assert error.as_text() != english
        assert "full" in StatusError.of(ClientError("The disk is full.")).as_text()

    @pytest.mark.parametrize(
        ("waiting", "conflicts", "code", "state"),
        [
            (0, 0, None, "current"),
            (3, 0, None, "waiting"),
            (3, 1, None, "conflict"),
            (3, 1, "unreachable", "offline"),
            (0, 0, "quota_exceeded", "failed"),
        ],
    )
    def test_state_says_what_matters_most(
        self, waiting: int, conflicts: int, code: str | None, state: str
    ) -> None:
        kind = Unreachable if code == "unreachable" else ClientError
        problem = kind("It failed.", code=code) if code else None
        found = [Conflict("a", "b")] * conflicts
        assert FolderStatus.of(waiting, found, problem).state == state


class TestCommands:
    def test_sync_is_added_changed_and_taken_out(self, leader: Computer, tmp_path: Path) -> None:
        here = tmp_path / "Designs"
        here.mkdir()
        leader.ok("sync", here, "Designs:/2026", "--always", "--skip", "videos")
        (one,) = list_of(leader)
        assert (one.kind, one.folder, one.path) == ("sync", str(here), "/2026")
        assert one.excluded == ["/videos"]
        leader.ok("sync", here, "Designs:/", "--always")
        (again,) = list_of(leader)
        assert (again.id, again.path, again.excluded) == (one.id, "/", [])
        leader.ok("sync", here, "--remove")
        assert list_of(leader) == []
        exit_code, answer = leader.run("sync", here, "--remove")
        assert (exit_code, answer["error"]) == (1, "folder_not_connected")

    def test_mount_of_one_space_or_all_is_added(self, leader: Computer, tmp_path: Path) -> None:
        for name in ("one", "all"):
            (tmp_path / name).mkdir()
        leader.ok("mount", "Designs", tmp_path / "one", "--always")
        leader.ok("mount", tmp_path / "all", "--always")
        one, every = list_of(leader)
        assert one.space
        assert every.space is None
        exit_code, answer = leader.run("sync", tmp_path / "one", "Designs:/", "--always")
        assert (exit_code, answer["error"]) == (1, "folder_connected_otherwise")
        leader.ok("mount", tmp_path / "one", "--remove")
        assert list_of(leader) == [every]

    def test_pass_of_a_connected_folder_says_how_it_went(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        here = tmp_path / "Designs"
        here.mkdir()
        (here / "a.txt").write_text("a")
        leader.ok("sync", here, "Designs:/", "--always")
        assert status_of(leader) is None
        leader.ok("sync", here, "--dry-run", "Designs:/")
        assert status_of(leader) is None
        leader.ok("sync", here, "Designs:/")
        status = status_of(leader)
        assert status
        assert (status.state, status.waiting) == ("current", 0)
        service.is_down = True
        assert leader.run("sync", here, "Designs:/")[0] == 1
        status = status_of(leader)
        # Opening the vault needs the service: the last status stays.
        assert status
        assert status.state == "current"

    def test_conflict_counts_until_its_second_version_is_gone(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        here, report = tmp_path / "Designs", tmp_path / "report.txt"
        here.mkdir()
        (here / "report.txt").write_text("one")
        leader.ok("sync", here, "Designs:/2026", "--always")
        leader.ok("sync", here, "Designs:/2026")
        (here / "report.txt").write_text("mine")
        report.write_text("theirs")
        leader.ok("put", report, "Designs:/2026", "--replace")
        assert leader.run("sync", here, "Designs:/2026")[0] == 4
        status = status_of(leader)
        assert status
        ((conflict,), state) = status.conflicts, status.state
        assert (state, conflict.path) == ("conflict", "report.txt")
        leader.ok("sync", here, "Designs:/2026")
        again = status_of(leader)
        assert again
        assert again.conflicts == [conflict]
        (here / conflict.kept_as).unlink()
        leader.ok("sync", here, "Designs:/2026", "--yes")
        settled = status_of(leader)
        assert settled
        assert (settled.state, settled.conflicts) == ("current", [])

    def test_pass_by_hand_runs_between_those_of_a_watch_and_not_during_one(
        self, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here, passes = tmp_path / "Designs", list[bool]()
        here.mkdir()

        def watch(*_: object, **__: object) -> Iterator[set[str]]:
            (lock,) = state_of(leader).path.rglob("sync-*.lock")
            with held(lock) as is_free:
                passes.append(is_free)
            yield set()

        monkeypatch.setattr("watchfiles.watch", watch)
        monkeypatch.setattr("tessera_client.commands.backup.WATCH_SECONDS", 0)
        leader.ok("sync", here, "Designs:/", "--watch")
        assert passes == [True]
        (lock,) = state_of(leader).path.rglob("sync-*.lock")
        with held(lock):
            assert leader.run("sync", here, "Designs:/")[1]["error"] == "sync_in_use"

    def test_new_keys_keep_the_list(self, leader: Computer, tmp_path: Path) -> None:
        here = tmp_path / "Designs"
        here.mkdir()
        leader.ok("sync", here, "Designs:/", "--always")
        before = held_keys(state_of(leader))
        leader.ok("device-lost")
        assert held_keys(state_of(leader)) != before
        (one,) = list_of(leader)
        assert one.folder == str(here)


class TestReport:
    def test_only_connected_folders_have_one(self, leader: Computer, tmp_path: Path) -> None:
        assert find_report(StateFolder(tmp_path / "nobody", use_keyring=False), tmp_path) is None
        leader.ok("status")
        assert find_report(state_of(leader), tmp_path) is None

    def test_full_disk_does_not_stop_the_work(
        self, leader: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        leader.ok("status")
        report = FolderReport(state_of(leader), new_id())
        monkeypatch.setattr("tessera_client.vault.folder_reports.write_status", fail)
        report.note(FolderStatus("current"))


def test_ignore_file_of_somebody_else_is_in_the_status(
    leader: Computer, member: Computer, tmp_path: Path
) -> None:
    """It decides here what is left out."""
    (tmp_path / ".tessignore").write_text("*.log\n")
    leader.ok("put", tmp_path / ".tessignore", "Designs:/")
    here = tmp_path / "here"
    here.mkdir()
    member.ok("sync", here, "Designs:/", "--always")
    member.ok("sync", here, "Designs:/")
    status = status_of(member)
    assert status
    assert status.error
    assert status.state == "current"
    assert ".tessignore, which leader" in status.error.as_text()
