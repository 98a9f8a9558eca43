"""Invoices, and the attempts to charge them."""

from tessera.sandbox.stripe.card_numbers import charge_failure
from tessera.sandbox.stripe.failures import StripeFailure
from tessera.sandbox.stripe.forms import text
from tessera.sandbox.stripe.invoice_objects import Bill, new_invoice
from tessera.sandbox.stripe.periods import next_end
from tessera.sandbox.stripe.store import Body, Params, StripeStore, listing

DAY = 86_400
# Days from each failed attempt to the next; none follows the last one.
RETRY_DAYS = (3, 5, 7)


def link(store: StripeStore) -> str:
    return store.public_url + "/sandbox/stripe/invoices/{invoice}/pdf"


async def bill(
    store: StripeStore, subscription: Body, amount: int, reason: str, period: tuple[int, int]
) -> Body:
    """Creates a finalized invoice. The caller attempts to charge it."""
    customer = await store.customer(subscription["customer"])
    invoice = new_invoice(
        Bill(customer, subscription, amount, reason, *period, created=store.now, link=link(store))
    )
    customer["next_invoice_sequence"] += 1
    await store.save_customer(customer)
    await store.add("invoice", invoice, customer=customer["id"])
    await store.emit("invoice.created", invoice)
    await store.emit("invoice.finalized", invoice)
    return invoice


async def attempt(
    store: StripeStore, invoice: Body, method_id: str | None = None
) -> StripeFailure | None:
    """Attempts to charge once. Returns why it failed, or None if the invoice is paid."""
    invoice["attempted"] = True
    failure = None
    if invoice["amount_remaining"] > 0:
        invoice["attempt_count"] += 1
        failure = await _charge_failure(store, invoice, method_id)
    if failure is None:
        invoice |= {
            "status": "paid",
            "amount_paid": invoice["amount_due"],
            "amount_remaining": 0,
            "next_payment_attempt": None,
        }
        invoice["status_transitions"]["paid_at"] = store.now
        await store.save(invoice)
        await store.emit("invoice.paid", invoice)
        await store.emit("invoice.payment_succeeded", invoice)
        return None
    tries = invoice["attempt_count"]
    wait = RETRY_DAYS[tries - 1] if tries <= len(RETRY_DAYS) else None
    invoice["next_payment_attempt"] = None if wait is None else store.now + wait * DAY
    await store.save(invoice)
    await store.emit("invoice.payment_failed", invoice)
    return failure


async def _charge_failure(
    store: StripeStore, invoice: Body, method_id: str | None
) -> StripeFailure | None:
    customer = await store.customer(invoice["customer"])
    chosen = method_id or customer["invoice_settings"]["default_payment_method"]
    method = await store.find("payment_method", chosen) if chosen else None
    if method is None or method["customer"] != customer["id"]:
        return StripeFailure(
            "This customer has no attached payment source or default payment method.",
            code="resource_missing",
            keep=True,
        )
    return charge_failure(method["card"], await store.hidden(method["id"]), store.now)


async def settle_status(store: StripeStore, subscription_id: str) -> None:
    """past_due while an invoice of the subscription is unpaid, then active again."""
    subscription = await store.find("subscription", subscription_id)
    if subscription is None or subscription["status"] not in {"active", "past_due", "trialing"}:
        return
    unpaid_invoices = [
        each
        for each in await store.all("invoice", subscription["customer"])
        if subscription_of(each) == subscription_id and each["status"] == "open"
    ]
    status = "past_due" if unpaid_invoices else "active"
    if subscription["status"] == "trialing" and not unpaid_invoices:
        return
    if subscription["status"] != status:
        previous = {"status": subscription["status"]}
        subscription["status"] = status
        await store.save(subscription)
        await store.emit("customer.subscription.updated", subscription, previous)


def subscription_of(invoice: Body) -> str:
    return str(invoice["parent"]["subscription_details"]["subscription"])


async def pay_invoice(store: StripeStore, data: Params, id: str) -> Body:  # noqa: A002
    invoice = await store.get("invoice", id)
    if invoice["status"] != "open":
        raise StripeFailure(f"Invoice is {invoice['status']}.", code="invoice_not_editable")
    failure = await attempt(store, invoice, data.get("payment_method"))
    if failure is not None:
        raise failure
    await settle_status(store, subscription_of(invoice))
    return await store.get("invoice", id)


async def void_invoice(store: StripeStore, _: Params, id: str) -> Body:  # noqa: A002
    invoice = await store.get("invoice", id)
    if invoice["status"] != "open":
        raise StripeFailure(f"Invoice is {invoice['status']}.", code="invoice_not_editable")
    invoice |= {"status": "void", "next_payment_attempt": None}
    invoice["status_transitions"]["voided_at"] = store.now
    await store.save(invoice)
    await store.emit("invoice.voided", invoice)
    await settle_status(store, subscription_of(invoice))
    return invoice


async def preview(store: StripeStore, data: Params) -> Body:
    """Returns what the next renewal will charge."""
    subscription = await store.get("subscription", text(data, "subscription"))
    item = subscription["items"]["data"][0]
    start = item["current_period_end"]
    if subscription["status"] == "canceled" or subscription["cancel_at"] == start:
        raise StripeFailure("No upcoming invoices.", code="invoice_upcoming_none")
    customer = await store.customer(subscription["customer"])
    upcoming = new_invoice(
        Bill(
            customer,
            subscription,
            item["price"]["unit_amount"],
            "upcoming",
            start,
            next_end(subscription["billing_cycle_anchor"], start, item["price"]),
            created=start,
            link=link(store),
        )
    )
    return {**upcoming, "id": f"upcoming_{upcoming['id']}", "status": "draft"}


async def list_invoices(store: StripeStore, data: Params) -> Body:
    invoices = await store.all("invoice", data.get("customer"))
    if data.get("status"):
        invoices = [invoice for invoice in invoices if invoice["status"] == data["status"]]
    if data.get("subscription"):
        invoices = [each for each in invoices if subscription_of(each) == data["subscription"]]
    return listing("/v1/invoices", invoices, data)
