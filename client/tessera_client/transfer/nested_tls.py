"""TLS within TLS, which the standard library's sockets cannot do: to a host through an `https://`
proxy."""

import io
import ssl
from collections.abc import Callable
from typing import TypeVar

from tessera_core.binary import Buffer

_BLOCK_BYTES = 256 * 1024

Result = TypeVar("Result")


class NestedTls:
    """As much of a socket as `http.client` uses."""

    def __init__(self, outer: ssl.SSLSocket, context: ssl.SSLContext, host: str) -> None:
        self._outer = outer
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._received, self._to_send, server_hostname=host)
        self._readers = 0
        self._is_closed = False
        self._run(self._tls.do_handshake)

    def _run(self, call: Callable[[], Result]) -> Result:
        """Moves bytes until a call of the inner connection has what it needs."""
        while True:
            try:
                result = call()
            except ssl.SSLWantReadError:
                self._flush()
                if block := self._outer.recv(_BLOCK_BYTES):
                    self._received.write(block)
                else:
                    self._received.write_eof()
            else:
                self._flush()
                return result

    def _flush(self) -> None:
        if self._to_send.pending:
            self._outer.sendall(self._to_send.read())

    def sendall(self, data: Buffer) -> None:
        view = memoryview(data).cast("B")
        while view:
            part = view[:_BLOCK_BYTES]
            view = view[self._run(lambda part=part: self._tls.write(part)) :]  # type: ignore[misc]

    def recv_into(self, buffer: memoryview) -> int:
        """Returns 0 at the end, also if that came without notice: lengths are checked above."""
        try:
            return self._run(lambda: self._tls.read(len(buffer), buffer))  # type: ignore[return-value]
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return 0

    def makefile(self, *_: object, **__: object) -> io.RawIOBase:
        self._readers += 1
        return _Reader(self)

    def settimeout(self, seconds: float | None) -> None:
        self._outer.settimeout(seconds)

    def fileno(self) -> int:
        return self._outer.fileno()

    def close(self) -> None:
        """The connection ends with its last reader, as that of a socket does."""
        self._is_closed = True
        self._end()

    def end_reader(self) -> None:
        self._readers -= 1
        self._end()

    def _end(self) -> None:
        if self._is_closed and not self._readers:
            self._outer.close()


class _Reader(io.RawIOBase):
    def __init__(self, sock: NestedTls) -> None:
        self._sock = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        return self._sock.recv_into(memoryview(buffer))

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._sock.end_reader()
