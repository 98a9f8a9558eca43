"""Requests on real connections, to a server that behaves as each test says."""

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from tessera_client.transfer.http import Connections, TooLong, read_body
from tessera_client.transfer.network import NoAnswer, NotConnected

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nobject"

Handler = Callable[[socket.socket], None]


class Server:
    """Hands each connection to the next handler."""

    def __init__(self) -> None:
        self.handlers: list[Handler] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/object?part=1"

    def _run(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            with connection:
                self.handlers.pop(0)(connection)


def read_head(connection: socket.socket) -> bytes:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        received = connection.recv(1)
        if not received:
            break
        head += received
    return head


def answering(*answers: bytes) -> Handler:
    """Answers one request after another, then closes."""

    def handle(connection: socket.socket) -> None:
        for answer in answers:
            read_head(connection)
            connection.sendall(answer)

    return handle


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def connections() -> Iterator[Connections]:
    made = Connections(seconds=10, answer_seconds=60)
    yield made
    made.close()


def fetch(connections: Connections, url: str, limit: int = 100) -> bytes:
    with connections.send("GET", url, {}) as response:
        return bytes(read_body(response, limit))


def test_a_connection_is_used_again(server: Server, connections: Connections) -> None:
    heads: list[bytes] = []

    def handle(connection: socket.socket) -> None:
        for _ in range(2):
            heads.append(read_head(connection))
            connection.sendall(OK)

    server.handlers = [handle]
    assert fetch(connections, server.url) == fetch(connections, server.url) == b"object"
    assert [head.split(b"\r\n")[0] for head in heads] == [b"GET /object?part=1 HTTP/1.1"] * 2


def test_one_that_the_server_has_closed_is_replaced(
    server: Server, connections: Connections
) -> None:
    closed = threading.Event()

    def answer_and_close(connection: socket.socket) -> None:
        answering(OK)(connection)
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
        closed.set()

    server.handlers = [answer_and_close, answering(OK)]
    assert fetch(connections, server.url) == b"object"
    assert closed.wait(60)
    assert fetch(connections, server.url) == b"object"


def test_an_answer_without_a_length_ends_with_the_connection(
    server: Server, connections: Connections
) -> None:
    server.handlers = [answering(b"HTTP/1.1 200 OK\r\n\r\nobject")]
    assert fetch(connections, server.url) == b"object"


def test_an_answer_that_ends_early_is_none(server: Server, connections: Connections) -> None:
    server.handlers = [answering(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nobject")]
    with pytest.raises(NoAnswer):
        fetch(connections, server.url)


@pytest.mark.parametrize("head", [b"Content-Length: 6\r\n", b""])
def test_an_answer_that_is_too_long_is_given_up(
    server: Server, connections: Connections, head: bytes
) -> None:
    server.handlers = [answering(b"HTTP/1.1 200 OK\r\n" + head + b"\r\nobject")]
    with pytest.raises(TooLong):
        fetch(connections, server.url, limit=5)


def test_a_silent_server_is_not_waited_for_forever(server: Server) -> None:
    finished = threading.Event()

    def stay_silent(_: socket.socket) -> None:
        finished.wait(60)

    server.handlers = [stay_silent]
    with pytest.raises(NoAnswer):
        fetch(Connections(seconds=0.1, answer_seconds=60), server.url)
    finished.set()


def test_a_refusal_that_comes_before_the_body_was_read_is_seen(
    server: Server, connections: Connections
) -> None:
    refused = threading.Event()

    def refuse(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        refused.set()
        while connection.recv(65536):
            pass

    def body() -> Iterator[bytes]:
        assert refused.wait(60)
        yield b"x" * 1000

    server.handlers = [refuse]
    with connections.send("PUT", server.url, {"Content-Length": "1000"}, body()) as response:
        assert response.status == 403


def test_nothing_was_sent_if_there_is_no_server(connections: Connections) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/"
        with pytest.raises(NotConnected):
            fetch(connections, url)


@pytest.mark.parametrize("url", ["https://a..b/", "http://127.0.0.1:port/"])
def test_an_impossible_address_is_not_connected(connections: Connections, url: str) -> None:
    with pytest.raises(NotConnected):
        fetch(connections, url)
