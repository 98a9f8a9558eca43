"""PDF files on the page of a share: drawn as pixels in a frame of no origin."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Frame, Page, expect

import pdf_files
from computer import Computer
from server import Server

pytestmark = pytest.mark.extended

DARK = """() => {
    const canvas = document.querySelector('canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return data.filter((value, at) => at % 4 === 0 && value < 64).length
}"""


@pytest.fixture
def sender(server: Server, tmp_path: Path) -> Iterator[Computer]:
    company = server.factory.company(warehouses=True)
    computer = Computer(tmp_path / "computer")
    computer.login(server, company.leader)
    computer.ok("spaces", "create", "Designs")
    yield computer
    server.factory.remove_companies()


def open_pdf(sender: Computer, guest: Page, folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    sender.ok("put", folder, "Designs:/")
    guest.goto(sender.ok("share", f"Designs:/{folder.name}")["link"])
    guest.locator("[data-action=open]").click()
    guest.get_by_role("button", name="Show preview").click()


def frame_of(guest: Page) -> Frame:
    frame = guest.locator(".pdf iframe").element_handle().content_frame()
    assert frame is not None
    return frame


def test_pages_are_drawn_and_turned(sender: Computer, guest: Page, tmp_path: Path) -> None:
    content = pdf_files.plain("Tessera", "Second page")
    open_pdf(sender, guest, tmp_path / "Papers", {"paper.pdf": content})
    expect(guest.locator(".pdf [role=status]")).to_have_text(re.compile("Page .1. of .2."))
    frame = frame_of(guest)
    frame.locator("canvas").wait_for()
    first = frame.evaluate(DARK)
    assert first > 1000
    previous = guest.get_by_role("button", name="Previous page")
    expect(previous).to_be_disabled()
    guest.get_by_role("button", name="Next page").press("Enter")
    expect(guest.locator(".pdf [role=status]")).to_have_text(re.compile("Page .2. of .2."))
    expect(guest.get_by_role("button", name="Next page")).to_be_disabled()
    frame.locator("canvas[data-page='2']").wait_for()
    assert frame.evaluate(DARK) not in {0, first}
    width = frame.locator("canvas").evaluate("canvas => canvas.style.width")
    guest.get_by_role("button", name="Larger").click()
    expect(frame.locator("canvas")).not_to_have_css("width", width)
    # Another language draws the card anew, and the frame begins again where it was.
    guest.locator("select").select_option("ar")
    expect(guest.locator(".pdf [role=status]")).to_have_text(re.compile("الصفحة .2. من .2."))
    frame_of(guest).locator("canvas").wait_for()


def test_a_print_by_a_browser_is_drawn_with_its_own_fonts(
    sender: Computer, guest: Page, tmp_path: Path
) -> None:
    guest.set_content("<h1 style='font-size: 90px'>Merhaba مرحبا</h1>")
    printed = guest.pdf()
    open_pdf(sender, guest, tmp_path / "Prints", {"print.pdf": printed})
    frame = frame_of(guest)
    frame.locator("canvas").wait_for()
    assert frame.evaluate(DARK) > 1000


def test_a_hostile_file_does_nothing(sender: Computer, guest: Page, tmp_path: Path) -> None:
    """Its scripts do not run, its links do not exist, its files stay in it. That the frame is of no
    origin and has no network is its policy: backend/tests/system/test_guest_pages.py."""
    seen = watch(guest)
    open_pdf(sender, guest, tmp_path / "Papers", {"evil.pdf": pdf_files.hostile()})
    frame = frame_of(guest)
    frame.locator("canvas").wait_for()
    address = guest.url
    guest.locator(".pdf iframe").click(position={"x": 100, "y": 100})
    assert frame.evaluate("document.body.querySelectorAll('*:not(canvas, script)').length") == 0
    assert frame.evaluate("origin") == "null"
    assert guest.url == address
    assert seen == []
    # A page that may do all of it is noticed each time.
    guest.context.route("https://attacker.example/**", lambda route: route.fulfill(body="x"))
    guest.goto("https://attacker.example/")
    guest.evaluate(EVERYTHING)
    guest.wait_for_timeout(500)
    assert {kind for kind, _ in seen} == {"dialog", "download", "page", "request"}


EVERYTHING = """() => {
    alert('ran')
    window.open('/opened')
    const link = document.createElement('a')
    link.href = 'data:application/octet-stream,MZ'
    link.download = 'evil.exe'
    link.click()
}"""


def watch(guest: Page) -> list[tuple[str, str]]:
    """Everything that a file may not do."""
    seen: list[tuple[str, str]] = []

    def dismiss(dialog: Dialog) -> None:
        seen.append(("dialog", dialog.message))
        dialog.dismiss()

    guest.on("dialog", dismiss)
    guest.on("download", lambda download: seen.append(("download", download.suggested_filename)))
    guest.context.on("page", lambda page: seen.append(("page", page.url)))
    guest.context.on(
        "request",
        lambda request: (
            seen.append(("request", request.url)) if "attacker" in request.url else None
        ),
    )
    return seen


def test_what_cannot_be_drawn_is_said(sender: Computer, guest: Page, tmp_path: Path) -> None:
    open_pdf(sender, guest, tmp_path / "Papers", {"damaged.pdf": b"%PDF-1.7\nnothing of the kind"})
    expect(guest.locator(".pdf")).to_contain_text("cannot be shown")
    assert guest.locator(".pdf iframe").count() == 0
