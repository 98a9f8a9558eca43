"""Requests to warehouses, by links that the service made."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import httpx

from tessera_client.errors import Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.api import backoff, tls_context
from tessera_core.binary import Buffer
from tessera_core.shards import HEADER_BYTES, MAX_SHARD_BYTES

TIMEOUT = httpx.Timeout(30.0, connect=10.0)
MAX_ATTEMPTS = 4
MAX_OBJECT_BYTES = MAX_SHARD_BYTES + HEADER_BYTES

# Where the providers' signed links lead. A leading dot stands for any subdomain.
_PROVIDER_HOSTS = (
    ".amazonaws.com",
    ".blob.core.windows.net",
    "storage.googleapis.com",
    ".storage.googleapis.com",
    "content.dropboxapi.com",
    ".dropboxusercontent.com",
)
_BLOCK_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Link:
    method: str
    url: str
    headers: Mapping[str, str]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Link":
        return cls(str(data["method"]), str(data["url"]), dict(data["headers"]))


class WarehouseError(Exception):
    """A warehouse did not do what a link asks; `status` is None if it did not answer."""

    def __init__(self, status: int | None) -> None:
        super().__init__("no answer" if status is None else f"status {status}")
        self.status = status


class Bandwidth:
    """Delays transfers so that all of them together stay below a rate, which may change."""

    def __init__(
        self,
        bytes_per_second: int | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.rate = bytes_per_second
        self._clock = clock
        self._sleep = sleep
        self._free_at = 0.0
        self._lock = Lock()

    def wait(self, size: int) -> None:
        rate = self.rate
        if not rate:
            return
        with self._lock:
            now = self._clock()
            self._free_at = max(now, self._free_at) + size / rate
            pause = self._free_at - now
        self._sleep(pause)


class Warehouses:
    """Sends and fetches objects; thread-safe."""

    def __init__(
        self,
        origin: str,
        allowed_hosts: Collection[str] = (),
        *,
        bandwidth: Bandwidth | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._origin = origin
        self._allowed = frozenset(allowed_hosts)
        self._bandwidth = bandwidth or Bandwidth(None)
        limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
        self._http = httpx.Client(
            timeout=TIMEOUT,
            follow_redirects=False,
            transport=transport,
            verify=tls_context(),
            limits=limits,
        )

    def close(self) -> None:
        self._http.close()

    def upload(self, link: Link, *parts: Buffer) -> None:
        """Sends the parts as one object."""
        self.check(link)
        size = sum(len(part) for part in parts)

        def send() -> tuple[int, Buffer]:
            response = self._http.request(
                link.method,
                link.url,
                headers={**link.headers, "Content-Length": str(size)},
                content=self._blocks(parts),
            )
            return response.status_code, b""

        self._attempt(send)

    def download(
        self,
        link: Link,
        *,
        start: int = 0,
        size: int | None = None,
        attempts: int = MAX_ATTEMPTS,
    ) -> Buffer:
        """Fetches an object, or `size` bytes of it from `start` on."""
        self.check(link)
        wanted = {"Range": f"bytes={start}-{start + size - 1}"} if size else {}

        def fetch() -> tuple[int, Buffer]:
            with self._http.stream(
                link.method, link.url, headers={**link.headers, **wanted}
            ) as response:
                content = bytearray()
                for block in response.iter_bytes(_BLOCK_BYTES):
                    self._bandwidth.wait(len(block))
                    content += block
                    if len(content) > MAX_OBJECT_BYTES:
                        raise WarehouseError(response.status_code)
                return response.status_code, content

        status, content = self._attempt(fetch, attempts)
        if size and status != httpx.codes.PARTIAL_CONTENT:
            content = content[start : start + size]
        return content

    def check(self, link: Link) -> None:
        """Refuses links to places that have no business with the user's files."""
        parts = urlsplit(link.url)
        host = parts.hostname or ""
        if f"{parts.scheme}://{parts.netloc}" == self._origin:
            return
        known = any(
            host.endswith(each) if each.startswith(".") else host == each
            for each in _PROVIDER_HOSTS
        )
        if parts.scheme != "https" or not (known or host in self._allowed):
            raise Refused(
                translate("errors.link_host_refused", host=host or link.url),
                code="link_host_refused",
            )

    def _blocks(self, parts: Sequence[Buffer]) -> Iterator[bytes]:
        for part in parts:
            view = memoryview(part)
            for start in range(0, len(view), _BLOCK_BYTES):
                block = view[start : start + _BLOCK_BYTES]
                self._bandwidth.wait(len(block))
                yield bytes(block)

    def _attempt(
        self, send: Callable[[], tuple[int, Buffer]], attempts: int = MAX_ATTEMPTS
    ) -> tuple[int, Buffer]:
        """Tries again after failures that may pass; redirects count as failures."""
        attempt = 1
        while True:
            status: int | None = None
            try:
                status, content = send()
                if httpx.codes.is_success(status):
                    return status, content
            except httpx.TransportError:
                pass
            passing = status is None or status == 429 or status >= 500
            if not passing or attempt == attempts:
                raise WarehouseError(status)
            time.sleep(backoff(attempt))
            attempt += 1


def parse_rate(text: str) -> int:
    """Reads bytes per second, such as 500K or 2M."""
    factors = {"K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
    number, factor = text.strip().upper().removesuffix("B"), 1
    if number[-1:] in factors:
        factor = factors[number[-1]]
        number = number[:-1]
    try:
        rate = int(float(number) * factor)
    except ValueError:
        rate = 0
    if rate < 1:
        raise WrongUsage(translate("errors.bad_rate", text=text), code="bad_rate")
    return rate
