"""Webhooks of the card provider: verified, stored, and processed by a workflow. Only object ids are
taken from their content; the objects themselves are fetched when processed."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import structlog
from stripe import SignatureVerificationError, WebhookSignature

from tessera.authz.context import RequestContext
from tessera.integrations.cards import is_live, webhook_secret
from tessera.kit import clock
from tessera.subscription import queries
from tessera.subscription.errors import WebhookOfOtherMode, WebhookRefused
from tessera.subscription.workflows import process_webhook

log = structlog.get_logger()

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,255}")


async def receive(context: RequestContext, payload: bytes, signature: str) -> None:
    event = _read(context, payload, signature)
    async with context.database.without_tenant() as connection:
        number = await queries.add_event(
            connection,
            event_id=event["id"],
            kind=event["type"],
            customer_id=_customer(event["data"]["object"]),
            happened_at=_moment(event),
        )
        if number is not None:
            await process_webhook.enqueue(connection, number, key=f"webhook-{event['id']}")


def _read(context: RequestContext, payload: bytes, signature: str) -> dict[str, Any]:
    tolerance = context.settings.webhook_tolerance_seconds
    try:
        # Stripe's own check of the age would go by this machine's clock.
        WebhookSignature.verify_header(
            payload, signature, webhook_secret(context.settings, context.keys)
        )
        if abs(clock.now().timestamp() - _signed_at(signature)) > tolerance:
            raise ValueError("signed too long ago, or in the future")
        event: dict[str, Any] = json.loads(payload)
        if event["object"] != "event" or not isinstance(event["data"]["object"], dict):
            raise WebhookRefused
        if not _NAME.fullmatch(event["id"]) or not _NAME.fullmatch(event["type"]):
            raise WebhookRefused
        _moment(event)
    except (
        SignatureVerificationError, ValueError, KeyError, TypeError, OverflowError, OSError,
        RecursionError,
    ) as error:  # fmt: skip
        log.warning("webhook refused", error=type(error).__name__)
        raise WebhookRefused from None
    if event.get("livemode") is not is_live(context.settings):
        raise WebhookOfOtherMode
    return event


def _signed_at(signature: str) -> int:
    """The first time of several, as that is the one that is signed."""
    return int(next(part[2:] for part in signature.split(",") if part.startswith("t=")))


def _moment(event: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(event["created"], UTC)


def _customer(thing: dict[str, Any]) -> str | None:
    """Returns the customer: the object itself, or the customer it refers to."""
    found = thing.get("id") if thing.get("object") == "customer" else thing.get("customer")
    return found if isinstance(found, str) and _NAME.fullmatch(found) else None
