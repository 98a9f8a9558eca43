"""The same action submitted twice, or by two users at once."""

from tessera.kit.database import Connection
from tests.security.attacker import together
from tests.signup.signup import EVERYTHING, Signup, changed
from tests.subscription.billing import Billing


class TestRegister:
    async def test_submitted_many_times_it_makes_one_company(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        answers = await together([lambda: signup.register(headers, payload)] * 5)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.json()["data"]["user"]["companyId"] for answer in answers}) == 1
        assert await signup.counts() == EVERYTHING

    async def test_one_ticket_for_two_companies(self, signup: Signup) -> None:
        headers = await signup.ready()
        payloads = [await signup.payload() for _ in range(3)]
        answers = await together(
            [lambda each=each: signup.register(headers, each) for each in payloads]  # type: ignore[misc]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        assert await signup.counts() == EVERYTHING

    async def test_one_address_on_two_tickets(self, signup: Signup, platform: Connection) -> None:
        tickets = [await signup.ticket() for _ in range(2)]
        payloads = [await signup.payload() for _ in tickets]
        address = payloads[0]["user"]["email_address"]
        payloads[1] = changed(payloads[1], "user.email_address", address.upper())
        for ticket in tickets:
            await signup.verify_phone(ticket)
            await platform.execute("UPDATE guest_codes SET sent_at = now() - interval '1 hour'")
        answers = await together(
            [
                lambda pair=pair: signup.register(*pair)  # type: ignore[misc]
                for pair in zip(tickets, payloads, strict=True)
            ]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert await signup.counts() == EVERYTHING


class TestPayment:
    async def test_a_card_added_many_times(self, billing: Billing) -> None:
        leader = await billing.leader()
        token = await billing.token()
        answers = await together(
            [lambda: leader.call("POST", "/add", json={"stripeToken": token})] * 4
        )
        assert {answer.status_code for answer in answers} == {200}
        await billing.settle()
        assert len((await leader.methods())["cards"]) == 1

    async def test_a_subscription_started_many_times(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.add()
        answers = await together(
            [lambda: leader.call("PUT", "/reactivate", json={"amount": 75_000})] * 4
        )
        assert {answer.status_code for answer in answers} <= {200, 409}
        kinds = await billing.platform.fetch(
            "SELECT kind FROM sandbox_stripe_objects WHERE kind IN ('subscription', 'invoice')"
        )
        assert sorted(row["kind"] for row in kinds) == ["invoice", "subscription"]

    async def test_cancel_against_reactivate(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.start()
        answers = await together(
            [lambda: leader.call("PUT", "/cancel"), lambda: leader.call("PUT", "/reactivate")] * 2
        )
        assert {answer.status_code for answer in answers} == {200}
        seen = await leader.methods()
        customer = await billing.platform.fetchval(
            "SELECT customer_id FROM companies WHERE id = $1", leader.company_id
        )
        subscription = (await billing.provider.account(customer)).subscription
        assert subscription is not None
        assert subscription.cancel_at_period_end == seen["isCanceled"] == (not seen["autoRenew"])
        await billing.settle()
        assert await leader.methods() == seen
