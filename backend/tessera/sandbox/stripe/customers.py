"""Customers and their payment methods."""

from typing import Any

from tessera.sandbox.stripe import card_objects
from tessera.sandbox.stripe.billing import cancel_subscription
from tessera.sandbox.stripe.failures import StripeFailure
from tessera.sandbox.stripe.shop import Body, StripeStore, listing

Given = dict[str, Any]


async def create_customer(shop: StripeStore, data: Given) -> Body:
    customer = card_objects.new_customer(data, shop.now)
    await shop.add("customer", customer, customer=customer["id"])
    await shop.emit("customer.created", customer)
    return customer


async def read_customer(shop: StripeStore, _: Given, id: str) -> Body:  # noqa: A002
    return await shop.get("customer", id)


async def update_customer(shop: StripeStore, data: Given, id: str) -> Body:  # noqa: A002
    customer = await shop.customer(id)
    for name in ("name", "email", "phone", "description"):
        if name in data:
            customer[name] = data[name] or None
    if isinstance(data.get("metadata"), dict):
        customer["metadata"] = merged(customer["metadata"], data["metadata"])
    settings = data.get("invoice_settings")
    if isinstance(settings, dict) and "default_payment_method" in settings:
        chosen = settings["default_payment_method"] or None
        if chosen is not None:
            method = await shop.get("payment_method", chosen)
            if method["customer"] != id:
                raise StripeFailure(
                    "The customer does not have a payment method with this ID.",
                    code="resource_missing",
                    param="invoice_settings[default_payment_method]",
                )
        customer["invoice_settings"]["default_payment_method"] = chosen
    await shop.save_customer(customer)
    await shop.emit("customer.updated", customer)
    return customer


async def delete_customer(shop: StripeStore, _: Given, id: str) -> Body:  # noqa: A002
    customer = await shop.customer(id)
    for subscription in await shop.all("subscription", id):
        if subscription["status"] != "canceled":
            await cancel_subscription(shop, {}, subscription["id"])
    for method in await shop.all("payment_method", id):
        await shop.save({**method, "customer": None})
    gone = {"id": id, "object": "customer", "deleted": True}
    await shop.save_customer(gone)
    await shop.emit("customer.deleted", customer)
    return gone


async def list_payment_methods(shop: StripeStore, data: Given, id: str) -> Body:  # noqa: A002
    await shop.customer(id)
    found = await shop.all("payment_method", id)
    return listing(f"/v1/customers/{id}/payment_methods", found, data)


def merged(metadata: Body, changes: Body) -> Body:
    """An empty value removes the key, as with Stripe."""
    together = {**metadata, **changes}
    return {name: value for name, value in together.items() if value != ""}
