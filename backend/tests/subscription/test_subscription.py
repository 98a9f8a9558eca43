import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tessera.integrations.cards.protocol import Invoice
from tessera.sandbox.demo_subscription import start_trial
from tessera.subscription import workflows
from tessera.subscription.sync import unpaid_invoices
from tests.factories.accounts import Factory, Outbox
from tests.subscription.billing import FAILS_LATER, GOOD, OTHER, Billing, Leader, undecorated


async def count(billing: Billing, kind: str) -> int:
    found: int = await billing.platform.fetchval(
        "SELECT count(*) FROM sandbox_stripe_objects WHERE kind = $1", kind
    )
    return found


class TestReactivate:
    async def test_reactivation_without_a_subscription_confirms_the_amount_first(
        self, billing: Billing
    ) -> None:
        leader = await billing.leader()
        assert (await leader.add())["reactivationAmount"] == 75_000
        for body in (None, {"amount": 1}):
            answer = await leader.call("PUT", "/reactivate", json=body)
            assert answer.status_code == 409
            assert answer.json()["code"] == "amount_not_confirmed"
            assert answer.json()["amount"] == 75_000
        seen = await leader.ok("PUT", "/reactivate", json={"amount": 75_000})
        assert (seen["status"], seen["planId"], seen["autoRenew"]) == ("active", 5, True)
        assert seen["isSubscribed"]
        assert seen["nextAmount"] == 75_000
        assert (await leader.ok("GET", "/invoices"))["item2"] == 1

    async def test_reactivation_without_a_card_is_refused(self, billing: Billing) -> None:
        leader = await billing.leader()
        answer = await leader.call("PUT", "/reactivate", json={"amount": 75_000})
        assert answer.status_code == 409
        assert answer.json()["code"] == "card_needed"

    async def test_reactivation_with_a_new_card_adds_and_charges_it_at_once(
        self, billing: Billing
    ) -> None:
        leader = await billing.leader()
        body = {"amount": 75_000, "stripeToken": await billing.token()}
        seen = await leader.ok("PUT", "/reactivate", json=body)
        assert (seen["status"], seen["isSubscribed"]) == ("active", True)
        assert seen["defaultCardId"] == seen["cards"][0]["id"]
        await billing.settle()
        assert await count(billing, "invoice") == 1

    async def test_a_new_card_that_is_declined_is_not_kept(self, billing: Billing) -> None:
        leader = await billing.leader()
        body = {"amount": 75_000, "stripeToken": await billing.token(FAILS_LATER)}
        answer = await leader.call("PUT", "/reactivate", json=body)
        assert answer.status_code == 402
        await billing.settle()
        seen = await leader.methods()
        assert (seen["cards"], seen["isSubscribed"]) == ([], False)

    async def test_a_cancelled_trial_without_a_card_goes_on_with_a_new_one(
        self, billing: Billing
    ) -> None:
        leader = await trial(billing)
        await leader.ok("PUT", "/cancel")
        card = (await leader.methods())["cards"][0]["id"]
        assert (await leader.ok("DELETE", "", params={"cardId": card}))["cards"] == []
        seen = await leader.ok(
            "PUT", "/reactivate", json={"stripeToken": await billing.token(OTHER)}
        )
        assert (seen["status"], seen["autoRenew"], len(seen["cards"])) == ("trialing", True, 1)

    async def test_pressed_often_it_makes_one_subscription(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.add()
        answers = await asyncio.gather(
            *(leader.call("PUT", "/reactivate", json={"amount": 75_000}) for _ in range(4))
        )
        assert {answer.status_code for answer in answers} == {200}
        await billing.settle()
        assert await count(billing, "subscription") == 1
        assert await count(billing, "invoice") == 1

    @pytest.mark.spec("3.18")
    async def test_reactivation_after_the_end_has_no_second_trial(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        await leader.ok("PUT", "/cancel", json={"reason": "too dear"})
        await billing.pass_days(40)
        await billing.settle()
        ended = await leader.methods()
        assert (ended["status"], ended["isSubscribed"]) == ("cancelled", False)
        assert ended["reactivationAmount"] == 75_000
        seen = await leader.ok("PUT", "/reactivate", json={"amount": 75_000})
        assert (seen["status"], seen["isCanceled"], seen["isSubscribed"]) == ("active", False, True)
        assert seen["trialEndsAt"] is None


class TestCancel:
    @pytest.mark.spec("7.47")
    async def test_cancelled_subscription_ends_with_the_period_and_is_confirmed_by_mail(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        leader = await billing.leader()
        await leader.start()
        seen = await leader.ok("PUT", "/cancel", json={"reason": "moving on"})
        assert (seen["isCanceled"], seen["autoRenew"], seen["status"]) == (True, False, "active")
        assert seen["endsAt"] == seen["renewalDate"]
        assert seen["nextAmount"] is None
        again = await leader.ok("PUT", "/cancel")
        assert again == seen
        assert await leader.subjects(outbox) == [
            "Receipt for your Tessera payment of $750",
            "Your Tessera subscription has been cancelled",
        ]
        reason = await billing.platform.fetchval("SELECT cancel_reason FROM subscriptions")
        assert reason == "moving on"

    async def test_cancelling_without_a_subscription_is_refused(self, billing: Billing) -> None:
        leader = await billing.leader()
        for path in ("/cancel", "/auto-renew"):
            answer = await leader.call("PUT", path)
            assert answer.status_code == 409
            assert answer.json()["code"] == "no_subscription"

    @pytest.mark.spec("4.42", "7.48")
    async def test_reactivate_reverses_it_without_a_charge(self, billing: Billing) -> None:
        leader = await billing.leader()
        before = await leader.start()
        await leader.ok("PUT", "/cancel")
        seen = await leader.ok("PUT", "/reactivate")
        assert seen == before
        assert await count(billing, "invoice") == 1

    async def test_against_reactivate_one_of_both_wins(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        for _ in range(3):
            answers = await asyncio.gather(
                leader.call("PUT", "/cancel"), leader.call("PUT", "/reactivate")
            )
            assert {answer.status_code for answer in answers} == {200}
            seen = await leader.methods()
            assert seen["isCanceled"] == (not seen["autoRenew"])
            at_provider = await leader.subscription()
            assert (at_provider.cancel_at is not None) == seen["isCanceled"]
            assert at_provider.is_canceled == seen["isCanceled"]
        await billing.settle()
        assert await leader.methods() == seen


class TestVerifiedAccess:
    """The matrix sends nothing to the card provider."""

    @pytest.mark.parametrize(
        ("call", "body"),
        [
            ("/cancel", {}),
            ("/auto-renew", {"enabled": False}),
            ("/auto-renew", None),
            ("/billing-email", {"email": "invoices@company.test"}),
        ],
    )
    async def test_verified_access_is_asked_before_the_company_loses_something(
        self, billing: Billing, make: Factory, call: str, body: dict[str, object] | None
    ) -> None:
        leader = await billing.leader()
        before = await leader.start()
        leader.headers = await make.session(leader.user)
        answer = await leader.call("PUT", call, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "verification_required")
        assert await leader.methods() == before

    async def test_verified_access_is_not_asked_to_go_on(
        self, billing: Billing, make: Factory
    ) -> None:
        leader = await billing.leader()
        before = await leader.start()
        await leader.ok("PUT", "/auto-renew", json={"enabled": False})
        leader.headers = await make.session(leader.user)
        assert await leader.ok("PUT", "/auto-renew", json={"enabled": True}) == before


class TestAutoRenew:
    @pytest.mark.spec("7.46")
    async def test_off_ends_it_but_is_no_cancellation(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        seen = await leader.ok("PUT", "/auto-renew", json={"enabled": False})
        assert (seen["autoRenew"], seen["isCanceled"]) == (False, False)
        assert seen["endsAt"] is not None
        assert await leader.ok("PUT", "/auto-renew", json={"enabled": False}) == seen
        seen = await leader.ok("PUT", "/auto-renew", json={"enabled": True})
        assert (seen["autoRenew"], seen["endsAt"]) == (True, None)

    @pytest.mark.spec("4.41")
    async def test_auto_renew_flips_without_a_payload(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        assert not (await leader.ok("PUT", "/auto-renew"))["autoRenew"]
        assert (await leader.ok("PUT", "/auto-renew"))["autoRenew"]

    async def test_auto_renew_turned_on_clears_the_cancellation(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        await leader.ok("PUT", "/cancel")
        seen = await leader.ok("PUT", "/auto-renew", json={"enabled": True})
        assert (seen["autoRenew"], seen["isCanceled"]) == (True, False)


class TestPlan:
    @pytest.mark.spec("3.21", "9.17", "9.18", "9.19")
    async def test_facts_price_and_what_is_next(self, billing: Billing) -> None:
        leader = await billing.leader()
        before = await leader.ok("GET", "/plan")
        assert (before["planId"], before["plan"]["planId"], before["nextAmount"]) == (0, 5, None)
        started = await leader.start()
        seen = await leader.ok("GET", "/plan")
        assert seen["plan"] == {
            "planId": 5, "name": "Basic", "amount": 75_000, "currency": "usd",
            "interval": "month", "trialDays": 30,
        }  # fmt: skip
        assert seen["facts"]["activeClouds"] == 3
        assert seen["facts"]["uploadGbPerMonth"] == 25
        assert (seen["nextAmount"], seen["nextDate"]) == (75_000, started["renewalDate"])
        assert [offer["planId"] for offer in seen["onSale"]] == [5]

    @pytest.mark.spec("3.20")
    async def test_a_plan_that_is_not_sold_is_refused(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        for plan in (1, 2, 3, 4, 0, 99):
            answer = await leader.call("PUT", "/switch-plan", params={"PlanId": plan})
            assert answer.status_code == 422
            assert answer.json()["code"] == "plan_not_on_sale"
        assert (await leader.ok("PUT", "/switch-plan", params={"PlanId": 5}))["planId"] == 5


class TestSwitchPlan:
    @pytest.mark.spec("4.43", "7.43")
    async def test_to_another_plan_on_sale(self, billing: Billing) -> None:
        billing.resources.settings.plan_prices[2] = 800_000
        leader = await billing.leader()
        await leader.start()
        wanted = {"params": {"PlanId": 2}}
        answer = await leader.call("PUT", "/switch-plan", **wanted)
        assert (answer.status_code, answer.json()["amount"]) == (409, 800_000)
        assert (await leader.methods())["planId"] == 5
        seen = await leader.ok("PUT", "/switch-plan", **wanted, json={"amount": 800_000})
        assert (seen["planId"], seen["nextAmount"]) == (2, 800_000)
        assert (await leader.ok("GET", "/plan"))["plan"]["name"] == "Basic Yearly"


class TestOwnWarehouses:
    async def test_switched_on_and_off(self, billing: Billing) -> None:
        leader = await billing.leader()
        assert (await leader.methods())["usesDefaultWarehouses"]
        seen = await leader.ok("PUT", "/own-warehouses", json={"enabled": True})
        assert not seen["usesDefaultWarehouses"]
        seen = await leader.ok("PUT", "/own-warehouses", json={"enabled": False})
        assert seen["usesDefaultWarehouses"]


async def owing(billing: Billing) -> Leader:
    """A company whose card stopped working, so that its first renewal failed."""
    leader = await billing.leader()
    await leader.start(GOOD)
    bad = await leader.add(FAILS_LATER)
    await leader.ok("PUT", "/default", params={"cardId": bad["cards"][1]["id"]})
    await billing.pass_days(32)
    await billing.settle()
    return leader


async def unpaid(leader: Leader) -> list[Invoice]:
    return unpaid_invoices(await leader.account())


@pytest.mark.extended
class TestPastDue:
    async def test_a_new_card_pays_the_debt_at_once(self, billing: Billing, outbox: Outbox) -> None:
        leader = await owing(billing)
        seen = await leader.methods()
        assert (seen["status"], seen["amountDue"], seen["isSubscribed"]) == (
            "past_due", 75_000, True,
        )  # fmt: skip
        since = datetime.fromisoformat(seen["pastDueSince"])
        assert datetime.fromisoformat(seen["accessUntil"]) == since + timedelta(days=14)
        seen = await leader.add(OTHER, amount=75_000)
        assert (seen["status"], seen["amountDue"], seen["pastDueSince"]) == ("active", 0, None)
        assert seen["defaultCardId"] == seen["cards"][2]["id"]
        await billing.settle()
        assert await leader.subjects(outbox) == [
            "Receipt for your Tessera payment of $750",
            "Your Tessera payment failed",
            "Receipt for your Tessera payment of $750",
            "Nothing is outstanding on your Tessera account",
        ]

    async def test_a_new_card_that_cannot_pay_is_not_kept(self, billing: Billing) -> None:
        leader = await owing(billing)
        before = await leader.methods()
        body = {"stripeToken": await billing.token(FAILS_LATER), "amount": 75_000}
        answer = await leader.call("POST", "/add", json=body)
        assert answer.status_code == 402
        await billing.settle()
        after = await leader.methods()
        assert after["cards"] == before["cards"]
        assert after["defaultCardId"] == before["defaultCardId"]
        assert after["status"] == "past_due"

    async def test_choosing_a_good_card_pays(self, billing: Billing) -> None:
        leader = await owing(billing)
        good = (await leader.methods())["cards"][0]["id"]
        wanted = {"params": {"cardId": good}, "json": {"amount": 75_000}}
        seen = await leader.ok("PUT", "/default", **wanted)
        assert (seen["status"], seen["amountDue"], seen["defaultCardId"]) == ("active", 0, good)
        details = await billing.platform.fetchval(
            "SELECT details ->> 'paid' FROM activity WHERE action = 'card.madeDefault'"
            " ORDER BY id DESC LIMIT 1"
        )
        assert details == "750.00 USD"

    async def test_nothing_is_charged_without_the_amount_that_is_due(
        self, billing: Billing
    ) -> None:
        leader = await owing(billing)
        before = await leader.methods()
        cards = [card["id"] for card in before["cards"]]
        calls: list[tuple[str, str, dict[str, Any]]] = []
        for amount in (None, 1, 74_999, 150_000):
            body = None if amount is None else {"amount": amount}
            new_card = {"stripeToken": await billing.token(), **(body or {})}
            calls += [
                ("PUT", "/default", {"params": {"cardId": cards[0]}, "json": body}),
                ("PUT", "/default", {"params": {"cardId": cards[1]}, "json": body}),
                ("POST", "/add", {"json": new_card}),
                ("PUT", "/reactivate", {"json": body}),
            ]
        for method, path, more in calls:
            answer = await leader.call(method, path, **more)
            assert answer.status_code == 409, (path, more)
            assert answer.json()["code"] == "amount_not_confirmed"
            assert (answer.json()["amount"], answer.json()["currency"]) == (75_000, "usd")
        await billing.settle()
        after = await leader.methods()
        assert after == before
        assert all(debt.status == "open" for debt in await unpaid(leader))

    async def test_a_debt_that_grew_meanwhile_is_not_paid_unseen(self, billing: Billing) -> None:
        """The amount is read at the provider, not from our own tables."""
        leader = await owing(billing)
        good = (await leader.methods())["cards"][0]["id"]
        await billing.pass_days(31)
        assert (await leader.methods())["amountDue"] == 75_000
        wanted = {"params": {"cardId": good}, "json": {"amount": 75_000}}
        answer = await leader.call("PUT", "/default", **wanted)
        assert (answer.status_code, answer.json()["amount"]) == (409, 150_000)
        assert len(await unpaid(leader)) == 2

    async def test_reactivate_pays_after_the_amount_is_confirmed(self, billing: Billing) -> None:
        leader = await owing(billing)
        assert (await leader.methods())["reactivationAmount"] == 75_000
        answer = await leader.call("PUT", "/reactivate")
        assert answer.status_code == 409
        answer = await leader.call("PUT", "/reactivate", json={"amount": 75_000})
        assert answer.status_code == 402


class TestTheLongWayDown:
    @pytest.mark.spec("9.30")
    @pytest.mark.parametrize(
        "steps",
        [
            pytest.param([1] * 92, marks=pytest.mark.extended, id="day by day"),
            # Daily through the grace period, then the days around each warning and the end.
            pytest.param([*[1] * 14, 43, 1, 22, 1, 5, 1, 1, 1], id="by the days that count"),
        ],
    )
    async def test_mails_grace_only_subscription_closed_and_back(
        self, billing: Billing, outbox: Outbox, steps: list[int]
    ) -> None:
        leader = await owing(billing)
        seen: dict[str, int] = {}
        start = datetime.fromisoformat((await leader.methods())["pastDueSince"])
        access_ended = closed = None
        for days in steps:
            for mail in await outbox.messages():
                seen.setdefault(mail["subject"], 0)
            clock = (await billing.sandbox("GET", "/clock")).json()["now"]
            day = (datetime.fromtimestamp(clock, UTC) - start).days
            state = await leader.methods()
            if not state["isSubscribed"] and access_ended is None:
                access_ended = day
            if state["isDeactivated"] and closed is None:
                closed = day
            await billing.pass_days(days)
            await billing.settle()
        subjects = [subject.partition(" on ")[0] for subject in await leader.subjects(outbox)]
        assert subjects == [
            "Receipt for your Tessera payment of $750",
            "Your Tessera payment failed",
            "Your Tessera payment failed",
            "Your Tessera payment failed",
            "Your Tessera access is paused",
            "Your Tessera account will be deactivated",
            "Your Tessera account will be deactivated",
            "Your Tessera account will be deactivated",
            "Your Tessera account has been deactivated",
        ]
        assert (access_ended, closed) == (14, 90)
        state = await leader.methods()
        assert (state["status"], state["isDeactivated"]) == ("cancelled", True)
        member = await billing.make.user(leader.user.company, role="teamMember")
        headers = await billing.make.session(member)
        assert (
            await billing.client.get("/api/auth/login-token", headers=headers)
        ).status_code == 401
        assert state["amountDue"] == 75_000
        assert state["reactivationAmount"] == 150_000
        paid = await leader.add(OTHER, amount=75_000)
        assert (paid["amountDue"], paid["isDeactivated"], paid["isSubscribed"]) == (0, False, False)
        back = await leader.ok("PUT", "/reactivate", json={"amount": 75_000})
        assert (back["status"], back["isSubscribed"]) == ("active", True)


class TestARoundBeforeTheNews:
    async def test_no_mail_about_a_trial_that_is_over(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        """The clock skips the end of the trial, and the round runs before the webhooks arrive."""
        leader = await trial(billing)
        await billing.pass_days(31)
        await undecorated(workflows.review_now)(leader.company_id)
        assert await leader.subjects(outbox) == ["Receipt for your Tessera payment of $750"]
        assert (await leader.methods())["status"] == "active"


async def trial(billing: Billing) -> Leader:
    leader = await billing.leader()
    await start_trial(
        billing.resources,
        leader.company_id,
        key=f"trial-{leader.company_id}",
        company_uuid=leader.user.company.uuid,
        name="Trial Ltd",
        email="office@trial.test",
        cards=("tok_visa",),
    )
    return leader


class TestRenewals:
    @pytest.mark.parametrize(
        ("steps", "trialing", "payments"),
        [
            pytest.param([25, 3, 2, 33, 33], 2, 3, id="a quarter"),
            pytest.param(
                [*[5] * 5, 3, 2, *[5] * 73], 6, 13, marks=pytest.mark.extended, id="a year"
            ),
        ],
    )
    async def test_trial_then_a_payment_each_month(
        self, billing: Billing, outbox: Outbox, steps: list[int], trialing: int, payments: int
    ) -> None:
        leader = await trial(billing)
        seen = await leader.methods()
        assert (seen["status"], seen["planId"], seen["isSubscribed"]) == ("trialing", 5, True)
        assert seen["trialEndsAt"] == seen["renewalDate"]
        assert seen["nextAmount"] == 75_000
        statuses = []
        for days in steps:
            await billing.pass_days(days)
            await billing.settle()
            state = await leader.methods()
            assert state["isSubscribed"]
            statuses.append(state["status"])
        assert statuses[:trialing] == ["trialing"] * trialing
        assert set(statuses[trialing + 1 :]) == {"active"}
        invoices = await leader.ok("GET", "/invoices", params={"limit": 100})
        paid = [each for each in invoices["item1"] if each["amountPaid"] == 75_000]
        assert len(paid) == payments
        assert {each["status"] for each in invoices["item1"]} == {"paid"}
        assert len({each["number"] for each in invoices["item1"]}) == invoices["item2"]
        starts = sorted(each["periodStart"] for each in paid)
        assert len(set(starts)) == len(paid)
        assert await leader.subjects(outbox) == [
            "Your Tessera trial ends in 5 days",
            "Your Tessera trial ends in 2 days",
            *["Receipt for your Tessera payment of $750"] * payments,
        ]
        first_page = await leader.ok("GET", "/invoices")
        assert len(first_page["item1"]) == min(5, invoices["item2"])
        assert (await leader.ok("GET", "/invoices", params={"skip": 99}))["item1"] == []
        link = first_page["item1"][0]["pdfUrl"]
        page = await billing.client.get(link)
        assert page.content.startswith(b"%PDF")
