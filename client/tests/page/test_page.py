"""The local page's server: who may call it, and what it does."""

from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from client.tests.page.browser import CALL, HERE, PORT, Browser, show, space_of
from client.tests.service import ORIGIN, PASSPHRASE, PASSWORD, Service
from tessera_client.commands.ending import ending_when_locked
from tessera_client.ui.guard import Keys
from tessera_client.ui.listing import MAX_ROWS, Listing
from tessera_client.ui.page import Page
from tessera_client.ui.schemas import Row, Settings
from tessera_client.ui.server import create_app
from tessera_client.ui.settings import load_settings
from tessera_client.vault.profile import StateFolder


class TestGuard:
    def test_a_link_works_once(self, client: TestClient, page: Page) -> None:
        link = page.keys.new_link()
        first = client.get(link, follow_redirects=False)
        assert first.status_code == 200
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert client.get(link, follow_redirects=False).status_code == 403

    def test_page_without_its_link_shows_nothing(self, client: TestClient) -> None:
        for path in ("/", "/api/files", "/api/events", "/assets/x.js", "/open/guess"):
            assert client.get(path, headers=CALL).status_code == 403

    @pytest.mark.parametrize(
        "headers",
        [
            {"host": "tessera.evil.test:4711"},
            {"host": "localhost:4711"},
            {"origin": "http://127.0.0.1:4712"},
            {"origin": "null"},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ],
    )
    def test_call_from_another_page_is_refused(
        self, client: TestClient, page: Page, headers: dict[str, str]
    ) -> None:
        browser = Browser(client, page)
        assert browser.client.post("/api/lock", headers={**CALL, **headers}).status_code == 403

    def test_a_form_of_another_page_is_refused(self, client: TestClient, page: Page) -> None:
        browser = Browser(client, page)
        assert browser.client.post("/api/lock").status_code == 403

    def test_control_needs_the_secret_of_this_user(self, client: TestClient, page: Page) -> None:
        assert client.post("/control/stop").status_code == 403
        wrong = client.post("/control/stop", headers={"x-tessera-control": page.keys.cookie})
        assert wrong.status_code == 403
        assert not page.stopped.is_set()
        known = {"x-tessera-control": page.keys.control}
        assert client.post("/control/link", headers=known).json()["url"].startswith(HERE)
        assert client.post("/control/stop", headers=known).is_success
        assert page.stopped.is_set()

    def test_every_answer_of_the_page_has_the_headers(self, client: TestClient) -> None:
        answer = client.get("/")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in answer.headers


class TestSession:
    def test_first_login_makes_keys_and_shows_six_words(
        self, service: Service, client: TestClient, page: Page
    ) -> None:
        browser = Browser(client, page)
        assert browser.wait_for_phase("loggedOut")["account"] is None
        details = {"url": ORIGIN, "email": service.leader.email}
        assert browser.refused("login/code", **details, password="wrong") == "login_failed"
        browser.post("login/code", **details, password=PASSWORD)
        assert browser.refused("login", code="000000") == "code_wrong"
        browser.post("login", code="123456", device="Laptop")
        shown = browser.wait_for_phase("ready")
        assert len(shown["account"]["words"]) == 6
        assert shown["account"]["isLeader"]

    def test_a_password_changed_elsewhere_is_accepted_by_whoever_changed_it(
        self, service: Service, leader: Browser
    ) -> None:
        words = leader.shown()["account"]["words"]
        leader.post("lock")
        service.leader.salt = b"another salt of."
        details = {"url": ORIGIN, "email": service.leader.email, "password": PASSWORD}
        assert leader.refused("login/code", **details) == "salt_changed"
        assert leader.refused("login/code", **details, isPasswordChanged="yes") == "salt_changed"
        leader.post("login/code", **details, isPasswordChanged=True)
        leader.post("login", code="123456", device="Laptop")
        assert leader.wait_for_phase("ready")["account"]["words"] == words

    def test_a_password_reset_is_accepted_by_whoever_made_it(
        self, service: Service, leader: Browser
    ) -> None:
        words = leader.shown()["account"]["words"]
        assert service.leader.keys is not None
        service.leader.keys["envelope"] = None
        leader.post("login/code", url=ORIGIN, email=service.leader.email, password=PASSWORD)
        leader.post("login", code="123456", device="Laptop")
        shown = leader.wait_until(lambda shown: shown["problem"] is not None)
        assert (shown["phase"], shown["problem"]["code"]) == ("starting", "keys_reset")
        shown = leader.post("password-reset")
        assert (shown["phase"], shown["problem"]) == ("ready", None)
        assert shown["account"]["words"] == words, "this computer kept its keys"

    def test_locked_page_refuses_until_the_password_is_entered(self, leader: Browser) -> None:
        assert leader.post("lock")["phase"] == "locked"
        assert leader.refused("folders", space="any", path="x") == "locked"
        assert leader.refused("unlock", password="wrong") == "login_failed"
        assert leader.post("unlock", password=PASSWORD)["phase"] == "ready"

    def test_an_ended_session_asks_to_log_in(self, service: Service, leader: Browser) -> None:
        service.people.clear()
        shown = leader.post("refresh")
        assert (shown["phase"], shown["problem"]["code"]) == ("loggedOut", "not_logged_in")
        assert shown["spaces"] == []

    def test_a_damaged_profile_asks_to_log_in(
        self, service: Service, page: Page, tmp_path: Path
    ) -> None:
        service.sign_in(tmp_path / "state", service.leader)
        (tmp_path / "state" / "account.json").write_text("{}")
        with TestClient(create_app(page), base_url=HERE) as client:
            shown = Browser(client, page).wait_for_phase("loggedOut")
        assert shown["problem"]["code"] == "profile_damaged"

    def test_a_lying_service_is_named_and_looked_at_again(
        self, service: Service, leader: Browser
    ) -> None:
        tell = service.on_call
        service.on_call = lambda name, answer: (
            {**answer, "envelope": "e30.a.b.c.d"} if name == "GET /storage/keys" else answer
        )
        leader.post("lock")
        assert leader.post("unlock", password=PASSWORD)["problem"] is not None
        service.on_call = tell
        assert leader.post("refresh")["problem"] is None

    def test_an_alarm_about_a_space_stays(
        self, leader: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(
                "tessera_client.vault.vault.unretire_needed_packs", lambda _: "An alarm."
            )
            leader.post("refresh")
        shown = leader.post("refresh")["problem"]
        assert shown == {"code": "packs_retired", "message": "An alarm."}


class TestSettings:
    def test_settings_survive_a_restart(self, leader: Browser) -> None:
        leader.post("settings", bandwidth=500_000)
        shown = leader.post("settings", lockAfter=15)["settings"]
        shown = leader.post("settings", theme="dark", language="tr")["settings"]
        assert shown == {
            "bandwidth": 500_000, "lockAfter": 15, "theme": "dark", "language": "tr",
            "notifications": True,
        }  # fmt: skip
        assert leader.get("settings") == shown
        folder = leader.page.worker.folder
        restarted = Page(folder, Keys(PORT))
        assert show(restarted.state())["settings"] == shown
        assert restarted.worker.bandwidth.rate == 500_000
        leader.post("settings", bandwidth=None)
        assert leader.page.worker.bandwidth.rate is None
        assert leader.refused("settings", lockAfter=-1) == "bad_request"
        assert leader.refused("settings", theme="pink") == "bad_request"
        assert leader.refused("settings", language="xx") == "bad_request"
        assert leader.page.settings.lock_after == 15

    def test_lock_after_idle_time_ends_mounts_too(
        self, leader: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera_client.ui.page.REFRESH_SECONDS", 0.01)
        monkeypatch.setattr("tessera_client.commands.ending.LOOK_SECONDS", 0.01)
        leader.post("settings", lockAfter=5)
        portal, mount_ended = leader.client.portal, Event()
        assert portal
        with ending_when_locked(leader.page.worker.folder, mount_ended.set):
            keeping_up = portal.start_task_soon(leader.page.keep_up)
            assert leader.shown()["phase"] == "ready"
            leader.page.used_at -= 301
            assert mount_ended.wait(20)
            keeping_up.cancel()
        leader.wait_for_phase("locked")

    @pytest.mark.parametrize("content", ["", "[]", "{", '{"bandwidth": "fast"}'])
    def test_a_damaged_file_counts_as_empty(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "settings.json").write_text(content)
        assert load_settings(StateFolder(tmp_path, use_keyring=False)) == Settings()


class TestPeople:
    def test_words_are_offered_from_the_list(self, leader: Browser) -> None:
        words = leader.get("words")
        assert len(words) == 2048
        assert {*show(leader.page.state())["account"]["words"]} <= {*words}

    def test_a_member_waits_until_both_have_compared_words(
        self, service: Service, leader: Browser, tmp_path: Path
    ) -> None:
        service.sign_in(tmp_path / "member", service.member)
        page = Page(StateFolder(tmp_path / "member", use_keyring=False), Keys(PORT))
        with TestClient(create_app(page), base_url=HERE) as client:
            member = Browser(client, page)
            shown = member.wait_for_phase("waiting")
            words = " ".join(shown["account"]["words"])
            space = space_of(leader)
            grant = {"space": space, "email": service.member.email}
            assert leader.refused("grant", **grant, words="zoo " * 6) == "words_differ"
            leader.post("grant", **grant, words=words)
            assert member.post("refresh")["phase"] == "waiting"
            assert member.refused("trust", words="zoo " * 6) == "words_differ"
            own = " ".join(leader.shown()["account"]["words"])
            assert member.post("trust", words=own)["phase"] == "ready"
            service.verified = False
            revoke = {"space": space, "email": service.member.email}
            assert leader.refused("revoke", **revoke) == "verification_required"
            assert leader.post("verification")["method"] == "sms"
            leader.post("verify", code="123456")
            leader.post("revoke", space=space, email=service.member.email)
            assert member.post("refresh")["phase"] == "waiting"

    def test_an_address_that_the_directory_changed_is_told(
        self, service: Service, leader: Browser, tmp_path: Path
    ) -> None:
        service.sign_in(tmp_path / "member", service.member)
        page = Page(StateFolder(tmp_path / "member", use_keyring=False), Keys(PORT))
        with TestClient(create_app(page), base_url=HERE) as client:
            member = Browser(client, page)
            member.wait_for_phase("waiting")
            for former in ("before@acme.test", None):
                service.leader.former_email = service.member.former_email = former
                told = former and {"email": former, "replacedAt": "2026-11-18T09:00:00Z"}
                team = {each["email"]: each["formerAddress"] for each in leader.get("team")}
                assert team == {service.leader.email: told, service.member.email: told}
                assert member.post("refresh")["account"]["leader"]["formerAddress"] == told


class TestFiles:
    def test_upload_list_and_download(self, leader: Browser, tmp_path: Path) -> None:
        space = space_of(leader)
        leader.upload(space, "Clients/Kestrel/report.txt", b"Revenue grew.")
        (folder,) = leader.get("files", space=space)["rows"]
        assert (folder["name"], folder["type"], folder["files"]) == ("Clients", "folder", 1)
        (row,) = leader.get("files", space=space, path="Clients/Kestrel")["rows"]
        assert (row["name"], row["size"], row["modified"]) == ("report.txt", 13, 1700000000000)
        found = leader.get("files", space=space, search="REPORT")
        assert [each["path"] for each in found["rows"]] == ["Clients/Kestrel/report.txt"]
        leader.post("downloads", space=space, paths=["Clients"])
        leader.wait("done", "Clients")
        copy = tmp_path / "Downloads" / "Clients" / "Kestrel" / "report.txt"
        assert copy.read_bytes() == b"Revenue grew."
        assert not list(leader.page.uploads.glob("*/content")), "a plain copy was left"

    def test_a_second_download_gets_another_name(self, leader: Browser, tmp_path: Path) -> None:
        space = space_of(leader)
        leader.upload(space, "a.txt", b"a")
        for _ in range(2):
            leader.post("downloads", space=space, paths=["a.txt"])
            leader.wait("done", "a.txt")
        names = {path.name for path in (tmp_path / "Downloads").iterdir()}
        assert names == {"a.txt", "a (2).txt"}

    def test_versions_trash_and_restore(self, leader: Browser) -> None:
        space = space_of(leader)
        plan = {"space": space, "paths": ["plan.txt"], "isPreview": False}
        leader.upload(space, "plan.txt", b"first")
        leader.upload(space, "plan.txt", b"second one")
        newest, oldest = leader.get("versions", space=space, path="plan.txt")
        assert (newest["size"], oldest["size"]) == (10, 5)
        leader.post("restore", **plan, sequence=oldest["sequence"])
        assert leader.get("files", space=space)["rows"][0]["size"] == 5
        leader.post("remove", space=space, paths=["plan.txt"])
        assert leader.get("files", space=space)["rows"] == []
        (row,) = leader.get("files", space=space, trash="1")["rows"]
        assert (row["path"], row["versions"]) == ("plan.txt", 3)
        leader.post("restore", **plan, sequence=None)
        assert leader.get("files", space=space)["total"] == 1
        assert leader.get("files", space=space, trash="1")["total"] == 0

    def test_a_rename_leaves_no_old_name_in_the_trash(self, leader: Browser) -> None:
        space = space_of(leader)
        leader.upload(space, "draft.txt", b"draft")
        leader.post("move", space=space, moves={"draft.txt": "final.txt"})
        assert leader.get("files", space=space, trash="1")["total"] == 0

    def test_folders_are_created_moved_and_refused_twice(self, leader: Browser) -> None:
        space = space_of(leader)
        leader.post("folders", space=space, path="Old")
        leader.upload(space, "Old/a.txt", b"a")
        assert leader.refused("folders", space=space, path="Old") == "name_taken"
        assert leader.refused("folders", space=space, path="a/../b") == "bad_name"
        for moves, code in (
            ({"Old": "Old/inside"}, "into_itself"),
            ({"None": "x"}, "no_such_path"),
            ({"Old": "new", "Old/a.txt": "new"}, "name_taken"),
        ):
            assert leader.refused("move", space=space, moves=moves) == code
        leader.post("move", space=space, moves={"Old": "New"})
        assert [row["path"] for row in leader.get("files", space=space)["rows"]] == ["New"]

    def test_pieces_name_the_clouds_that_hold_a_file(self, leader: Browser) -> None:
        space = space_of(leader)
        leader.upload(space, "a.bin", b"x" * 1000)
        pieces = leader.get("pieces", space=space, path="a.bin")
        assert pieces["missing"] == 0
        assert sorted(pieces["held"].values()) == [1, 1, 1]

    def test_protection_counts_the_pieces_of_files(self, service: Service, leader: Browser) -> None:
        space = space_of(leader)
        leader.upload(space, "a.bin", b"x" * 1000)
        leader.upload(space, "empty.bin", b"")
        ask = {"space": space, "paths": ["a.bin", "empty.bin", "gone.bin"]}
        assert leader.post("protection", **ask) == {"a.bin": {"stored": 3, "total": 3, "spare": 1}}

        def damage(name: str, answer: Any) -> Any:
            if name == "GET /storage/health":
                return {**answer, "degraded": 1}
            if name == "POST /storage/links":
                answer["packs"][0]["shards"][0]["link"] = None
            return answer

        service.on_call = damage
        leader.post("refresh")
        assert leader.post("protection", **ask) == {"a.bin": {"stored": 2, "total": 3, "spare": 0}}

    def test_protection_is_told_for_all_of_a_large_damaged_folder(
        self, service: Service, leader: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera_client.ui.operations.MAX_LINK_PACKS", 1)
        space = space_of(leader)
        for name in ("a.bin", "b.bin", "c.bin"):
            leader.upload(space, f"folder/{name}", name.encode() * 300)

        def damage(name: str, answer: Any) -> Any:
            if name == "POST /storage/links":
                assert len(answer["packs"]) == 1
                answer["packs"][0]["shards"][0]["link"] = None
            return {**answer, "degraded": 1} if name == "GET /storage/health" else answer

        service.on_call = damage
        leader.post("refresh")
        paths = ["folder", "folder/a.bin", "folder/b.bin", "folder/c.bin"]
        told = leader.post("protection", space=space, paths=paths)
        file, folder = {"stored": 2, "total": 3, "spare": 0}, {"stored": 6, "total": 9, "spare": 0}
        assert told == {"folder": folder, **dict.fromkeys(paths[1:], file)}

    def test_a_failed_upload_says_why_and_can_be_repeated(
        self, service: Service, leader: Browser
    ) -> None:
        space = space_of(leader)
        service.is_full = True
        query = {"space": space, "path": "a.bin"}
        leader.client.put("/api/uploads", params=query, content=b"a" * 100, headers=CALL)
        failed = leader.wait("failed", "a.bin")
        assert failed["message"]
        service.is_full = False
        leader.post("transfers", action="retry", id=failed["id"])
        leader.wait("done", "a.bin")

    def test_paused_uploads_wait_and_cancelled_ones_leave_nothing(self, leader: Browser) -> None:
        space = space_of(leader)
        leader.post("transfers", action="pause")
        for name in ("a.txt", "b.txt"):
            query = {"space": space, "path": name}
            leader.client.put("/api/uploads", params=query, content=b"a", headers=CALL)
        assert leader.wait("paused", "a.txt")["done"] == 0
        second = leader.wait("paused", "b.txt")
        leader.post("transfers", action="cancel", id=second["id"])
        leader.post("transfers", action="resume")
        leader.wait("done", "a.txt")
        assert [row["name"] for row in leader.get("files", space=space)["rows"]] == ["a.txt"]

    def test_a_rename_does_not_wait_for_an_upload(self, service: Service, leader: Browser) -> None:
        space = space_of(leader)
        leader.upload(space, "draft.txt", b"draft")
        leader.upload(space, "old.txt", b"old")
        is_held, go_on = Event(), Event()

        def hold(request: httpx.Request, _: int) -> None:
            if request.method == "PUT":
                is_held.set()
                assert go_on.wait(60)

        service.on_object = hold
        query = {"space": space, "path": "large.bin"}
        leader.client.put("/api/uploads", params=query, content=b"large", headers=CALL)
        assert is_held.wait(30)
        leader.post("move", space=space, moves={"draft.txt": "final.txt"})
        leader.post("remove", space=space, paths=["old.txt"])
        restore = {"paths": ["old.txt"], "sequence": None, "isPreview": False}
        leader.post("restore", space=space, **restore)
        names = [row["name"] for row in leader.get("files", space=space)["rows"]]
        assert names == ["final.txt", "old.txt"]
        assert leader.wait("running", "large.bin")
        go_on.set()
        leader.wait("done", "large.bin")
        names = [row["name"] for row in leader.get("files", space=space)["rows"]]
        assert names == ["final.txt", "large.bin", "old.txt"]

    def test_bad_calls_get_a_clear_answer(self, leader: Browser) -> None:
        assert leader.refused("folders") == "bad_request"
        assert leader.refused("move", space="nonsense", moves={}) == "space_not_found"
        assert leader.refused("transfers", action="dance") == "bad_request"


def test_a_hundred_thousand_files_are_listed_at_once(leader: Browser) -> None:
    """The pages of a large folder come from memory, without the vault."""
    (listing,) = leader.page.session.listings.values()
    names = (f"file {number:06}" for number in range(100_000))
    rows = [Row(name, name, "file", number, number) for number, name in enumerate(names)]
    space = listing.space.id
    leader.page.session.listings = {space: Listing(listing.space, {"": rows}, {})}
    last = leader.get("files", space=str(space), offset="99800")
    assert (last["total"], len(last["rows"])) == (100_000, MAX_ROWS)
    found = leader.get("files", space=str(space), search="099999")
    assert [row["name"] for row in found["rows"]] == ["file 099999"]


class TestKit:
    def test_kit_counts_once_the_code_was_typed(self, service: Service, leader: Browser) -> None:
        def recovery() -> dict[str, Any]:
            shown: dict[str, Any] = leader.shown()["health"]["recovery"]
            return shown

        kit = leader.post("recovery-kit", passphrase=PASSPHRASE)
        assert kit["code"] in kit["page"]
        leader.post("refresh")
        assert recovery() == {"kitCounter": 1, "isKitCurrent": True, "isKitConfirmed": False}
        typed = {"passphrase": PASSPHRASE, "code": f"0000{kit['code'][4:]}"}
        assert leader.refused("recovery-kit/confirmation", **typed) == "code_malformed"
        typed = {"passphrase": "another one", "code": kit["code"]}
        assert leader.refused("recovery-kit/confirmation", **typed) == "recovery_not_opened"
        assert recovery()["isKitConfirmed"] is False
        leader.post("recovery-kit/confirmation", passphrase=PASSPHRASE, code=kit["code"].lower())
        assert recovery()["isKitConfirmed"] is True
