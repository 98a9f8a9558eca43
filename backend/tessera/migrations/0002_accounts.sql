CREATE TABLE users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE,
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    email_folded text NOT NULL UNIQUE,
    phone_number text NOT NULL,
    role text NOT NULL CHECK (role IN ('admin', 'teamLeader', 'teamMember')),
    is_active bool NOT NULL DEFAULT true,
    language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'tr', 'ar')),
    email_confirmed_at timestamptz,
    client_id uuid,
    salt bytea NOT NULL CHECK (length(salt) = 16),
    password_hash text NOT NULL,
    sealed_user_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (company_id, id),
    CHECK ((role = 'admin') = (company_id = 1))
);
CALL protect_tenant_table('users');
CREATE UNIQUE INDEX one_leader_a_company ON users (company_id) WHERE role = 'teamLeader';

CREATE TABLE sessions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    handle_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    verified_until timestamptz,
    ended_at timestamptz,
    origin text NOT NULL,
    user_agent text NOT NULL DEFAULT '',
    UNIQUE (company_id, id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('sessions');
CREATE INDEX sessions_by_user ON sessions (company_id, user_id) WHERE ended_at IS NULL;

CREATE TABLE codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    session_id bigint,
    purpose text NOT NULL CHECK (purpose IN ('login', 'verify', 'phone')),
    phone_number text NOT NULL,
    code_hash bytea NOT NULL,
    tries int NOT NULL DEFAULT 0,
    sent_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz,
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, session_id) REFERENCES sessions (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('codes');
CREATE INDEX codes_newest ON codes (company_id, user_id, purpose, id DESC);

-- Mailed links: a password reset, the confirmation of an address.
CREATE TABLE links (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    purpose text NOT NULL CHECK (purpose IN ('reset', 'confirmEmail')),
    token_hash bytea NOT NULL UNIQUE,
    email text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('links');
CREATE INDEX links_by_user ON links (company_id, user_id, purpose);

-- Someone asked for a reset link. Whether the address is known is found out later, by a workflow,
-- so that the answer takes the same time for every address.
CREATE TABLE reset_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sealed_address bytea NOT NULL,
    language text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, DELETE ON reset_requests TO tessera_app, tessera_platform;

-- The company's passphrase, sealed by the company's key, and that key sealed for each holder.
CREATE TABLE company_passphrases (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    epoch int NOT NULL CHECK (epoch >= 1),
    sealed_passphrase text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);
CALL protect_tenant_table('company_passphrases');

CREATE TABLE company_keys (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    epoch int NOT NULL CHECK (epoch >= 1),
    sealed_company_key text NOT NULL,
    PRIMARY KEY (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('company_keys');

-- Who did what, when, from where. Written in the transaction of the deed itself.
CREATE TABLE activity (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    at timestamptz NOT NULL DEFAULT now(),
    actor_uuid uuid,
    actor_name text NOT NULL DEFAULT '',
    action text NOT NULL,
    target text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    origin text NOT NULL DEFAULT '',
    request_id text NOT NULL DEFAULT ''
);
CALL protect_tenant_table('activity');
REVOKE UPDATE, DELETE ON activity FROM tessera_app;
CREATE INDEX activity_newest ON activity (company_id, id DESC);

-- Narrow doors for what comes before the company is known. Each answers one row or none.

CREATE FUNCTION find_login(folded text)
RETURNS TABLE (company_id int, user_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT u.company_id, u.id FROM users u WHERE u.email_folded = folded
$$;

CREATE FUNCTION find_link(hash bytea)
RETURNS TABLE (company_id int, link_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT l.company_id, l.id FROM links l WHERE l.token_hash = hash
$$;

-- Opens the request of a signed-in user: finds the living session, enters its company for this
-- transaction, and answers everything the guards decide by, as it stands in the database now.
CREATE FUNCTION open_session(hash bytea, idle interval)
RETURNS TABLE (
    session_id bigint, verified_until timestamptz, user_id bigint, user_uuid uuid,
    company_id int, company_uuid uuid, company_name text, role text, first_name text,
    last_name text, language text, is_subscribed bool, can_view_warehouse bool
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    seen timestamptz;
BEGIN
    SELECT s.id, s.verified_until, s.last_seen_at, u.id, u.uuid, c.id, c.uuid, c.name, u.role,
           u.first_name, u.last_name, u.language,
           COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL,
           c.can_view_warehouse
      INTO session_id, verified_until, seen, user_id, user_uuid, company_id, company_uuid,
           company_name, role, first_name, last_name, language, is_subscribed, can_view_warehouse
      FROM sessions s
      JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
      JOIN companies c ON c.id = s.company_id
     WHERE s.handle_hash = hash AND s.ended_at IS NULL AND s.expires_at > now()
       AND s.last_seen_at > now() - idle AND u.is_active AND c.is_enabled
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

REVOKE ALL ON FUNCTION find_login(text), find_link(bytea), open_session(bytea, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_login(text), find_link(bytea), open_session(bytea, interval)
    TO tessera_app;
