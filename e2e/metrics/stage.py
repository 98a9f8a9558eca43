"""A server and a browser to measure with."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from browser import FLAGS, system_browser
from server import Server, running_server


@contextmanager
def stage() -> Iterator[tuple[Server, Browser]]:
    with running_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=list(FLAGS))
        yield server, browser
        browser.close()
