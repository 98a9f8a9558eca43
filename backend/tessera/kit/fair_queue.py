"""The queue in front of a connection pool: companies take turns, and none holds more than half."""

import asyncio
import time
from collections import Counter, deque
from dataclasses import dataclass

# Callers who would have to wait longer than this may be refused instead.
LONGEST_WAIT = 0.3
# With no more turns than the first ahead, nobody is refused, however long they take. With more than
# the second, somebody is before it is known how long they take.
TURNS_WAITED_FOR, MOST_TURNS = 8, 20
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
    """Calls without a company take turns like those of one, but may hold every connection."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._free = size
        self._share = max(1, size // 2)
        self._held: Counter[int] = Counter()
        # The next turn is of the first company here that has not used up its share.
        self._waiting: dict[int | None, deque[_Waiting]] = {}
        self._number_waiting = 0
        self._turn_seconds = 0.0

    async def acquire(self, company_id: int | None = None) -> None:
        """Waits for a turn."""
        if self._is_next(company_id):
            self._take(company_id)
            return
        turns = self._turns_before(company_id)
        turn = asyncio.get_running_loop().create_future()
        waiting = _Waiting(company_id, turns, time.monotonic(), turn)
        self._waiting.setdefault(company_id, deque()).append(waiting)
        self._number_waiting += 1
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
        for company, calls in self._waiting.items():
            if not self._is_next(company):
                continue
            waiting = next((call for call in calls if not call.turn.done()), None)
            if waiting:
                self._leave(waiting)
                if calls:
                    self._waiting[company] = self._waiting.pop(company)
                self._take(company)
                waiting.turn.set_result(None)
                return

    @property
    def may_be_overloaded(self) -> bool:
        """Whether any company's next call might wait too long: so few wait otherwise that no call
        has to be looked at."""
        return self._number_waiting > TURNS_WAITED_FOR * self._share

    def is_overloaded(self, company_id: int | None) -> bool:
        """Whether the company's next call would wait too long."""
        turns = self._turns_before(company_id)
        is_late = turns * self._turn_seconds > LONGEST_WAIT
        return turns > (TURNS_WAITED_FOR if is_late else MOST_TURNS)

    def _turns_before(self, company_id: int | None) -> float:
        """How many turns come before the company's next call, one after the other."""
        own = len(self._waiting.get(company_id, ()))
        ahead = sum(min(len(calls), own + 1) for calls in self._waiting.values())
        in_its_share = 0 if company_id is None else own / self._share
        return max(ahead / self._size, in_its_share)

    def _leave(self, waiting: _Waiting) -> None:
        calls = self._waiting[waiting.company_id]
        calls.remove(waiting)
        self._number_waiting -= 1
        if not calls:
            del self._waiting[waiting.company_id]

    def _is_next(self, company_id: int | None) -> bool:
        """Whether a turn is free and the company has not used up its share."""
        return self._free > 0 and (company_id is None or self._held[company_id] < self._share)

    def _take(self, company_id: int | None) -> None:
        self._free -= 1
        if company_id is not None:
            self._held[company_id] += 1
