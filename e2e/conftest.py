"""Fixtures for browser tests, which drive the real server in sandbox mode with a real Chromium.
Each worker starts one server; a test that changes data does so in its own company."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from accounts import Company
from browser import FLAGS, system_browser
from device import Device, new_context
from server import Server, running_server
from user import User

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


@pytest.fixture
def device(request: pytest.FixtureRequest) -> Device:
    """Set by a marker `device(language=..., theme=..., phone=True)` or by parameters of these
    names."""
    marker = request.node.get_closest_marker("device")
    wanted = dict(marker.kwargs) if marker else {}
    if hasattr(request.node, "callspec"):
        names = {field.name for field in fields(Device)}
        wanted |= {n: v for n, v in request.node.callspec.params.items() if n in names}
    return Device(**wanted)


@pytest.fixture
def context(browser: Browser, server: Server, device: Device) -> Iterator[BrowserContext]:
    """A fresh browser profile; companies that the test created are removed afterwards."""
    context = new_context(browser, server.address, device)
    yield context
    context.close()
    server.factory.remove_companies()


@pytest.fixture
def page(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Fails the test on console errors, and saves a screenshot if the test failed."""
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
def guest(browser: Browser, server: Server, device: Device) -> Iterator[Page]:
    """The fresh browser of somebody without an account, which must report nothing."""
    context = new_context(browser, server.address, device)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on(
        "console",
        lambda message: (
            problems.append(message.text)
            if message.type == "error"
            and not re.search("Failed to load resource|blocked by CORS", message.text)
            else None
        ),
    )
    yield page
    assert context.cookies() == []
    context.close()
    assert problems == []


@pytest.fixture
def user(page: Page, server: Server, device: Device) -> User:
    return User(page, server, device.language)


@pytest.fixture
def company(server: Server, device: Device) -> Company:
    """A new company with a leader and a member, whose accounts use the test's language."""
    return server.factory.company(language=device.language)
