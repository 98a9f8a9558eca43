"""How long a table of 100 rows takes to answer an interaction on a slow processor."""

import os
from collections.abc import Callable
from statistics import median

from playwright.sync_api import Page, expect

from device import Device, new_context
from metrics.stage import stage
from user import User

ROWS, RUNS, SLOWER, LIMIT = 100, 5, 4, 100
# What the browser measures from the input to the next paint. Shorter ones are not reported.
SHORTEST = 16
OBSERVE = f"""window.durations = []
new PerformanceObserver((list) => {{
  for (const entry of list.getEntries()) if (entry.interactionId) durations.push(entry.duration)
}}).observe({{ type: 'event', durationThreshold: {SHORTEST} }})"""
# The browser reports an interaction some time after its paint.
REPORTED = "() => new Promise((done) => setTimeout(() => done(durations.splice(0)), 1000))"

Step = Callable[[Page], None]


def measure() -> str:
    load = os.getloadavg()[0]
    with stage() as (server, browser):
        company = server.factory.company(members=3 * ROWS)
        context = new_context(browser, server.address, Device())
        page = context.new_page()
        page.add_init_script(OBSERVE)
        User(page, server).sign_in(company.leader, f"/team-members?size={ROWS}")
        _expect_rows(page)
        slow = context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        found: dict[str, list[float]] = {name: [] for name in STEPS}
        for _ in range(RUNS):
            for name, step in STEPS.items():
                page.evaluate(REPORTED)
                step(page)
                found[name].append(max([SHORTEST, *page.evaluate(REPORTED)]))
        context.close()
    return "\n".join(
        [
            f"## Interaction to next paint, a table of {ROWS} rows",
            "",
            f"The processor slowed {SLOWER} times; {RUNS} runs. Wanted: at most {LIMIT} ms."
            f" Load average of the machine before: {load:.1f} on {os.cpu_count()} cores.",
            "",
            "| interaction | median | slowest |",
            "|---|--:|--:|",
            *(f"| {name} | {median(of):.0f} ms | {max(of):.0f} ms |" for name, of in found.items()),
        ]
    )


def _expect_rows(page: Page) -> None:
    expect(page.locator("tbody tr")).to_have_count(ROWS)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def _sort(page: Page) -> None:
    page.get_by_role("columnheader").get_by_role("button", name="Last name").click()
    _expect_rows(page)


def _select_all(page: Page) -> None:
    page.locator("thead input[type=checkbox]").click()


def _select_row(page: Page) -> None:
    page.locator("tbody input[type=checkbox]").nth(3).click()


def _open_menu(page: Page) -> None:
    page.locator("tbody tr").nth(2).locator("button[aria-haspopup=menu]").click()
    expect(page.get_by_role("menu")).to_be_visible()


def _close_menu(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)


def _type(page: Page) -> None:
    page.get_by_role("searchbox").press("p")


def _show_found(page: Page) -> None:
    """The list that the search finds is painted by itself, half a second after the last key."""
    page.get_by_role("searchbox").press("Backspace")
    _expect_rows(page)


def _open_filters(page: Page) -> None:
    page.get_by_role("button", name="Filters").click()


def _next_page(page: Page) -> None:
    page.get_by_role("button", name="Next page").click()
    _expect_rows(page)


def _first_page(page: Page) -> None:
    page.get_by_role("button", name="First page").click()
    _expect_rows(page)


STEPS: dict[str, Step] = {
    "sort by a column": _sort,
    "select all rows": _select_all,
    "select one row": _select_row,
    "open a row's menu": _open_menu,
    "close it": _close_menu,
    "type in the search": _type,
    "delete what was typed": _show_found,
    "open or close the filters": _open_filters,
    "go to the next page": _next_page,
    "go back to the first page": _first_page,
}
