"""The steps of the upgrade, with load before each."""

import asyncio
import time
from dataclasses import dataclass, field

from tessera.kit.database import Connection
from tessera.warehouses.workflows import check_changed
from tessera_core.version import __version__
from tests.fixtures.process import OtherVersion, Service
from upgrade.report import Report
from upgrade.rotation import RotatingDeployment
from upgrade.unfinished_work import UnfinishedWork, running_versions, under_way

# Two migrations, four replacements, and before all of them.
PAUSES = 7


@dataclass
class Upgrade:
    deployment: RotatingDeployment
    connection: Connection
    previous: OtherVersion
    report: Report
    # Workflows that the last process of the version before had begun and not ended.
    taken_over: list[str] = field(default_factory=list)

    async def perform(self) -> None:
        """Ends with all load on the new version."""
        first, last = self.deployment.services
        old, new = self.report.previous, __version__
        await self._pause()
        await self._migrate(first)
        await self._replace("first process replaced", first, None, {old, new})
        await self._replace("first process put back", first, self.previous, {old})
        await self._replace("first process replaced again", first, None, {old, new})
        await self._replace("last process replaced", last, None, {new})
        await self._migrate(last, "--contract")

    async def _migrate(self, service: Service, *options: str) -> None:
        version, service.version = service.version, None
        begun = time.monotonic()
        try:
            output = await asyncio.to_thread(service.run, "migrate", *options)
        finally:
            service.version = version
        ran = [line.split()[1] for line in output.splitlines() if line.startswith("ran ")]
        self._note(f"migrated: {', '.join(ran) or 'nothing'}", begun)
        await self._pause()

    async def _replace(
        self, name: str, service: Service, version: OtherVersion | None, expected: set[str]
    ) -> None:
        """Stops the process and starts it in the version, None for this one."""
        is_last = self.report.previous not in expected
        work = UnfinishedWork()
        if is_last:
            # So slow that a check does not end before it is handed over.
            self._make_clouds("slow")
            work = await under_way(self.connection, self.report.previous, check_changed.queue)
        begun = time.monotonic()
        code = await asyncio.to_thread(service.stop)
        stopped = time.monotonic()
        if code != 0:
            self.report.findings.append(f"{name}: the former one ended with {code}")
        if is_last:
            self.report.begun = len(work.begun)
            self.taken_over = await work.taken_over(self.connection)
            self._make_clouds("")
        service.version = version
        await self.deployment.start(service)
        self._note(f"{name}, of which {stopped - begun:.1f} s to stop", begun)
        running = set((await running_versions(self.connection)).values())
        if running != expected:
            self.report.findings.append(f"{name}: {sorted(running)} run")
        await self._pause()

    def _make_clouds(self, fault_mode: str) -> None:
        (self.deployment.clouds / "fault_mode").write_text(fault_mode)

    def _note(self, name: str, begun: float) -> None:
        seconds = time.monotonic() - begun
        print(f"{name}: {seconds:.1f} s", flush=True)
        self.report.steps.append((name, seconds))

    async def _pause(self) -> None:
        await asyncio.sleep(self.report.seconds / PAUSES)
