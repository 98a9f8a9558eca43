"""What a platform admin sees of the whole installation at a glance."""

import asyncio
from datetime import datetime, timedelta
from typing import get_args

import asyncpg

from tessera.authz.context import Identity
from tessera.kit import clock
from tessera.kit.database import Database
from tessera.kit.dbos_internals import ENGINE_QUEUE
from tessera.kit.engine import ORPHANED_AFTER_SECONDS
from tessera.kit.processes import read_connection_name
from tessera.kit.replica import REACH_SECONDS
from tessera.kit.workflows import QUEUES
from tessera.system.overview import queries, schemas
from tessera.system.queries import failed_work
from tessera.warehouses.enums import explain
from tessera_core.providers import DESCRIBED

_LIMIT = schemas.MAX_COUNT + 1
_CHANNELS: tuple[schemas.Channel, ...] = get_args(schemas.Channel)


async def read_system(identity: Identity) -> schemas.SystemRead:
    database, language = identity.context.database, identity.context.language
    async with database.without_tenant() as connection:
        queues = await queries.queues(connection, [*sorted(QUEUES), ENGINE_QUEUE], _LIMIT)
        failed = await failed_work(connection, _LIMIT)
        holders = await queries.slot_holders(connection)
    async with database.platform.transaction() as connection:
        failing = await queries.failing_clouds(connection, list(DESCRIBED), _LIMIT)
        refused = await queries.refused_messages(connection, list(_CHANNELS), _LIMIT)
        last_backup_at = await queries.last_backup(connection)
    read_at = clock.now()
    return schemas.SystemRead(
        read_at=read_at,
        counted_up_to=schemas.MAX_COUNT,
        queues=[_queue(row) for row in queues],
        failed_workflows=failed,
        failing_clouds=[
            schemas.FailingCloud.of(
                row, cloud=DESCRIBED[row.type].name, reason=explain(row.cause, language)
            )
            for row in failing
        ],
        messages=_messages(queues, refused),
        replica=await _replica(database),
        last_backup_at=last_backup_at,
        processes=[_process(holder, read_at) for holder in holders],
    )


def _queue(row: queries.QueueRow) -> schemas.QueueRead:
    oldest = None
    if row.workflow is not None and row.since is not None:
        oldest = schemas.OldestWorkflow(workflow=row.workflow, since=row.since)
    return schemas.QueueRead.of(row, oldest=oldest)


def _messages(
    queues: list[queries.QueueRow], refused: list[queries.RefusedRow]
) -> list[schemas.MessagesRead]:
    """A message waits as long as its workflow, in the queue that is named after the channel."""
    unfinished = {row.name: row.waiting + row.running for row in queues}
    by_channel = {row.channel: row for row in refused}
    messages = []
    for channel in _CHANNELS:
        row = by_channel.get(channel)
        messages.append(
            schemas.MessagesRead(
                channel=channel,
                waiting=min(unfinished[channel], _LIMIT),
                refused=row.refused if row else 0,
                last_refused_at=row.last_refused_at if row else None,
            )
        )
    return messages


def _process(holder: queries.SlotHolder, read_at: datetime) -> schemas.ProcessRead:
    name = read_connection_name(holder.name)
    return schemas.ProcessRead.of(
        holder,
        version=name.version if name else None,
        commit=name.commit if name else None,
        started_at=name.started_at if name else None,
        is_silent=read_at - holder.seen_at > timedelta(seconds=ORPHANED_AFTER_SECONDS),
    )


async def _replica(database: Database) -> schemas.ReplicaRead | None:
    position = await database.position()
    if database.replica is None or position is None:
        return None
    try:
        async with asyncio.timeout(REACH_SECONDS), database.replica.pool.connection() as replica:
            row = await queries.replica_lag(replica, position.lsn)
    except (OSError, asyncpg.PostgresError):
        return schemas.ReplicaRead(state="away", behind_bytes=None, behind_seconds=None)
    return schemas.ReplicaRead.of(row, state="following" if row.is_replica else "notReplica")
