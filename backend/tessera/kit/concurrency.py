import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


async def for_each(
    items: Iterable[Item], call: Callable[[Item], Awaitable[None]], *, at_once: int
) -> None:
    """Makes a call for each item, a few at once. Calls that never wait share one task."""
    waiting = iter(items)

    async def work() -> None:
        for item in waiting:
            await call(item)

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(work())
