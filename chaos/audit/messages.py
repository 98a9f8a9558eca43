"""Compares the mails and SMS that the tables imply with those that arrived: each exactly once.

The outbox deduplicates by message number, as mailboxes do by Message-ID. A phone does not: if the
service dies after handing over an SMS and before recording that, it sends the SMS again after the
restart, at most once per crash.
"""

from chaos.audit.queries import run_all
from tessera.kit.database import Connection

# Messages and codes of deleted companies and removed people are deleted with them.
KNOWN = (
    "(SELECT phone_number FROM users UNION SELECT email FROM users UNION SELECT email FROM invites)"
)
# Some mails went to a former leader.
SAME_LEADER = (
    "NOT EXISTS (SELECT FROM activity a WHERE a.company_id = u.company_id"
    " AND a.action = 'leadership.reassigned')"
)
MAILS = "SELECT recipient, subject FROM sandbox_outbox WHERE channel = 'email'"
QUERIES = {
    "a message that was given up": "SELECT id FROM messages WHERE failed_at IS NOT NULL",
    "a message that says sent and did not arrive, or the other way round": (
        "SELECT COALESCE(m.id, o.message_id) FROM messages m"
        " FULL JOIN sandbox_outbox o ON o.message_id = m.id AND o.channel = m.channel"
        f" WHERE (m.id IS NULL AND o.recipient IN {KNOWN})"
        "  OR (m.id IS NOT NULL AND (m.sent_at IS NULL OR o.id IS NULL))"
    ),
    "a message that was sent and is still kept": (
        "SELECT id FROM messages WHERE sealed IS NOT NULL"
    ),
    "a code without its SMS, or the other way round": (
        "SELECT COALESCE(c.phone_number, o.recipient) FROM (SELECT phone_number, count(*) FROM ("
        "  SELECT phone_number FROM codes UNION ALL SELECT phone_number FROM guest_codes) c"
        "  GROUP BY 1) c FULL JOIN (SELECT recipient, count(*) FROM sandbox_outbox"
        f"  WHERE channel = 'sms' AND recipient IN {KNOWN}"
        "  GROUP BY 1) o ON o.recipient = c.phone_number"
        " WHERE c.count IS DISTINCT FROM o.count"
        f"  AND COALESCE(c.phone_number, o.recipient) IN {KNOWN}"
    ),
    "an invitation that was not mailed as often as it was sent": (
        "SELECT i.email FROM invites i LEFT JOIN (SELECT company_id, target, count(*)"
        "  FROM activity WHERE action IN ('members.invited', 'invite.resent') AND target <> ''"
        "  GROUP BY 1, 2) a"
        " ON a.company_id = i.company_id AND a.target = i.email"
        f" LEFT JOIN (SELECT recipient, count(*) FROM ({MAILS}) m"
        "  WHERE subject LIKE '%invites you%' GROUP BY 1) o ON o.recipient = i.email"
        " WHERE o.count IS DISTINCT FROM COALESCE(a.count, 1)"
    ),
    "invitations recorded, and others made": (
        "SELECT c.id FROM companies c LEFT JOIN (SELECT company_id,"
        "  sum((details ->> 'count')::int) - count(*) FILTER (WHERE target <> '')"
        "   + count(DISTINCT target) FILTER (WHERE target <> '') AS count"
        "  FROM activity WHERE action IN ('members.invited', 'invite.resent') GROUP BY 1) a"
        "  ON a.company_id = c.id"
        " LEFT JOIN (SELECT company_id, count(*) FROM invites GROUP BY 1) i"
        "  ON i.company_id = c.id WHERE a.count IS DISTINCT FROM i.count"
    ),
    "a reset link that was not mailed, or the other way round": (
        "SELECT COALESCE(l.email, o.recipient) FROM (SELECT email, count(*) FROM links"
        "  WHERE purpose = 'reset' GROUP BY 1) l"
        f" FULL JOIN (SELECT recipient, count(*) FROM ({MAILS}) m"
        "  WHERE subject = 'Reset your Tessera password' GROUP BY 1) o ON o.recipient = l.email"
        " WHERE l.count IS DISTINCT FROM o.count"
        f"  AND COALESCE(l.email, o.recipient) IN {KNOWN}"
    ),
    "an action whose mail did not come once": (
        "SELECT u.email || ' ' || d.subject FROM users u CROSS JOIN (VALUES"
        "  ('company.registered', 'Welcome to Tessera, %'),"
        "  ('password.changed', 'Your Tessera password was changed'),"
        "  ('password.reset', 'Your Tessera password was reset'),"
        "  ('subscription.cancelAsked', 'Your Tessera subscription has been cancelled')"
        " ) d (action, subject) WHERE u.role = 'teamLeader'"
        "  AND (SELECT count(*) FROM activity a WHERE a.company_id = u.company_id"
        "   AND a.action = d.action AND a.actor_uuid = u.uuid)"
        f"  <> (SELECT count(*) FROM ({MAILS}) m WHERE m.recipient = u.email"
        "   AND m.subject LIKE d.subject)"
    ),
    "a notice about money that did not come once": (
        f"SELECT u.email FROM users u WHERE u.role = 'teamLeader' AND {SAME_LEADER}"
        # Reminders that became due together are one mail.
        " AND (SELECT count(DISTINCT (rtrim(n.notice, '0123456789'), n.occasion, n.posted_at))"
        "  FROM subscription_notices n WHERE n.company_id = u.company_id"
        "  AND rtrim(n.notice, '0123456789')"
        "   IN ('trialEnding', 'subscriptionEnded', 'debtSettled'))"
        f" <> (SELECT count(*) FROM ({MAILS}) m WHERE m.recipient = u.email"
        "  AND (m.subject LIKE 'Your Tessera trial ends in %'"
        "   OR m.subject = 'Your Tessera subscription has ended'"
        "   OR m.subject = 'Nothing is outstanding on your Tessera account'))"
    ),
    "a warehouse's change that was not mailed once": (
        f"SELECT u.email FROM users u WHERE u.role = 'teamLeader' AND {SAME_LEADER}"
        " AND (SELECT count(*) FROM activity a WHERE a.company_id = u.company_id"
        "  AND a.action = 'warehouse.statusChanged' AND (a.details ->> 'from' = '2'))"
        f" <> (SELECT count(*) FROM ({MAILS}) m WHERE m.recipient = u.email"
        "  AND m.subject LIKE 'Warehouse % is no longer Active')"
    ),
}


async def compare_messages(connection: Connection) -> list[str]:
    return await run_all(connection, "messages", QUERIES)
