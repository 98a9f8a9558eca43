"""Compares our tables with the card provider's: every customer there is one company here, with the
same cards, subscription and invoices."""

from chaos.audit.queries import run_all
from tessera.kit.database import Connection

CUSTOMERS = (
    "SELECT id, body -> 'metadata' ->> 'company' AS company,"
    " body #>> '{invoice_settings,default_payment_method}' AS card FROM sandbox_stripe_objects"
    " WHERE kind = 'customer' AND NOT COALESCE((body ->> 'deleted')::bool, false)"
)
QUERIES = {
    "a customer without a company": (
        f"SELECT p.id FROM ({CUSTOMERS}) p LEFT JOIN companies c"
        " ON c.customer_id = p.id AND c.uuid::text = p.company WHERE c.id IS NULL"
    ),
    "a company without a customer": (
        f"SELECT c.id FROM companies c LEFT JOIN ({CUSTOMERS}) p"
        " ON c.customer_id = p.id AND c.uuid::text = p.company WHERE p.id IS NULL AND c.id <> 1"
    ),
    "two customers for a company": (
        f"SELECT company FROM ({CUSTOMERS}) p GROUP BY company HAVING count(*) > 1"
    ),
    "something kept of a customer who was deleted": (
        "SELECT o.id FROM sandbox_stripe_objects o JOIN sandbox_stripe_objects c"
        " ON c.id = o.customer AND (c.body ->> 'deleted')::bool"
        " WHERE o.kind = 'payment_method'"
        "  OR (o.kind = 'subscription' AND o.body ->> 'status' <> 'canceled')"
    ),
    "a card that only one side has": (
        "SELECT COALESCE(c.id, o.id) FROM cards c FULL JOIN (SELECT o.id, n.id AS company_id"
        "  FROM sandbox_stripe_objects o JOIN companies n ON n.customer_id = o.customer"
        "  WHERE o.kind = 'payment_method') o ON o.id = c.id AND o.company_id = c.company_id"
        " WHERE c.id IS NULL OR o.id IS NULL"
    ),
    "another default card": (
        f"SELECT c.id FROM companies c JOIN ({CUSTOMERS}) p ON p.id = c.customer_id"
        " JOIN subscriptions s ON s.company_id = c.id WHERE s.default_card_id IS DISTINCT FROM card"
    ),
    "two subscriptions of a customer that run": (
        "SELECT customer FROM sandbox_stripe_objects WHERE kind = 'subscription'"
        " AND body ->> 'status' <> 'canceled' GROUP BY customer HAVING count(*) > 1"
    ),
    "a company that never had a subscription": (
        "SELECT c.id FROM companies c WHERE c.id <> 1 AND NOT EXISTS ("
        " SELECT FROM sandbox_stripe_objects o"
        "  WHERE o.kind = 'subscription' AND o.customer = c.customer_id)"
    ),
    "a subscription that differs": (
        "SELECT s.company_id FROM subscriptions s"
        " LEFT JOIN sandbox_stripe_objects o"
        "  ON o.kind = 'subscription' AND o.id = s.subscription_id"
        " WHERE o.id IS NULL OR s.provider_status <> o.body ->> 'status'"
        "  OR extract(epoch FROM s.cancel_at) IS DISTINCT FROM (o.body ->> 'cancel_at')::bigint"
        "  OR s.is_canceled <> (o.body -> 'metadata' ? 'canceled_by_leader')"
        "  OR s.plan_id <> (o.body #>> '{items,data,0,price,metadata,plan_id}')::int"
        "  OR extract(epoch FROM s.current_period_end)"
        "   <> (o.body #>> '{items,data,0,current_period_end}')::bigint"
    ),
    "a running subscription that the company does not know": (
        "SELECT o.id FROM sandbox_stripe_objects o JOIN companies c ON c.customer_id = o.customer"
        " LEFT JOIN subscriptions s ON s.company_id = c.id AND s.subscription_id = o.id"
        " WHERE o.kind = 'subscription' AND o.body ->> 'status' <> 'canceled'"
        "  AND s.company_id IS NULL"
    ),
    "an invoice that differs": (
        "SELECT COALESCE(i.id, o.id) FROM invoices i FULL JOIN (SELECT o.id, o.body,"
        "  n.id AS company_id FROM sandbox_stripe_objects o"
        "  JOIN companies n ON n.customer_id = o.customer WHERE o.kind = 'invoice') o"
        " ON o.id = i.id AND o.company_id = i.company_id"
        " WHERE i.id IS NULL OR o.id IS NULL OR i.status <> o.body ->> 'status'"
        "  OR i.amount_paid <> (o.body ->> 'amount_paid')::int"
    ),
    "a period that was charged twice": (
        "SELECT customer FROM sandbox_stripe_objects WHERE kind = 'invoice'"
        " AND (body ->> 'amount_due')::int > 0"
        " GROUP BY customer, body #>> '{parent,subscription_details,subscription}',"
        "  body ->> 'period_start' HAVING count(*) > 1"
    ),
}


async def compare_provider(connection: Connection) -> list[str]:
    return await run_all(connection, "card provider", QUERIES)
