"""Products, prices, subscriptions and invoices, field by field as Stripe answers them."""

from dataclasses import dataclass
from typing import Any

from tessera.sandbox.stripe.shop import Body, new_id


def new_product(given: Body, now: int) -> Body:
    return {
        "id": given.get("id") or new_id("prod"),
        "object": "product",
        "active": True,
        "created": now,
        "default_price": None,
        "description": given.get("description"),
        "images": [],
        "livemode": False,
        "marketing_features": [],
        "metadata": given.get("metadata") or {},
        "name": given["name"],
        "package_dimensions": None,
        "shippable": None,
        "statement_descriptor": None,
        "tax_code": None,
        "type": "service",
        "unit_label": None,
        "updated": now,
        "url": None,
    }


def new_price(given: Body, amount: int, interval: str, now: int) -> Body:
    return {
        "id": new_id("price"),
        "object": "price",
        "active": True,
        "billing_scheme": "per_unit",
        "created": now,
        "currency": given["currency"],
        "custom_unit_amount": None,
        "livemode": False,
        "lookup_key": given.get("lookup_key"),
        "metadata": given.get("metadata") or {},
        "nickname": given.get("nickname"),
        "product": given["product"],
        "recurring": {
            "interval": interval,
            "interval_count": 1,
            "meter": None,
            "trial_period_days": None,
            "usage_type": "licensed",
        },
        "tax_behavior": "unspecified",
        "tiers_mode": None,
        "transform_quantity": None,
        "type": "recurring",
        "unit_amount": amount,
        "unit_amount_decimal": str(amount),
    }


def plan_of(price: Body) -> Body:
    """The older name of a price, which subscription items still carry."""
    return {
        "id": price["id"],
        "object": "plan",
        "active": True,
        "amount": price["unit_amount"],
        "amount_decimal": price["unit_amount_decimal"],
        "billing_scheme": "per_unit",
        "created": price["created"],
        "currency": price["currency"],
        "interval": price["recurring"]["interval"],
        "interval_count": 1,
        "livemode": False,
        "metadata": price["metadata"],
        "meter": None,
        "nickname": price["nickname"],
        "product": price["product"],
        "tiers_mode": None,
        "transform_usage": None,
        "trial_period_days": None,
        "usage_type": "licensed",
    }


def new_subscription(
    customer: Body, price: Body, metadata: Body, *, now: int, period_end: int, trial: bool
) -> Body:
    subscription_id = new_id("sub")
    item: Body = {
        "id": new_id("si"),
        "object": "subscription_item",
        "billing_thresholds": None,
        "created": now,
        "current_period_end": period_end,
        "current_period_start": now,
        "discounts": [],
        "metadata": {},
        "plan": plan_of(price),
        "price": price,
        "quantity": 1,
        "subscription": subscription_id,
        "tax_rates": [],
    }
    return {
        "id": subscription_id,
        "object": "subscription",
        "application": None,
        "application_fee_percent": None,
        "automatic_tax": {"disabled_reason": None, "enabled": False, "liability": None},
        "billing_cycle_anchor": period_end if trial else now,
        "billing_cycle_anchor_config": None,
        "billing_mode": {"flexible": None, "type": "classic"},
        "billing_schedules": [],
        "billing_thresholds": None,
        "cancel_at": None,
        "cancel_at_period_end": False,
        "canceled_at": None,
        "cancellation_details": {"comment": None, "feedback": None, "reason": None},
        "collection_method": "charge_automatically",
        "created": now,
        "currency": price["currency"],
        "customer": customer["id"],
        "customer_account": None,
        "days_until_due": None,
        "default_payment_method": None,
        "default_source": None,
        "default_tax_rates": [],
        "description": None,
        "discounts": [],
        "ended_at": None,
        "invoice_settings": {
            "account_tax_ids": None,
            "custom_fields": None,
            "description": None,
            "footer": None,
            "issuer": {"type": "self"},
        },
        "items": {
            "object": "list",
            "data": [item],
            "has_more": False,
            "url": f"/v1/subscription_items?subscription={subscription_id}",
        },
        "latest_invoice": None,
        "livemode": False,
        "managed_payments": None,
        "metadata": metadata,
        "next_pending_invoice_item_invoice": None,
        "on_behalf_of": None,
        "pause_collection": None,
        "payment_settings": {
            "payment_method_options": None,
            "payment_method_types": None,
            "save_default_payment_method": "off",
        },
        "pending_invoice_item_interval": None,
        "pending_setup_intent": None,
        "pending_update": None,
        "schedule": None,
        "start_date": now,
        "status": "trialing" if trial else "active",
        "test_clock": None,
        "transfer_data": None,
        "trial_end": period_end if trial else None,
        "trial_settings": {"end_behavior": {"missing_payment_method": "create_invoice"}},
        "trial_start": now if trial else None,
    }


@dataclass(frozen=True)
class Bill:
    customer: Body
    subscription: Body
    amount: int
    reason: str
    period_start: int
    period_end: int
    created: int
    link: str


def new_invoice(bill: Bill) -> Body:
    invoice_id = new_id("in")
    number = f"{bill.customer['invoice_prefix']}-{bill.customer['next_invoice_sequence']:04d}"
    item = bill.subscription["items"]["data"][0]
    link = bill.link.format(invoice=invoice_id)
    amounts = {"subtotal", "subtotal_excluding_tax", "total", "total_excluding_tax"}
    return {
        "id": invoice_id,
        "object": "invoice",
        "account_country": "US",
        "account_name": "Tessera sandbox",
        "account_tax_ids": None,
        "amount_due": bill.amount,
        "amount_overpaid": 0,
        "amount_paid": 0,
        "amount_remaining": bill.amount,
        "amount_shipping": 0,
        "application": None,
        "attempt_count": 0,
        "attempted": False,
        "auto_advance": True,
        "automatic_tax": {
            "disabled_reason": None,
            "enabled": False,
            "liability": None,
            "provider": None,
            "status": None,
        },
        "automatically_finalizes_at": None,
        "billing_reason": bill.reason,
        "collection_method": "charge_automatically",
        "created": bill.created,
        "currency": bill.subscription["currency"],
        "custom_fields": None,
        "customer": bill.customer["id"],
        "customer_account": None,
        "customer_address": None,
        "customer_email": bill.customer["email"],
        "customer_name": bill.customer["name"],
        "customer_phone": bill.customer["phone"],
        "customer_shipping": None,
        "customer_tax_exempt": "none",
        "customer_tax_ids": [],
        "default_payment_method": None,
        "default_source": None,
        "default_tax_rates": [],
        "description": None,
        "discounts": [],
        "due_date": None,
        "effective_at": bill.created,
        "ending_balance": 0,
        "footer": None,
        "from_invoice": None,
        "hosted_invoice_url": link,
        "invoice_pdf": link,
        "issuer": {"type": "self"},
        "last_finalization_error": None,
        "latest_revision": None,
        "lines": {
            "object": "list",
            "data": [_line(invoice_id, bill, item)],
            "has_more": False,
            "url": f"/v1/invoices/{invoice_id}/lines",
        },
        "livemode": False,
        "metadata": {},
        "next_payment_attempt": None,
        "number": number,
        "on_behalf_of": None,
        "parent": {
            "quote_details": None,
            "subscription_details": {"metadata": {}, "subscription": bill.subscription["id"]},
            "type": "subscription_details",
        },
        "payment_settings": {
            "default_mandate": None,
            "payment_method_options": None,
            "payment_method_types": None,
        },
        "period_end": bill.period_end,
        "period_start": bill.period_start,
        "post_payment_credit_notes_amount": 0,
        "pre_payment_credit_notes_amount": 0,
        "receipt_number": None,
        "rendering": None,
        "shipping_cost": None,
        "shipping_details": None,
        "starting_balance": 0,
        "statement_descriptor": None,
        "status": "open",
        "status_transitions": {
            "finalized_at": bill.created,
            "marked_uncollectible_at": None,
            "paid_at": None,
            "voided_at": None,
        },
        "test_clock": None,
        "total_discount_amounts": [],
        "total_pretax_credit_amounts": [],
        "total_taxes": [],
        "webhooks_delivered_at": bill.created,
        **dict.fromkeys(sorted(amounts), bill.amount),
    }


def _line(invoice_id: str, bill: Bill, item: Any) -> Body:  # noqa: ANN401
    return {
        "id": new_id("il"),
        "object": "line_item",
        "amount": bill.amount,
        "currency": bill.subscription["currency"],
        "description": f"1 × {item['price']['nickname'] or 'subscription'}",
        "discount_amounts": [],
        "discountable": True,
        "discounts": [],
        "invoice": invoice_id,
        "livemode": False,
        "metadata": {},
        "parent": {
            "invoice_item_details": None,
            "subscription_item_details": {
                "invoice_item": None,
                "proration": False,
                "proration_details": {"credited_items": None},
                "subscription": bill.subscription["id"],
                "subscription_item": item["id"],
            },
            "type": "subscription_item_details",
        },
        "period": {"end": bill.period_end, "start": bill.period_start},
        "pretax_credit_amounts": [],
        "pricing": {"type": "price_details", "unit_amount_decimal": str(bill.amount)},
        "quantity": 1,
        "quantity_decimal": "1",
        "subscription": bill.subscription["id"],
        "subtotal": bill.amount,
        "taxes": [],
    }
