"""One run: load on two processes of the version before, their upgrade meanwhile, and the audit."""

import asyncio
import random
from dataclasses import dataclass

from chaos import file_actions, load
from chaos.activity_stream import ActivityStream, keep_streaming, open_stream
from chaos.audit import audit, audit_without_files
from chaos.company_client import CompanyClient
from chaos.deployment import SETTINGS as LOAD_SETTINGS
from chaos.deployment import open_deployment
from chaos.faulty_proxy import open_proxy
from chaos.file_company import FileCompany, open_file_company
from chaos.journal import Journal
from chaos.person import Person
from chaos.platform_admin import open_admin
from chaos.stream_receiver import open_receiver
from chaos.wait_idle import wait_until_idle
from tessera.kit.database import Connection
from upgrade.previous_version import Release, checked_out, previous_release
from upgrade.report import Report
from upgrade.rotation import DRAIN_SECONDS, RotatingDeployment, counted_calls
from upgrade.steps import Upgrade
from upgrade.unfinished_work import results

# Nothing fails on purpose here, so that a slow machine may be slow.
SETTINGS = {
    "drain_seconds": str(DRAIN_SECONDS),
    "stripe_timeout_seconds": "10",
    "warehouse_check_seconds": "10",
}


@dataclass
class Files:
    """People who store files, with clients of the version before, and where their activity goes."""

    company: FileCompany
    stream: ActivityStream


@dataclass
class Load:
    deployment: RotatingDeployment
    journal: Journal
    seed: int
    admin: CompanyClient
    files: Files | None

    async def during(self, upgrade: Upgrade, people: int) -> list[str]:
        """Works until the upgrade is done; returns what must not happen."""
        is_upgraded = False

        def is_over() -> bool:
            return is_upgraded

        async with asyncio.TaskGroup() as group:
            work = [load.work(self.admin, self.journal, self.seed, people, is_over)]
            if self.files is not None:
                work.append(file_actions.work(self.files.company, is_over, replacing=False))
                group.create_task(keep_streaming(self.deployment, is_over))
            tasks = [group.create_task(each) for each in work]
            await upgrade.perform()
            is_upgraded = True
        return [finding for task in tasks for finding in task.result()]

    async def finish(self, connection: Connection) -> list[str]:
        if self.files is None:
            return [
                *await wait_until_idle(connection),
                *await audit_without_files(self.deployment, self.journal, connection),
            ]
        company, stream = self.files.company, self.files.stream
        stream.receiver.is_calm.set()
        # This computer gets the new client, the others keep theirs.
        company.leader.computer.version = None
        findings = await file_actions.finish(company)
        await stream.replay()
        return [
            *findings,
            *await wait_until_idle(connection),
            *await audit(self.deployment, self.journal, connection, company, stream),
        ]


def _limits_of(release: Release) -> str:
    """A version refuses settings of limits that it does not know."""
    declared = release.read("backend/tessera/limits.py").decode()
    limits = LOAD_SETTINGS["limits"].split(",")
    return ",".join(limit for limit in limits if f'"{limit.partition("=")[0]}"' in declared)


async def run(seed: int, seconds: float, *, people: int = 6, with_files: bool = True) -> Report:
    release = previous_release()
    report = Report(seed, seconds, release.version)
    with checked_out(release) as previous:
        async with (
            open_proxy(seed) as (proxy, address),
            open_receiver(seed) as receiver,
            open_deployment(
                address,
                RotatingDeployment,
                version=previous,
                **SETTINGS,
                limits=_limits_of(release),
            ) as deployment,
            counted_calls() as (http, report.calls),
            deployment.checking(),
        ):
            proxy.deployment = deployment
            journal = Journal(deployment.folder / "journal.jsonl", seed)
            connection = await deployment.connect()
            # Until the audit has found nothing.
            deployment.kept = True
            try:
                person = Person(deployment, journal, http, random.Random(f"{seed}-admin"))
                admin = await open_admin(deployment, person)
                files = None
                if with_files:
                    company = await open_file_company(
                        deployment, journal, http, address, seed, client_version=previous
                    )
                    stream = await open_stream(company.client, receiver, company.clouds[1])
                    files = Files(company, stream)
                everybody = Load(deployment, journal, seed, admin, files)
                upgrade = Upgrade(deployment, connection, previous, report)
                report.findings += await everybody.during(upgrade, people)
                report.findings += await everybody.finish(connection)
                await _judge(report, journal, upgrade.taken_over, connection)
                if files is not None:
                    report.files = files.company.counts
                deployment.kept = bool(report.findings)
            finally:
                journal.close()
                await connection.close()
            if report.findings:
                place = deployment.folder
                report.findings.append(f"the journal, the log and the database are kept in {place}")
    return report


async def _judge(
    report: Report, journal: Journal, taken_over: list[str], connection: Connection
) -> None:
    for operation in journal.operations:
        report.operations[operation.answer] += 1
        if operation.answer == "unknown":
            report.findings.append(f"{operation.kind} ({operation.number}): never answered")
    report.findings += [f"{call}, {count} times" for call, count in report.calls.failed.items()]
    report.taken_over = await results(connection, taken_over)
    if not taken_over:
        report.findings.append("the last process of the version before left no workflow unfinished")
    for status, count in report.taken_over.items():
        if status != "SUCCESS":
            report.findings.append(f"{count} workflows of the version before ended with {status}")
