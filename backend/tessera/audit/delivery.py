"""Sends a company's records to its webhook and, as daily files, to one of its own warehouses, batch
by batch in the order of the chain. A batch that fails is tried until it arrives."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from tessera.audit import queries, stream_queries
from tessera.audit.ocsf import to_ocsf
from tessera.audit.queries import ChainedRecord
from tessera.audit.stream_queries import Due, Target, Work
from tessera.integrations.clouds import CloudError, ConnectionFailure
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.warehouses.alerts.sending import sealed_webhook, send

BATCH: dict[Target, int] = {"webhook": 100, "warehouse": 5_000}
# Waits between the attempts of a batch; the last one is repeated.
WAITS = (5, 60, 300, 1_800, 3_600)
EVENT = "activity.recorded"
# The daily files are written after midnight, and the receiver's day has then ended.
FILES_AT = timedelta(minutes=17)
UPLOAD_SECONDS = 60


@dataclass(frozen=True)
class Result:
    status: int | None = None
    error: str | None = None


Enqueue = Callable[[Connection, Work, float], Awaitable[None]]


async def begin(connection: Connection, company_id: int, target: Target) -> Work | None:
    """Fixes the next batch. A round without records ends at once."""
    begun = await stream_queries.begin_batch(connection, company_id, target, BATCH[target])
    if begun is None:
        await _end_round(connection, company_id, target)
        return None
    return Work(company_id, target, begun.sequence, begun.replays)


async def begin_again(connection: Connection, lost: Due) -> Work | None:
    """The next attempt of a batch whose work was lost."""
    work = Work(lost.company_id, lost.target, lost.sequence, lost.replays, lost.attempts)
    if await stream_queries.lock_due(connection, work) is None:
        return None
    await stream_queries.count_attempt(connection, lost.company_id, lost.target)
    return replace(work, attempt=work.attempt + 1)


async def attempt(resources: Resources, work: Work, enqueue: Enqueue) -> None:
    """Sends the batch, and enqueues what follows together with the result."""
    database = resources.database
    async with database.tenant(work.company_id) as connection:
        due = await stream_queries.lock_due(connection, work)
        if due is None:
            return
        records = await queries.chained_records(connection, due.company_id, due.sequence, due.until)
    result = await _send(resources, due, records) if records else Result()
    async with database.tenant(work.company_id) as connection:
        if await stream_queries.lock_due(connection, work) is None:
            return
        if result.error is None:
            await stream_queries.record_success(
                connection, due.company_id, due.target, result.status
            )
            following = await begin(connection, due.company_id, due.target)
            if following is not None:
                await enqueue(connection, following, 0)
            return
        wait = WAITS[min(due.attempts, len(WAITS) - 1)]
        await stream_queries.record_failure(
            connection,
            due.company_id,
            due.target,
            status=result.status,
            error=result.error,
            wait=wait,
        )
        await enqueue(connection, replace(work, attempt=work.attempt + 1), wait)


async def _send(resources: Resources, due: Due, records: list[ChainedRecord]) -> Result:
    events = [to_ocsf(due.company_uuid, record) for record in records]
    if due.target == "warehouse":
        return await _write_file(resources, due, records, events)
    async with resources.database.tenant(due.company_id) as connection:
        webhook = await sealed_webhook(connection, due.company_id)
    if webhook is None:
        return Result(error="no_webhook")
    head = {"sequence": records[-1].sequence, "hash": records[-1].hash.hex()}
    body = {
        "type": EVENT,
        "timestamp": records[-1].at.astimezone(UTC).isoformat(timespec="milliseconds"),
        "data": {"records": events, "head": head},
    }
    # The same for every attempt of this batch.
    name = f"tessera:activity:{due.company_uuid}:{due.replays}:{due.sequence}:{due.until}"
    sent = await send(resources, webhook, uuid5(NAMESPACE_URL, name), json.dumps(body).encode())
    return Result(sent.status, sent.error)


async def _write_file(
    resources: Resources, due: Due, records: list[ChainedRecord], events: list[dict[str, Any]]
) -> Result:
    """Written twice it is the same file."""
    async with resources.database.tenant(due.company_id) as connection:
        warehouses = await load_warehouses(connection, resources, due.company_id)
    warehouse = own_warehouse(warehouses, due.warehouse_id)
    if warehouse is None:
        return Result(error="no_warehouse")
    content = b"".join(json.dumps(event).encode() + b"\n" for event in events)
    try:
        async with asyncio.timeout(UPLOAD_SECONDS):
            await warehouse.open(resources).write(file_path(records), content)
    except CloudError as error:
        return Result(error=error.failure.value)
    except TimeoutError:
        return Result(error=ConnectionFailure.UNREACHABLE.value)
    return Result()


def own_warehouse(
    warehouses: dict[int, StorageWarehouse], warehouse_id: int | None
) -> StorageWarehouse | None:
    """Never a shared one, which other companies use too."""
    found = warehouses.get(warehouse_id) if warehouse_id is not None else None
    return found if found is not None and not found.is_shared else None


def file_path(records: list[ChainedRecord]) -> str:
    first, last = records[0], records[-1]
    day = f"{last.at.astimezone(UTC):%Y-%m-%d}"
    return f".tessera/activity/{day}/{first.sequence:012}-{last.sequence:012}.ndjson"


async def _end_round(connection: Connection, company_id: int, target: Target) -> None:
    if target == "warehouse":
        await stream_queries.end_round(connection, company_id, target, _next_files(clock.now()))


def _next_files(now: datetime) -> datetime:
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=1) + FILES_AT
