"""A CONNECT proxy with or without TLS and a login, and a TLS server in front of the service in
memory. The proxy alone knows where a host is."""

import selectors
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

Answer = Callable[[httpx.Request], httpx.Response]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answer: Answer

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        url = f"https://{self.headers['Host']}{self.path}"
        headers = dict(self.headers.items())
        given = type(self).answer(
            httpx.Request(self.command, url, headers=headers, content=content)
        )
        self.send_response(given.status_code)
        for name, value in given.headers.items():
            if name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(given.content)))
        self.end_headers()
        self.wfile.write(given.content)

    do_GET = do_PUT = do_POST = _answer  # noqa: N815 - the standard library's names


@contextmanager
def serving(answer: Answer, context: ssl.SSLContext) -> Iterator[int]:
    """Answers requests with a function, over TLS."""
    handler = type("Bound", (Handler,), {"answer": staticmethod(answer)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


class Proxy:
    """Leads each host to a port of this computer."""

    def __init__(self, target: int, context: ssl.SSLContext | None = None, login: str = "") -> None:
        self.asked: list[str] = []
        self.reply = b"HTTP/1.1 200 Connection established\r\n\r\n"
        """What an accepted request is answered with."""
        self.refused: dict[str, int] = {}
        """Statuses by host."""
        self.kind = "Basic"
        self._target = target
        self._context = context
        self._login = f"Basic {b64encode(login.encode()).decode()}" if login else ""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError, IndexError), connection:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += connection.recv(1) or b"\r\n\r\n"
            lines = head.decode("latin-1").split("\r\n")
            host = lines[0].split(" ")[1]
            self.asked.append(host)
            if self._login and f"Proxy-Authorization: {self._login}" not in lines:
                kind = f"Proxy-Authenticate: {self.kind}"
                connection.sendall(f"HTTP/1.1 407 Login\r\n{kind}\r\n\r\n".encode())
            elif status := self.refused.get(host):
                connection.sendall(f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode())
            else:
                connection.sendall(self.reply)
                with socket.create_connection(("127.0.0.1", self._target)) as inner:
                    _relay(connection, inner)


def _relay(one: Any, other: socket.socket) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(one, selectors.EVENT_READ, other)
        selector.register(other, selectors.EVENT_READ, one)
        while True:
            for key, _ in selector.select():
                block = key.fileobj.recv(65536)  # type: ignore[union-attr]
                while getattr(key.fileobj, "pending", int)():
                    block += key.fileobj.recv(65536)  # type: ignore[union-attr]
                if not block:
                    return
                key.data.sendall(block)
