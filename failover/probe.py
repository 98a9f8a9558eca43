"""Calls one service all the time and notes when it answers: a list, which reads, and an invitation,
which writes and has a workflow send a mail. Then asks the other service for the invitation."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from chaos.company_client import CompanyClient
from chaos.journal import Journal

PAUSE = 1.0
PAUSE_AFTER_FAILURE = 0.2
TIMEOUT_SECONDS = 180.0


@dataclass
class Probe:
    client: CompanyClient
    address: str
    other_address: str
    journal: Journal
    http: httpx.AsyncClient
    # When each call that was answered began and ended; for writes, with the invited address.
    reads: list[tuple[float, float]] = field(default_factory=list)
    writes: list[tuple[float, float, str]] = field(default_factory=list)
    # Invitations that the other service was asked for at once, and those that it did not list.
    own_writes: int = 0
    missed: list[str] = field(default_factory=list)

    async def work(self, is_over: Callable[[], bool]) -> None:
        while not is_over():
            answered = await self._read() and await self._write()
            await asyncio.sleep(PAUSE if answered else PAUSE_AFTER_FAILURE)

    async def _read(self) -> bool:
        begun = time.monotonic()
        answer = await self._send("GET", f"{self.address}/api/invites")
        if answer is None or not answer.is_success:
            return False
        self.reads.append((begun, time.monotonic()))
        return True

    async def _write(self) -> bool:
        begun, address = time.monotonic(), f"{uuid4().hex[:10]}@guest.test"
        operation = self.journal.begin(
            "invite", self.client.uuid, "members.invited", repeats=True
        )  # fmt: skip
        attempt = self.journal.attempt(operation)
        answer = await self._send(
            "POST",
            f"{self.address}/api/invite/users/",
            {"X-Request-Id": attempt.request_id},
            json=[{"email_address": address}],
        )
        self.journal.answered(attempt, answer.status_code if answer is not None else None, "")
        if attempt.answer != "yes":
            return False
        self.writes.append((begun, time.monotonic(), address))
        await self._look_for(address)
        return True

    async def _look_for(self, address: str) -> None:
        search = {"searchText": address}
        answer = await self._send("GET", f"{self.other_address}/api/invites", params=search)
        if answer is None or not answer.is_success:
            return
        self.own_writes += 1
        if [each["email_address"] for each in answer.json()["item1"]] != [address]:
            self.missed.append(address)

    async def _send(
        self, method: str, url: str, headers: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response | None:
        headers = {**self.client.headers, **(headers or {})}
        try:
            return await self.http.request(method, url, headers=headers, **more)
        except httpx.TransportError:
            return None

    def longest_wait(self, begun: float, ended: float) -> float:
        """In which no call was answered that was sent between these moments."""
        calls = [*self.reads, *((each[0], each[1]) for each in self.writes)]
        moments = sorted(answered for _, answered in calls if begun < answered < ended)
        both = zip([begun, *moments], [*moments, ended], strict=True)
        return max(later - earlier for earlier, later in both)

    async def read_after(self, moment: float) -> float:
        """When the first list was answered that was asked for after the moment."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                for begun, ended in self.reads:
                    if begun > moment:
                        return ended
                await asyncio.sleep(0.1)

    async def written_after(self, moment: float) -> float:
        _, ended, _ = await self._write_after(moment)
        return ended

    async def mailed_after(self, moment: float) -> float:
        _, _, address = await self._write_after(moment)
        await self.client.person.newly_sent(address, "/register", [])
        return time.monotonic()

    async def _write_after(self, moment: float) -> tuple[float, float, str]:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                for begun, ended, address in self.writes:
                    if begun > moment:
                        return begun, ended, address
                await asyncio.sleep(0.1)
