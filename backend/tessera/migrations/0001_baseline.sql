-- The whole schema of version 0.8.0, topic by topic, frozen since: numbered migrations follow.
-- docs/schema.sql lists the result, table by table.
--
--   Isolation            what each role may see
--   Text                 folding for comparisons and sorting, and search in lists
--   Installation         the database itself, counters, leases
--   Companies
--   Users                accounts, sessions, second factors, links
--   Passphrases          the company's passphrase and who can open it
--   Activity, messages   what was done, and what is sent
--   Invites, sign-up     people without an account
--   Provisioning         what the company's directory says about its people
--   Subscription         what the card provider knows; the payment sandbox
--   Warehouses           clouds, their credentials and their state; alerts
--   Storage              keys, spaces and their logs, packs, copies, repairs
--   Directories          what is unique over all companies, or found before the company is known
--   Totals               lengths of lists without counting
--   Lookups, search, purges
--   Rights               of each role, on tables and functions
--   First rows


-- ==== Isolation ==================================================================================

-- A tenant table has a company_id, with which its primary key begins. The application role sees the
-- rows of the company in app.company and of no other; the platform role sees all. The owner's policy
-- is for SECURITY DEFINER functions, which look something up before the company is known.
CREATE PROCEDURE protect_tenant_table(name regclass, tenant_column text DEFAULT 'company_id')
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
        'CREATE POLICY tenant ON %s TO tessera_app'
        ' USING (%I = NULLIF(current_setting(''app.company'', true), '''')::int)',
        name, tenant_column);
    EXECUTE format('CREATE POLICY owner ON %s TO CURRENT_USER USING (true)', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO tessera_app, tessera_platform', name);
END $$;

GRANT USAGE ON SCHEMA public TO tessera_app, tessera_platform;


-- ==== Text =======================================================================================

-- Comparing and sorting without regard to case, diacritics and spelling variants. The folded form is
-- compared by code point (COLLATE "C"), so that every installation sorts in the same way, with or
-- without ICU, and an update of the operating system's collations breaks no index.

-- Removes the marks above and below Latin and Arabic letters, tatweel and invisible direction marks.
CREATE FUNCTION strip_marks(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(lower(normalize(value, NFKD)),
    U&'[\0300-\036F\0610-\061A\0640\064B-\065F\0670\06D6-\06DC\06DF-\06E8\06EA-\06ED\200B-\200F\061C\2066-\2069]',
    '', 'g');

-- One spelling for letters that differ by a mark but do not decompose, digits, quotes and hyphens.
CREATE FUNCTION unify_letters(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(replace(translate(value,
    'ıøłđðħŧςٱةىکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹’‘ʼ‐–—',
    'iolddhtσاهيكي01234567890123456789''''''---'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

-- The first two cases only save time: most texts are ASCII, and translating is slow. Not STRICT,
-- because PostgreSQL does not inline a strict function whose body is a CASE.
CREATE FUNCTION fold_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
    WHEN value !~ U&'[ıøłđðħŧςßæœþØŁĐÐĦŦẞÆŒÞٱةىکی٠-٩۰-۹’‘ʼ‐–—\FB50-\FDFF\FE70-\FEFF]'
        THEN strip_marks(value)
    ELSE unify_letters(strip_marks(value)) END;

-- A substring index without an extension. The vector contains the three characters from each position
-- on, and the last ones of the text. It serves queries by prefix, so a term of one or two characters
-- is the beginning of some of them. Such an index is as large as that of the trigrams alone; one over
-- all substrings of up to three characters is 1.7 times as large, and twice as expensive to build.
CREATE FUNCTION trigram_vector(value text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_tsvector(
    ARRAY(SELECT substr(value, i, 3) FROM generate_series(1, length(value)) AS i));

-- Finds texts that contain all trigrams of the term or, if the term is shorter, the term itself.
CREATE FUNCTION trigram_query(folded text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT string_agg(DISTINCT
        '''' || replace(replace(substr(folded, i, 3), '\', '\\'), '''', '''''') || ''''
        || CASE WHEN length(folded) < 3 THEN ':*' ELSE '' END, ' & ')::tsquery
      FROM generate_series(1, greatest(length(folded) - 2, 1)) AS i);


-- ==== Installation ===============================================================================

CREATE TABLE installation (
    only_one bool PRIMARY KEY DEFAULT true CHECK (only_one),
    mode text NOT NULL CHECK (mode IN ('sandbox', 'production')),
    demo_data_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON installation TO tessera_app, tessera_platform;
GRANT SELECT ON migrations TO tessera_platform;
GRANT UPDATE (demo_data_at) ON installation TO tessera_platform;

-- When the newest backup of this database ended, as the operator's backup command reports it.
CREATE TABLE last_backup (
    only_one bool PRIMARY KEY DEFAULT true CHECK (only_one),
    finished_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON last_backup TO tessera_platform;

-- Attempts and sends. Counted in a separate transaction, so that a rollback loses none.
CREATE TABLE counters (
    key bytea PRIMARY KEY,
    count int NOT NULL,
    resets_at timestamptz NOT NULL
);
CREATE INDEX counters_by_end ON counters (resets_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON counters TO tessera_app, tessera_platform;


-- ==== Companies ==================================================================================

CREATE TABLE companies (
    id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    uuid uuid NOT NULL UNIQUE,
    name text NOT NULL,
    email text NOT NULL,
    phone_number text NOT NULL,
    address_line1 text NOT NULL DEFAULT '',
    address_line2 text NOT NULL DEFAULT '',
    city text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT '',
    zip_code text NOT NULL DEFAULT '',
    is_enabled bool NOT NULL DEFAULT true,
    -- Why a platform admin disabled the company, for its members. Empty while it is enabled.
    disabled_reason text NOT NULL DEFAULT '',
    can_view_warehouse bool NOT NULL DEFAULT false,
    -- Whether only the company's OpenID provider lets members log in.
    sso_required bool NOT NULL DEFAULT false,
    customer_id text UNIQUE,
    -- Until when the company's subscription gives access; the subscription feature maintains it.
    subscribed_until timestamptz,
    deactivated_for_debt_at timestamptz,
    -- When the leader asked to leave, and when the company is deleted for it; of the billing clock.
    leaving_since timestamptz,
    deletion_at timestamptz,
    -- Without the passing of time: a subscription that ends without an event stays what it was until
    -- the hourly round. The list therefore compares `subscribed_until` as well.
    subscription_state text COLLATE "C" NOT NULL DEFAULT 'none'
        CHECK (subscription_state IN ('none', 'trialing', 'active', 'pastDue', 'ended', 'deactivated')),
    created_at timestamptz NOT NULL DEFAULT now(),
    name_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(name)) STORED,
    email_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(
        name || chr(10) || email || chr(10) || phone_number || chr(10) || address_line1 || ' '
        || address_line2 || ' ' || city || ' ' || state || ' ' || zip_code)) STORED,
    CHECK ((leaving_since IS NULL) = (deletion_at IS NULL))
);
CREATE INDEX companies_by_name ON companies (name_folded, id);
CREATE INDEX companies_by_email ON companies (email_folded, id);
CREATE INDEX companies_by_phone ON companies (phone_number, id);
CREATE INDEX companies_by_age ON companies (created_at, id);
CREATE INDEX companies_by_state ON companies ((is_enabled::text), id);
CREATE INDEX companies_by_subscription ON companies (subscription_state, id);
CREATE INDEX companies_running ON companies (subscribed_until)
    WHERE subscription_state IN ('trialing', 'active', 'pastDue');
CREATE INDEX companies_leaving ON companies (deletion_at) WHERE deletion_at IS NOT NULL;
CREATE INDEX companies_by_text ON companies USING gin (trigram_vector(search_text));

-- Calls that run once at a time in a company, in whichever process: exports.
CREATE TABLE leases (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    name text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, name)
);


-- ==== Users ======================================================================================

CREATE TABLE users (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    email_folded text NOT NULL,
    email_confirmed_at timestamptz,
    -- When the company's directory set the address, and which one it replaced. Until its owner confirms
    -- the new one, it resets no password.
    email_set_by_directory_at timestamptz,
    former_email text,
    phone_number text NOT NULL,
    role text NOT NULL CHECK (role IN ('admin', 'teamLeader', 'teamMember')),
    is_active bool NOT NULL DEFAULT true,
    language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'tr', 'ar')),
    client_id uuid,
    salt bytea NOT NULL CHECK (length(salt) = 16),
    password_hash text NOT NULL,
    sealed_user_key text NOT NULL,
    -- Codes by SMS are turned off. It counts only while the user has an authenticator app or a
    -- passkey, so that nobody is locked out.
    sms_off bool NOT NULL DEFAULT false,
    -- The first steps of a leader who has just signed up a company are shown until dismissed.
    first_steps_shown bool NOT NULL DEFAULT false,
    passphrase_sheet_kept_at timestamptz,
    -- Sessions cannot tell: they are deleted after ninety days.
    last_login_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    first_name_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(first_name)) STORED,
    last_name_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(last_name)) STORED,
    email_sorted text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(
        first_name || ' ' || last_name || chr(10) || email || chr(10) || phone_number)) STORED,
    PRIMARY KEY (company_id, id),
    -- Addresses and uuids are unique over all companies: see user_emails and user_uuids.
    UNIQUE (company_id, email_folded),
    UNIQUE (company_id, uuid),
    CHECK ((role = 'admin') = (company_id = 1)),
    CHECK ((email_set_by_directory_at IS NULL) = (former_email IS NULL))
);
CREATE UNIQUE INDEX one_leader_a_company ON users (company_id) WHERE role = 'teamLeader';
CREATE INDEX users_by_first_name ON users (company_id, first_name_folded, id);
CREATE INDEX users_by_last_name ON users (company_id, last_name_folded, id);
CREATE INDEX users_by_email ON users (company_id, email_sorted, id);
CREATE INDEX users_by_phone ON users (company_id, phone_number, id);
CREATE INDEX users_by_age ON users (company_id, created_at, id);
-- Those who never logged in come first.
CREATE INDEX users_by_last_login ON users (company_id, (COALESCE(last_login_at, '-infinity')), id);
CREATE INDEX users_by_text ON users USING gin (trigram_vector(search_text));

-- Sessions of the client program last longer than a browser's and may call less.
CREATE TABLE sessions (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    handle_hash bytea NOT NULL,
    kind text NOT NULL DEFAULT 'browser' CHECK (kind IN ('browser', 'client')),
    client_name text,
    client_version text,
    browser text NOT NULL DEFAULT '',
    system text NOT NULL DEFAULT '',
    origin text NOT NULL,
    -- What the user proved besides the password, last; a recovery code counts as the app.
    second_factor text NOT NULL DEFAULT 'sms'
        CHECK (second_factor IN ('sms', 'totp', 'passkey', 'provider')),
    -- The OpenID provider that proved who the user is, and its own name of the session there.
    provider_issuer text,
    provider_session text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    verified_until timestamptz,
    ended_at timestamptz,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, handle_hash),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    CHECK ((kind = 'client') = (client_name IS NOT NULL)),
    CHECK ((kind = 'client') = (client_version IS NOT NULL))
);
CREATE INDEX sessions_by_user ON sessions (company_id, user_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_of_user ON sessions (company_id, user_id);
CREATE INDEX sessions_of_provider ON sessions (company_id, provider_session)
    WHERE provider_session IS NOT NULL;

-- What the team leader demands of everybody's logins and sessions, beyond the platform's own limits.
-- NULL, and no row: as the platform has it.
CREATE TABLE company_policies (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    -- The client enters codes only, so that one kind of code always stays.
    second_factors text[]
        CHECK (second_factors <@ '{sms,totp,passkey}' AND second_factors && '{sms,totp}'),
    session_hours int CHECK (session_hours >= 1),
    client_session_days int CHECK (client_session_days >= 1),
    min_client_version text,
    networks cidr[] CHECK (cardinality(networks) > 0),
    countries text[] CHECK (cardinality(countries) > 0)
);

-- Tokens with which the company's own programs call the API. One works until it expires, is revoked, or
-- the leader who made it no longer leads the company.
CREATE TABLE api_tokens (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    token_hash bytea NOT NULL,
    -- Permissions, by name.
    scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
    -- From where it may be used; empty: from anywhere.
    networks cidr[] NOT NULL,
    created_by bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    last_used_at timestamptz,
    last_origin text,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, token_hash),
    FOREIGN KEY (company_id, created_by) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CREATE INDEX api_tokens_of_user ON api_tokens (company_id, created_by);

-- Browsers that have logged in to an account before. Failed logins elsewhere cannot lock them out.
CREATE TABLE remembered_devices (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, token_hash),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CREATE INDEX remembered_devices_of_user ON remembered_devices (company_id, user_id);

-- Codes by SMS.
CREATE TABLE codes (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    session_id bigint,
    purpose text NOT NULL CHECK (purpose IN ('login', 'verify', 'phone')),
    phone_number text NOT NULL,
    code_hash bytea NOT NULL,
    tries int NOT NULL DEFAULT 0,
    sent_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz,
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, session_id) REFERENCES sessions (company_id, id) ON DELETE CASCADE
);
CREATE INDEX codes_newest ON codes (company_id, user_id, purpose, id DESC);
CREATE INDEX codes_of_session ON codes (company_id, session_id);

-- A secret shared with the user's authenticator app. It counts once it is confirmed; until then the
-- one in use stays.
CREATE TABLE authenticators (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    sealed_secret bytea NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    confirmed_at timestamptz,
    -- The time step of the last accepted code: neither it nor an older one is accepted again.
    last_step bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_authenticator_a_user
    ON authenticators (company_id, user_id) WHERE confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX one_waiting_authenticator_a_user
    ON authenticators (company_id, user_id) WHERE confirmed_at IS NULL;

-- For users who have lost the app. Each works once.
CREATE TABLE recovery_codes (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, user_id, code_hash),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);

-- Passkeys (WebAuthn): public keys of a user's authenticators, each usable as the second login step.
-- Credentials are unique over all companies: see passkey_credentials.
CREATE TABLE passkeys (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    -- The user key, sealed by a key that only this passkey can derive. Without it, the passkey logs
    -- in and opens nothing.
    sealed_user_key text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, credential_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_passkey_a_name ON passkeys (company_id, user_id, lower(name));

-- What an authenticator has to sign, once. A new challenge replaces the former one of its purpose.
CREATE TABLE passkey_challenges (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    session_id bigint,
    purpose text NOT NULL CHECK (purpose IN ('login', 'verify', 'register')),
    challenge bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE NULLS NOT DISTINCT (company_id, user_id, purpose, session_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, session_id) REFERENCES sessions (company_id, id) ON DELETE CASCADE,
    CHECK ((purpose = 'login') = (session_id IS NULL))
);

-- Mailed links: a password reset, the confirmation of an address.
CREATE TABLE links (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    purpose text NOT NULL CHECK (purpose IN ('reset', 'confirmEmail')),
    token_hash bytea NOT NULL,
    email text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, token_hash),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CREATE INDEX links_by_user ON links (company_id, user_id, purpose);

-- Requests for a reset link. A workflow looks the address up later, so that the response takes the
-- same time for every address.
CREATE TABLE reset_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sealed_address bytea NOT NULL,
    language text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, DELETE ON reset_requests TO tessera_app, tessera_platform;

-- A new address or phone that somebody else entered for a member. It counts once the member confirms.
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


-- ==== Passphrases ================================================================================
-- Work across companies needs none of these.

-- The company's passphrase, sealed by the company's key, and that key sealed for each holder.
CREATE TABLE company_passphrases (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    epoch int NOT NULL CHECK (epoch >= 1),
    sealed_passphrase text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE company_keys (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    epoch int NOT NULL CHECK (epoch >= 1),
    sealed_company_key text NOT NULL,
    PRIMARY KEY (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);

-- Passphrases that were replaced, still sealed by the key of their epoch.
CREATE TABLE former_passphrases (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    epoch int NOT NULL CHECK (epoch >= 1),
    sealed_passphrase text NOT NULL,
    -- That key, sealed by the key of the passphrase that replaced this one: whoever can open the
    -- current passphrase can open the former ones. Null where the replacing leader had no copy.
    sealed_key text,
    set_at timestamptz NOT NULL,
    replaced_at timestamptz NOT NULL DEFAULT now(),
    replaced_by bigint,
    PRIMARY KEY (company_id, epoch),
    FOREIGN KEY (company_id, replaced_by) REFERENCES users (company_id, id)
        ON DELETE SET NULL (replaced_by)
);

-- A company key, sealed and signed by the former leader for the new one, until the new leader has
-- sealed it with their own user key; or by the leader for the company's second key holder, whose copy
-- it stays. The sender's public keys check the signature: anyone can seal to public keys.
CREATE TABLE key_handovers (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    purpose text NOT NULL DEFAULT 'leadership' CHECK (purpose IN ('leadership', 'holder')),
    epoch int NOT NULL CHECK (epoch >= 1),
    data bytea NOT NULL CHECK (length(data) = 1269),
    sender_keys bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX key_handovers_one_holder ON key_handovers (company_id) WHERE purpose = 'holder';


-- ==== Activity, messages =========================================================================

-- Who did what, when, from where. Written in the transaction of the change itself. Nobody can rewrite
-- it; purge functions delete what is old.
CREATE TABLE activity (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT now(),
    actor_uuid uuid,
    actor_name text NOT NULL DEFAULT '',
    -- Set if the actor is an API token, which then gives its name.
    api_token_id bigint,
    action text NOT NULL,
    target text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    origin text NOT NULL DEFAULT '',
    request_id text NOT NULL DEFAULT '',
    search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(
        actor_name || chr(10) || action || chr(10) || target || chr(10) || origin)) STORED,
    PRIMARY KEY (company_id, id)
);
CREATE INDEX activity_by_age ON activity (at);
-- For the list over all companies.
CREATE INDEX activity_by_id ON activity (id);
CREATE INDEX activity_by_text ON activity USING gin (trigram_vector(search_text));

-- ---- Audit: the chain over a company's activity, and its streams

-- Records that are not in the chain yet; the trigger that counts the activity adds them.
CREATE TABLE activity_unchained (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    activity_id bigint NOT NULL,
    PRIMARY KEY (company_id, activity_id)
);

-- The hash of each record covers the record, its place and the hash before it.
CREATE TABLE activity_chain (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    sequence bigint NOT NULL CHECK (sequence > 0),
    activity_id bigint NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (company_id, sequence),
    UNIQUE (company_id, activity_id)
);

-- The end of a company's chain. Who locks the row is the chain's only writer. The anchor is the last
-- record that retention removed, signed with the platform key.
CREATE TABLE activity_heads (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    sequence bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (length(hash) = 32),
    anchor_sequence bigint NOT NULL DEFAULT 0,
    anchor_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
        CHECK (length(anchor_hash) = 32),
    anchor_signature bytea,
    CHECK ((anchor_sequence = 0) = (anchor_signature IS NULL))
);

-- Checks of the chain that the leader asked for; the newest of a company is kept.
CREATE TABLE activity_checks (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    asked_at timestamptz NOT NULL DEFAULT now(),
    -- A head that the company kept.
    kept_sequence bigint,
    kept_hash bytea,
    finished_at timestamptz,
    result jsonb,
    PRIMARY KEY (company_id, id),
    CHECK ((kept_sequence IS NULL) = (kept_hash IS NULL)),
    CHECK ((finished_at IS NULL) = (result IS NULL))
);

-- Mails and SMS on their way. The content is sealed while it waits, and erased once it is sent.
CREATE TABLE messages (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    channel text NOT NULL CHECK (channel IN ('email', 'sms')),
    sealed bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    failed_at timestamptz,
    PRIMARY KEY (company_id, id),
    CHECK (sent_at IS NULL OR sealed IS NULL)
);
-- For the page System. Few messages are refused, so that it costs nothing to keep.
CREATE INDEX messages_refused ON messages (channel, failed_at) WHERE failed_at IS NOT NULL;

-- What the sandbox sent instead of mails and SMS. Always empty in production.
CREATE TABLE sandbox_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id bigint NOT NULL UNIQUE,
    channel text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL DEFAULT '',
    text text NOT NULL,
    html text NOT NULL DEFAULT '',
    code text,
    link text,
    sent_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_outbox_by_recipient ON sandbox_outbox (recipient, id DESC);
GRANT SELECT, INSERT ON sandbox_outbox TO tessera_app, tessera_platform;


-- ==== Invites, sign-up ===========================================================================

-- `key` is the public handle; the token of the link is known only from the mail.
CREATE TABLE invites (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    key uuid NOT NULL DEFAULT gen_random_uuid(),
    email text NOT NULL,
    email_folded text NOT NULL,
    token_hash bytea NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'cancelled', 'used')),
    language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'tr', 'ar')),
    message_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    posted_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    email_sorted text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, key),
    UNIQUE (company_id, token_hash),
    CHECK ((state = 'open') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX one_open_invite_an_address ON invites (company_id, email_folded)
    WHERE state = 'open';
CREATE INDEX invites_open ON invites (company_id, id) WHERE state = 'open';
CREATE INDEX invites_by_email ON invites (company_id, email_sorted, id) WHERE state = 'open';
CREATE INDEX invites_by_post ON invites (company_id, posted_at DESC) WHERE state = 'open';
CREATE INDEX invites_by_text ON invites USING gin (trigram_vector(email_sorted))
    WHERE state = 'open';
-- The list of cancelled invites asks for each address whether a newer one exists.
CREATE INDEX invites_by_address ON invites (company_id, email_folded, id);

-- People without the registration password who asked to sign up a company. A request belongs to the
-- platform's own company, whose admins decide on it; its link gives sign-up tickets until a company
-- has been registered with one.
CREATE TABLE access_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL DEFAULT 1 REFERENCES companies CHECK (company_id = 1),
    name text NOT NULL,
    company_name text NOT NULL,
    email text NOT NULL,
    email_folded text NOT NULL,
    language text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'approved', 'declined', 'used')),
    token_hash bytea UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    admins_told_at timestamptz,
    decided_at timestamptz,
    expires_at timestamptz,
    search_text text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(name || ' ' || company_name || ' ' || email)) STORED,
    CHECK ((state = 'open') = (decided_at IS NULL)),
    CHECK ((state = 'approved') = (token_hash IS NOT NULL))
);
CREATE UNIQUE INDEX one_open_access_request_an_address ON access_requests (email_folded)
    WHERE state = 'open';

-- Given for the registration password or an approved request. Valid for an hour and one company, and
-- found by the hash of a token that only its holder knows.
CREATE TABLE signup_tickets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE,
    access_request_id bigint REFERENCES access_requests ON DELETE SET NULL,
    origin text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE INDEX signup_tickets_by_end ON signup_tickets (expires_at);
CREATE INDEX signup_tickets_of_request ON signup_tickets (access_request_id)
    WHERE access_request_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON signup_tickets TO tessera_app, tessera_platform;

-- Codes by SMS to people without an account. A consumed one proves that the holder of this ticket or
-- invite has that phone. Tables that no company owns have no foreign keys to tenant tables, which may
-- be on other nodes; the service deletes the codes of a company's invites together with the company.
CREATE TABLE guest_codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticket_id bigint REFERENCES signup_tickets ON DELETE CASCADE,
    company_id int,
    invite_id bigint,
    phone_number text NOT NULL,
    code_hash bytea NOT NULL,
    tries int NOT NULL DEFAULT 0,
    sent_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz,
    CHECK ((ticket_id IS NULL) <> (invite_id IS NULL)),
    CHECK ((company_id IS NULL) = (invite_id IS NULL))
);
CREATE INDEX guest_codes_of_ticket ON guest_codes (ticket_id, id DESC);
CREATE INDEX guest_codes_of_invite ON guest_codes (company_id, invite_id, id DESC);
CREATE INDEX guest_codes_by_phone ON guest_codes (phone_number, sent_at);
CREATE INDEX guest_codes_by_age ON guest_codes (sent_at);

-- A company that is being created. `sealed` holds what it is created from (the hash of the derived
-- secret and the envelopes with it), sealed by the service and erased at the end, however it ends.
CREATE TABLE registrations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticket_id bigint NOT NULL REFERENCES signup_tickets ON DELETE CASCADE,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
    company_uuid uuid NOT NULL,
    user_uuid uuid NOT NULL,
    address_hash bytea NOT NULL,
    sealed bytea,
    customer_id text,
    card_id text,
    subscription_id text,
    error_code text,
    error_details jsonb NOT NULL DEFAULT '{}',
    company_id int,
    user_id bigint,
    origin text NOT NULL,
    request_id text NOT NULL,
    language text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CHECK (state = 'pending' OR sealed IS NULL),
    CHECK ((state = 'pending') = (finished_at IS NULL)),
    CHECK ((state = 'done') = (company_id IS NOT NULL))
);
CREATE UNIQUE INDEX one_registration_a_ticket ON registrations (ticket_id) WHERE state <> 'failed';
-- While one is pending, its ids and its address are taken.
CREATE UNIQUE INDEX one_registration_a_company ON registrations (company_uuid) WHERE state = 'pending';
CREATE UNIQUE INDEX one_registration_a_leader ON registrations (user_uuid) WHERE state = 'pending';
CREATE UNIQUE INDEX one_registration_an_address ON registrations (address_hash)
    WHERE state = 'pending';

-- Guests are isolated like companies. A transaction sees the codes and the registration of the ticket
-- in app.ticket, the registration in app.registration, and the codes of the company in app.company;
-- without any of them it sees nothing.
ALTER TABLE guest_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE guest_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY guest ON guest_codes TO tessera_app USING (
    ticket_id = NULLIF(current_setting('app.ticket', true), '')::bigint
    OR company_id = NULLIF(current_setting('app.company', true), '')::int);
CREATE POLICY owner ON guest_codes TO CURRENT_USER USING (true);

ALTER TABLE registrations ENABLE ROW LEVEL SECURITY;
ALTER TABLE registrations FORCE ROW LEVEL SECURITY;
CREATE POLICY guest ON registrations TO tessera_app USING (
    ticket_id = NULLIF(current_setting('app.ticket', true), '')::bigint
    OR id = NULLIF(current_setting('app.registration', true), '')::bigint);
CREATE POLICY owner ON registrations TO CURRENT_USER USING (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON guest_codes, registrations TO tessera_app, tessera_platform;


-- ==== Provisioning ===============================================================================

-- Companies whose directory provisions members by SCIM, from their first token on.
CREATE TABLE provisioning (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    -- A member that the directory deletes is disabled at once, and removed once the leader confirms.
    confirm_deletions bool NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- The current token does not expire; the one before it works for a day after the rotation.
CREATE TABLE scim_tokens (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    token_hash bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    last_origin text,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, token_hash)
);
CREATE UNIQUE INDEX one_current_scim_token ON scim_tokens (company_id) WHERE expires_at IS NULL;

-- People as the directory sees them: members, and those who have not joined yet (without `user_id`).
-- Name, address and state of a member are those of the account; the columns here are for the others.
CREATE TABLE directory_users (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    number bigint GENERATED ALWAYS AS IDENTITY,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    user_id bigint,
    user_name text NOT NULL,
    user_name_folded text NOT NULL,
    external_id text,
    display_name text,
    given_name text,
    family_name text,
    emails jsonb NOT NULL,
    -- The one of `emails` that is invited.
    email text NOT NULL,
    email_folded text NOT NULL,
    is_active bool NOT NULL DEFAULT true,
    -- The directory has deleted the member; the leader has to confirm it.
    deletion_requested_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, number),
    UNIQUE (company_id, id),
    UNIQUE (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    CHECK (deletion_requested_at IS NULL OR user_id IS NOT NULL)
);
CREATE UNIQUE INDEX one_directory_user_a_name ON directory_users (company_id, user_name_folded);
CREATE UNIQUE INDEX one_directory_user_an_address ON directory_users (company_id, email_folded)
    WHERE user_id IS NULL;
CREATE INDEX directory_users_by_external_id ON directory_users (company_id, external_id);
CREATE INDEX directory_users_listed ON directory_users (company_id, number)
    WHERE deletion_requested_at IS NULL;
CREATE INDEX directory_users_to_delete ON directory_users (company_id, deletion_requested_at)
    WHERE deletion_requested_at IS NOT NULL;

-- Adds a member whom the directory does not know yet. A user name that is taken is replaced by the uuid.
CREATE FUNCTION add_directory_user(member users) RETURNS void
LANGUAGE sql VOLATILE AS $$
    INSERT INTO directory_users
        (company_id, user_id, user_name, user_name_folded, emails, email, email_folded)
    SELECT member.company_id, member.id,
           CASE WHEN is_taken THEN member.uuid::text ELSE member.email END,
           CASE WHEN is_taken THEN member.uuid::text ELSE member.email_folded END,
           jsonb_build_array(
               jsonb_build_object('value', member.email, 'type', 'work', 'primary', true)),
           member.email, member.email_folded
      FROM (SELECT EXISTS (
          SELECT FROM directory_users d WHERE d.company_id = member.company_id
             AND d.user_name_folded = member.email_folded) AS is_taken) t
$$;

-- Whoever joins, in whichever way, is the person whom the directory announced under that address.
CREATE FUNCTION link_directory_user() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE directory_users SET user_id = NEW.id, changed_at = now()
     WHERE company_id = NEW.company_id AND email_folded = NEW.email_folded AND user_id IS NULL;
    IF NOT FOUND AND EXISTS (SELECT FROM provisioning WHERE company_id = NEW.company_id) THEN
        PERFORM add_directory_user(NEW);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER link_directory_user AFTER INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION link_directory_user();

-- Labels that the directory gives to its users. They carry no rights.
CREATE TABLE directory_groups (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    number bigint GENERATED ALWAYS AS IDENTITY,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    display_name text NOT NULL,
    display_name_folded text NOT NULL,
    external_id text,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, number),
    UNIQUE (company_id, id)
);
CREATE INDEX directory_groups_by_name ON directory_groups (company_id, display_name_folded);
CREATE INDEX directory_groups_by_external_id ON directory_groups (company_id, external_id);

CREATE TABLE directory_group_members (
    company_id int NOT NULL,
    group_number bigint NOT NULL,
    user_number bigint NOT NULL,
    PRIMARY KEY (company_id, group_number, user_number),
    FOREIGN KEY (company_id, group_number)
        REFERENCES directory_groups (company_id, number) ON DELETE CASCADE,
    FOREIGN KEY (company_id, user_number)
        REFERENCES directory_users (company_id, number) ON DELETE CASCADE
);
CREATE INDEX groups_of_directory_user ON directory_group_members (company_id, user_number);

-- Also when a member is removed elsewhere.
CREATE FUNCTION change_directory_group() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE directory_groups g SET version = g.version + 1, changed_at = now()
      FROM (SELECT DISTINCT company_id, group_number FROM changed) c
     WHERE g.company_id = c.company_id AND g.number = c.group_number;
    RETURN NULL;
END $$;
CREATE TRIGGER change_group_by_adding AFTER INSERT ON directory_group_members
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_directory_group();
CREATE TRIGGER change_group_by_removing AFTER DELETE ON directory_group_members
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_directory_group();


-- ==== Subscription ===============================================================================

-- What the card provider knows about a company, as of the last sync. Every column but the last ones
-- is a copy of the provider's objects; webhooks, the company's own calls and a nightly round renew it.
CREATE TABLE subscriptions (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    -- Unique, because it belongs to one customer of the card provider, and companies.customer_id is.
    subscription_id text,
    item_id text,
    provider_status text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT ''
        CHECK (status IN ('', 'trialing', 'active', 'past_due', 'cancelled')),
    plan_id int NOT NULL DEFAULT 0,
    price_amount int,
    currency text NOT NULL DEFAULT 'usd',
    trial_end timestamptz,
    current_period_start timestamptz,
    current_period_end timestamptz,
    -- The end of this period or of the next one; null while it renews.
    cancel_at timestamptz,
    is_canceled bool NOT NULL DEFAULT false,
    -- Access has ended for debt: it does not renew until the debt is paid.
    is_suspended bool NOT NULL DEFAULT false,
    cancel_reason text NOT NULL DEFAULT '',
    ended_at timestamptz,
    past_due_since timestamptz,
    next_amount int,
    next_period_end timestamptz,
    default_card_id text,
    billing_email text NOT NULL DEFAULT '',
    -- A sync that began earlier never overwrites one that began later.
    syncs_started bigint NOT NULL DEFAULT 0,
    sync_applied bigint NOT NULL DEFAULT 0,
    synced_at timestamptz
);
CREATE INDEX subscriptions_past_due ON subscriptions (past_due_since)
    WHERE past_due_since IS NOT NULL;

CREATE TABLE cards (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id text NOT NULL,
    brand text NOT NULL,
    last4 text NOT NULL,
    exp_month int NOT NULL,
    exp_year int NOT NULL,
    added_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, id)
);

CREATE TABLE invoices (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id text NOT NULL,
    number text NOT NULL DEFAULT '',
    status text NOT NULL,
    amount_due int NOT NULL,
    amount_paid int NOT NULL,
    amount_remaining int NOT NULL,
    currency text NOT NULL,
    created_at timestamptz NOT NULL,
    period_start timestamptz NOT NULL,
    period_end timestamptz NOT NULL,
    paid_at timestamptz,
    next_attempt_at timestamptz,
    attempts int NOT NULL DEFAULT 0,
    page_url text,
    pdf_url text,
    PRIMARY KEY (company_id, id)
);
CREATE INDEX invoices_newest ON invoices (company_id, created_at DESC, id);

-- What a leader asked of the card provider: stored first, so that the provider's idempotency keys
-- come from it and an interrupted one is continued. One at a time per company.
CREATE TABLE card_operations (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
    input jsonb NOT NULL DEFAULT '{}',
    -- A card token waits sealed, and is erased when the operation ends.
    sealed_token bytea,
    error_code text,
    actor_uuid uuid,
    actor_name text NOT NULL DEFAULT '',
    origin text NOT NULL DEFAULT '',
    request_id text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    PRIMARY KEY (company_id, id),
    CHECK (state = 'pending' OR sealed_token IS NULL)
);
CREATE UNIQUE INDEX one_card_operation_at_a_time ON card_operations (company_id)
    WHERE state = 'pending';

-- Mails that are sent once for each occasion: `occasion` is when the debt, the trial's end or the
-- cancellation happened, or when the company is deleted.
CREATE TABLE subscription_notices (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    occasion timestamptz NOT NULL,
    notice text NOT NULL,
    posted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, occasion, notice)
);

-- Webhooks of the card provider: the names of things only, never their content.
CREATE TABLE webhook_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL UNIQUE,
    kind text NOT NULL,
    customer_id text,
    happened_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    processed_at timestamptz,
    outcome text
);
CREATE INDEX webhook_events_by_arrival ON webhook_events (received_at);
GRANT SELECT, INSERT, UPDATE ON webhook_events TO tessera_app, tessera_platform;
GRANT DELETE ON webhook_events TO tessera_platform;

-- Accounts at the card provider that deleted companies left behind. Separate from the webhooks, so
-- that nothing from outside can add work here.
CREATE TABLE closed_accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id text NOT NULL UNIQUE,
    requested_at timestamptz NOT NULL DEFAULT now(),
    closed_at timestamptz
);
GRANT SELECT, INSERT, UPDATE ON closed_accounts TO tessera_app;
GRANT SELECT ON closed_accounts TO tessera_platform;

-- The time that subscriptions use. It is the real time, except in the sandbox, whose clock can be
-- moved ahead to see a year pass.
CREATE TABLE billing_clock (
    only_one bool PRIMARY KEY DEFAULT true CHECK (only_one),
    ahead interval NOT NULL DEFAULT '0'
);
GRANT SELECT ON billing_clock TO tessera_app, tessera_platform;
GRANT UPDATE ON billing_clock TO tessera_platform;

CREATE FUNCTION billing_now() RETURNS timestamptz LANGUAGE sql STABLE AS
$$ SELECT now() + ahead FROM billing_clock $$;

CREATE FUNCTION set_subscription_state() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    NEW.subscription_state := CASE
        WHEN NEW.deactivated_for_debt_at IS NOT NULL THEN 'deactivated'
        WHEN NEW.subscribed_until IS NULL THEN 'none'
        WHEN NEW.subscribed_until <= now() THEN 'ended'
        ELSE COALESCE(
            (SELECT CASE status WHEN 'trialing' THEN 'trialing' WHEN 'past_due' THEN 'pastDue' END
               FROM subscriptions WHERE company_id = NEW.id),
            'active') END;
    RETURN NEW;
END $$;
CREATE TRIGGER set_subscription_state
    BEFORE INSERT OR UPDATE OF subscribed_until, deactivated_for_debt_at ON companies
    FOR EACH ROW EXECUTE FUNCTION set_subscription_state();

-- Whoever changes a status has locked the company before.
CREATE FUNCTION follow_subscription_status() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE companies SET subscribed_until = subscribed_until WHERE id = NEW.company_id;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_added_status AFTER INSERT ON subscriptions
    FOR EACH ROW WHEN (NEW.status <> '') EXECUTE FUNCTION follow_subscription_status();
CREATE TRIGGER follow_changed_status AFTER UPDATE ON subscriptions
    FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION follow_subscription_status();


-- The payment sandbox. Always empty in production.
CREATE TABLE sandbox_stripe_objects (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    customer text,
    body jsonb NOT NULL,
    -- How the card behaves, and other things that readers of the object do not see.
    hidden jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX sandbox_stripe_objects_by_customer ON sandbox_stripe_objects (customer, kind);
CREATE INDEX sandbox_stripe_objects_by_kind ON sandbox_stripe_objects (kind, number);

CREATE TABLE sandbox_stripe_requests (
    key text PRIMARY KEY,
    fingerprint text NOT NULL,
    status int NOT NULL,
    answer jsonb NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox_stripe_objects, sandbox_stripe_requests
    TO tessera_app, tessera_platform;

CREATE TABLE sandbox_stripe_deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    delivered_at timestamptz,
    tries int NOT NULL DEFAULT 0,
    last_status int
);
GRANT SELECT, INSERT, UPDATE ON sandbox_stripe_deliveries TO tessera_app, tessera_platform;


-- ==== Warehouses =================================================================================

-- Keys under which a company's credentials are sealed. Each is wrapped by the platform key, and
-- `wrapped_by` says by which one.
CREATE TABLE data_keys (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    version int NOT NULL CHECK (version >= 1),
    wrapped bytea NOT NULL,
    wrapped_by bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, version)
);
CREATE INDEX data_keys_by_platform_key ON data_keys (wrapped_by);

-- The clouds in which a company stores its data.
CREATE TABLE warehouses (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- Described in tessera_core.providers.
    type int NOT NULL,
    nick_name text,
    -- For display only: the credentials in `sealed` are complete.
    bucket text NOT NULL DEFAULT '',
    path text NOT NULL DEFAULT '',
    sealed bytea NOT NULL,
    key_version int NOT NULL,
    credentials_since timestamptz NOT NULL DEFAULT now(),
    is_default bool NOT NULL DEFAULT false,
    status int NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 2),
    has_been_active bool NOT NULL DEFAULT false,
    -- Its shards are moved to other warehouses, and it takes no new ones.
    leaving_since timestamptz,
    -- Grows with every change of what is checked: the result of a check that began before a change
    -- is not stored after it.
    revision int NOT NULL DEFAULT 1,
    -- Since when the check that follows a change has been waiting.
    checking_since timestamptz DEFAULT now(),
    last_check_at timestamptz,
    last_error text,
    -- The time and the key version in the health file as last seen or written. If the version is not
    -- that of the credentials, the file is to be written.
    health_written_at timestamptz,
    health_version int,
    next_check_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
        COALESCE(nick_name, '') || chr(10) || bucket || chr(10) || path)) STORED,
    PRIMARY KEY (company_id, id),
    -- No key is destroyed while a ciphertext needs it.
    FOREIGN KEY (company_id, key_version) REFERENCES data_keys (company_id, version)
);
CREATE UNIQUE INDEX one_default_warehouse ON warehouses (company_id) WHERE is_default;
CREATE INDEX warehouses_by_key ON warehouses (company_id, key_version);
CREATE INDEX warehouses_by_next_check ON warehouses (next_check_at);
-- For the page System, which counts them by cloud and cause.
CREATE INDEX warehouses_failing ON warehouses (type, last_error, company_id)
    WHERE last_error IS NOT NULL;

-- Changes of the status, not every check.
CREATE TABLE warehouse_transitions (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    warehouse_id bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    status int NOT NULL CHECK (status BETWEEN 0 AND 2),
    error text,
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouses (company_id, id) ON DELETE CASCADE
);
CREATE INDEX warehouse_transitions_by_time ON warehouse_transitions (company_id, warehouse_id, at);
CREATE INDEX warehouse_transitions_by_age ON warehouse_transitions (at);

-- The platform's own warehouses are shared by the companies on the basic plan.
CREATE TABLE shared_warehouses (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    platform_company_id int NOT NULL DEFAULT 1 CHECK (platform_company_id = 1),
    warehouse_id bigint NOT NULL,
    assigned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, warehouse_id),
    FOREIGN KEY (platform_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE,
    CHECK (company_id <> platform_company_id)
);
CREATE INDEX shared_warehouses_by_warehouse ON shared_warehouses (platform_company_id, warehouse_id);

-- Gives the company of the transaction as many shared warehouses as it lacks of `needed`, of
-- different clouds first, then those with the fewest companies, and returns how many it has now. Row
-- security hides the platform's rows from the company.
CREATE FUNCTION assign_shared_warehouses(needed int) RETURNS int
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
    given int;
BEGIN
    SELECT count(*) INTO given FROM shared_warehouses s WHERE s.company_id = company;
    IF company IS NULL OR company = 1 OR given >= needed THEN
        RETURN given;
    END IF;
    INSERT INTO shared_warehouses (company_id, warehouse_id)
    SELECT company, ranked.id
      FROM (SELECT w.id, load.companies,
                   row_number() OVER (PARTITION BY w.type ORDER BY load.companies, w.id) AS turn
              FROM warehouses w
              CROSS JOIN LATERAL (SELECT count(*) AS companies FROM shared_warehouses s
                                   WHERE s.platform_company_id = 1 AND s.warehouse_id = w.id) load
             WHERE w.company_id = 1 AND NOT EXISTS (
                 SELECT FROM shared_warehouses s
                  WHERE s.company_id = company AND s.warehouse_id = w.id)) ranked
     ORDER BY ranked.turn, ranked.companies, ranked.id
     LIMIT needed - given;
    SELECT count(*) INTO given FROM shared_warehouses s WHERE s.company_id = company;
    RETURN given;
END $$;

-- The state of the shared warehouses of the company of the transaction, and nothing else of them.
CREATE FUNCTION shared_warehouse_states()
RETURNS TABLE (type int, nick_name text, status int, last_check_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT w.type, w.nick_name, w.status, w.last_check_at
      FROM shared_warehouses s
      JOIN warehouses w ON w.company_id = s.platform_company_id AND w.id = s.warehouse_id
     WHERE s.company_id = NULLIF(current_setting('app.company', true), '')::int
     ORDER BY w.id
$$;


-- Each company has its own place in the interval, so that checks stay spread over it even if some
-- were late. At least half an interval lies between two checks.
CREATE FUNCTION next_warehouse_check(company int, seconds int) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT to_timestamp(
        (floor((extract(epoch FROM now()) + seconds / 2.0 - place) / seconds) + 1) * seconds + place)
      FROM (SELECT (company::bigint * 2654435761 % 4294967296) / 4294967296.0 * seconds AS place) p
$$;

-- Who gets alerts about warehouses and storage besides the leader.
CREATE TABLE alert_recipients (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);

-- The company's webhook for alerts.
CREATE TABLE webhooks (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    url text NOT NULL,
    -- The signing secrets, sealed with the company's data key.
    sealed bytea NOT NULL,
    key_version int NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    secret_created_at timestamptz NOT NULL DEFAULT now(),
    last_success_at timestamptz,
    -- Since when no events are sent, because none could be delivered for a day.
    disabled_at timestamptz,
    FOREIGN KEY (company_id, key_version) REFERENCES data_keys (company_id, version)
);
CREATE INDEX webhooks_by_key ON webhooks (company_id, key_version);

CREATE TABLE webhook_deliveries (
    company_id int NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- Sent as `webhook-id`, the same with every attempt.
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    event text NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempts int NOT NULL DEFAULT 0,
    last_attempt_at timestamptz,
    next_attempt_at timestamptz,
    outcome text NOT NULL DEFAULT 'waiting' CHECK (outcome IN ('waiting', 'delivered', 'failed')),
    status int,
    error text,
    PRIMARY KEY (company_id, id)
);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);

-- Where a company's activity goes, and how far it got: to its webhook as it happens, and as a daily
-- file to one of its own warehouses.
CREATE TABLE activity_streams (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    target text NOT NULL CHECK (target IN ('webhook', 'warehouse')),
    warehouse_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The last record that arrived, and the last one of the batch under way: every attempt sends the
    -- same records.
    sequence bigint NOT NULL,
    until bigint CHECK (until > sequence),
    -- Replays asked for: a batch sent again has another id.
    replays int NOT NULL DEFAULT 0,
    -- When the next round may begin.
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts int NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    error text,
    status int,
    failing_since timestamptz,
    last_success_at timestamptz,
    PRIMARY KEY (company_id, target),
    FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouses (company_id, id) ON DELETE CASCADE,
    CHECK ((target = 'warehouse') = (warehouse_id IS NOT NULL))
);
CREATE INDEX activity_streams_by_warehouse ON activity_streams (company_id, warehouse_id);
CREATE INDEX activity_streams_due ON activity_streams (due_at) WHERE until IS NULL;


-- ==== Storage: keys ==============================================================================
-- The clients seal everything secret; the platform role needs none of it.

CREATE TABLE member_keys (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    public_keys bytea NOT NULL CHECK (length(public_keys) = 1249),
    -- The private keys and pins, sealed by the user's key. Null after a password reset, until a
    -- device that still has the keys seals them again, or new keys are made.
    envelope text,
    revision int NOT NULL CHECK (revision >= 1),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);

-- Every recovery pair that the company had, named by a signed record; the highest counter is that of
-- the current one.
CREATE TABLE recovery_records (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    counter int NOT NULL CHECK (counter >= 1),
    public_keys bytea NOT NULL CHECK (length(public_keys) = 1249),
    leader uuid NOT NULL,
    -- As the leader's client signed it, in milliseconds since 1970.
    time bigint NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (company_id, counter)
);

-- The private half of a pair under the passphrase and the file recovery code.
CREATE TABLE recovery_kits (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    counter int NOT NULL CHECK (counter >= 1),
    -- The counter of the record that names the pair.
    record int NOT NULL,
    sealed bytea NOT NULL CHECK (length(sealed) = 129),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- When the leader's client was shown that somebody has the code.
    confirmed_at timestamptz,
    PRIMARY KEY (company_id, counter),
    FOREIGN KEY (company_id, record) REFERENCES recovery_records (company_id, counter)
        ON DELETE CASCADE
);

-- The private half of the current pair, sealed and signed by a leader for the next one.
CREATE TABLE recovery_handovers (
    company_id int NOT NULL,
    recipient_id bigint NOT NULL,
    sender_id bigint NOT NULL,
    content bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, recipient_id),
    FOREIGN KEY (company_id, recipient_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, sender_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CREATE INDEX recovery_handovers_by_sender ON recovery_handovers (company_id, sender_id);


-- ==== Storage: spaces and their logs =============================================================
-- The server orders and checks entries.

-- The state after the last entry, as the log's rules need it for the next one.
CREATE TABLE spaces (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id uuid NOT NULL,
    sequence bigint NOT NULL CHECK (sequence >= 1),
    head bytea NOT NULL CHECK (length(head) = 32),
    time bigint NOT NULL,
    generation int NOT NULL CHECK (generation >= 0),
    awaiting_generation bool NOT NULL,
    leader uuid NOT NULL,
    recovery_keys bytea NOT NULL CHECK (length(recovery_keys) = 1249),
    -- Up to which entry every warehouse of the placement has a copy.
    copied_sequence bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, id)
);
CREATE INDEX spaces_not_copied ON spaces (company_id) WHERE sequence > copied_sequence;

-- Members and authors are uuids without a foreign key: removing a user does not change history.
CREATE TABLE space_members (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    member uuid NOT NULL,
    public_keys bytea NOT NULL CHECK (length(public_keys) = 1249),
    -- A deleted user stays a member until the leader's client removes them from the log, and the
    -- leader has to see who that is. The removal deletes the row, and the name with it.
    former_name text,
    former_email text,
    PRIMARY KEY (company_id, space_id, member),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CREATE INDEX space_members_by_member ON space_members (company_id, member);

CREATE FUNCTION keep_former_member() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE space_members
       SET former_name = OLD.first_name || ' ' || OLD.last_name, former_email = OLD.email
     WHERE company_id = OLD.company_id AND member = OLD.uuid;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_former_member AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION keep_former_member();

-- Signing keys that lost access to a space. The log's rules never accept them there again.
CREATE TABLE removed_space_keys (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    sign_key bytea NOT NULL CHECK (length(sign_key) = 32),
    PRIMARY KEY (company_id, space_id, sign_key),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);

CREATE TABLE log_entries (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    sequence bigint NOT NULL CHECK (sequence >= 1),
    entry_id bytea NOT NULL CHECK (length(entry_id) = 16),
    kind int NOT NULL,
    author uuid NOT NULL,
    content bytea NOT NULL CHECK (length(content) <= 131072),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, space_id, sequence),
    -- An entry's key is derived from its id and seals one body.
    UNIQUE (company_id, space_id, entry_id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);

-- Stored before the entry that carries their hash, and found by that entry's id.
CREATE TABLE grants (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    entry_id bytea NOT NULL CHECK (length(entry_id) = 16),
    member uuid NOT NULL,
    generation int NOT NULL CHECK (generation >= 1),
    content bytea NOT NULL,
    -- Of the entry that carries their hash. Null while they wait for it.
    sequence bigint,
    -- When the recipient could not open it although its hash is right.
    refused_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, space_id, entry_id, member),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CREATE INDEX grants_by_member ON grants (company_id, space_id, member, sequence);
CREATE INDEX grants_refused ON grants (company_id, space_id) WHERE refused_at IS NOT NULL;

-- Who stored grants for which entry. If the entry does not follow, the grants are deleted.
CREATE TABLE waiting_grants (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    entry_id bytea NOT NULL CHECK (length(entry_id) = 16),
    author uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, space_id, entry_id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CREATE INDEX waiting_grants_by_author ON waiting_grants (company_id, author);
CREATE INDEX waiting_grants_by_time ON waiting_grants (created_at);


-- ==== Storage: shares ============================================================================

-- Files that a member gave to people outside, for whoever has a link. The service knows sizes and
-- times; what a token is derived from never reaches it.
CREATE TABLE shares (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    -- Drawn by the member's client, like everything that is sealed with it.
    id uuid NOT NULL,
    author uuid NOT NULL,
    salt bytea NOT NULL CHECK (length(salt) = 16),
    token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
    -- Present while the share can be opened.
    manifest bytea,
    -- Of its packs, before coding.
    bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    max_downloads int NOT NULL CHECK (max_downloads BETWEEN 1 AND 1000),
    downloads int NOT NULL DEFAULT 0 CHECK (downloads BETWEEN 0 AND max_downloads),
    wrong_tokens int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- When all packs were stored and the manifest came.
    published_at timestamptz,
    last_download_at timestamptz,
    -- From its creation, once it is published. Until then it has a day.
    days int NOT NULL CHECK (days BETWEEN 1 AND 365),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    end_reason text CHECK (end_reason IN ('ended', 'used', 'guessed')),
    PRIMARY KEY (company_id, id),
    CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
    CHECK (manifest IS NULL OR published_at IS NOT NULL)
);
CREATE INDEX shares_by_author ON shares (company_id, author);
CREATE INDEX shares_by_end ON shares (expires_at);

-- What the team leader allows; without a row, shares of up to 30 days.
CREATE TABLE share_policies (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    is_allowed bool NOT NULL,
    max_days int NOT NULL CHECK (max_days BETWEEN 1 AND 365)
);


-- ==== Storage: requests for files ================================================================

-- Links by which people outside send files to the members of a space. The service knows sizes and
-- times; what a token and the keys are derived from never reaches it.
CREATE TABLE file_requests (
    company_id int NOT NULL,
    -- Drawn by the member's client, like everything that is sealed with it.
    id uuid NOT NULL,
    space_id uuid NOT NULL,
    -- The request ends with it.
    generation int NOT NULL CHECK (generation >= 1),
    author uuid NOT NULL,
    public_keys bytea NOT NULL CHECK (length(public_keys) = 1249),
    token_hash bytea NOT NULL CHECK (length(token_hash) = 32),
    -- What is asked for, for whoever has the link; and where it is meant to go, for members.
    details bytea NOT NULL,
    folder bytea NOT NULL,
    max_bytes bigint NOT NULL CHECK (max_bytes BETWEEN 1 AND 1000000000000),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CREATE INDEX file_requests_by_space ON file_requests (company_id, space_id);
CREATE INDEX file_requests_by_end ON file_requests (expires_at);

-- What somebody outside has sent, or is sending.
CREATE TABLE arrivals (
    company_id int NOT NULL,
    -- Drawn by the sender's program.
    id uuid NOT NULL,
    request_id uuid NOT NULL,
    -- Present from the arrival until a member has decided.
    upload_key bytea CHECK (length(upload_key) = 1185),
    manifest bytea,
    -- Of its packs, before coding.
    bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    arrived_at timestamptz,
    decided_at timestamptz,
    is_accepted bool,
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, request_id) REFERENCES file_requests (company_id, id)
        ON DELETE CASCADE,
    CHECK ((decided_at IS NULL) = (is_accepted IS NULL)),
    CHECK ((upload_key IS NULL) = (manifest IS NULL)),
    CHECK (manifest IS NULL OR arrived_at IS NOT NULL),
    CHECK (decided_at IS NULL OR arrived_at IS NOT NULL)
);
CREATE INDEX arrivals_by_request ON arrivals (company_id, request_id);
CREATE INDEX arrivals_by_age ON arrivals (created_at);

-- What the team leader allows; without a row, requests of up to 30 days.
CREATE TABLE request_policies (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    is_allowed bool NOT NULL,
    max_days int NOT NULL CHECK (max_days BETWEEN 1 AND 365)
);


-- ==== Storage: packs and copies ==================================================================

-- Encrypted chunks of a space, a share or an arrival, cut into shards, each in another warehouse. The
-- server knows sizes, checksums and places. Members transfer the bytes themselves.
CREATE TABLE packs (
    company_id int NOT NULL,
    id bytea NOT NULL CHECK (length(id) = 16),
    space_id uuid,
    share_id uuid,
    arrival_id uuid,
    -- Those of shares and arrivals have generation 0.
    generation int NOT NULL CHECK (generation >= 0),
    k int NOT NULL CHECK (k >= 1),
    n int NOT NULL CHECK (n > k AND n <= 16),
    length int NOT NULL CHECK (length BETWEEN 1 AND 17825792),
    -- Bytes of objects that were larger than their shard. They are booked, and the objects deleted.
    excess bigint NOT NULL DEFAULT 0 CHECK (excess >= 0),
    author uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- When k shards were stored for the first time; from then on it counts against the quota.
    booked_at timestamptz,
    -- The log entry that added it, and the digest of its data shards stated there.
    sequence bigint,
    digest bytea CHECK (length(digest) = 32),
    retired_at timestamptz,
    -- The shards are deleted. The row stays, because the log names a pack once.
    deleted_at timestamptz,
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, share_id) REFERENCES shares (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, arrival_id) REFERENCES arrivals (company_id, id) ON DELETE CASCADE,
    CHECK (num_nonnulls(space_id, share_id, arrival_id) = 1),
    CHECK ((generation = 0) = (space_id IS NULL)),
    CHECK (space_id IS NOT NULL OR sequence IS NULL),
    CHECK ((sequence IS NULL) = (digest IS NULL)),
    CHECK (retired_at IS NULL OR sequence IS NOT NULL)
);
CREATE INDEX packs_by_space ON packs (company_id, space_id);
CREATE INDEX packs_by_share ON packs (company_id, share_id) WHERE share_id IS NOT NULL;
CREATE INDEX packs_by_arrival ON packs (company_id, arrival_id) WHERE arrival_id IS NOT NULL;
CREATE INDEX packs_uncommitted ON packs (created_at) WHERE sequence IS NULL;
CREATE INDEX packs_retired ON packs (retired_at)
    WHERE retired_at IS NOT NULL AND deleted_at IS NULL;

-- A shard is pending until it was found in its warehouse, missing if it was and no longer is, and
-- wrong if another object is there. Without a warehouse (it was removed) it is lost.
CREATE TABLE pack_shards (
    company_id int NOT NULL,
    pack_id bytea NOT NULL,
    index int NOT NULL CHECK (index BETWEEN 0 AND 15),
    -- Shared warehouses belong to the platform's company.
    warehouse_company_id int,
    warehouse_id bigint,
    -- Of the whole object, header included.
    size int NOT NULL CHECK (size > 96),
    sha256 bytea NOT NULL CHECK (length(sha256) = 32),
    state text NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'stored', 'missing', 'wrong')),
    -- As the provider stated it when the shard was stored; comparable with later statements only.
    checksum text,
    checked_at timestamptz,
    is_stored bool NOT NULL
        GENERATED ALWAYS AS (state = 'stored' AND warehouse_id IS NOT NULL) STORED,
    PRIMARY KEY (company_id, pack_id, index),
    -- Never two shards of a pack in one warehouse.
    UNIQUE (company_id, pack_id, warehouse_id),
    FOREIGN KEY (company_id, pack_id) REFERENCES packs (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE SET NULL,
    CHECK (warehouse_company_id IN (1, company_id)),
    CHECK ((warehouse_company_id IS NULL) = (warehouse_id IS NULL))
);
CREATE INDEX pack_shards_not_stored ON pack_shards (company_id, pack_id) WHERE NOT is_stored;
CREATE INDEX pack_shards_by_warehouse
    ON pack_shards (warehouse_company_id, warehouse_id, company_id);
CREATE INDEX pack_shards_by_check ON pack_shards (company_id, checked_at) WHERE is_stored;
-- Which shards are due for an audit.
CREATE INDEX pack_shards_by_age ON pack_shards (checked_at) WHERE is_stored;
CREATE INDEX pack_shards_to_audit ON pack_shards (warehouse_company_id, warehouse_id, checked_at)
    WHERE is_stored;

-- Bytes of packs that are being uploaded, counted against the quota until the warehouses were asked
-- what was stored with the links. A row stays as long as something may still arrive; `bytes` is what
-- counts, and 0 once it is booked or released.
CREATE TABLE upload_reservations (
    company_id int NOT NULL,
    pack_id bytea NOT NULL,
    bytes bigint NOT NULL CHECK (bytes >= 0),
    expires_at timestamptz NOT NULL,
    -- When the warehouses are asked next.
    check_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, pack_id),
    FOREIGN KEY (company_id, pack_id) REFERENCES packs (company_id, id) ON DELETE CASCADE
);
CREATE INDEX upload_reservations_by_check ON upload_reservations (check_at);

-- Booked bytes before coding, by billing month and author.
CREATE TABLE usage_months (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    starts_at timestamptz NOT NULL,
    member uuid NOT NULL,
    bytes bigint NOT NULL CHECK (bytes >= 0),
    packs int NOT NULL CHECK (packs >= 0),
    PRIMARY KEY (company_id, starts_at, member)
);

-- Up to which entry each warehouse has a copy of the log.
CREATE TABLE log_copies (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    warehouse_company_id int NOT NULL,
    warehouse_id bigint NOT NULL,
    sequence bigint NOT NULL CHECK (sequence >= 1),
    PRIMARY KEY (company_id, space_id, warehouse_id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE
);
CREATE INDEX log_copies_by_warehouse ON log_copies (warehouse_company_id, warehouse_id);

-- Which recovery kits each warehouse has.
CREATE TABLE recovery_copies (
    company_id int NOT NULL,
    counter int NOT NULL,
    warehouse_company_id int NOT NULL,
    warehouse_id bigint NOT NULL,
    PRIMARY KEY (company_id, counter, warehouse_id),
    FOREIGN KEY (company_id, counter) REFERENCES recovery_kits (company_id, counter)
        ON DELETE CASCADE,
    FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE
);
CREATE INDEX recovery_copies_by_warehouse ON recovery_copies (warehouse_company_id, warehouse_id);

-- What deleted companies left behind in shared warehouses. The rows belong to the platform's company,
-- like the warehouses that they refer to.
CREATE TABLE prefix_deletions (
    platform_company_id int NOT NULL DEFAULT 1 CHECK (platform_company_id = 1),
    id bigint GENERATED ALWAYS AS IDENTITY,
    company_uuid uuid NOT NULL,
    warehouse_id bigint NOT NULL,
    -- How many there were when the first one was deleted.
    objects int,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (platform_company_id, id),
    FOREIGN KEY (platform_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE
);
CREATE INDEX prefix_deletions_by_warehouse ON prefix_deletions (platform_company_id, warehouse_id);
GRANT INSERT ON prefix_deletions TO tessera_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON prefix_deletions TO tessera_platform;

-- What the mail about a deleted company will say, and to whom, sealed. The mail is sent, and the row
-- deleted, once nothing is left in any shared warehouse. The rows belong to the platform's company.
CREATE TABLE deletion_proofs (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    company_uuid uuid NOT NULL,
    sealed bytea NOT NULL,
    -- Shared warehouses that may still hold something, and how many objects the others held.
    warehouses_left int NOT NULL CHECK (warehouses_left >= 0),
    objects int NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, id)
);

-- The warehouses that the company of the transaction stores in or has shards in, with their sealed
-- credentials: its own, and the shared ones, which row security hides.
CREATE FUNCTION storage_warehouses()
RETURNS TABLE (
    company_id int, id bigint, type int, nick_name text, status int, has_been_active bool,
    status_since timestamptz, last_check_at timestamptz, leaving_since timestamptz,
    created_at timestamptz, sealed bytea, key_version int, wrapped bytea, wrapped_by bytea
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT w.company_id, w.id, w.type, w.nick_name, w.status, w.has_been_active,
           COALESCE((SELECT max(t.at) FROM warehouse_transitions t
                      WHERE t.company_id = w.company_id AND t.warehouse_id = w.id), w.created_at),
           w.last_check_at, w.leaving_since, w.created_at, w.sealed, w.key_version, d.wrapped,
           d.wrapped_by
      FROM (SELECT NULLIF(current_setting('app.company', true), '')::int AS id) c
      JOIN warehouses w ON w.company_id = c.id OR (w.company_id = 1 AND (
               EXISTS (SELECT FROM shared_warehouses s
                        WHERE s.company_id = c.id AND s.warehouse_id = w.id)
            OR EXISTS (SELECT FROM pack_shards p WHERE p.warehouse_company_id = 1
                        AND p.warehouse_id = w.id AND p.company_id = c.id)))
      JOIN data_keys d ON d.company_id = w.company_id AND d.version = w.key_version
     ORDER BY w.created_at, w.id
$$;

-- Shards that are missing, wrong, or in a warehouse that the company leaves are rebuilt from the
-- others and stored elsewhere.
CREATE TABLE repairs (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    -- How many packs there were to repair at the start.
    packs int NOT NULL CHECK (packs >= 0),
    repaired int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    bytes_read bigint NOT NULL DEFAULT 0,
    bytes_written bigint NOT NULL DEFAULT 0,
    -- Packs are repaired in the order of their ids; this one was the last.
    last_pack bytea NOT NULL DEFAULT '',
    PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX repairs_open ON repairs (company_id) WHERE finished_at IS NULL;

-- Companies whose leader was told that files are at risk, until they are safe again.
CREATE TABLE storage_risks (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    since timestamptz NOT NULL DEFAULT now()
);

-- When a device's backups last completed, and after how many days without one its user is mailed.
-- The id is chosen by the client at random; nothing says what is backed up.
CREATE TABLE device_backups (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    id text NOT NULL CHECK (id ~ '^[0-9a-f]{16}$'),
    session_id bigint NOT NULL,
    days int NOT NULL CHECK (days BETWEEN 1 AND 90),
    ran_at timestamptz NOT NULL DEFAULT now(),
    -- When the mail was sent; once for each time without a backup.
    warned_at timestamptz,
    PRIMARY KEY (company_id, user_id, id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, session_id) REFERENCES sessions (company_id, id) ON DELETE CASCADE
);
CREATE INDEX device_backups_of_session ON device_backups (company_id, session_id);
CREATE INDEX device_backups_unwarned ON device_backups (ran_at) WHERE warned_at IS NULL;


-- ==== Company identity ===========================================================================

-- OpenID providers that prove who the company's members are. They open no keys. One without an issuer is
-- not set up yet: it is there so that the leader can allow its addresses at the provider first.
CREATE TABLE sso_providers (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- In its redirect and logout addresses, by which providers are told apart.
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    name text NOT NULL,
    issuer text,
    client_id text,
    sealed_secret bytea,
    -- Domains that name no provider lead to this one.
    is_default bool NOT NULL DEFAULT false,
    saved_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, uuid),
    -- A subject belongs to an issuer.
    UNIQUE (company_id, issuer),
    CHECK ((issuer IS NULL) = (client_id IS NULL) AND (issuer IS NULL) = (sealed_secret IS NULL)),
    CHECK (NOT is_default OR issuer IS NOT NULL)
);
CREATE UNIQUE INDEX sso_providers_default ON sso_providers (company_id) WHERE is_default;
CREATE UNIQUE INDEX sso_providers_by_name ON sso_providers (company_id, lower(name));

-- Mail domains of a company. One is proved by a DNS TXT record that holds its token, and then belongs to
-- this company alone: see proved_domains. The record is looked up daily from then on.
CREATE TABLE company_domains (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    -- In lower case, as it is in the DNS: other scripts in Punycode.
    domain text NOT NULL,
    token text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    proved_at timestamptz,
    checked_at timestamptz,
    -- Daily checks in a row that did not find the record, and when the first of them was.
    missed_checks int NOT NULL DEFAULT 0,
    missing_since timestamptz,
    -- When it stopped being proved because of them.
    lost_at timestamptz,
    -- NULL: people with addresses of the domain are led to the default one.
    provider_id bigint,
    PRIMARY KEY (company_id, domain),
    FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers ON DELETE SET NULL (provider_id),
    CHECK ((missed_checks > 0) = (missing_since IS NOT NULL)),
    CHECK (proved_at IS NULL OR lost_at IS NULL)
);
CREATE INDEX company_domains_of_provider ON company_domains (company_id, provider_id);

-- Whose account an issuer's subject is. Addresses play no part once this row is there.
CREATE TABLE sso_identities (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    linked_at timestamptz NOT NULL DEFAULT now(),
    last_login_at timestamptz,
    PRIMARY KEY (company_id, user_id),
    UNIQUE (company_id, issuer, subject),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, issuer) REFERENCES sso_providers (company_id, issuer) ON DELETE CASCADE
);

-- Logins under way. What the provider has to return is derived from a secret in the browser's cookie,
-- of which only the hash is here.
CREATE TABLE sso_logins (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    provider_id bigint NOT NULL,
    browser_hash bytea NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    -- The provider's answer counts once, whatever came of it.
    answered_at timestamptz,
    -- Whom it proved.
    user_id bigint,
    subject text,
    provider_session text,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, browser_hash),
    FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers ON DELETE CASCADE,
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    CHECK ((user_id IS NULL) = (subject IS NULL)),
    CHECK (subject IS NULL OR answered_at IS NOT NULL)
);
CREATE INDEX sso_logins_of_provider ON sso_logins (company_id, provider_id);
CREATE INDEX sso_logins_of_user ON sso_logins (company_id, user_id);
CREATE INDEX sso_logins_by_expiry ON sso_logins (expires_at);

-- Logins of the client program, which a person confirms in a browser. What is here opens none: the
-- program keeps its handle and the verifier of the challenge, and where the browser is on the same
-- computer, the code comes back through it.
CREATE TABLE sso_client_logins (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    provider_id bigint NOT NULL,
    handle_hash bytea NOT NULL,
    challenge bytea NOT NULL,
    -- NULL: the person types the device code.
    redirect_port int CHECK (redirect_port BETWEEN 1 AND 65535),
    redirect_state text,
    device_code_hash bytea NOT NULL,
    client_name text NOT NULL,
    client_system text NOT NULL,
    client_version text NOT NULL,
    origin text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    -- Confirmed by the user, or refused by somebody.
    decided_at timestamptz,
    user_id bigint,
    subject text,
    provider_session text,
    code_hash bytea,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, handle_hash),
    UNIQUE (company_id, device_code_hash),
    FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers ON DELETE CASCADE,
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    CHECK ((redirect_port IS NULL) = (redirect_state IS NULL)),
    CHECK ((user_id IS NULL) = (subject IS NULL) AND (user_id IS NULL) = (code_hash IS NULL)),
    CHECK (user_id IS NULL OR decided_at IS NOT NULL)
);
CREATE INDEX sso_client_logins_of_provider ON sso_client_logins (company_id, provider_id);
CREATE INDEX sso_client_logins_of_user ON sso_client_logins (company_id, user_id);
CREATE INDEX sso_client_logins_by_expiry ON sso_client_logins (expires_at);

-- Logouts that a provider has announced: each counts once.
CREATE TABLE sso_logouts (
    company_id int NOT NULL,
    provider_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, provider_id, token_hash),
    FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers ON DELETE CASCADE
);
CREATE INDEX sso_logouts_by_time ON sso_logouts (received_at);


-- ==== Directories ================================================================================
-- Triggers maintain them, whoever writes; no role of the service has a right to them.

CREATE TABLE user_emails (
    email_folded text PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL
);
CREATE TABLE user_uuids (
    uuid uuid PRIMARY KEY,
    company_id int NOT NULL
);

CREATE FUNCTION list_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    CASE TG_OP
        WHEN 'INSERT' THEN
            INSERT INTO user_emails VALUES (NEW.email_folded, NEW.company_id, NEW.id);
            INSERT INTO user_uuids VALUES (NEW.uuid, NEW.company_id);
        WHEN 'UPDATE' THEN
            UPDATE user_emails SET email_folded = NEW.email_folded
             WHERE email_folded = OLD.email_folded;
        WHEN 'DELETE' THEN
            DELETE FROM user_emails WHERE email_folded = OLD.email_folded;
            DELETE FROM user_uuids WHERE uuid = OLD.uuid;
    END CASE;
    RETURN NULL;
END $$;
CREATE TRIGGER list_user AFTER INSERT OR UPDATE OF email_folded OR DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION list_user();

CREATE TABLE passkey_credentials (
    credential_id bytea PRIMARY KEY,
    company_id int NOT NULL
);

-- A credential that is listed already is not added.
CREATE FUNCTION list_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO passkey_credentials VALUES (NEW.credential_id, NEW.company_id)
        ON CONFLICT DO NOTHING;
    RETURN CASE WHEN FOUND THEN NEW END;
END $$;
CREATE TRIGGER list_passkey BEFORE INSERT ON passkeys
    FOR EACH ROW EXECUTE FUNCTION list_passkey();

CREATE FUNCTION unlist_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM passkey_credentials WHERE credential_id = OLD.credential_id;
    RETURN NULL;
END $$;
CREATE TRIGGER unlist_passkey AFTER DELETE ON passkeys
    FOR EACH ROW EXECUTE FUNCTION unlist_passkey();

-- Whoever opens a link names the share and no company.
CREATE TABLE share_ids (
    id uuid PRIMARY KEY,
    company_id int NOT NULL
);

CREATE FUNCTION list_share() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO share_ids VALUES (NEW.id, NEW.company_id);
    ELSE
        DELETE FROM share_ids WHERE id = OLD.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER list_share AFTER INSERT OR DELETE ON shares
    FOR EACH ROW EXECUTE FUNCTION list_share();

CREATE FUNCTION find_share(share uuid) RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT company_id FROM share_ids WHERE id = share
$$;

-- A domain can be proved by one company only, and the login page asks whose it is. One whose record went
-- missing stays with its company until another one proves it: members with linked accounts get in.
CREATE TABLE proved_domains (
    domain text PRIMARY KEY,
    company_id int NOT NULL
);

CREATE FUNCTION list_domain() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND COALESCE(OLD.proved_at, OLD.lost_at) IS NOT NULL THEN
        DELETE FROM proved_domains WHERE domain = OLD.domain;
    END IF;
    IF TG_OP <> 'DELETE' AND COALESCE(NEW.proved_at, NEW.lost_at) IS NOT NULL THEN
        INSERT INTO proved_domains VALUES (NEW.domain, NEW.company_id);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER list_domain AFTER INSERT OR UPDATE OR DELETE ON company_domains
    FOR EACH ROW EXECUTE FUNCTION list_domain();

CREATE FUNCTION find_domain(asked text) RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT company_id FROM proved_domains WHERE domain = asked
$$;

-- A provider that announces a logout names the company and nobody in it.
CREATE FUNCTION find_company(asked uuid) RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT id FROM companies WHERE uuid = asked
$$;

-- Whoever sends files names the request and no company.
CREATE TABLE file_request_ids (
    id uuid PRIMARY KEY,
    company_id int NOT NULL
);

CREATE FUNCTION list_file_request() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO file_request_ids VALUES (NEW.id, NEW.company_id);
    ELSE
        DELETE FROM file_request_ids WHERE id = OLD.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER list_file_request AFTER INSERT OR DELETE ON file_requests
    FOR EACH ROW EXECUTE FUNCTION list_file_request();

CREATE FUNCTION find_file_request(request uuid) RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT company_id FROM file_request_ids WHERE id = request
$$;

-- The uuids of deleted people and companies are never accepted again: old entries of a space's log,
-- and keys that somebody kept, still name them. Only hashes stay, for ever, and nothing says whose
-- they were.
CREATE TABLE retired_uuids (
    hash bytea PRIMARY KEY
);

CREATE FUNCTION is_retired(retired uuid) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM retired_uuids WHERE hash = sha256(uuid_send(retired)))
$$;

-- Runs after the row has passed its unique index. An insert that waited there for the deletion of the
-- same uuid therefore sees the hash that the deletion left.
CREATE FUNCTION retire_uuid() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO retired_uuids VALUES (sha256(uuid_send(OLD.uuid))) ON CONFLICT DO NOTHING;
    ELSIF is_retired(NEW.uuid) THEN
        RAISE unique_violation USING
            MESSAGE = 'the uuid is retired', CONSTRAINT = 'retired_uuids_pkey';
    END IF;
    RETURN NULL;
END $$;
-- By its name this one fires after `list_user`, which makes uuids unique over all companies.
CREATE TRIGGER retire_uuid AFTER INSERT OR DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION retire_uuid();
CREATE TRIGGER retire_uuid AFTER INSERT OR DELETE ON companies
    FOR EACH ROW EXECUTE FUNCTION retire_uuid();


-- ==== Totals =====================================================================================

-- A total is the sum of its rows here: usually one row, more where transactions changed the same
-- total at the same time. None waits for another, because each takes a row that nobody else holds.
-- The platform's own totals, over all companies, are kept under its company.
CREATE TABLE row_counts (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    name text NOT NULL CHECK (name IN
        ('members', 'open_invites', 'activity', 'companies', 'all_activity')),
    id bigint GENERATED ALWAYS AS IDENTITY,
    count bigint NOT NULL,
    PRIMARY KEY (company_id, name, id)
) WITH (fillfactor = 50);

CREATE FUNCTION add_to_row_count(company int, counted text, difference bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF difference = 0 THEN
        RETURN;
    END IF;
    UPDATE row_counts SET count = count + difference
     WHERE company_id = company AND name = counted AND id = (
        SELECT id FROM row_counts WHERE company_id = company AND name = counted
         ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        -- The rows of a deleted company are counted off after the company and its totals are gone.
        INSERT INTO row_counts (company_id, name, count)
        SELECT company, counted, difference WHERE EXISTS (SELECT FROM companies WHERE id = company);
    END IF;
END $$;

CREATE FUNCTION row_count(company int, counted text) RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT COALESCE(sum(count), 0)::bigint FROM row_counts
         WHERE company_id = company AND name = counted);

CREATE FUNCTION count_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(company_id, 'members', count(*)) FROM added GROUP BY company_id;
    ELSE
        PERFORM add_to_row_count(company_id, 'members', -count(*)) FROM removed GROUP BY company_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON users
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE TRIGGER count_removed AFTER DELETE ON users
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_members();

CREATE FUNCTION count_open_invites() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_row_count(company_id, 'open_invites', count(*))
           FROM added WHERE state = 'open' GROUP BY company_id;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        PERFORM add_to_row_count(company_id, 'open_invites', -count(*))
           FROM removed WHERE state = 'open' GROUP BY company_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON invites
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();
CREATE TRIGGER count_changed AFTER UPDATE ON invites
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();
CREATE TRIGGER count_removed AFTER DELETE ON invites
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();

CREATE FUNCTION count_activity() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(company_id, 'activity', count(*)) FROM added GROUP BY company_id;
        PERFORM add_to_row_count(1, 'all_activity', count(*)) FROM added;
        INSERT INTO activity_unchained (company_id, activity_id) SELECT company_id, id FROM added;
    ELSE
        PERFORM add_to_row_count(company_id, 'activity', -count(*))
           FROM removed GROUP BY company_id;
        PERFORM add_to_row_count(1, 'all_activity', -count(*)) FROM removed;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON activity
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_activity();
CREATE TRIGGER count_removed AFTER DELETE ON activity
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_activity();

CREATE FUNCTION count_companies() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(1, 'companies', count(*)) FROM added WHERE id <> 1;
    ELSE
        PERFORM add_to_row_count(1, 'companies', -count(*)) FROM removed WHERE id <> 1;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON companies
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_companies();
CREATE TRIGGER count_removed AFTER DELETE ON companies
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_companies();

-- The number of members of each company in one row, so that an index can order companies by it. It
-- follows `row_counts`, whose rows no transaction waits for, at the end of a transaction: what locks a
-- row here waits for nothing else afterwards.
CREATE TABLE member_counts (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    count bigint NOT NULL DEFAULT 0
);
CREATE INDEX member_counts_by_count ON member_counts (count, company_id);

CREATE FUNCTION add_member_count() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO member_counts (company_id) SELECT id FROM added;
    RETURN NULL;
END $$;
CREATE TRIGGER add_member_count AFTER INSERT ON companies
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_member_count();

CREATE FUNCTION follow_member_count() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE member_counts
       SET count = count + NEW.count - CASE TG_OP WHEN 'UPDATE' THEN OLD.count ELSE 0 END
     WHERE company_id = NEW.company_id;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER follow_member_count AFTER INSERT OR UPDATE ON row_counts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.name = 'members')
    EXECUTE FUNCTION follow_member_count();


-- ==== Lookups before the company is known ========================================================
-- Narrow functions over all companies, each for one question. Only the application may call them.


CREATE FUNCTION find_login(folded text)
RETURNS TABLE (company_id int, user_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT e.company_id, e.user_id FROM user_emails e WHERE e.email_folded = folded
$$;

-- The salt of an account, or the invented one. For an unknown address the account of the next one is
-- read too, so that both take the same time.
CREATE FUNCTION login_salt(folded text, invented bytea) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE(
        (SELECT CASE WHEN e.email_folded = folded THEN u.salt ELSE invented END
           FROM (SELECT * FROM user_emails WHERE email_folded >= folded
                  ORDER BY email_folded LIMIT 1) e
           JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id), invented)
$$;

-- Handles of sessions, links and invites name their company: they are looked up in it alone.

CREATE FUNCTION find_link(company int, hash bytea)
RETURNS TABLE (company_id int, link_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT l.company_id, l.id FROM links l WHERE l.company_id = company AND l.token_hash = hash
$$;

CREATE FUNCTION find_invite(company int, hash bytea)
RETURNS TABLE (company_id int, invite_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.company_id, i.id FROM invites i WHERE i.company_id = company AND i.token_hash = hash
$$;

-- Opens the request of a signed-in user: finds the active session, enters its company for this
-- transaction, and returns everything that the guards decide by. The idle limit depends on the kind
-- of session.
CREATE FUNCTION open_session(
    company int, hash bytea, idle interval, client_idle interval, version text)
RETURNS TABLE (
    session_id bigint, kind text, verified_until timestamptz, user_id bigint, user_uuid uuid,
    company_id int, company_uuid uuid, company_name text, role text, first_name text,
    last_name text, language text, is_subscribed bool, can_view_warehouse bool,
    second_factor text, client_version text, allowed_factors text[], min_client_version text,
    allowed_networks text[], allowed_countries text[]
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    session bigint;
    seen timestamptz;
BEGIN
    SELECT s.id, s.kind, s.verified_until, s.last_seen_at, u.id, u.uuid, c.id, c.uuid, c.name,
           u.role, u.first_name, u.last_name, u.language,
           COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL,
           c.can_view_warehouse, s.second_factor,
           CASE s.kind WHEN 'client' THEN COALESCE(version, s.client_version) END,
           p.second_factors, p.min_client_version, p.networks::text[], p.countries
      INTO session, kind, verified_until, seen, user_id, user_uuid, company_id, company_uuid,
           company_name, role, first_name, last_name, language, is_subscribed, can_view_warehouse,
           second_factor, client_version, allowed_factors, min_client_version, allowed_networks,
           allowed_countries
      FROM sessions s
      JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
      JOIN companies c ON c.id = s.company_id
      LEFT JOIN company_policies p ON p.company_id = s.company_id
     WHERE s.company_id = company AND s.handle_hash = hash AND s.ended_at IS NULL
       AND s.expires_at > now()
       AND s.last_seen_at > now() - CASE s.kind WHEN 'client' THEN client_idle ELSE idle END
       AND COALESCE(s.created_at > now() - CASE s.kind
               WHEN 'client' THEN make_interval(days => p.client_session_days)
               ELSE make_interval(hours => p.session_hours) END, true)
       AND u.is_active AND c.is_enabled
       AND (c.deactivated_for_debt_at IS NULL OR u.role = 'teamLeader');
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM set_config('app.company', company::text, true);
    -- Writing at every request would make every read a write; half a minute is exact enough.
    IF seen < now() - interval '30 seconds' THEN
        UPDATE sessions s SET last_seen_at = now(), client_version = open_session.client_version
         WHERE s.company_id = company AND s.id = session;
    END IF;
    session_id := session;
    RETURN NEXT;
END $$;

-- Whether a session of the client program that does not open was ended, by whoever may, or went with
-- its user: the program then erases its keys. One that has merely expired is not meant.
CREATE FUNCTION was_session_ended(company int, hash bytea) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE(
        (SELECT s.kind = 'client' AND (s.ended_at IS NOT NULL OR NOT u.is_active)
           FROM sessions s JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
          WHERE s.company_id = company AND s.handle_hash = hash),
        true)
$$;

CREATE FUNCTION find_customer(id_at_provider text) RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT c.id FROM companies c WHERE c.customer_id = id_at_provider
$$;

-- The id of a company that is about to be created. The transaction enters it first, like any other.
CREATE FUNCTION next_company_id() RETURNS int
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT nextval(pg_get_serial_sequence('companies', 'id'))::int
$$;

-- Whether ids that a browser made exist, or existed, in whichever company.
CREATE FUNCTION uuid_taken(company uuid, person uuid) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM companies WHERE uuid = company)
        OR EXISTS (SELECT FROM user_uuids WHERE uuid = person)
        OR is_retired(company) OR is_retired(person)
$$;

-- Which of these addresses have an account anywhere; an unconfirmed one is nobody's yet. The caller
-- must not pass the answer on.
CREATE FUNCTION known_addresses(folded text[]) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE(array_agg(e.email_folded), '{}') FROM user_emails e
      JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id
     WHERE e.email_folded = ANY(folded) AND u.email_confirmed_at IS NOT NULL
$$;

-- An address that nobody has confirmed is released: at once to whoever proves that it is theirs, and
-- to another sign-up when its account has been unused for long.

CREATE FUNCTION find_unconfirmed(folded text, unused_for interval) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT u.id FROM user_emails e
      JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id
     WHERE e.email_folded = folded AND u.email_confirmed_at IS NULL
       AND u.created_at <= now() - unused_for
       AND NOT EXISTS (SELECT FROM sessions s WHERE s.company_id = u.company_id
                        AND s.user_id = u.id AND s.last_seen_at > now() - unused_for)
$$;

CREATE FUNCTION address_taken(folded text, unused_for interval) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM user_emails e WHERE e.email_folded = folded)
       AND find_unconfirmed(folded, unused_for) IS NULL
$$;

CREATE FUNCTION release_address(folded text, unused_for interval) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int;
    holder bigint := find_unconfirmed(folded, unused_for);
BEGIN
    SELECT e.company_id INTO company FROM user_emails e
     WHERE e.email_folded = folded AND e.user_id = holder;
    UPDATE users SET email = 'released-' || uuid || '@tessera.invalid',
                     email_folded = 'released-' || uuid || '@tessera.invalid'
     WHERE company_id = company AND id = holder AND email_folded = folded
       AND email_confirmed_at IS NULL;
    IF FOUND THEN
        DELETE FROM links WHERE company_id = company AND user_id = holder AND used_at IS NULL;
        INSERT INTO activity (company_id, action, target) VALUES (company, 'email.released', folded);
    END IF;
END $$;

-- Called in the transaction that creates the company, which has entered that company.
CREATE FUNCTION use_access_request(ticket bigint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE access_requests SET state = 'used', token_hash = NULL
     WHERE id = (SELECT access_request_id FROM signup_tickets WHERE id = ticket)
       AND state = 'approved'
$$;

CREATE FUNCTION lost_registrations(older_than interval) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT id FROM registrations WHERE state = 'pending' AND created_at < now() - older_than
$$;


-- ==== Search in lists ============================================================================

-- Row-level security keeps the application role off the search indexes, because PostgreSQL does not
-- know that their operator leaks nothing. The functions at the end use them for the company of the
-- transaction and no other.

-- Returns the ids of the rows that contain a term if there are at most `most`, and how many there
-- are; ids NULL and total most + 1 if there are more; both NULL if reading the list itself is as fast:
-- it is short, or every few rows contain the term, so that a page and `most` rows are soon found.
-- Given a page, returns only its ids, in the order of the ids.
-- `partial` is the condition of the search index, `scope` that of the list, with the company as $3.
CREATE FUNCTION search_rows(
    relation regclass, searched name, partial text, scope text, company int, size bigint, term text,
    most int, page_start bigint, page_size int, newest_first bool, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    folded text := fold_text(term);
    seen bigint;
BEGIN
    IF size <= 5000 OR folded = '' THEN
        RETURN;
    END IF;
    EXECUTE format(
        'SELECT count(*) FROM (SELECT %1$I AS searched FROM %2$s WHERE %3$s AND %4$s'
        ' ORDER BY id DESC LIMIT 400) newest WHERE position($1 IN searched) > 0',
        searched, relation, partial, scope)
       INTO seen USING folded, most, company;
    -- A short term costs the index more, because it reads every trigram that begins with the term.
    IF seen > (CASE WHEN length(folded) < 3 THEN 50 ELSE 100 END) THEN
        RETURN;
    END IF;
    SELECT * INTO ids, seen
      FROM trigram_matches(relation, searched, partial, scope, company, folded, most);
    IF seen > most AND cardinality(ids) <= most THEN
        -- Rows of other companies, or rows with the term's trigrams but not the term, were seen.
        SELECT * INTO ids, seen
          FROM trigram_matches(relation, searched, partial, scope, company, folded, size / 2);
        IF seen > size / 2 AND cardinality(ids) <= most THEN
            ids := NULL;
            RETURN;
        END IF;
    END IF;
    total := least(cardinality(ids), most + 1);
    IF total > most THEN
        ids := NULL;
    ELSIF page_size IS NOT NULL AND newest_first THEN
        ids := ARRAY(SELECT unnest(ids) AS id ORDER BY id DESC LIMIT page_size OFFSET page_start);
    ELSIF page_size IS NOT NULL THEN
        ids := ARRAY(SELECT unnest(ids) AS id ORDER BY id LIMIT page_size OFFSET page_start);
    END IF;
END $$;

-- Reads at most `candidates` + 1 rows with all trigrams of the term, and returns how many it read and
-- which of them contain the term; up to three characters, all of them do. Always by the index:
-- computing the trigrams of each row costs far more than looking for the term in it.
CREATE FUNCTION trigram_matches(
    relation regclass, searched name, partial text, scope text, company int, folded text,
    candidates bigint, OUT ids bigint[], OUT seen bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off
SET work_mem = '32MB' AS $$
BEGIN
    EXECUTE format(
        'SELECT COALESCE(array_agg(id::bigint) FILTER (WHERE matches), ''{}''), count(*)'
        ' FROM (SELECT id, %4$s%5$s AS matches FROM %2$s'
        '        WHERE trigram_vector(%1$I) @@ $4 AND %3$s LIMIT $2 + 1) AS maybe',
        searched, relation, partial, scope,
        CASE WHEN length(folded) > 3 THEN format(' AND position($1 IN %I) > 0', searched) END)
       INTO ids, seen USING folded, candidates, company, trigram_query(folded);
END $$;

-- For the company of the transaction.
CREATE FUNCTION member_matches(
    term text, most int, page_start bigint, page_size int, newest_first bool,
    OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('users', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'members'), term, most, page_start, page_size, newest_first);
END $$;

CREATE FUNCTION invite_matches(
    term text, most int, page_start bigint, page_size int, newest_first bool,
    OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('invites', 'email_sorted', 'state = ''open''',
        'company_id = $3', company, row_count(company, 'open_invites'), term, most,
        page_start, page_size, newest_first);
END $$;

CREATE FUNCTION activity_matches(
    term text, most int, page_start bigint, page_size int, newest_first bool,
    OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('activity', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'activity'), term, most, page_start, page_size, newest_first);
END $$;

-- Over all companies, for the platform role.
CREATE FUNCTION company_matches(
    term text, most int, page_start bigint, page_size int, newest_first bool,
    OUT ids bigint[], OUT total int)
LANGUAGE sql STABLE AS $$
    SELECT * FROM search_rows('companies', 'search_text', 'true', 'id <> 1', 1,
        row_count(1, 'companies'), term, most, page_start, page_size, newest_first)
$$;

CREATE FUNCTION all_activity_matches(
    term text, most int, page_start bigint, page_size int, newest_first bool,
    OUT ids bigint[], OUT total int)
LANGUAGE sql STABLE AS $$
    SELECT * FROM search_rows('activity', 'search_text', 'true', 'true', 1,
        row_count(1, 'all_activity'), term, most, page_start, page_size, newest_first)
$$;


-- ==== Purges =====================================================================================
-- What the application role may delete over all companies.

-- The oldest records of the company of the transaction, up to the anchor that the caller has left.
-- Thirty days are kept whatever is asked for.
CREATE FUNCTION forget_old_activity(days int) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH company AS (
        SELECT company_id, anchor_sequence FROM activity_heads
         WHERE company_id = NULLIF(current_setting('app.company', true), '')::int
    ), unchained AS (
        DELETE FROM activity_chain c USING company
         WHERE c.company_id = company.company_id AND c.sequence <= company.anchor_sequence
           AND NOT EXISTS (SELECT FROM activity a WHERE a.company_id = c.company_id
                AND a.id = c.activity_id
                AND a.at >= now() - make_interval(days => greatest(days, 30)))
        RETURNING c.company_id, c.activity_id
    ), gone AS (
        DELETE FROM activity a USING unchained u
         WHERE a.company_id = u.company_id AND a.id = u.activity_id
    )
    SELECT count(*) FROM unchained
$$;

-- Rows that nothing reads any more, at most `maximum` of each table. Returns the largest number
-- deleted from one.
CREATE FUNCTION purge_expired_logins(maximum int) RETURNS bigint
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
    ), old_api_tokens AS (
        DELETE FROM api_tokens WHERE (company_id, id) IN (
            SELECT company_id, id FROM api_tokens
             WHERE least(revoked_at, expires_at) < now() - interval '90 days'
            LIMIT maximum) RETURNING 1
    ), old_scim_tokens AS (
        DELETE FROM scim_tokens WHERE (company_id, id) IN (
            SELECT company_id, id FROM scim_tokens WHERE expires_at < now()
            LIMIT maximum) RETURNING 1
    ), old_sso_logins AS (
        DELETE FROM sso_logins WHERE (company_id, id) IN (
            SELECT company_id, id FROM sso_logins WHERE expires_at < now() - interval '1 day'
            LIMIT maximum) RETURNING 1
    ), old_client_logins AS (
        DELETE FROM sso_client_logins WHERE (company_id, id) IN (
            SELECT company_id, id FROM sso_client_logins
             WHERE expires_at < now() - interval '1 day'
            LIMIT maximum) RETURNING 1
    ), old_sso_logouts AS (
        DELETE FROM sso_logouts WHERE (company_id, provider_id, token_hash) IN (
            SELECT company_id, provider_id, token_hash FROM sso_logouts
             WHERE received_at < now() - interval '1 day'
            LIMIT maximum) RETURNING 1
    ), old_devices AS (
        DELETE FROM remembered_devices WHERE (company_id, id) IN (
            SELECT company_id, id FROM remembered_devices WHERE expires_at < now()
            LIMIT maximum) RETURNING 1
    )
    SELECT greatest(
        (SELECT count(*) FROM old_sessions), (SELECT count(*) FROM old_codes),
        (SELECT count(*) FROM old_links), (SELECT count(*) FROM old_messages),
        (SELECT count(*) FROM old_devices), (SELECT count(*) FROM old_api_tokens),
        (SELECT count(*) FROM old_scim_tokens), (SELECT count(*) FROM old_sso_logins),
        (SELECT count(*) FROM old_client_logins), (SELECT count(*) FROM old_sso_logouts))
$$;

-- Tickets go with their registrations and codes a day after they expire, codes of invites once they
-- no longer count towards limits or can lead to an account, decided requests after 90 days.
CREATE FUNCTION purge_expired_guests() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM signup_tickets t WHERE expires_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM registrations r
                        WHERE r.ticket_id = t.id AND r.state = 'pending');
    DELETE FROM guest_codes WHERE sent_at < now() - interval '30 days';
    DELETE FROM access_requests WHERE decided_at < now() - interval '90 days'
$$;


-- ==== Rights =====================================================================================

-- Every table with a company_id is a tenant table, except the directories and the rows of guests.
DO $$
DECLARE
    tenant_table regclass;
BEGIN
    CALL protect_tenant_table('companies', 'id');
    FOR tenant_table IN
        SELECT c.oid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
           AND a.attname = 'company_id' AND c.relname NOT IN
               ('guest_codes', 'registrations', 'user_emails', 'user_uuids', 'passkey_credentials',
                'share_ids', 'proved_domains', 'file_request_ids')
    LOOP
        CALL protect_tenant_table(tenant_table);
    END LOOP;
END $$;

-- Work across companies needs no secrets: neither what clients and browsers sealed, nor what opens an
-- account. The tables of the first statement hold little else. Of the others, the platform role
-- cannot read or change these columns; new rows it may add.
REVOKE ALL ON company_passphrases, company_keys, former_passphrases, key_handovers, member_keys,
    recovery_records, recovery_kits, recovery_handovers, grants, log_entries, codes, recovery_codes,
    passkeys, passkey_challenges, links, remembered_devices, api_tokens, scim_tokens, sso_logins,
    sso_client_logins, sso_logouts, leases
    FROM tessera_platform;
DO $$
DECLARE
    secret record;
BEGIN
    FOR secret IN
        SELECT a.attrelid::regclass AS name,
               string_agg(quote_ident(a.attname), ', ') FILTER (WHERE NOT a.attname = ANY (v.columns))
                   AS others
          FROM (VALUES ('users'::regclass, '{salt,password_hash,sealed_user_key}'::name[]),
                       ('sessions', '{handle_hash}'), ('invites', '{token_hash}'),
                       ('access_requests', '{token_hash}'), ('signup_tickets', '{token_hash}'),
                       ('guest_codes', '{code_hash}'), ('shares', '{salt,token_hash}'),
                       ('file_requests', '{token_hash}'),
                       ('warehouses', '{sealed}'),
                       ('webhooks', '{sealed}')) AS v (relation, columns)
          JOIN pg_attribute a ON a.attrelid = v.relation AND a.attnum > 0 AND NOT a.attisdropped
         GROUP BY a.attrelid
    LOOP
        EXECUTE format('REVOKE SELECT, UPDATE ON %s FROM tessera_platform', secret.name);
        EXECUTE format('GRANT SELECT (%1$s), UPDATE (%1$s) ON %2$s TO tessera_platform',
                       secret.others, secret.name);
    END LOOP;
END $$;
REVOKE UPDATE, DELETE ON former_passphrases FROM tessera_app;
-- Nobody can rewrite the activity, and only triggers count.
REVOKE UPDATE, DELETE ON activity, activity_chain FROM tessera_app, tessera_platform;
REVOKE INSERT, UPDATE ON activity_unchained FROM tessera_app, tessera_platform;
REVOKE INSERT, UPDATE, DELETE ON row_counts, member_counts FROM tessera_app, tessera_platform;

-- What looks over all companies, or writes what the caller may not, is called by these roles only.
REVOKE ALL ON FUNCTION
    set_subscription_state, follow_subscription_status, add_member_count, follow_member_count,
    add_to_row_count, is_retired, find_unconfirmed,
    assign_shared_warehouses, shared_warehouse_states, storage_warehouses,
    find_login, login_salt, find_link, find_invite, find_share, find_file_request, find_domain, find_company,
    open_session,
    was_session_ended,
    find_customer, next_company_id, uuid_taken, known_addresses, address_taken, release_address,
    use_access_request, lost_registrations, forget_old_activity, purge_expired_logins, purge_expired_guests,
    member_matches, invite_matches, activity_matches,
    search_rows, trigram_matches, company_matches, all_activity_matches FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    assign_shared_warehouses, shared_warehouse_states, storage_warehouses
    TO tessera_app, tessera_platform;
GRANT EXECUTE ON FUNCTION
    find_login, login_salt, find_link, find_invite, find_share, find_file_request, find_domain, find_company,
    open_session,
    was_session_ended,
    find_customer, next_company_id, uuid_taken, known_addresses, address_taken, release_address,
    use_access_request, lost_registrations, forget_old_activity, purge_expired_logins, purge_expired_guests,
    member_matches, invite_matches, activity_matches TO tessera_app;
GRANT EXECUTE ON FUNCTION
    search_rows, trigram_matches, company_matches, all_activity_matches TO tessera_platform;


-- ==== First rows =================================================================================

-- The platform's own company. Admins belong to it; it is never listed, disabled or deleted.
INSERT INTO companies (id, uuid, name, email, phone_number, subscribed_until)
VALUES (1, gen_random_uuid(), 'Tessera', 'platform@tessera.invalid', '', 'infinity');
ALTER TABLE companies ALTER COLUMN id RESTART WITH 2;

INSERT INTO billing_clock DEFAULT VALUES;
