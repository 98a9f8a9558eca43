-- Random handles are unique by themselves, and name their company: they are looked up in it alone.
SET LOCAL lock_timeout = '5s';

ALTER TABLE invites
    DROP CONSTRAINT invites_key_key,
    DROP CONSTRAINT invites_token_hash_key,
    ADD UNIQUE USING INDEX invites_company_id_key_key,
    ADD UNIQUE USING INDEX invites_company_id_token_hash_key;
ALTER TABLE links
    DROP CONSTRAINT links_token_hash_key,
    ADD UNIQUE USING INDEX links_company_id_token_hash_key;
ALTER TABLE remembered_devices
    DROP CONSTRAINT remembered_devices_token_hash_key,
    ADD UNIQUE USING INDEX remembered_devices_company_id_token_hash_key;
ALTER TABLE sessions
    DROP CONSTRAINT sessions_handle_hash_key,
    ADD UNIQUE USING INDEX sessions_company_id_handle_hash_key;

-- A subscription belongs to one customer of the card provider, and customer_id is unique.
ALTER TABLE subscriptions DROP CONSTRAINT subscriptions_subscription_id_key;

-- `company` is the one that the handle names; null for handles of before, which name none.

CREATE FUNCTION find_link(company int, hash bytea)
RETURNS TABLE (company_id int, link_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT l.company_id, l.id FROM links l
     WHERE l.company_id
           = COALESCE(company, (SELECT f.company_id FROM links f WHERE f.token_hash = hash))
       AND l.token_hash = hash
$$;

CREATE FUNCTION find_invite(company int, hash bytea)
RETURNS TABLE (company_id int, invite_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.company_id, i.id FROM invites i
     WHERE i.company_id
           = COALESCE(company, (SELECT f.company_id FROM invites f WHERE f.token_hash = hash))
       AND i.token_hash = hash
$$;

CREATE FUNCTION open_session(company int, hash bytea, idle interval, client_idle interval)
RETURNS TABLE (
    session_id bigint, kind text, verified_until timestamptz, user_id bigint, user_uuid uuid,
    company_id int, company_uuid uuid, company_name text, role text, first_name text,
    last_name text, language text, is_subscribed bool, can_view_warehouse bool
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    session bigint;
    seen timestamptz;
BEGIN
    IF company IS NULL THEN
        SELECT s.company_id INTO company FROM sessions s WHERE s.handle_hash = hash;
    END IF;
    SELECT s.id, s.kind, s.verified_until, s.last_seen_at, u.id, u.uuid, c.id, c.uuid, c.name,
           u.role, u.first_name, u.last_name, u.language,
           COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL,
           c.can_view_warehouse
      INTO session, kind, verified_until, seen, user_id, user_uuid, company_id, company_uuid,
           company_name, role, first_name, last_name, language, is_subscribed, can_view_warehouse
      FROM sessions s
      JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
      JOIN companies c ON c.id = s.company_id
     WHERE s.company_id = company AND s.handle_hash = hash AND s.ended_at IS NULL
       AND s.expires_at > now()
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
    RETURN NEXT;
END $$;

-- For processes of the version before.
CREATE OR REPLACE FUNCTION open_session(hash bytea, idle interval, client_idle interval)
RETURNS TABLE (
    session_id bigint, kind text, verified_until timestamptz, user_id bigint, user_uuid uuid,
    company_id int, company_uuid uuid, company_name text, role text, first_name text,
    last_name text, language text, is_subscribed bool, can_view_warehouse bool
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT * FROM open_session(NULL, hash, idle, client_idle)
$$;

REVOKE ALL ON FUNCTION find_link(int, bytea), find_invite(int, bytea),
    open_session(int, bytea, interval, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_link(int, bytea), find_invite(int, bytea),
    open_session(int, bytea, interval, interval) TO tessera_app;
