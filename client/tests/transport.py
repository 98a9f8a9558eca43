"""Requests that a function answers, instead of a network."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from tessera_client.transfer.network import NoAnswer
from tessera_core.binary import Buffer


@dataclass(frozen=True)
class MemoryResponse:
    status: int
    headers: httpx.Headers
    length: int
    body: io.BytesIO

    def read(self, size: int) -> bytes:
        return self.body.read(size)

    def readinto(self, buffer: memoryview) -> int:
        return self.body.readinto(buffer)


@dataclass(frozen=True)
class MemoryTransport:
    answer: Callable[[httpx.Request], httpx.Response]

    @contextmanager
    def send(
        self, method: str, url: str, headers: Mapping[str, str], body: Iterable[Buffer] = ()
    ) -> Iterator[MemoryResponse]:
        content = b"".join(body)
        try:
            given = self.answer(httpx.Request(method, url, headers=headers, content=content))
        except httpx.TransportError as error:
            raise NoAnswer from error
        yield MemoryResponse(
            given.status_code, given.headers, len(given.content), io.BytesIO(given.content)
        )

    def close(self) -> None:
        pass
