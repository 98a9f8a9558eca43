"""Calls one service all the time and notes when it answers: a list, which reads, and an invitation,
which writes and has a workflow send a mail."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

import httpx

from chaos.company_client import CompanyClient
from chaos.journal import Journal
from tests.fixtures.process import Service

PAUSE = 1.0
PAUSE_AFTER_FAILURE = 0.2
PATIENCE = 180.0


@dataclass
class Probe:
    client: CompanyClient
    service: Service
    journal: Journal
    http: httpx.AsyncClient
    # When each call that was answered began and ended; for writes, with the invited address.
    reads: list[tuple[float, float]] = field(default_factory=list)
    writes: list[tuple[float, float, str]] = field(default_factory=list)

    async def work(self, is_over: Callable[[], bool]) -> None:
        while not is_over():
            answered = await self._read() and await self._write()
            await asyncio.sleep(PAUSE if answered else PAUSE_AFTER_FAILURE)

    async def _read(self) -> bool:
        begun = time.monotonic()
        answered = await self._send("GET", "/api/invites", {}) == 200
        if answered:
            self.reads.append((begun, time.monotonic()))
        return answered

    async def _write(self) -> bool:
        begun, address = time.monotonic(), f"{uuid4().hex[:10]}@guest.test"
        operation = self.journal.begin(
            "invite", self.client.uuid, "members.invited", repeats=True
        )  # fmt: skip
        attempt = self.journal.attempt(operation)
        marked = {"X-Request-Id": attempt.request_id}
        status = await self._send(
            "POST", "/api/invite/users/", marked, json=[{"email_address": address}]
        )
        self.journal.answered(attempt, status, "")
        if attempt.answer == "yes":
            self.writes.append((begun, time.monotonic(), address))
        return attempt.answer == "yes"

    async def _send(
        self, method: str, path: str, headers: dict[str, str], **more: object
    ) -> int | None:
        url = self.service.address + path
        headers = {**self.client.headers, **headers}
        try:
            answer = await self.http.request(method, url, headers=headers, **more)  # type: ignore[arg-type]
        except httpx.TransportError:
            return None
        return answer.status_code

    async def read_after(self, moment: float) -> float:
        """Seconds until the first list was answered that was asked for after the moment."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for begun, ended in self.reads:
                    if begun > moment:
                        return ended - moment
                await asyncio.sleep(0.1)

    async def written_after(self, moment: float) -> float:
        _, ended, _ = await self._write_after(moment)
        return ended - moment

    async def mailed_after(self, moment: float) -> float:
        _, _, address = await self._write_after(moment)
        await self.client.person.newly_sent(address, "/register", [])
        return time.monotonic() - moment

    async def _write_after(self, moment: float) -> tuple[float, float, str]:
        async with asyncio.timeout(PATIENCE):
            while True:
                for begun, ended, address in self.writes:
                    if begun > moment:
                        return begun, ended, address
                await asyncio.sleep(0.1)
