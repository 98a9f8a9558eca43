"""Measures what happens to callers when four times as many calls arrive as one process answers: of
one company, and of many. Somebody of another company calls all the while."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from bench.lists import MEMBERS
from bench.load import request_bytes, send, status_of
from bench.service import RunningService, new_company, new_session, running_service
from bench.side_by_side import A_COMPANY, CONNECTIONS, REQUESTS, tessera

TIMES, COMPANIES, CALLERS = 4, 50, 1_000
SECONDS, CALM_A_SECOND = 15.0, 20.0


@dataclass
class Waits:
    """Seconds until an answer, by status."""

    of: dict[int, list[float]] = field(default_factory=dict)

    def count(self, status: int) -> int:
        return len(self.of.get(status, ()))

    def text(self, status: int) -> str:
        waits = sorted(self.of.get(status, ()))
        if not waits:
            return "| | | "
        p50, p99 = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
        return " ".join(f"| {wait * 1000:,.0f}" for wait in (p50, p99, waits[-1])) + " "


class _Caller(asyncio.Protocol):
    """Sends a request at fixed times, if the one before has been answered."""

    def __init__(self, request: bytes, waits: Waits) -> None:
        self._request = request
        self._waits = waits
        self._seen = b""
        self._sent: float | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def send(self) -> None:
        if self._sent is None:
            self._sent = time.perf_counter()
            self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._seen += data
        status = status_of(self._seen)
        if status is None:
            return
        assert self._sent is not None
        self._waits.of.setdefault(status, []).append(time.perf_counter() - self._sent)
        self._seen, self._sent = b"", None

    def close(self) -> None:
        assert self._sent is None, "a call was not answered"
        self._transport.close()


async def _call(url: str, sessions: Sequence[dict[str, str]], callers: int, rate: float) -> Waits:
    """`rate` calls a second, spread evenly over the callers."""
    waits, address, loop = Waits(), urlsplit(url), asyncio.get_running_loop()
    opened = []
    for _, headers in zip(range(callers), itertools.cycle(sessions), strict=False):
        new_caller = partial(_Caller, request_bytes("GET", url, headers), waits)
        _, caller = await loop.create_connection(
            new_caller, address.hostname or "", address.port or 80
        )
        opened.append(caller)
    started = loop.time()
    for number, caller in zip(range(int(rate * SECONDS)), itertools.cycle(opened), strict=False):
        await asyncio.sleep(started + number / rate - loop.time())
        caller.send()
    await asyncio.sleep(5)
    for caller in opened:
        caller.close()
    return waits


def measure() -> str:
    return asyncio.run(_measure())


async def _session(place: RunningService) -> dict[str, str]:
    company = await new_company(place.owner)
    await place.owner.execute(MEMBERS, company, A_COMPANY)
    return place.authorize(await new_session(place.owner, company, "teamLeader"))


async def _measure() -> str:
    async with running_service() as place:
        other, *many = [await _session(place) for _ in range(COMPANIES + 1)]
        await place.owner.execute("VACUUM ANALYZE")
        with tessera(place, workers=1) as server:
            url = server.address + server.members
            loads = [
                await send(url, many[0], requests=REQUESTS, connections=CONNECTIONS)
                for _ in range(2)
            ]
            carried = loads[-1].a_second
            rows = [
                _row("no load", Waits(), await _calm(url, other), carried),
                await _overloaded("one company", url, other, many[:1], carried),
                await _overloaded(f"{COMPANIES} companies", url, other, many, carried),
            ]
    return "\n".join(
        [
            "## Overload",
            "",
            f"Lists of members, {A_COMPANY:,} in each company, in one process, which answers"
            f" {carried:,.0f} a second to {CONNECTIONS} callers. For {SECONDS:.0f} s, {CALLERS:,}"
            f" callers send {TIMES} times as many, of one company or of {COMPANIES}; somebody of"
            f" another company sends {CALM_A_SECOND:.0f} a second. Milliseconds: median, 99 of 100"
            " are below, longest.",
            "",
            "| load of | answered, of what it carries | | | | refused | | | | the other: answered"
            " | | | refused |",
            "|" + "---|" * 13,
            *rows,
        ]
    )


async def _calm(url: str, other: dict[str, str]) -> Waits:
    return await _call(url, [other], 4, CALM_A_SECOND)


async def _overloaded(
    name: str, url: str, other: dict[str, str], many: Sequence[dict[str, str]], carried: float
) -> str:
    load, calm = await asyncio.gather(_call(url, many, CALLERS, TIMES * carried), _calm(url, other))
    return _row(name, load, calm, carried)


def _row(name: str, load: Waits, calm: Waits, carried: float) -> str:
    answered = f"{load.count(200) / SECONDS / carried:.2f}" if load.of else ""
    refused = f"{load.count(503):,}" if load.of else ""
    return (
        f"| {name} | {answered} {load.text(200)}| {refused} {load.text(503)}"
        f"{calm.text(200)}| {calm.count(503)} |"
    )
