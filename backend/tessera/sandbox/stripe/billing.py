"""Subscriptions."""

from tessera.sandbox.stripe import billing_objects, invoices
from tessera.sandbox.stripe.failures import StripeFailure
from tessera.sandbox.stripe.forms import number, text
from tessera.sandbox.stripe.periods import next_end
from tessera.sandbox.stripe.store import Body, Params, StripeStore, listing

DAY = 86_400


async def create_subscription(store: StripeStore, data: Params) -> Body:
    customer = await store.customer(text(data, "customer"))
    price = await _price(store, data)
    trial = number(data, "trial_period_days") or 0
    end = store.now + trial * DAY if trial else next_end(store.now, store.now, price)
    subscription = billing_objects.new_subscription(
        customer,
        price,
        data.get("metadata") or {},
        now=store.now,
        period_end=end,
        trial=bool(trial),
    )
    await store.add("subscription", subscription, customer=customer["id"])
    invoice = await invoices.bill(
        store,
        subscription,
        0 if trial else price["unit_amount"],
        "subscription_create",
        (store.now, end),
    )
    failure = await invoices.attempt(store, invoice)
    if failure is not None:
        if data.get("payment_behavior") == "error_if_incomplete":
            # As with Stripe, nothing of the subscription remains.
            failure.keep = False
            raise failure
        subscription["status"] = "incomplete"
    subscription["latest_invoice"] = invoice["id"]
    await store.save(subscription)
    await store.emit("customer.subscription.created", subscription)
    return subscription


async def _price(store: StripeStore, data: Params) -> Body:
    items = data.get("items")
    if not isinstance(items, list) or len(items) != 1 or not isinstance(items[0], dict):
        raise StripeFailure("The sandbox wants exactly one item.", param="items")
    return await store.get("price", text(items[0], "price"))


async def update_subscription(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    subscription = await store.get("subscription", id)
    if subscription["status"] == "canceled":
        raise StripeFailure("A canceled subscription can only update its metadata.")
    before = {name: subscription[name] for name in ("cancel_at", "metadata", "items")}
    if isinstance(data.get("metadata"), dict):
        together = {**subscription["metadata"], **data["metadata"]}
        subscription["metadata"] = {name: value for name, value in together.items() if value}
    details = data.get("cancellation_details")
    if isinstance(details, dict):
        subscription["cancellation_details"] |= {
            name: details[name] or None for name in ("comment", "feedback") if name in details
        }
    if "cancel_at" in data:
        _set_ending(store, subscription, number(data, "cancel_at") if data["cancel_at"] else None)
    if "items" in data:
        price = await _price(store, data)
        subscription["items"]["data"][0] |= {
            "price": price,
            "plan": billing_objects.plan_of(price),
        }
    await store.save(subscription)
    await store.emit("customer.subscription.updated", subscription, before)
    return subscription


def _set_ending(store: StripeStore, subscription: Body, moment: int | None) -> None:
    """The sandbox has no proration, so a subscription ends with one of its periods."""
    item = subscription["items"]["data"][0]
    end = item["current_period_end"]
    following = next_end(subscription["billing_cycle_anchor"], end, item["price"])
    if moment not in {None, end, following}:
        raise StripeFailure("The sandbox ends subscriptions with a period.", param="cancel_at")
    subscription["cancel_at"] = moment
    subscription["canceled_at"] = store.now if moment else None
    subscription["cancellation_details"]["reason"] = "cancellation_requested" if moment else None


async def cancel_subscription(store: StripeStore, _: Params, id: str) -> Body:  # noqa: A002
    subscription = await store.get("subscription", id)
    if subscription["status"] == "canceled":
        raise StripeFailure(f"No such subscription: {id}", status=404, code="resource_missing")
    subscription["cancellation_details"]["reason"] = "cancellation_requested"
    return await end(store, subscription)


async def end(store: StripeStore, subscription: Body) -> Body:
    subscription |= {"status": "canceled", "ended_at": store.now}
    subscription["canceled_at"] = subscription["canceled_at"] or store.now
    await store.save(subscription)
    for invoice in await store.all("invoice", subscription["customer"]):
        # Debts remain, but are no longer charged automatically.
        ours = invoices.subscription_of(invoice) == subscription["id"]
        if ours and invoice["next_payment_attempt"]:
            await store.save({**invoice, "next_payment_attempt": None, "auto_advance": False})
    await store.emit("customer.subscription.deleted", subscription)
    return subscription


async def renew(store: StripeStore, subscription: Body) -> None:
    """At the end of a period, starts and charges the next one, or ends the subscription."""
    item = subscription["items"]["data"][0]
    start = item["current_period_end"]
    if subscription["cancel_at"] == start:
        await end(store, subscription)
        return
    previous = {"status": subscription["status"], "items": {"data": [{**item}]}}
    item |= {
        "current_period_start": start,
        "current_period_end": next_end(subscription["billing_cycle_anchor"], start, item["price"]),
    }
    if subscription["status"] == "trialing":
        subscription["status"] = "active"
    invoice = await invoices.bill(
        store,
        subscription,
        item["price"]["unit_amount"],
        "subscription_cycle",
        (item["current_period_start"], item["current_period_end"]),
    )
    subscription["latest_invoice"] = invoice["id"]
    await store.save(subscription)
    await store.emit("customer.subscription.updated", subscription, previous)
    await invoices.attempt(store, invoice)
    await invoices.settle_status(store, subscription["id"])


async def list_subscriptions(store: StripeStore, data: Params) -> Body:
    subscriptions = await store.all("subscription", data.get("customer"))
    status = data.get("status")
    if status is None:
        subscriptions = [each for each in subscriptions if each["status"] != "canceled"]
    elif status != "all":
        subscriptions = [each for each in subscriptions if each["status"] == status]
    return listing("/v1/subscriptions", subscriptions, data)
