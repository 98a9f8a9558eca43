"""Requests to warehouses, by links that the service made."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from tessera_client.errors import Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.api import backoff
from tessera_client.transfer.http import (
    BLOCK_BYTES,
    Connections,
    NoAnswer,
    TooLong,
    Transport,
    read_body,
)
from tessera_core.binary import Buffer
from tessera_core.shards import HEADER_BYTES, MAX_SHARD_BYTES

TIMEOUT_SECONDS = 30.0
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
_PARTIAL_CONTENT = 206


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
        transport: Transport | None = None,
    ) -> None:
        self._origin = origin
        self._allowed = frozenset(allowed_hosts)
        self._bandwidth = bandwidth or Bandwidth(None)
        self._http = transport or Connections(TIMEOUT_SECONDS)

    def close(self) -> None:
        self._http.close()

    def upload(self, link: Link, *parts: Buffer) -> None:
        """Sends the parts as one object."""
        self.check(link)
        headers = {**link.headers, "Content-Length": str(sum(len(part) for part in parts))}

        def send() -> tuple[int, Buffer]:
            with self._http.send(link.method, link.url, headers, self._blocks(parts)) as response:
                return response.status, read_body(response, MAX_OBJECT_BYTES)

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
        headers = {**link.headers, **wanted}

        def fetch() -> tuple[int, Buffer]:
            with self._http.send(link.method, link.url, headers) as response:
                content = read_body(response, MAX_OBJECT_BYTES, self._bandwidth.wait)
                return response.status, content

        status, content = self._attempt(fetch, attempts)
        if size and status != _PARTIAL_CONTENT:
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

    def _blocks(self, parts: Sequence[Buffer]) -> Iterator[Buffer]:
        for part in parts:
            view = memoryview(part)
            for start in range(0, len(view), BLOCK_BYTES):
                block = view[start : start + BLOCK_BYTES]
                self._bandwidth.wait(len(block))
                yield block

    def _attempt(
        self, send: Callable[[], tuple[int, Buffer]], attempts: int = MAX_ATTEMPTS
    ) -> tuple[int, Buffer]:
        """Tries again after failures that may pass; redirects count as failures."""
        attempt = 1
        while True:
            status: int | None = None
            try:
                status, content = send()
                if 200 <= status < 300:
                    return status, content
            except NoAnswer:
                pass
            except TooLong:
                raise WarehouseError(None) from None
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
