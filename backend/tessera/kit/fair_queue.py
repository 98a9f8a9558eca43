"""The queue in front of a connection pool: in order, and no company holds more than its share."""

import asyncio
import time
from collections import Counter, deque
from dataclasses import dataclass

# Callers who would have to wait longer than this may be refused instead. The second limit is for
# the wait behind calls of the same company, so that it is refused before the others are.
LONGEST_WAIT, LONGEST_OWN_WAIT = 0.5, 0.3
# With no more turns than this ahead, nobody is refused, however slow they are.
TURNS_WAITED_FOR = 8
# The weight of the newest turn in the average time of a turn.
LAST_SHARE = 1 / 64


@dataclass(frozen=True, eq=False)
class _Waiting:
    company_id: int | None
    # How many turns came first, one after the other.
    turns: float
    since: float
    turn: asyncio.Future[None]


class FairQueue:
    def __init__(self, size: int) -> None:
        self._size = size
        self._free = size
        self._share = max(1, size // 2)
        self._held: Counter[int] = Counter()
        self._waiting: deque[_Waiting] = deque()
        self._waiting_of: Counter[int | None] = Counter()
        self._turn_seconds = 0.0

    async def acquire(self, company_id: int | None = None) -> None:
        """Waits for a turn. Without a company, only the size of the pool is the limit."""
        if self._is_next(company_id):
            self._take(company_id)
            return
        turns = max(self._turns(), self._own_turns(company_id))
        turn = asyncio.get_running_loop().create_future()
        waiting = _Waiting(company_id, turns, time.monotonic(), turn)
        self._waiting.append(waiting)
        self._waiting_of[company_id] += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(waiting)
            else:
                self.release(company_id)
            raise
        seconds = (time.monotonic() - waiting.since) / (waiting.turns + 1)
        self._turn_seconds += (seconds - self._turn_seconds) * LAST_SHARE

    def release(self, company_id: int | None = None) -> None:
        self._free += 1
        if company_id is not None:
            self._held[company_id] -= 1
            if not self._held[company_id]:
                del self._held[company_id]
        for waiting in list(self._waiting):
            if self._is_next(waiting.company_id) and not waiting.turn.done():
                self._leave(waiting)
                self._take(waiting.company_id)
                waiting.turn.set_result(None)
                return

    @property
    def has_waiting(self) -> bool:
        return bool(self._waiting)

    def is_overloaded(self, company_id: int | None) -> bool:
        """Whether the company's next call would wait too long."""
        return self._is_late(self._turns(), LONGEST_WAIT) or self._is_late(
            self._own_turns(company_id), LONGEST_OWN_WAIT
        )

    def _is_late(self, turns: float, longest: float) -> bool:
        return turns > TURNS_WAITED_FOR and turns * self._turn_seconds > longest

    def _turns(self) -> float:
        return len(self._waiting) / self._size

    def _own_turns(self, company_id: int | None) -> float:
        return 0 if company_id is None else self._waiting_of[company_id] / self._share

    def _leave(self, waiting: _Waiting) -> None:
        self._waiting.remove(waiting)
        self._waiting_of[waiting.company_id] -= 1
        if not self._waiting_of[waiting.company_id]:
            del self._waiting_of[waiting.company_id]

    def _is_next(self, company_id: int | None) -> bool:
        """Whether a turn is free and the company has not used up its share."""
        return self._free > 0 and (company_id is None or self._held[company_id] < self._share)

    def _take(self, company_id: int | None) -> None:
        self._free -= 1
        if company_id is not None:
            self._held[company_id] += 1
