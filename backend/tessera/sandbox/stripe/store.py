"""The sandbox's storage: objects as JSON in PostgreSQL, and the events caused by their changes."""

import json
import secrets
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tessera.kit.database import Connection
from tessera.sandbox.stripe.delivery import deliver_webhook
from tessera.sandbox.stripe.failures import missing

Body = dict[str, Any]
Params = dict[str, Any]

API_VERSION = "2026-10-28.endive"

_LETTERS = string.ascii_letters + string.digits


@dataclass
class StripeStore:
    """The store for one call. `now` is the sandbox's time in seconds; the clock moves it."""

    connection: Connection
    now: int
    public_url: str
    idempotency_key: str | None = None

    async def find(self, kind: str, id: str) -> Body | None:  # noqa: A002
        row = await self.connection.fetchval(
            "SELECT body FROM sandbox_stripe_objects WHERE id = $1 AND kind = $2", id, kind
        )
        return None if row is None else json.loads(row)

    async def get(self, kind: str, id: str) -> Body:  # noqa: A002
        body = await self.find(kind, id)
        if body is None:
            raise missing(kind, id)
        return body

    async def customer(self, id: str) -> Body:  # noqa: A002
        """Returns a customer that is not deleted."""
        customer = await self.get("customer", id)
        if customer.get("deleted"):
            raise missing("customer", id)
        return customer

    async def hidden(self, id: str) -> Body:  # noqa: A002
        row = await self.connection.fetchval(
            "SELECT hidden FROM sandbox_stripe_objects WHERE id = $1", id
        )
        hidden: Body = json.loads(row or "{}")
        return hidden

    async def add(
        self,
        kind: str,
        body: Body,
        *,
        customer: str | None = None,
        hidden: Mapping[str, Any] | None = None,
    ) -> Body:
        await self.connection.execute(
            "INSERT INTO sandbox_stripe_objects (id, kind, customer, body, hidden)"
            " VALUES ($1, $2, $3, $4, $5)",
            body["id"], kind, customer, json.dumps(body), json.dumps(dict(hidden or {})),
        )  # fmt: skip
        return body

    async def save(self, body: Body) -> Body:
        customer = body["customer"] if isinstance(body.get("customer"), str) else None
        await self.connection.execute(
            "UPDATE sandbox_stripe_objects SET body = $2, customer = $3 WHERE id = $1",
            body["id"], json.dumps(body), customer,
        )  # fmt: skip
        return body

    async def save_customer(self, body: Body) -> None:
        """Keeps `customer`, which for a customer is itself, so that its objects group together."""
        await self.connection.execute(
            "UPDATE sandbox_stripe_objects SET body = $2 WHERE id = $1",
            body["id"], json.dumps(body),
        )  # fmt: skip

    async def hide(self, id: str, **values: object) -> None:  # noqa: A002
        await self.connection.execute(
            "UPDATE sandbox_stripe_objects SET hidden = hidden || $2 WHERE id = $1",
            id, json.dumps(values),
        )  # fmt: skip

    async def all(self, kind: str, customer: str | None = None) -> list[Body]:
        """Returns the newest first, like Stripe."""
        rows = await self.connection.fetch(
            "SELECT body FROM sandbox_stripe_objects"
            " WHERE kind = $1 AND ($2::text IS NULL OR customer = $2) ORDER BY number DESC",
            kind, customer,
        )  # fmt: skip
        return [json.loads(row["body"]) for row in rows]

    async def emit(self, kind: str, body: Body, previous: Body | None = None) -> None:
        """Stores an event and enqueues its webhook, in this transaction."""
        data: Body = {"object": body}
        if previous is not None:
            data["previous_attributes"] = previous
        event: Body = {
            "id": new_id("evt"),
            "object": "event",
            "api_version": API_VERSION,
            "created": self.now,
            "data": data,
            "livemode": False,
            "pending_webhooks": 1,
            "request": {"id": new_id("req"), "idempotency_key": self.idempotency_key},
            "type": kind,
        }
        await self.add("event", event)
        delivery = await self.connection.fetchval(
            "INSERT INTO sandbox_stripe_deliveries (event_id) VALUES ($1) RETURNING id",
            event["id"],
        )
        await deliver_webhook.enqueue(self.connection, delivery, key=f"sandbox-delivery-{delivery}")


def new_id(prefix: str) -> str:
    return f"{prefix}_{''.join(secrets.choice(_LETTERS) for _ in range(24))}"


def listing(url: str, found: list[Body], data: Mapping[str, Any]) -> Body:
    limit = data.get("limit", "10")
    maximum = min(int(limit), 100) if isinstance(limit, str) and limit.isdigit() else 10
    after = data.get("starting_after")
    if after:
        ids = [body["id"] for body in found]
        found = found[ids.index(after) + 1 :] if after in ids else []
    return {"object": "list", "data": found[:maximum], "has_more": len(found) > maximum, "url": url}
