"""A minimal HTTP client with little overhead, so that the server is what is measured."""

import asyncio
import time
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Load:
    a_second: float
    p50: float
    p99: float


class _Connection(asyncio.Protocol):
    """Sends one request after the other until the shared budget is used up."""

    def __init__(self, request: bytes, budget: list[int], waits: list[float]) -> None:
        self._request = request
        self._budget = budget
        self._waits = waits
        self._seen = b""
        self._started = 0.0
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def _send(self) -> None:
        if self._budget[0] == 0:
            self._transport.close()
            return
        self._budget[0] -= 1
        self._started = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._seen += data
        head, found, body = self._seen.partition(b"\r\n\r\n")
        if not found:
            return
        lengths = [
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        ]
        if len(body) < lengths[0]:
            return
        if not head.startswith(b"HTTP/1.1 200"):
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
    address = urlsplit(url)
    lines = [
        f"GET {address.path}?{address.query} HTTP/1.1",
        f"Host: {address.netloc}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    budget, waits = [requests], list[float]()
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    opened = await asyncio.gather(
        *(
            loop.create_connection(
                lambda: _Connection(request, budget, waits), address.hostname, address.port
            )
            for _ in range(connections)
        )
    )
    await asyncio.gather(*(protocol.done for _, protocol in opened))
    spent = time.perf_counter() - started
    waits.sort()
    assert len(waits) == requests
    return Load(requests / spent, waits[len(waits) // 2], waits[int(len(waits) * 0.99)])
