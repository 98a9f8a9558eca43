import json
import time

from tessera.sandbox.stripe.delivery import signed
from tessera.subscription.workflows import close_account
from tests.security.attacker import error_of, together
from tests.subscription.billing import Billing
from tests.subscription.test_webhooks import an_event, secret, taken

REFUSED = (400, "webhook_refused")


async def test_webhook_with_a_bad_signature_is_refused(billing: Billing) -> None:
    event = json.dumps(await an_event(billing))
    payload, good = signed(event, secret(billing))
    moment, value = good.split(",")
    for header in (
        signed(event, "whsec_guessed")[1],
        signed(event, "")[1],
        f"{moment},v0={value[3:]}",
        f"t={int(time.time()) + 1},{value}",
        f"{moment},v1={value[3:].swapcase()[::-1]}",
        *("", "t=1", "v1=", "t=,v1=", "t=x,v1=x", moment, value),
    ):
        assert error_of(await billing.post(payload, header)) == REFUSED, header
    assert await taken(billing) == 0


async def test_closing_an_account_is_no_event(billing: Billing) -> None:
    async with billing.resources.database.without_tenant() as connection:
        await close_account(connection, "cus_gone")
    assert await taken(billing) == 0
    stored = await billing.platform.fetch("SELECT customer_id, closed_at FROM closed_accounts")
    assert [tuple(row) for row in stored] == [("cus_gone", None)]


async def test_stale_webhook_is_refused(billing: Billing) -> None:
    event = json.dumps(await an_event(billing))
    for age in (-3_600, -310, 310, 3_600):
        payload, header = signed(event, secret(billing), int(time.time()) + age)
        assert error_of(await billing.post(payload, header)) == REFUSED
    assert await taken(billing) == 0


async def test_reserialised_webhook_is_refused(billing: Billing) -> None:
    event = await an_event(billing)
    payload, header = signed(json.dumps(event, indent=2), secret(billing))
    changed = {**event, "type": "customer.deleted"}
    for body in (json.dumps(event), json.dumps(changed, indent=2), payload + "\n", ""):
        assert error_of(await billing.post(body, header)) == REFUSED
    assert (await billing.post(payload, header)).status_code == 200


async def test_duplicated_webhook_counts_once(billing: Billing) -> None:
    event = await an_event(billing)
    answers = await together([lambda: billing.deliver(event)] * 5)
    assert {answer.status_code for answer in answers} == {200}
    assert await taken(billing) == 1


async def test_webhooks_out_of_order_end_in_the_right_state(billing: Billing) -> None:
    """The provider's current state counts, not what an old event says."""
    leader = await billing.leader()
    await leader.start()
    await leader.ok("PUT", "/cancel", json={"reason": "too quiet"})
    before = await leader.methods()
    for event in reversed(await billing.deliveries()):
        assert (await billing.deliver(event)).status_code == 200
        await billing.process_events()
    assert await leader.methods() == before
    assert before["isCanceled"] is True


async def test_webhook_of_the_other_mode_is_refused(billing: Billing) -> None:
    event = await an_event(billing)
    for mode in (True, None, "false", 0):
        answer = await billing.deliver({**event, "livemode": mode})
        assert error_of(answer) == (400, "webhook_of_other_mode")
    without = {name: value for name, value in event.items() if name != "livemode"}
    assert error_of(await billing.deliver(without)) == (400, "webhook_of_other_mode")
    assert await taken(billing) == 0


async def test_signed_nonsense_is_refused_and_breaks_nothing(billing: Billing) -> None:
    event = await an_event(billing)
    thing = event["data"]["object"]
    for changed in (
        {**event, "created": 10**20},
        {**event, "created": -(10**20)},
        {**event, "created": "soon"},
        {**event, "id": "evt_\x00"},
        {**event, "id": None},
        {**event, "id": "e" * 100_000},
        {**event, "type": "\ud800"},
    ):
        assert error_of(await billing.deliver(changed)) == REFUSED, str(changed)[:300]
    nobody = {**event, "data": {"object": {**thing, "object": "x", "customer": "cus_\x00"}}}
    assert (await billing.deliver(nobody)).status_code == 200
    await billing.process_events()
    assert await billing.platform.fetchval("SELECT outcome FROM webhook_events") == "not ours"
