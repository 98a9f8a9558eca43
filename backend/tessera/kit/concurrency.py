import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import TypeVar

Item = TypeVar("Item")


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
