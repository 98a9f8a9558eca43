"""Card and subscription actions. Time passes at the card provider meanwhile, so the state just read
may be outdated; the call is then refused and has no effect."""

from typing import Any

from chaos.company_client import FAILS_LATER, CompanyClient
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


async def _do(
    client: CompanyClient, kind: str, action: str, method: str, path: str, **more: Any
) -> Any:
    return await client.do(kind, action, method, f"/payment{path}", refusals=REFUSALS, **more)


async def pay(client: CompanyClient) -> None:
    """Pays or reactivates, whichever restores a company without a subscription."""
    state = await client.ask("/payment/methods")
    if state["status"] == "past_due":
        await add_good_card(client)
    else:
        await _reactivate(client, state)


async def add_card(client: CompanyClient) -> None:
    await _add_card(client, client.person.dice.choice([GOOD, GOOD, DECLINED, FAILS_LATER]))


async def add_good_card(client: CompanyClient) -> None:
    await _add_card(client, GOOD)


async def _add_card(client: CompanyClient, number: str) -> None:
    body = {"stripeToken": await client.person.card_token(number)}
    await _do(client, "add card", "card.added", "POST", "/add", json=body)


async def change_card(client: CompanyClient) -> None:
    state = await client.ask("/payment/methods")
    others = [card["id"] for card in state["cards"] if card["id"] != state["defaultCardId"]]
    if not others or state["status"] == "past_due":
        return
    which = {"cardId": client.person.dice.choice(others)}
    if client.person.dice.random() < 0.5:
        await _do(client, "choose card", "card.madeDefault", "PUT", "/default", params=which)
    else:
        await _do(
            client, "delete card", "card.deleted", "DELETE", "", params=which, done="card_unknown"
        )


async def change_subscription(client: CompanyClient) -> None:
    state = await client.ask("/payment/methods")
    if state["status"] not in {"trialing", "active"}:
        await pay(client)
        return
    choice = client.person.dice.random()
    if not state["autoRenew"]:
        if choice < 0.5:
            await _reactivate(client, state)
        else:
            await _auto_renew(client, True)
    elif choice < 0.3:
        body = {"reason": "trouble"}
        await _do(client, "cancel", "subscription.cancelAsked", "PUT", "/cancel", json=body)
    elif choice < 0.6:
        await _auto_renew(client, False)
    else:
        plan = {"PlanId": 3 if state["planId"] == 5 else 5}
        await _do(
            client, "switch plan", "subscription.planChanged", "PUT", "/switch-plan", params=plan
        )


async def _auto_renew(client: CompanyClient, enabled: bool) -> None:
    action = f"autoRenew.{'on' if enabled else 'off'}"
    await _do(client, "auto renew", action, "PUT", "/auto-renew", json={"enabled": enabled})


async def _reactivate(client: CompanyClient, state: dict[str, Any]) -> None:
    body = {"amount": state["reactivationAmount"]}
    await _do(
        client, "reactivate", "subscription.reactivated", "PUT", "/reactivate", json=body
    )  # fmt: skip
