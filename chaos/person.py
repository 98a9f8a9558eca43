"""A console user: calls either of the services, and retries when there is no response."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx

from chaos.deployment import Deployment
from chaos.journal import Journal, Operation

TIMEOUT_SECONDS = 120.0
AGAIN = {"registration_under_way", "payment_under_way", "busy"}


class Unanswered(Exception):
    """No attempt got a response, so the outcome is unknown."""


class Refused(Exception):
    def __init__(self, answer: httpx.Response) -> None:
        self.status = answer.status_code
        self.code = _code(answer)
        self.content = _content(answer)
        super().__init__(f"{answer.request.method} {answer.request.url.path}: {answer.text[:300]}")


@dataclass
class Person:
    deployment: Deployment
    journal: Journal
    http: httpx.AsyncClient
    dice: random.Random

    async def do(
        self,
        operation: Operation,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        *,
        seen: Callable[[], Awaitable[bool]] | None = None,
        **more: Any,
    ) -> Any:
        """Records the operation and sends it until there is a response, or, where a retry would
        repeat the effect, until `seen` confirms that it was done."""
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while self.deployment.may_retry(give_up):
            attempt = self.journal.attempt(operation)
            marked = {**(headers or {}), "X-Request-Id": attempt.request_id}
            answer = await self._send(method, path, marked, more)
            if answer is None:
                self.journal.answered(attempt, None, "")
            else:
                self.journal.answered(attempt, answer.status_code, _code(answer))
                if attempt.answer == "yes":
                    return _content(answer)
                if attempt.answer == "no" and attempt.code not in AGAIN:
                    raise Refused(answer)
            await asyncio.sleep(self.dice.uniform(0.2, 1.5))
            if seen is not None and await seen():
                return None
        raise Unanswered(operation.kind)

    async def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any
    ) -> Any:
        """Sends a call that needs no journal entry, and retries it until there is a response."""
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while self.deployment.may_retry(give_up):
            answer = await self._send(method, path, headers or {}, more)
            if answer is not None and answer.is_success:
                return _content(answer)
            if answer is not None and answer.status_code < 500:
                raise Refused(answer)
            await asyncio.sleep(self.dice.uniform(0.2, 1.5))
        raise Unanswered(path)

    async def _send(
        self, method: str, path: str, headers: dict[str, str], more: dict[str, Any]
    ) -> httpx.Response | None:
        url = self.deployment.any_address(self.dice) + path
        try:
            return await self.http.request(method, url, headers=headers, **more)
        except httpx.TransportError:
            return None

    async def sent(self, to: str, page: str = "") -> list[str]:
        """Returns codes sent to a phone, or tokens of mailed links to `page`, newest first."""
        messages = await self.ask("GET", "/api/sandbox/outbox", params={"to": to})
        if not page:
            return [message["code"] for message in messages if message["code"]]
        links = [message["link"] or "" for message in messages]
        return [link.partition("token=")[2] for link in links if f"{page}?token=" in link]

    async def newly_sent(self, to: str, page: str, known: list[str]) -> str:
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while self.deployment.may_retry(give_up):
            for each in await self.sent(to, page):
                if each not in known:
                    return each
            await asyncio.sleep(0.3)
        raise Unanswered(f"nothing sent to {to}")

    async def card_token(self, number: str) -> str:
        card = {"card[number]": number, "card[exp_month]": "12", "card[exp_year]": "2040"}
        return str((await self.ask("POST", "/sandbox/stripe/v1/tokens", data=card))["id"])


def _code(answer: httpx.Response) -> str:
    content = _content(answer)
    return str(content.get("code", "")) if isinstance(content, dict) else ""


def _content(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return answer.text
