"""Two years of billing: what the page shows, what the provider
knows and what was mailed agree in every state, and no invoice is for time without service."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from tests.factories.accounts import Outbox
from tests.subscription.billing import FAILS_LATER, GOOD, Billing, Leader
from tests.subscription.test_subscription import trial

PRICE = 75_000
DAY = timedelta(days=1)
# Ten days less, so that the number of renewals does not depend on the lengths of the months.
TWO_YEARS = 721
STATUS_OF = {"trialing": "trialing", "active": "active", "past_due": "past_due"}

Act = Callable[[Leader], Awaitable[object]]


async def use_failing_card(leader: Leader) -> None:
    seen = await leader.add(FAILS_LATER)
    card = seen["cards"][-1]["id"]
    await leader.ok("PUT", "/default", params={"cardId": card})


async def use_good_card(leader: Leader) -> None:
    """Pays what is unpaid, after confirming it."""
    seen = await leader.methods()
    good = next(card["id"] for card in seen["cards"] if card["last4"] == GOOD[-4:])
    body = {"amount": seen["amountDue"]}
    await leader.ok("PUT", "/default", params={"cardId": good}, json=body)


async def cancel(leader: Leader) -> None:
    await leader.ok("PUT", "/cancel")


async def stop_renewing(leader: Leader) -> None:
    await leader.ok("PUT", "/auto-renew", json={"enabled": False})


async def reactivate(leader: Leader) -> None:
    seen = await leader.methods()
    await leader.ok("PUT", "/reactivate", json={"amount": seen["reactivationAmount"]})


@dataclass(frozen=True)
class Story:
    """What the leader does on which day, and the state that each day named in `states` shows."""

    acts: dict[int, Act]
    states: dict[int, str]
    paid: int
    unpaid: int = 0


STORIES = {
    "trial, then active": Story({}, {10: "trialing", 40: "active", 720: "active"}, paid=23),
    "trial cancelled in time": Story(
        {5: cancel}, {6: "trialing, ending", 31: "ended", 720: "ended"}, paid=0
    ),
    "trial cancelled late": Story(
        {20: cancel}, {21: "trialing, ending", 40: "active, ending", 62: "ended"}, paid=1
    ),
    "no renewal, then reactivated": Story(
        {95: stop_renewing, 190: reactivate},
        {96: "active, ending", 160: "ended", 191: "active", 720: "active"},
        paid=21,
    ),
    "unpaid, paid in the grace days": Story(
        {1: use_failing_card, 40: use_good_card},
        {35: "unpaid", 41: "active", 720: "active"},
        paid=23,
    ),
    "unpaid, paid after access ended": Story(
        {1: use_failing_card, 55: use_good_card},
        {43: "unpaid", 50: "unpaid, no access", 56: "active", 720: "active"},
        paid=23,
    ),
    "unpaid, paid and reactivated after the term": Story(
        {1: use_failing_card, 80: use_good_card, 90: reactivate},
        {70: "ended, unpaid", 81: "ended", 91: "active", 720: "active"},
        paid=22,
    ),
    "never paid": Story(
        {1: use_failing_card},
        {43: "unpaid", 50: "unpaid, no access", 70: "ended, unpaid", 121: "deactivated",
         720: "deactivated"},
        paid=0,
        unpaid=1,
    ),
    "deactivated, then paid and reactivated": Story(
        {1: use_failing_card, 130: use_good_card, 150: reactivate},
        {125: "deactivated", 131: "ended", 151: "active", 720: "active"},
        paid=20,
    ),
    "cancelled while unpaid": Story(
        {1: use_failing_card, 35: cancel},
        {36: "unpaid, ending", 70: "ended, unpaid", 121: "deactivated"},
        paid=0,
        unpaid=1,
    ),
}  # fmt: skip


class Books:
    """Compares page, provider and mails, and remembers when there was access."""

    def __init__(self, billing: Billing, leader: Leader, start: datetime) -> None:
        self.billing, self.leader, self.start = billing, leader, start
        self.access: list[tuple[datetime, bool]] = []

    async def now(self) -> datetime:
        seconds = (await self.billing.sandbox("GET", "/clock")).json()["now"]
        return datetime.fromtimestamp(seconds, UTC)

    async def look(self) -> str:
        """Returns the state in words, after comparing the page with the provider."""
        page = await self.leader.methods()
        plan = await self.leader.ok("GET", "/plan")
        account = await self.leader.account()
        subscription = account.subscription
        assert subscription is not None
        self.access.append((await self.now(), page["isSubscribed"]))
        assert page["status"] == STATUS_OF.get(subscription.status, "cancelled")
        assert page["amountDue"] == sum(i.amount_remaining for i in account.invoices if i.is_owed)
        assert page["autoRenew"] == (subscription.runs and subscription.cancel_at is None)
        upcoming = account.upcoming
        assert page["nextAmount"] == plan["nextAmount"] == (upcoming.amount if upcoming else None)
        assert (plan["nextDate"] is None) == (upcoming is None)
        if not page["isSubscribed"]:
            assert page["nextAmount"] is None, "a renewal without service is announced"
            assert page["notice"] is None
        return describe(page)

    async def check_invoices(self, story: Story, outbox: Outbox) -> None:
        invoices = (await self.leader.account()).invoices
        real = [each for each in invoices if each.amount_due and each.status != "void"]
        statuses = [each.status for each in real]
        assert (statuses.count("paid"), statuses.count("open")) == (story.paid, story.unpaid)
        shown = (await self.leader.ok("GET", "/invoices", params={"limit": 100}))["item1"]
        assert {(i["id"], i["status"]) for i in shown} == {(i.id, i.status) for i in invoices}
        for invoice in real:
            assert self.had_access(invoice.period_start), f"without service: {invoice}"
        periods = sorted((each.period_start, each.period_end) for each in real)
        assert all(before[1] <= after[0] for before, after in pairwise(periods))
        receipts = [s for s in await self.leader.subjects(outbox) if s.startswith("Receipt")]
        assert len(receipts) == story.paid

    def had_access(self, moment: datetime) -> bool:
        """Whether there was service when a paid period began, or when it was next looked at. What
        the leader does falls between two looks at the same time."""
        later = [(at, access) for at, access in self.access if at >= moment] or self.access[-1:]
        return any(access for at, access in later if at - later[0][0] < timedelta(hours=1))


def describe(page: dict[str, object]) -> str:
    if page["isDeactivated"]:
        return "deactivated"
    unpaid = bool(page["amountDue"])
    if page["status"] == "cancelled":
        return "ended, unpaid" if unpaid else "ended"
    if unpaid and not page["isSubscribed"]:
        return "unpaid, no access"
    state = "unpaid" if unpaid else str(page["status"])
    return state if page["autoRenew"] else f"{state}, ending"


QUICK = ("never paid",)


@pytest.mark.parametrize(
    "story",
    [
        pytest.param(story, id=name, marks=() if name in QUICK else pytest.mark.extended)
        for name, story in STORIES.items()
    ],
)
async def test_page_mails_and_provider_agree_for_two_years(
    billing: Billing, outbox: Outbox, story: Story
) -> None:
    leader = await trial(billing)
    clock = (await billing.sandbox("GET", "/clock")).json()["now"]
    books = Books(billing, leader, datetime.fromtimestamp(clock, UTC))
    # Each month, and the days of each act and each state.
    named = {*story.acts, *story.states}
    days = sorted(day for day in {*range(0, TWO_YEARS, 30), *named} if 0 <= day < TWO_YEARS)
    today = 0
    for day in days:
        if day > today:
            await billing.pass_days(day - today)
            today = day
        await billing.settle()
        state = await books.look()
        if day in story.states:
            assert state == story.states[day], f"day {day}"
        if day in story.acts:
            await story.acts[day](leader)
            await billing.settle()
            await books.look()
    await books.check_invoices(story, outbox)


@pytest.mark.extended
async def test_invoices_made_while_the_service_was_down_are_voided(billing: Billing) -> None:
    """The provider renewed twice before anybody told it that access had ended."""
    leader = await trial(billing)
    await use_failing_card(leader)
    await billing.pass_days(100)
    await billing.settle()
    seen = await leader.methods()
    assert (seen["amountDue"], seen["isSubscribed"], seen["nextAmount"]) == (PRICE, False, None)
    invoices = (await leader.account()).invoices
    assert sorted(each.status for each in invoices if each.amount_due) == ["open", "void", "void"]
