"""The system to which a company has its activity sent. It keeps everything that arrives; it refuses
some of it, or answers late, or refuses what it has taken."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from chaos.faulty_proxy import respond, serving
from tests.fixtures.webhook_receiver import documented_verify

# By weight. "Taken, and refused" keeps the records, and "late" answers when nobody waits any more.
FAULTS = {"refused": 3, "taken, and refused": 3, "slow": 2, "late": 1}
FAILING_SHARE = 0.5
# Longer than the service waits.
TOO_LONG = 11.0
EVENT = "activity.recorded"

Verify = Callable[[str, dict[str, str], bytes], bool]


@dataclass
class Arrival:
    id: str
    body: bytes
    is_signed: bool
    # Whether the records were kept, and whether the service was told so.
    taken: bool = True
    confirmed: bool = False

    @property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.body)["data"]
        return data


@dataclass
class StreamReceiver:
    dice: random.Random
    address: str = ""
    secret: str = field(default="", repr=False)
    arrivals: list[Arrival] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    # Set, it takes everything at once.
    is_calm: asyncio.Event = field(default_factory=asyncio.Event)
    _verify: Verify = field(default_factory=documented_verify)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        request = Request(scope, receive)
        try:
            body = await request.body()
        except ClientDisconnect:
            # The service was killed.
            return
        headers = dict(request.headers)
        status = 204
        # Alerts have another order, and are tested elsewhere.
        if json.loads(body)["type"] == EVENT:
            is_signed = self._verify(self.secret, headers, body)
            status = await self._take(Arrival(headers["webhook-id"], body, is_signed))
        await respond(send, status, b"")

    async def _take(self, arrival: Arrival) -> int:
        self.arrivals.append(arrival)
        fault = self._fault()
        self.counts[f"stream {fault or 'taken'}"] += 1
        if fault == "slow":
            await self._wait(self.dice.uniform(0.2, 2))
        if fault == "late":
            await self._wait(TOO_LONG)
        arrival.taken = fault != "refused"
        arrival.confirmed = fault in {"", "slow", "late"}
        return 204 if arrival.confirmed else 503

    def _fault(self) -> str:
        if self.is_calm.is_set():
            return ""
        # The first batch always fails: a short run has only a few.
        if self.counts and self.dice.random() >= FAILING_SHARE:
            return ""
        return self.dice.choices(list(FAULTS), list(FAULTS.values()))[0]

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self.is_calm.wait(), seconds)
        except TimeoutError:
            return


@asynccontextmanager
async def open_receiver(seed: int) -> AsyncIterator[StreamReceiver]:
    receiver = StreamReceiver(random.Random(f"{seed}-receiver"))
    async with serving(receiver) as address:
        receiver.address = address
        try:
            yield receiver
        finally:
            # Whoever waits for an answer would keep the server.
            receiver.is_calm.set()
