"""One run: load on two services, the primary killed again and again, then the audit."""

import asyncio
import random
import re
import shutil
import statistics
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from chaos import load
from chaos.audit import compare_sides, unexpected_errors
from chaos.audit.answers import compare_answers
from chaos.company_client import CompanyClient, new_phone, sign_up_with
from chaos.deployment import Deployment, new_folder, new_services
from chaos.faulty_proxy import open_proxy
from chaos.journal import Journal
from chaos.person import Person
from chaos.platform_admin import open_admin
from chaos.wait_idle import wait_until_idle
from failover.cluster import Cluster, open_cluster
from failover.probe import Probe
from tessera.kit.migrations import migrate
from tests.fixtures.database import settings_for
from tests.signup.signup import new_payload

# The longest that the services may fail to answer after a kill.
MAX_SECONDS = 30.0
PEOPLE = 4
# Load before the first kill.
STEADY_SECONDS = 40.0
# Load between the return of a node and the next kill.
BETWEEN_SECONDS = 5.0
READS = re.compile(r'^tessera_replica_reads_total{served_by="(.+)"} (.+)$', re.MULTILINE)


@dataclass
class Kill:
    """Seconds from the kill until each service answered; and until mail was sent again."""

    reads: list[float]
    writes: list[float]
    mail: float
    rejoined: float = 0.0


@dataclass
class Report:
    seed: int
    kills: list[Kill] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    # Acknowledged operations that are not in the database afterwards, or more than once.
    lost: int = 0
    # Lists that may come from a replica, by what served them: before the first kill, and in all.
    steady_reads: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    # Lists that a caller asked for after a write of its own, and the writes that were not in them.
    own_writes: int = 0
    missed: list[str] = field(default_factory=list)
    # By the status of the workflow engine.
    workflows: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    @property
    def slowest(self) -> float:
        return max(second for kill in self.kills for second in (*kill.reads, *kill.writes))

    @property
    def median(self) -> float:
        return statistics.median(max(*kill.reads, *kill.writes) for kill in self.kills)


@asynccontextmanager
async def _open_deployment(cluster: Cluster, between: str) -> AsyncIterator[Deployment]:
    urls = cluster.urls()
    await migrate(settings_for(urls))
    replica = cluster.url("tessera_app", kind="standby")
    services = new_services(urls, cluster.folder, between, database_replica_url=replica)
    deployment = Deployment(cluster.folder, urls, services)
    try:
        for service in deployment.services:
            await deployment.start(service)
        yield deployment
    finally:
        for service in deployment.services:
            service.kill()


async def run(seed: int, kills: int) -> Report:
    report = Report(seed)
    folder = new_folder()
    async with (
        open_proxy(seed) as (proxy, address),
        open_cluster(folder) as cluster,
        _open_deployment(cluster, address) as deployment,
        httpx.AsyncClient(timeout=40, trust_env=False) as http,
    ):
        proxy.deployment = deployment
        journal = Journal(folder / "journal.jsonl", seed)
        person = Person(deployment, journal, http, random.Random(f"{seed}-admin"))
        admin = await open_admin(deployment, person)
        one, other = (service.address for service in deployment.services)
        probes = [
            Probe(await _company(person), one, other, journal, http),
            Probe(await _company(person), other, one, journal, http),
        ]
        is_over = False

        def over() -> bool:
            return is_over

        async with asyncio.TaskGroup() as group:
            working = group.create_task(load.work(admin, journal, seed, PEOPLE, over))
            for probe in probes:
                group.create_task(probe.work(over))
            try:
                await asyncio.sleep(STEADY_SECONDS)
                report.steady_reads = await _reads(http, deployment)
                for _ in range(kills):
                    report.kills.append(await _kill(cluster, probes))
                    print(report.kills[-1], flush=True)
            finally:
                is_over = True
        report.findings += working.result()
        report.own_writes = sum(probe.own_writes for probe in probes)
        report.missed = [address for probe in probes for address in probe.missed]
        report.reads = await _reads(http, deployment)
        report.findings += await _finish(deployment, journal, report)
        journal.close()
    if report.findings:
        report.findings.append(f"the journal, the logs and the databases are kept in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return report


async def _company(person: Person) -> CompanyClient:
    return await sign_up_with(person, new_payload("", new_phone(person)))


async def _reads(http: httpx.AsyncClient, deployment: Deployment) -> Counter[str]:
    reads: Counter[str] = Counter()
    for service in deployment.services:
        text = (await http.get(f"{service.address}/metrics")).text
        for name, count in READS.findall(text):
            reads[name] += int(float(count))
    return reads


async def _kill(cluster: Cluster, probes: list[Probe]) -> Kill:
    await cluster.wait_until_healthy()
    await asyncio.sleep(BETWEEN_SECONDS)
    node = await cluster.primary()
    killed = time.monotonic()
    await asyncio.to_thread(node.kill)
    gone = time.monotonic()
    kill = Kill(
        reads=[await probe.read_after(gone) - killed for probe in probes],
        writes=[await probe.written_after(gone) - killed for probe in probes],
        mail=max([await probe.mailed_after(gone) - killed for probe in probes]),
    )
    node.start()
    back = time.monotonic()
    await cluster.wait_until_healthy()
    kill.rejoined = time.monotonic() - back
    return kill


async def _finish(deployment: Deployment, journal: Journal, report: Report) -> list[str]:
    findings = [f"{each.address} has ended" for each in deployment.services if each.ended]
    findings += [f"an invitation that its sender did not see: {each}" for each in report.missed]
    if report.slowest > MAX_SECONDS:
        findings.append(f"the services answered again after {report.slowest:.0f} s")
    connection = await deployment.connect()
    try:
        findings += await wait_until_idle(connection)
        lost = await compare_answers(connection, journal)
        findings += [*lost, *await compare_sides(deployment, journal, connection)]
        report.lost = len(lost)
        for status, count in await connection.fetch(
            "SELECT status, count(*) FROM dbos.workflow_status GROUP BY 1"
        ):
            report.workflows[status] = count
    finally:
        await connection.close()
    findings += unexpected_errors(journal)
    for operation in journal.operations:
        report.answers[operation.answer] += 1
    return findings
