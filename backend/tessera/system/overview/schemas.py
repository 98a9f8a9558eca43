"""What the page System shows: numbers and states. It names no person, company, address or file."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from tessera.kit.schemas import ApiModel
from tessera.warehouses.enums import ErrorCode

# Counts stop here, so that a backlog does not make the page slow.
MAX_COUNT = 10_000
Channel = Literal["email", "sms"]
_UP_TO = f"At most {MAX_COUNT + 1}, which stands for more."


class OldestWorkflow(ApiModel):
    workflow: str
    since: datetime


class QueueRead(ApiModel):
    name: str
    waiting: int = Field(description=_UP_TO)
    running: int = Field(description=_UP_TO)
    oldest: OldestWorkflow | None = Field(description="Of those that wait or run.")


class FailingCloud(ApiModel):
    cloud: str
    cause: ErrorCode
    reason: str = Field(description="The cause in words.")
    warehouses: int = Field(description=_UP_TO)
    companies: int


class MessagesRead(ApiModel):
    channel: Channel
    waiting: int = Field(description=_UP_TO)
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


class SystemRead(ApiModel):
    read_at: datetime
    queues: list[QueueRead]
    failed_workflows: int = Field(description="Given up within a day.")
    failing_clouds: list[FailingCloud]
    messages: list[MessagesRead]
    replica: ReplicaRead | None = Field(description="None if no replica is configured.")
    last_backup_at: datetime | None = Field(description="None if no backup was reported.")
    processes: list[ProcessRead]
