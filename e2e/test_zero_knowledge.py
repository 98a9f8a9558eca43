"""Neither the password nor the passphrase leaves the browser in any readable form."""

import pytest
from playwright.sync_api import expect

from accounts import PASSPHRASE, PASSWORD, Company
from traffic import Traffic, encodings
from user import User

NEW_PASSWORD = "sealed-Tesserae-4142"
NEW_PASSPHRASE = "eleven quiet slates"


@pytest.mark.spec("1.3", "9.23")
@pytest.mark.extended
def test_changing_password_and_passphrase_sends_neither(user: User, company: Company) -> None:
    page = user.page
    traffic = Traffic(page, answers=True)
    user.log_in(company.leader)
    _change_password(user)
    _change_passphrase(user)
    user.log_out()
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    # At startup the sandbox prints the demo password; what it logs afterwards is JSON.
    lines = user.server.log.read_text().splitlines()
    logged = [line for line in lines if line.startswith("{")]
    everything = "\n".join([*traffic.sent, *traffic.received, stored, *logged])
    assert logged
    assert any("login-onboard" in request for request in traffic.sent)
    assert any('"a1.' in request for request in traffic.sent)
    assert any("/api/company/passphrase" in request for request in traffic.sent)
    for secret in (PASSWORD, NEW_PASSWORD, PASSPHRASE, NEW_PASSPHRASE):
        for encoding in encodings(secret):
            assert encoding not in everything
    user.log_in(company.leader, NEW_PASSWORD)
    _reveal(user)
    expect(page.get_by_text(NEW_PASSPHRASE)).to_be_visible()


def _change_password(user: User) -> None:
    dialog = user.open_dialog("console:userActions.changePassword")
    dialog.get_by_label("Current password", exact=True).fill(PASSWORD)
    dialog.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
    dialog.get_by_label("Confirm password", exact=True).fill(NEW_PASSWORD)
    dialog.get_by_role("button", name="Change password").click()
    expect(dialog).to_be_hidden()


def _change_passphrase(user: User) -> None:
    page = user.page
    _reveal(user)
    expect(page.get_by_text(PASSPHRASE)).to_be_visible()
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Passphrase", exact=True).fill(NEW_PASSPHRASE)
    page.get_by_label("Confirm passphrase").fill(NEW_PASSPHRASE)
    page.get_by_role("dialog").get_by_role("checkbox").check()
    page.get_by_role("button", name="Save passphrase").click()
    page.get_by_role("button", name="Done").click()


def _reveal(user: User) -> None:
    user.open_company("Passphrase")
    user.page.get_by_role("button", name="Reveal", exact=True).click()
