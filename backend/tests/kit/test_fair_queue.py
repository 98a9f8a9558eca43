import asyncio

import pytest

from tessera.kit.fair_queue import FairQueue


class Callers:
    """Callers of a queue, who are served when it is their turn."""

    def __init__(self, queue: FairQueue) -> None:
        self._queue = queue
        self.served: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def call(self, name: str, company_id: int | None) -> None:
        async def served() -> None:
            await self._queue.acquire(company_id)
            self.served.append(name)

        self.tasks[name] = asyncio.create_task(served())
        await self.settle()

    async def done(self, company_id: int | None) -> None:
        self._queue.release(company_id)
        await self.settle()

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
def callers() -> Callers:
    return Callers(FairQueue(4))


async def test_a_company_holds_half_at_most(callers: Callers) -> None:
    for name in ("a1", "a2", "a3", "a4"):
        await callers.call(name, 1)
    assert callers.served == ["a1", "a2"]
    await callers.call("b1", 2)
    await callers.call("free", None)
    assert callers.served == ["a1", "a2", "b1", "free"]
    await callers.done(None)
    assert callers.served == ["a1", "a2", "b1", "free"], "a turn of another is not company 1's"
    await callers.done(1)
    assert callers.served[4:] == ["a3"]


async def test_waiters_of_a_fair_queue_are_served_in_order(callers: Callers) -> None:
    for number in range(4):
        await callers.call(f"first{number}", None)
    for name, company_id in (("a", 1), ("b", 2), ("c", None)):
        await callers.call(name, company_id)
    for _ in range(3):
        await callers.done(None)
    assert callers.served[4:] == ["a", "b", "c"]


async def test_a_caller_who_leaves_loses_no_turn(callers: Callers) -> None:
    for name in ("a1", "a2", "a3", "a4"):
        await callers.call(name, 1)
    callers.tasks["a3"].cancel()
    await callers.settle()
    await callers.done(1)
    assert callers.served == ["a1", "a2", "a4"]


async def test_a_caller_who_leaves_when_served_gives_the_turn_back(callers: Callers) -> None:
    for name in ("a1", "a2", "a3", "a4"):
        await callers.call(name, 1)
    callers._queue.release(1)
    callers.tasks["a3"].cancel()
    await callers.settle()
    assert callers.served == ["a1", "a2", "a4"]
