"""Actions that tests share: sign in, open a dialog, read a code from the phone."""

import re
import time
from typing import Any

import httpx
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Locator, Page, Request, expect

from accounts import PASSWORD, Account
from server import Server
from texts import Texts

# Waits for running transitions and those that a page change is about to start, but not for endless
# ones such as a progress bar's.
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


# Resolves once the effects of a finished request are rendered and follow-up requests are sent.
# Waits at most five seconds: a busy page may never be idle.
IDLE = "() => new Promise((done) => requestIdleCallback(() => done(), { timeout: 5000 }))"

# Remembers the text of every toast: a toast can be gone before a busy machine looks for it.
RECORD_TOASTS = """window.shownToasts = []
new MutationObserver((changes) => {
  for (const node of changes.flatMap((change) => [...change.addedNodes]))
    if (node.parentElement?.matches('section[aria-live]')) window.shownToasts.push(node.textContent)
}).observe(document, { childList: true, subtree: true })"""

# Finds the first remembered toast with the text and forgets it and those before it.
TOAST_SHOWN = """(text) => {
  const found = window.shownToasts.findIndex((shown) => shown.includes(text))
  return window.shownToasts.splice(0, found + 1).length > 0
}"""

# Leaves out the passed checks, which are many times as long.
RUN_AXE = "async (options) => ({ violations: (await axe.run(document, options)).violations })"


class User:
    def __init__(self, page: Page, server: Server, language: str = "en") -> None:
        self.page = page
        self.server = server
        self.address = server.address
        self.texts = Texts(language)
        self._requests: set[Request] = set()
        page.add_init_script(RECORD_TOASTS)
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
        """Returns the newest message once there are more than `after`."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = self.messages(to)
            if len(found) > after:
                return found[0]
            time.sleep(0.1)
        raise AssertionError(f"nothing was sent to {to}")

    def sign_in(self, account: Account, path: str, *, verified: bool = True) -> None:
        """Opens a page with a session of the account; its keys are locked, as after a reload."""
        token = self.server.factory.token(account, verified=verified)
        # A page of the same origin gives access to its storage before the console starts.
        self.page.goto("/robots.txt")
        self.page.evaluate("token => localStorage.setItem('tessera.token', token)", token)
        self.page.goto(path)
        # Not found by role, because behind a dialog it has none.
        expect(self.page.locator("header [aria-haspopup]").last).to_be_attached()

    def log_in(self, account: Account, password: str = PASSWORD) -> None:
        """Logs in with password and code, which also unlocks the account's keys."""
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
        """Submits the password and returns the code sent to the account's phone."""
        before = len(self.messages(account.phone))
        self.submit_password(account, password)
        expect(self.code_field()).to_be_visible()
        return str(self.next_message(account.phone, before)["code"])

    def code_field(self) -> Locator:
        return self.page.get_by_label(self.texts("auth:code.label"))

    def token(self) -> str | None:
        """The token stored in the browser."""
        kept: str | None = self.page.evaluate("localStorage.getItem('tessera.token')")
        return kept

    def open_dialog(self, entry: str) -> Locator:
        """Opens the dialog behind an entry of the user menu, named by its key."""
        self.user_menu().click()
        self.choose(self.texts(entry))
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        return dialog

    def six_words(self, password: str = PASSWORD) -> str:
        """Returns the words that stand for the user's keys, which are made in the profile where
        there are none, or where a reset locked them. The profile stays open."""
        dialog = self.open_dialog("console:userActions.profile")
        dialog.get_by_role("button", name=self.texts("security:words.showOwn")).click()
        locked = dialog.get_by_label(self.texts("company:passphrase.password"), exact=True)
        make = dialog.get_by_role("button", name=self.texts("security:words.make"))
        replace = dialog.get_by_role("button", name=self.texts("security:words.replace"))
        words = dialog.get_by_role("listitem")
        expect(locked.or_(make).or_(replace).or_(words.first)).to_be_visible()
        if locked.is_visible():
            locked.fill(password)
            unlock = self.texts("company:passphrase.unlock")
            dialog.get_by_role("button", name=unlock, exact=True).click()
        expect(make.or_(replace).or_(words.first)).to_be_visible()
        for button in (make, replace):
            if button.is_visible():
                button.click()
        expect(words).to_have_count(6)
        return " ".join(words.all_text_contents())

    def choose(self, entry: str) -> None:
        """Chooses an entry of the open menu. A menu that still moves could lose the click."""
        found = self.page.get_by_role("menuitem", name=entry, exact=True)
        expect(found).to_be_visible()
        self.wait_for_transitions()
        found.click()

    def act_on(self, name: str, entry: str) -> None:
        """Chooses an action in the menu of a row."""
        self.page.get_by_role("button", name=f"Actions for {name}").click()
        self.choose(entry)

    def open_company(self, entry: str) -> None:
        """Chooses an entry of the company's menu."""
        self.page.get_by_role("button", name=re.compile("^Company: ")).click()
        self.choose(entry)

    def log_out(self) -> None:
        self.user_menu().click()
        self.choose(self.texts("console:userMenu.logout"))
        expect(self.page).to_have_url(re.compile("/login$"))

    def user_menu(self) -> Locator:
        return self.page.get_by_role("banner").locator("[aria-haspopup]").last

    def assert_toast(self, text: str) -> None:
        """Waits until a toast with the text has been shown since the last one that was found."""
        self.page.wait_for_function(TOAST_SHOWN, arg=text, timeout=20_000)

    def assert_no_overflow(self) -> None:
        """Checks that nothing is wider than the window."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    def wait_for_requests(self) -> None:
        """Waits until all requests have finished and the page is idle, twice in a row."""
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
        """Returns axe's findings for all rules or the given ones, or "". Waits for transitions
        first, because half-faded text has half its contrast."""
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
