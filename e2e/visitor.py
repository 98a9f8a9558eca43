"""What a person does again and again: open a page, read a code on the phone, sign in."""

import time
from dataclasses import dataclass
from typing import Any

import httpx
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PASSWORD = "mosaic-Tile-2026"


@dataclass(frozen=True)
class Account:
    email: str
    phone: str


ADMIN = Account("admin@tessera.test", "+12025550100")
LEADER = Account("leader@northwind.test", "+12025550101")
MEMBER = Account("member@northwind.test", "+12025550102")


class Visitor:
    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

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

    def assert_accessible(self) -> None:
        """No transition may be under way: half-faded text has half its contrast."""
        self.page.wait_for_timeout(300)
        found = Axe().run(self.page)
        assert found.violations_count == 0, found.generate_report()
