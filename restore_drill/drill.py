"""The loss of the primary's disk, and the restore as an operator makes it."""

import asyncio
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from chaos.company_client import CompanyClient
from chaos.deployment import Deployment
from chaos.file_company import FileCompany
from chaos.journal import Journal
from restore_drill.archived_postgres import ArchivedPostgres
from tessera.kit.database import Connection
from tests.fixtures.process import environment
from tests.fixtures.waiting import eventually

TESSERA = Path(sys.executable).with_name("tessera")
NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass
class Report:
    seed: int
    # Of load, before the loss.
    seconds: float
    archive_seconds: int
    # When the last change was answered before the loss, and the last commit that came back.
    answered_at: datetime = NEVER
    committed_at: datetime = NEVER
    # Seconds from the loss until each step was over.
    steps: dict[str, float] = field(default_factory=dict)
    operations: int = 0
    lost_operations: list[str] = field(default_factory=list)
    # Of the space's log: in the restored database, and when all had come back.
    restored_entries: int = 0
    entries: int = 0
    files: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    # What `tess` said to each person, from the loss to the closing.
    said: dict[str, Counter[str]] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)

    @property
    def lost_seconds(self) -> float:
        return max(0, (self.answered_at - self.committed_at).total_seconds())


async def log_end(connection: Connection) -> int:
    """Only one company has a space."""
    return int(await connection.fetchval("SELECT COALESCE(max(sequence), 0) FROM spaces"))


@dataclass
class Drill:
    deployment: Deployment
    primary: ArchivedPostgres
    journal: Journal
    admin: CompanyClient
    files: FileCompany
    report: Report
    lost: float = 0

    def note(self, step: str) -> None:
        self.report.steps[step] = time.monotonic() - self.lost
        print(f"{self.report.steps[step]:6.1f} s after the loss: {step}", flush=True)

    async def wait_for_entry(self) -> None:
        """One that is stored now is not in the archive yet."""
        connection = await self.deployment.connect()
        try:
            end = await log_end(connection)

            async def is_longer() -> bool:
                return await log_end(connection) > end

            await eventually(is_longer, "a file is stored")
        finally:
            await connection.close()

    async def lose_disk(self) -> None:
        """With everything that is on it, while clients write."""
        for user in self.files.users:
            user.computer.said.clear()
        self.lost = time.monotonic()
        await asyncio.to_thread(self.primary.kill)
        self.deployment.is_lost = True
        self.report.answered_at = max(
            attempt.answered_at or NEVER
            for _, attempt in self.journal.attempts()
            if attempt.answer == "yes"
        )
        await asyncio.to_thread(self.primary.lose_disk)
        self.note("the disk is empty")

    async def restore(self) -> None:
        """The commands of docs/operations.md, in their order."""
        services, primary = self.deployment.services, self.primary
        # Without a database they would end only when systemd kills them.
        for service in services:
            service.kill()
        primary.make_folder()
        await self._tessera("backup", "restore", str(primary.data))
        self.note("the base backup is fetched")
        await asyncio.to_thread(primary.start)
        await self._wait_for_promotion()
        self.note("the write-ahead log is replayed")
        await self._tessera("migrate")
        await self._tessera("restore", "begin")
        self.note("the restore is begun")
        await asyncio.gather(*(self.deployment.start(service) for service in services))
        await self._wait_for_answer()
        self.note("the service answers")

    async def back_up(self) -> None:
        await asyncio.to_thread(self.primary.back_up)
        self.note("there is a new base backup")

    async def _tessera(self, *words: str) -> None:
        folder = self.deployment.folder
        own = environment(self.deployment.urls, folder, {})
        process = await asyncio.create_subprocess_exec(
            TESSERA, *words, env={**own, **self.primary.environment}, cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        said, _ = await process.communicate()
        assert process.returncode == 0, f"tessera {' '.join(words)}: {said.decode()}"

    async def _wait_for_promotion(self) -> None:
        connection = await self.deployment.connect()
        try:
            promoted = "SELECT NOT pg_is_in_recovery()"
            await eventually(lambda: connection.fetchval(promoted), "the server is promoted")
            self.report.committed_at = await connection.fetchval(
                "SELECT pg_last_xact_replay_timestamp()"
            )
            self.report.restored_entries = await log_end(connection)
        finally:
            await connection.close()

    async def _wait_for_answer(self) -> None:
        """A leader who was logged in before sees the warehouses."""
        client = self.files.client
        for service in self.deployment.services:
            answer = await client.person.http.get(
                f"{service.address}/api/all", headers=client.headers
            )
            answer.raise_for_status()
