"""Checks the warehouses that are due. The platform role finds their companies; everything else
happens inside each company: one short transaction claims its warehouses and one stores the results.
Between them the clouds are queried, with limited concurrency."""

import asyncio

import structlog

from tessera.kit.concurrency import for_each
from tessera.kit.workflows import Resources
from tessera.warehouses.health import queries
from tessera.warehouses.health.service import Finding, Subject, check, load, store_findings

log = structlog.get_logger()

# Console users come first: the monitor holds few connections at once.
CONNECTIONS = 3


class Round:
    def __init__(self, resources: Resources, until: float) -> None:
        self._resources = resources
        self._until = until
        self._calls = asyncio.Semaphore(resources.settings.monitor_concurrency)
        self._connections = asyncio.Semaphore(CONNECTIONS)

    async def run(self, companies: list[int]) -> None:
        at_once = self._resources.settings.monitor_concurrency
        await for_each(companies, self._try_company, at_once=at_once)

    async def _try_company(self, company_id: int) -> None:
        try:
            await self._check_company(company_id)
        except Exception:
            # Must not affect the others; the lease expires, and it is tried again.
            log.exception("warehouses could not be checked", company_id=company_id)

    async def _check_company(self, company_id: int) -> None:
        resources = self._resources
        lease = 2 * resources.settings.warehouse_check_seconds
        async with self._connections, resources.database.tenant(company_id) as connection:
            rows = await queries.claim_due(connection, company_id, self._until, lease)
            subjects = await load(connection, resources, company_id, rows)
        if not subjects:
            return
        findings = await asyncio.gather(*(self._check(subject) for subject in subjects))
        async with self._connections, resources.database.tenant(company_id) as connection:
            await store_findings(connection, resources, company_id, findings)

    async def _check(self, subject: Subject) -> Finding:
        async with self._calls:
            return await check(self._resources, subject)


async def check_due(resources: Resources, until: float, part: int, parts: int) -> None:
    """Safe to repeat: what is done is no longer due, so a second run does the rest."""
    async with resources.database.platform.transaction() as connection:
        companies = await queries.due_companies(connection, until, part, parts)
    await Round(resources, until).run(companies)
