"""One run: a base backup, load, the loss of the primary's disk, the restore, and the audit."""

import asyncio
import random
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from chaos import file_actions, load
from chaos.deployment import Deployment, new_folder, new_services
from chaos.faulty_proxy import open_proxy
from chaos.file_company import open_file_company
from chaos.journal import Journal
from chaos.person import Person
from chaos.platform_admin import open_admin
from restore_drill.archived_postgres import ArchivedPostgres, object_storage
from restore_drill.audit import audit
from restore_drill.drill import Drill, Report
from tessera.kit.migrations import migrate
from tests.fixtures.database import settings_for

PEOPLE = 4
# As in the sample of deploy/backup.
ARCHIVE_SECONDS = 60


@asynccontextmanager
async def _open_deployment(
    primary: ArchivedPostgres, folder: Path, between: str
) -> AsyncIterator[Deployment]:
    urls = primary.urls()
    await migrate(settings_for(urls))
    deployment = Deployment(folder, urls, new_services(urls, folder, between))
    try:
        for service in deployment.services:
            await deployment.start(service)
        yield deployment
    finally:
        for service in deployment.services:
            service.kill()


async def run(
    seed: int, seconds: float, *, people: int = PEOPLE, archive_seconds: int = ARCHIVE_SECONDS
) -> Report:
    report = Report(seed, seconds, archive_seconds)
    folder = new_folder()
    with object_storage() as storage:
        primary = ArchivedPostgres(folder / "postgres", storage)
        primary.folder.mkdir()
        try:
            await primary.create(archive_timeout=str(archive_seconds))
            await _run(primary, folder, report, people)
        finally:
            primary.kill()
    if report.findings:
        report.findings.append(f"the journal, the logs and the database are kept in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return report


async def _run(primary: ArchivedPostgres, folder: Path, report: Report, people: int) -> None:
    seed = report.seed
    async with (
        open_proxy(seed) as (proxy, address),
        _open_deployment(primary, folder, address) as deployment,
        httpx.AsyncClient(timeout=40, trust_env=False) as http,
    ):
        proxy.deployment = deployment
        journal = Journal(folder / "journal.jsonl", seed)
        person = Person(deployment, journal, http, random.Random(f"{seed}-admin"))
        admin = await open_admin(deployment, person)
        files = await open_file_company(deployment, journal, http, address, seed)
        await asyncio.to_thread(primary.back_up)
        drill = Drill(deployment, primary, journal, admin, files, report)
        await _lose_and_restore(drill, people)
        report.findings += await audit(drill)
        journal.close()


async def _lose_and_restore(drill: Drill, people: int) -> None:
    deployment, report = drill.deployment, drill.report

    def is_lost() -> bool:
        return deployment.is_lost

    async with asyncio.TaskGroup() as group:
        working = group.create_task(
            load.work(drill.admin, drill.journal, report.seed, people, is_lost)
        )
        storing = group.create_task(
            file_actions.work(drill.files, is_lost, attacked=False, leading=False)
        )
        # Not in step with the archive.
        more = random.Random(report.seed).uniform(0, report.archive_seconds)
        await asyncio.sleep(report.seconds + more)
        await drill.wait_for_entry()
        await drill.lose_disk()
        await drill.restore()
    deployment.is_lost = False
    report.findings += working.result() + storing.result()
