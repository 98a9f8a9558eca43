"""One check of a warehouse: load it, query the cloud with no transaction open, and store the result
unless the warehouse changed meanwhile."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog
from prometheus_client import Counter

from tessera.integrations.clouds import (
    Cloud,
    CloudError,
    ConnectionFailure,
    clouds,
)
from tessera.kit import clock
from tessera.kit.concurrency import for_each
from tessera.kit.data_keys import key_ring, stored_key
from tessera.kit.database import Connection
from tessera.kit.encryption import CannotBeOpened, KeyRing
from tessera.kit.workflows import Resources
from tessera.warehouses.credentials import Credentials, open_credentials
from tessera.warehouses.enums import Cause, HealthProblem, Status
from tessera.warehouses.health import files, queries
from tessera.warehouses.health.notices import report_changes
from tessera.warehouses.health.queries import DueWarehouse
from tessera_core.providers import connectable, find_provider

log = structlog.get_logger()

CHECKS = Counter("tessera_warehouse_checks_total", "Checks by cloud", ["cloud", "outcome"])
# A counter that begins with its first failure shows no increase.
for provider in connectable():
    CHECKS.labels(provider.key, ConnectionFailure.UNREACHABLE)


@dataclass(frozen=True)
class Subject:
    """What a check needs. `credentials` is None if the credentials could not be decrypted."""

    company_id: int
    row: DueWarehouse
    credentials: Credentials | None = field(repr=False)


@dataclass(frozen=True)
class Finding:
    subject: Subject
    status: Status
    cause: Cause | None = None
    file: files.HealthFile | None = None

    def values(self) -> tuple[object, ...]:
        return (
            self.subject.row.id,
            self.subject.row.revision,
            self.status.value,
            self.cause.value if self.cause else None,
            self.file.written_at if self.file else None,
            self.file.key_version if self.file else None,
        )


async def load(
    connection: Connection, resources: Resources, company_id: int, rows: Sequence[DueWarehouse]
) -> list[Subject]:
    if not rows:
        return []
    try:
        key = await stored_key(connection, resources, company_id)
    except CannotBeOpened as error:
        # The state of the warehouses is unknown, so they stay unchanged; the log reports it.
        log.error("data key cannot be opened", company_id=company_id, error=str(error))
        return []
    subjects = []
    for row in rows:
        try:
            credentials = open_credentials(key, row.id, row.key_version, row.sealed)
        except CannotBeOpened as error:
            log.error("credentials cannot be opened", warehouse_id=row.id, error=str(error))
            credentials = None
        subjects.append(Subject(company_id, row, credentials))
    return subjects


async def check(resources: Resources, subject: Subject) -> Finding:
    finding = await _run_check(resources, subject)
    CHECKS.labels(find_provider(subject.row.type).key, finding.cause or "fine").inc()
    return finding


async def _run_check(resources: Resources, subject: Subject) -> Finding:
    if subject.credentials is None:
        return Finding(subject, Status.NOT_CONNECTED, HealthProblem.CREDENTIALS_UNREADABLE)
    try:
        async with asyncio.timeout(resources.settings.warehouse_check_seconds):
            cloud = clouds(resources.settings).open(subject.row.type, subject.credentials)
            return await _check_cloud(key_ring(resources), cloud, subject)
    except CloudError as error:
        return Finding(subject, Status.NOT_CONNECTED, error.failure)
    except TimeoutError:
        return Finding(subject, Status.NOT_CONNECTED, ConnectionFailure.UNREACHABLE)


async def _check_cloud(ring: KeyRing, cloud: Cloud, subject: Subject) -> Finding:
    path = files.path(subject.row.id)
    if subject.row.health_version == subject.row.key_version:
        finding = _evaluate(ring, subject, await files.download(cloud, path))
        if finding.file is None or not _is_due(finding.file, subject):
            return finding
    file = files.HealthFile(
        subject.company_id, subject.row.id, subject.row.key_version, written_at=clock.now()
    )
    await cloud.write(path, files.encode(ring, file))
    finding = _evaluate(ring, subject, await files.download(cloud, path))
    if finding.file is not None and finding.file != file:
        # An older file came back: the cloud is not consistent yet, or drops writes.
        return Finding(subject, Status.CONNECTED, HealthProblem.HEALTH_STALE)
    return finding


def _is_due(file: files.HealthFile, subject: Subject) -> bool:
    return (
        file.by_old_key
        or file.key_version != subject.row.key_version
        or clock.now() - file.written_at >= files.LASTING
    )


def _evaluate(ring: KeyRing, subject: Subject, content: bytes | None) -> Finding:
    if content is None:
        return Finding(subject, Status.CONNECTED, HealthProblem.HEALTH_MISSING)
    file = files.read(ring, content)
    if file is None or (file.company, file.warehouse) != (subject.company_id, subject.row.id):
        return Finding(subject, Status.CONNECTED, HealthProblem.HEALTH_INVALID)
    known = subject.row.health_written_at
    if (
        file.key_version == subject.row.key_version
        and known is not None
        and file.written_at < known
    ):
        # Genuine, but somebody restored an older one.
        return Finding(subject, Status.CONNECTED, HealthProblem.HEALTH_STALE)
    return Finding(subject, Status.ACTIVE, file=file)


async def store_findings(
    connection: Connection, resources: Resources, company_id: int, findings: Sequence[Finding]
) -> set[int]:
    """Returns the ids of the warehouses whose result was stored."""
    if not findings:
        return set()
    rows = await queries.store_findings(
        connection,
        company_id,
        resources.settings.monitor_seconds,
        [finding.values() for finding in findings],
    )
    changed = [row for row in rows if row.changed]
    if changed:
        await queries.add_transitions(connection, company_id, changed)
        await report_changes(connection, resources, company_id, changed)
    return {row.id for row in rows}


async def check_after_change(
    resources: Resources, company_id: int, warehouse_id: int, revision: int
) -> None:
    """Does nothing if it was already done, or if a newer change has its own check."""
    async with resources.database.tenant(company_id) as connection:
        row = await queries.to_check(connection, company_id, warehouse_id, revision)
        subjects = await load(connection, resources, company_id, [row] if row else [])
    for subject in subjects:
        finding = await check(resources, subject)
        async with resources.database.tenant(company_id) as connection:
            await store_findings(connection, resources, company_id, [finding])


async def republish_health_files(resources: Resources, company_id: int, version: int) -> None:
    """Rewrites every health file that does not name this key version yet. A newer key has its own
    run: two runs at once would each take the other's file for an older one."""
    async with resources.database.tenant(company_id) as connection:
        rows = await queries.to_publish(connection, company_id, version)
        subjects = await load(connection, resources, company_id, rows)

    async def one(subject: Subject) -> None:
        finding = await check(resources, subject)
        async with resources.database.tenant(company_id) as connection:
            await store_findings(connection, resources, company_id, [finding])

    await for_each(subjects, one, at_once=resources.settings.monitor_concurrency)
