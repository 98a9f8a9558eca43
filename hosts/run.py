"""One run: machines with several processes each behind a proxy, one fault after the other under
load, then the audit."""

import asyncio
import random
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from chaos import load
from chaos.audit import compare_sides, unexpected_errors
from chaos.audit.answers import compare_answers
from chaos.company_client import new_phone, sign_up_with
from chaos.deployment import SETTINGS, Deployment, new_folder
from chaos.journal import Journal
from chaos.person import Person
from chaos.platform_admin import open_admin
from chaos.wait_idle import wait_until_idle
from failover.cluster import Cluster, open_cluster
from failover.probe import Probe
from hosts.database_relay import DatabaseRelay, open_relay
from hosts.faults import FAULTS, Faults
from hosts.login_limit import ATTEMPTS, count_wrong_passwords
from hosts.machine import PROCESSES, Machine
from hosts.network import Namespace, open_network
from hosts.proxy import Proxy, open_proxy
from tessera import limits
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tessera.kit.migrations import migrate
from tests.fixtures.database import settings_for
from tests.fixtures.process import environment
from tests.signup.signup import new_payload

PROBES = 3
PEOPLE = 2
# The longest that a caller may wait for an answer, whatever happens to one machine.
MAX_SECONDS = 30.0


@dataclass
class Phase:
    fault: str
    seconds: float
    # Of calls at the proxy, while the fault lasted and until the machine was back; 0 if the caller
    # gave up.
    statuses: Counter[int]
    # The longest time in which a caller got no answer.
    longest: float


@dataclass
class Report:
    seed: int
    machines: int
    phases: list[Phase] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    wrong_passwords: Counter[int] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


@dataclass
class HostsDeployment(Deployment):
    """Callers know the proxy alone."""

    address: str = field(kw_only=True)

    def any_address(self, _: random.Random) -> str:
        return self.address


@dataclass
class Hosts:
    deployment: HostsDeployment
    proxy: Proxy
    machines: list[Machine]
    relay: DatabaseRelay
    cluster: Cluster | None
    probes: list[Probe] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)

    async def make(self, name: str, seconds: float) -> None:
        machine = self.machines[-1]
        begun, moment = time.time(), time.monotonic()
        async with FAULTS[name](Faults(machine, self.relay, self.cluster)):
            await asyncio.sleep(seconds)
        await machine.wait_until_ready()
        answered = max([await probe.read_after(time.monotonic()) for probe in self.probes])
        longest = max(probe.longest_wait(moment, answered) for probe in self.probes)
        statuses = self.proxy.statuses(begun, time.time())
        self.phases.append(Phase(name, time.time() - begun, statuses, longest))


@asynccontextmanager
async def open_hosts(machines: int, *, cluster: bool) -> AsyncIterator[Hosts]:
    folder = new_folder()
    with open_network(machines + 1) as (first, *rest):
        async with (
            _database(folder, cluster=cluster) as (urls, patroni),
            open_relay(urls) as (relay, reached),
        ):
            await migrate(settings_for(urls))
            with open_proxy(first, rest, folder / "proxy") as proxy:
                deployment = HostsDeployment(folder, urls, [], address=proxy.address)
                running = [_machine(deployment, reached, namespace) for namespace in rest]
                try:
                    await asyncio.gather(*(machine.start() for machine in running))
                    yield Hosts(deployment, proxy, running, relay, patroni)
                finally:
                    for machine in running:
                        machine.kill()
    if not deployment.kept:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def _database(
    folder: Path, *, cluster: bool
) -> AsyncIterator[tuple[EmbeddedUrls, Cluster | None]]:
    if cluster:
        async with open_cluster(folder) as patroni:
            yield patroni.urls(), patroni
        return
    postgres = await asyncio.to_thread(EmbeddedPostgres, folder)
    try:
        yield await asyncio.to_thread(postgres.ensure_database), None
    finally:
        await asyncio.to_thread(postgres.stop)


def _machine(deployment: HostsDeployment, urls: EmbeddedUrls, namespace: Namespace) -> Machine:
    folder = deployment.folder / namespace.name
    folder.mkdir()
    # The sandbox's clouds, which all machines reach.
    deployment.clouds.mkdir(exist_ok=True)
    (folder / "clouds").symlink_to(deployment.clouds)
    address = deployment.address
    settings = {
        **SETTINGS,
        "limits": f"{SETTINGS['limits']},{limits.LOGIN.name}={limits.LOGIN.default}",
        "public_url": address,
        "stripe_url": f"{address}/sandbox/stripe",
        "workers": str(PROCESSES),
        "trusted_proxies": "10.77.0.0/24",
        "sandbox_public": "true",
    }
    return Machine(
        namespace, folder, environment(urls, folder, settings), deployment.folder / "service.log"
    )


async def run(
    seed: int, seconds: float, machines: int, faults: Sequence[str], *, cluster: bool
) -> Report:
    report = Report(seed, machines)
    async with (
        open_hosts(machines, cluster=cluster) as hosts,
        httpx.AsyncClient(timeout=40, trust_env=False) as http,
    ):
        deployment = hosts.deployment
        journal = Journal(deployment.folder / "journal.jsonl", seed)
        person = Person(deployment, journal, http, random.Random(f"{seed}-admin"))
        admin = await open_admin(deployment, person)
        address = deployment.address
        for _ in range(PROBES):
            client = await sign_up_with(person, new_payload("", new_phone(person)))
            hosts.probes.append(Probe(client, address, address, journal, http))
        addresses = [machine.address for machine in hosts.machines]
        report.wrong_passwords = await count_wrong_passwords(hosts.probes[0].client, addresses)
        is_over = False

        def over() -> bool:
            return is_over

        async with asyncio.TaskGroup() as group:
            working = group.create_task(load.work(admin, journal, seed, PEOPLE, over))
            for probe in hosts.probes:
                group.create_task(probe.work(over))
            try:
                for name in faults:
                    await hosts.make(name, seconds)
            finally:
                is_over = True
        report.findings += working.result()
        report.phases = hosts.phases
        report.findings += await _finish(hosts, journal, report)
        journal.close()
        deployment.kept = bool(report.findings)
        if deployment.kept:
            report.findings.append(f"the journal and the logs are kept in {deployment.folder}")
    return report


async def _finish(hosts: Hosts, journal: Journal, report: Report) -> list[str]:
    deployment = hosts.deployment
    findings = [
        f"{phase.fault}: no answer for {phase.longest:.0f} s"
        for phase in hosts.phases
        if phase.longest > MAX_SECONDS
    ]
    expected = {401: limits.LOGIN.default, 429: ATTEMPTS - limits.LOGIN.default}
    if report.wrong_passwords != expected:
        findings.append(f"wrong passwords were answered {dict(report.wrong_passwords)}")
    for probe in hosts.probes:
        findings += [f"an invitation that its sender did not see: {each}" for each in probe.missed]
    connection = await deployment.connect()
    try:
        findings += await wait_until_idle(connection)
        findings += await compare_answers(connection, journal)
        findings += await compare_sides(deployment, journal, connection)
    finally:
        await connection.close()
    findings += unexpected_errors(journal)
    for operation in journal.operations:
        report.answers[operation.answer] += 1
    return findings
