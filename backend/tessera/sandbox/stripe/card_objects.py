"""Tokens, payment methods, setup intents and customers, with the same fields as Stripe's."""

import hashlib
from typing import Any

from tessera.sandbox.stripe.card_numbers import TestCard
from tessera.sandbox.stripe.store import Body, new_id


def new_token(card: TestCard, now: int) -> Body:
    return {
        "id": new_id("tok"),
        "object": "token",
        "card": {
            "id": new_id("card"),
            "object": "card",
            "address_city": None,
            "address_country": None,
            "address_line1": None,
            "address_line1_check": None,
            "address_line2": None,
            "address_state": None,
            "address_zip": None,
            "address_zip_check": None,
            "brand": card.label,
            "country": "US",
            "cvc_check": "unchecked",
            "dynamic_last4": None,
            "exp_month": card.exp_month,
            "exp_year": card.exp_year,
            "fingerprint": _fingerprint(card),
            "funding": "credit",
            "last4": card.last4,
            "metadata": {},
            "name": None,
            "networks": {"preferred": None},
            "regulated_status": None,
            "tokenization_method": None,
        },
        "client_ip": None,
        "created": now,
        "livemode": False,
        "type": "card",
        "used": False,
    }


def new_payment_method(card: TestCard, details: Any, now: int) -> Body:  # noqa: ANN401
    data = details if isinstance(details, dict) else {}
    address = data.get("address") if isinstance(data.get("address"), dict) else {}
    return {
        "id": new_id("pm"),
        "object": "payment_method",
        "allow_redisplay": "unspecified",
        "billing_details": {
            "address": {
                name: (address or {}).get(name)
                for name in ("city", "country", "line1", "line2", "postal_code", "state")
            },
            "email": data.get("email"),
            "name": data.get("name"),
            "phone": data.get("phone"),
            "tax_id": None,
        },
        "card": {
            "brand": card.brand,
            "checks": {
                "address_line1_check": None,
                "address_postal_code_check": None,
                "cvc_check": "unchecked",
            },
            "country": "US",
            "display_brand": card.brand,
            "exp_month": card.exp_month,
            "exp_year": card.exp_year,
            "fingerprint": _fingerprint(card),
            "funding": "credit",
            "generated_from": None,
            "last4": card.last4,
            "networks": {"available": [card.brand], "preferred": None},
            "regulated_status": "unregulated",
            "three_d_secure_usage": {"supported": True},
            "wallet": None,
        },
        "created": now,
        "customer": None,
        "customer_account": None,
        "livemode": False,
        "metadata": {},
        "type": "card",
    }


def new_setup_intent(customer: str | None, usage: str, metadata: Body, now: int) -> Body:
    intent_id = new_id("seti")
    return {
        "id": intent_id,
        "object": "setup_intent",
        "application": None,
        "automatic_payment_methods": {"allow_redirects": "never", "enabled": True},
        "cancellation_reason": None,
        "client_secret": f"{intent_id}_{new_id('secret')}",
        "created": now,
        "customer": customer,
        "description": None,
        "excluded_payment_method_types": None,
        "flow_directions": None,
        "last_setup_error": None,
        "latest_attempt": None,
        "livemode": False,
        "mandate": None,
        "metadata": metadata,
        "next_action": None,
        "on_behalf_of": None,
        "payment_method": None,
        "payment_method_configuration_details": None,
        "payment_method_options": {},
        "payment_method_types": ["card"],
        "single_use_mandate": None,
        "status": "requires_payment_method",
        "usage": usage,
    }


def new_customer(data: Body, now: int) -> Body:
    customer_id = new_id("cus")
    return {
        "id": customer_id,
        "object": "customer",
        "address": None,
        "balance": 0,
        "created": now,
        "currency": "usd",
        "default_source": None,
        "delinquent": False,
        "description": data.get("description"),
        "discount": None,
        "email": data.get("email"),
        "invoice_prefix": hashlib.sha256(customer_id.encode()).hexdigest()[:8].upper(),
        "invoice_settings": {
            "custom_fields": None,
            "default_payment_method": None,
            "footer": None,
            "rendering_options": None,
        },
        "livemode": False,
        "metadata": data.get("metadata") or {},
        "name": data.get("name"),
        "next_invoice_sequence": 1,
        "phone": data.get("phone"),
        "preferred_locales": [],
        "shipping": None,
        "tax_exempt": "none",
        "test_clock": None,
    }


def _fingerprint(card: TestCard) -> str:
    content = f"{card.brand}|{card.last4}|{card.behaviour}"
    return hashlib.sha256(content.encode()).hexdigest()[:16]
