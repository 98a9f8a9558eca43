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
from chaos.audit import audit
from chaos.deployment import Deployment, open_deployment
from chaos.faulty_proxy import open_proxy
from chaos.file_company import FileCompany, open_file_company
from chaos.injector import Injector
from chaos.journal import Journal
from chaos.person import Person
from chaos.platform_admin import open_admin
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
    report: Report


@asynccontextmanager
async def after_faults(
    seed: int, seconds: float, *, people: int = 6, clouds: bool = True, tour: bool = False
) -> AsyncIterator[RunResult]:
    """Runs load and faults, then the audit; with `tour`, every operation runs once in between."""
    async with open_proxy(seed) as (proxy, address), open_deployment(address) as deployment:
        proxy.deployment = deployment
        journal = Journal(deployment.folder / "journal.jsonl", seed)
        report = Report(seed, seconds)
        async with httpx.AsyncClient(timeout=40, trust_env=False) as http:
            person = Person(deployment, journal, http, random.Random(f"{seed}-admin"))
            admin = await open_admin(deployment, person)
            files = await open_file_company(deployment, journal, http, address, seed)
            injector = Injector(deployment, proxy, seed, files)
            begun = time.monotonic()

            def is_over() -> bool:
                """On a slow machine a short run goes on until a call to the provider has failed."""
                passed = time.monotonic() - begun
                return passed > (seconds if proxy.has_failed_calls else 5 * seconds)

            async with asyncio.TaskGroup() as group:
                working = group.create_task(load.work(admin, journal, seed, people, is_over))
                storing = group.create_task(file_actions.work(files, is_over, replacing=clouds))
                group.create_task(injector.make(is_over, clouds=clouds))
            report.findings += working.result() + storing.result()
            if tour:
                report.findings += await load.tour(admin, journal, seed)
            report.findings += await file_actions.finish(files)
            connection = await deployment.connect()
            try:
                report.findings += await wait_until_idle(connection)
                report.findings += await audit(deployment, journal, connection, files)
                report.faults = injector.counts + proxy.faults + files.counts
                _count(journal, report)
                yield RunResult(deployment, journal, connection, files, report)
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
