"""The rounds over all companies: which ones they select, and that work is enqueued for them."""

from collections.abc import Awaitable, Callable

from tessera.kit.database import Connection
from tessera.subscription import workflows
from tests.subscription.billing import FAILS_LATER, Billing, undecorated
from tests.subscription.test_subscription import trial


async def enqueued(
    owner: Connection, name: str, make_round: Callable[[], Awaitable[None]]
) -> set[int]:
    """The companies for which the round enqueues work, taken from the workflow keys."""
    query = "SELECT workflow_uuid FROM dbos.workflow_status WHERE name LIKE '%.' || $1"
    before = {row["workflow_uuid"] for row in await owner.fetch(query, name)}
    await undecorated(make_round)()
    keys = {row["workflow_uuid"] for row in await owner.fetch(query, name)} - before
    return {int(key.split("-")[1]) for key in keys}


class TestTheHourlyRound:
    async def test_reviews_whose_trial_is_about_to_end(
        self, billing: Billing, owner: Connection
    ) -> None:
        leader = await trial(billing)
        assert await enqueued(owner, "review_company", workflows.enqueue_reviews) == set()
        await billing.pass_days(28)
        due = await enqueued(owner, "review_company", workflows.enqueue_reviews)
        assert due == {leader.company_id}

    async def test_reviews_companies_with_debt(self, billing: Billing, owner: Connection) -> None:
        calm, owing = await billing.leader(), await billing.leader()
        await calm.start()
        await owing.add(FAILS_LATER)
        await owing.call("PUT", "/reactivate", json={"amount": 75_000})
        await owner.execute(
            "UPDATE subscriptions SET past_due_since = now() WHERE company_id = $1",
            owing.company_id,
        )
        due = await enqueued(owner, "review_company", workflows.enqueue_reviews)
        assert due == {owing.company_id}


class TestTheNightlyRound:
    async def test_looks_at_every_customer(self, billing: Billing, owner: Connection) -> None:
        customer, _ = await billing.leader(), await billing.leader()
        await customer.add()
        due = await enqueued(owner, "reconcile_company", workflows.enqueue_reconciliations)
        assert due == {customer.company_id}
