"""A function in a process of its own, which ends at a chosen point as `kill -9` ends it."""

import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

import httpx
import pytest

from client.tests.conftest import connect, use_cheap_argon2
from client.tests.service import Service
from client.tests.transport import MemoryTransport
from tessera_client.vault.index import Index

KILLABLE = ("replace", "rename", "mkdir", "rmdir", "unlink")

# Processes are forked from one that has no threads: a fork of one that has some may crash.
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload([__name__, "client.tests.sync.generated"])


def run_killable(
    run: Callable[[], Any], service: Service, kill_at: int, watch: Callable[[httpx.Request], None]
) -> Any:
    """Returns what the function returns; None if it was killed."""
    here, there = CONTEXT.Pipe()
    child = CONTEXT.Process(target=_run, args=(run, there, kill_at))
    child.start()
    there.close()
    answer = None
    with suppress(EOFError, ConnectionError):
        while (message := pickle.loads(here.recv_bytes()))[0] != "done":
            request = httpx.Request(message[1], message[2], headers=message[3], content=message[4])
            watch(request)
            try:
                given = service.answer(request)
                reply = (given.status_code, dict(given.headers), given.content)
            except httpx.TransportError:
                reply = None
            here.send_bytes(pickle.dumps(reply))
        answer = message[1]
    here.close()
    child.join()
    expected = {-signal.SIGKILL} if answer is None else {0}
    assert child.exitcode in expected, f"the command ended with {child.exitcode}"
    return answer


def _run(run: Callable[[], Any], connection: Connection, kill_at: int) -> None:
    lock, points = Lock(), [0]

    def pass_point() -> None:
        points[0] += 1
        if points[0] == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def answer(request: httpx.Request) -> httpx.Response:
        pass_point()
        with lock:
            message = ("call", request.method, str(request.url), dict(request.headers),
                       request.content)  # fmt: skip
            connection.send_bytes(pickle.dumps(message))
            pass_point()  # The service does it, and nobody hears of that.
            reply = pickle.loads(connection.recv_bytes())
        pass_point()
        if reply is None:
            raise httpx.ConnectError("no network")
        return httpx.Response(reply[0], headers=reply[1], content=reply[2])

    def killable(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            pass_point()
            result = function(*arguments, **options)
            pass_point()
            return result

        return call

    with pytest.MonkeyPatch.context() as patch:
        use_cheap_argon2(patch)
        connect(patch, MemoryTransport(answer))
        for name in KILLABLE:
            patch.setattr(os, name, killable(getattr(os, name)))
        patch.setattr(Index, "save_sync", killable(Index.save_sync))
        result = run()
        connection.send_bytes(pickle.dumps(("done", result)))
