"""The queue in front of a connection pool: in order, and no company holds more than its share."""

import asyncio
from collections import Counter, deque


class FairQueue:
    def __init__(self, size: int) -> None:
        self._free = size
        self._share = max(1, size // 2)
        self._held: Counter[int] = Counter()
        self._waiting: deque[tuple[int | None, asyncio.Future[None]]] = deque()

    async def acquire(self, company_id: int | None = None) -> None:
        """Waits for a turn. Without a company, only the size of the pool is the limit."""
        if self._is_next(company_id):
            self._take(company_id)
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((company_id, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.remove((company_id, turn))
            else:
                self.release(company_id)
            raise

    def release(self, company_id: int | None = None) -> None:
        self._free += 1
        if company_id is not None:
            self._held[company_id] -= 1
            if not self._held[company_id]:
                del self._held[company_id]
        for waiting in list(self._waiting):
            company_id, turn = waiting
            if self._is_next(company_id) and not turn.done():
                self._waiting.remove(waiting)
                self._take(company_id)
                turn.set_result(None)
                return

    def _is_next(self, company_id: int | None) -> bool:
        """Whether a turn is free and the company has not used up its share."""
        return self._free > 0 and (company_id is None or self._held[company_id] < self._share)

    def _take(self, company_id: int | None) -> None:
        self._free -= 1
        if company_id is not None:
            self._held[company_id] += 1
