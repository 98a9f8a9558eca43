"""Products and prices."""

from tessera.sandbox.stripe import billing_objects
from tessera.sandbox.stripe.failures import StripeFailure
from tessera.sandbox.stripe.forms import flag, number, text
from tessera.sandbox.stripe.store import Body, Params, StripeStore, listing


async def create_product(store: StripeStore, data: Params) -> Body:
    text(data, "name")
    if data.get("id") and await store.find("product", data["id"]):
        raise StripeFailure("Product already exists.", code="resource_already_exists", param="id")
    product = await store.add("product", billing_objects.new_product(data, store.now))
    await store.emit("product.created", product)
    return product


async def create_price(store: StripeStore, data: Params) -> Body:
    await store.get("product", text(data, "product"))
    text(data, "currency")
    amount = number(data, "unit_amount")
    recurring = data.get("recurring")
    interval = recurring.get("interval") if isinstance(recurring, dict) else None
    if amount is None or amount < 0 or interval not in {"month", "year"}:
        raise StripeFailure("A price needs unit_amount and recurring[interval].")
    await _free_lookup_key(store, data)
    price = await store.add("price", billing_objects.new_price(data, amount, interval, store.now))
    await store.emit("price.created", price)
    return price


async def _free_lookup_key(store: StripeStore, data: Params) -> None:
    if not data.get("lookup_key"):
        return
    for price in await store.all("price"):
        if price["lookup_key"] == data["lookup_key"]:
            if not flag(data, "transfer_lookup_key"):
                raise StripeFailure("The lookup key is taken.", param="lookup_key")
            await store.save({**price, "lookup_key": None})


async def list_prices(store: StripeStore, data: Params) -> Body:
    lookup_keys = data.get("lookup_keys")
    prices = await store.all("price")
    if lookup_keys:
        prices = [price for price in prices if price["lookup_key"] in lookup_keys]
    return listing("/v1/prices", prices, data)
