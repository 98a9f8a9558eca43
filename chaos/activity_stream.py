"""A company's activity on its way: to the company's receiver, and as daily files to a cloud that
nobody damages."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import asyncpg

from chaos.company_client import CompanyClient
from chaos.deployment import Deployment
from chaos.stream_receiver import StreamReceiver
from tessera.audit import workflows
from tessera.kit.database import Connection
from tessera.kit.queue_workers import CHANNEL, notification

ROUND_SECONDS = 1.5


@dataclass
class ActivityStream:
    client: CompanyClient
    receiver: StreamReceiver
    files: Path

    async def replay(self) -> None:
        """With the last 30 days comes everything that this company ever did."""
        await self.client.do(
            "replay activity",
            "activityStream.replayed",
            "POST",
            "/activity/stream/replay",
            repeats=True,
            json={"target": "webhook"},
        )


async def open_stream(
    client: CompanyClient, receiver: StreamReceiver, cloud: Path
) -> ActivityStream:
    saved = await client.do(
        "add webhook",
        "webhook.added",
        "PUT",
        "/warehouse-alerts/webhook",
        json={"url": receiver.address},
    )
    receiver.secret = saved["secret"]
    listed = (await client.ask("/all"))["item1"]
    warehouse = next(each["id"] for each in listed if each["path"] == cloud.name)
    await client.do(
        "turn the stream on",
        "activityStream.changed",
        "PUT",
        "/activity/stream",
        json={"webhook": True, "warehouseId": warehouse},
    )
    return ActivityStream(client, receiver, cloud / ".tessera" / "activity")


async def keep_streaming(deployment: Deployment, is_over: Callable[[], bool]) -> None:
    """Days pass within seconds."""
    while not is_over():
        with suppress(OSError, asyncpg.PostgresError):
            connection = await deployment.connect()
            try:
                await let_a_day_pass(connection)
            finally:
                await connection.close()
        await asyncio.sleep(ROUND_SECONDS)


async def let_a_day_pass(connection: Connection) -> None:
    """Begins a round, files for which it is too early and attempts that wait for their time."""
    await connection.execute("UPDATE activity_streams SET due_at = now() WHERE until IS NULL")
    await connection.execute(
        "UPDATE dbos.workflow_status SET delay_until_epoch_ms = 0"
        " WHERE status = 'DELAYED' AND name = $1",
        workflows.send_batch.name,
    )
    queue = workflows.send_batch.queue
    await connection.execute(
        "SELECT dbos.enqueue_workflow(workflow_name => $1, queue_name => $2, workflow_id => $3),"
        " pg_notify($4, $5)",
        f"{workflows.__name__}.{workflows.activity_round.__name__}",
        queue, f"day-{uuid4()}", CHANNEL, notification(queue),
    )  # fmt: skip
