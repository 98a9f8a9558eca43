import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from stripe import WebhookSignature

from tessera.integrations.cards import webhook_secret
from tessera.sandbox.stripe.delivery import signed
from tessera.subscription import workflows
from tests.subscription.billing import FAILS_LATER, Billing, Leader, undecorated


def secret(billing: Billing) -> str:
    return webhook_secret(billing.resources.settings, billing.resources.keys)


async def an_event(billing: Billing) -> dict[str, Any]:
    leader = await billing.leader()
    await leader.add()
    return (await billing.deliveries())[-1]


async def taken(billing: Billing) -> int:
    count: int = await billing.platform.fetchval("SELECT count(*) FROM webhook_events")
    return count


class TestSignature:
    async def test_a_good_one_is_taken(self, billing: Billing) -> None:
        answer = await billing.deliver(await an_event(billing))
        assert (answer.status_code, answer.json()) == (200, {"received": True})
        assert await taken(billing) == 1

    @pytest.mark.parametrize("age", [-310, 310, -10_000_000])
    async def test_a_stale_or_future_one_is_refused(self, billing: Billing, age: int) -> None:
        event = json.dumps(await an_event(billing))
        payload, header = signed(event, secret(billing), int(time.time()) + age)
        answer = await billing.post(payload, header)
        assert (answer.status_code, answer.json()["code"]) == (400, "webhook_refused")
        assert await taken(billing) == 0

    async def test_a_moment_ago_is_fine(self, billing: Billing) -> None:
        event = json.dumps(await an_event(billing))
        payload, header = signed(event, secret(billing), int(time.time()) - 290)
        assert (await billing.post(payload, header)).status_code == 200

    @pytest.mark.parametrize(("age", "status"), [(-290, 200), (290, 200), (-310, 400), (310, 400)])
    async def test_the_age_is_judged_by_the_databases_clock(
        self, billing: Billing, right_time: Callable[[], float], age: int, status: int
    ) -> None:
        event = json.dumps(await an_event(billing))
        payload, header = signed(event, secret(billing), int(right_time()) + age)
        assert (await billing.post(payload, header)).status_code == status

    async def test_a_second_time_that_nobody_signed_does_not_count(self, billing: Billing) -> None:
        event = json.dumps(await an_event(billing))
        payload, header = signed(event, secret(billing), int(time.time()) - 310)
        for lie in (f"{header},t={int(time.time())}", f"t={int(time.time())},{header}"):
            assert (await billing.post(payload, lie)).status_code == 400

    async def test_other_secrets_bodies_and_headers_are_refused(self, billing: Billing) -> None:
        event = json.dumps(await an_event(billing))
        payload, header = signed(event, secret(billing))
        _, foreign = signed(event, "whsec_other")
        reserialised = json.dumps(json.loads(payload))
        for body, signature in (
            (payload, foreign),
            (reserialised, header),
            (payload + " ", header),
            (payload, ""),
            (payload, "t=1"),
            (payload, "v1=abc"),
            (payload, f"t=x,{header.split(',')[1]}"),
            (payload, header.replace("v1=", "v0=")),
        ):
            assert (await billing.post(body, signature)).status_code == 400
        assert await taken(billing) == 0

    @pytest.mark.parametrize(
        "body",
        [
            *("[]", "{}", "null", '{"object": "event"}', '{"object":"event","data":{"object":1}}'),
            pytest.param("[" * 100_000, id="deep"),
        ],
    )
    async def test_signed_nonsense_is_refused(self, billing: Billing, body: str) -> None:
        header = WebhookSignature.generate_signature_header(body, secret(billing))
        assert (await billing.post(body, str(header))).status_code == 400

    async def test_the_other_mode_is_refused(self, billing: Billing) -> None:
        event = await an_event(billing)
        answer = await billing.deliver({**event, "livemode": True})
        assert (answer.status_code, answer.json()["code"]) == (400, "webhook_of_other_mode")
        assert await taken(billing) == 0


@pytest.mark.extended
class TestOrder:
    async def test_event_delivered_twice_counts_once(self, billing: Billing) -> None:
        event = await an_event(billing)
        for _ in range(3):
            assert (await billing.deliver(event)).status_code == 200
        assert await taken(billing) == 1

    async def test_a_strangers_event_changes_nothing(self, billing: Billing) -> None:
        event = await an_event(billing)
        stranger = {
            **event,
            "id": "evt_x",
            "data": {"object": {"object": "x", "customer": "cus_x"}},
        }
        nobody = {**event, "id": "evt_y", "data": {"object": {"object": "price", "id": "price_1"}}}
        for each in (stranger, nobody):
            assert (await billing.deliver(each)).status_code == 200
        await billing.process_events()
        rows = await billing.platform.fetch("SELECT outcome FROM webhook_events")
        assert [row["outcome"] for row in rows] == ["not ours", "not ours"]

    @pytest.mark.parametrize(
        "order",
        [
            pytest.param("as sent", marks=pytest.mark.extended),
            "reversed",
            pytest.param("shuffled", marks=pytest.mark.extended),
            "twice and shuffled",
        ],
    )
    async def test_any_order_leads_to_the_same_end(self, billing: Billing, order: str) -> None:
        leader = await self._a_story(billing)
        events = await billing.deliveries()
        if order == "reversed":
            events.reverse()
        elif order != "as sent":
            events = events * (2 if order.startswith("twice") else 1)
            random.Random(7).shuffle(events)
        for event in events:
            assert (await billing.deliver(event)).status_code == 200
            if random.Random(event["id"]).random() < 0.5:
                await billing.process_events()
        await billing.process_events()
        seen = await leader.methods()
        assert (seen["status"], seen["amountDue"], len(seen["cards"])) == ("past_due", 75_000, 2)
        at_provider = await self._customer(billing, leader)
        assert at_provider.subscription is not None
        assert seen["defaultCardId"] == at_provider.default_card_id
        stored = {
            row["id"]: row["status"] for row in (await billing.state(leader.company_id))["invoices"]
        }
        assert stored == {invoice.id: invoice.status for invoice in at_provider.invoices}

    async def _a_story(self, billing: Billing) -> Leader:
        """Months pass at the provider while none of its webhooks arrives."""
        leader = await billing.leader()
        await leader.start()
        await billing.pass_days(65)
        bad = await leader.add(FAILS_LATER)
        await leader.ok("PUT", "/default", params={"cardId": bad["cards"][1]["id"]})
        await billing.pass_days(30)
        return leader

    async def _customer(self, billing: Billing, leader: Leader) -> Any:
        return await billing.provider.account(
            await billing.platform.fetchval(
                "SELECT customer_id FROM companies WHERE id = $1", leader.company_id
            )
        )

    async def test_an_older_look_never_overwrites_a_newer_one(self, billing: Billing) -> None:
        from tessera.subscription.sync import fetch_snapshot, store_snapshot

        leader = await billing.leader()
        await leader.start()
        resources = billing.resources
        older = await fetch_snapshot(resources, leader.company_id)
        await billing.pass_days(32)
        newer = await fetch_snapshot(resources, leader.company_id)
        assert older is not None
        assert newer is not None
        for seen in (newer, older):
            async with resources.database.tenant(leader.company_id) as connection:
                await store_snapshot(connection, resources, leader.company_id, seen)
        assert (await leader.ok("GET", "/invoices"))["item2"] == 2


class TestReconciliation:
    async def test_drift_is_repaired_and_said(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        await billing.settle()
        await undecorated(workflows.repair)(leader.company_id)
        repairs = "SELECT count(*) FROM activity WHERE action = 'subscription.repaired'"
        assert await billing.platform.fetchval(repairs) == 0
        await billing.platform.execute(
            "UPDATE subscriptions SET status = 'cancelled', plan_id = 3, default_card_id = NULL;"
            "UPDATE companies SET subscribed_until = NULL WHERE customer_id IS NOT NULL;"
            "DELETE FROM cards"
        )
        assert not await billing.is_subscribed(leader)
        await undecorated(workflows.repair)(leader.company_id)
        seen = await leader.methods()
        assert (seen["status"], seen["planId"], seen["isSubscribed"]) == ("active", 5, True)
        assert len(seen["cards"]) == 1
        details = await billing.platform.fetchval(
            "SELECT details FROM activity WHERE action = 'subscription.repaired'"
        )
        assert set(json.loads(details)["columns"]) == {"status", "plan_id", "default_card_id"}


@pytest.mark.extended
class TestOperationsThatWereCutOff:
    @pytest.mark.parametrize(
        "calls",
        [
            pytest.param(calls, marks=() if calls % 4 == 1 else pytest.mark.extended)
            for calls in range(1, 14)
        ],
    )
    async def test_wherever_the_provider_fell_silent_it_is_carried_on(
        self, billing: Billing, calls: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The connection breaks after `calls` calls. The operation stays pending and its workflow
        completes it: one card, one subscription, one charge, one activity entry."""
        leader = await billing.leader()
        token = await billing.token()
        http = billing.provider._http
        request, left = http.request_async, calls

        async def breaking(*given: Any, **more: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                from stripe import APIConnectionError

                await request(*given, **more)
                raise APIConnectionError(  # type: ignore[no-untyped-call]
                    "the answer got lost", should_retry=False
                )
            return await request(*given, **more)

        monkeypatch.setattr(http, "request_async", breaking)
        first = await leader.call("POST", "/add", json={"stripeToken": token})
        await self._resume(billing)
        second = await leader.call("PUT", "/reactivate", json={"amount": 75_000})
        await self._resume(billing)
        assert {first.status_code, second.status_code} <= {200, 503}
        await billing.settle()
        seen = await leader.methods()
        assert (len(seen["cards"]), seen["status"], seen["autoRenew"]) == (1, "active", True)
        assert seen["defaultCardId"] == seen["cards"][0]["id"]
        assert (await leader.ok("GET", "/invoices"))["item2"] == 1
        done = await billing.platform.fetch(
            "SELECT action, count(*) FROM activity WHERE actor_uuid IS NOT NULL GROUP BY 1"
        )
        assert {row["action"]: row["count"] for row in done} == {
            "card.added": 1,
            "subscription.reactivated": 1,
        }

    async def _resume(self, billing: Billing) -> None:
        for row in await billing.platform.fetch(
            "SELECT id, company_id FROM card_operations WHERE state = 'pending'"
        ):
            await undecorated(workflows.resume_operation)(row["company_id"], row["id"])


class TestClosing:
    async def test_a_deleted_company_leaves_the_provider(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        customer = await billing.platform.fetchval(
            "SELECT customer_id FROM companies WHERE id = $1", leader.company_id
        )
        async with billing.resources.database.tenant(leader.company_id) as connection:
            await workflows.close_account(connection, customer)
            await connection.execute("DELETE FROM companies WHERE id = $1", leader.company_id)
        await billing.process_events()
        gone = await billing.provider.account(customer)
        assert (gone.cards, gone.subscription) == ([], None)
        running = await billing.platform.fetchval(
            "SELECT count(*) FROM sandbox_stripe_objects WHERE kind = 'subscription'"
            " AND body ->> 'status' <> 'canceled'"
        )
        assert running == 0
