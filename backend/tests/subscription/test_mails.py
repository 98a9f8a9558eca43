"""Receipts and payment mails: to whom they go, and how each language writes them."""

import pytest

from tests.factories.accounts import Outbox
from tests.subscription.billing import Billing
from tests.subscription.test_subscription import trial

OFFICE = "office@company.test"


class TestReceipts:
    async def test_leader_and_billing_address_get_one_for_each_payment(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        leader = await billing.leader()
        await leader.start()
        await billing.settle()
        mails = await outbox.messages()
        assert [mail["to"] for mail in mails] == [leader.user.email, OFFICE]
        number = (await leader.ok("GET", "/invoices"))["item1"][0]["number"]
        for mail in mails:
            assert mail["subject"] == "Receipt for your Tessera payment of $750"
            assert number in mail["text"]
        assert "Hello Ada," in mails[0]["text"]
        assert "Hello" not in mails[1]["text"]
        assert "uses this address for billing" in mails[1]["text"]

    async def test_an_address_used_for_both_gets_one(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        leader = await billing.leader()
        await leader.ok("PUT", "/billing-email", json={"email": leader.user.email.upper()})
        await leader.start()
        await billing.settle()
        assert len(await outbox.messages()) == 1

    @pytest.mark.parametrize(
        ("language", "subject"),
        [
            ("tr", "$750 tutarındaki Tessera ödemenizin makbuzu"),
            ("ar", "إيصال دفعتك لـ Tessera بقيمة \u2066750 US$\u2069"),
        ],
    )
    async def test_receipts_are_in_the_leaders_language(
        self, billing: Billing, outbox: Outbox, language: str, subject: str
    ) -> None:
        leader = await billing.leader()
        await billing.platform.execute("UPDATE users SET language = $1", language)
        await leader.start()
        assert {mail["subject"] for mail in await outbox.messages()} == {subject}


class TestTrialEnd:
    async def test_reminds_seven_three_and_one_days_before(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        leader = await trial(billing)
        for days in (22, 1.5, 3, 1, 2, 0.4):
            await billing.pass_days(days)
            await billing.settle()
            await billing.settle()
        assert await leader.subjects(outbox) == [
            "Your Tessera trial ends in 7 days",
            "Your Tessera trial ends in 3 days",
            "Your Tessera trial ends in 1 day",
        ]
        to_office = [mail for mail in await outbox.messages() if mail["to"] == "office@trial.test"]
        assert len(to_office) == 3

    async def test_trial_end_is_mailed_once_after_an_outage(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        leader = await trial(billing)
        await billing.pass_days(28.5)
        await billing.settle()
        assert await leader.subjects(outbox) == ["Your Tessera trial ends in 2 days"]


class TestBillingEmail:
    async def test_billing_email_is_shown_and_changed_at_the_provider_too(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        leader = await billing.leader()
        assert (await leader.methods())["billingEmail"] == OFFICE
        body = {"email": "invoices@company.test"}
        seen = await leader.ok("PUT", "/billing-email", json=body)
        assert seen["billingEmail"] == "invoices@company.test"
        customer_id = await billing.platform.fetchval(
            "SELECT customer_id FROM companies WHERE id = $1", leader.company_id
        )
        assert (await billing.provider.account(customer_id)).email == "invoices@company.test"
        await leader.start()
        recipients = {mail["to"] for mail in await outbox.messages()}
        assert recipients == {leader.user.email, "invoices@company.test"}

    async def test_the_change_is_recorded_once(self, billing: Billing) -> None:
        leader = await billing.leader()
        for _ in range(2):
            await leader.ok("PUT", "/billing-email", json={"email": "invoices@company.test"})
        records = await billing.platform.fetch(
            "SELECT details FROM activity WHERE action = 'billingEmail.changed'"
        )
        assert len(records) == 1

    @pytest.mark.spec("5.23")
    async def test_a_wrong_address_is_refused(self, billing: Billing) -> None:
        leader = await billing.leader()
        answer = await leader.call("PUT", "/billing-email", json={"email": "nobody"})
        assert answer.status_code == 422
        assert "email" in answer.json()["fields"]
