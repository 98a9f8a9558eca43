"""Calls the SDK; returns plain data and raises our own errors."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import stripe

from tessera.integrations.cards.errors import (
    CardProviderError,
    Declined,
    NotThere,
    Refused,
    Unreachable,
)


async def call(awaitable: Awaitable[Any]) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = (await awaitable).to_dict()
    except stripe.StripeError as error:
        raise _to_provider_error(error) from error
    return answer


async def call_all(*calls: Awaitable[Any]) -> list[dict[str, Any]]:
    return await asyncio.gather(*(call(each) for each in calls))


def _to_provider_error(error: stripe.StripeError) -> CardProviderError:
    if isinstance(error, stripe.CardError):
        body: dict[str, Any] = error.json_body if isinstance(error.json_body, dict) else {}
        details = body.get("error", {})
        return Declined(error.user_message or "", details.get("decline_code") or error.code or "")
    # The SDK's APIError covers everything else: a failure on their side, a call with the same key
    # still in progress, an unreadable response. The call may have been executed.
    if isinstance(error, stripe.APIConnectionError | stripe.RateLimitError | stripe.APIError):
        return Unreachable()
    if isinstance(error, stripe.InvalidRequestError) and error.code in {
        "invoice_upcoming_none",
        "resource_missing",
        "token_already_used",
    }:
        return NotThere()
    return Refused(f"{type(error).__name__} {error.code or ''} {error.user_message or ''}".strip())
