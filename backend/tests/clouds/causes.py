"""Helpers shared by the provider tests."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest

from tessera.integrations.clouds.protocol import ConnectionFailure
from tests.clouds.client import Failed, Warehouse

WRONG_KEY = ConnectionFailure.WRONG_KEY
NO_SUCH_BUCKET = ConnectionFailure.NO_SUCH_BUCKET
WRONG_REGION = ConnectionFailure.WRONG_REGION
NO_WRITE_PERMISSION = ConnectionFailure.NO_WRITE_PERMISSION
UNREACHABLE = ConnectionFailure.UNREACHABLE


def cause(call: Callable[[], object]) -> ConnectionFailure:
    with pytest.raises(Failed) as raised:
        call()
    return raised.value.failure


def both_causes(warehouse: Warehouse) -> tuple[ConnectionFailure, ConnectionFailure]:
    return cause(warehouse.read), cause(lambda: warehouse.write(b"tile"))


def keeps_objects(warehouse: Warehouse) -> None:
    """Checks the whole life cycle of an object, under a path that only this call uses."""
    fresh = warehouse.but(path=f"{warehouse.form['path'].strip('/')}/{uuid4()}")
    assert fresh.read() is None
    fresh.write(b'{"signed": "first"}')
    assert fresh.read() == b'{"signed": "first"}'
    fresh.write(b'{"signed": "second"}')
    assert fresh.read() == b'{"signed": "second"}'
    assert fresh.read("other.json") is None
    assert warehouse.read(f"{fresh.form['path'].rpartition('/')[2]}/.tessera/health.json")


@contextmanager
def silent_server() -> Iterator[str]:
    """Accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        for each in taken:
            each.close()
