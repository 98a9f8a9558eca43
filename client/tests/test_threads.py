"""Threads that are used again."""

import gc
import multiprocessing
import threading
import time
import weakref
from collections.abc import Iterator

import pytest

from tessera_client.transfer import threads
from tessera_client.transfer.threads import start


@pytest.fixture(autouse=True)
def no_idle_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept = [*threads._idle]
    threads._idle.clear()
    yield
    threads._idle += kept


def wait_for_idle(count: int) -> None:
    while len(threads._idle) < count:
        time.sleep(0.001)


def test_thread_that_has_finished_takes_the_next_task() -> None:
    used = set[int]()
    for number in range(5):
        used.add(start(threading.get_ident).result())
        wait_for_idle(1)
        assert len(threads._idle) == 1, number
    assert len(used) == 1


def test_task_never_waits_for_another_one() -> None:
    barrier = threading.Barrier(2 * threads.MAX_IDLE)
    waiting = [start(barrier.wait, 10) for _ in range(2 * threads.MAX_IDLE)]
    assert sorted(future.result() for future in waiting) == [*range(2 * threads.MAX_IDLE)]
    wait_for_idle(threads.MAX_IDLE)


def test_failed_task_leaves_its_thread_usable() -> None:
    with pytest.raises(ZeroDivisionError):
        start(divmod, 1, 0).result()
    wait_for_idle(1)
    assert start(divmod, 7, 2).result() == (3, 1)


def test_thread_that_waits_keeps_nothing_of_its_last_task() -> None:
    class Result: ...

    kept = weakref.ref(start(Result).result())
    wait_for_idle(1)
    gc.collect()
    assert kept() is None


def _answer(result: "multiprocessing.SimpleQueue[tuple[int, int]]") -> None:
    result.put(start(divmod, 7, 2).result(5))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
def test_copy_of_the_process_starts_threads_of_its_own() -> None:
    start(divmod, 1, 1).result()
    wait_for_idle(1)
    context = multiprocessing.get_context("fork")
    result = context.SimpleQueue()
    process = context.Process(target=_answer, args=(result,))
    process.start()
    process.join(10)
    assert process.exitcode == 0
    assert result.get() == (3, 1)
