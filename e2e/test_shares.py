"""Share links, as people outside open them: in a browser, without an account."""

import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from playwright.sync_api import Browser, Page, expect

from accounts import Company
from computer import Computer
from event_loop import EventLoopThread
from kit_reader import contents, opened_reader, restore
from server import Server
from user import User

TEXT = "Merhaba, مرحبا\n" * 100
MARKUP = "<script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title = \'ran\'"></svg>'


@dataclass
class Sender:
    """Somebody with files in a space, who makes links."""

    server: Server
    company: Company
    computer: Computer

    def put(self, folder: Path, files: Mapping[str, bytes | str]) -> None:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.computer.ok("put", folder, "Designs:/")

    def share(self, path: str, *options: str, **environment: str) -> dict[str, Any]:
        return self.computer.ok("share", f"Designs:/{path}", *options, **environment)

    def lose_clouds(self, count: int, to: Path) -> None:
        names = [
            f"google/northwind-archive-{self.company.id}",
            f"s3/northwind-tessera-{self.company.id}",
        ]
        for name in names[:count]:
            target = to / name
            target.parent.mkdir(parents=True)
            shutil.move(self.server.log.parent / "clouds" / name, target)


@pytest.fixture
def sender(server: Server, tmp_path: Path) -> Iterator[Sender]:
    company = server.factory.company(warehouses=True)
    computer = Computer(tmp_path / "computer")
    computer.login(server, company.leader)
    computer.ok("spaces", "create", "Designs")
    yield Sender(server, company, computer)
    server.factory.remove_companies()


def open_share(page: Page, link: str, password: str | None = None) -> None:
    page.goto(link)
    if password is not None:
        page.locator("[name=password]").fill(password)
    page.locator("[data-action=open]").click()


def download(page: Page, action: str, to: Path) -> Path:
    with page.expect_download() as info:
        page.locator(action).click()
    path = to / info.value.suggested_filename
    info.value.save_as(path)
    return path


def reason(page: Page, name: str) -> None:
    expect(page.locator(f"[data-reason={name}]")).to_be_visible()


def test_a_guest_opens_a_share_in_a_fresh_browser(
    sender: Sender, guest: Page, tmp_path: Path
) -> None:
    sender.put(tmp_path / "Reports", {"note.txt": TEXT, "deep/numbers.bin": b"12345"})
    sent: list[str] = []
    guest.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    link = sender.share("Reports")["link"]
    open_share(guest, link)
    expect(guest.get_by_role("heading", level=1)).to_have_text("Reports")
    assert guest.url == link.partition("#")[0]
    archive = download(guest, "[data-action=download-all]", tmp_path)
    assert archive.name == "Reports.zip"
    with zipfile.ZipFile(archive) as zipped:
        assert zipped.read("Reports/note.txt").decode() == TEXT
        assert sorted(zipped.namelist()) == ["Reports/deep/numbers.bin", "Reports/note.txt"]
    # The key leaves the browser in no call, and pieces come straight from the clouds.
    secret = link.partition("#")[2].split(".")[1]
    assert not [call for call in sent if secret in call]
    assert not [call for call in sent if call.partition("{")[0].endswith("/piece")]
    # A reload has lost the key, and says so.
    guest.reload()
    reason(guest, "noKey")


@pytest.mark.extended
class TestClouds:
    def test_a_share_opens_while_one_cloud_is_gone(
        self, sender: Sender, guest: Page, tmp_path: Path
    ) -> None:
        content = bytes(range(256)) * 80_000
        sender.put(tmp_path / "Large", {"large.bin": content})
        link = sender.share("Large/large.bin")["link"]
        sender.lose_clouds(1, tmp_path / "lost")
        open_share(guest, link)
        assert download(guest, "[data-action=download-all]", tmp_path).read_bytes() == content

    def test_two_clouds_gone_is_said_and_can_be_tried_again(
        self, sender: Sender, guest: Page, tmp_path: Path
    ) -> None:
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        link = sender.share("Notes/note.txt")["link"]
        sender.lose_clouds(2, tmp_path / "lost")
        open_share(guest, link)
        guest.locator("[data-action=download-all]").click()
        expect(guest.locator(".download")).to_contain_text("Too few of the clouds")
        expect(guest.locator(".preview")).to_contain_text("Too few of the clouds")
        for name in ("google", "s3"):
            for folder in (tmp_path / "lost" / name).iterdir():
                shutil.move(folder, sender.server.log.parent / "clouds" / name / folder.name)
        guest.locator(".preview").get_by_role("button", name="Try again").click()
        expect(guest.locator(".preview pre")).to_contain_text("Merhaba")

    def test_pieces_come_through_the_service_where_clouds_keep_browsers_out(
        self, sender: Sender, guest: Page, tmp_path: Path
    ) -> None:
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        link = sender.share("Notes/note.txt")["link"]
        guest.route("**/sandbox/objects/**", lambda route: route.abort())
        asked: list[str] = []
        guest.on("request", lambda request: asked.append(request.url))
        open_share(guest, link)
        path = download(guest, "[data-action=download-all]", tmp_path)
        assert path.read_text() == TEXT
        assert any(url.endswith("/piece") for url in asked)

    def test_network_down_is_said(self, sender: Sender, guest: Page, tmp_path: Path) -> None:
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        link = sender.share("Notes")["link"]
        guest.goto(link)
        guest.context.set_offline(True)
        guest.locator("[data-action=open]").click()
        expect(guest.get_by_role("alert")).to_contain_text("cannot be reached")
        guest.context.set_offline(False)
        guest.locator("[data-action=open]").click()
        expect(guest.get_by_role("heading", level=1)).to_have_text("Notes")


@pytest.mark.extended
class TestRefused:
    def test_wrong_password_then_the_right_one(
        self, sender: Sender, guest: Page, tmp_path: Path
    ) -> None:
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        made = sender.share("Notes", "--password")
        open_share(guest, made["link"], "wrong")
        expect(guest.get_by_role("alert")).to_contain_text("does not open the link")
        guest.locator("[name=password]").fill(made["password"])
        guest.locator("[name=password]").press("Enter")
        expect(guest.get_by_role("heading", level=1)).to_have_text("Notes")

    def test_cut_lost_and_unknown_links(self, sender: Sender, guest: Page, tmp_path: Path) -> None:
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        link = sender.share("Notes")["link"]
        for address, expected in (
            (link[:-1], "cut"),
            (link.partition("#")[0], "noKey"),
            (link.partition("#")[0][:-4], "cut"),
            (link.replace("#1.", "#2."), "newer"),
        ):
            guest.goto("about:blank")
            guest.goto(address)
            reason(guest, expected)
        # The whole link, pasted into the same tab: only the fragment changes.
        guest.goto("about:blank")
        guest.goto(link.partition("#")[0])
        reason(guest, "noKey")
        guest.evaluate("hash => { location.hash = hash }", link.partition("#")[2])
        guest.locator("[data-action=open]").click()
        expect(guest.get_by_role("heading", level=1)).to_have_text("Notes")
        other = re.sub("/s/[0-9a-f]{8}", "/s/00000000", link)
        guest.goto(other)
        reason(guest, "unknown")

    def test_used_up_expired_and_ended(
        self, sender: Sender, guest: Page, tmp_path: Path, loop: EventLoopThread
    ) -> None:
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        used = sender.share("Notes", "--downloads", "1")
        expired, ended = sender.share("Notes"), sender.share("Notes")
        open_share(guest, used["link"])
        expect(guest.get_by_role("heading", level=1)).to_have_text("Notes")
        # Another tab: the last opening is gone, and the first tab goes on.
        second = guest.context.new_page()
        second.goto(used["link"])
        reason(second, "used")
        path = download(guest, "[data-action=download-all]", tmp_path)
        assert path.exists()
        sender.computer.ok("shares", "--end", ended["id"])
        loop.run(expire(sender.server, expired["id"]))
        for made, expected in ((ended, "ended"), (expired, "expired")):
            second.goto(made["link"])
            reason(second, expected)

    def test_another_list_of_files_is_refused(
        self, sender: Sender, guest: Page, tmp_path: Path
    ) -> None:
        """The service, or another recipient, plays back the list of another share."""
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        first, second = sender.share("Notes")["link"], sender.share("Notes/note.txt")["link"]
        answers: list[str] = []
        guest.on(
            "response",
            lambda answer: answers.append(answer.text()) if answer.url.endswith("/open") else None,
        )
        open_share(guest, first)
        expect(guest.get_by_role("heading", level=1)).to_have_text("Notes")
        allowed = {"Access-Control-Allow-Origin": "*", "Content-Type": "application/json"}
        guest.route("**/open", lambda route: route.fulfill(body=answers[0], headers=allowed))
        open_share(guest, second)
        reason(guest, "swapped")


@pytest.mark.extended
class TestContent:
    def test_markup_is_shown_as_text_and_runs_nothing(
        self, sender: Sender, guest: Page, tmp_path: Path
    ) -> None:
        files = {"page.html": MARKUP, "drawing.svg": SVG, "fake.png": SVG, "last.txt": TEXT}
        sender.put(tmp_path / "Pages", files)
        open_share(guest, sender.share("Pages")["link"])
        for name, shown in (("page.html", MARKUP), ("drawing.svg", SVG)):
            guest.get_by_role("button", name=re.compile(f"^{name}")).click()
            expect(guest.locator(".preview pre")).to_have_text(shown)
        guest.get_by_role("button", name=re.compile("^fake.png")).click()
        expect(guest.locator(".preview .stage")).to_contain_text("There is no preview")
        assert guest.title() != "ran"
        assert guest.locator(".preview script, .preview svg, .preview img").count() == 0

    def test_names_in_a_zip_are_harmless(self, sender: Sender, guest: Page, tmp_path: Path) -> None:
        names = ["con.txt", "a:b", "..\\..\\evil.txt", "Read.txt", "read.txt", "dots.. "]
        sender.put(tmp_path / "Names", {name: name for name in names})
        open_share(guest, sender.share("Names")["link"])
        archive = download(guest, "[data-action=download-all]", tmp_path)
        with zipfile.ZipFile(archive) as zipped:
            found = zipped.namelist()
            assert sorted(zipped.read(name).decode() for name in found) == sorted(names)
        assert all(re.fullmatch(r"Names/[\w .()-]*[\w)]", name) for name in found)
        assert len({name.lower() for name in found}) == len(names)
        expect(guest.locator(".download")).to_contain_text("Names changed")

    @pytest.mark.device(language="ar", phone=True, theme="dark")
    def test_arabic_on_a_phone(self, sender: Sender, guest: Page, tmp_path: Path) -> None:
        sender.put(tmp_path / "Notes", {"note.txt": TEXT})
        open_share(guest, sender.share("Notes")["link"])
        expect(guest.locator("html")).to_have_attribute("dir", "rtl")
        expect(guest.locator(".preview pre")).to_contain_text("مرحبا")
        width = guest.evaluate("document.documentElement.scrollWidth")
        assert width <= 390
        guest.locator("select").select_option("tr")
        expect(guest.locator("html")).to_have_attribute("dir", "ltr")
        expect(guest.get_by_role("button", name="İndir", exact=True).first).to_be_visible()


@pytest.mark.extended
def test_a_leader_limits_forbids_and_ends_shares_in_the_console(
    sender: Sender, user: User, guest: Page, tmp_path: Path
) -> None:
    sender.put(tmp_path / "Notes", {"note.txt": TEXT})
    link = sender.share("Notes", "--days", "7")["link"]
    open_share(guest, link)
    expect(guest.get_by_role("heading", level=1)).to_have_text("Notes")
    user.log_in(sender.company.leader)
    page, texts = user.page, user.texts
    page.goto("/storage")
    card = page.locator("section").filter(has_text=texts("storage:shares.title"))
    expect(card).to_contain_text("opened 1 of 5 times")

    def change_rules(days: str, *, is_allowed: bool) -> None:
        card.get_by_role("button", name=texts("storage:shares.rules")).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label(texts("storage:shares.policy.days")).fill(days)
        dialog.get_by_label(texts("storage:shares.policy.allow")).set_checked(is_allowed)
        dialog.get_by_role("button", name=texts("common:actions.save")).click()
        expect(dialog).to_have_count(0)

    change_rules("3", is_allowed=True)
    expect(card).to_contain_text("at most 3 days")
    assert sender.computer.run("share", "Designs:/Notes", "--days", "7").exit_code != 0
    sender.share("Notes", "--days", "3")
    change_rules("3", is_allowed=False)
    expect(card).to_contain_text(texts("storage:shares.forbidden"))
    assert sender.computer.run("share", "Designs:/Notes", "--days", "1").exit_code != 0
    card.get_by_role("listitem").filter(has_text="opened 1 of 5").get_by_role("button").click()
    question = page.get_by_role("alertdialog")
    question.get_by_role("button", name=texts("storage:shares.end")).click()
    expect(card).to_contain_text(texts("storage:shares.states.ended"))
    guest.goto("about:blank")
    guest.goto(link)
    reason(guest, "ended")


@pytest.fixture
def loop() -> Iterator[EventLoopThread]:
    loop = EventLoopThread()
    yield loop
    loop.stop()


async def expire(server: Server, share: str) -> None:
    connection = await asyncpg.connect(server.database)
    try:
        await connection.execute("UPDATE shares SET expires_at = now() WHERE id = $1", share)
    finally:
        await connection.close()


def test_the_kit_opens_a_saved_link_without_a_network(
    sender: Sender, browser: Browser, tmp_path: Path
) -> None:
    sender.put(tmp_path / "Reports", {"note.txt": TEXT, "deep/numbers.bin": b"12345"})
    other = sender.share("Reports/note.txt")["link"]
    made = sender.share("Reports", "--password")
    folder = tmp_path / "sealed"
    sender.lose_clouds(1, tmp_path / "lost")
    sender.computer.ok(
        "get", made["link"], folder, "--sealed", TESS_SHARE_PASSWORD=made["password"]
    )
    with opened_reader(browser) as page:
        page.set_input_files("[name=folders]", folder)
        for link, text in (
            ("", "Enter the link"),
            ("https://x", "no whole link"),
            (other, "another"),
        ):
            page.fill("[name=link]", link)
            page.click("[type=submit]")
            expect(page.get_by_role("alert")).to_contain_text(text)
        page.fill("[name=link]", made["link"])
        page.fill("[name=password]", "wrong")
        page.click("[type=submit]")
        expect(page.get_by_role("alert")).to_contain_text("password is wrong", timeout=30_000)
        page.fill("[name=password]", made["password"])
        page.click("[type=submit]")
        expect(page.locator(".space")).to_contain_text("belongs to the link", timeout=30_000)
        assert restore(page, tmp_path / "out") == "complete"
    [restored] = (tmp_path / "out").iterdir()
    assert contents(restored / "Reports") == contents(tmp_path / "Reports")
