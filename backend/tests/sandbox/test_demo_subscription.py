from tessera.sandbox import demo
from tessera.sandbox.demo_subscription import add_demo_subscription
from tests.subscription.billing import Billing


async def test_northwind_has_a_trial_and_two_cards(billing: Billing) -> None:
    await demo.add_demo_data(billing.platform)
    assert await add_demo_subscription(billing.resources)
    assert not await add_demo_subscription(billing.resources)
    before = await billing.platform.fetchrow(
        "SELECT s.*, c.subscribed_until > now() + interval '29 days' AS subscribed"
        " FROM subscriptions s JOIN companies c ON c.id = s.company_id"
    )
    assert before is not None
    assert (before["status"], before["plan_id"], before["subscribed"]) == ("trialing", 5, True)
    cards = await billing.platform.fetch("SELECT brand FROM cards ORDER BY added_at")
    assert [row["brand"] for row in cards] == ["visa", "mastercard"]
    await billing.settle()
    after = await billing.platform.fetchrow("SELECT * FROM subscriptions")
    assert after is not None
    same = {name for name in after.keys() if after[name] == before[name]}  # noqa: SIM118
    assert set(after.keys()) - same <= {"syncs_started", "sync_applied", "synced_at"}
