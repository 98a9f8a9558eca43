"""Cancellation terms of the User Agreement, for Cancel and for Auto Renew."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tessera.settings import Settings
from tessera.subscription.notice import Term, notice
from tests.factories.accounts import Outbox
from tests.subscription.billing import Billing, Leader
from tests.subscription.test_subscription import trial

START = datetime(2027, 3, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)
PRICE = 75_000


class TestDeadline:
    @pytest.mark.parametrize(
        ("length", "is_trial", "settings", "deadline"),
        [
            pytest.param(30, True, {}, 9, id="trial: 21 days before its end is later than day 7"),
            pytest.param(25, True, {}, 7, id="trial: day 7 is later"),
            pytest.param(3, True, {}, 3, id="trial: shorter than 7 days"),
            pytest.param(31, False, {}, 10, id="month"),
            pytest.param(28, False, {}, 7, id="february"),
            pytest.param(365, False, {}, 344, id="year"),
            pytest.param(31, False, {"notice_days": 0}, 31, id="no notice"),
            pytest.param(31, False, {"notice_days": 40}, 0, id="notice longer than the term"),
        ],
    )
    def test_deadline_decides_whether_this_term_or_the_next_is_the_last(
        self, length: int, is_trial: bool, settings: dict[str, Any], deadline: int
    ) -> None:
        end = START + length * DAY
        term = Term(START, end, is_trial, end + 31 * DAY, PRICE)
        moment = START + deadline * DAY
        in_time = notice(Settings(**settings), term, moment)
        assert (in_time.deadline, in_time.ends_at, in_time.amount) == (moment, end, 0)
        late = notice(Settings(**settings), term, moment + timedelta(seconds=1))
        assert (late.deadline, late.ends_at, late.amount) == (moment, end + 31 * DAY, PRICE)


async def paying(billing: Billing) -> Leader:
    leader = await billing.leader()
    await leader.start()
    return leader


@pytest.mark.spec("9.28", "9.29")
@pytest.mark.parametrize(
    ("way", "in_trial", "day", "terms"),
    [
        pytest.param(
            way,
            *when,
            id=f"{way}-{about}",
            # Both ways ask the same function for the last day.
            marks=pytest.mark.extended if way != "cancel" and about != "term in time" else (),
        )
        for way in ("cancel", "auto-renew")
        for about, *when in (
            ("trial within 7 days", True, 6.9, 0),
            ("trial at least 21 days before its end", True, 8.9, 0),
            ("trial too late", True, 9.1, 1),
            ("term in time", False, 6.9, 1),
            ("term 5 days before its end", False, 25, 2),
        )
    ],
)
async def test_cancellation_obeys_the_notice_until_the_last_day(
    billing: Billing, way: str, in_trial: bool, day: float, terms: int
) -> None:
    """`terms` is how many are paid in the end."""
    leader = await (trial(billing) if in_trial else paying(billing))
    await billing.pass_days(day)
    await billing.settle()
    offered = (await leader.methods())["notice"]
    late = terms > (not in_trial)
    assert offered["amount"] == (PRICE if late else 0)
    body = {"endsAt": offered["endsAt"]} if way == "cancel" else {"enabled": False}
    seen = await leader.ok("PUT", f"/{way}", json=body)
    assert (seen["endsAt"], seen["notice"]) == (offered["endsAt"], None)
    assert seen["nextAmount"] == (PRICE if late else None)
    assert (await leader.ok("GET", "/plan"))["nextDate"] == (seen["renewalDate"] if late else None)
    at_provider = await leader.subscription()
    assert at_provider.cancel_at == datetime.fromisoformat(offered["endsAt"])
    await billing.settle()
    assert await leader.methods() == seen

    now = (await billing.sandbox("GET", "/clock")).json()["now"]
    left = datetime.fromisoformat(offered["endsAt"]) - datetime.fromtimestamp(now, UTC)
    await billing.pass_days(left / DAY - 0.01)
    await billing.settle()
    assert (await leader.methods())["isSubscribed"]
    await billing.pass_days(40)
    await billing.settle()
    ended = await leader.methods()
    assert (ended["status"], ended["isSubscribed"]) == ("cancelled", False)
    invoices = (await leader.ok("GET", "/invoices", params={"limit": 100}))["item1"]
    assert [each["amountPaid"] for each in invoices if each["amountPaid"]] == [PRICE] * terms


class TestCancel:
    async def test_another_last_day_than_the_confirmed_one_is_refused(
        self, billing: Billing
    ) -> None:
        leader = await paying(billing)
        offered = (await leader.methods())["notice"]["endsAt"]
        await billing.pass_days(12)
        answer = await leader.call("PUT", "/cancel", json={"endsAt": offered})
        assert (answer.status_code, answer.json()["code"]) == (409, "last_day_changed")
        assert (await leader.methods())["autoRenew"]

    async def test_a_subscription_that_is_ending_keeps_its_last_day(self, billing: Billing) -> None:
        leader = await paying(billing)
        ending = await leader.ok("PUT", "/auto-renew", json={"enabled": False})
        await billing.pass_days(20)
        seen = await leader.ok("PUT", "/cancel")
        assert (seen["endsAt"], seen["isCanceled"]) == (ending["endsAt"], True)

    async def test_the_mail_names_the_last_day_and_what_is_still_due(
        self, billing: Billing, outbox: Outbox
    ) -> None:
        leader = await paying(billing)
        await billing.pass_days(25)
        await leader.ok("PUT", "/cancel")
        mail = (await outbox.messages())[-1]
        ends = datetime.fromisoformat((await leader.methods())["endsAt"])
        assert mail["subject"] == "Your Tessera subscription has been cancelled"
        assert "$750 is charged for that term" in mail["text"]
        assert f"{ends:%B} {ends.day}, {ends.year}" in mail["text"]

    async def test_reactivation_renews_it_again(self, billing: Billing) -> None:
        leader = await paying(billing)
        await billing.pass_days(25)
        before = await leader.methods()
        await leader.ok("PUT", "/cancel")
        assert await leader.ok("PUT", "/reactivate") == before
