"""The plans of the specification. A plan is on sale if the settings give it a price."""

from dataclasses import dataclass
from typing import Literal

from tessera.integrations.cards.protocol import Price
from tessera.settings import Settings
from tessera.subscription.errors import PlanNotOnSale

Interval = Literal["month", "year"]

BASIC = 5
TRIAL_PLANS = frozenset({BASIC})

_NAMES: dict[int, tuple[str, Interval]] = {
    1: ("Basic Monthly", "month"),
    2: ("Basic Yearly", "year"),
    3: ("Professional Monthly", "month"),
    4: ("Professional Yearly", "year"),
    5: ("Basic", "month"),
}


@dataclass(frozen=True)
class Plan:
    id: int
    name: str
    interval: Interval
    amount: int
    currency: str
    trial_days: int

    @property
    def lookup_key(self) -> str:
        """Identifies the price at the provider. It contains the amount: a new price is a new
        object, and existing subscribers keep theirs."""
        return f"tessera_plan_{self.id}_{self.currency}_{self.amount}_{self.interval}"

    @property
    def price(self) -> Price:
        return Price(
            plan_id=self.id,
            name=self.name,
            amount=self.amount,
            currency=self.currency,
            interval=self.interval,
            lookup_key=self.lookup_key,
        )


def on_sale(settings: Settings) -> list[Plan]:
    return [_plan(settings, plan_id) for plan_id in sorted(settings.plan_prices)]


def plan_for_sale(settings: Settings, plan_id: int) -> Plan:
    if plan_id not in settings.plan_prices or plan_id not in _NAMES:
        raise PlanNotOnSale(fields={"planId": "plan"})
    return _plan(settings, plan_id)


def plan_to_start(settings: Settings, plan_id: int) -> Plan:
    """Returns the company's previous plan, or the basic one if that is no longer sold."""
    return plan_for_sale(settings, plan_id if plan_id in settings.plan_prices else BASIC)


def reactivation_amount(
    settings: Settings, status: str, plan_id: int, amount_due: int
) -> int | None:
    """What Reactivate charges immediately: any debt, and the first period of a new subscription."""
    if status in {"trialing", "active", "past_due"}:
        return amount_due or None
    return amount_due + plan_to_start(settings, plan_id).amount


def shown_name(plan_id: int) -> tuple[str, Interval]:
    """Unknown ids are shown as Basic Monthly, as the specification requires."""
    return _NAMES.get(plan_id, _NAMES[1])


def _plan(settings: Settings, plan_id: int) -> Plan:
    name, interval = shown_name(plan_id)
    return Plan(
        id=plan_id,
        name=name,
        interval=interval,
        amount=settings.plan_prices[plan_id],
        currency=settings.plan_currency,
        trial_days=settings.trial_days if plan_id in TRIAL_PLANS else 0,
    )
