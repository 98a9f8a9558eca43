"""Cards and the subscription. Time passes at the card provider meanwhile, so that what was just
seen may be over: then the answer is a refusal, and nothing has happened."""

from typing import Any

from faults.firm import FAILS_LATER, Firm
from tests.signup.signup import DECLINED, GOOD

REFUSALS = frozenset(
    {
        "no_subscription",
        "amount_not_confirmed",
        "card_declined",
        "card_needed",
        "last_card_needed_for_renewal",
        "default_card_cannot_be_deleted",
    }
)


async def _do(firm: Firm, kind: str, action: str, method: str, path: str, **more: Any) -> Any:
    return await firm.do(kind, action, method, f"/payment{path}", refusals=REFUSALS, **more)


async def pay(firm: Firm) -> None:
    """Whatever brings a company back that is not subscribed."""
    state = await firm.ask("/payment/methods")
    if state["status"] == "past_due":
        await add_good_card(firm)
    else:
        await _reactivate(firm, state)


async def add_card(firm: Firm) -> None:
    await _add_card(firm, firm.person.dice.choice([GOOD, GOOD, DECLINED, FAILS_LATER]))


async def add_good_card(firm: Firm) -> None:
    await _add_card(firm, GOOD)


async def _add_card(firm: Firm, number: str) -> None:
    body = {"stripeToken": await firm.person.card_token(number)}
    await _do(firm, "add card", "card.added", "POST", "/add", json=body)


async def change_card(firm: Firm) -> None:
    state = await firm.ask("/payment/methods")
    others = [card["id"] for card in state["cards"] if card["id"] != state["defaultCardId"]]
    if not others or state["status"] == "past_due":
        return
    which = {"cardId": firm.person.dice.choice(others)}
    if firm.person.dice.random() < 0.5:
        await _do(firm, "choose card", "card.madeDefault", "PUT", "/default", params=which)
    else:
        await _do(
            firm, "delete card", "card.deleted", "DELETE", "", params=which, done="card_unknown"
        )


async def change_subscription(firm: Firm) -> None:
    state = await firm.ask("/payment/methods")
    if state["status"] not in {"trialing", "active"}:
        await pay(firm)
        return
    choice = firm.person.dice.random()
    if not state["autoRenew"]:
        if choice < 0.5:
            await _reactivate(firm, state)
        else:
            await _auto_renew(firm, True)
    elif choice < 0.3:
        body = {"reason": "trouble"}
        await _do(firm, "cancel", "subscription.cancelAsked", "PUT", "/cancel", json=body)
    elif choice < 0.6:
        await _auto_renew(firm, False)
    else:
        plan = {"PlanId": 3 if state["planId"] == 5 else 5}
        await _do(
            firm, "switch plan", "subscription.planChanged", "PUT", "/switch-plan", params=plan
        )


async def _auto_renew(firm: Firm, enabled: bool) -> None:
    action = f"autoRenew.{'on' if enabled else 'off'}"
    await _do(firm, "auto renew", action, "PUT", "/auto-renew", json={"enabled": enabled})


async def _reactivate(firm: Firm, state: dict[str, Any]) -> None:
    body = {"amount": state["reactivationAmount"]}
    await _do(
        firm, "reactivate", "subscription.reactivated", "PUT", "/reactivate", json=body
    )  # fmt: skip
