"""Checks our tables for consistency: every company is complete or absent, and no operation is half
done or abandoned."""

from chaos.audit.queries import run_all
from tessera.kit.database import Connection

QUERIES = {
    "a company without exactly one leader": (
        "SELECT c.id FROM companies c LEFT JOIN users u"
        " ON u.company_id = c.id AND u.role = 'teamLeader' WHERE c.id <> 1"
        " GROUP BY c.id HAVING count(u.id) <> 1"
    ),
    "a company without a passphrase": (
        "SELECT c.id FROM companies c LEFT JOIN company_passphrases p ON p.company_id = c.id"
        " WHERE c.id <> 1 AND p.company_id IS NULL"
    ),
    "a company without a subscription": (
        "SELECT c.id FROM companies c LEFT JOIN subscriptions s ON s.company_id = c.id"
        " WHERE c.id <> 1 AND (s.company_id IS NULL OR s.sync_applied = 0)"
    ),
    "a company that was not recorded once": (
        "SELECT c.id FROM companies c LEFT JOIN activity a"
        " ON a.company_id = c.id AND a.action = 'company.registered' WHERE c.id <> 1"
        " GROUP BY c.id HAVING count(a.id) <> 1"
    ),
    "a company without exactly one registration": (
        "SELECT c.id FROM companies c LEFT JOIN registrations r"
        " ON r.company_id = c.id AND r.company_uuid = c.uuid AND r.state = 'done'"
        " WHERE c.id <> 1 GROUP BY c.id HAVING count(r.id) <> 1"
    ),
    "a registration without its company": (
        "SELECT r.id FROM registrations r LEFT JOIN companies c ON c.uuid = r.company_uuid"
        " AND c.id = r.company_id WHERE r.state = 'done' AND c.id IS NULL"
        " AND NOT EXISTS (SELECT FROM activity WHERE action = 'company.deleted'"
        "  AND details ->> 'uuid' = r.company_uuid::text)"
    ),
    "a ticket that was not used up by its company": (
        "SELECT r.id FROM registrations r JOIN signup_tickets t ON t.id = r.ticket_id"
        " WHERE (r.state = 'done') AND t.used_at IS NULL"
    ),
    "a key of another passphrase": (
        "SELECT k.company_id FROM company_keys k"
        " JOIN company_passphrases p ON p.company_id = k.company_id WHERE k.epoch <> p.epoch"
    ),
    "a session that was not recorded, or the other way round": (
        "SELECT COALESCE(s.company_id, a.company_id) FROM"
        " (SELECT company_id, count(*) FROM sessions GROUP BY 1) s FULL JOIN"
        " (SELECT company_id, count(*) FROM activity WHERE action = 'session.started'"
        "   AND actor_uuid IN (SELECT uuid FROM users) GROUP BY 1) a"
        " ON a.company_id = s.company_id AND a.count = s.count"
        " WHERE s.company_id IS NULL OR a.company_id IS NULL"
    ),
    "an invitation that says used, and nobody joined": (
        "SELECT i.id FROM invites i LEFT JOIN activity a ON a.company_id = i.company_id"
        " AND a.action = 'member.registered' AND a.target = i.email"
        " WHERE i.state = 'used' AND a.id IS NULL"
    ),
    "a total that differs from its rows": (
        "SELECT COALESCE(kept.company_id, rows.company_id) || ' ' || name FROM"
        " (SELECT company_id, name, sum(count) AS count FROM row_counts GROUP BY 1, 2) kept"
        " FULL JOIN (SELECT company_id, 'members' AS name, count(*) FROM users GROUP BY 1"
        "  UNION ALL SELECT company_id, 'open_invites', count(*) FROM invites"
        "   WHERE state = 'open' GROUP BY 1"
        "  UNION ALL SELECT company_id, 'activity', count(*) FROM activity GROUP BY 1"
        "  UNION ALL SELECT 1, 'companies', count(*) FROM companies WHERE id <> 1"
        "  UNION ALL SELECT 1, 'all_activity', count(*) FROM activity) rows"
        " USING (company_id, name) WHERE COALESCE(kept.count, 0) <> COALESCE(rows.count, 0)"
    ),
    "a number of members that differs from its total": (
        "SELECT c.id FROM companies c LEFT JOIN member_counts m ON m.company_id = c.id"
        " WHERE m.count IS DISTINCT FROM row_count(c.id, 'members')"
    ),
    "a subscription's state that differs from its status": (
        "SELECT c.id FROM companies c JOIN subscriptions s ON s.company_id = c.id"
        " WHERE c.subscription_state <> CASE"
        "  WHEN c.deactivated_for_debt_at IS NOT NULL THEN 'deactivated'"
        "  WHEN c.subscribed_until IS NULL THEN 'none'"
        "  WHEN c.subscribed_until <= now() THEN 'ended'"
        "  WHEN s.status = 'trialing' THEN 'trialing'"
        "  WHEN s.status = 'past_due' THEN 'pastDue' ELSE 'active' END"
        # Time alone changes no row.
        " AND NOT COALESCE(c.subscribed_until <= now(), false)"
    ),
    "an entry of a directory that differs from its row": (
        "SELECT COALESCE(listed.entry, rows.entry) FROM"
        " (SELECT 'email ' || email_folded || user_id AS entry, company_id FROM user_emails"
        "  UNION ALL SELECT 'uuid ' || uuid, company_id FROM user_uuids"
        "  UNION ALL SELECT 'passkey ' || credential_id::text, company_id"
        "   FROM passkey_credentials"
        "  UNION ALL SELECT 'domain ' || domain, company_id FROM proved_domains) listed"
        " FULL JOIN (SELECT 'email ' || email_folded || id AS entry, company_id FROM users"
        "  UNION ALL SELECT 'uuid ' || uuid, company_id FROM users"
        "  UNION ALL SELECT 'passkey ' || credential_id::text, company_id FROM passkeys"
        "  UNION ALL SELECT 'domain ' || domain, company_id FROM company_domains"
        "   WHERE COALESCE(proved_at, lost_at) IS NOT NULL) rows"
        " USING (entry, company_id) WHERE listed.entry IS NULL OR rows.entry IS NULL"
    ),
    "an operation at the card provider that was given up": (
        "SELECT id FROM card_operations WHERE error_code = 'card_provider_unavailable'"
    ),
    "an operation that was done, and not recorded once": (
        "SELECT o.id FROM card_operations o LEFT JOIN activity a ON a.company_id = o.company_id"
        " AND a.request_id = o.request_id AND (a.action LIKE 'card.%'"
        "  OR a.action LIKE 'subscription.%' OR a.action LIKE 'autoRenew.%')"
        " WHERE o.state = 'done' OR a.id IS NOT NULL GROUP BY o.id, o.state"
        " HAVING count(a.id) > 1 OR (count(a.id) = 1 AND o.state <> 'done')"
    ),
    "work that failed, or was given up by the engine": (
        "SELECT workflow_uuid || ' ' || status FROM dbos.workflow_status"
        " WHERE status IN ('ERROR', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED', 'CANCELLED')"
    ),
    "a webhook that the provider gave up": (
        "SELECT event_id FROM sandbox_stripe_deliveries WHERE delivered_at IS NULL"
    ),
    "a webhook that was delivered, and not taken": (
        "SELECT d.event_id FROM sandbox_stripe_deliveries d"
        " LEFT JOIN webhook_events e ON e.event_id = d.event_id"
        " WHERE d.delivered_at IS NOT NULL AND e.id IS NULL"
    ),
}


async def compare_companies(connection: Connection) -> list[str]:
    return await run_all(connection, "tables", QUERIES)
