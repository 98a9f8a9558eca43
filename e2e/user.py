"""What a person does again and again: sign in, open a dialog, read a code on the phone."""

import re
import time
from typing import Any

import httpx
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Locator, Page, Request, expect

from accounts import PASSWORD, Account
from server import Server
from texts import Texts

# Transitions that are under way, and those that a change of the page is about to start. An endless
# one, such as a progress bar's, is not waited for.
TRANSITIONS_ENDED = """async () => {
  const frame = () => new Promise(requestAnimationFrame)
  const running = () => document.getAnimations().filter((animation) =>
    animation.playState === 'running' &&
    Number.isFinite(Number(animation.effect?.getComputedTiming().endTime)))
  await frame()
  await frame()
  while (running().length > 0) {
    await Promise.allSettled(running().map((animation) => animation.finished))
    await frame()
  }
}"""


# What a finished request led to has been rendered, and has asked for more if it needs to.
IDLE = "() => new Promise((done) => requestIdleCallback(() => done()))"

# Without what passes: it is many times as long.
RUN_AXE = "async (options) => ({ violations: (await axe.run(document, options)).violations })"


class User:
    def __init__(self, page: Page, server: Server, language: str = "en") -> None:
        self.page = page
        self.server = server
        self.address = server.address
        self.texts = Texts(language)
        self._requests: set[Request] = set()
        page.on("request", self._started)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    def _started(self, request: Request) -> None:
        self._requests.add(request)

    def _ended(self, request: Request) -> None:
        self._requests.discard(request)

    def messages(self, to: str) -> list[dict[str, Any]]:
        answer = httpx.get(f"{self.address}/api/sandbox/outbox", params={"to": to})
        found: list[dict[str, Any]] = answer.json()
        return found

    def next_message(self, to: str, after: int) -> dict[str, Any]:
        """The newest one, once there are more than `after` of them."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            found = self.messages(to)
            if len(found) > after:
                return found[0]
            time.sleep(0.1)
        raise AssertionError(f"nothing was sent to {to}")

    def sign_in(self, account: Account, path: str, *, verified: bool = True) -> None:
        """Opens a page with a session of the account. Its keys are locked, as after a reload."""
        token = self.server.factory.token(account, verified=verified)
        # A file of the same origin, to reach its storage before the console starts.
        self.page.goto("/robots.txt")
        self.page.evaluate("token => localStorage.setItem('tessera.token', token)", token)
        self.page.goto(path)
        # Not by its role: behind a dialog it has none.
        expect(self.page.locator("header [aria-haspopup]").last).to_be_attached()

    def log_in(self, account: Account, password: str = PASSWORD) -> None:
        """With password and code, which also unlocks the account's keys."""
        self.page.goto("/login")
        code = self.submit_credentials(account, password)
        self.code_field().fill(code)
        expect(self.user_menu()).to_be_visible()

    def fill_credentials(self, account: Account, password: str = PASSWORD) -> None:
        self.page.get_by_label(self.texts("auth:fields.email"), exact=True).fill(account.email)
        self.page.get_by_label(self.texts("auth:fields.password"), exact=True).fill(password)

    def submit_password(self, account: Account, password: str = PASSWORD) -> None:
        self.fill_credentials(account, password)
        self.page.get_by_role("button", name=self.texts("auth:login.phase.idle")).click()

    def submit_credentials(self, account: Account, password: str = PASSWORD) -> str:
        """Answers the code that came to the account's phone."""
        before = len(self.messages(account.phone))
        self.submit_password(account, password)
        expect(self.code_field()).to_be_visible()
        return str(self.next_message(account.phone, before)["code"])

    def code_field(self) -> Locator:
        return self.page.get_by_label(self.texts("auth:code.label"))

    def token(self) -> str | None:
        """That the browser keeps."""
        kept: str | None = self.page.evaluate("localStorage.getItem('tessera.token')")
        return kept

    def open_dialog(self, entry: str) -> Locator:
        """An entry of the user menu, named by its key, that opens a dialog."""
        self.user_menu().click()
        self.page.get_by_role("menuitem", name=self.texts(entry)).click()
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        return dialog

    def log_out(self) -> None:
        self.user_menu().click()
        self.page.get_by_role("menuitem", name=self.texts("console:userMenu.logout")).click()
        expect(self.page).to_have_url(re.compile("/login$"))

    def user_menu(self) -> Locator:
        return self.page.get_by_role("banner").locator("[aria-haspopup]").last

    def assert_toast(self, text: str) -> None:
        """By its words: an open dialog hides everything around it from the roles."""
        toast = self.page.locator("section[aria-live]").get_by_text(text)
        expect(toast.first).to_be_visible()

    def assert_no_overflow(self) -> None:
        """Nothing is wider than the window."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    def wait_for_requests(self) -> None:
        """Until all are answered and the page has nothing left to do, twice in a row."""
        deadline = time.monotonic() + 20
        quiet = 0
        while quiet < 2:
            self.page.evaluate(IDLE)
            quiet = 0 if self._requests else quiet + 1
            assert time.monotonic() < deadline, {request.url for request in self._requests}

    def wait_for_transitions(self) -> None:
        self.page.evaluate(TRANSITIONS_ENDED)
        self.page.evaluate("document.fonts.ready.then(() => true)")

    def violations(self, *rules: str) -> str:
        """What axe finds, by all its rules or some, or nothing. No transition may be under way:
        half-faded text has half its contrast."""
        self.wait_for_transitions()
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        options: dict[str, object] = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = list(rules)
        results = AxeResults(self.page.evaluate(RUN_AXE, options))
        return str(results.generate_report()) if results.violations_count else ""

    def assert_accessible(self) -> None:
        found = self.violations()
        assert not found, found
