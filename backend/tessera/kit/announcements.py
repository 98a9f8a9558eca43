"""Tells calls that wait for something, in every process, that it has happened."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import asyncpg
from prometheus_client import Gauge

CHANNEL = "tessera_announcements"

HELD = Gauge(
    "tessera_held_calls", "Calls that wait for an announcement", multiprocess_mode="livesum"
)


class Expected(asyncio.Event):
    """Set when one of the expected names is announced."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}
        """What was announced with a name, as `NAME NUMBER`."""


class Announcements:
    """Who waits in this process. PostgreSQL carries the announcements between processes."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[Expected]] = {}
        self.is_closed = False

    async def listen(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        await connection.add_listener(CHANNEL, self._announced)
        # Something may have happened while nobody listened.
        self._wake_all()

    @contextmanager
    def expect(self, names: Iterable[str]) -> Iterator[Expected]:
        """Yields what is set when one of these names is announced. Whoever looks at the database
        after that has missed nothing."""
        event, expected = Expected(), list(names)
        if self.is_closed:
            event.set()
        for name in expected:
            self._waiting.setdefault(name, set()).add(event)
        HELD.inc()
        try:
            yield event
        finally:
            HELD.dec()
            for name in expected:
                waiting = self._waiting[name]
                waiting.discard(event)
                if not waiting:
                    del self._waiting[name]

    def close(self) -> None:
        """Lets everybody who waits answer before the service stops."""
        self.is_closed = True
        self._wake_all()

    def _announced(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        name, _, number = str(payload).partition(" ")
        for event in self._waiting.get(name, ()):
            if number:
                event.numbers[name] = int(number)
            event.set()

    def _wake_all(self) -> None:
        for waiting in self._waiting.values():
            for event in waiting:
                event.set()
