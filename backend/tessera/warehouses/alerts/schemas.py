from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel

Outcome = Literal["waiting", "delivered", "failed"]
# Why a delivery failed: a status other than 2xx, or no response.
DeliveryErrorCode = Literal[
    "status",
    "timeout",
    "unreachable",
    "tls_failed",
    "host_not_found",
    "address_refused",
    "invalid_url",
    "unencrypted",
    "secret_unreadable",
]


class Event(StrEnum):
    WAREHOUSE_NOT_CONNECTED = "warehouse.not_connected"
    WAREHOUSE_HEALTH_FAILED = "warehouse.health_failed"
    WAREHOUSE_ACTIVE = "warehouse.active"
    STORAGE_AT_RISK = "storage.at_risk"
    STORAGE_SAFE = "storage.safe"
    REPAIR_FINISHED = "storage.repair_finished"
    TEST = "webhook.test"


def _url(text: str) -> str:
    if not text.isascii() or not text.isprintable() or " " in text:
        raise FieldError("webhook_url")
    return text


def host_of(url: str) -> str:
    """What records and mails show: the rest of an address may be secret."""
    return urlsplit(url).hostname or ""


WebhookUrl = Annotated[
    str,
    StringConstraints(min_length=1, max_length=2_000, strip_whitespace=True),
    AfterValidator(_url),
]


class AlertRecipient(ApiModel):
    uuid: UUID
    first_name: str
    last_name: str
    email: str


class WebhookDelivery(ApiModel):
    id: int
    event: Event
    created_at: datetime
    attempts: int
    last_attempt_at: datetime | None
    next_attempt_at: Annotated[datetime | None, Field(description="Null when there is none.")]
    outcome: Outcome
    status: Annotated[int | None, Field(description="Of the last response.")]
    error: DeliveryErrorCode | None


class WebhookRead(ApiModel):
    url: str
    created_at: datetime
    secret_created_at: datetime
    disabled_at: Annotated[
        datetime | None, Field(description="Since when nothing is sent, after a day of failures.")
    ]
    deliveries: Annotated[list[WebhookDelivery], Field(description="The newest 20.")]


class WarehouseAlerts(ApiModel):
    recipients: Annotated[
        list[AlertRecipient], Field(description="Besides the leader, who always gets alerts.")
    ]
    max_recipients: int
    webhook: WebhookRead | None


class WebhookUpdate(ApiModel):
    url: WebhookUrl


class WebhookSecret(ApiModel):
    secret: Annotated[
        str | None, Field(description="Shown once: null unless it was created by this call.")
    ]
