import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

Item = TypeVar("Item")

_NICENESS = 5


def background_threads(name: str, count: int) -> ThreadPoolExecutor:
    """Returns a pool for work that may queue, but must not block the event loop or take all
    cores."""
    return ThreadPoolExecutor(count, thread_name_prefix=name, initializer=_lower_priority)


def _lower_priority() -> None:
    """Lets the event loop go first where cores are few. Only Linux has a priority per thread."""
    if sys.platform == "linux":
        # Where a sandbox forbids it, the thread keeps its priority.
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


async def for_each(
    items: Collection[Item], call: Callable[[Item], Awaitable[None]], *, at_once: int
) -> None:
    """Makes a call for each item, a few at once. Calls that never wait share one task."""
    waiting = iter(items)

    async def work() -> None:
        for item in waiting:
            await call(item)

    if len(items) == 1:
        await work()
        return
    async with asyncio.TaskGroup() as group:
        for _ in range(min(at_once, len(items))):
            group.create_task(work())
