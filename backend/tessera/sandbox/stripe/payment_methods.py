"""Tokens, payment methods and setup intents."""

import hmac
from datetime import UTC, datetime
from typing import Any

from tessera.sandbox.stripe import card_numbers, card_objects
from tessera.sandbox.stripe.failures import StripeFailure, declined, missing
from tessera.sandbox.stripe.forms import flag, text
from tessera.sandbox.stripe.store import Body, Params, StripeStore, listing


async def create_token(store: StripeStore, data: Params) -> Body:
    card = card_numbers.read_card(data.get("card"), _today(store))
    token = card_objects.new_token(card, store.now)
    return await store.add("token", token, hidden={"card": vars(card)})


async def create_payment_method(store: StripeStore, data: Params) -> Body:
    if data.get("type", "card") != "card":
        raise StripeFailure("The sandbox knows cards only.", param="type")
    card = await _card(store, data.get("card"))
    method = card_objects.new_payment_method(card, data.get("billing_details"), store.now)
    return await store.add("payment_method", method, hidden={"behaviour": card.behaviour})


async def _card(store: StripeStore, data: Any) -> card_numbers.TestCard:  # noqa: ANN401
    token_id = data.get("token") if isinstance(data, dict) else None
    if token_id is None:
        return card_numbers.read_card(data, _today(store))
    if token_id in card_numbers.NAMED:
        return card_numbers.named(token_id, _today(store).year)
    token = await store.get("token", str(token_id))
    if token["used"]:
        raise StripeFailure(
            f"You cannot use a Stripe token more than once: {token_id}.",
            code="token_already_used",
            param="card[token]",
        )
    await store.save({**token, "used": True})
    return card_numbers.TestCard(**(await store.hidden(token["id"]))["card"])


async def read_payment_method(store: StripeStore, _: Params, id: str) -> Body:  # noqa: A002
    return await _method(store, id)


async def _method(store: StripeStore, id: str) -> Body:  # noqa: A002
    """`pm_card_visa` and similar ids are created on demand, as with Stripe."""
    if id in card_numbers.NAMED:
        card = card_numbers.named(id, _today(store).year)
        method = card_objects.new_payment_method(card, {}, store.now)
        return await store.add("payment_method", method, hidden={"behaviour": card.behaviour})
    return await store.get("payment_method", id)


async def attach(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    customer = await store.customer(text(data, "customer"))
    method = await _method(store, id)
    card_numbers.refuse_setup((await store.hidden(method["id"])).get("behaviour", ""))
    return await _attach(store, method, customer["id"])


async def _attach(store: StripeStore, method: Body, customer_id: str) -> Body:
    if method["customer"] == customer_id:
        return method
    if method["customer"] is not None:
        raise StripeFailure(
            "The payment method you provided has already been attached to a customer.",
            code="payment_method_unexpected_state",
        )
    method["customer"] = customer_id
    await store.save(method)
    await store.emit("payment_method.attached", method)
    return method


async def detach(store: StripeStore, _: Params, id: str) -> Body:  # noqa: A002
    method = await store.get("payment_method", id)
    customer_id = method["customer"]
    if customer_id is None:
        raise StripeFailure(
            "The payment method you provided is not attached to a customer so detachment is"
            " impossible."
        )
    method["customer"] = None
    await store.save(method)
    customer = await store.customer(customer_id)
    if customer["invoice_settings"]["default_payment_method"] == id:
        customer["invoice_settings"]["default_payment_method"] = None
        await store.save_customer(customer)
        await store.emit("customer.updated", customer)
    await store.emit("payment_method.detached", method, previous={"customer": customer_id})
    return method


async def create_setup_intent(store: StripeStore, data: Params) -> Body:
    if "payment_method_types" in data:
        raise StripeFailure(
            "The payment_method_types parameter is no longer supported.",
            code="payment_method_types_no_longer_supported",
            param="payment_method_types",
        )
    customer_id = data.get("customer")
    if customer_id:
        await store.customer(customer_id)
    intent = card_objects.new_setup_intent(
        customer_id, data.get("usage", "off_session"), data.get("metadata") or {}, store.now
    )
    await store.add("setup_intent", intent, customer=customer_id)
    await store.emit("setup_intent.created", intent)
    if data.get("payment_method"):
        intent = {**intent, "payment_method": data["payment_method"]}
    if flag(data, "confirm"):
        return await _confirm(store, intent)
    if intent["payment_method"]:
        intent["status"] = "requires_confirmation"
        await store.save(intent)
    return intent


async def read_setup_intent(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    intent = await store.get("setup_intent", id)
    check_client_secret(intent, data)
    return intent


def check_client_secret(intent: Body, data: Params) -> None:
    """The card form uses the intent's own secret instead of our key."""
    if "client_secret" in data and not hmac.compare_digest(
        str(data["client_secret"]), intent["client_secret"]
    ):
        raise missing("setupintent", intent["id"])


async def confirm_setup_intent(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    intent = await store.get("setup_intent", id)
    check_client_secret(intent, data)
    if intent["status"] in {"succeeded", "canceled"}:
        raise StripeFailure(
            f"You cannot confirm this SetupIntent because it has a status of {intent['status']}.",
            code="setup_intent_unexpected_state",
        )
    if isinstance(data.get("payment_method_data"), dict):
        method = await create_payment_method(store, data["payment_method_data"])
        intent["payment_method"] = method["id"]
    elif data.get("payment_method"):
        intent["payment_method"] = data["payment_method"]
    if not intent["payment_method"]:
        raise StripeFailure("A payment method is needed.", code="parameter_missing")
    return await _confirm(store, intent)


async def _confirm(store: StripeStore, intent: Body) -> Body:
    method = await _method(store, str(intent["payment_method"]))
    intent["payment_method"] = method["id"]
    hidden = await store.hidden(method["id"])
    try:
        card_numbers.refuse_setup(hidden.get("behaviour", ""))
    except StripeFailure as failure:
        intent |= {"status": "requires_payment_method", "payment_method": None}
        intent["last_setup_error"] = {**failure.body["error"]}
        await store.save(intent)
        await store.emit("setup_intent.setup_failed", intent)
        failure.keep = True
        failure.body["error"]["setup_intent"] = intent
        raise
    if hidden.get("behaviour") == card_numbers.AUTHENTICATE and not hidden.get("authenticated"):
        url = f"{store.public_url}/sandbox/stripe/authenticate/{intent['id']}"
        intent["status"] = "requires_action"
        intent["next_action"] = {
            "type": "redirect_to_url",
            "redirect_to_url": {"return_url": None, "url": url},
        }
        await store.save(intent)
        await store.emit("setup_intent.requires_action", intent)
        return intent
    return await _succeed(store, intent, method)


async def _succeed(store: StripeStore, intent: Body, method: Body) -> Body:
    if intent["customer"]:
        await _attach(store, method, intent["customer"])
    intent |= {"status": "succeeded", "next_action": None, "last_setup_error": None}
    await store.save(intent)
    await store.emit("setup_intent.succeeded", intent)
    return intent


async def authenticate(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    """Simulates the bank's page: the cardholder confirms, or does not (outcome=fail)."""
    intent = await store.get("setup_intent", id)
    check_client_secret(intent, data)
    if intent["status"] != "requires_action":
        return intent
    method = await store.get("payment_method", intent["payment_method"])
    if data.get("outcome", "success") == "success":
        await store.hide(method["id"], authenticated=True)
        return await _succeed(store, intent, method)
    failure = declined(
        "We are unable to authenticate your payment method. Please choose a different payment"
        " method and try again.",
        "setup_intent_authentication_failure",
        "authentication_required",
    )
    intent |= {"status": "requires_payment_method", "next_action": None, "payment_method": None}
    intent["last_setup_error"] = failure.body["error"]
    await store.save(intent)
    await store.emit("setup_intent.setup_failed", intent)
    return intent


async def list_setup_intents(store: StripeStore, data: Params) -> Body:
    found = await store.all("setup_intent", data.get("customer"))
    return listing("/v1/setup_intents", found, data)


def _today(store: StripeStore) -> datetime:
    return datetime.fromtimestamp(store.now, UTC)
