"""Backups with a schedule: `tess backup --every` and `--scheduled`."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.commands import backup as command
from tessera_client.errors import ClientError
from tessera_client.vault import backup_runs, backups
from tessera_client.vault.backup_runs import claimed, run_due
from tessera_client.vault.backups import edited_backups
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import open_vault

DAY = 24 * 3600


class Clock:
    """The computer's clock, which a test moves."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def now(self) -> int:
        return int((time.time() + self.ahead) * 1000)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (backups, backup_runs, command):
        monkeypatch.setattr(module, "now", clock.now)
    return clock


@pytest.fixture
def notified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts = list[str]()
    monkeypatch.setattr(backup_runs, "notify", texts.append)
    return texts


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "Documents"
    folder.mkdir()
    (folder / "a.txt").write_text("a")
    return folder


def schedule(computer: Computer, folder: Path, *options: str) -> dict[str, Any]:
    return computer.ok("backup", folder, "Designs:/laptop", "--every", "day", *options)


def listed(computer: Computer) -> dict[str, Any]:
    (row,) = computer.ok("backup")["backups"]
    return dict(row)


def state_of(computer: Computer) -> StateFolder:
    return StateFolder(computer.folder, use_keyring=False)


class TestSchedule:
    def test_a_folder_is_listed_run_at_once_and_then_when_it_is_due(
        self, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        (documents / "b.tmp").write_text("b")
        done = schedule(leader, documents, "--at", "02:00", "--exclude", "*.tmp")
        assert done["stored"] == ["laptop/a.txt"]
        row = listed(leader)
        assert (row["every"], row["at"], row["lastRun"]["stored"]) == ("day", "02:00", 1)
        assert clock.now() < row["nextRun"] <= clock.now() + DAY * 1000
        (documents / "c.txt").write_text("c")
        assert leader.ok("backup", "--scheduled")["ran"] == []
        clock.ahead += 3 * DAY
        (ran,) = leader.ok("backup", "--scheduled")["ran"]
        assert (ran["lastRun"]["stored"], ran["lastRun"]["unchanged"]) == (1, 1)
        assert leader.ok("backup", "--scheduled")["ran"] == []

    def test_the_list_says_when_it_ran_and_runs_next(
        self, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        assert leader.say("backup")[1] == "No folder is listed.\n"
        schedule(leader, documents, "--at", "02:00")
        _, text, _ = leader.say("backup")
        assert text.startswith(f"{documents} -> laptop Every day at 02:00. Last run 2")
        assert ": 1 stored. Next run 2" in text
        clock.ahead += 2 * DAY
        assert leader.say("backup")[1].endswith("Due now.\n")
        assert leader.say("backup", "--scheduled")[1].startswith(f"{documents} -> laptop")
        assert leader.say("backup", "--scheduled")[1] == "Nothing is due.\n"

    def test_a_schedule_is_changed_and_taken_off_the_list(
        self, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        schedule(leader, documents, "--exclude", "*.tmp")
        leader.ok("backup", documents, "Designs:/laptop", "--every", "week", "--at", "09:30")
        row = listed(leader)
        assert (row["every"], row["at"], row["exclude"]) == ("week", "09:30", ["*.tmp"])
        target = ("backup", documents, "Designs:/laptop", "--remove")
        assert leader.ok(*target) == {"removed": True}
        assert leader.ok("backup")["backups"] == []
        assert leader.run(*target)[1]["error"] == "backup_not_found"
        assert len(leader.ok("ls", "Designs:/laptop")["entries"]) == 1

    @pytest.mark.parametrize(
        "options",
        [
            ("--every", "hour", "--at", "02:00"),
            ("--every", "day", "--at", "24:00"),
            ("--every", "day", "--at", "2 pm"),
            ("--every", "day", "--watch"),
            ("--every", "day", "--dry-run"),
            ("--every", "year"),
            ("--every", "day", "--remind-after", "0"),
            ("--every", "day", "--remind-after", "91"),
            ("--at", "02:00"),
            ("--remind-after", "3"),
        ],
    )
    def test_options_that_do_not_fit_are_refused(
        self, leader: Computer, documents: Path, options: tuple[str, ...]
    ) -> None:
        exit_code, _, said = leader.say("backup", documents, "Designs:/laptop", *options)
        assert exit_code == 2, said
        assert leader.ok("backup")["backups"] == []

    def test_a_watching_process_runs_what_is_due(
        self, leader: Computer, documents: Path, clock: Clock, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        schedule(leader, documents)
        other = tmp_path / "Other"
        other.mkdir()

        def changes(*_: object, **__: object) -> Iterator[set[object]]:
            (documents / "b.txt").write_text("b")
            clock.ahead += 2 * DAY
            yield set()

        monkeypatch.setattr("watchfiles.watch", changes)
        monkeypatch.setattr(command, "WATCH_SECONDS", 0)
        leader.ok("backup", other, "Designs:/other", "--watch")
        assert listed(leader)["lastRun"]["stored"] == 1


class TestTwoProcesses:
    def test_one_backup_is_run_by_one_of_them(
        self, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        schedule(leader, documents)
        clock.ahead += 2 * DAY
        start = Barrier(4)

        def run(_: int) -> int:
            # Each has its own files and connections, as processes have.
            with open_vault(state_of(leader), None, None) as vault:
                start.wait(30)
                return len(run_due(vault, lambda *_: nullcontext(lambda _: None)))

        with ThreadPoolExecutor(4) as threads:
            assert sum(threads.map(run, range(4))) == 1

    def test_a_backup_that_another_process_runs_is_left_alone(
        self, service: Service, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        schedule(leader, documents)
        clock.ahead += 2 * DAY
        row = listed(leader)
        state, user = state_of(leader), service.leader.uuid
        with claimed(state, user, row["id"], only_if_due=False) as claim:
            assert claim is not None
            assert leader.ok("backup", "--scheduled")["ran"] == []
            again = ("backup", documents, "Designs:/laptop", "--every", "day")
            assert leader.run(*again)[1]["error"] == "backup_busy"
        assert len(leader.ok("backup", "--scheduled")["ran"]) == 1

    def test_a_backup_that_another_process_has_just_run_is_not_run_again(
        self, service: Service, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        schedule(leader, documents)
        identifier, state, user = listed(leader)["id"], state_of(leader), service.leader.uuid
        with claimed(state, user, identifier, only_if_due=True) as claim:
            assert claim is None
        clock.ahead += 2 * DAY
        with claimed(state, user, identifier, only_if_due=True) as claim:
            assert claim is not None

    def test_changes_of_the_list_do_not_undo_each_other(
        self, service: Service, leader: Computer, documents: Path
    ) -> None:
        schedule(leader, documents)
        state, user = state_of(leader), service.leader.uuid

        def change(number: int) -> None:
            with edited_backups(state, user) as backups:
                backups[0].exclude.append(str(number))

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(change, range(20)))
        assert sorted(map(int, listed(leader)["exclude"])) == list(range(20))


class TestNotifications:
    def test_failure_and_recovery_are_announced_once(
        self, service: Service, leader: Computer, documents: Path, clock: Clock,
        notified: list[str],
    ) -> None:  # fmt: skip
        schedule(leader, documents)
        service.is_full = True
        (documents / "b.txt").write_text("b")
        for _ in range(3):
            clock.ahead += DAY
            exit_code, answer = leader.run("backup", "--scheduled")
            assert (exit_code, answer["ran"][0]["lastRun"]["code"]) == (4, "quota_exceeded")
        assert notified == ["The backup of Documents failed: quota_exceeded"]
        service.is_full = False
        for _ in range(2):
            clock.ahead += DAY
            leader.ok("backup", "--scheduled")
        assert notified[1:] == ["The backup of Documents works again."]

    def test_what_a_timer_cannot_do_is_announced_too(
        self, service: Service, leader: Computer, documents: Path, clock: Clock,
        notified: list[str],
    ) -> None:  # fmt: skip
        schedule(leader, documents)
        service.people.clear()
        for _ in range(2):
            clock.ahead += DAY
            assert leader.run("backup", "--scheduled")[0] == 4
        state_of(leader).forget_secrets()
        clock.ahead += DAY
        assert leader.run("backup", "--scheduled")[0] == 3
        assert len(notified) == 1
        assert notified[0].startswith("The backup of Documents failed: ")
        assert listed(leader)["lastRun"]["code"] == "not_logged_in"

    def test_files_without_a_spare_piece_are_announced(
        self, service: Service, leader: Computer, documents: Path, notified: list[str]
    ) -> None:
        service.on_object = lambda request, index: httpx.Response(503) if index == 0 else None
        for _ in range(2):
            (documents / "b.txt").write_text("b")
            leader.run("backup", documents, "Designs:/laptop", "--every", "day")
        (text,) = notified
        assert text.startswith("The backup of Documents is not safe yet")

    def test_a_conflict_is_announced_without_control_characters(
        self, leader: Computer, documents: Path, clock: Clock, tmp_path: Path, notified: list[str]
    ) -> None:
        name = "a\x1b.txt"
        (documents / name).write_text("here")
        schedule(leader, documents)
        (tmp_path / "theirs").write_text("elsewhere")
        leader.ok("put", tmp_path / "theirs", f"Designs:/laptop/{name}", "--replace")
        (documents / name).write_text("changed here")
        for _ in range(2):
            clock.ahead += DAY
            leader.run("backup", "--scheduled")
        (text,) = notified
        assert text.startswith("The backup of Documents needs you: ")
        assert "a\\x1b" in text
        assert "\x1b" not in text

    def test_announcements_can_be_turned_off(
        self, service: Service, leader: Computer, documents: Path, notified: list[str]
    ) -> None:
        (leader.folder / "settings.json").write_text(json.dumps({"notifications": False}))
        service.is_full = True
        leader.run("backup", documents, "Designs:/laptop", "--every", "day")
        assert notified == []


class TestReminders:
    def test_service_learns_that_a_backup_completed_and_nothing_else(
        self, service: Service, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        schedule(leader, documents, "--remind-after", "3")
        row = listed(leader)
        assert service.backups == {row["id"]: {"days": 3, "isCompleted": True}}
        calls = [call for call, *_ in service.exchanges if "backups" in call]
        assert calls == [f"PUT /storage/backups/{row['id']}"] * 2

    def test_service_is_told_at_most_once_an_hour_and_only_of_what_is_safe(
        self, service: Service, leader: Computer, documents: Path, clock: Clock
    ) -> None:
        def reports() -> int:
            service.backups.clear()
            (documents / f"{clock.ahead}.txt").write_text(str(clock.ahead))
            leader.run("backup", documents, "Designs:/laptop", "--every", "hour",
                       "--remind-after", "3")  # fmt: skip
            return len(service.backups)

        assert [reports(), reports()] == [1, 0]
        clock.ahead += 3601
        assert [reports(), reports()] == [1, 0]
        clock.ahead += 3601
        service.on_object = lambda request, index: httpx.Response(503) if index == 0 else None
        assert reports() == 0
        service.on_object = lambda *_: None
        clock.ahead -= 30 * DAY
        assert reports() == 1

    def test_without_a_reminder_the_service_learns_nothing(
        self, service: Service, leader: Computer, documents: Path
    ) -> None:
        schedule(leader, documents)
        leader.ok("backup", documents, "Designs:/laptop", "--remove")
        assert not [call for call, *_ in service.exchanges if "backups" in call]

    @pytest.mark.parametrize("options", [("--remove",), ("--every", "day")])
    def test_the_end_of_a_reminder_is_reported(
        self, service: Service, leader: Computer, documents: Path, options: tuple[str, ...]
    ) -> None:
        schedule(leader, documents, "--remind-after", "3")
        leader.ok("backup", documents, "Designs:/laptop", *options)
        assert service.backups == {}

    def test_a_backup_succeeds_although_its_report_fails(
        self, leader: Computer, documents: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise ClientError("The service cannot be reached.")

        schedule(leader, documents, "--remind-after", "3")
        clock.ahead += DAY
        told = listed(leader)["reportedAt"]
        monkeypatch.setattr(backup_runs, "_report", fail)
        (ran,) = leader.ok("backup", "--scheduled")["ran"]
        assert (ran["lastRun"]["code"], ran["reportedAt"]) == ("", told)
