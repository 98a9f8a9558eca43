"""What a person does again and again: open a page, read a code on the phone, sign in."""

import re
import time
from dataclasses import dataclass
from typing import Any

import httpx
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from words import Words

PASSWORD = "mosaic-Tile-2026"
PASSPHRASE = "three clouds, one mosaic"


@dataclass(frozen=True)
class Account:
    email: str
    phone: str


ADMIN = Account("admin@tessera.test", "+12025550100")
LEADER = Account("leader@northwind.test", "+12025550101")
MEMBER = Account("member@northwind.test", "+12025550102")


class Visitor:
    def __init__(self, page: Page, address: str, language: str = "en") -> None:
        self.page = page
        self.address = address
        self.words = Words(language)

    def messages(self, to: str) -> list[dict[str, Any]]:
        answer = httpx.get(f"{self.address}/api/sandbox/outbox", params={"to": to})
        found: list[dict[str, Any]] = answer.json()
        return found

    def next_message(self, to: str, after: int) -> dict[str, Any]:
        """The newest one, once there are more than `after` of them."""
        for _ in range(200):
            found = self.messages(to)
            if len(found) > after:
                return found[0]
            time.sleep(0.1)
        raise AssertionError(f"nothing was sent to {to}")

    def choose_language(self) -> None:
        """By hand, which counts more than the language the account is kept in."""
        self.page.goto("/login")
        menu = self.page.get_by_role("banner").get_by_role("combobox")
        for language in ("tr", self.words.language):
            menu.select_option(language)
            expect(self.page.locator("html")).to_have_attribute("lang", language)

    def fill_credentials(self, account: Account, password: str = PASSWORD) -> None:
        self.page.get_by_label(self.words("auth:fields.email"), exact=True).fill(account.email)
        self.page.get_by_label(self.words("auth:fields.password"), exact=True).fill(password)

    def submit_credentials(self, account: Account, password: str = PASSWORD) -> str:
        """Answers the code that came to the account's phone."""
        before = len(self.messages(account.phone))
        self.fill_credentials(account, password)
        self.page.get_by_role("button", name=self.words("auth:login.phase.idle")).click()
        expect(self.page.get_by_label(self.words("auth:code.label"))).to_be_visible()
        return str(self.next_message(account.phone, before)["code"])

    def sign_in(self, account: Account, password: str = PASSWORD) -> None:
        self.choose_language()
        code = self.submit_credentials(account, password)
        self.page.get_by_label(self.words("auth:code.label")).fill(code)
        expect(self.user_menu()).to_be_visible()

    def open_dialog(self, entry: str) -> Locator:
        """An entry of the user menu, named by its key, that opens a dialog."""
        self.user_menu().click()
        self.page.get_by_role("menuitem", name=self.words(entry)).click()
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        return dialog

    def log_out(self) -> None:
        self.user_menu().click()
        self.page.get_by_role("menuitem", name=self.words("console:userMenu.logout")).click()
        expect(self.page).to_have_url(re.compile("/login$"))

    def user_menu(self) -> Locator:
        return self.page.get_by_role("banner").locator("[aria-haspopup]").last

    def violations(self) -> str:
        """What axe finds, or nothing. No transition may be under way: half-faded text has half its
        contrast."""
        self.page.wait_for_timeout(300)
        found = Axe().run(self.page)
        return str(found.generate_report()) if found.violations_count else ""

    def assert_accessible(self) -> None:
        found = self.violations()
        assert not found, found
