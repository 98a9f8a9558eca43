import asyncio

import pytest

from tessera.kit import fair_queue
from tessera.kit.fair_queue import LONGEST_WAIT, MOST_TURNS, TURNS_WAITED_FOR, FairQueue


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


async def test_companies_take_turns_however_many_calls_they_make(callers: Callers) -> None:
    for number in range(4):
        await callers.call(f"first{number}", None)
    for name, company_id in (("a1", 1), ("a2", 1), ("free1", None), ("a3", 1), ("b1", 2)):
        await callers.call(name, company_id)
    await callers.call("free2", None)
    for _ in range(5):
        await callers.done(None)
    assert callers.served[4:] == ["a1", "free1", "b1", "a2", "free2"]


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


class Clock:
    now = 0.0


def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """With it, the last turn alone tells how long a turn takes."""
    clock = Clock()
    monkeypatch.setattr("tessera.kit.fair_queue.time.monotonic", lambda: clock.now)
    monkeypatch.setattr(fair_queue, "LAST_SHARE", 1)
    return clock


async def test_a_company_is_refused_alone_if_its_calls_would_wait_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With two turns at a time, one of which a company may hold."""
    queue = FairQueue(2)
    callers = Callers(queue)
    clock = stopped_clock(monkeypatch)
    for number in range(TURNS_WAITED_FOR + 2):
        await callers.call(f"a{number}", 1)
    assert not queue.is_overloaded(1), "nobody has waited so far: the turns may be short"
    clock.now += LONGEST_WAIT
    await callers.done(1)
    assert callers.served == ["a0", "a1"]
    assert not queue.is_overloaded(1), "few turns are waited for"
    await callers.call("last", 1)
    assert queue.is_overloaded(1)
    assert queue.may_be_overloaded
    assert not queue.is_overloaded(2)
    assert not queue.is_overloaded(None)


@pytest.mark.parametrize("companies", [1, 2, 7, 60])
async def test_nobody_is_refused_while_few_wait(
    monkeypatch: pytest.MonkeyPatch, companies: int
) -> None:
    queue = FairQueue(6)
    callers = Callers(queue)
    clock = stopped_clock(monkeypatch)
    first_refused = None
    for number in range(100):
        await callers.call(f"call{number}", number % companies)
        if number == 10:
            clock.now += 60 * LONGEST_WAIT
            await callers.done(0)
        overloaded = any(queue.is_overloaded(company) for company in (*range(companies), 99, None))
        assert queue.may_be_overloaded or not overloaded
        if first_refused is None and overloaded:
            first_refused = number
    assert first_refused is not None, "the last calls are refused"


async def test_calls_without_a_company_are_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of logins."""
    queue = FairQueue(1)
    callers = Callers(queue)
    clock = stopped_clock(monkeypatch)
    for number in range(TURNS_WAITED_FOR + 3):
        await callers.call(f"login{number}", None)
    clock.now += LONGEST_WAIT
    await callers.done(None)
    assert queue.is_overloaded(None)
    assert not queue.is_overloaded(1)
    await callers.call("a", 1)
    await callers.done(None)
    await callers.done(None)
    assert callers.served[-1] == "a", "before the other logins"


async def test_the_line_of_a_company_has_an_end_before_its_speed_is_known(
    callers: Callers,
) -> None:
    in_its_share = 2
    for number in range(in_its_share * (1 + MOST_TURNS)):
        await callers.call(f"a{number}", 1)
    assert not callers._queue.is_overloaded(1)
    await callers.call("last", 1)
    assert callers._queue.is_overloaded(1)
    assert not callers._queue.is_overloaded(2)


async def test_all_are_refused_if_all_turns_come_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = FairQueue(1)
    callers = Callers(queue)
    clock = stopped_clock(monkeypatch)
    for number in range(TURNS_WAITED_FOR + 3):
        await callers.call(f"a{number}", number)
    clock.now += LONGEST_WAIT
    await callers.done(0)
    assert queue.is_overloaded(100)
    assert queue.is_overloaded(None)
    await callers.done(1)
    assert not queue.is_overloaded(100)
