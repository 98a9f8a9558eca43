"""The server's own hash of the derived secret. The password itself never reaches the server."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import TypeVar

import prometheus_client
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tessera.auth.errors import HashingBusy
from tessera.kit.concurrency import background_threads

T = TypeVar("T")

REFUSED = prometheus_client.Counter("tessera_hashes_refused_total", "Logins refused while busy")

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_THREADS = 2
_threads = background_threads("argon2", _THREADS)


class HashQueue:
    """Decides who hashes next. Callers that are known (a session, a link, a device that has logged
    in before) go before unknown ones. Each queue is bounded, and so is the part of it that one
    origin may fill, so that a flood makes nobody wait long: it is refused."""

    MAX_KNOWN = 100
    MAX_UNKNOWN = 40
    MAX_PER_ORIGIN = 10

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._known: deque[asyncio.Future[None]] = deque()
        self._unknown: deque[asyncio.Future[None]] = deque()
        self._origins: Counter[str] = Counter()

    def check_room(self, unknown_origin: str | None) -> None:
        """`unknown_origin` is None for a known caller."""
        if unknown_origin is None:
            full = len(self._known) >= self.MAX_KNOWN
        else:
            full = (
                len(self._unknown) >= self.MAX_UNKNOWN
                or self._origins[unknown_origin] >= self.MAX_PER_ORIGIN
            )
        if full:
            REFUSED.inc()
            raise HashingBusy(retry_after=2)

    @asynccontextmanager
    async def turn(self, unknown_origin: str | None) -> AsyncIterator[None]:
        await self._wait(unknown_origin)
        try:
            yield
        finally:
            self._release()

    async def _wait(self, unknown_origin: str | None) -> None:
        if self._free:
            self._free -= 1
            return
        self.check_room(unknown_origin)
        turn = asyncio.get_running_loop().create_future()
        (self._known if unknown_origin is None else self._unknown).append(turn)
        if unknown_origin is not None:
            self._origins[unknown_origin] += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release()
            raise
        finally:
            if unknown_origin is not None:
                self._origins[unknown_origin] -= 1
                if not self._origins[unknown_origin]:
                    del self._origins[unknown_origin]

    def _release(self) -> None:
        for queue in (self._known, self._unknown):
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1


_queue = HashQueue(_THREADS)


def check_room(unknown_origin: str | None = None) -> None:
    """Raises if a hash would be refused now. Call it before counting an attempt."""
    _queue.check_room(unknown_origin)


async def hash_secret(secret: str) -> str:
    return await _run(None, _hasher.hash, secret)


async def secret_matches(
    password_hash: str | None, secret: str, *, unknown_origin: str | None = None
) -> bool:
    """Takes the same time if there is no account to compare with."""
    stored = password_hash or _dummy_hash()
    matches = await _run(unknown_origin, _verify, stored, secret)
    return matches and password_hash is not None


async def _run(unknown_origin: str | None, function: Callable[..., T], *arguments: str) -> T:
    async with _queue.turn(unknown_origin):
        return await asyncio.get_running_loop().run_in_executor(_threads, function, *arguments)


def _verify(stored: str, secret: str) -> bool:
    try:
        return _hasher.verify(stored, secret)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _dummy_hash() -> str:
    return _hasher.hash("nobody has this secret")
