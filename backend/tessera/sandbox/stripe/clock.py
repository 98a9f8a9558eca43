"""The sandbox's clock. It runs with real time and can be moved ahead to simulate a year."""

from dataclasses import replace

from tessera.kit.workflows import Resources, current_resources, schedule, step
from tessera.sandbox.stripe import billing, invoices
from tessera.sandbox.stripe.shop import LOCK, StripeStore, sandbox_now
from tessera.subscription.workflows import begin_round

DAY = 86_400
TRIAL_NOTICE = 3 * DAY
MOST_STEPS = 50_000


async def advance(resources: Resources, seconds: int) -> int:
    """Moves the clock; what falls due meanwhile happens in order. If the process dies midway, the
    next tick does the rest. Access is stored in real time, so its end comes closer by as much."""
    async with resources.database.platform.transaction() as connection:
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(
            "UPDATE billing_clock SET ahead = ahead + make_interval(secs => $1)", seconds
        )
        await connection.execute(
            "UPDATE companies SET subscribed_until = subscribed_until - make_interval(secs => $1)"
            " WHERE isfinite(subscribed_until)",
            seconds,
        )
    return await catch_up(resources)


async def catch_up(resources: Resources) -> int:
    async with resources.database.without_tenant() as connection:
        shop = StripeStore(connection, await sandbox_now(connection), resources.settings.public_url)
        await shop.lock()
        await run_until(shop, shop.now)
        # Do not wait for the full hour to start the product's own round.
        await begin_round(connection, f"sandbox-{shop.now}")
    return shop.now


async def run_until(shop: StripeStore, target: int) -> None:
    for _ in range(MOST_STEPS):
        due = await _next_due(shop, target)
        if due is None:
            return
        moment, kind, object_id = due
        await _happen(replace(shop, now=moment), kind, object_id)
    raise RuntimeError("the sandbox's clock does not come to an end")


async def _next_due(shop: StripeStore, target: int) -> tuple[int, str, str] | None:
    row = await shop.connection.fetchrow(
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
        target, TRIAL_NOTICE,
    )  # fmt: skip
    return None if row is None else (row["moment"], row["kind"], row["id"])


async def _happen(shop: StripeStore, kind: str, object_id: str) -> None:
    if kind == "retry":
        invoice = await shop.get("invoice", object_id)
        await invoices.attempt(shop, invoice)
        await invoices.settle_status(shop, invoices.subscription_of(invoice))
        return
    subscription = await shop.get("subscription", object_id)
    if kind == "trial_notice":
        await shop.hide(object_id, trial_notice=True)
        await shop.emit("customer.subscription.trial_will_end", subscription)
    else:
        await billing.renew(shop, subscription)


@schedule("* * * * *")
async def tick(*_: object) -> None:
    if current_resources().settings.sandbox:
        await let_time_pass()


@step()
async def let_time_pass() -> None:
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        shop = StripeStore(connection, await sandbox_now(connection), resources.settings.public_url)
        due = await _next_due(shop, shop.now)
    if due is not None:
        await catch_up(resources)
