"""On a phone, tables become cards and nothing is wider than the screen."""

import re

import pytest
from playwright.sync_api import Browser, expect

from accounts import LEADER
from device import LOCALES, Device
from screens.table import SCREENS
from screens.walk import walk
from server import Server
from signup import Signup
from user import User

pytestmark = pytest.mark.device(phone=True)


def test_a_leader_uses_the_console_on_a_phone(user: User) -> None:
    page = user.page
    user.sign_in(LEADER, "/team-members")
    expect(page.get_by_text(LEADER.email)).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(0)
    user.assert_no_overflow()
    user.assert_accessible()
    page.goto("/warehouses")
    page.get_by_role("button", name="Google archive", exact=True).click()
    expect(page.get_by_role("region", name="Google archive")).to_be_visible()
    user.assert_no_overflow()
    page.goto("/subscription")
    expect(page.get_by_role("region", name="Payment Details")).to_be_visible()
    user.assert_no_overflow()
    page.goto("/download")
    expect(page.get_by_role("region", name="macOS", exact=True)).to_be_visible()
    user.assert_no_overflow()
    user.log_out()
    expect(page).to_have_url(re.compile("/login$"))
    user.assert_no_overflow()


@pytest.mark.extended
def test_public_pages_fit_on_a_phone(user: User) -> None:
    page = user.page
    for path in ("/", "/agreement", "/privacy", "/data-processing", "/api", "/login", "/nowhere"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        user.assert_no_overflow()
    page.goto("/signup")
    signup = Signup(user)
    signup.verify_password()
    signup.at("signup:steps.company")
    user.assert_no_overflow()


@pytest.mark.extended
@pytest.mark.parametrize("language", LOCALES)
def test_company_identity_fits_on_a_phone(browser: Browser, server: Server, language: str) -> None:
    names = {
        "api-tokens",
        "audit",
        "identity-domains-missing",
        "identity-providers",
        "identity-provisioned",
        "policies",
    }
    screens = [screen for screen in SCREENS if screen.name in names]
    assert len(screens) == len(names)
    for _, user in walk(browser, server, Device(language, phone=True), screens):
        user.assert_no_overflow()
