-- Deletes rows that nothing reads any more, at most `maximum` of each table, and returns the largest
-- number deleted from one.
CREATE FUNCTION purge_expired_logins(maximum int) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH old_sessions AS (
        DELETE FROM sessions WHERE id IN (
            SELECT id FROM sessions WHERE least(ended_at, expires_at) < now() - interval '90 days'
            LIMIT maximum) RETURNING 1
    ), old_codes AS (
        DELETE FROM codes WHERE id IN (
            SELECT id FROM codes WHERE expires_at < now() - interval '7 days'
            LIMIT maximum) RETURNING 1
    ), old_links AS (
        DELETE FROM links WHERE id IN (
            SELECT id FROM links WHERE expires_at < now() - interval '30 days'
            LIMIT maximum) RETURNING 1
    ), old_messages AS (
        DELETE FROM messages WHERE id IN (
            SELECT id FROM messages WHERE sealed IS NULL AND created_at < now() - interval '30 days'
            LIMIT maximum) RETURNING 1
    ), old_devices AS (
        DELETE FROM remembered_devices WHERE id IN (
            SELECT id FROM remembered_devices WHERE expires_at < now()
            LIMIT maximum) RETURNING 1
    )
    SELECT greatest(
        (SELECT count(*) FROM old_sessions), (SELECT count(*) FROM old_codes),
        (SELECT count(*) FROM old_links), (SELECT count(*) FROM old_messages),
        (SELECT count(*) FROM old_devices))
$$;
REVOKE ALL ON FUNCTION purge_expired_logins(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_expired_logins(int) TO tessera_app;
