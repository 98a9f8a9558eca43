"""The recovery kit and the pages of shares and requests: accessible in every language and theme, on
a phone, by keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from computer import Computer
from device import Device, new_context
from kit_reader import READER
from server import Server
from user import User

pytestmark = pytest.mark.extended

# The controls that nobody reaches by the keyboard.
UNREACHED = """() => [...document.querySelectorAll('button, input, select, summary, a[href]')]
    .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => !window.reached?.has(each))
    .map((each) => each.outerHTML)"""
REMEMBER = "() => (window.reached ??= new Set()).add(document.activeElement)"


@pytest.fixture
def leader(server: Server, tmp_path: Path) -> Iterator[Computer]:
    company = server.factory.company(warehouses=True)
    computer = Computer(tmp_path / "computer")
    computer.login(server, company.leader)
    computer.ok("spaces", "create", "Designs")
    yield computer
    server.factory.remove_companies()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = new_context(browser, server.address, Device(phone=True))
    yield context.new_page()
    context.close()


def test_page_of_the_recovery_kit(server: Server, page: Page) -> None:
    page.goto(READER.as_uri())
    check(server, page)


def test_page_of_a_share(server: Server, leader: Computer, page: Page, tmp_path: Path) -> None:
    notes = tmp_path / "Notes"
    notes.mkdir()
    (notes / "note.txt").write_text("Merhaba مرحبا")
    (notes / "numbers.bin").write_bytes(b"12345")
    leader.ok("put", notes, "Designs:/")
    page.goto(leader.ok("share", "Designs:/Notes", "--password")["link"])
    check(server, page)
    page.goto("about:blank")
    page.goto(leader.ok("share", "Designs:/Notes")["link"])
    page.locator("[data-action=open]").click()
    expect(page.locator(".preview pre")).to_contain_text("Merhaba")
    check(server, page)


def test_page_of_a_request(server: Server, leader: Computer, page: Page, tmp_path: Path) -> None:
    page.goto(leader.ok("request", "Tax documents", "--to", "Designs:/Taxes")["link"])
    file = tmp_path / "scan.txt"
    file.write_text("Merhaba")
    page.locator("[name=files]").set_input_files(file)
    expect(page.get_by_role("button", name="scan.txt")).to_be_visible()
    check(server, page)


def check(server: Server, page: Page) -> None:
    user = User(page, server)
    for language in ("tr", "ar", "en"):
        page.locator("select").first.select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        for _ in ("light", "dark"):
            user.assert_accessible()
            page.locator("header button").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):
        page.keyboard.press("Tab")
        page.evaluate(REMEMBER)
    assert page.evaluate(UNREACHED) == []
