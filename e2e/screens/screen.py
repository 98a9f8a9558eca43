"""One screen: who sees it, its address, and the steps that lead to it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Route, expect

from accounts import Account
from user import User

Step = Callable[[User], object]
BUSY = ":is([data-wait], [data-skeleton], [aria-busy=true])"


@dataclass(frozen=True)
class Screen:
    name: str
    # As defined in frontend/src/app/pages.ts.
    route: str
    account: Account | None
    # Run before the page is opened, such as stubbing one of its calls.
    before: tuple[Step, ...] = ()
    steps: tuple[Step, ...] = ()
    # The address to open, if it differs from the route.
    path: str = ""
    # Never becomes idle, because the screen shows something in progress.
    waits: bool = False

    def open(self, user: User) -> None:
        for step in self.before:
            step(user)
        user.page.goto(self.path or self.route)
        expect(user.page.locator("h1").first).to_be_attached()
        self._settle(user)
        for step in self.steps:
            step(user)
        if self.steps:
            # Move the pointer away, or the tooltip of the pressed button covers the screen.
            user.page.mouse.move(0, 0)
            self._settle(user)

    def _settle(self, user: User) -> None:
        if not self.waits:
            user.wait_for_requests()
            # A button may stay busy while the dialog it opened is open.
            expect(user.page.locator(f"{BUSY}:not(button)")).to_have_count(0)
        user.wait_for_transitions()


def press(key: str, **fill: str) -> Step:
    """Presses the button with the text of this key."""

    def step(user: User) -> None:
        name = _filled(user, key, fill)
        user.page.get_by_role("button", name=name, exact=True).first.click()

    return step


def choose(key: str) -> Step:
    """Chooses an entry of the open menu."""
    return lambda user: user.choose(user.texts(key))


def actions_of(name: str, entry: str = "") -> tuple[Step, ...]:
    """Opens a row's menu and, with `entry`, the dialog behind that entry."""
    opened = press("table:actions.of", name=name)
    return (opened, choose(entry), dialog) if entry else (opened, waits_for("[role=menuitem]"))


def user_entry(key: str) -> Step:
    """Opens the dialog behind an entry of the user menu."""

    def step(user: User) -> None:
        user.user_menu().click()
        choose(key)(user)
        dialog(user)

    return step


def dialog(user: User) -> None:
    """Waits for the dialog, which is lazily loaded and loads its own data."""
    shown = user.page.locator("dialog[open]").first
    expect(shown).to_be_visible()
    user.wait_for_requests()


def write(key: str, value: str, then: str = "") -> Step:
    """Fills a field, then presses the key `then`."""

    def step(user: User) -> None:
        field = user.page.get_by_label(user.texts(key), exact=True).first
        field.fill(value)
        if then:
            field.press(then)

    return step


def searched(text: str) -> Step:
    """Searches with the toolbar's search."""

    def step(user: User) -> None:
        user.page.keyboard.press("Control+k")
        user.page.get_by_role("combobox", name=user.texts("console:search.open")).fill(text)
        waits_for("[role=option]")(user)

    return step


def sees(key: str) -> Step:
    """Waits for this text."""
    return lambda user: expect(
        user.page.get_by_text(user.texts(key)).filter(visible=True).first
    ).to_be_visible()


def waits_for(selector: str) -> Step:
    return lambda user: expect(user.page.locator(selector).first).to_be_visible()


def answered(call: str, json: Any, status: int = 200) -> Step:  # noqa: ANN401 - any response
    """Stubs a call, so that nothing changes on the server."""
    return lambda user: user.page.route(
        _call(call), lambda route: route.fulfill(status=status, json=json)
    )


def changed(call: str, **values: object) -> Step:
    """Replaces these fields in the real response to a call."""

    def change(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        target = body.get("user", body)
        target.update(values)
        route.fulfill(response=answer, json=body)

    return lambda user: user.page.route(_call(call), change)


def failed(call: str) -> Step:
    """Makes a call fail with a server error that has no message."""
    return answered(call, {}, status=500)


def held(call: str) -> Step:
    """Makes a call that never gets a response."""
    script = f"""const ask = window.fetch
window.fetch = (asked, options) =>
  new RegExp({json.dumps(_call(call).pattern)}).test(asked.url ?? asked)
    ? new Promise(() => {{}})
    : ask(asked, options)"""
    return lambda user: user.page.add_init_script(script)


def _call(path: str) -> re.Pattern[str]:
    return re.compile(rf"/api{re.escape(path)}(\?|$)")


def _filled(user: User, key: str, fill: dict[str, str]) -> str:
    text = user.texts(key)
    for name, value in fill.items():
        text = text.replace("{{" + name + "}}", value)
    return text
