"""Whether a cloud lets the page of a share read from it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from tessera.integrations.clouds.browsers import NO_ORIGIN, lets_browsers_read
from tessera.integrations.clouds.protocol import CloudError, ConnectionFailure, Link, LinkTarget

ORIGIN = "https://share.example.com"


class LinksOnly:
    def __init__(self, link: Link | CloudError) -> None:
        self._link = link

    async def links(
        self, targets: Sequence[LinkTarget], *, seconds: int
    ) -> list[Link | CloudError]:
        return [self._link for _ in targets]


@asynccontextmanager
async def cloud(head: str, asked: list[str] | None = None) -> AsyncIterator[LinksOnly]:
    """Answers with this head, whatever it is asked."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        if asked is not None:
            asked.append(request.decode())
        writer.write(f"HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}/object?signature=1"
        yield LinksOnly(Link("GET", url, {"X-Needed": "1"}, datetime.now(UTC)))


@pytest.mark.parametrize(
    ("head", "origin", "expected"),
    [
        ("200 OK\r\nAccess-Control-Allow-Origin: *", ORIGIN, True),
        ("200 OK\r\nAccess-Control-Allow-Origin: *", NO_ORIGIN, True),
        (f"200 OK\r\nAccess-Control-Allow-Origin: {ORIGIN}", ORIGIN, True),
        ("200 OK\r\nAccess-Control-Allow-Origin: https://other.example", ORIGIN, False),
        (f"200 OK\r\nAccess-Control-Allow-Origin: {ORIGIN}", NO_ORIGIN, False),
        ("200 OK", ORIGIN, False),
        ("403 Forbidden\r\nAccess-Control-Allow-Origin: *", ORIGIN, False),
    ],
)
async def test_origin_that_the_cloud_allows_decides_whether_browsers_may_read(
    head: str, origin: str, expected: bool
) -> None:
    asked: list[str] = []
    async with cloud(head, asked) as stub:
        assert await lets_browsers_read(stub, "x", origin) is expected  # type: ignore[arg-type]
    assert f"Origin: {origin}\r\n" in asked[0]
    assert "X-Needed: 1\r\n" in asked[0]


@pytest.mark.parametrize(
    "link",
    [
        CloudError(ConnectionFailure.UNREACHABLE),
        Link("GET", "http://127.0.0.1:1/", {}, datetime.now(UTC)),
        Link("GET", "http://[", {}, datetime.now(UTC)),
    ],
)
async def test_no_answer_is_unknown(link: Link | CloudError) -> None:
    assert await lets_browsers_read(LinksOnly(link), "x", ORIGIN) is None  # type: ignore[arg-type]
