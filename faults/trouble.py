"""Makes trouble at random times: kills services, restarts the database, spoils the way to the card
provider and the weather of the clouds."""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

import httpx

from faults.between import Door
from faults.house import House
from tests.fixtures.process import Service

CARD_FAULTS = 0.12


@dataclass
class Trouble:
    house: House
    door: Door
    dice: random.Random
    counts: Counter[str] = field(default_factory=Counter)

    async def make(self, seconds: float, *, clouds: bool = True) -> None:
        """Each kind has its own rhythm; the seed decides when."""
        end = time.monotonic() + seconds
        rhythms = [
            *(self._every(end, (3, 15), partial(self._kill, each)) for each in self.house.services),
            self._every(end, (20, 45), self._restart_database),
            self._every(end, (5, 15), self._change_door),
            self._every(end, (30, 60), self._let_a_month_pass),
        ]
        if clouds:
            rhythms.append(self._every(end, (10, 25), self._change_weather))
        await asyncio.gather(*rhythms)
        self.calm()

    def calm(self) -> None:
        self.door.share = 0
        self._weather("")

    async def _every(self, end: float, between: tuple[float, float], do: object) -> None:
        assert callable(do)
        while (pause := self.dice.uniform(*between)) < end - time.monotonic():
            await asyncio.sleep(pause)
            await do()

    async def _kill(self, service: Service) -> None:
        service.kill()
        self.counts["kills"] += 1
        await asyncio.sleep(self.dice.uniform(0, 2))
        await self.house.start(service)

    async def _restart_database(self) -> None:
        crash = self.dice.random() < 0.5
        away = self.dice.uniform(0, 3)
        await asyncio.to_thread(self.house.postgres.restart, "immediate" if crash else "fast", away)
        self.counts["database crashes" if crash else "database restarts"] += 1

    async def _change_door(self) -> None:
        """Mostly now and then a fault; at times nothing comes through, at times everything."""
        self.door.share = self.dice.choice([0, CARD_FAULTS, CARD_FAULTS, 0.4, 1])

    async def _change_weather(self) -> None:
        kind = self.dice.choice(["", "", "slow", "unreachable", "lost"])
        self._weather(kind)
        if kind:
            self.counts[f"clouds {kind}"] += 1

    def _weather(self, kind: str) -> None:
        self.house.clouds.mkdir(exist_ok=True)
        (self.house.clouds / "weather").write_text(kind)

    async def _let_a_month_pass(self) -> None:
        """At the card provider: trials end, subscriptions renew, cards fail."""
        async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
            url = f"{self.house.any_address(self.dice)}/sandbox/stripe/clock"
            try:
                await http.post(url, json={"advanceDays": 31})
            except httpx.TransportError:
                self.counts["months passed without an answer"] += 1
            else:
                self.counts["months passed"] += 1
