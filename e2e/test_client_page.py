"""What people do on the client's page, against the real service and sandbox clouds."""

import re
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from accounts import PASSPHRASE, Company
from client_page import ClientPage, running_page
from computer import Computer
from device import Device, new_context
from server import Server
from user import User


@pytest.fixture
def company(server: Server) -> Company:
    return server.factory.company(warehouses=True)


@pytest.fixture
def client(page: Page, tmp_path: Path) -> Iterator[ClientPage]:
    with running_page(page, tmp_path / "home") as client:
        client.open()
        yield client


def test_a_leader_logs_in_and_stores_a_file(
    client: ClientPage, server: Server, company: Company, tmp_path: Path
) -> None:
    page, texts = client.page, client.texts
    expect(page.get_by_role("heading", name=texts("client:login.title"))).to_be_visible()
    client.log_in(server, company.leader)
    page.get_by_role("button", name=texts("client:space.create")).click()
    page.get_by_label(texts("client:folder.name")).fill("Design studio")
    page.get_by_role("button", name=texts("client:folder.create"), exact=True).click()
    expect(page.get_by_text(texts("client:files.emptyTitle"))).to_be_visible()

    report = tmp_path / "Annual report.txt"
    report.write_text("Revenue grew by a third.")
    page.locator("input[type=file]").set_input_files(report)
    name = page.get_by_role("button", name="Annual report.txt", exact=True)
    expect(name).to_be_visible()
    name.click()
    details = page.get_by_role("complementary")
    expect(details.get_by_text("Safe in 3 clouds")).to_be_visible()
    details.get_by_role("button", name=texts("client:files.download")).click()
    page.get_by_role("link", name=texts("client:menu.transfers")).click()
    expect(page.get_by_text(str(client.downloads / "Annual report.txt"))).to_be_visible()
    assert (client.downloads / "Annual report.txt").read_text() == "Revenue grew by a third."
    move_download_and_restore(client, report)


def move_download_and_restore(client: ClientPage, report: Path) -> None:
    """Several files are moved, downloaded as a folder, removed, and restored from the history."""
    page, texts = client.page, client.texts
    dialog = page.get_by_role("dialog")
    page.get_by_role("link", name=texts("client:menu.files")).click()
    notes = report.with_name("Notes.txt")
    notes.write_text("Call Kestrel.")
    page.locator("input[type=file]").set_input_files(notes)
    page.get_by_role("button", name=texts("client:files.newFolder")).click()
    dialog.get_by_label(texts("client:folder.name")).fill("Archive")
    dialog.get_by_role("button", name=texts("client:folder.create")).click()
    page.get_by_role("checkbox", name="Select Annual report.txt").click()
    page.get_by_role("checkbox", name="Select Notes.txt").click(modifiers=["Shift"])
    expect(page.get_by_role("group").get_by_text("2 selected")).to_be_visible()
    page.get_by_role("button", name=texts("client:select.move"), exact=True).click()
    dialog.get_by_role("button", name="Archive").click()
    dialog.get_by_role("button", name=texts("client:rename.submit")).click()
    expect(dialog).to_have_count(0)

    folder = page.get_by_role("checkbox", name="Select Archive")
    expect(page.get_by_role("row", name="Archive")).to_contain_text("2 files")
    folder.check()
    page.get_by_role("button", name=texts("client:files.download")).click()
    page.get_by_role("link", name=texts("client:menu.transfers")).click()
    expect(page.get_by_text(str(client.downloads / "Archive.zip"))).to_be_visible()
    with ZipFile(client.downloads / "Archive.zip") as archive:
        assert archive.read("Archive/Notes.txt") == b"Call Kestrel."
        assert archive.read("Archive/Annual report.txt") == b"Revenue grew by a third."

    page.get_by_role("link", name=texts("client:menu.files")).click()
    folder.check()
    folder.press("Delete")
    dialog.get_by_role("button", name=texts("common:actions.remove")).click()
    expect(page.get_by_text(texts("client:files.emptyTitle"))).to_be_visible()
    page.get_by_role("link", name=texts("client:history.title"), exact=True).click()
    page.get_by_role("link", name=re.compile("^View the files of")).nth(1).click()
    page.get_by_role("button", name=texts("client:restore.space")).click()
    dialog.get_by_role("button", name=texts("client:versions.restore")).click()
    expect(dialog).to_have_count(0)
    page.get_by_role("link", name=texts("client:menu.files")).click()
    expect(page.get_by_role("row", name="Archive")).to_contain_text("2 files")


@pytest.fixture
def leader(
    page: Page, server: Server, company: Company, tmp_path: Path, device: Device
) -> Iterator[ClientPage]:
    """A leader who has logged in before, and has a space with some files."""
    home = tmp_path / "leader"
    computer = Computer(home / "state")
    computer.login(server, company.leader)
    computer.ok("spaces", "create", "Design studio")
    folder = tmp_path / "Brand book"
    folder.mkdir()
    (folder / "cover.txt").write_text("A mosaic.")
    computer.ok("put", folder, "Design studio:/")
    with running_page(page, home, device.language) as client:
        client.open()
        expect(page.get_by_role("link", name="Brand book")).to_be_visible()
        yield client


@pytest.mark.extended
class TestFiles:
    def test_a_folder_is_dropped_and_an_older_version_restored(
        self, leader: ClientPage, tmp_path: Path
    ) -> None:
        page, texts = leader.page, leader.texts
        contracts = tmp_path / "Contracts"
        (contracts / "2026").mkdir(parents=True)
        note = contracts / "2026" / "Kestrel.txt"
        note.write_text("First draft.")
        drop(page, contracts)
        page.get_by_role("link", name="Contracts").click()
        page.get_by_role("link", name="2026").click()
        file = page.get_by_role("button", name="Kestrel.txt", exact=True)
        expect(file).to_be_visible()

        page.get_by_role("link", name="Design studio").click()
        # What is dropped goes to the folder that is shown.
        expect(file).to_have_count(0)
        note.write_text("Second draft, longer.")
        drop(page, contracts)
        page.get_by_role("link", name="Contracts").click()
        page.get_by_role("link", name="2026").click()
        file.click()
        restore = page.get_by_role("button", name=re.compile("^Restore the version"))
        expect(restore).to_have_count(1)
        restore.click()
        expect(page.get_by_role("complementary").get_by_role("listitem")).to_have_count(6)
        expect(page.get_by_role("row", name="Kestrel.txt")).to_contain_text("12 bytes")

        page.get_by_role("button", name="Remove Kestrel.txt").click()
        remove = texts("common:actions.remove")
        page.get_by_role("dialog").get_by_role("button", name=remove).click()
        expect(file).to_have_count(0)
        page.get_by_role("link", name=texts("client:trash.title")).click()
        page.get_by_role("button", name="Restore Contracts").click()
        expect(page.get_by_text(texts("client:trash.emptyTitle"))).to_be_visible()

    def test_a_file_opens_without_one_of_the_clouds(
        self, leader: ClientPage, server: Server, company: Company, tmp_path: Path
    ) -> None:
        page, texts = leader.page, leader.texts
        clouds = server.log.parent / "clouds"
        (clouds / f"google/northwind-archive-{company.id}").rename(tmp_path / "lost")
        page.get_by_role("link", name="Brand book").click()
        page.get_by_role("button", name="cover.txt", exact=True).click()
        page.get_by_role("button", name=texts("client:files.download")).click()
        page.get_by_role("link", name=texts("client:menu.transfers")).click()
        expect(page.get_by_text(str(leader.downloads / "cover.txt"))).to_be_visible()
        assert (leader.downloads / "cover.txt").read_text() == "A mosaic."
        page.get_by_role("link", name=texts("client:menu.health")).click()
        expect(page.get_by_text("Google archive")).to_be_visible()


@pytest.mark.extended
class TestBackups:
    def test_a_folder_is_backed_up_and_followed_over_a_restart(
        self, leader: ClientPage, browser: Browser, server: Server
    ) -> None:
        page, texts = leader.page, leader.texts
        documents = leader.home / "Documents"
        documents.mkdir()
        (documents / "plan.txt").write_text("Plan.")
        (documents / "draft.tmp").write_text("Draft.")
        page.get_by_role("link", name=texts("client:menu.backups")).click()
        page.get_by_role("button", name=texts("client:backups.add")).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Documents").click()
        expect(dialog.get_by_role("status")).to_have_text(str(documents))
        dialog.get_by_label(texts("client:backups.patterns")).fill("*.tmp")
        dialog.get_by_role("button", name=texts("client:backups.add")).click()
        expect(dialog).to_have_count(0)
        row = page.get_by_role("listitem").filter(has_text=str(documents))
        expect(row).to_contain_text("1 file stored")

        (documents / "new.txt").write_text("Written while the page was open.")
        page.get_by_role("link", name=texts("client:menu.files")).click()
        page.get_by_role("link", name="Documents").click()
        expect(page.get_by_role("button", name="new.txt", exact=True)).to_be_visible()
        leader.stop()

        (documents / "later.txt").write_text("Written while nothing ran.")
        context = new_context(browser, server.address, Device())
        with running_page(context.new_page(), leader.home) as again:
            again.open()
            again.page.get_by_role("link", name="Documents").click()
            expect(again.page.get_by_role("button", name="later.txt", exact=True)).to_be_visible()
            again.page.get_by_role("link", name=texts("client:menu.backups")).click()
            again.page.get_by_role("button", name="Remove the backup of Documents").click()
            again.page.get_by_role("button", name=texts("client:backups.removeSubmit")).click()
            expect(again.page.get_by_text(texts("client:backups.emptyTitle"))).to_be_visible()
        context.close()
        assert (documents / "draft.tmp").exists()

    def test_verifying_notices_a_lost_cloud(
        self, leader: ClientPage, server: Server, company: Company, tmp_path: Path
    ) -> None:
        page, texts = leader.page, leader.texts
        page.get_by_role("link", name=texts("client:menu.health")).click()
        start = page.get_by_role("button", name=texts("client:verification.start"))
        start.click()
        expect(page.get_by_text(texts("client:verification.intact"))).to_be_visible()
        clouds = server.log.parent / "clouds"
        (clouds / f"google/northwind-archive-{company.id}").rename(tmp_path / "lost")
        start.click()
        expect(page.get_by_text(re.compile("has missing or changed pieces"))).to_be_visible()


@pytest.mark.extended
class TestFolders:
    def test_a_folder_is_connected_and_a_conflict_in_it_resolved(
        self, leader: ClientPage, server: Server, company: Company, tmp_path: Path
    ) -> None:
        page, texts = leader.page, leader.texts
        documents, place = leader.home / "Documents", "Design studio:/Documents"
        documents.mkdir()
        plan = documents / "plan.txt"
        plan.write_text("Plan.")
        page.get_by_role("link", name=texts("client:menu.folders")).click()
        page.get_by_role("button", name=texts("client:folders.add")).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Documents").click()
        expect(dialog.get_by_role("status")).to_have_text(str(documents))
        dialog.get_by_label(texts("client:backups.place")).fill("Documents")
        dialog.get_by_role("button", name=texts("client:folders.add")).click()
        expect(dialog).to_have_count(0)
        row = page.get_by_role("listitem").filter(has_text=str(documents))
        expect(row).to_contain_text(texts("client:folders.state.stopped"))
        laptop, desktop = Computer(leader.home / "state"), Computer(tmp_path / "desktop")
        laptop.ok("sync", documents, place)
        expect(row).to_contain_text(texts("client:folders.state.current"))

        desktop.login(server, company.leader)
        (tmp_path / "copy").mkdir()
        desktop.ok("sync", tmp_path / "copy", place)
        (tmp_path / "copy" / "plan.txt").write_text("Plan of the desktop.")
        desktop.ok("sync", tmp_path / "copy", place)
        plan.write_text("Plan of the laptop.")
        assert laptop.run("sync", documents, place).exit_code == 4
        # The page looks at the space every 15 seconds.
        expect(row).to_contain_text("1 conflict", timeout=30_000)
        row.get_by_role("link", name="Resolve the conflicts of Documents").click()
        page.get_by_role("button", name=texts("client:conflicts.compare")).click()
        other = page.get_by_role("group", name=texts("client:conflicts.other"))
        expect(other).to_contain_text("Plan of the desktop.")
        other.get_by_role("button").click()
        expect(page.get_by_text(texts("client:conflicts.emptyTitle"))).to_be_visible()
        # The copy that is gone is half of the files.
        laptop.ok("sync", documents, place)
        assert plan.read_text() == "Plan of the desktop."
        assert [path.name for path in documents.iterdir() if path.name[0] != "."] == ["plan.txt"]

        page.get_by_role("link", name=texts("client:conflicts.back")).click()
        page.get_by_role("button", name="Pause Documents").click()
        expect(row).to_contain_text(texts("client:folders.state.paused"))
        page.get_by_role("button", name="Disconnect Documents").click()
        dialog.get_by_role("button", name=texts("client:folders.removeSubmit")).click()
        expect(page.get_by_text(texts("client:folders.emptyTitle"))).to_be_visible()
        assert plan.exists()


@pytest.mark.extended
class TestPeople:
    def test_a_leader_lets_a_member_in(
        self, leader: ClientPage, browser: Browser, server: Server, company: Company
    ) -> None:
        texts = leader.texts
        home = leader.home.with_name("member")
        Computer(home / "state").login(server, company.member)
        context = new_context(browser, server.address, Device())
        with running_page(context.new_page(), home) as member:
            member.open()
            shown = member.page.get_by_role("list", name=texts("client:waiting.yourWords"))
            expect(shown.locator("bdi")).to_have_count(6)
            words = shown.locator("bdi").all_inner_texts()

            leader.page.get_by_role("link", name=texts("client:menu.team")).click()
            own = leader.page.locator("bdi[lang=en]").inner_text()
            leader.page.get_by_role("button", name=texts("client:team.grant")).click()
            dialog = leader.page.get_by_role("dialog")
            dialog.get_by_role("combobox", name="Word 1").fill("zoo " * 5 + "zoo")
            dialog.get_by_role("button", name=texts("client:team.grant")).click()
            expect(dialog.get_by_role("alert")).to_contain_text("These are not the words")
            dialog.get_by_role("combobox", name="Word 1").fill(" ".join(words))
            dialog.get_by_role("button", name=texts("client:team.grant")).click()
            expect(dialog).to_have_count(0)

            member.page.get_by_role("combobox", name="Word 1").fill(own)
            member.page.get_by_role("button", name=texts("client:trust.submit")).click()
            expect(member.page.get_by_role("link", name="Brand book")).to_be_visible()
        context.close()

    def test_a_leader_makes_a_recovery_kit(
        self, leader: ClientPage, server: Server, company: Company, tmp_path: Path
    ) -> None:
        page, texts = leader.page, leader.texts
        page.get_by_role("link", name=texts("client:menu.kit")).click()
        page.get_by_label(texts("client:kit.passphrase")).fill(PASSPHRASE)
        page.get_by_role("button", name=texts("client:kit.make")).click()
        recovery = page.locator("code").inner_text()
        with page.expect_download() as saved:
            page.get_by_role("button", name=texts("client:kit.save")).click()
        assert recovery in saved.value.path().read_text()
        page.emulate_media(media="print")
        sheet = page.locator("body > article")
        expect(sheet).to_be_visible()
        expect(sheet).to_contain_text(recovery)
        page.emulate_media(media="screen")
        clouds = server.log.parent / "clouds"
        copies = (
            clouds / f"s3/northwind-tessera-{company.id}",
            clouds / f"azure/demo/northwind-{company.id}",
        )
        Computer(tmp_path / "fresh").ok(
            "rescue", *copies, "--to", tmp_path / "rescued",
            TESS_PASSPHRASE=PASSPHRASE, TESS_RECOVERY_CODE=recovery,
        )  # fmt: skip
        rescued = tmp_path / "rescued" / "Design studio" / "Brand book" / "cover.txt"
        assert rescued.read_text() == "A mosaic."


@pytest.mark.extended
def test_a_page_of_another_origin_reaches_nothing(
    leader: ClientPage, context: BrowserContext, server: Server
) -> None:
    """In the same browser, which would send the cookie along: ports share it."""
    address = leader.link.partition("/open/")[0]
    other = context.new_page()
    other.goto(f"{server.address}/robots.txt")
    attempts = """async (address) => {
      const options = { method: 'POST', credentials: 'include' }
      const outcomes = [
        await fetch(`${address}/api/lock`, options).then(() => 'answered', () => 'refused'),
        await fetch(`${address}/api/lock`, { ...options, headers: { 'X-Tessera-Page': '1' } })
          .then(() => 'answered', () => 'refused'),
        await fetch(`${address}/api/files`, { credentials: 'include' })
          .then(() => 'answered', () => 'refused'),
        await new Promise((done) => {
          const events = new EventSource(`${address}/api/events`, { withCredentials: true })
          events.onmessage = () => done('answered')
          events.onerror = () => done('refused')
        }),
      ]
      await fetch(`${address}/api/lock`, { ...options, mode: 'no-cors' }).catch(() => undefined)
      return outcomes
    }"""
    assert other.evaluate(attempts, address) == ["refused"] * 4
    used = other.goto(leader.link)
    assert used is not None
    assert used.status == 403
    leader.page.reload()
    expect(leader.page.get_by_role("link", name="Brand book")).to_be_visible()


@pytest.mark.extended
@pytest.mark.parametrize(
    "device",
    [
        Device(),
        Device("tr", "dark", phone=True),
        Device("ar", "light", phone=True),
        Device("ar", "dark"),
    ],
    ids=str,
)
def test_every_page_is_accessible(leader: ClientPage, server: Server, device: Device) -> None:
    user = User(leader.page, server, device.language)
    entries = (
        "files", "transfers", "folders", "backups", "shares", "requests", "team", "health", "kit",
        "settings",
    )  # fmt: skip
    for entry in entries:
        name = leader.texts(f"client:menu.{entry}")
        # That of the kit has a badge.
        leader.page.get_by_role("link", name=name, exact=entry != "kit").click()
        expect(leader.page.locator("h1")).to_be_attached()
        user.assert_accessible()
        user.assert_no_overflow()
    for link in ("about", "history", "trash"):
        leader.page.get_by_role("link", name=leader.texts("client:menu.files"), exact=True).click()
        name = leader.texts(f"client:{link}.title")
        leader.page.get_by_role("link", name=name, exact=True).click()
        expect(leader.page.locator("[role=status][aria-label]")).to_have_count(0)
        user.assert_accessible()
        user.assert_no_overflow()


def drop(page: Page, path: Path) -> None:
    """Drops a file or folder of this computer on the page, as a file manager does."""
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 640, "y": 400, "data": data})
