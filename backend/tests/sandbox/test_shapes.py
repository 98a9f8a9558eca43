"""Every object of the payment sandbox has exactly the fields of Stripe's own."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.subscription.billing import ASKS, DECLINED, FAILS_LATER, GOOD, OTHER, Billing

SHAPES: dict[str, Any] = json.loads(Path(__file__).with_name("shapes.json").read_text())["shapes"]
KINDS: dict[str, Any] = {
    "text": str,
    "number": (int, float),
    "flag": bool,
    "list": list,
    "map": dict,
}


def check(thing: dict[str, Any], shape: dict[str, Any], path: str, *, whole: bool) -> list[str]:
    wrong = [f"{path}.{name} is not a field" for name in thing.keys() - shape.keys()]
    if whole:
        wrong += [f"{path}.{name} is missing" for name in shape.keys() - thing.keys()]
    for name, value in thing.items():
        kind = shape.get(name, "any")
        place = f"{path}.{name}"
        if value is None or kind == "any":
            continue
        if isinstance(kind, dict):
            wrong += check(value, kind, place, whole=False)
        elif not isinstance(value, KINDS[kind]) or (kind == "number" and value is True):
            wrong.append(f"{place} should be {kind}")
    return wrong


def problems(thing: dict[str, Any]) -> list[str]:
    kind = thing["object"]
    if thing.get("deleted"):
        return check(thing, SHAPES["deleted_customer"], "deleted_customer", whole=True)
    wrong = check(thing, SHAPES[kind], kind, whole=True)
    if kind == "subscription":
        for item in thing["items"]["data"]:
            wrong += check(item, SHAPES["subscription_item"], "item", whole=True)
            wrong += check(item["price"], SHAPES["price"], "item.price", whole=True)
            wrong += check(item["plan"], SHAPES["plan"], "item.plan", whole=True)
    if kind == "invoice":
        for line in thing["lines"]["data"]:
            wrong += check(line, SHAPES["line_item"], "line", whole=True)
    return wrong


async def everything(billing: Billing) -> list[dict[str, Any]]:
    rows = await billing.platform.fetch("SELECT body FROM sandbox_stripe_objects")
    return [json.loads(row["body"]) for row in rows]


@pytest.mark.extended
async def test_every_object_of_a_long_story(billing: Billing) -> None:
    leader = await billing.leader()
    await leader.start(GOOD)
    await leader.add(OTHER)
    for number in (DECLINED, ASKS):
        token = await billing.token(number)
        assert (await leader.call("POST", "/add", json={"stripeToken": token})).is_error
    bad = await leader.add(FAILS_LATER)
    await leader.ok("PUT", "/default", params={"cardId": bad["cards"][2]["id"]})
    await billing.pass_days(40)
    await billing.settle()
    good = {"cardId": bad["cards"][0]["id"]}
    await leader.ok("PUT", "/default", params=good, json={"amount": 75_000})
    await leader.ok("PUT", "/cancel", json={"reason": "done"})
    await billing.pass_days(40)
    await billing.settle()
    customer = await billing.platform.fetchval(
        "SELECT customer_id FROM companies WHERE id = $1", leader.company_id
    )
    await billing.provider.delete_customer(key="end", customer_id=customer)
    made = await everything(billing)
    assert [problem for thing in made for problem in problems(thing)] == []
    inside = [thing["data"]["object"] for thing in made if thing["object"] == "event"]
    assert [problem for thing in inside for problem in problems(thing)] == []
    kinds = Counter(thing["object"] for thing in made)
    assert kinds.keys() >= {
        "customer", "token", "payment_method", "setup_intent", "product", "price", "subscription",
        "invoice", "event",
    }  # fmt: skip


async def test_lists_and_errors_have_the_provider_s_shape(billing: Billing) -> None:
    leader = await billing.leader()
    await leader.start()
    key = {"Authorization": "Bearer sk_test_tessera_sandbox"}
    for path in ("/v1/prices", "/v1/subscriptions", "/v1/invoices", "/v1/setup_intents"):
        listed = (await billing.sandbox("GET", path, headers=key)).json()
        assert check(listed, SHAPES["list"], "list", whole=True) == []
        assert [problem for thing in listed["data"] for problem in problems(thing)] == []
    for method, path, data in (
        ("GET", "/v1/customers/cus_no", {}),
        ("POST", "/v1/subscriptions", {"customer": "cus_no"}),
        ("POST", "/v1/tokens", {"card[number]": "4242424242424241"}),
    ):
        more = {"data": data} if method == "POST" else {}
        answer = await billing.sandbox(method, path, headers=key, **more)
        assert answer.is_client_error
        assert check(answer.json()["error"], SHAPES["error"], "error", whole=False) == []


@pytest.mark.parametrize("amount", [75_000])
async def test_the_preview_is_an_invoice(billing: Billing, amount: int) -> None:
    leader = await billing.leader()
    await leader.start()
    subscription = await billing.platform.fetchval("SELECT subscription_id FROM subscriptions")
    answer = await billing.sandbox(
        "POST",
        "/v1/invoices/create_preview",
        headers={"Authorization": "Bearer sk_test_tessera_sandbox"},
        data={"subscription": subscription},
    )
    assert problems(answer.json()) == []
    assert answer.json()["amount_due"] == amount
