"""An authenticator app for tests, and the calls around it."""

from base64 import b32decode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx

from tessera.kit import clock, totp
from tessera.kit.database import Connection
from tests.factories.accounts import Outbox, User


class Clock:
    """The service's clock, stopped, and advanced by hand: a code is accepted once, so tests need
    later ones. While it runs, a step may end between any two calls of a test."""

    def __init__(self) -> None:
        self._now = clock.now()

    def now(self) -> datetime:
        return self._now

    def next_step(self) -> None:
        self._now += timedelta(seconds=totp.STEP_SECONDS)


@dataclass
class App:
    """The authenticator app on the user's phone."""

    secret: bytes
    time: Clock
    recovery_codes: list[str]

    def code(self, steps: int = 0) -> str:
        return totp.code_at(self.secret, totp.step_at(self.time.now()) + steps)

    def next_code(self) -> str:
        self.time.next_step()
        return self.code()

    def wrong_code(self) -> str:
        good = {self.code(steps) for steps in (-1, 0, 1)}
        return next(code for code in ("000000", "111111", "222222", "333333") if code not in good)


async def set_up(
    client: httpx.AsyncClient, headers: dict[str, str], time: Clock, *, confirmed: bool = True
) -> App:
    started = await client.post("/api/auth/authenticator", headers=headers)
    assert started.status_code == 200
    secret = b32decode(started.json()["secret"])
    app = App(secret, time, [])
    if confirmed:
        answer = await client.post(
            "/api/auth/authenticator/confirm", json={"otp": app.code()}, headers=headers
        )
        assert answer.status_code == 200
        app.recovery_codes = answer.json()["recoveryCodes"]
    return app


async def enter_code(client: httpx.AsyncClient, user: User, otp: str) -> httpx.Response:
    return await client.post("/api/auth/verify-otp", json={**user.credentials, "otp": otp})


async def outcome(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


async def actions(platform: Connection) -> list[str]:
    rows = await platform.fetch("SELECT action FROM activity ORDER BY id")
    return [row["action"] for row in rows]


async def mails(outbox: Outbox, user: User) -> list[str]:
    return [each["subject"] for each in await outbox.messages() if each["to"] == user.email]


async def read(client: httpx.AsyncClient, headers: dict[str, str]) -> dict[str, Any]:
    answer = await client.get("/api/auth/second-factor", headers=headers)
    found: dict[str, Any] = answer.json()
    return found
