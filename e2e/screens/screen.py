"""One screen: who sees it, where it is, and what is done there until it shows."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Route, expect

from accounts import Account
from user import User

Step = Callable[[User], object]
BUSY = ":is([data-wait], [aria-busy=true])"


@dataclass(frozen=True)
class Screen:
    name: str
    # As it stands in frontend/src/app/routes.tsx.
    route: str
    account: Account | None
    # Done before the page is opened, such as answering one of its calls.
    before: tuple[Step, ...] = ()
    steps: tuple[Step, ...] = ()
    # Where it is opened, when that is not the route itself.
    path: str = ""
    # It never settles: something is still under way, and that is what it shows.
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
            # Away from what was pressed, or a tooltip of its place lies over the screen.
            user.page.mouse.move(0, 0)
            self._settle(user)

    def _settle(self, user: User) -> None:
        if not self.waits:
            user.wait_for_requests()
            # A button may stay busy while the dialog it opened waits for an answer.
            expect(user.page.locator(f"{BUSY}:not(button)")).to_have_count(0)
        user.wait_for_transitions()


def press(key: str, **fill: str) -> Step:
    """A button, by the key of its words."""

    def step(user: User) -> None:
        name = _filled(user, key, fill)
        user.page.get_by_role("button", name=name, exact=True).first.click()

    return step


def choose(key: str) -> Step:
    """An entry of the open menu."""
    return lambda user: user.page.get_by_role("menuitem", name=user.texts(key), exact=True).click()


def actions_of(name: str, entry: str = "") -> tuple[Step, ...]:
    """The menu of a row, and maybe the dialog that one of its entries opens."""
    opened = press("table:actions.of", name=name)
    return (opened, choose(entry), dialog) if entry else (opened, waits_for("[role=menuitem]"))


def user_entry(key: str) -> Step:
    """The dialog that an entry of the user menu opens."""

    def step(user: User) -> None:
        user.user_menu().click()
        choose(key)(user)
        dialog(user)

    return step


def dialog(user: User) -> None:
    """Waits for it: dialogs are fetched when they are opened, and fetch what they show."""
    shown = user.page.locator("[role=dialog], [role=alertdialog]").first
    expect(shown).to_be_visible()
    user.wait_for_requests()


def write(key: str, value: str, then: str = "") -> Step:
    """Into a field, and a key of the keyboard after that."""

    def step(user: User) -> None:
        field = user.page.get_by_label(user.texts(key), exact=True).first
        field.fill(value)
        if then:
            field.press(then)

    return step


def searched(text: str) -> Step:
    """With the search of the toolbar."""

    def step(user: User) -> None:
        user.page.keyboard.press("Control+k")
        user.page.get_by_role("combobox", name=user.texts("console:search.open")).fill(text)
        waits_for("[role=option]")(user)

    return step


def sees(key: str) -> Step:
    """Waits for these words."""
    return lambda user: expect(
        user.page.get_by_text(user.texts(key)).filter(visible=True).first
    ).to_be_visible()


def waits_for(selector: str) -> Step:
    return lambda user: expect(user.page.locator(selector).first).to_be_visible()


def answered(call: str, json: Any, status: int = 200) -> Step:  # noqa: ANN401 - any answer
    """A call that the server is not asked, so that nothing changes there."""
    return lambda user: user.page.route(
        _call(call), lambda route: route.fulfill(status=status, json=json)
    )


def changed(call: str, **values: object) -> Step:
    """A call whose true answer is changed in these fields."""

    def change(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        target = body.get("user", body)
        target.update(values)
        route.fulfill(response=answer, json=body)

    return lambda user: user.page.route(_call(call), change)


def failed(call: str) -> Step:
    """A call that breaks the server, which then has no words for it."""
    return answered(call, {}, status=500)


def held(call: str) -> Step:
    """A call that is never answered."""
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
