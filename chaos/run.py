"""One run: a deployment, load, injected faults, and the audit once everything is idle."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from chaos import file_actions, load
from chaos.activity_stream import ActivityStream, keep_streaming, open_stream
from chaos.audit import audit
from chaos.deployment import Deployment, EmbeddedDeployment, open_deployment
from chaos.faulty_proxy import open_proxy
from chaos.file_company import FileCompany, open_file_company
from chaos.injector import Injector
from chaos.journal import Journal
from chaos.person import Person
from chaos.platform_admin import open_admin
from chaos.stream_receiver import open_receiver
from chaos.wait_idle import wait_until_idle
from tessera.kit.database import Connection


@dataclass
class Report:
    seed: int
    seconds: float
    operations: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    attempts: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


@dataclass
class RunResult:
    """The deployment after the run, and the audit's findings."""

    deployment: Deployment
    journal: Journal
    connection: Connection
    files: FileCompany
    stream: ActivityStream
    report: Report


@asynccontextmanager
async def after_faults(
    seed: int,
    seconds: float,
    *,
    people: int = 6,
    clouds: bool = True,
    tour: bool = False,
    pace: float = 1,
) -> AsyncIterator[RunResult]:
    """Runs load and faults, then the audit; with `tour`, every operation runs once in between.
    At a higher `pace` faults follow each other faster."""
    async with (
        open_proxy(seed) as (proxy, address),
        open_receiver(seed) as receiver,
        open_deployment(address, EmbeddedDeployment) as deployment,
    ):
        proxy.deployment = deployment
        journal = Journal(deployment.folder / "journal.jsonl", seed)
        report = Report(seed, seconds)
        async with httpx.AsyncClient(timeout=40, trust_env=False) as http:
            person = Person(deployment, journal, http, random.Random(f"{seed}-admin"))
            admin = await open_admin(deployment, person)
            files = await open_file_company(deployment, journal, http, address, seed)
            stream = await open_stream(files.client, receiver, files.clouds[1])
            injector = Injector(deployment, proxy, seed, files)
            begun = time.monotonic()

            def is_over() -> bool:
                """On a slow machine a short run goes on until it has seen the usual faults."""
                passed = time.monotonic() - begun
                enough = injector.has_seen_enough and proxy.has_failed_calls and receiver.counts
                return passed > (seconds if enough else 5 * seconds)

            async with asyncio.TaskGroup() as group:
                working = group.create_task(load.work(admin, journal, seed, people, is_over))
                storing = group.create_task(file_actions.work(files, is_over, replacing=clouds))
                group.create_task(keep_streaming(deployment, is_over))
                group.create_task(injector.make(is_over, clouds=clouds, pace=pace))
            receiver.is_calm.set()
            report.findings += working.result() + storing.result()
            ends = [file_actions.finish(files)]
            if tour:
                ends.append(load.tour(admin, journal, seed))
            for findings in await asyncio.gather(*ends):
                report.findings += findings
            await stream.replay()
            connection = await deployment.connect()
            try:
                report.findings += await wait_until_idle(connection)
                report.findings += await audit(deployment, journal, connection, files, stream)
                report.faults = injector.counts + proxy.faults + files.counts + receiver.counts
                _count(journal, report)
                yield RunResult(deployment, journal, connection, files, stream, report)
            finally:
                await connection.close()
                journal.close()
                deployment.kept = bool(report.findings)


def _count(journal: Journal, report: Report) -> None:
    for operation in journal.operations:
        report.operations[operation.kind] += 1
        report.answers[operation.answer] += 1
        report.attempts += len(operation.attempts)


async def run(seed: int, seconds: float) -> Report:
    async with after_faults(seed, seconds) as result:
        report = result.report
        if report.findings:
            place = result.deployment.folder
            report.findings.append(f"the journal, the log and the database are kept in {place}")
    return report
