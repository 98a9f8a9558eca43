"""The payment sandbox's statements beside those of its store."""

import json
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row

LOCK = 7_301_979


class DueEvent(Struct, frozen=True):
    moment: int
    kind: Literal["renewal", "trial_notice", "retry"]
    id: str


class StoredResponse(Struct, frozen=True):
    fingerprint: str
    status: int
    # JSON.
    answer: str


class Delivery(Struct, frozen=True):
    delivered_at: datetime | None
    body: str


async def lock(connection: Connection) -> None:
    """Serializes writes, so that nothing is charged twice at once."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)


async def billing_time(connection: Connection) -> int:
    """Returns the time of the billing clock, in seconds."""
    seconds: int = await connection.fetchval("SELECT extract(epoch FROM billing_now())::bigint")
    return seconds


async def advance_clock(connection: Connection, seconds: int) -> None:
    """For the platform role. Access is stored in real time, so its end comes closer by as much."""
    await connection.execute(
        "UPDATE billing_clock SET ahead = ahead + make_interval(secs => $1)", seconds
    )
    await connection.execute(
        "UPDATE companies SET subscribed_until = subscribed_until - make_interval(secs => $1)"
        " WHERE isfinite(subscribed_until)",
        seconds,
    )


async def next_due(connection: Connection, target: int, trial_notice: int) -> DueEvent | None:
    return await fetch_row(
        connection,
        DueEvent,
        "SELECT moment, kind, id FROM ("
        " SELECT (body #>> '{items,data,0,current_period_end}')::bigint AS moment,"
        "  'renewal' AS kind, id FROM sandbox_stripe_objects"
        "  WHERE kind = 'subscription' AND body ->> 'status' IN ('trialing', 'active', 'past_due')"
        " UNION ALL SELECT (body ->> 'trial_end')::bigint - $2, 'trial_notice', id"
        "  FROM sandbox_stripe_objects WHERE kind = 'subscription'"
        "  AND body ->> 'status' = 'trialing' AND NOT hidden ? 'trial_notice'"
        " UNION ALL SELECT (body ->> 'next_payment_attempt')::bigint, 'retry', id"
        "  FROM sandbox_stripe_objects WHERE kind = 'invoice' AND body ->> 'status' = 'open'"
        ") due WHERE moment <= $1 ORDER BY moment, kind DESC, id LIMIT 1",
        target, trial_notice,
    )  # fmt: skip


async def stored_response(connection: Connection, key: str) -> StoredResponse | None:
    return await fetch_row(
        connection,
        StoredResponse,
        "SELECT fingerprint, status, answer FROM sandbox_stripe_requests WHERE key = $1",
        key,
    )


async def store_response(
    connection: Connection, key: str, fingerprint: str, status: int, body: dict[str, Any]
) -> None:
    await connection.execute(
        "INSERT INTO sandbox_stripe_requests (key, fingerprint, status, answer)"
        " VALUES ($1, $2, $3, $4)",
        key, fingerprint, status, json.dumps(body),
    )  # fmt: skip


async def delivery(connection: Connection, delivery_id: int) -> Delivery | None:
    return await fetch_row(
        connection,
        Delivery,
        "SELECT d.delivered_at, o.body FROM sandbox_stripe_deliveries d"
        " JOIN sandbox_stripe_objects o ON o.id = d.event_id WHERE d.id = $1",
        delivery_id,
    )


async def record_delivery(connection: Connection, delivery_id: int, status: int) -> None:
    await connection.execute(
        "UPDATE sandbox_stripe_deliveries SET tries = tries + 1, last_status = $2,"
        " delivered_at = CASE WHEN $2 BETWEEN 200 AND 299 THEN now() END WHERE id = $1",
        delivery_id, status,
    )  # fmt: skip
