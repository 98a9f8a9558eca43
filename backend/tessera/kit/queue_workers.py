"""Workers that take workflows from the queues. The engine's own workers poll every queue all the
time, which keeps an idle service busy. These poll while there is work, and otherwise wait until
PostgreSQL notifies them."""

import asyncio
import json
import threading
import time

import asyncpg
from dbos import Queue

from tessera.kit import dbos_internals

CHANNEL = "tessera_queues"
# Between polls while a queue has work, and the least that notifications can shorten this to.
POLL_SECONDS = 0.5
SHORTEST_POLL_SECONDS = 0.05
# Between polls of an idle queue, in case a notification was lost with its connection.
IDLE_POLL_SECONDS = 30
# How long a queue is polled after its last work. Delayed work becomes visible a second late.
ATTENTIVE_SECONDS = 3
# Between polls of the engine's own queue, to which schedules and recovery add.
ENGINE_POLL_SECONDS = 3
# Between searches for workflows past their deadline. Ours have none.
DEADLINE_SECONDS = 60


def notification(queue: str, after: float | None = None) -> str:
    return json.dumps([queue, after or 0])


class QueueWorkers:
    """One thread for each queue of this process."""

    def __init__(self) -> None:
        self._waits: dict[str, QueueWait] = {}

    def start(self, queues: list[Queue]) -> None:
        for queue in queues:
            wait = QueueWait(dbos_internals.active_workflows(), queue.name)
            self._waits[queue.name] = wait
            dbos_internals.add_worker(queue, wait)

    async def listen(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        await connection.add_listener(CHANNEL, self._notified)
        # Work may have arrived while nobody listened.
        for wait in self._waits.values():
            wait.wake()

    def _notified(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        queue, after = json.loads(str(payload))
        # Another version of the service may have queues that this one does not have.
        if wait := self._waits.get(queue):
            asyncio.get_running_loop().call_later(after, wait.wake)


class QueueWait(threading.Event):
    """The stop event on which a queue's worker waits between polls."""

    def __init__(self, active: dbos_internals.ActiveWorkflows, queue: str) -> None:
        super().__init__()
        self._active = active
        self._queue = queue
        self._woken = threading.Event()
        self._attentive_until = time.monotonic() + ATTENTIVE_SECONDS

    def wake(self) -> None:
        self._attentive_until = time.monotonic() + ATTENTIVE_SECONDS
        self._woken.set()

    def set(self) -> None:
        super().set()
        self._woken.set()

    def wait(self, timeout: float | None = None) -> bool:
        if super().wait(SHORTEST_POLL_SECONDS):
            return True
        if self._active.count_for_queue(self._queue):
            self._attentive_until = time.monotonic() + ATTENTIVE_SECONDS
        attentive = time.monotonic() < self._attentive_until
        self._woken.wait(timeout if attentive else IDLE_POLL_SECONDS)
        self._woken.clear()
        return self.is_set()
