"""The console's frame: the menu's width, where toasts appear, and the colours of states."""

import colorsys
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts import LEADER, Company
from user import User

pytestmark = pytest.mark.extended


def width(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box
    return box["width"]


def toast_corner(page: Page) -> dict[str, float]:
    """The distances of the toasts' region from the edges of the window."""
    distances: dict[str, float] = page.locator("section[aria-live]").evaluate(
        """region => {
          const { left, right, bottom } = region.getBoundingClientRect()
          const { clientWidth, clientHeight } = document.documentElement
          return { left, right: clientWidth - right, bottom: clientHeight - bottom }
        }"""
    )
    return distances


def hue(swatch: Locator) -> float:
    """The hue of a swatch's border in degrees."""
    colour = swatch.evaluate("element => getComputedStyle(element).borderTopColor")
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    return colorsys.rgb_to_hsv(red, green, blue)[0] * 360


@pytest.mark.spec("9.26")
def test_the_menu_is_280_pixels_wide_and_64_when_folded(user: User) -> None:
    page = user.page
    user.sign_in(LEADER, "/team-members")
    menu = page.get_by_role("navigation", name="Main menu")
    assert width(menu) == 280
    page.get_by_role("button", name="Collapse menu").click()
    # Under the mouse a folded menu opens.
    page.mouse.move(900, 500)
    expect(menu).to_have_attribute("data-narrow", "true")
    user.wait_for_transitions()
    assert width(menu) == 64


@pytest.mark.spec("8.2")
def test_toasts_appear_bottom_right(user: User, company: Company) -> None:
    page = user.page
    user.sign_in(company.leader, "/team-members")
    user.act_on(company.member.name, "Disable")
    page.get_by_role("button", name="Disable").click()
    user.assert_toast("Member Status Changed")
    corner = toast_corner(page)
    assert (corner["right"], corner["bottom"]) == (24, 24)


@pytest.mark.spec("8.2")
@pytest.mark.device(language="ar")
def test_toasts_appear_bottom_left_in_arabic(user: User) -> None:
    user.sign_in(LEADER, "/team-members")
    corner = toast_corner(user.page)
    assert (corner["left"], corner["bottom"]) == (24, 24)


@pytest.mark.spec("3.11")
def test_the_status_legend_is_orange_yellow_green(user: User) -> None:
    page = user.page
    user.sign_in(LEADER, "/warehouses")
    legend = page.get_by_role("list", name="Status legend")
    expect(legend.get_by_role("listitem")).to_have_count(3)
    hues = [hue(legend.locator(f"[data-status='{status}']").first) for status in range(3)]
    for found, (low, high) in zip(hues, [(20, 40), (42, 65), (90, 170)], strict=True):
        assert low < found < high, hues


class TestBanner:
    def test_missing_warehouses_lead_to_their_page(self, user: User) -> None:
        page = user.page
        company = user.server.factory.company(warehouses=True)
        user.sign_in(company.leader, "/team-members")
        banner = page.get_by_role("complementary", name="Needs your attention")
        expect(banner).to_contain_text("Active warehouses: 2. The service requires at least 3.")
        banner.get_by_role("link").click()
        expect(page).to_have_url(re.compile("/warehouses$"))
        expect(banner).to_have_count(0)

    def test_a_new_leader_is_asked_for_the_passphrase(self, user: User, company: Company) -> None:
        page = user.page
        user.sign_in(company.leader, "/team-members")
        user.act_on(company.member.name, "Make team leader")
        page.get_by_role("button", name="Change team leader").click()
        expect(page).to_have_url(re.compile("/login$"))
        user.sign_in(company.member, "/team-members")
        banner = page.get_by_role("complementary", name="Needs your attention")
        banner.get_by_role("button", name="Enter passphrase").click()
        expect(page.get_by_role("dialog")).to_be_visible()
