-- Primary keys of tenant tables begin with the company, so that the tables can be distributed by it.

-- Each table is locked for a moment only. If a long transaction holds one, this gives up rather than
-- have everyone wait behind it; run it again then.
SET LOCAL lock_timeout = '5s';

-- Foreign keys to the table depend on the former key, so they are made anew. Their rows were checked
-- before; the next migration has PostgreSQL check them again, without a lock that anyone would notice.
CREATE PROCEDURE begin_key_with_company(name regclass) LANGUAGE plpgsql AS $$
DECLARE
    foreign_key record;
    additions text[] := '{}';
    addition text;
BEGIN
    FOR foreign_key IN
        SELECT conrelid::regclass AS referring, conname, pg_get_constraintdef(oid) AS definition
          FROM pg_constraint WHERE contype = 'f' AND confrelid = name
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I',
            foreign_key.referring, foreign_key.conname);
        additions := additions || format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID',
            foreign_key.referring, foreign_key.conname, foreign_key.definition);
    END LOOP;
    EXECUTE format(
        'ALTER TABLE %1$s DROP CONSTRAINT IF EXISTS %1$s_company_id_id_key,'
        ' DROP CONSTRAINT %1$s_pkey,'
        ' ADD CONSTRAINT %1$s_pkey PRIMARY KEY USING INDEX %1$s_key', name);
    FOREACH addition IN ARRAY additions LOOP
        EXECUTE addition;
    END LOOP;
END $$;

CALL begin_key_with_company('activity');
CALL begin_key_with_company('authenticators');
CALL begin_key_with_company('card_operations');
CALL begin_key_with_company('codes');
CALL begin_key_with_company('invites');
CALL begin_key_with_company('links');
CALL begin_key_with_company('messages');
CALL begin_key_with_company('passkey_challenges');
CALL begin_key_with_company('passkeys');
CALL begin_key_with_company('recovery_codes');
CALL begin_key_with_company('remembered_devices');
CALL begin_key_with_company('sessions');
CALL begin_key_with_company('users');
CALL begin_key_with_company('warehouse_transitions');
CALL begin_key_with_company('warehouses');
DROP PROCEDURE begin_key_with_company;

-- The same columns as the new keys.
DROP INDEX activity_newest, messages_by_company;

-- As before, but by the whole key.

CREATE OR REPLACE FUNCTION open_session(hash bytea, idle interval, client_idle interval)
RETURNS TABLE (
    session_id bigint, kind text, verified_until timestamptz, user_id bigint, user_uuid uuid,
    company_id int, company_uuid uuid, company_name text, role text, first_name text,
    last_name text, language text, is_subscribed bool, can_view_warehouse bool
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    seen timestamptz;
    company int;
    session bigint;
BEGIN
    SELECT s.id, s.kind, s.verified_until, s.last_seen_at, u.id, u.uuid, c.id, c.uuid, c.name,
           u.role, u.first_name, u.last_name, u.language,
           COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL,
           c.can_view_warehouse
      INTO session, kind, verified_until, seen, user_id, user_uuid, company, company_uuid,
           company_name, role, first_name, last_name, language, is_subscribed, can_view_warehouse
      FROM sessions s
      JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
      JOIN companies c ON c.id = s.company_id
     WHERE s.handle_hash = hash AND s.ended_at IS NULL AND s.expires_at > now()
       AND s.last_seen_at > now() - CASE s.kind WHEN 'client' THEN client_idle ELSE idle END
       AND u.is_active AND c.is_enabled
       AND (c.deactivated_for_debt_at IS NULL OR u.role = 'teamLeader');
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM set_config('app.company', company::text, true);
    -- Writing at every request would make every read a write; half a minute is exact enough.
    IF seen < now() - interval '30 seconds' THEN
        UPDATE sessions s SET last_seen_at = now() WHERE s.company_id = company AND s.id = session;
    END IF;
    session_id := session;
    company_id := company;
    RETURN NEXT;
END $$;

CREATE OR REPLACE FUNCTION forget_old_activity(days int, most int) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH gone AS (
        DELETE FROM activity WHERE (company_id, id) IN (
            SELECT company_id, id FROM activity
             WHERE at < now() - make_interval(days => greatest(days, 30))
             ORDER BY at LIMIT most)
        RETURNING 1)
    SELECT count(*) FROM gone
$$;

CREATE OR REPLACE FUNCTION purge_expired_logins(maximum int) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH old_sessions AS (
        DELETE FROM sessions WHERE (company_id, id) IN (
            SELECT company_id, id FROM sessions
             WHERE least(ended_at, expires_at) < now() - interval '90 days'
            LIMIT maximum) RETURNING 1
    ), old_codes AS (
        DELETE FROM codes WHERE (company_id, id) IN (
            SELECT company_id, id FROM codes WHERE expires_at < now() - interval '7 days'
            LIMIT maximum) RETURNING 1
    ), old_links AS (
        DELETE FROM links WHERE (company_id, id) IN (
            SELECT company_id, id FROM links WHERE expires_at < now() - interval '30 days'
            LIMIT maximum) RETURNING 1
    ), old_messages AS (
        DELETE FROM messages WHERE (company_id, id) IN (
            SELECT company_id, id FROM messages
             WHERE sealed IS NULL AND created_at < now() - interval '30 days'
            LIMIT maximum) RETURNING 1
    ), old_devices AS (
        DELETE FROM remembered_devices WHERE (company_id, id) IN (
            SELECT company_id, id FROM remembered_devices WHERE expires_at < now()
            LIMIT maximum) RETURNING 1
    )
    SELECT greatest(
        (SELECT count(*) FROM old_sessions), (SELECT count(*) FROM old_codes),
        (SELECT count(*) FROM old_links), (SELECT count(*) FROM old_messages),
        (SELECT count(*) FROM old_devices))
$$;
