"""Requests to warehouses, by links that the service made."""

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from threading import Lock

from tessera_client.errors import Refused, WrongUsage
from tessera_client.transfer.answers import Link
from tessera_client.transfer.api import backoff
from tessera_client.transfer.http import (
    BLOCK_BYTES,
    Connections,
    TooLong,
    Transport,
    read_body,
)
from tessera_client.transfer.network import Blocked, NoAnswer
from tessera_core.binary import Buffer
from tessera_core.shards import MAX_SHARD_BYTES, TRAILER_BYTES

TIMEOUT_SECONDS = 30.0
# For the first bytes of a part: the pack can be had from other warehouses.
RANGE_SECONDS = 8.0
# For each block of an object, so that a slow line or the user's own limit can take its time.
BLOCK_SECONDS = 120.0
MAX_ATTEMPTS = 4
MAX_OBJECT_BYTES = MAX_SHARD_BYTES + TRAILER_BYTES

_PARTIAL_CONTENT = 206

# Nothing else is understood the same by everything that reads addresses: no user, no other letters
# than the ones of host names, no empty label, no backslash, no fragment.
_URL = re.compile(
    r"(https?)://([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])(:[0-9]{1,5})?"
    r"(?:/[!$%&'()*+,./0-9:;=@A-Z_a-z~-]*)?(?:\?[!$%&'()*+,./0-9:;=?@A-Z_a-z~-]*)?",
    re.ASCII,
)
_HOST = re.compile(r"[^/]*//([^/?#]+)")
_METHODS = {"GET", "PUT", "POST"}
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_HEADER_VALUE = re.compile(r"[\x20-\x7e]*", re.ASCII)
# They decide where a request goes and where it ends.
_OWN_HEADERS = {"host", "content-length", "transfer-encoding", "connection", "expect", "upgrade"}
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class WarehouseError(Exception):
    """A warehouse did not do what a link asks; `status` is None if it did not answer, and
    `blocked` says why if the network is the reason."""

    def __init__(self, status: int | None, blocked: Blocked | None = None) -> None:
        super().__init__("no answer" if status is None else f"status {status}")
        self.status = status
        self.blocked = blocked


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
        allowed = [origin, *(f"https://{host}" for host in allowed_hosts)]
        self._places = {_place(each.lower()) for each in allowed} - {None}
        self._bandwidth = bandwidth or Bandwidth(None)
        self._http = transport or Connections(TIMEOUT_SECONDS, BLOCK_SECONDS, per_block=True)
        self._ranges = transport or Connections(RANGE_SECONDS, BLOCK_SECONDS, per_block=True)

    def close(self) -> None:
        self._http.close()
        self._ranges.close()

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
        limit: int = MAX_OBJECT_BYTES,
        attempts: int = MAX_ATTEMPTS,
    ) -> Buffer:
        """Fetches an object of at most `limit` bytes, or `size` bytes of it from `start` on."""
        self.check(link)
        wanted = {"Range": f"bytes={start}-{start + size - 1}"} if size else {}
        headers = {**link.headers, **wanted}
        http = self._ranges if size else self._http

        def fetch() -> tuple[int, Buffer]:
            with http.send(link.method, link.url, headers) as response:
                is_part = response.status == _PARTIAL_CONTENT
                most = size if size and is_part else limit
                content = read_body(response, most, self._bandwidth.wait)
                return response.status, content

        status, content = self._attempt(fetch, attempts)
        if size and status != _PARTIAL_CONTENT:
            content = content[start : start + size]
        return content

    def check(self, link: Link) -> None:
        """Refuses links to places that have no business with the user's files."""
        place = _place(link.url)
        is_known = place is not None and (place in self._places or _is_provider(place))
        if not is_known or not _is_sendable(link):
            host = _HOST.match(link.url)
            raise Refused.from_code("link_host_refused", host=host[1] if host else link.url)

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
            blocked: Blocked | None = None
            try:
                status, content = send()
                if 200 <= status < 300:
                    return status, content
            except Blocked as error:
                blocked = error
            except NoAnswer:
                pass
            except TooLong:
                raise WarehouseError(None) from None
            passing = status is None or status == 429 or status >= 500
            if not passing or attempt == attempts or (blocked and not blocked.may_pass):
                raise WarehouseError(status, blocked)
            time.sleep(backoff(attempt))
            attempt += 1


def _place(url: str) -> str | None:
    """Scheme, host and port of an address, the default port left out; None if it is unusual."""
    parts = _URL.fullmatch(url)
    if parts is None:
        return None
    scheme, host, port = parts.groups()
    return f"{scheme}://{host}{port or ''}".removesuffix(_DEFAULT_PORTS[scheme])


def _is_provider(place: str) -> bool:
    from tessera_core.providers import is_link_host  # noqa: PLC0415 - slow, and not always needed

    host = place.removeprefix("https://")
    return host != place and is_link_host(host)


def _is_sendable(link: Link) -> bool:
    return link.method in _METHODS and all(
        _HEADER_NAME.fullmatch(name)
        and _HEADER_VALUE.fullmatch(value)
        and name.lower() not in _OWN_HEADERS
        for name, value in link.headers.items()
    )


def parse_rate(text: str) -> int:
    """Reads bytes per second, such as 500K or 2M."""
    rate = parse_bytes(text)
    if rate < 1:
        raise WrongUsage.from_code("bad_rate", text=text)
    return rate


def parse_bytes(text: str) -> int:
    """0 if it is no number."""
    factors = {"K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
    number, factor = text.strip().upper().removesuffix("B"), 1
    if number[-1:] in factors:
        factor = factors[number[-1]]
        number = number[:-1]
    try:
        return int(float(number) * factor)
    except (ValueError, OverflowError):
        return 0
