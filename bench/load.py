"""A minimal HTTP client with little overhead, so that the server is what is measured."""

import asyncio
import itertools
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit

Key = TypeVar("Key")


@dataclass(frozen=True)
class Load:
    a_second: float
    p50: float
    p99: float


async def interleave(
    calls: Mapping[Key, Callable[[], Awaitable[Load]]], rounds: int
) -> dict[Key, list[Load]]:
    """Makes each call once in every round; the first round does not count."""
    loads: dict[Key, list[Load]] = {key: [] for key in calls}
    for number in range(rounds + 1):
        for key, call in calls.items():
            load = await call()
            if number:
                loads[key].append(load)
    return loads


def median_rate(loads: Iterable[Load]) -> float:
    return statistics.median(load.a_second for load in loads)


def median_tail(loads: Iterable[Load]) -> float:
    """p99, of p50."""
    return statistics.median(load.p99 / load.p50 for load in loads)


def status_of(seen: bytes) -> int | None:
    """None while the response is not complete."""
    head, found, body = seen.partition(b"\r\n\r\n")
    if not found:
        return None
    lengths = [
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    ]
    return int(head[9:12]) if len(body) >= lengths[0] else None


class _Connection(asyncio.Protocol):
    """Sends one request after the other, of its own or shared with other connections."""

    def __init__(self, requests: Iterator[bytes], waits: list[float]) -> None:
        self._requests = requests
        self._waits = waits
        self._seen = b""
        self._started = 0.0
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def _send(self) -> None:
        request = next(self._requests, None)
        if request is None:
            self._transport.close()
            return
        self._started = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._seen += data
        status = status_of(self._seen)
        if status is None:
            return
        if status != 200:
            self.done.set_exception(AssertionError(self._seen[:400]))
            self._transport.close()
            return
        self._waits.append(time.perf_counter() - self._started)
        self._seen = b""
        self._send()

    def connection_lost(self, _: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def send(url: str, headers: dict[str, str], *, requests: int, connections: int) -> Load:
    shared = itertools.repeat(request_bytes("GET", url, headers), requests)
    return await _run(url, [shared] * connections, requests)


async def post(headers: dict[str, str], calls: Iterable[tuple[str, list[bytes]]]) -> Load:
    """Opens a connection for each address, which sends the bodies in order."""
    lists = [
        (url, [request_bytes("POST", url, headers, body) for body in own]) for url, own in calls
    ]
    total = sum(len(own) for _, own in lists)
    return await _run(lists[0][0], [iter(own) for _, own in lists], total)


def request_bytes(
    method: str, url: str, headers: dict[str, str], body: bytes | None = None
) -> bytes:
    address = urlsplit(url)
    if body is not None:
        length = str(len(body))
        headers = {**headers, "Content-Type": "application/json", "Content-Length": length}
    lines = [
        f"{method} {address.path}?{address.query} HTTP/1.1",
        f"Host: {address.netloc}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b"")


async def _run(url: str, requests: list[Iterator[bytes]], total: int) -> Load:
    address = urlsplit(url)
    waits = list[float]()
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    opened = await asyncio.gather(
        *(
            loop.create_connection(
                partial(_Connection, own, waits), address.hostname or "", address.port or 80
            )
            for own in requests
        )
    )
    await asyncio.gather(*(protocol.done for _, protocol in opened))
    spent = time.perf_counter() - started
    waits.sort()
    assert len(waits) == total
    return Load(total / spent, waits[len(waits) // 2], waits[int(len(waits) * 0.99)])
