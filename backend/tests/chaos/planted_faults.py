"""One discrepancy for each check of the audit: the statement that creates it, by the name of the
finding."""

LAST = "(SELECT max(id) FROM companies)"
# The company that stores files; its leader stays the same.
FIRST = "(SELECT min(id) FROM companies WHERE id <> 1)"
CUSTOMER = f"(SELECT customer_id FROM companies WHERE id = {LAST})"
COPY = "INSERT INTO sandbox_stripe_objects (id, kind, customer, body) SELECT {id}, kind, customer,"
RECORD = "INSERT INTO activity (company_id, action, request_id, details)"

PROVIDER = {
    "a customer without a company": (
        "INSERT INTO sandbox_stripe_objects (id, kind, customer, body)"
        """ VALUES ('cus_1', 'customer', 'cus_1', '{"metadata": {"company": "nobody"}}')"""
    ),
    "a company without a customer": f"UPDATE companies SET customer_id = NULL WHERE id = {LAST}",
    "two customers for a company": (
        COPY.format(id="'cus_1'") + f" body FROM sandbox_stripe_objects WHERE id = {CUSTOMER}"
    ),
    "something kept of a customer who was deleted": (
        """UPDATE sandbox_stripe_objects SET body = body || '{"deleted": true}'"""
        f" WHERE id = {CUSTOMER}"
    ),
    "a card that only one side has": f"DELETE FROM cards WHERE company_id = {LAST}",
    "another default card": (
        f"UPDATE subscriptions SET default_card_id = 'pm_1' WHERE company_id = {LAST}"
    ),
    "two subscriptions of a customer that run": (
        COPY.format(id="'sub_1'") + " body FROM sandbox_stripe_objects"
        f" WHERE kind = 'subscription' AND customer = {CUSTOMER} LIMIT 1"
    ),
    "a company that never had a subscription": (
        f"DELETE FROM sandbox_stripe_objects WHERE kind = 'subscription' AND customer = {CUSTOMER}"
    ),
    "a subscription that differs": (
        "UPDATE subscriptions SET cancel_at = CASE WHEN cancel_at IS NULL THEN now() END"
        f" WHERE company_id = {LAST}"
    ),
    "a running subscription that the company does not know": (
        f"UPDATE subscriptions SET subscription_id = 'sub_1' WHERE company_id = {LAST}"
    ),
    "an invoice that differs": (
        f"UPDATE invoices SET amount_paid = amount_paid + 1 WHERE company_id = {LAST}"
    ),
    "a period that was charged twice": (
        COPY.format(id="'in_' || n")
        + """ body || '{"amount_due": 1}' FROM sandbox_stripe_objects"""
        f" CROSS JOIN generate_series(1, 2) n WHERE kind = 'invoice' AND customer = {CUSTOMER}"
    ),
}
TABLES = {
    "a company without exactly one leader": (
        f"UPDATE users SET role = 'teamMember' WHERE company_id = {LAST}"
    ),
    "a company without a passphrase": f"DELETE FROM company_passphrases WHERE company_id = {LAST}",
    "a company without a subscription": f"DELETE FROM subscriptions WHERE company_id = {LAST}",
    "a company that was not recorded once": (
        f"DELETE FROM activity WHERE action = 'company.registered' AND company_id = {LAST}"
    ),
    "a company without exactly one registration": (
        f"DELETE FROM registrations WHERE company_id = {LAST}"
    ),
    "a registration without its company": (
        f"UPDATE registrations SET company_uuid = gen_random_uuid() WHERE company_id = {LAST}"
    ),
    "a ticket that was not used up by its company": "UPDATE signup_tickets SET used_at = NULL",
    "a key of another passphrase": "UPDATE company_passphrases SET epoch = epoch + 1",
    "a session that was not recorded, or the other way round": (
        "DELETE FROM sessions WHERE id = (SELECT max(id) FROM sessions)"
    ),
    "an invitation that says used, and nobody joined": (
        "DELETE FROM activity WHERE action = 'member.registered'"
    ),
    "an entry of a directory that differs from its row": "DELETE FROM user_uuids",
    "a total that differs from its rows": (
        f"UPDATE row_counts SET count = count + 1 WHERE company_id = {LAST}"
    ),
    "a number of members that differs from its total": (
        f"UPDATE member_counts SET count = count + 1 WHERE company_id = {LAST}"
    ),
    "a subscription's state that differs from its status": (
        f"UPDATE companies SET subscription_state = 'none' WHERE id = {LAST}"
    ),
    "an operation at the card provider that was given up": (
        "UPDATE card_operations SET state = 'failed', error_code = 'card_provider_unavailable'"
    ),
    "an operation that was done, and not recorded once": (
        f"{RECORD} SELECT company_id, action, request_id, details FROM activity"
        " WHERE action = 'card.added' LIMIT 1"
    ),
    "work that failed, or was given up by the engine": (
        "UPDATE dbos.workflow_status SET status = 'ERROR'"
    ),
    "a webhook that the provider gave up": (
        "UPDATE sandbox_stripe_deliveries SET delivered_at = NULL"
    ),
    "a webhook that was delivered, and not taken": "DELETE FROM webhook_events",
}
MESSAGES = {
    "a message that was given up": "UPDATE messages SET failed_at = now()",
    "a message that says sent and did not arrive, or the other way round": (
        "DELETE FROM sandbox_outbox WHERE id = (SELECT max(id) FROM sandbox_outbox)"
    ),
    "a message that was sent and is still kept": (
        "UPDATE messages SET sent_at = NULL, sealed = 'words'"
    ),
    "a code without its SMS, or the other way round": (
        "DELETE FROM codes WHERE id = (SELECT max(id) FROM codes)"
    ),
    "an invitation that was not mailed as often as it was sent": (
        "UPDATE sandbox_outbox SET subject = '' WHERE subject LIKE '%invites you%'"
    ),
    "invitations recorded, and others made": (
        "DELETE FROM invites WHERE id = (SELECT max(id) FROM invites)"
    ),
    "a reset link that was not mailed, or the other way round": (
        "DELETE FROM links WHERE purpose = 'reset'"
    ),
    "an action whose mail did not come once": (
        "UPDATE sandbox_outbox SET subject = '' WHERE subject LIKE 'Welcome%'"
    ),
    "a notice about money that did not come once": (
        "INSERT INTO subscription_notices (company_id, occasion, notice)"
        f" VALUES ({FIRST}, now(), 'trialEnding')"
    ),
    "a warehouse's change that was not mailed once": (
        f"""{RECORD} VALUES ({FIRST}, 'warehouse.statusChanged', '', '{{"from": 2, "to": 0}}')"""
    ),
}
CLOUDS = {
    "a company with more than one data key": (
        "INSERT INTO data_keys (company_id, version, wrapped, wrapped_by)"
        " SELECT company_id, version + 1, wrapped, wrapped_by FROM data_keys"
    ),
    "a change of state that did not change it": (
        "INSERT INTO warehouse_transitions (company_id, warehouse_id, status)"
        " SELECT company_id, id, status FROM warehouses"
    ),
    "a state that is not the last one noted": "UPDATE warehouses SET status = 1",
}
HEALTH_FILES = {
    "another health file than that of warehouse": (
        "UPDATE warehouses SET health_written_at = now()"
    ),
    "credentials of warehouse": "UPDATE warehouses SET sealed = sealed || 'x'",
    "other credentials than the last of warehouse": (
        "DELETE FROM activity WHERE action IN ('warehouse.added', 'warehouse.updated')"
    ),
}
STORED_FILES = {
    "a pack in the log with too few shards": "UPDATE pack_shards SET state = 'missing'",
    "usage that differs from the packs": "UPDATE usage_months SET bytes = bytes + 1",
    "a reservation of a pack that is booked": (
        "INSERT INTO upload_reservations (company_id, pack_id, bytes, expires_at)"
        " SELECT company_id, id, 1, now() FROM packs WHERE booked_at IS NOT NULL LIMIT 1"
        # An empty one may be left.
        " ON CONFLICT (company_id, pack_id) DO UPDATE SET bytes = 1"
    ),
    "a member with more than a share under way": (
        "UPDATE upload_reservations SET bytes = 10000000000"
        " WHERE pack_id = (SELECT pack_id FROM upload_reservations WHERE bytes > 0 LIMIT 1)"
    ),
    "a log with a gap": "UPDATE spaces SET sequence = sequence + 1",
    "a change of members that was not recorded": (
        "DELETE FROM activity WHERE action = 'space.memberAdded'"
    ),
}
OBJECTS = {
    "a stored shard that is not in its cloud": (
        "UPDATE pack_shards SET sha256 = decode(repeat('00', 32), 'hex')"
    ),
}
REPLAY = {
    "the members": "UPDATE users SET is_active = NOT is_active WHERE role = 'teamMember'",
    "the invitations": (
        "UPDATE invites SET state = 'cancelled', ended_at = now() WHERE state = 'open'"
    ),
    "the cards": "DELETE FROM cards",
    "the warehouses": "DELETE FROM warehouses WHERE id = (SELECT max(id) FROM warehouses)",
    "the names of warehouses": "UPDATE warehouses SET nick_name = 'Another'",
    "the default warehouse": "UPDATE warehouses SET is_default = false",
    "the key version": (
        "ALTER TABLE warehouses DROP CONSTRAINT warehouses_company_id_key_version_fkey;"
        " ALTER TABLE webhooks DROP CONSTRAINT webhooks_company_id_key_version_fkey;"
        " UPDATE data_keys SET version = version + 7"
    ),
    "the passphrase's epoch": "UPDATE company_passphrases SET epoch = epoch + 1",
    "the leader's key": (
        "INSERT INTO company_keys SELECT company_id, id, 9, '' FROM users"
        " WHERE role = 'teamLeader' ON CONFLICT DO NOTHING; DELETE FROM company_keys"
        " WHERE epoch <> 9"
    ),
    "the end of the subscription": (
        "UPDATE subscriptions SET cancel_at = CASE WHEN cancel_at IS NULL THEN now() END"
    ),
    "the cancellation": "UPDATE subscriptions SET is_canceled = NOT is_canceled",
    "the plan": "UPDATE subscriptions SET plan_id = 8 - plan_id",
    "another password than the last one": (
        "UPDATE users SET password_hash = (SELECT password_hash FROM users u2"
        " WHERE u2.role = 'teamMember' LIMIT 1) WHERE role = 'teamLeader'"
    ),
    "of what is not there": f"""{RECORD} VALUES ({LAST}, 'member.removed', '', '{{}}')""",
}
ACTIVITY = {
    "a record outside of its chain": (
        f"DELETE FROM activity_chain WHERE company_id = {LAST} AND sequence = 2"
    ),
    "a record that is gone": (
        "DELETE FROM activity WHERE id ="
        f" (SELECT activity_id FROM activity_chain WHERE company_id = {LAST} AND sequence = 2)"
    ),
    "a head that is not the end of its chain": (
        f"UPDATE activity_heads SET sequence = sequence + 1 WHERE company_id = {LAST}"
    ),
    "a chain with a gap": (
        f"UPDATE activity_chain SET sequence = 1000000 WHERE company_id = {LAST} AND sequence = 2"
    ),
    "a record that differs from its chain": (
        "UPDATE activity SET target = 'nobody' WHERE id ="
        f" (SELECT activity_id FROM activity_chain WHERE company_id = {LAST} AND sequence = 2)"
    ),
    "a record that differs from the table (files)": (
        f"UPDATE activity SET details = '{{}}', origin = 'x' WHERE company_id = {FIRST}"
    ),
    "a record of nobody (webhook)": (
        f"DELETE FROM activity_chain WHERE company_id = {FIRST} AND sequence = 2"
    ),
}
NOT_IDLE = {
    "records not chained": f"{RECORD} VALUES ({LAST}, 'member.removed', '', '{{}}')",
    "records not sent": "UPDATE activity_streams SET sequence = sequence - 1",
    "registrations under way": (
        "UPDATE registrations SET state = 'pending', finished_at = NULL, company_id = NULL"
        " WHERE id = (SELECT max(id) FROM registrations)"
    ),
    "card operations under way": (
        "UPDATE card_operations SET state = 'pending'"
        " WHERE id = (SELECT max(id) FROM card_operations)"
    ),
    "accounts not closed": "INSERT INTO closed_accounts (customer_id) VALUES ('cus_forgotten')",
    "reset requests waiting": (
        "INSERT INTO reset_requests (sealed_address, language) VALUES ('', 'en')"
    ),
    "messages not sent": "UPDATE messages SET sent_at = NULL",
    "webhooks not processed": "UPDATE webhook_events SET processed_at = NULL",
    "webhooks not delivered": "UPDATE sandbox_stripe_deliveries SET delivered_at = NULL",
    "checks of warehouses waiting": "UPDATE warehouses SET checking_since = now()",
    "warehouses not active": "UPDATE warehouses SET status = 1",
    "workflows not over": "UPDATE dbos.workflow_status SET status = 'PENDING'",
}
