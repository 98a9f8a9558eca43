"""Stripe, through its own SDK. In the sandbox the same code calls the payment sandbox."""

from datetime import datetime
from typing import Any

import httpx
from stripe import StripeClient
from stripe.params import (
    SetupIntentCreateParams,
    SubscriptionCreateParams,
    SubscriptionUpdateParams,
)

from tessera.integrations.cards import mapping
from tessera.integrations.cards.calls import call, call_all
from tessera.integrations.cards.errors import AuthenticationNeeded, Declined, NotThere, Refused
from tessera.integrations.cards.http import StripeHttp
from tessera.integrations.cards.protocol import (
    Account,
    Ending,
    Price,
    SetupIntent,
    Subscription,
    Upcoming,
)

API_VERSION = "2026-10-28.endive"
PRODUCT_ID = "tessera"
SETUP: SetupIntentCreateParams = {
    "allowed_payment_method_types": ["card"],
    "automatic_payment_methods": {"enabled": True, "allow_redirects": "never"},
    "usage": "off_session",
}


class StripeCards:
    def __init__(
        self,
        secret_key: str,
        *,
        url: str = "",
        timeout: float = 20,
        retries: int = 2,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = StripeHttp(timeout, local=bool(url), transport=transport)
        self._stripe = StripeClient(
            secret_key,
            stripe_version=API_VERSION,
            base_addresses={"api": url} if url else None,
            max_network_retries=retries,
            http_client=self._http,
        ).v1
        self._prices: dict[str, str] = {}

    async def close(self) -> None:
        await self._http.close_async()

    async def account(self, customer_id: str) -> Account:
        try:
            customer, cards, subscriptions, invoices = await call_all(
                self._stripe.customers.retrieve_async(customer_id),
                self._stripe.customers.payment_methods.list_async(
                    customer_id, {"type": "card", "limit": 100}
                ),
                self._stripe.subscriptions.list_async(
                    {"customer": customer_id, "status": "all", "limit": 100}
                ),
                self._stripe.invoices.list_async({"customer": customer_id, "limit": 100}),
            )
        except NotThere:
            return Account(customer_id)
        if customer.get("deleted"):
            return Account(customer_id)
        subscription = mapping.current_subscription(
            mapping.subscription(each) for each in subscriptions["data"]
        )
        return Account(
            customer_id,
            email=customer.get("email") or "",
            default_card_id=(customer.get("invoice_settings") or {}).get("default_payment_method"),
            cards=mapping.cards(cards["data"]),
            subscription=subscription,
            invoices=[mapping.invoice(each) for each in invoices["data"]],
            upcoming=await self._upcoming(subscription),
        )

    async def _upcoming(self, subscription: Subscription | None) -> Upcoming | None:
        if subscription is None or not subscription.renews:
            return None
        try:
            preview = await call(
                self._stripe.invoices.create_preview_async({"subscription": subscription.id})
            )
        except NotThere:
            # It has stopped renewing since it was listed.
            return None
        return mapping.upcoming(preview)

    async def ensure_price(self, price: Price) -> str:
        if price.lookup_key in self._prices:
            return self._prices[price.lookup_key]
        found = await call(
            self._stripe.prices.list_async({"lookup_keys": [price.lookup_key], "active": True})
        )
        if not found["data"]:
            found = {"data": [await self._create_price(price)]}
        self._prices[price.lookup_key] = found["data"][0]["id"]
        return self._prices[price.lookup_key]

    async def _create_price(self, price: Price) -> dict[str, Any]:
        try:
            await call(self._stripe.products.retrieve_async(PRODUCT_ID))
        except NotThere:
            await call(
                self._stripe.products.create_async(
                    {"id": PRODUCT_ID, "name": "Tessera"},
                    {"idempotency_key": f"product-{PRODUCT_ID}"},
                )
            )
        return await call(
            self._stripe.prices.create_async(
                {
                    "product": PRODUCT_ID,
                    "currency": price.currency,
                    "unit_amount": price.amount,
                    "nickname": price.name,
                    "recurring": {"interval": "year" if price.interval == "year" else "month"},
                    "lookup_key": price.lookup_key,
                    "transfer_lookup_key": True,
                    "metadata": {"plan_id": str(price.plan_id)},
                },
                {"idempotency_key": f"price-{price.lookup_key}"},
            )
        )

    async def create_customer(self, *, key: str, company_uuid: str, name: str, email: str) -> str:
        customer = await call(
            self._stripe.customers.create_async(
                {"name": name, "email": email, "metadata": {"company": company_uuid}},
                {"idempotency_key": key},
            )
        )
        return str(customer["id"])

    async def set_email(self, *, key: str, customer_id: str, email: str) -> None:
        await call(
            self._stripe.customers.update_async(
                customer_id, {"email": email}, {"idempotency_key": key}
            )
        )

    async def delete_customer(self, *, key: str, customer_id: str) -> None:
        """Ends the customer's subscriptions at once and deletes the cards."""
        try:
            await call(
                self._stripe.customers.delete_async(customer_id, options={"idempotency_key": key})
            )
        except NotThere:
            return

    async def new_setup_intent(self, *, key: str, customer_id: str | None) -> SetupIntent:
        params: SetupIntentCreateParams = {**SETUP}
        if customer_id:
            params["customer"] = customer_id
        intent = await call(
            self._stripe.setup_intents.create_async(params, {"idempotency_key": key})
        )
        return SetupIntent(intent["id"], intent["client_secret"])

    async def add_card(self, *, key: str, customer_id: str, token: str) -> str:
        """Accepts a card token, or a payment method that the card form created or confirmed."""
        if token.startswith("pm_"):
            method = await call(self._stripe.payment_methods.retrieve_async(token))
        else:
            method = await call(
                self._stripe.payment_methods.create_async(
                    {"type": "card", "card": {"token": token}},
                    {"idempotency_key": f"{key}-method"},
                )
            )
        card_id = str(method["id"])
        if method["customer"] == customer_id:
            return card_id
        if method["customer"] is not None:
            raise NotThere
        wanted: SetupIntentCreateParams = {
            **SETUP,
            "customer": customer_id,
            "payment_method": card_id,
            "confirm": True,
        }
        intent = await call(
            self._stripe.setup_intents.create_async(wanted, {"idempotency_key": f"{key}-setup"})
        )
        if intent["status"] == "requires_action":
            raise AuthenticationNeeded(intent["client_secret"])
        if intent["status"] != "succeeded":
            error = intent.get("last_setup_error") or {}
            raise Declined(error.get("message") or "", error.get("decline_code") or "")
        return card_id

    async def remove_card(self, *, key: str, card_id: str) -> None:
        try:
            method = await call(self._stripe.payment_methods.retrieve_async(card_id))
            if method["customer"] is not None:
                await call(
                    self._stripe.payment_methods.detach_async(
                        card_id, options={"idempotency_key": key}
                    )
                )
        except NotThere:
            return

    async def set_default_card(self, *, key: str, customer_id: str, card_id: str) -> None:
        await call(
            self._stripe.customers.update_async(
                customer_id,
                {"invoice_settings": {"default_payment_method": card_id}},
                {"idempotency_key": key},
            )
        )

    async def pay_invoice(self, *, key: str, invoice_id: str, card_id: str) -> None:
        try:
            await call(
                self._stripe.invoices.pay_async(
                    invoice_id, {"payment_method": card_id}, {"idempotency_key": key}
                )
            )
        except Refused:
            # Stripe's own retry may have been faster.
            invoice = await call(self._stripe.invoices.retrieve_async(invoice_id))
            if invoice["status"] != "paid":
                raise

    async def subscribe(self, *, key: str, customer_id: str, price_id: str, trial_days: int) -> str:
        """Payments use the customer's default card at the time they are due."""
        params: SubscriptionCreateParams = {
            "customer": customer_id,
            "items": [{"price": price_id}],
            "off_session": True,
            # If the first payment fails, no subscription is created.
            "payment_behavior": "error_if_incomplete",
        }
        if trial_days:
            params["trial_period_days"] = trial_days
        subscription = await call(
            self._stripe.subscriptions.create_async(params, {"idempotency_key": key})
        )
        return str(subscription["id"])

    async def void_invoice(self, *, key: str, invoice_id: str) -> None:
        try:
            await call(
                self._stripe.invoices.void_invoice_async(
                    invoice_id, options={"idempotency_key": key}
                )
            )
        except Refused:
            invoice = await call(self._stripe.invoices.retrieve_async(invoice_id))
            if invoice["status"] == "open":
                raise

    async def set_ending(
        self, *, key: str, subscription_id: str, cancel_at: datetime | None, details: Ending
    ) -> None:
        """`cancel_at` is the end of a period: another time would be prorated."""
        wanted: SubscriptionUpdateParams = {
            "cancel_at": int(cancel_at.timestamp()) if cancel_at else "",
            "metadata": {
                mapping.CANCELED_MARK: "yes" if details.canceled else "",
                mapping.SUSPENDED_MARK: "yes" if details.suspended else "",
            },
            "cancellation_details": {"comment": details.reason},
        }
        await call(
            self._stripe.subscriptions.update_async(
                subscription_id, wanted, {"idempotency_key": key}
            )
        )

    async def switch_price(
        self, *, key: str, subscription_id: str, item_id: str, price_id: str
    ) -> None:
        await call(
            self._stripe.subscriptions.update_async(
                subscription_id,
                {
                    "items": [{"id": item_id, "price": price_id}],
                    "proration_behavior": "create_prorations",
                    "payment_behavior": "error_if_incomplete",
                },
                {"idempotency_key": key},
            )
        )

    async def end_subscription(self, *, key: str, subscription_id: str) -> None:
        try:
            await call(
                self._stripe.subscriptions.cancel_async(
                    subscription_id, options={"idempotency_key": key}
                )
            )
        except NotThere:
            return
