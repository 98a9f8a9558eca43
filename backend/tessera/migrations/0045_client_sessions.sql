-- Sessions of the client program last longer than a browser's and may call less.
ALTER TABLE sessions ADD COLUMN kind text NOT NULL DEFAULT 'browser' CHECK (kind IN ('browser', 'client'));
ALTER TABLE sessions ADD COLUMN client_name text;
ALTER TABLE sessions ADD COLUMN client_version text;
ALTER TABLE sessions ADD CHECK ((kind = 'client') = (client_name IS NOT NULL));
ALTER TABLE sessions ADD CHECK ((kind = 'client') = (client_version IS NOT NULL));

-- As before, but the idle limit depends on the kind of session, which is returned too.
CREATE FUNCTION open_session(hash bytea, idle interval, client_idle interval)
RETURNS TABLE (
    session_id bigint, kind text, verified_until timestamptz, user_id bigint, user_uuid uuid,
    company_id int, company_uuid uuid, company_name text, role text, first_name text,
    last_name text, language text, is_subscribed bool, can_view_warehouse bool
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    seen timestamptz;
BEGIN
    SELECT s.id, s.kind, s.verified_until, s.last_seen_at, u.id, u.uuid, c.id, c.uuid, c.name,
           u.role, u.first_name, u.last_name, u.language,
           COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL,
           c.can_view_warehouse
      INTO session_id, kind, verified_until, seen, user_id, user_uuid, company_id, company_uuid,
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
    PERFORM set_config('app.company', company_id::text, true);
    -- Writing at every request would make every read a write; half a minute is exact enough.
    IF seen < now() - interval '30 seconds' THEN
        UPDATE sessions s SET last_seen_at = now() WHERE s.id = session_id;
    END IF;
    RETURN NEXT;
END $$;

-- For processes of the version before, which do not know what a client may call: no client session
-- is open to them.
CREATE OR REPLACE FUNCTION open_session(hash bytea, idle interval)
RETURNS TABLE (
    session_id bigint, verified_until timestamptz, user_id bigint, user_uuid uuid,
    company_id int, company_uuid uuid, company_name text, role text, first_name text,
    last_name text, language text, is_subscribed bool, can_view_warehouse bool
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT s.session_id, s.verified_until, s.user_id, s.user_uuid, s.company_id, s.company_uuid,
           s.company_name, s.role, s.first_name, s.last_name, s.language, s.is_subscribed,
           s.can_view_warehouse
      FROM open_session(hash, idle, NULL) s
$$;

REVOKE ALL ON FUNCTION open_session(bytea, interval, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_session(bytea, interval, interval) TO tessera_app;
