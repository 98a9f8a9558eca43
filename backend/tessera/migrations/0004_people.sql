-- Lists over companies, members, invites and activity: search, order and deep pages by index.

-- One spelling for comparing: case and width folded, and the four Turkish i's made one. Every
-- search and every comparison goes through it on both sides.
CREATE FUNCTION fold_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(translate(lower(normalize(value, NFKC)), 'ıİ', 'ii'), U&'\0307', '');

-- A substring index without an extension: a text that holds a term holds all its trigrams.
CREATE FUNCTION trigrams(value text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT DISTINCT substr(value, i, 3) FROM generate_series(1, length(value) - 2) AS i);

ALTER TABLE companies
    ADD COLUMN name_folded text NOT NULL GENERATED ALWAYS AS (fold_text(name)) STORED,
    ADD COLUMN email_folded text NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
        name || chr(10) || email || chr(10) || phone_number || chr(10) || address_line1 || ' '
        || address_line2 || ' ' || city || ' ' || state || ' ' || zip_code)) STORED;
CREATE INDEX companies_by_name ON companies (name_folded, id);
CREATE INDEX companies_by_email ON companies (email_folded, id);
CREATE INDEX companies_by_phone ON companies (phone_number, id);
CREATE INDEX companies_by_age ON companies (created_at, id);
CREATE INDEX companies_by_trigram ON companies USING gin (trigrams(search_text));

ALTER TABLE users
    ADD COLUMN first_name_folded text NOT NULL GENERATED ALWAYS AS (fold_text(first_name)) STORED,
    ADD COLUMN last_name_folded text NOT NULL GENERATED ALWAYS AS (fold_text(last_name)) STORED,
    ADD COLUMN email_sorted text NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
        first_name || ' ' || last_name || chr(10) || email || chr(10) || phone_number)) STORED;
CREATE INDEX users_by_first_name ON users (company_id, first_name_folded, id);
CREATE INDEX users_by_last_name ON users (company_id, last_name_folded, id);
CREATE INDEX users_by_email ON users (company_id, email_sorted, id);
CREATE INDEX users_by_phone ON users (company_id, phone_number, id);
CREATE INDEX users_by_age ON users (company_id, created_at, id);
CREATE INDEX users_by_trigram ON users USING gin (trigrams(search_text));

ALTER TABLE activity
    ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
        actor_name || chr(10) || action || chr(10) || target || chr(10) || origin)) STORED;
CREATE INDEX activity_by_trigram ON activity USING gin (trigrams(search_text));
CREATE INDEX activity_by_age ON activity (at);

-- Deleting a person or a company looks these up row by row.
CREATE INDEX sessions_of_user ON sessions (company_id, user_id);
CREATE INDEX codes_of_session ON codes (company_id, session_id);

-- `key` is the public handle; the link's token is known to the mail alone.
CREATE TABLE invites (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    email text NOT NULL,
    email_folded text NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'cancelled', 'used')),
    language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'tr', 'ar')),
    message_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    posted_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    email_sorted text NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    UNIQUE (company_id, id),
    CHECK ((state = 'open') = (ended_at IS NULL))
);
CALL protect_tenant_table('invites');
CREATE UNIQUE INDEX one_open_invite_an_address ON invites (company_id, email_folded)
    WHERE state = 'open';
CREATE INDEX invites_open ON invites (company_id, id) WHERE state = 'open';
CREATE INDEX invites_by_email ON invites (company_id, email_sorted, id) WHERE state = 'open';
CREATE INDEX invites_by_post ON invites (company_id, posted_at DESC) WHERE state = 'open';
CREATE INDEX invites_by_trigram ON invites USING gin (trigrams(email_sorted)) WHERE state = 'open';

-- A new address or phone somebody else entered for a member. It counts once the member confirms.
CREATE TABLE contact_changes (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('email', 'phone')),
    value text NOT NULL,
    asked_by text NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, user_id, kind),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('contact_changes');

-- Row-level security keeps the application role off the trigram indexes (the operator could leak,
-- PostgreSQL says). These doors use them for the company of the transaction and no other, and
-- answer ids, or NULL when there are more than `most`: then a scan of the company is as good.
CREATE FUNCTION search_members(term text, most int) RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    found bigint[];
BEGIN
    EXECUTE 'SELECT array_agg(id) FROM (SELECT id FROM users WHERE company_id = $1'
            ' AND trigrams(search_text) @> trigrams($2) AND position($2 IN search_text) > 0'
            ' LIMIT $3 + 1) hits'
       INTO found
      USING NULLIF(current_setting('app.company', true), '')::int, fold_text(term), most;
    RETURN CASE WHEN cardinality(found) > most THEN NULL ELSE COALESCE(found, '{}') END;
END $$;

CREATE FUNCTION search_invites(term text, most int) RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    found bigint[];
BEGIN
    EXECUTE 'SELECT array_agg(id) FROM (SELECT id FROM invites WHERE company_id = $1'
            ' AND state = ''open'' AND trigrams(email_sorted) @> trigrams($2)'
            ' AND position($2 IN email_sorted) > 0 LIMIT $3 + 1) hits'
       INTO found
      USING NULLIF(current_setting('app.company', true), '')::int, fold_text(term), most;
    RETURN CASE WHEN cardinality(found) > most THEN NULL ELSE COALESCE(found, '{}') END;
END $$;

CREATE FUNCTION search_activity(term text, most int) RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    found bigint[];
BEGIN
    EXECUTE 'SELECT array_agg(id) FROM (SELECT id FROM activity WHERE company_id = $1'
            ' AND trigrams(search_text) @> trigrams($2) AND position($2 IN search_text) > 0'
            ' LIMIT $3 + 1) hits'
       INTO found
      USING NULLIF(current_setting('app.company', true), '')::int, fold_text(term), most;
    RETURN CASE WHEN cardinality(found) > most THEN NULL ELSE COALESCE(found, '{}') END;
END $$;

-- The company behind an invitation's link, before anyone is signed in.
CREATE FUNCTION find_invite(hash bytea)
RETURNS TABLE (company_id int, invite_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.company_id, i.id FROM invites i WHERE i.token_hash = hash
$$;

-- Which of these addresses have an account anywhere. The caller must not pass the answer on.
CREATE FUNCTION known_addresses(folded text[]) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE(array_agg(u.email_folded), '{}') FROM users u WHERE u.email_folded = ANY(folded)
$$;

-- The application role may not delete from the record of deeds; only what is old, and a part at a
-- time. Thirty days are kept whatever is asked for.
CREATE FUNCTION forget_old_activity(days int, most int) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH gone AS (
        DELETE FROM activity WHERE id IN (
            SELECT id FROM activity
             WHERE at < now() - make_interval(days => greatest(days, 30))
             ORDER BY at LIMIT most)
        RETURNING 1)
    SELECT count(*) FROM gone
$$;

REVOKE ALL ON FUNCTION search_members(text, int), search_invites(text, int),
    search_activity(text, int), find_invite(bytea), known_addresses(text[]),
    forget_old_activity(int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_members(text, int), search_invites(text, int),
    search_activity(text, int), find_invite(bytea), known_addresses(text[]),
    forget_old_activity(int, int) TO tessera_app;
