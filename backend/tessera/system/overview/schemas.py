"""What the page System shows: numbers and states. It names no person, company, address or file."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from tessera.kit.schemas import ApiModel
from tessera.warehouses.enums import ErrorCode

# Counts stop here, so that a backlog does not make the page slow.
MAX_COUNT = 10_000
Channel = Literal["email", "sms"]


class OldestWorkflow(ApiModel):
    workflow: str
    since: datetime


class QueueRead(ApiModel):
    name: str
    waiting: int
    running: int
    oldest: OldestWorkflow | None = Field(description="Of those that wait or run.")


class FailingCloud(ApiModel):
    cloud: str
    cause: ErrorCode
    reason: str = Field(description="The cause in words.")
    warehouses: int
    companies: int


class MessagesRead(ApiModel):
    channel: Channel
    waiting: int
    refused: int = Field(description="Within a day, after the last attempt.")
    last_refused_at: datetime | None


class ReplicaRead(ApiModel):
    state: Literal["following", "away", "notReplica"]
    behind_bytes: int | None
    behind_seconds: float | None


class ProcessRead(ApiModel):
    slot: int
    version: str | None = Field(description="None if another version does not say so.")
    commit: str | None
    started_at: datetime | None
    seen_at: datetime
    is_silent: bool = Field(description="For so long that others take over its work.")


class SystemRead(ApiModel):
    read_at: datetime
    counted_up_to: int = Field(description="A count that is higher by one stands for more.")
    queues: list[QueueRead]
    failed_workflows: int = Field(description="Given up within a day.")
    failing_clouds: list[FailingCloud]
    messages: list[MessagesRead]
    replica: ReplicaRead | None = Field(description="None if no replica is configured.")
    last_backup_at: datetime | None = Field(description="None if no backup was reported.")
    processes: list[ProcessRead]
