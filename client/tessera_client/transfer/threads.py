"""Threads that do not keep the program alive: a stalled warehouse must not delay its end."""

import os
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
_Task = Callable[[], None]

MAX_IDLE = 16

_idle: list[SimpleQueue[_Task]] = []
"""What threads that have nothing to do wait for. Starting one takes as long as opening a chunk."""

if hasattr(os, "register_at_fork"):
    # A copy of the process has none of these threads.
    os.register_at_fork(after_in_child=_idle.clear)


def start(
    function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> "Future[Result]":
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the result gets it
            future.set_exception(error)

    try:
        tasks = _idle.pop()
    except IndexError:
        tasks = SimpleQueue[_Task]()
        Thread(target=_work, args=(tasks,), daemon=True).start()
    tasks.put(run)
    return future


def _work(tasks: SimpleQueue[_Task]) -> None:
    """Keeps nothing of a task when it has ended."""
    while True:
        tasks.get()()
        if len(_idle) >= MAX_IDLE:
            return
        _idle.append(tasks)
