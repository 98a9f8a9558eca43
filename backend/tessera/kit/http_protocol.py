"""uvicorn's HTTP protocol with limits on what a client may hold or send without a request."""

import asyncio
import itertools
from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

# For uvicorn, which imports it in each worker process.
LIMITED_PROTOCOL = "tessera.kit.http_protocol:LimitedHttpProtocol"

_numbers = itertools.count()


class HeadTooLarge(Exception):
    """Raised to the parser, which then reports an invalid request."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """At `limit_concurrency` connections, a new one replaces one that has no request under way.
    uvicorn alone would count idle connections and answer 503 to everyone."""

    # From the connection, or from the first byte of a further request, to the end of its headers.
    head_seconds: float = 10
    # For so many bytes of a body, or less: pieces of files are large, and some lines slow.
    body_seconds: float = 30
    body_bytes = 512 * 1024
    # While the client reads nothing of a response.
    write_seconds: float = 60
    # All but the body: request line, headers, trailers, chunk sizes.
    max_head_bytes = 32 * 1024

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **named)
        self._head_bytes = 0
        self._body_bytes = 0
        self.served = False
        self.idle_since = 0
        self._read_timer: TimerHandle | None = None
        self._write_timer: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.idle_since = next(_numbers)
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency:
            self._close_an_idle_connection()
        self._expect_within(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_timers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._head_bytes > self.max_head_bytes:
            self.send_400_response("")
        elif self.is_idle and self._read_timer is None:
            # Line breaks before a request: uvicorn stopped its own timer, and no request began.
            self._expect_within(self.head_seconds)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_within(self.head_seconds)

    def on_headers_complete(self) -> None:
        if sum(len(name) + len(value) for name, value in self.headers) > self.max_head_bytes:
            raise HeadTooLarge
        self._body_bytes = 0
        self._expect_within(self.body_seconds)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head_bytes -= len(body)
        self._body_bytes += len(body)
        if self._body_bytes >= self.body_bytes:
            self._body_bytes = 0
            self._expect_within(self.body_seconds)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        self._expect_within(None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.served = True
        self.idle_since = next(_numbers)
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None
        super().resume_writing()

    @property
    def is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _close_an_idle_connection(self) -> None:
        """Prefers those that never had a request, then those idle for longest."""
        idle = [
            each
            for each in self.connections
            if isinstance(each, LimitedHttpProtocol) and each is not self and each.is_idle
        ]
        if idle:
            chosen = min(idle, key=lambda each: (each.served, each.idle_since))
            self.connections.discard(chosen)
            chosen.stop_timers()
            chosen.transport.abort()

    def _expect_within(self, seconds: float | None) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
        self._read_timer = self.loop.call_later(seconds, self._on_timeout) if seconds else None

    def _on_timeout(self) -> None:
        if self.flow.read_paused:
            # The client waits for the service, not the other way round.
            self._expect_within(self.body_seconds)
        else:
            self.transport.abort()

    def stop_timers(self) -> None:
        for timer in (self._read_timer, self._write_timer):
            if timer is not None:
                timer.cancel()

    def send_400_response(self, msg: str) -> None:
        if self._head_bytes <= self.max_head_bytes:
            super().send_400_response(msg)
            return
        self.transport.write(STATUS_LINE[431] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()
