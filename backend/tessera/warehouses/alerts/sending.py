"""Sends a signed message to a company's webhook."""

from dataclasses import dataclass
from uuid import UUID

import structlog

from tessera.integrations import webhooks
from tessera.integrations.webhooks import CannotDeliver, DeliveryError
from tessera.kit import clock
from tessera.kit.data_keys import key_ring
from tessera.kit.encryption import CannotBeOpened, WrappedKey
from tessera.kit.workflows import Resources
from tessera.warehouses.alerts.queries import SealedWebhook, sealed_webhook
from tessera.warehouses.alerts.signing import Secrets

# A query that other features call.
__all__ = ["Result", "sealed_webhook", "send"]

log = structlog.get_logger()


@dataclass(frozen=True)
class Result:
    status: int | None
    error: DeliveryError | None


async def send(resources: Resources, webhook: SealedWebhook, uuid: UUID, body: bytes) -> Result:
    company_id = webhook.company_id
    stored = WrappedKey(company_id, webhook.key_version, webhook.wrapped, webhook.wrapped_by)
    try:
        secrets = Secrets.decode(key_ring(resources).unwrap(stored).open("webhook", webhook.sealed))
    except CannotBeOpened as error:
        log.error("webhook secret cannot be opened", company_id=company_id, error=str(error))
        return Result(None, DeliveryError.SECRET_UNREADABLE)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Tessera-Webhooks/1",
        **secrets.sign(f"msg_{uuid.hex}", clock.now(), body),
    }
    try:
        status = await webhooks.post(resources.settings, webhook.url, headers, body)
    except CannotDeliver as error:
        return Result(None, error.reason)
    return Result(status, None if 200 <= status < 300 else DeliveryError.STATUS)
