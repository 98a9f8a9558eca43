"""Browser tests drive the real server, in sandbox mode, with a real Chromium."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from browser import FLAGS, system_browser
from server import Server, running_server
from visitor import Visitor

RESULTS = Path(__file__).parent / "results"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=list(FLAGS))
        yield browser
        browser.close()


def _look(request: pytest.FixtureRequest) -> dict[str, Any]:
    marker = request.node.get_closest_marker("look")
    wanted = dict(marker.kwargs) if marker else {}
    if hasattr(request.node, "callspec"):
        names = {"language", "theme", "phone"}
        wanted |= {n: v for n, v in request.node.callspec.params.items() if n in names}
    return wanted


@pytest.fixture
def context(
    browser: Browser, server: Server, request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A fresh profile. A marker `look(language=..., theme=..., phone=True)` changes it."""
    wanted = _look(request)
    context = browser.new_context(
        base_url=server.address,
        locale={"en": "en-US", "tr": "tr-TR", "ar": "ar-EG"}[wanted.get("language", "en")],
        color_scheme=wanted.get("theme", "light"),
        viewport={"width": 390, "height": 844}
        if wanted.get("phone")
        else {"width": 1280, "height": 860},
        reduced_motion="reduce",
    )
    context.set_default_timeout(40_000)
    expect.set_options(timeout=20_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Fails the test on errors in the console, and keeps a picture when the test failed."""
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console",
        lambda message: (
            problems.append(message.text)
            if message.type == "error" and "Failed to load resource" not in message.text
            else None
        ),
    )
    failed_before = request.session.testsfailed
    yield page
    if request.session.testsfailed > failed_before:
        RESULTS.mkdir(exist_ok=True)
        page.screenshot(path=RESULTS / f"{request.node.name}.png", full_page=True)
    assert problems == []


@pytest.fixture
def visitor(page: Page, server: Server, request: pytest.FixtureRequest) -> Visitor:
    return Visitor(page, server.address, str(_look(request).get("language", "en")))
