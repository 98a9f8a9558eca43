-- An address that nobody has confirmed yields: at once to who proves that it is theirs, and to another
-- sign-up when its account has been unused for long.

CREATE FUNCTION find_unconfirmed(folded text, unused_for interval) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT u.id FROM users u
     WHERE u.email_folded = folded AND u.email_confirmed_at IS NULL
       AND u.created_at <= now() - unused_for
       AND NOT EXISTS (SELECT FROM sessions s WHERE s.company_id = u.company_id
                        AND s.user_id = u.id AND s.last_seen_at > now() - unused_for)
$$;

CREATE FUNCTION address_taken(folded text, unused_for interval) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM users u WHERE u.email_folded = folded)
       AND find_unconfirmed(folded, unused_for) IS NULL
$$;

CREATE FUNCTION release_address(folded text, unused_for interval) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int;
    holder bigint := find_unconfirmed(folded, unused_for);
BEGIN
    UPDATE users SET email = 'released-' || uuid || '@tessera.invalid',
                     email_folded = 'released-' || uuid || '@tessera.invalid'
     WHERE id = holder AND email_folded = folded AND email_confirmed_at IS NULL
    RETURNING company_id INTO company;
    IF FOUND THEN
        DELETE FROM links WHERE user_id = holder AND used_at IS NULL;
        INSERT INTO activity (company_id, action, target) VALUES (company, 'email.released', folded);
    END IF;
END $$;

-- As before, but an address that is not confirmed is nobody's yet.
CREATE OR REPLACE FUNCTION known_addresses(folded text[]) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE(array_agg(u.email_folded), '{}') FROM users u
     WHERE u.email_folded = ANY(folded) AND u.email_confirmed_at IS NOT NULL
$$;

REVOKE ALL ON FUNCTION find_unconfirmed(text, interval), address_taken(text, interval),
    release_address(text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION address_taken(text, interval), release_address(text, interval)
    TO tessera_app;
