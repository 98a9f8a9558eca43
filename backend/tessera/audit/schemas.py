from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tessera.audit.queries import Link
from tessera.audit.verification import Kind
from tessera.kit.schemas import ApiModel

Target = Literal["webhook", "warehouse"]
HeadText = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, to_lower=True, pattern=r"^[1-9]\d{0,17}:[0-9a-fA-F]{64}$"
    ),
    Field(description="`sequence:hash`, as the webhook and the files give them."),
]


def parse_head(text: str) -> Link:
    sequence, _, hash_ = text.partition(":")
    return Link(int(sequence), bytes.fromhex(hash_))


class StreamState(ApiModel):
    sequence: Annotated[int, Field(description="Of the last record that arrived.")]
    behind: Annotated[int, Field(description="Records that have still to be sent.")]
    last_success_at: datetime | None
    failing_since: datetime | None
    next_attempt_at: datetime | None
    error: Annotated[
        str | None,
        Field(description="A code, as of a webhook's delivery or of a warehouse."),
    ]
    status: Annotated[int | None, Field(description="Of the last response.")]


class StreamWarehouse(ApiModel):
    id: int
    name: str


class Problem(ApiModel):
    kind: Kind
    first: Annotated[int | None, Field(description="The first place in the chain.")]
    last: int | None
    activity_id: int | None
    text: Annotated[str, Field(description="In the language of the request.")]


class ActivityCheck(ApiModel):
    asked_at: datetime
    finished_at: Annotated[datetime | None, Field(description="Null while it runs.")]
    head: Annotated[str | None, Field(description="The one that the company had kept.")]
    checked: Annotated[int, Field(description="Records that are as they were.")]
    removed_until: Annotated[
        int, Field(description="The last place that was removed for its age; 0 if none was.")
    ]
    head_too_old: Annotated[
        bool, Field(description="The record that the kept head names was removed for its age.")
    ]
    problems: list[Problem]
    more_problems: Annotated[int, Field(description="Those that are not listed.")]


class ActivityStreamRead(ApiModel):
    webhook_host: Annotated[
        str | None, Field(description="Of the webhook; null if the company has none.")
    ]
    webhook: Annotated[StreamState | None, Field(description="Null if it is off.")]
    warehouse: Annotated[StreamState | None, Field(description="Null if it is off.")]
    warehouse_id: int | None
    warehouses: Annotated[
        list[StreamWarehouse], Field(description="The company's own, which can get daily files.")
    ]
    head: Annotated[
        str | None, Field(description="The end of the chain, to be kept: `sequence:hash`.")
    ]
    replay_days: int
    check: Annotated[ActivityCheck | None, Field(description="The newest.")]


class ActivityStreamUpdate(ApiModel):
    webhook: Annotated[bool, Field(description="Whether each record is sent to the webhook.")]
    warehouse_id: Annotated[
        int | None, Field(description="Of the warehouse that gets daily files; null for none.")
    ]


class ReplayCreate(ApiModel):
    target: Target


class ActivityCheckCreate(ApiModel):
    head: HeadText | None = None
