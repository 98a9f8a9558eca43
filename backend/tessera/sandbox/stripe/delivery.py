"""Sends signed webhooks from the payment sandbox to the product, retried until accepted."""

import json

import httpx
from stripe import WebhookSignature

from tessera.integrations.cards import webhook_secret
from tessera.kit import clock
from tessera.kit.workflows import current_resources, step, workflow
from tessera.sandbox.stripe import queries


class WebhookNotAccepted(Exception):
    pass


@workflow(queue="sandbox-webhooks", concurrency=4)
async def deliver_webhook(delivery_id: int) -> None:
    try:
        await post_webhook(delivery_id)
    except Exception:  # noqa: BLE001 - gives up after the last attempt, as Stripe does
        return


@step(attempts=12, first_wait=0.5)
async def post_webhook(delivery_id: int) -> None:
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        delivery = await queries.delivery(connection, delivery_id)
    if delivery is None or delivery.delivered_at is not None:
        return
    secret = webhook_secret(resources.settings, resources.keys)
    payload, signature = signed(delivery.body, secret)
    async with httpx.AsyncClient(timeout=20, trust_env=False) as http:
        answer = await http.post(
            f"{resources.settings.public_url}/api/payment/webhook",
            content=payload,
            headers={"Content-Type": "application/json", "Stripe-Signature": signature},
        )
    async with resources.database.without_tenant() as connection:
        await queries.record_delivery(connection, delivery_id, answer.status_code)
    if not answer.is_success:
        raise WebhookNotAccepted


def signed(event: str, secret: str, at: int | None = None) -> tuple[str, str]:
    payload = json.dumps(json.loads(event), indent=2)
    now = int(clock.now().timestamp())
    header = WebhookSignature.generate_signature_header(payload, secret, now if at is None else at)
    return payload, str(header)
