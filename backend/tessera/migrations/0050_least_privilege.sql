-- Fewer rights for both roles: sign-ups are separated from each other as companies are, the platform
-- role reads no key, secret or credential and writes next to nothing, and nobody rewrites activity.

-- Only the application role works on tenant tables. Where the platform role looks over all
-- companies, a migration grants it the columns it needs.
CREATE OR REPLACE PROCEDURE protect_tenant_table(
    name regclass, tenant_column text DEFAULT 'company_id')
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
        'CREATE POLICY tenant ON %s TO tessera_app'
        ' USING (%I = NULLIF(current_setting(''app.company'', true), '''')::int)',
        name, tenant_column);
    EXECUTE format('CREATE POLICY owner ON %s TO CURRENT_USER USING (true)', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO tessera_app', name);
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM tessera_platform;
GRANT SELECT ON installation, companies, activity TO tessera_platform;
GRANT SELECT (id, company_id, email, role, is_active) ON users TO tessera_platform;
GRANT SELECT (company_id, status, trial_end, current_period_end, past_due_since)
    ON subscriptions TO tessera_platform;
GRANT SELECT (id, company_id, type, nick_name, status, last_error, last_check_at, next_check_at,
    checking_since) ON warehouses TO tessera_platform;
GRANT SELECT (company_id, platform_company_id, warehouse_id) ON shared_warehouses
    TO tessera_platform;
GRANT SELECT (company_id, warehouse_id, at), DELETE ON warehouse_transitions TO tessera_platform;
GRANT SELECT (received_at), DELETE ON webhook_events TO tessera_platform;
GRANT SELECT, UPDATE ON billing_clock TO tessera_platform;

-- Sign-ups. There is no company yet, so a transaction enters the ticket instead (app.ticket), or the
-- company whose invitation is used.
ALTER TABLE signup_tickets ENABLE ROW LEVEL SECURITY;
ALTER TABLE signup_tickets FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON signup_tickets TO CURRENT_USER USING (true);
CREATE POLICY issue ON signup_tickets FOR INSERT TO tessera_app WITH CHECK (true);
CREATE POLICY holder ON signup_tickets TO tessera_app
    USING (id = NULLIF(current_setting('app.ticket', true), '')::bigint);

ALTER TABLE registrations ENABLE ROW LEVEL SECURITY;
ALTER TABLE registrations FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON registrations TO CURRENT_USER USING (true);
CREATE POLICY holder ON registrations TO tessera_app
    USING (ticket_id = NULLIF(current_setting('app.ticket', true), '')::bigint);

ALTER TABLE guest_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE guest_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON guest_codes TO CURRENT_USER USING (true);
CREATE POLICY holder ON guest_codes TO tessera_app
    USING (ticket_id = NULLIF(current_setting('app.ticket', true), '')::bigint);
CREATE POLICY tenant ON guest_codes TO tessera_app
    USING (company_id = NULLIF(current_setting('app.company', true), '')::int);

CREATE FUNCTION find_ticket(hash bytea)
RETURNS TABLE (id bigint, used_at timestamptz, expired bool)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT t.id, t.used_at, t.expires_at <= now() FROM signup_tickets t WHERE t.token_hash = hash
$$;

-- The workflow that creates a company knows the id of its registration alone.
CREATE FUNCTION enter_registration(registration bigint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT set_config('app.ticket', r.ticket_id::text, true)
      FROM registrations r WHERE r.id = registration
$$;

CREATE FUNCTION pending_registrations(older_than interval) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT r.id FROM registrations r
     WHERE r.state = 'pending' AND r.created_at <= now() - older_than ORDER BY r.id
$$;

-- Tickets with their registrations and codes a day after they expire; invite codes once they
-- neither count towards a limit nor can lead to an account.
CREATE FUNCTION purge_signups() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM signup_tickets t WHERE t.expires_at < now() - interval '1 day' AND NOT EXISTS (
        SELECT FROM registrations r WHERE r.ticket_id = t.id AND r.state = 'pending');
    DELETE FROM guest_codes WHERE sent_at < now() - interval '30 days';
$$;

-- Companies on shared warehouses that have fewer than `needed`, or than there are.
CREATE FUNCTION companies_lacking_warehouses(needed int) RETURNS SETOF int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT c.id FROM companies c WHERE c.id <> 1 AND NOT c.can_view_warehouse
       AND (SELECT count(*) FROM shared_warehouses s WHERE s.company_id = c.id)
           < least(needed, (SELECT count(*) FROM warehouses w WHERE w.company_id = 1))
     ORDER BY c.id
$$;

REVOKE ALL ON FUNCTION find_ticket(bytea), enter_registration(bigint),
    pending_registrations(interval), purge_signups(), companies_lacking_warehouses(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_ticket(bytea), enter_registration(bigint),
    pending_registrations(interval), purge_signups(), companies_lacking_warehouses(int)
    TO tessera_app;
REVOKE EXECUTE ON FUNCTION assign_shared_warehouses(int), shared_warehouse_states()
    FROM tessera_platform;

-- Activity is append-only, for the owner of the table too. It is deleted by age, never within
-- thirty days, and with its company.
CREATE FUNCTION keep_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        -- A foreign key's own trigger deletes the rows of a deleted company.
        IF OLD.at < now() - interval '30 days' OR pg_trigger_depth() > 1 THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'activity is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON activity
    FOR EACH ROW EXECUTE FUNCTION keep_activity();
CREATE TRIGGER append_only_all BEFORE TRUNCATE ON activity
    FOR EACH STATEMENT EXECUTE FUNCTION keep_activity();
REVOKE ALL ON FUNCTION keep_activity() FROM PUBLIC;
