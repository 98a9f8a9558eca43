"""Users of a running service; the messages sent to them are read from the sandbox's outbox."""

import asyncio
from typing import Any

import httpx

from tests.security.canary import OUTBOX, Marks


class Guest:
    def __init__(self, client: httpx.AsyncClient, marks: Marks) -> None:
        self.client = client
        self.marks = marks
        self._read: dict[tuple[str, str], int] = {}

    async def call(
        self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        return await self.client.request(method, f"/api{path}", headers=headers, **more)

    async def ok(
        self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        answer = await self.call(method, path, headers, **more)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        return answer

    async def sent(self, to: str, what: str) -> dict[str, Any]:
        """Waits for the next message that contains a code, or a link to a page."""
        for _ in range(300):
            messages = (await self.ok("GET", "/sandbox/outbox", params={"to": to})).json()
            holding = [message for message in messages if what in (message["link"] or "code")]
            if len(holding) > self._read.get((to, what), 0):
                self._read[to, what] = len(holding)
                newest: dict[str, Any] = holding[0]
                return newest
            await asyncio.sleep(0.1)
        raise AssertionError(f"nothing was sent to {to}")

    async def code(self, to: str) -> str:
        return self.marks.keep("code", (await self.sent(to, "code"))["code"], OUTBOX)

    async def token(self, to: str, page: str) -> str:
        link = str((await self.sent(to, page))["link"])
        return self.marks.keep("link", link.partition("token=")[2], OUTBOX)

    def session(self, token: str) -> dict[str, str]:
        """Marks the parts of a session token, which must not be stored anywhere."""
        for part in token.split("."):
            self.marks.keep("session", part)
        return {"Authorization": f"Bearer {token}"}

    async def log_in(self, email: str, secret: str, phone_number: str) -> dict[str, str]:
        body = {"emailAddress": email, "password": secret}
        await self.ok("POST", "/auth/login-onboard", json=body)
        body["otp"] = await self.code(phone_number)
        answer = await self.ok("POST", "/auth/verify-otp", json=body)
        return self.session(answer.json()["access_token"])
