# ruff: noqa: ARG001
"""Webhooks of the card provider."""

from tessera.authz.context import Visit
from tessera.subscription.errors import WebhookRefused


async def take(visit: Visit, payload: bytes, signature: str) -> None:
    raise WebhookRefused
