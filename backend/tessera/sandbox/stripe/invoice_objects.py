"""Invoices and their lines, with the same fields as Stripe's."""

from dataclasses import dataclass

from tessera.sandbox.stripe.store import Body, new_id


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
        # As with Stripe, what an invoice pays for stands in its lines.
        "period_end": bill.created,
        "period_start": bill.created,
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


def _line(invoice_id: str, bill: Bill, item: Body) -> Body:
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
