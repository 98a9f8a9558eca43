"""Sends signed webhooks from the payment sandbox to the product, retried until accepted."""

import json

import httpx
from stripe import WebhookSignature

from tessera.integrations.cards import webhook_secret
from tessera.kit.workflows import current_resources, step, workflow


class NotTaken(Exception):
    pass


@workflow(queue="sandbox-webhooks", concurrency=4, poll_seconds=1)
async def deliver_webhook(delivery_id: int) -> None:
    try:
        await post_webhook(delivery_id)
    except Exception:  # noqa: BLE001 - gives up after the last attempt, as Stripe does
        return


@step(attempts=12, first_wait=0.5)
async def post_webhook(delivery_id: int) -> None:
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        row = await connection.fetchrow(
            "SELECT d.delivered_at, o.body FROM sandbox_stripe_deliveries d"
            " JOIN sandbox_stripe_objects o ON o.id = d.event_id WHERE d.id = $1",
            delivery_id,
        )
    if row is None or row["delivered_at"] is not None:
        return
    payload, signature = signed(row["body"], webhook_secret(resources.settings, resources.keys))
    async with httpx.AsyncClient(timeout=20, trust_env=False) as http:
        answer = await http.post(
            f"{resources.settings.public_url}/api/payment/webhook",
            content=payload,
            headers={"Content-Type": "application/json", "Stripe-Signature": signature},
        )
    async with resources.database.without_tenant() as connection:
        await connection.execute(
            "UPDATE sandbox_stripe_deliveries SET tries = tries + 1, last_status = $2,"
            " delivered_at = CASE WHEN $2 BETWEEN 200 AND 299 THEN now() END WHERE id = $1",
            delivery_id, answer.status_code,
        )  # fmt: skip
    if not answer.is_success:
        raise NotTaken


def signed(event: str, secret: str, at: int | None = None) -> tuple[str, str]:
    payload = json.dumps(json.loads(event), indent=2)
    header = WebhookSignature.generate_signature_header(payload, secret, at)
    return payload, str(header)
