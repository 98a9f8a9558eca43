"""A team leader's way through the console in Arabic: everything is mirrored."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from visitor import Visitor


def assert_right_of(first: Locator, second: Locator) -> None:
    right, left = first.bounding_box(), second.bounding_box()
    assert right
    assert left
    assert right["x"] >= left["x"] + left["width"]


def direction(locator: Locator) -> str:
    return str(locator.evaluate("element => getComputedStyle(element).direction"))


@pytest.mark.look(language="ar")
def test_a_leader_works_from_right_to_left(visitor: Visitor) -> None:
    page, words = visitor.page, visitor.words
    company = visitor.server.factory.company(
        language="ar", cards=("tok_visa",), warehouses=True, members=2
    )
    page.goto("/login")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    code = visitor.submit_credentials(company.leader)
    visitor.code_field().fill(code)
    expect(page).to_have_url(re.compile("/team-members$"))
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")

    _members(visitor)
    menu = page.get_by_role("navigation", name=words("console:menu.label"))
    assert_right_of(menu, page.locator("main h1"))
    menu.get_by_role("link", name=words("console:screens.warehouses")).click()
    _warehouses(visitor)
    menu.get_by_role("link", name=words("console:screens.subscription")).click()
    _subscription(page, visitor)
    visitor.assert_no_overflow()


def _members(visitor: Visitor) -> None:
    page, words = visitor.page, visitor.words
    cells = page.locator("main tbody tr").first.locator("td")
    expect(cells.first).to_be_visible()
    assert_right_of(cells.first, cells.nth(1))
    page.get_by_role("button", name=words("members:invite")).click()
    expect(page.get_by_label(words("invites:dialog.label"))).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("tab", name=words("members:tabs.invited")).click()
    expect(page.get_by_role("tab", selected=True)).to_have_text(words("members:tabs.invited"))


def _warehouses(visitor: Visitor) -> None:
    page, words = visitor.page, visitor.words
    first = page.locator("main ul > li:has(h3)").first
    expect(first).to_contain_text("Frankfurt")
    expect(first).to_contain_text(words("warehouses:status.2"))
    page.get_by_role("button", name="Frankfurt", exact=True).click()
    expect(page.get_by_role("region", name="Frankfurt")).to_contain_text("northwind-tessera")
    page.get_by_role("button", name=words("warehouses:add.button")).click()
    dialog = page.get_by_role("dialog", name=words("warehouses:add.title"))
    expect(dialog.get_by_label(words("warehouses:fields.secret"), exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def _subscription(page: Page, visitor: Visitor) -> None:
    words = visitor.words
    details = page.get_by_role("region", name=words("subscription:details.title"))
    expect(details).to_contain_text(words("subscription:details.nextBilling"))
    details.get_by_role("button", name=words("subscription:buttons.addCard")).click()
    frame = page.frame_locator("iframe")
    number = frame.get_by_label(words("card:fields.number"))
    expect(number).to_be_focused()
    expect(frame.locator("html")).to_have_attribute("dir", "rtl")
    # Digits of a card are read from left to right in every language.
    assert direction(number) == "ltr"
    page.keyboard.press("Escape")
