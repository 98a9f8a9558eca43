"""Injects faults at random times: kills services, restarts the database, and changes the faults of
the card provider's proxy and of the clouds."""

import asyncio
import random
import shutil
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from chaos.deployment import EmbeddedDeployment
from chaos.faulty_proxy import FaultyProxy
from chaos.file_company import FileCompany
from tessera_core.objects import ROOT

CARD_FAULTS = 0.12


@dataclass
class Injector:
    deployment: EmbeddedDeployment
    proxy: FaultyProxy
    seed: int
    files: FileCompany
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def has_seen_enough(self) -> bool:
        restarts = self.counts["database restarts"] + self.counts["database crashes"]
        return restarts >= 1 and self.counts["kills"] >= 2

    async def make(
        self, is_over: Callable[[], bool], *, clouds: bool = True, pace: float = 1
    ) -> None:
        kinds = [
            ((2, 10), self._kill),
            ((15, 40), self._restart_database),
            ((4, 12), self._change_card_faults),
            ((25, 60), self._let_a_month_pass),
            ((1, 6), self._damage_cloud),
        ]
        if clouds:
            kinds.append(((10, 25), self._change_fault_mode))
        async with asyncio.TaskGroup() as group:
            for (least, most), do in kinds:
                group.create_task(self._every(is_over, (least / pace, most / pace), do))
        self.proxy.share = 0
        self._fault_mode("")

    async def _every(
        self,
        is_over: Callable[[], bool],
        between: tuple[float, float],
        do: Callable[[random.Random], Awaitable[None]],
    ) -> None:
        """Seeds a generator per fault kind, so that one kind's sequence does not depend on the
        others."""
        dice = random.Random(f"{self.seed}-{do.__name__}")
        while True:
            due = time.monotonic() + dice.uniform(*between)
            while time.monotonic() < due:
                if is_over():
                    return
                await asyncio.sleep(0.2)
            await do(dice)

    async def _kill(self, dice: random.Random) -> None:
        """Kills one of the two services, sometimes both, and starts them again."""
        both = dice.random() < 0.2
        chosen = self.deployment.services if both else [dice.choice(self.deployment.services)]
        for service in chosen:
            service.kill()
            self.counts["kills"] += 1
        await asyncio.sleep(dice.uniform(0, 2))
        await asyncio.gather(*(self.deployment.start(service) for service in chosen))

    async def _restart_database(self, dice: random.Random) -> None:
        restart, away = self.deployment.postgres.restart, dice.uniform(0, 3)
        if dice.random() < 0.5:
            await asyncio.to_thread(restart, "fast", away)
            self.counts["database restarts"] += 1
        else:
            await asyncio.to_thread(restart, "immediate", away)
            self.counts["database crashes"] += 1

    async def _change_card_faults(self, dice: random.Random) -> None:
        """Sets the share of failing calls: mostly few or none, at times half or all."""
        self.proxy.share = dice.choice([0, 0, CARD_FAULTS, CARD_FAULTS, 0.5, 1])

    async def _change_fault_mode(self, dice: random.Random) -> None:
        """Of all clouds, or only of the one that may be lost."""
        kind = dice.choice(["", "", "slow", "unreachable", "lost"])
        is_one = dice.random() < 0.5
        damaged = self.files.clouds[0].relative_to(self.deployment.clouds)
        self._fault_mode(f"{kind} {damaged}" if kind and is_one else kind)
        if kind:
            self.counts[f"{'one cloud' if is_one else 'clouds'} {kind}"] += 1

    async def _damage_cloud(self, dice: random.Random) -> None:
        """Damages one object of the cloud that may be lost, or takes all of it away for a while."""
        cloud = self.files.clouds[0]
        if dice.random() < 0.2:
            away = cloud.with_name(f"{cloud.name}-away")
            cloud.rename(away)
            self.counts["a cloud taken away"] += 1
            await asyncio.sleep(dice.uniform(1, 5))
            _bring_back(away, cloud)
            return
        objects = [path for path in (cloud / ROOT).rglob("*") if path.is_file()]
        if not objects:
            return
        path = dice.choice(sorted(objects))
        kind = dice.choice(["deleted", "truncated", "with a bit flipped"])
        if kind == "deleted":
            path.unlink()
        else:
            content = bytearray(path.read_bytes())
            if kind == "truncated":
                del content[dice.randrange(len(content)) :]
            else:
                content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
            path.write_bytes(content)
        self.counts[f"objects {kind}"] += 1

    def _fault_mode(self, kind: str) -> None:
        self.deployment.clouds.mkdir(exist_ok=True)
        (self.deployment.clouds / "fault_mode").write_text(kind)

    async def _let_a_month_pass(self, dice: random.Random) -> None:
        """Advances the card provider's clock: trials end, subscriptions renew, cards fail."""
        url = f"{self.deployment.any_address(dice)}/sandbox/stripe/clock"
        async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
            try:
                await http.post(url, json={"advanceDays": 31})
            except httpx.TransportError:
                self.counts["months passed without an answer"] += 1
            else:
                self.counts["months passed"] += 1


def _bring_back(away: Path, cloud: Path) -> None:
    """A write that was under way when the cloud was taken away may have created its folder."""
    try:
        away.rename(cloud)
    except OSError:
        for path in [path for path in away.rglob("*") if path.is_file()]:
            place = cloud / path.relative_to(away)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
        shutil.rmtree(away)
