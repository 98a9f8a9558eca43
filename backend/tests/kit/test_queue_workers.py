import asyncio
from collections.abc import Awaitable, Callable, Iterator

import asyncpg
import pytest
from dbos._core import ActiveWorkflowById

from tessera.kit import queue_workers
from tessera.kit.database import Connection
from tessera.kit.queue_workers import QueueWait, QueueWorkers
from tessera.notifications.workflows import DELIVER, deliver_email

HOUR = 3_600


@pytest.fixture
def running() -> ActiveWorkflowById:
    return ActiveWorkflowById()


@pytest.fixture
def wait(running: ActiveWorkflowById, monkeypatch: pytest.MonkeyPatch) -> Iterator[QueueWait]:
    """Of a queue that has been idle for so long that it is polled once an hour."""
    monkeypatch.setattr(queue_workers, "IDLE_POLL_SECONDS", HOUR)
    monkeypatch.setattr(queue_workers, "ATTENTIVE_SECONDS", 0)
    wait = QueueWait(running, deliver_email.queue)
    yield wait
    wait.set()


async def waited(wait: QueueWait) -> bool:
    return await asyncio.wait_for(asyncio.to_thread(wait.wait, 0.01), 30)


async def test_an_idle_queue_is_polled_when_it_is_woken(wait: QueueWait) -> None:
    polled = asyncio.create_task(waited(wait))
    await asyncio.sleep(0)
    assert not polled.done()
    wait.wake()
    assert await polled is False


async def test_a_wake_between_two_polls_is_not_lost(wait: QueueWait) -> None:
    wait.wake()
    assert await waited(wait) is False


async def test_a_queue_with_work_is_polled(
    wait: QueueWait, running: ActiveWorkflowById, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_workers, "ATTENTIVE_SECONDS", HOUR)
    running.add("one", deliver_email.queue)
    assert await waited(wait) is False


async def test_end_of_queued_work_is_seen_at_once(wait: QueueWait) -> None:
    ended = asyncio.create_task(waited(wait))
    await asyncio.sleep(0)
    wait.set()
    assert await ended is True


async def enqueue_one(connection: Connection) -> None:
    await deliver_email.enqueue(connection, 1, 0, key="one")


async def enqueue_later(connection: Connection) -> None:
    await deliver_email.enqueue(connection, 1, 0, key="later", after=0.05)


async def enqueue_two(connection: Connection) -> None:
    await DELIVER["email"].enqueue_many(connection, {"first": (1, 0), "second": (1, 1)})


@pytest.mark.parametrize("enqueue", [enqueue_one, enqueue_later, enqueue_two])
async def test_new_work_wakes_its_queue(
    wait: QueueWait,
    owner: "asyncpg.Connection[asyncpg.Record]",
    enqueue: Callable[[Connection], Awaitable[None]],
) -> None:
    workers = QueueWorkers()
    await workers.listen(owner)
    # Added now, because listening wakes every queue once.
    workers._waits[deliver_email.queue] = wait
    polled = asyncio.create_task(waited(wait))
    await enqueue(owner)
    assert await polled is False
