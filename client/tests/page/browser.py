"""A browser that uses the local page's server, without a window."""

import time
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.testclient import TestClient

from tessera_client.ui.page import Page
from tessera_client.ui.schemas import PageState

PORT = 4711
HERE = f"http://127.0.0.1:{PORT}"
CALL = {"x-tessera-page": "1"}


def show(state: PageState) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(state)
    return shown


class Browser:
    """A browser that has opened the one-time link."""

    def __init__(self, client: TestClient, page: Page) -> None:
        self.client = client
        self.page = page
        assert client.get(page.keys.new_link(), follow_redirects=False).status_code == 200

    def get(self, call: str, /, **query: str) -> Any:
        return self._read(self.client.get(f"/api/{call}", params=query, headers=CALL))

    def post(self, call: str, /, **body: object) -> Any:
        return self._read(self.client.post(f"/api/{call}", json=body, headers=CALL))

    def refused(self, call: str, /, **body: object) -> str:
        answer = self.client.post(f"/api/{call}", json=body, headers=CALL)
        assert not answer.is_success
        return str(answer.json()["code"])

    def upload(self, space: str, path: str, content: bytes) -> None:
        query = {"space": space, "path": path, "modified": "1700000000000"}
        self._read(self.client.put("/api/uploads", params=query, content=content, headers=CALL))
        self.wait("done", path)

    def wait(self, state: str, path: str) -> dict[str, Any]:
        """Waits until a transfer has a state; the last one of the path counts."""
        deadline = time.monotonic() + 30
        while True:
            rows: list[dict[str, Any]] = self.shown()["transfers"]
            rows = [row for row in rows if row["path"] == path]
            if rows and rows[-1]["state"] == state:
                return rows[-1]
            assert time.monotonic() < deadline, rows
            time.sleep(0.01)

    def shown(self) -> dict[str, Any]:
        """What the page shows, taken in the server's thread."""
        assert self.client.portal
        return show(self.client.portal.call(self.page.state))

    def wait_for_phase(self, phase: str) -> dict[str, Any]:
        return self.wait_until(lambda shown: shown["phase"] == phase)

    def wait_until(self, is_shown: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        deadline = time.monotonic() + 30
        while not is_shown(shown := self.shown()):
            assert time.monotonic() < deadline, shown
            time.sleep(0.01)
        return shown

    @staticmethod
    def _read(answer: Any) -> Any:
        assert answer.is_success, answer.text
        return answer.json()


def space_of(browser: Browser) -> str:
    (listing,) = browser.page.session.listings
    return str(listing)
