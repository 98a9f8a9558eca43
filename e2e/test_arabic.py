"""A team leader's console in Arabic, where everything is mirrored."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tessera_core.providers import s3
from user import User


def assert_right_of(first: Locator, second: Locator) -> None:
    right, left = first.bounding_box(), second.bounding_box()
    assert right
    assert left
    assert right["x"] >= left["x"] + left["width"]


def direction(locator: Locator) -> str:
    return str(locator.evaluate("element => getComputedStyle(element).direction"))


@pytest.mark.device(language="ar")
@pytest.mark.extended
def test_a_leader_works_from_right_to_left(user: User) -> None:
    page, texts = user.page, user.texts
    company = user.server.factory.company(
        language="ar", cards=("tok_visa",), warehouses=True, members=2
    )
    page.goto("/login")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    code = user.submit_credentials(company.leader)
    user.code_field().fill(code)
    expect(page).to_have_url(re.compile("/team-members$"))
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")

    _members(user)
    menu = page.get_by_role("navigation", name=texts("console:menu.label"))
    assert_right_of(menu, page.locator("main h1"))
    menu.get_by_role("link", name=texts("common:screens.warehouses")).click()
    _warehouses(user)
    menu.get_by_role("link", name=texts("common:screens.subscription")).click()
    _subscription(page, user)
    user.assert_no_overflow()


def _members(user: User) -> None:
    page, texts = user.page, user.texts
    cells = page.locator("main tbody tr").first.locator("td")
    expect(cells.first).to_be_visible()
    assert_right_of(cells.first, cells.nth(1))
    page.get_by_role("button", name=texts("members:invite")).click()
    expect(page.get_by_label(texts("invites:dialog.label"))).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("tab", name=texts("members:tabs.invited")).click()
    expect(page.get_by_role("tab", selected=True)).to_contain_text(texts("members:tabs.invited"))


def _warehouses(user: User) -> None:
    page, texts = user.page, user.texts
    opener = page.get_by_role("button", name="Frankfurt", exact=True)
    row = page.locator("main ul > li:has(h3)").filter(has=opener)
    expect(row).to_contain_text(texts("warehouses:status.2"))
    opener.click()
    expect(page.get_by_role("region", name="Frankfurt")).to_contain_text("northwind-tessera")
    page.get_by_role("button", name=texts("warehouses:add.button")).click()
    dialog = page.get_by_role("dialog", name=texts("warehouses:add.title"))
    secret = next(field for field in s3.PROVIDER.fields if field.name == "secret")
    expect(dialog.get_by_label(secret.label.ar, exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def _subscription(page: Page, user: User) -> None:
    texts = user.texts
    details = page.get_by_role("region", name=texts("subscription:details.title"))
    expect(details).to_contain_text(texts("subscription:details.nextBilling"))
    details.get_by_role("button", name=texts("subscription:buttons.addCard")).click()
    frame = page.frame_locator("iframe")
    number = frame.get_by_label(texts("card:fields.number"))
    expect(number).to_be_focused()
    expect(frame.locator("html")).to_have_attribute("dir", "rtl")
    # Card digits are read from left to right in every language.
    assert direction(number) == "ltr"
    page.keyboard.press("Escape")
