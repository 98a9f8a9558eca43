"""Neither the password nor the passphrase leaves the browser in any readable form."""

import base64
import hashlib
from urllib.parse import quote, quote_plus

import pytest
from playwright.sync_api import Page, Response, expect

from accounts import PASSPHRASE, PASSWORD, Company
from user import User

NEW_PASSWORD = "sealed-Tesserae-4142"
NEW_PASSPHRASE = "eleven quiet slates"


class Traffic:
    """Everything the page sends, and the responses."""

    def __init__(self, page: Page) -> None:
        self.sent: list[str] = []
        self.received: list[str] = []
        page.on(
            "request",
            lambda request: self.sent.append(
                "\n".join([request.url, request.post_data or "", str(request.headers)])
            ),
        )
        page.on("response", self._keep)

    def _keep(self, response: Response) -> None:
        if "/api/" in response.url and response.request.method != "OPTIONS":
            self.received.append(response.text() if response.status != 204 else "")


@pytest.mark.spec("1.3", "9.23")
def test_changing_password_and_passphrase_sends_neither(user: User, company: Company) -> None:
    page = user.page
    traffic = Traffic(page)
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
        for encoding in _encodings(secret):
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
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Save passphrase").click()
    page.get_by_role("button", name="Done").click()


def _reveal(user: User) -> None:
    user.open_company("Passphrase")
    user.page.get_by_role("button", name="Reveal", exact=True).click()


def _encodings(secret: str) -> set[str]:
    """The secret as it is, reversed, and in every encoding that code could use by mistake."""
    raw = secret.encode()
    utf16 = secret.encode("utf-16-le")
    found = {secret, secret[::-1], quote(secret), quote_plus(secret), raw.hex(), utf16.hex()}
    for shift in range(3):
        # Base64 encodes the same bytes in three ways, depending on their offset.
        text = base64.b64encode(b"\0" * shift + raw + b"\0\0").decode()
        found |= {text[4:-6], text[4:-6].replace("+", "-").replace("/", "_")}
    for name in ("md5", "sha1", "sha256", "sha512"):
        digest = hashlib.new(name, raw).digest()
        found |= {digest.hex(), base64.b64encode(digest).decode().rstrip("=")}
    return found
