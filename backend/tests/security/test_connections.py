"""Silent, slow and greedy clients cost little and do not keep others out."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from tessera import cli
from tessera.kit.http_protocol import LIMITED_PROTOCOL, LimitedHttpProtocol
from tessera.settings import Settings
from tessera.system import card_listener
from tests.fixtures.process import Service, free_port

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Impatient(LimitedHttpProtocol):
    head_seconds = 0.2
    body_seconds = 0.2
    write_seconds = 0.2


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["path"] == "/endless":
        response: Any = StreamingResponse(endless())
    else:
        body = await Request(scope, receive).body()
        response = PlainTextResponse(f"{len(body)} bytes")
    await response(scope, receive, send)


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield b"x" * 65_536
        await asyncio.sleep(0)


Connect = Callable[[], Any]


@asynccontextmanager
async def running(
    protocol: type[LimitedHttpProtocol], maximum: int = 100
) -> AsyncIterator[Connect]:
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        limit_concurrency=maximum,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listening:
        serving = asyncio.create_task(server.serve([listening]))
        port = listening.getsockname()[1]
        try:
            yield lambda: asyncio.open_connection("127.0.0.1", port)
        finally:
            server.should_exit = True
            await serving


async def answered(reader: asyncio.StreamReader) -> bytes:
    """The status line, or nothing if the server closed the connection without a word."""
    try:
        async with asyncio.timeout(20):
            line = await reader.readline()
            if line:
                await reader.readuntil(b"\r\n\r\n")
            return line.strip()
    except ConnectionResetError:
        return b""


class TestTimeLimits:
    @pytest.fixture
    async def connect(self) -> AsyncIterator[Connect]:
        async with running(Impatient) as connect:
            yield connect

    @pytest.mark.parametrize(
        "sent",
        [
            b"",
            b"\r\n",
            b"GET / HT",
            b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        ],
    )
    async def test_a_request_that_never_ends_is_cut_off(
        self, connect: Connect, sent: bytes
    ) -> None:
        reader, writer = await connect()
        writer.write(sent)
        assert await answered(reader) == b""
        writer.close()

    @pytest.mark.parametrize("sent", [b"\r\n", b"GET"])
    async def test_slow_second_request_is_cut_off(
        self, connect: Connect, sent: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Impatient, "head_seconds", 20)
        reader, writer = await connect()
        writer.write(GET)
        assert await answered(reader) == b"HTTP/1.1 200 OK"
        await reader.readexactly(len("0 bytes"))
        monkeypatch.setattr(Impatient, "head_seconds", 0.2)
        writer.write(sent)
        assert await answered(reader) == b""
        writer.close()

    @pytest.mark.extended
    async def test_large_body_on_a_slow_line_arrives(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Impatient, "body_seconds", 3)
        monkeypatch.setattr(Impatient, "body_bytes", 1000)
        reader, writer = await connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n")
        for _ in range(4):
            await asyncio.sleep(1)
            writer.write(b"x" * 1000)
        assert await answered(reader) == b"HTTP/1.1 200 OK"
        writer.close()

    async def test_a_client_that_does_not_read_is_cut_off(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Impatient, "head_seconds", 20)
        lost = asyncio.Event()

        def connection_lost(protocol: Impatient, error: Exception | None) -> None:
            lost.set()
            LimitedHttpProtocol.connection_lost(protocol, error)

        monkeypatch.setattr(Impatient, "connection_lost", connection_lost)
        _, writer = await connect()
        writer.transport.pause_reading()
        writer.write(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(20):
            await lost.wait()
        writer.transport.abort()


class TestHeadBytes:
    @pytest.mark.parametrize(
        "sent",
        [
            b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 40_000,
            b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 40_000 + b"\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"X-Many: x\r\n" * 4_000,
            b"GET /" + b"x" * 40_000,
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: "
            + b"x" * 40_000,
        ],
    )
    async def test_request_head_over_the_limit_is_refused(self, sent: bytes) -> None:
        async with running(LimitedHttpProtocol) as connect:
            reader, writer = await connect()
            writer.write(sent)
            assert await answered(reader) == b"HTTP/1.1 431 Request Header Fields Too Large"
            writer.close()

    async def test_the_body_does_not_count(self) -> None:
        async with running(LimitedHttpProtocol) as connect:
            reader, writer = await connect()
            for _ in range(2):
                writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n")
                writer.write(b"x" * 900_000)
                assert await answered(reader) == b"HTTP/1.1 200 OK"
                assert await reader.readexactly(12) == b"900000 bytes"
            writer.close()


class TestNumberOfConnections:
    async def test_idle_connections_give_way(self) -> None:
        async with running(LimitedHttpProtocol, maximum=10) as connect:
            used = await connect()
            used[1].write(GET)
            assert await answered(used[0]) == b"HTTP/1.1 200 OK"
            await used[0].readexactly(len("0 bytes"))
            silent = [await connect() for _ in range(30)]
            reader, writer = await connect()
            writer.write(GET)
            assert await answered(reader) == b"HTTP/1.1 200 OK"
            # The connection that had a request outlives those that never had one.
            used[1].write(GET)
            assert await answered(used[0]) == b"HTTP/1.1 200 OK"
            assert await answered(silent[0][0]) == b""
            for _, opened in (used, *silent, (reader, writer)):
                opened.close()

    async def test_busy_connections_do_not(self) -> None:
        async with running(LimitedHttpProtocol, maximum=5) as connect:
            busy = []
            for _ in range(4):
                reader, writer = await connect()
                writer.write(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
                assert await answered(reader) == b"HTTP/1.1 200 OK"
                busy.append((reader, writer))
            reader, writer = await connect()
            writer.write(GET)
            assert await answered(reader) == b"HTTP/1.1 503 Service Unavailable"
            for still, opened in busy:
                assert await still.readexactly(65_536)
                opened.transport.abort()
            writer.close()

    @pytest.mark.extended
    async def test_thousands_of_silent_connections(self, service: Service) -> None:
        silent = []
        for _ in range(2_005):
            opened = socket.create_connection(("127.0.0.1", service.port), timeout=20)
            silent.append(opened)
        async with httpx.AsyncClient(base_url=service.address, timeout=20) as client:
            assert (await client.get("/healthz")).status_code == 200
        for each in silent:
            each.close()


class TestBothServersUseTheLimits:
    def test_service_uses_the_connection_limits(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        used: dict[str, Any] = {}
        monkeypatch.setattr(uvicorn, "run", lambda *_, **named: used.update(named))
        cli._run(settings, "127.0.0.1", 1)
        assert used["http"] == LIMITED_PROTOCOL
        assert used["limit_concurrency"]
        config = uvicorn.Config(app, http=used["http"])
        config.load()
        assert config.http_protocol_class is LimitedHttpProtocol

    def test_card_form_uses_the_connection_limits(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        configs = []
        monkeypatch.setattr(uvicorn.Server, "run", lambda server, _: configs.append(server.config))
        with card_listener.card_listener(settings, "127.0.0.1", free_port()):
            pass
        assert configs[0].http == LIMITED_PROTOCOL
        assert configs[0].limit_concurrency
