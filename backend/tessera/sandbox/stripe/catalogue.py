"""Products and prices."""

from typing import Any

from tessera.sandbox.stripe import billing_objects
from tessera.sandbox.stripe.failures import StripeFailure
from tessera.sandbox.stripe.forms import flag, number, text
from tessera.sandbox.stripe.shop import Body, StripeStore, listing

Given = dict[str, Any]


async def create_product(shop: StripeStore, data: Given) -> Body:
    text(data, "name")
    if data.get("id") and await shop.find("product", data["id"]):
        raise StripeFailure("Product already exists.", code="resource_already_exists", param="id")
    product = await shop.add("product", billing_objects.new_product(data, shop.now))
    await shop.emit("product.created", product)
    return product


async def read_product(shop: StripeStore, _: Given, id: str) -> Body:  # noqa: A002
    return await shop.get("product", id)


async def create_price(shop: StripeStore, data: Given) -> Body:
    await shop.get("product", text(data, "product"))
    text(data, "currency")
    amount = number(data, "unit_amount")
    recurring = data.get("recurring")
    interval = recurring.get("interval") if isinstance(recurring, dict) else None
    if amount is None or amount < 0 or interval not in {"month", "year"}:
        raise StripeFailure("A price needs unit_amount and recurring[interval].")
    await _free_lookup_key(shop, data)
    price = await shop.add("price", billing_objects.new_price(data, amount, interval, shop.now))
    await shop.emit("price.created", price)
    return price


async def _free_lookup_key(shop: StripeStore, data: Given) -> None:
    if not data.get("lookup_key"):
        return
    for price in await shop.all("price"):
        if price["lookup_key"] == data["lookup_key"]:
            if not flag(data, "transfer_lookup_key"):
                raise StripeFailure("The lookup key is taken.", param="lookup_key")
            await shop.save({**price, "lookup_key": None})


async def list_prices(shop: StripeStore, data: Given) -> Body:
    wanted = data.get("lookup_keys")
    found = await shop.all("price")
    if wanted:
        found = [price for price in found if price["lookup_key"] in wanted]
    return listing("/v1/prices", found, data)


async def read_price(shop: StripeStore, _: Given, id: str) -> Body:  # noqa: A002
    return await shop.get("price", id)
