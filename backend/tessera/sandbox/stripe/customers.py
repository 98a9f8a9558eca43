"""Customers and their payment methods."""

from tessera.sandbox.stripe import card_objects
from tessera.sandbox.stripe.billing import cancel_subscription
from tessera.sandbox.stripe.failures import StripeFailure
from tessera.sandbox.stripe.store import Body, Params, StripeStore, listing


async def create_customer(store: StripeStore, data: Params) -> Body:
    customer = card_objects.new_customer(data, store.now)
    await store.add("customer", customer, customer=customer["id"])
    await store.emit("customer.created", customer)
    return customer


async def update_customer(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    customer = await store.customer(id)
    for name in ("name", "email", "phone", "description"):
        if name in data:
            customer[name] = data[name] or None
    if isinstance(data.get("metadata"), dict):
        customer["metadata"] = merged(customer["metadata"], data["metadata"])
    settings = data.get("invoice_settings")
    if isinstance(settings, dict) and "default_payment_method" in settings:
        chosen = settings["default_payment_method"] or None
        if chosen is not None:
            method = await store.get("payment_method", chosen)
            if method["customer"] != id:
                raise StripeFailure(
                    "The customer does not have a payment method with this ID.",
                    code="resource_missing",
                    param="invoice_settings[default_payment_method]",
                )
        customer["invoice_settings"]["default_payment_method"] = chosen
    await store.save_customer(customer)
    await store.emit("customer.updated", customer)
    return customer


async def delete_customer(store: StripeStore, _: Params, id: str) -> Body:  # noqa: A002
    customer = await store.customer(id)
    for subscription in await store.all("subscription", id):
        if subscription["status"] != "canceled":
            await cancel_subscription(store, {}, subscription["id"])
    for method in await store.all("payment_method", id):
        await store.save({**method, "customer": None})
    gone = {"id": id, "object": "customer", "deleted": True}
    await store.save_customer(gone)
    await store.emit("customer.deleted", customer)
    return gone


async def list_payment_methods(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    await store.customer(id)
    found = await store.all("payment_method", id)
    return listing(f"/v1/customers/{id}/payment_methods", found, data)


def merged(metadata: Body, changes: Body) -> Body:
    """An empty value removes the key, as with Stripe."""
    together = {**metadata, **changes}
    return {name: value for name, value in together.items() if value != ""}
