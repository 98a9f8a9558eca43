"""Backups and verification on the local page."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
import watchfiles
from starlette.testclient import TestClient

from client.tests.conftest import Computer
from client.tests.page.browser import HERE, PORT, Browser, space_of
from client.tests.service import PASSWORD, Service
from tessera_client.ui import backups
from tessera_client.ui.guard import Keys
from tessera_client.ui.page import Page
from tessera_client.ui.server import create_app
from tessera_client.vault import backup_runs
from tessera_client.vault import backups as listed_backups
from tessera_client.vault.backup_runs import claimed


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "TICK_SECONDS", 0.05)
    monkeypatch.setattr(backups, "WATCH_SECONDS", 0.05)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "Documents"
    (folder / "2026").mkdir(parents=True)
    (folder / "2026" / "plan.txt").write_text("Plan")
    (folder / "draft.tmp").write_text("Draft")
    return folder


def add(
    browser: Browser,
    folder: Path,
    *,
    exclude: tuple[str, ...] = (),
    is_watched: bool = False,
    **rules: object,
) -> str:
    browser.wait_until(lambda shown: shown["backups"] is not None)
    (row,) = browser.post(
        "backups",
        action="add",
        folder=str(folder),
        space=space_of(browser),
        path="",
        exclude=exclude,
        isWatched=is_watched,
        **rules,
    )["backups"]["rows"]
    return str(row["id"])


def wait_for_run(browser: Browser, **expected: object) -> dict[str, Any]:
    """Waits until the last run of the only backup has had this result."""

    def is_shown(shown: dict[str, Any]) -> bool:
        rows = (shown["backups"] or {}).get("rows", [])
        last = rows[0]["lastRun"] if rows else None
        if last is None or rows[0]["state"]:
            return False
        return bool(expected.items() <= last.items())

    row: dict[str, Any] = browser.wait_until(is_shown)["backups"]["rows"][0]
    return row


def stored_names(browser: Browser, path: str) -> list[str]:
    rows = browser.get("files", space=space_of(browser), path=path)["rows"]
    return [row["name"] for row in rows]


class TestBackups:
    def test_a_folder_is_backed_up_and_what_it_would_store_is_shown_before(
        self, leader: Browser, documents: Path
    ) -> None:
        chosen = add(leader, documents, exclude=("*.tmp", " ", "*.tmp"))
        preview = leader.get("backups/preview", id=chosen)
        assert preview["files"] == ["Documents/2026/plan.txt"]
        assert (preview["count"], preview["bytes"], preview["failed"]) == (1, 4, 0)
        assert leader.get("files", space=space_of(leader))["total"] == 0
        leader.post("backups", action="run", id=chosen)
        row = wait_for_run(leader, stored=1, unchanged=0, bytes=4, failed=0, code="")
        assert (row["path"], row["exclude"], row["state"]) == ("Documents", ["*.tmp"], None)
        assert leader.wait("done", "Documents")["kind"] == "backup"
        assert stored_names(leader, "Documents") == ["2026"]
        leader.post("backups", action="change", id=chosen, exclude=[], isWatched=False)
        leader.post("backups", action="run", id=chosen)
        wait_for_run(leader, stored=1, unchanged=1)
        assert stored_names(leader, "Documents") == ["2026", "draft.tmp"]

    def test_removing_a_backup_keeps_both_sides(self, leader: Browser, documents: Path) -> None:
        chosen = add(leader, documents)
        leader.post("backups", action="run", id=chosen)
        wait_for_run(leader, stored=2)
        assert leader.post("backups", action="remove", id=chosen)["backups"]["rows"] == []
        assert stored_names(leader, "Documents") == ["2026", "draft.tmp"]
        assert (documents / "draft.tmp").exists()
        assert leader.refused("backups", action="run", id=chosen) == "backup_not_found"

    def test_a_watched_folder_is_followed(self, leader: Browser, documents: Path) -> None:
        add(leader, documents, is_watched=True)
        wait_for_run(leader, stored=2)
        (documents / "new.txt").write_text("New")
        wait_for_run(leader, stored=1, unchanged=2)
        assert "new.txt" in stored_names(leader, "Documents")

    def test_watching_resumes_after_a_restart_and_after_unlocking(
        self, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        add(leader, documents, is_watched=True)
        wait_for_run(leader, stored=2)
        assert leader.post("lock")["backups"] is None
        (documents / "locked.txt").write_text("Written while the keys were locked")
        leader.post("unlock", password=PASSWORD)
        wait_for_run(leader, stored=1, unchanged=2)
        leader.client.__exit__()
        (documents / "away.txt").write_text("Written while nothing ran")
        restarted = Page(leader.page.worker.folder, Keys(PORT), home=tmp_path)
        with TestClient(create_app(restarted), base_url=HERE) as other:
            wait_for_run(Browser(other, restarted), stored=1, unchanged=3)

    def test_a_folder_that_is_gone_is_named_and_taken_up_again(
        self, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        add(leader, documents, is_watched=True)
        wait_for_run(leader, stored=2)
        documents.rename(tmp_path / "elsewhere")
        wait_for_run(leader, code="folder_gone")
        (tmp_path / "elsewhere").rename(documents)
        wait_for_run(leader, code="", unchanged=2)

    def test_a_failed_run_says_why_and_can_be_repeated(
        self, service: Service, leader: Browser, documents: Path
    ) -> None:
        chosen = add(leader, documents)
        service.is_full = True
        leader.post("backups", action="run", id=chosen)
        wait_for_run(leader, code="quota_exceeded", stored=0)
        service.is_full = False
        failed = leader.wait("failed", "Documents")
        leader.post("transfers", action="retry", id=failed["id"])
        wait_for_run(leader, code="", stored=2)
        assert (documents / "draft.tmp").exists()

    def test_a_folder_that_cannot_be_watched_is_named(
        self, monkeypatch: pytest.MonkeyPatch, leader: Browser, documents: Path
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise OSError("OS file watch limit reached")

        monkeypatch.setattr(watchfiles, "awatch", refuse)
        chosen = add(leader, documents, is_watched=True)
        wait_for_run(leader, code="folder_not_watched")
        leader.post("backups", action="run", id=chosen)
        wait_for_run(leader, code="", stored=2)

    def test_last_backup_of_a_folder_is_among_the_transfers(
        self, service: Service, leader: Browser, documents: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(backups, "RETRY_SECONDS", 0.01)
        service.is_full = True
        add(leader, documents, is_watched=True)
        first = wait_for_run(leader, code="quota_exceeded")["lastRun"]["time"]

        def is_repeated(shown: dict[str, Any]) -> bool:
            return bool(shown["backups"]["rows"][0]["lastRun"]["time"] > first)

        leader.wait_until(is_repeated)
        assert len(leader.post("refresh")["transfers"]) == 1
        service.is_full = False
        wait_for_run(leader, code="", stored=2)

    def test_a_paused_run_waits_and_a_cancelled_one_leaves_the_folder(
        self, leader: Browser, documents: Path
    ) -> None:
        chosen = add(leader, documents)
        leader.post("transfers", action="pause")
        leader.post("backups", action="run", id=chosen)
        (row,) = leader.post("backups", action="run", id=chosen)["backups"]["rows"]
        assert row["state"] == "paused"
        (transfer,) = leader.shown()["transfers"]
        leader.post("transfers", action="cancel", id=transfer["id"])
        leader.post("transfers", action="resume")
        assert leader.shown()["backups"]["rows"][0]["lastRun"] is None
        assert (documents / "2026" / "plan.txt").exists()

    def test_backup_offers_readable_folders_of_the_user_only(
        self, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        shown = leader.get("local-folders")
        assert (shown["path"], shown["parent"]) == (str(tmp_path), None)
        assert "Documents" in shown["folders"]
        inside = leader.get("local-folders", path=str(documents))
        assert (inside["parent"], inside["folders"]) == (str(tmp_path), ["2026"])
        leader.wait_until(lambda shown: shown["backups"] is not None)
        asked = {"action": "add", "space": space_of(leader), "path": "", "isWatched": False}
        (tmp_path / "outside").symlink_to("/")
        for folder, code in (
            ("/", "folder_outside"),
            (tmp_path / "outside", "folder_outside"),
            (tmp_path / "state", "folder_outside"),
            (tmp_path / "nothing", "folder_gone"),
            (documents / "draft.tmp", "folder_gone"),
        ):
            assert leader.refused("backups", **asked, folder=str(folder), exclude=[]) == code
        add(leader, documents)
        again = {**asked, "folder": str(documents)}
        assert leader.refused("backups", **again, exclude=[]) == "backup_exists"
        assert leader.refused("backups", **again, exclude="*") == "bad_request"

    def test_the_clients_own_state_is_left_out(self, leader: Browser, tmp_path: Path) -> None:
        (tmp_path / "note.txt").write_text("Note")
        tmp_path.chmod(0o755)
        chosen = add(leader, tmp_path)
        preview = leader.get("backups/preview", id=chosen)
        assert preview["files"] == [f"{tmp_path.name}/note.txt"]

    def test_the_command_line_lists_them(
        self, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        add(leader, documents, exclude=("*.tmp",))
        (row,) = Computer(tmp_path / "state").ok("backup")["backups"]
        assert (row["folder"], row["path"]) == (str(documents), "Documents")

    def test_a_damaged_list_is_not_replaced(
        self, service: Service, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        file = tmp_path / "state" / str(service.leader.uuid) / "backups.json"
        file.write_text("[{}]")
        leader.post("lock")
        leader.post("unlock", password=PASSWORD)
        shown = leader.wait_until(lambda shown: shown["backups"] is not None)
        assert shown["backups"]["problem"]["code"] == "backups_damaged"
        asked = {"folder": str(documents), "space": space_of(leader), "path": "", "exclude": []}
        assert leader.refused("backups", action="add", **asked, isWatched=False) == (
            "backups_damaged"
        )
        assert file.read_text() == "[{}]"


class TestSchedule:
    @pytest.fixture
    def set_clock(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
        """Moves the computer's clock ahead by days."""

        def set_clock(days: float) -> None:
            moved = int(days * 24 * 3600 * 1000)
            for module in (backups, backup_runs, listed_backups):
                monkeypatch.setattr(module, "now", lambda: int(time.time() * 1000) + moved)

        return set_clock

    def test_a_scheduled_backup_runs_at_once_and_then_when_it_is_due(
        self, leader: Browser, documents: Path, set_clock: Callable[[float], None]
    ) -> None:
        add(leader, documents, every="day", at="02:00")
        row = wait_for_run(leader, stored=2)
        assert row["nextRun"] > row["lastRun"]["time"]
        (documents / "new.txt").write_text("New")
        set_clock(2)
        wait_for_run(leader, stored=1, unchanged=2)
        assert len(leader.shown()["transfers"]) == 1

    def test_what_another_process_lists_and_runs_is_shown(
        self, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        leader.wait_until(lambda shown: shown["backups"] is not None)
        computer = Computer(tmp_path / "state")
        computer.ok("backup", documents, "Designs:/laptop", "--every", "week")
        row = wait_for_run(leader, stored=2)
        assert (row["every"], row["path"]) == ("week", "laptop")
        leader.post("backups", action="change", id=row["id"], exclude=["*.tmp"], isWatched=False)
        (listed,) = computer.ok("backup")["backups"]
        assert (listed["every"], listed["exclude"]) == (None, ["*.tmp"])
        computer.ok("backup", documents, "Designs:/laptop", "--remove")
        leader.wait_until(lambda shown: shown["backups"]["rows"] == [])

    def test_a_backup_that_another_process_runs_waits_for_it(
        self, service: Service, leader: Browser, documents: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(backups, "RETRY_SECONDS", 0.01)
        user, folder = service.leader.uuid, leader.page.worker.folder
        chosen = add(leader, documents)
        with claimed(folder, user, chosen, only_if_due=False):
            leader.post("backups", action="run", id=chosen)
            leader.wait_until(lambda shown: shown["transfers"] == [])
            rules = {"exclude": [], "isWatched": False, "every": "day"}
            leader.post("backups", action="change", id=chosen, **rules)
            assert leader.shown()["backups"]["rows"][0]["lastRun"] is None
        wait_for_run(leader, stored=2)

    def test_a_scheduled_run_that_was_cancelled_is_not_begun_again(
        self, leader: Browser, documents: Path, set_clock: Callable[[float], None]
    ) -> None:
        leader.post("transfers", action="pause")
        add(leader, documents, every="day")
        shown = leader.wait_until(lambda shown: shown["transfers"])
        leader.post("transfers", action="cancel", id=shown["transfers"][0]["id"])
        leader.post("transfers", action="resume")
        leader.upload(space_of(leader), "a.txt", b"a")
        assert leader.shown()["backups"]["rows"][0]["lastRun"] is None
        set_clock(1)
        wait_for_run(leader, stored=2)

    def test_reminders_are_set_changed_and_ended(
        self, service: Service, leader: Browser, documents: Path
    ) -> None:
        chosen = add(leader, documents, remindAfter=7)
        assert service.backups == {chosen: {"days": 7, "isCompleted": False}}
        leader.post("backups", action="run", id=chosen)
        wait_for_run(leader, stored=2)
        assert service.backups == {chosen: {"days": 7, "isCompleted": True}}
        rules = {"id": chosen, "exclude": [], "isWatched": False}
        leader.post("backups", action="change", **rules, remindAfter=3)
        assert service.backups == {chosen: {"days": 3, "isCompleted": False}}
        leader.post("backups", action="change", **rules)
        assert service.backups == {}
        leader.post("backups", action="change", **rules, remindAfter=90)
        leader.post("backups", action="remove", id=chosen)
        assert service.backups == {}

    @pytest.mark.parametrize(
        "rules",
        [
            {"every": "year"},
            {"every": "day", "at": "24:00"},
            {"every": "day", "at": "02:00\n"},
            {"remindAfter": 0},
            {"remindAfter": 91},
            {"isWatched": "yes"},
        ],
    )
    def test_malformed_rules_are_refused(
        self, leader: Browser, documents: Path, rules: dict[str, object]
    ) -> None:
        asked = {"folder": str(documents), "space": space_of(leader), "path": "", "exclude": []}
        code = leader.refused("backups", action="add", **asked, **{"isWatched": False, **rules})
        assert code == "bad_request"


class TestVerification:
    def wait(self, browser: Browser, state: str) -> dict[str, Any]:
        shown = browser.wait_until(
            lambda shown: (shown["verification"] or {}).get("state") == state
        )
        found: dict[str, Any] = shown["verification"]
        return found

    def test_verification_finds_everything_intact(self, leader: Browser) -> None:
        leader.upload(space_of(leader), "a.txt", b"a" * 1000)
        assert leader.shown()["verification"] is None
        leader.post("verify-files", action="start")
        found = self.wait(leader, "done")
        assert (found["packs"], found["degraded"], found["affected"]) == (1, 0, 0)
        assert found["done"] == found["size"] > 0

    def test_a_lost_warehouse_and_unreadable_files_are_named(
        self, service: Service, leader: Browser
    ) -> None:
        leader.upload(space_of(leader), "a.txt", b"a" * 1000)
        service.lose(0)
        leader.post("verify-files", action="start")
        found = self.wait(leader, "done")
        assert (found["degraded"], found["affected"]) == (1, 0)
        service.objects.clear()
        leader.post("verify-files", action="start")
        leader.wait_until(lambda shown: shown["verification"].get("affected") == 1)
        assert self.wait(leader, "done")["files"] == [{"space": space_of(leader), "path": "a.txt"}]

    def test_verification_can_be_cancelled_and_ends_with_the_lock(
        self, service: Service, leader: Browser
    ) -> None:
        leader.upload(space_of(leader), "a.txt", b"a" * 1000)
        is_held, go_on = Event(), Event()

        def hold(request: httpx.Request, _: int) -> None:
            is_held.set()
            assert go_on.wait(60)

        service.on_object = hold
        leader.post("verify-files", action="start")
        assert is_held.wait(30)
        shown = leader.post("verify-files", action="cancel")
        assert shown["verification"]["state"] == "cancelled"
        go_on.set()
        leader.post("verify-files", action="start")
        assert self.wait(leader, "done")["affected"] == 0
        assert leader.post("lock")["verification"] is None

    def test_an_unreachable_service_is_named(self, service: Service, leader: Browser) -> None:
        leader.upload(space_of(leader), "a.txt", b"a" * 1000)
        service.people.clear()
        leader.post("verify-files", action="start")
        assert self.wait(leader, "failed")["code"] == "not_logged_in"
