"""A company's activity on its way: to the company's receiver, and as daily files to a cloud that
nobody damages."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from chaos.company_client import CompanyClient
from chaos.deployment import Deployment
from chaos.early_rounds import let_a_day_pass
from chaos.stream_receiver import StreamReceiver

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
    """Days pass within seconds, unless the database goes away."""
    while not is_over():
        with suppress(OSError, asyncpg.PostgresError, asyncpg.InternalClientError):
            connection = await deployment.connect()
            try:
                await let_a_day_pass(connection)
            finally:
                await connection.close()
        await asyncio.sleep(ROUND_SECONDS)
