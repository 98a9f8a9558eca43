"""A process that is told to stop, and one that loses its database."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tests.factories.accounts import Factory, User
from tests.fixtures.kill_points import Hold
from tests.fixtures.process import Service, wait_until
from tests.fixtures.relay import Relay
from tests.fixtures.waiting import eventually
from tests.operations.people import codes, log_in, status

pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]


DOWN = {"database": "down", "workflows": "down", "process": "ok"}


def begin_to_stop(service: Service) -> None:
    os.kill(service.pid, signal.SIGTERM)


def readiness(service: Service) -> tuple[int, dict[str, str]]:
    answer = httpx.get(f"{service.address}/readyz", timeout=30)
    return answer.status_code, answer.json()


def liveness(service: Service) -> httpx.Response:
    return httpx.get(f"{service.address}/healthz", timeout=30)


def ask_for_code(service: Service, user: User) -> None:
    address = f"{service.address}/api/auth/login-onboard"
    assert httpx.post(address, json=user.credentials, timeout=30).status_code == 200


class CallUnderWay:
    """A call whose body is not complete yet."""

    def __init__(self, service: Service, user: User) -> None:
        self._body = json.dumps(user.credentials).encode()
        self._socket = socket.create_connection(("127.0.0.1", service.port), timeout=60)
        head = (
            "POST /api/auth/login-onboard HTTP/1.1\r\nHost: console.test\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(self._body)}\r\n\r\n"
        )
        self._socket.sendall(head.encode() + self._body[:1])

    def answer(self) -> bytes:
        self._socket.sendall(self._body[1:])
        return self._socket.makefile("rb").read()


@pytest.fixture
def pair(urls: EmbeddedUrls, tmp_path: Path) -> Iterator[tuple[Service, Service]]:
    """The second one has not started yet."""
    services = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        settings = {"drain_seconds": "4", "statement_timeout_ms": "100000"}
        services.append(Service(urls, tmp_path / name, code_resend_seconds="0", **settings))
    services[0].start()
    yield services[0], services[1]
    for service in services:
        service.kill()


async def test_stopping_process_ends_its_calls_and_leaves_its_work(
    pair: tuple[Service, Service], make: Factory, hold: Hold, owner: Connection
) -> None:
    one, two = pair
    user, later = await make.user(), await make.user()
    await hold.at("INSERT ON sandbox_outbox")
    call = CallUnderWay(one, later)
    ask_for_code(one, user)

    async def executor() -> str | None:
        found: str | None = await owner.fetchval(
            "SELECT executor_id FROM dbos.workflow_status"
            " WHERE queue_name = 'sms' AND status = 'PENDING'"
        )
        return found

    async def is_under_way() -> bool:
        return await executor() == "slot-0" and await hold.reached()

    await eventually(is_under_way, "the SMS is being sent")
    await asyncio.to_thread(two.start)
    # So that the second process finds the work by itself at the earliest when the first has ended.
    begin_to_stop(one)

    wait_until(lambda: readiness(one)[0] == 503, "the first process is not ready", 2)
    assert readiness(one)[1] == {"database": "ok", "workflows": "ok", "process": "stopping"}
    alive = liveness(one)
    assert (alive.status_code, alive.headers["connection"]) == (200, "close")

    async def is_handed_over() -> bool:
        return await executor() == "slot-1"

    await eventually(is_handed_over, "the second process goes on with the SMS")
    assert not one.ended, "the work was found, not handed over"
    wait_until(lambda: refuses(one), "the first process takes no calls", 30)
    assert call.answer().startswith(b"HTTP/1.1 200")
    assert one.wait() == 0
    assert "not handed over" not in one.log

    await hold.release()
    wait_until(lambda: bool(codes(two, user)), "the SMS is sent")
    assert len(codes(two, user)) == 1


def refuses(service: Service) -> bool:
    try:
        socket.create_connection(("127.0.0.1", service.port), timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


@pytest.fixture
async def relayed(
    postgres: EmbeddedPostgres, owner: Connection, urls: EmbeddedUrls, tmp_path: Path
) -> AsyncIterator[tuple[Service, Relay]]:
    relay = Relay(Path(postgres.socket_dir), tmp_path)
    service = Service(relay.urls(urls), tmp_path, code_resend_seconds="0")
    await asyncio.to_thread(service.start)
    yield service, relay
    service.kill()
    relay.close()


async def test_process_without_its_database_leaves_rotation_and_comes_back(
    relayed: tuple[Service, Relay], make: Factory
) -> None:
    service, relay = relayed
    user = await make.user()
    headers = await asyncio.to_thread(log_in, service, user)
    relay.cut()

    def is_out() -> bool:
        return readiness(service) == (503, DOWN)

    await asyncio.to_thread(wait_until, is_out, "the process is out of rotation")
    assert liveness(service).status_code == 200
    # Not at once: a statement may have been on its way.
    assert await asyncio.to_thread(status, service, headers) == 503

    relay.mend()
    await asyncio.to_thread(wait_until, lambda: readiness(service)[0] == 200, "it is back")
    assert await asyncio.to_thread(status, service, headers) == 200
    assert await asyncio.to_thread(log_in, service, user)
