"""The audit's rounds: chaining, the streams, checks that the leader asked for, and retention."""

from datetime import timedelta

import asyncpg
import structlog

from tessera.audit import checks, delivery, queries, stream_queries
from tessera.audit.chain import chain_records, forget_old
from tessera.audit.stream_queries import TARGETS, Work
from tessera.kit.data_keys import key_ring
from tessera.kit.database import Connection, Database
from tessera.kit.workflows import (
    current_resources,
    purge_expired_workflows,
    schedule,
    workflow,
)

log = structlog.get_logger()

AT_ONCE = 1_000
FORGOTTEN_AT_ONCE = 5_000
# Longer than an attempt takes, even if the service is restarted meanwhile.
LOST_AFTER = timedelta(minutes=15)


@workflow(queue="activity", attempts=10)
async def send_batch(
    company_id: int, target: int, sequence: int, replays: int, attempt: int
) -> None:
    """Safe to repeat: killed between the call and its record, it sends the same batch again."""
    work = Work(company_id, TARGETS[target], sequence, replays, attempt)
    await delivery.attempt(current_resources(), work, enqueue)


async def enqueue(connection: Connection, work: Work, wait: float) -> None:
    await send_batch.enqueue(connection, *work.ids, key=work.key, after=wait or None)


@workflow(queue="activity", attempts=10)
async def check_chain(company_id: int, check_id: int) -> None:
    await checks.run(current_resources(), company_id, check_id)


@schedule("* * * * *", attempts=3)
async def activity_round() -> None:
    """Chains what was recorded, and begins to send it."""
    database = current_resources().database
    async with database.platform.transaction() as connection:
        companies = await queries.companies_with_unchained(connection)
    for company_id in companies:
        try:
            await chain_company(database, company_id)
        except asyncpg.DataError:
            # One company's record must not keep the others' back.
            log.exception("activity could not be chained", company_id=company_id)
    await begin_streams(database)


async def chain_company(database: Database, company_id: int) -> None:
    chained = AT_ONCE
    while chained == AT_ONCE:
        async with database.tenant(company_id) as connection:
            chained = await chain_records(connection, company_id, AT_ONCE)


async def begin_streams(database: Database) -> None:
    async with database.platform.transaction() as connection:
        due = await stream_queries.companies_to_begin(connection)
        lost = await stream_queries.lost_batches(connection, LOST_AFTER)
    for company_id, target in due:
        async with database.tenant(company_id) as connection:
            work = await delivery.begin(connection, company_id, target)
            if work is not None:
                await enqueue(connection, work, 0)
    for batch in lost:
        async with database.tenant(batch.company_id) as connection:
            work = await delivery.begin_again(connection, batch)
            if work is not None:
                await enqueue(connection, work, 0)


@schedule("41 3 * * *", attempts=8)
async def sweep_activity() -> None:
    """Deletes in batches, each in its own transaction, so that no lock is held for long."""
    resources = current_resources()
    database, days = resources.database, resources.settings.activity_days
    done: list[int] = []
    while True:
        async with database.platform.transaction() as connection:
            companies = await queries.companies_with_old(connection, days, AT_ONCE, done)
        if not companies:
            break
        for company_id in companies:
            await chain_company(database, company_id)
            forgotten = FORGOTTEN_AT_ONCE
            while forgotten == FORGOTTEN_AT_ONCE:
                async with database.tenant(company_id) as connection:
                    forgotten = await forget_old(
                        connection, key_ring(resources), company_id, days, FORGOTTEN_AT_ONCE
                    )
        done += companies
    names = [send_batch.name, check_chain.name, f"{__name__}.activity_round"]
    async with database.without_tenant() as connection:
        await purge_expired_workflows(connection, names)
