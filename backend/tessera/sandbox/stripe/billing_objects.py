"""Products, prices and subscriptions, with the same fields as Stripe's."""

from tessera.sandbox.stripe.store import Body, new_id


def new_product(data: Body, now: int) -> Body:
    return {
        "id": data.get("id") or new_id("prod"),
        "object": "product",
        "active": True,
        "created": now,
        "default_price": None,
        "description": data.get("description"),
        "images": [],
        "livemode": False,
        "marketing_features": [],
        "metadata": data.get("metadata") or {},
        "name": data["name"],
        "package_dimensions": None,
        "shippable": None,
        "statement_descriptor": None,
        "tax_code": None,
        "type": "service",
        "unit_label": None,
        "updated": now,
        "url": None,
    }


def new_price(data: Body, amount: int, interval: str, now: int) -> Body:
    return {
        "id": new_id("price"),
        "object": "price",
        "active": True,
        "billing_scheme": "per_unit",
        "created": now,
        "currency": data["currency"],
        "custom_unit_amount": None,
        "livemode": False,
        "lookup_key": data.get("lookup_key"),
        "metadata": data.get("metadata") or {},
        "nickname": data.get("nickname"),
        "product": data["product"],
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
    """The older name of a price, which subscription items still contain."""
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
