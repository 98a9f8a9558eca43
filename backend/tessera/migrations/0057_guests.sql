-- Sign-ups and invited people are isolated like companies. A transaction sees the codes and the
-- registration of the ticket in app.ticket, the registration in app.registration, and the codes of
-- the company in app.company; without any of them it sees nothing.

CREATE PROCEDURE protect_guest_table(name regclass, visible text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY guest ON %s TO tessera_app USING (%s)', name, visible);
    EXECUTE format('CREATE POLICY owner ON %s TO CURRENT_USER USING (true)', name);
    -- The version before sets neither app.ticket nor app.registration. Its processes may run beside
    -- this one during an upgrade; this version's connections set app.scoped_guests.
    EXECUTE format('CREATE POLICY former_version ON %s TO tessera_app'
        ' USING (current_setting(''app.scoped_guests'', true) IS NULL)', name);
END $$;

CALL protect_guest_table('guest_codes',
    'ticket_id = NULLIF(current_setting(''app.ticket'', true), '''')::bigint'
    ' OR company_id = NULLIF(current_setting(''app.company'', true), '''')::int');
CALL protect_guest_table('registrations',
    'ticket_id = NULLIF(current_setting(''app.ticket'', true), '''')::bigint'
    ' OR id = NULLIF(current_setting(''app.registration'', true), '''')::bigint');
DROP PROCEDURE protect_guest_table;

CREATE FUNCTION lost_registrations(older_than interval) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT id FROM registrations WHERE state = 'pending' AND created_at < now() - older_than
$$;

-- Tickets go with their registrations and codes a day after they expire, codes of invites once they
-- no longer count towards limits or can lead to an account.
CREATE FUNCTION purge_expired_guests() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM signup_tickets t WHERE expires_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM registrations r
                        WHERE r.ticket_id = t.id AND r.state = 'pending');
    DELETE FROM guest_codes WHERE sent_at < now() - interval '30 days'
$$;

REVOKE ALL ON FUNCTION lost_registrations(interval), purge_expired_guests() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lost_registrations(interval), purge_expired_guests() TO tessera_app;

-- Sealed passphrases, and the keys that open them, are nothing that work across companies needs.
REVOKE ALL ON company_keys, company_passphrases, former_passphrases FROM tessera_platform;
