"""Connected folders on the local page, and the conflicts in them."""

import json
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.page.browser import CALL, Browser, space_of
from client.tests.service import PASSWORD, Person, Service
from tessera_client.service.presence import LOCK
from tessera_client.transfer.journal import held
from tessera_client.ui import folders
from tessera_client.ui.pictures import is_picture
from tessera_client.vault import connected_folders
from tessera_client.vault.connected_folders import (
    FolderStatus,
    StatusError,
    held_keys,
    write_status,
)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "TICK_SECONDS", 0.05)
    monkeypatch.setattr(folders, "SERVICE_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In which the service would be installed."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.delenv("TESSERA_CLIENT_DIR", raising=False)


@pytest.fixture
def running(leader: Browser) -> Iterator[None]:
    """The service runs."""
    with held(leader.page.worker.folder.path / LOCK):
        leader.wait_until(lambda shown: (shown["folders"] or {}).get("service") == "running")
        yield


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "Documents"
    folder.mkdir()
    (folder / "plan.txt").write_text("Plan")
    return folder


def asked(browser: Browser, folder: Path, **change: object) -> dict[str, Any]:
    place = {"folder": str(folder), "space": space_of(browser), "path": ""}
    return {"action": "add", "kind": "sync", **place, **change}


def add(browser: Browser, folder: Path, **change: object) -> dict[str, Any]:
    browser.wait_until(lambda shown: shown["folders"] is not None)
    body = asked(browser, folder, **change)
    row: dict[str, Any] = browser.post("connected-folders", **body)["folders"]["rows"][-1]
    return row


def act(browser: Browser, action: str, row: dict[str, Any], **values: object) -> dict[str, Any]:
    answer = browser.post("connected-folders", action=action, id=row["id"], **values)
    shown: dict[str, Any] = answer["folders"]["rows"][0]
    return shown


@pytest.fixture
def note(service: Service, leader: Browser) -> Callable[..., dict[str, Any]]:
    """Writes a status as the program that runs a folder does; returns what the page shows of it."""
    state = leader.page.worker.folder

    def note(row: dict[str, Any], **values: Any) -> dict[str, Any]:
        status = FolderStatus(**values)
        write_status(state, service.leader.uuid, held_keys(state), row["id"], status)
        wanted = status.waiting, status.error is not None

        def is_read(shown: dict[str, Any]) -> bool:
            first = shown["folders"]["rows"][0]
            return bool(first["at"]) and (first["waiting"], first["problem"] is not None) == wanted

        shown: dict[str, Any] = leader.wait_until(is_read)["folders"]["rows"][0]
        return shown

    return note


class TestList:
    @pytest.mark.usefixtures("running")
    def test_folder_is_added(self, leader: Browser, documents: Path) -> None:
        row = add(
            leader, documents, path="/laptop/", subfolders=["Old [1]"], patterns=["*.tmp", " "]
        )
        assert (row["folder"], row["name"], row["path"]) == (str(documents), "Documents", "/laptop")
        assert (row["state"], row["paused"], row["at"]) == ("starting", False, None)
        assert (row["subfolders"], row["patterns"]) == (["Old [1]"], ["*.tmp"])
        assert row["excluded"] == ["/Old\\ \\[1\\]", "*.tmp"]

    def test_drive_of_all_spaces_gets_a_new_folder(self, leader: Browser, tmp_path: Path) -> None:
        row = add(leader, tmp_path, kind="mount", space=None, name="Tessera")
        assert (row["kind"], row["space"], row["path"]) == ("mount", None, "/")
        assert (tmp_path / "Tessera").is_dir()

    def test_state_is_what_the_program_has_told(
        self, leader: Browser, documents: Path, note: Callable[..., dict[str, Any]]
    ) -> None:
        row = add(leader, documents)
        gone = StatusError("errors.folder_gone", {"path": "/x\x1b"})
        unknown = {"code": "failed", "message": ""}
        for status, expected in (
            ({"state": "current"}, ("current", None)),
            ({"state": "waiting", "waiting": 12}, ("waiting", None)),
            # Nothing is in conflict any more.
            ({"state": "conflict", "waiting": 1}, ("current", None)),
            ({"state": "offline", "waiting": 3}, ("offline", None)),
            (
                {"state": "failed", "error": gone},
                (
                    "failed",
                    {"code": "folder_gone", "message": "/x\\x1b does not exist any more."},
                ),
            ),
            # Another version of the program has written these.
            ({"state": "failed", "waiting": 1, "error": StatusError("x.y")}, ("failed", unknown)),
            (
                {"state": "failed", "waiting": 2, "error": StatusError("errors.folder_gone")},
                ("failed", unknown),
            ),
            (
                {"state": "failed", "waiting": 3, "error": StatusError("errors")},
                ("failed", unknown),
            ),
        ):
            shown = note(row, **status)
            assert (shown["state"], shown["problem"]) == expected

    def test_folder_is_not_up_to_date_without_the_service(
        self,
        leader: Browser,
        documents: Path,
        note: Callable[..., dict[str, Any]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        row = add(leader, documents)
        assert row["state"] == "stopped"
        # Somebody has run a pass by hand.
        row = note(row, state="current")
        assert row["state"] == "current"
        monkeypatch.setattr(folders, "now", lambda: row["at"] + 91_000)
        assert leader.shown()["folders"]["rows"][0]["state"] == "stopped"
        with held(leader.page.worker.folder.path / LOCK):
            shown = leader.wait_until(lambda shown: shown["folders"]["service"] == "running")
            assert shown["folders"]["rows"][0]["state"] == "current"

    def test_pause_resume_and_remove_leave_the_files(
        self, leader: Browser, documents: Path, note: Callable[..., dict[str, Any]]
    ) -> None:
        row = add(leader, documents)
        note(row, state="waiting", waiting=1)
        assert act(leader, "pause", row)["state"] == "paused"
        assert act(leader, "resume", row)["state"] == "waiting"
        removed = leader.post("connected-folders", action="remove", id=row["id"])
        assert removed["folders"]["rows"] == []
        assert (documents / "plan.txt").read_text() == "Plan"
        assert not [*(leader.page.worker.folder.path).rglob("*.status")]

    def test_what_is_left_out_can_be_changed(self, leader: Browser, documents: Path) -> None:
        row = add(leader, documents, patterns=["*.tmp"])
        row = act(leader, "exclude", row, subfolders=["Videos", "a, b"], patterns=["/x*"])
        assert (row["subfolders"], row["patterns"]) == (["Videos", "a, b"], ["/x*"])

    def test_nothing_is_shown_or_changed_while_locked(
        self, leader: Browser, documents: Path
    ) -> None:
        row = add(leader, documents)
        body = asked(leader, documents)
        assert leader.post("lock")["folders"] is None
        for action in ("pause", "remove", "open"):
            code = leader.refused("connected-folders", action=action, id=row["id"])
            assert code == "folder_not_connected"
        assert leader.refused("connected-folders", **body) in {"space_not_found", "locked"}
        leader.post("unlock", password=PASSWORD)
        leader.wait_until(lambda shown: shown["folders"] and len(shown["folders"]["rows"]) == 1)

    def test_damaged_list_is_named_and_begins_anew(
        self, service: Service, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        add(leader, documents)
        own = tmp_path / "state" / str(service.leader.uuid)
        (own / connected_folders._LIST).write_text("nonsense")
        shown = leader.wait_until(lambda shown: shown["folders"]["problem"])
        assert shown["folders"]["problem"]["code"] == "folders_damaged"
        row = add(leader, documents)
        assert leader.shown()["folders"]["problem"] is None
        assert row["folder"] == str(documents)


class TestService:
    def test_the_page_installs_the_service_as_the_command_does(
        self, leader: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shown = leader.wait_until(lambda shown: shown["folders"] is not None)
        assert shown["folders"]["service"] == "missing"
        programs = tmp_path / "bin"
        programs.mkdir()
        monkeypatch.setenv("PATH", str(programs))
        monkeypatch.setenv("TESS_NO_KEYRING", "1")
        assert leader.refused("connected-folders", action="install") == "service_no_manager"
        (programs / "systemctl").write_text(f"#!{sys.executable}\n")
        (programs / "systemctl").chmod(0o755)
        installed = leader.post("connected-folders", action="install")
        assert installed["folders"]["service"] == "stopped"
        assert (tmp_path / ".config" / "systemd" / "user" / "tessera.service").exists()


class TestLies:
    def test_folder_has_to_be_inside_the_users_own(
        self, leader: Browser, documents: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "outside").symlink_to("/")
        (documents / "up").symlink_to("/usr")
        add(leader, documents)
        for change, code in (
            ({"folder": "/"}, "folder_outside"),
            ({"folder": str(tmp_path / "outside")}, "folder_outside"),
            ({"folder": str(tmp_path / "outside" / "usr")}, "folder_outside"),
            ({"folder": str(documents / ".." / ".." / "x")}, "folder_outside"),
            ({"folder": str(tmp_path / "state")}, "folder_outside"),
            ({"folder": str(tmp_path / "nothing")}, "folder_gone"),
            ({"folder": str(documents / "plan.txt")}, "folder_gone"),
            ({"folder": str(documents), "name": "up"}, "folder_outside"),
            ({"folder": str(documents)}, "folder_connected"),
            ({"folder": str(tmp_path)}, "folder_connected"),
            ({"folder": str(documents), "name": "below"}, "folder_connected"),
        ):
            body = {**asked(leader, documents), **change}
            assert leader.refused("connected-folders", **body) == code, change
        assert len(leader.shown()["folders"]["rows"]) == 1

    def test_name_of_a_new_folder_leads_nowhere_else(self, leader: Browser, tmp_path: Path) -> None:
        before = {*tmp_path.iterdir()}
        for name in ("..", ".", "../x", "a/b", "/usr", ".ssh", "a\0b", "a\nb"):
            body = asked(leader, tmp_path, kind="mount", name=name)
            assert leader.refused("connected-folders", **body) == "bad_name", name
        assert {*tmp_path.iterdir()} == before

    def test_bad_request_connects_nothing(self, leader: Browser, documents: Path) -> None:
        for change, code in (
            ({"space": None}, "bad_request"),
            ({"space": "00000000-0000-4000-8000-000000000000"}, "space_not_found"),
            ({"path": "../x"}, "bad_name"),
            ({"kind": "format"}, "bad_request"),
            ({"patterns": ["a\n/b"]}, "bad_request"),
            ({"patterns": "*"}, "bad_request"),
            ({"subfolders": ["a"] * 1001}, "bad_request"),
            ({"kind": "mount"}, "mount_not_empty"),
            ({"action": "format"}, "bad_request"),
        ):
            body = asked(leader, documents, **change)
            assert leader.refused("connected-folders", **body) == code, change
        shown = leader.wait_until(lambda shown: shown["folders"] is not None)
        assert shown["folders"]["rows"] == []

    def test_foreign_id_is_refused(self, leader: Browser, documents: Path) -> None:
        add(leader, documents)
        for identifier in ("0123456789abcdef", "", "../../x", str(documents)):
            for action in ("pause", "resume", "exclude", "remove", "open"):
                body = {"action": action, "id": identifier}
                assert leader.refused("connected-folders", **body) == "folder_not_connected"

    def test_another_page_can_neither_open_nor_connect_a_folder(
        self, leader: Browser, documents: Path, file_manager: Path
    ) -> None:
        row = add(leader, documents)
        for headers in (
            {**CALL, "origin": "http://127.0.0.1:4712"},
            {**CALL, "sec-fetch-site": "cross-site"},
            {},
        ):
            for body in (asked(leader, documents), {"action": "open", "id": row["id"]}):
                answer = leader.client.post("/api/connected-folders", json=body, headers=headers)
                assert answer.status_code == 403
        assert not file_manager.exists()


@pytest.fixture
def file_manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a stand-in for `xdg-open` writes its arguments."""
    log, programs = tmp_path / "opened", tmp_path / "bin"
    programs.mkdir()
    program = programs / "xdg-open"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        f"open({str(log)!r}, 'a').write(json.dumps(sys.argv[1:]) + '\\n')\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(programs))
    return log


class TestOpening:
    def test_folder_is_one_argument(
        self, leader: Browser, tmp_path: Path, file_manager: Path
    ) -> None:
        names = ("Documents", "-x", "$(touch y); a b", "a'\"b", "%00")
        for name in names:
            (tmp_path / name).mkdir()
            row = add(leader, tmp_path / name)
            leader.post("connected-folders", action="open", id=row["id"])
        opened = [json.loads(line) for line in file_manager.read_text().splitlines()]
        assert opened == [[str(tmp_path / name)] for name in names]

    def test_what_has_taken_the_folders_place_is_not_opened(
        self, leader: Browser, documents: Path, tmp_path: Path, file_manager: Path
    ) -> None:
        row = add(leader, documents)
        documents.rename(tmp_path / "moved")
        body = {"action": "open", "id": row["id"]}
        assert leader.refused("connected-folders", **body) == "folder_gone"
        documents.symlink_to(tmp_path / "moved")
        assert leader.refused("connected-folders", **body) == "folder_gone"
        documents.unlink()
        documents.write_text("[Desktop Entry]\nExec=touch x")
        assert leader.refused("connected-folders", **body) == "folder_gone"
        assert not file_manager.exists()

    def test_missing_or_failing_file_manager_is_named(
        self, leader: Browser, documents: Path, file_manager: Path, tmp_path: Path
    ) -> None:
        body = {"action": "open", "id": add(leader, documents)["id"]}
        (tmp_path / "bin" / "xdg-open").write_text(f"#!{sys.executable}\nraise SystemExit(3)\n")
        assert leader.refused("connected-folders", **body) == "no_file_manager"
        (tmp_path / "bin" / "xdg-open").unlink()
        assert leader.refused("connected-folders", **body) == "no_file_manager"


class TestConflicts:
    @pytest.fixture
    def member(
        self, service: Service, leader: Browser, new_computer: Callable[[str, Person], Computer]
    ) -> Computer:
        member, own = (
            new_computer("member", service.member),
            Computer(leader.page.worker.folder.path),
        )
        words = member.ok("words")["words"]
        own.ok("grant", service.member.email, "Designs", "--words", words)
        member.ok("trust", service.leader.email, "--words", own.ok("words")["words"])
        return member

    @pytest.fixture
    def row(
        self, leader: Browser, member: Computer, documents: Path, tmp_path: Path
    ) -> dict[str, Any]:
        """A connected folder in which the member has replaced the leader's version unseen."""
        leader.upload(space_of(leader), "docs/plan.txt", b"by the leader")
        (tmp_path / "plan.txt").write_text("by the member")
        member.run("put", tmp_path / "plan.txt", "Designs:/docs")
        leader.post("refresh")
        return add(leader, documents, path="docs")

    def conflicts(self, browser: Browser, row: dict[str, Any]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = browser.get("connected-folders/conflicts", id=row["id"])[
            "rows"
        ]
        return rows

    def choice(self, row: dict[str, Any], conflict: dict[str, Any], keep: str) -> dict[str, Any]:
        current, other = conflict["current"], conflict["other"]
        return {
            "id": row["id"],
            "space": conflict["space"],
            "path": current["path"],
            "keptAs": other["path"],
            "keep": keep,
            "sequence": current["sequence"],
            "otherSequence": other["sequence"],
        }

    def preview(
        self, browser: Browser, row: dict[str, Any], conflict: dict[str, Any], side: str
    ) -> dict[str, Any]:
        chosen = self.choice(row, conflict, "both")
        place = {name: chosen[name] for name in ("id", "space", "path", "keptAs")}
        preview: dict[str, Any] = browser.get("connected-folders/preview", **place, side=side)
        return preview

    def test_both_versions_are_shown_with_authors_and_contents(
        self, leader: Browser, row: dict[str, Any], note: Callable[..., dict[str, Any]]
    ) -> None:
        shown = note(row, state="current")
        assert (shown["state"], shown["conflicts"]) == ("conflict", 1)
        (conflict,) = self.conflicts(leader, row)
        current, other = conflict["current"], conflict["other"]
        assert (current["author"], other["author"]) == ("member", "leader")
        assert (current["path"], current["size"], current["type"]) == ("docs/plan.txt", 13, "file")
        assert other["path"].startswith("docs/plan (conflict, leader, ")
        assert other["time"] < current["time"]
        assert self.preview(leader, row, conflict, "current")["text"] == "by the member"
        assert self.preview(leader, row, conflict, "other")["text"] == "by the leader"

    @pytest.mark.parametrize(
        ("keep", "names", "text"),
        [
            ("current", ["plan.txt"], "by the member"),
            ("other", ["plan.txt"], "by the leader"),
            ("both", ["plan (2).txt", "plan.txt"], "by the member"),
        ],
    )
    def test_decision_is_carried_out(
        self,
        leader: Browser,
        member: Computer,
        row: dict[str, Any],
        tmp_path: Path,
        keep: str,
        names: list[str],
        text: str,
    ) -> None:
        (conflict,) = self.conflicts(leader, row)
        after = leader.post("connected-folders/conflicts", **self.choice(row, conflict, keep))
        assert after["folders"]["rows"][0]["conflicts"] == 0
        rows = leader.get("files", space=space_of(leader), path="docs")["rows"]
        assert sorted(each["name"] for each in rows) == names
        member.ok("get", "Designs:/docs/plan.txt", tmp_path / "out")
        assert (tmp_path / "out").read_text() == text
        again = self.choice(row, conflict, keep)
        assert leader.refused("connected-folders/conflicts", **again) == "no_such_path"

    def test_version_that_came_meanwhile_is_not_thrown_away(
        self, leader: Browser, member: Computer, row: dict[str, Any], tmp_path: Path
    ) -> None:
        (conflict,) = self.conflicts(leader, row)
        (tmp_path / "plan.txt").write_text("newer")
        member.ok("put", tmp_path / "plan.txt", "Designs:/docs")
        for keep in ("current", "other"):
            choice = self.choice(row, conflict, keep)
            assert leader.refused("connected-folders/conflicts", **choice) == "space_busy"

    def test_name_that_blames_somebody_else_is_not_believed(
        self, leader: Browser, member: Computer, row: dict[str, Any], tmp_path: Path
    ) -> None:
        lie = tmp_path / "plan (conflict, leader, 2026-11-18 06.20).txt"
        lie.write_text("I resign")
        member.ok("put", lie, "Designs:/docs")
        authors = {
            conflict["other"]["path"]: conflict["other"]["author"]
            for conflict in self.conflicts(leader, row)
        }
        assert authors[f"docs/{lie.name}"] == "member"

    def test_only_conflicts_of_the_folder_are_read_and_decided(
        self, leader: Browser, row: dict[str, Any], tmp_path: Path
    ) -> None:
        (tmp_path / "Other").mkdir()
        other = add(leader, tmp_path / "Other", path="doc")
        assert self.conflicts(leader, other) == []
        (conflict,) = self.conflicts(leader, row)
        leader.upload(space_of(leader), "secret.txt", b"secret")
        chosen = self.choice(row, conflict, "other")
        for change in (
            {"id": other["id"]},
            {"path": "secret.txt"},
            {"keptAs": "secret.txt"},
            {"path": "../docs/plan.txt"},
            {"space": "00000000-0000-4000-8000-000000000000"},
        ):
            lie = {**chosen, **change}
            assert leader.refused("connected-folders/conflicts", **lie) == "no_such_path", change
            place = {name: lie[name] for name in ("id", "space", "path", "keptAs")}
            answer = leader.client.get("/api/connected-folders/preview", params=place, headers=CALL)
            assert answer.json()["code"] == "no_such_path"
        assert leader.refused("connected-folders/conflicts", **{**chosen, "keep": "none"}) == (
            "bad_request"
        )

    def test_preview_is_a_picture_or_the_beginning_of_a_text(
        self, leader: Browser, row: dict[str, Any]
    ) -> None:
        picture = PNG + bytes(2**20)
        for content, text, is_cut, shown_picture in (
            (b"", "", False, None),
            (b"\x89PNG\0", None, False, None),
            (b"\xff\xfe", None, False, None),
            ("ü".encode() * 30_000, "ü" * 20_000, True, None),
            # The last character of the first chunk is cut in two.
            (b"a" * (2**20 - 1) + "ü".encode(), "a" * 20_000, True, None),
            (picture, None, False, b64encode(picture).decode()),
        ):
            leader.upload(space_of(leader), "docs/plan.txt", content)
            conflict = self.conflicts(leader, row)[0]
            shown = self.preview(leader, row, conflict, "current")
            assert shown == {"text": text, "isCut": is_cut, "picture": shown_picture}


def frame(width: int, height: int) -> bytes:
    """The start of a JPEG picture of a size."""
    table, size = b"\xff\xe0\x00\x04ab", height.to_bytes(2) + width.to_bytes(2)
    return b"\xff\xd8" + table + b"\xff\xc2\x00\x11\x08" + size + bytes(12)


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4) + bytes(9)


@pytest.mark.parametrize("content", [PNG, frame(640, 480)])
def test_picture_of_a_known_kind_is_shown(content: bytes) -> None:
    assert is_picture(content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\xff" * 8,
        PNG[:16] + bytes(8),
        frame(65_535, 65_535),
        b"\xff\xd8\xff\xe0\0\0" * 100,
        b"\xff\xd8\xff\xe0\0\x10",
        b"\xff\xd8\xff" + frame(640, 480)[2:],
        b"GIF89a\x80\x02\xe0\x01",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    ],
)
def test_huge_or_unknown_picture_is_not_shown(content: bytes) -> None:
    assert not is_picture(content)
