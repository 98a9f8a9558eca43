"""The sandbox's clock. It runs with real time and can be moved ahead to simulate a year."""

from dataclasses import replace

from tessera.kit.workflows import Resources, current_resources, schedule, step
from tessera.sandbox.stripe import billing, invoices, queries
from tessera.sandbox.stripe.queries import DueEvent
from tessera.sandbox.stripe.store import StripeStore
from tessera.subscription.workflows import begin_round

DAY = 86_400
TRIAL_NOTICE = 3 * DAY
MAX_STEPS = 50_000


async def advance(resources: Resources, seconds: int) -> int:
    """Moves the clock; what falls due meanwhile happens in order. If the process dies midway, the
    next tick does the rest."""
    async with resources.database.platform.transaction() as connection:
        await queries.lock(connection)
        await queries.advance_clock(connection, seconds)
    return await catch_up(resources)


async def catch_up(resources: Resources) -> int:
    async with resources.database.without_tenant() as connection:
        now = await queries.billing_time(connection)
        store = StripeStore(connection, now, resources.settings.public_url)
        await queries.lock(connection)
        await run_until(store, store.now)
        # Do not wait for the full hour to start the product's own round.
        await begin_round(connection, f"sandbox-{store.now}")
    return store.now


async def run_until(store: StripeStore, target: int) -> None:
    for _ in range(MAX_STEPS):
        due = await queries.next_due(store.connection, target, TRIAL_NOTICE)
        if due is None:
            return
        await _run_due(replace(store, now=due.moment), due)
    raise RuntimeError("the sandbox's clock does not come to an end")


async def _run_due(store: StripeStore, due: DueEvent) -> None:
    if due.kind == "retry":
        invoice = await store.get("invoice", due.id)
        await invoices.attempt(store, invoice)
        await invoices.settle_status(store, invoices.subscription_of(invoice))
        return
    subscription = await store.get("subscription", due.id)
    if due.kind == "trial_notice":
        await store.hide(due.id, trial_notice=True)
        await store.emit("customer.subscription.trial_will_end", subscription)
    else:
        await billing.renew(store, subscription)


@schedule("* * * * *")
async def tick(*_: object) -> None:
    if current_resources().settings.sandbox:
        await run_overdue()


@step()
async def run_overdue() -> None:
    resources = current_resources()
    async with resources.database.without_tenant() as connection:
        now = await queries.billing_time(connection)
        due = await queries.next_due(connection, now, TRIAL_NOTICE)
    if due is not None:
        await catch_up(resources)
