-- Written by `make schema` from a migrated database; do not edit. Comments are in the migrations.
-- Left out is the schema `dbos`, which belongs to the workflow engine.

CREATE TABLE access_requests (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    company_id integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    company_name text NOT NULL,
    email text NOT NULL,
    email_folded text NOT NULL,
    language text NOT NULL,
    state text NOT NULL DEFAULT 'open',
    token_hash bytea,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    admins_told_at timestamp with time zone,
    decided_at timestamp with time zone,
    expires_at timestamp with time zone,
    search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(((((name || ' ') || company_name) || ' ') || email))) STORED,
    CONSTRAINT access_requests_pkey PRIMARY KEY (id),
    CONSTRAINT access_requests_token_hash_key UNIQUE (token_hash),
    CONSTRAINT access_requests_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id),
    CONSTRAINT access_requests_check CHECK (((state = 'open') = (decided_at IS NULL))),
    CONSTRAINT access_requests_check1 CHECK (((state = 'approved') = (token_hash IS NOT NULL))),
    CONSTRAINT access_requests_company_id_check CHECK ((company_id = 1)),
    CONSTRAINT access_requests_state_check CHECK ((state = ANY (ARRAY['open', 'approved', 'declined', 'used'])))
);
CREATE UNIQUE INDEX one_open_access_request_an_address ON access_requests USING btree (email_folded) WHERE (state = 'open');
ALTER TABLE access_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON access_requests FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON access_requests FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON access_requests TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON access_requests TO tessera_app;
GRANT SELECT (id, company_id, name, company_name, email, email_folded, language, state, created_at, admins_told_at, decided_at, expires_at, search_text) ON access_requests TO tessera_platform;
GRANT UPDATE (id, company_id, name, company_name, email, email_folded, language, state, created_at, admins_told_at, decided_at, expires_at, search_text) ON access_requests TO tessera_platform;

CREATE TABLE activity (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    at timestamp with time zone NOT NULL DEFAULT now(),
    actor_uuid uuid,
    actor_name text NOT NULL DEFAULT '',
    api_token_id bigint,
    action text NOT NULL,
    target text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}'::jsonb,
    origin text NOT NULL DEFAULT '',
    request_id text NOT NULL DEFAULT '',
    search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(((((((actor_name || chr(10)) || action) || chr(10)) || target) || chr(10)) || origin))) STORED,
    CONSTRAINT activity_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT activity_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
CREATE INDEX activity_by_age ON activity USING btree (at);
CREATE INDEX activity_by_id ON activity USING btree (id);
CREATE INDEX activity_by_text ON activity USING gin (trigram_vector(search_text));
CREATE TRIGGER count_added AFTER INSERT ON activity REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_activity();
CREATE TRIGGER count_removed AFTER DELETE ON activity REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_activity();
ALTER TABLE activity ENABLE ROW LEVEL SECURITY;
ALTER TABLE activity FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON activity FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON activity FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT INSERT, SELECT ON activity TO tessera_app;
GRANT INSERT, SELECT ON activity TO tessera_platform;

CREATE TABLE activity_chain (
    company_id integer NOT NULL,
    sequence bigint NOT NULL,
    activity_id bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT activity_chain_pkey PRIMARY KEY (company_id, sequence),
    CONSTRAINT activity_chain_company_id_activity_id_key UNIQUE (company_id, activity_id),
    CONSTRAINT activity_chain_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT activity_chain_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT activity_chain_sequence_check CHECK ((sequence > 0))
);
ALTER TABLE activity_chain ENABLE ROW LEVEL SECURITY;
ALTER TABLE activity_chain FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON activity_chain FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON activity_chain FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT INSERT, SELECT ON activity_chain TO tessera_app;
GRANT INSERT, SELECT ON activity_chain TO tessera_platform;

CREATE TABLE activity_checks (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    asked_at timestamp with time zone NOT NULL DEFAULT now(),
    kept_sequence bigint,
    kept_hash bytea,
    finished_at timestamp with time zone,
    result jsonb,
    CONSTRAINT activity_checks_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT activity_checks_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT activity_checks_check CHECK (((kept_sequence IS NULL) = (kept_hash IS NULL))),
    CONSTRAINT activity_checks_check1 CHECK (((finished_at IS NULL) = (result IS NULL)))
);
ALTER TABLE activity_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE activity_checks FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON activity_checks FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON activity_checks FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON activity_checks TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON activity_checks TO tessera_platform;

CREATE TABLE activity_heads (
    company_id integer NOT NULL,
    sequence bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
    anchor_sequence bigint NOT NULL DEFAULT 0,
    anchor_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
    anchor_signature bytea,
    CONSTRAINT activity_heads_pkey PRIMARY KEY (company_id),
    CONSTRAINT activity_heads_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT activity_heads_anchor_hash_check CHECK ((length(anchor_hash) = 32)),
    CONSTRAINT activity_heads_check CHECK (((anchor_sequence = 0) = (anchor_signature IS NULL))),
    CONSTRAINT activity_heads_hash_check CHECK ((length(hash) = 32))
);
ALTER TABLE activity_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE activity_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON activity_heads FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON activity_heads FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON activity_heads TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON activity_heads TO tessera_platform;

CREATE TABLE activity_streams (
    company_id integer NOT NULL,
    target text NOT NULL,
    warehouse_id bigint,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    sequence bigint NOT NULL,
    until bigint,
    replays integer NOT NULL DEFAULT 0,
    due_at timestamp with time zone NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamp with time zone,
    error text,
    status integer,
    failing_since timestamp with time zone,
    last_success_at timestamp with time zone,
    CONSTRAINT activity_streams_pkey PRIMARY KEY (company_id, target),
    CONSTRAINT activity_streams_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT activity_streams_company_id_warehouse_id_fkey FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouses(company_id, id) ON DELETE CASCADE,
    CONSTRAINT activity_streams_check CHECK ((until > sequence)),
    CONSTRAINT activity_streams_check1 CHECK (((target = 'warehouse') = (warehouse_id IS NOT NULL))),
    CONSTRAINT activity_streams_target_check CHECK ((target = ANY (ARRAY['webhook', 'warehouse'])))
);
CREATE INDEX activity_streams_by_warehouse ON activity_streams USING btree (company_id, warehouse_id);
CREATE INDEX activity_streams_due ON activity_streams USING btree (due_at) WHERE (until IS NULL);
ALTER TABLE activity_streams ENABLE ROW LEVEL SECURITY;
ALTER TABLE activity_streams FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON activity_streams FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON activity_streams FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON activity_streams TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON activity_streams TO tessera_platform;

CREATE TABLE activity_unchained (
    company_id integer NOT NULL,
    activity_id bigint NOT NULL,
    CONSTRAINT activity_unchained_pkey PRIMARY KEY (company_id, activity_id),
    CONSTRAINT activity_unchained_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
ALTER TABLE activity_unchained ENABLE ROW LEVEL SECURITY;
ALTER TABLE activity_unchained FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON activity_unchained FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON activity_unchained FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, SELECT ON activity_unchained TO tessera_app;
GRANT DELETE, SELECT ON activity_unchained TO tessera_platform;

CREATE TABLE alert_recipients (
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT alert_recipients_pkey PRIMARY KEY (company_id, user_id),
    CONSTRAINT alert_recipients_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE
);
ALTER TABLE alert_recipients ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_recipients FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON alert_recipients FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON alert_recipients FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON alert_recipients TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON alert_recipients TO tessera_platform;

CREATE TABLE api_tokens (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    token_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    networks cidr[] NOT NULL,
    created_by bigint NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    last_origin text,
    CONSTRAINT api_tokens_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT api_tokens_company_id_token_hash_key UNIQUE (company_id, token_hash),
    CONSTRAINT api_tokens_company_id_created_by_fkey FOREIGN KEY (company_id, created_by) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT api_tokens_scopes_check CHECK ((cardinality(scopes) > 0))
);
CREATE INDEX api_tokens_of_user ON api_tokens USING btree (company_id, created_by);
ALTER TABLE api_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON api_tokens FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON api_tokens FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON api_tokens TO tessera_app;

CREATE TABLE arrivals (
    company_id integer NOT NULL,
    id uuid NOT NULL,
    request_id uuid NOT NULL,
    upload_key bytea,
    manifest bytea,
    bytes bigint NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    arrived_at timestamp with time zone,
    decided_at timestamp with time zone,
    is_accepted boolean,
    CONSTRAINT arrivals_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT arrivals_company_id_request_id_fkey FOREIGN KEY (company_id, request_id) REFERENCES file_requests(company_id, id) ON DELETE CASCADE,
    CONSTRAINT arrivals_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT arrivals_check CHECK (((decided_at IS NULL) = (is_accepted IS NULL))),
    CONSTRAINT arrivals_check1 CHECK (((upload_key IS NULL) = (manifest IS NULL))),
    CONSTRAINT arrivals_check2 CHECK (((manifest IS NULL) OR (arrived_at IS NOT NULL))),
    CONSTRAINT arrivals_check3 CHECK (((decided_at IS NULL) OR (arrived_at IS NOT NULL))),
    CONSTRAINT arrivals_upload_key_check CHECK ((length(upload_key) = 1185))
);
CREATE INDEX arrivals_by_age ON arrivals USING btree (created_at);
CREATE INDEX arrivals_by_request ON arrivals USING btree (company_id, request_id);
ALTER TABLE arrivals ENABLE ROW LEVEL SECURITY;
ALTER TABLE arrivals FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON arrivals FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON arrivals FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON arrivals TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON arrivals TO tessera_platform;

CREATE TABLE authenticators (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    sealed_secret bytea NOT NULL,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    confirmed_at timestamp with time zone,
    last_step bigint NOT NULL DEFAULT 0,
    CONSTRAINT authenticators_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT authenticators_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_authenticator_a_user ON authenticators USING btree (company_id, user_id) WHERE (confirmed_at IS NOT NULL);
CREATE UNIQUE INDEX one_waiting_authenticator_a_user ON authenticators USING btree (company_id, user_id) WHERE (confirmed_at IS NULL);
ALTER TABLE authenticators ENABLE ROW LEVEL SECURITY;
ALTER TABLE authenticators FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON authenticators FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON authenticators FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON authenticators TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON authenticators TO tessera_platform;

CREATE TABLE billing_clock (
    only_one boolean NOT NULL DEFAULT true,
    ahead interval NOT NULL DEFAULT '00:00:00'::interval,
    CONSTRAINT billing_clock_pkey PRIMARY KEY (only_one),
    CONSTRAINT billing_clock_only_one_check CHECK (only_one)
);
GRANT SELECT ON billing_clock TO tessera_app;
GRANT SELECT, UPDATE ON billing_clock TO tessera_platform;

CREATE TABLE card_operations (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    input jsonb NOT NULL DEFAULT '{}'::jsonb,
    sealed_token bytea,
    error_code text,
    actor_uuid uuid,
    actor_name text NOT NULL DEFAULT '',
    origin text NOT NULL DEFAULT '',
    request_id text NOT NULL DEFAULT '',
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    finished_at timestamp with time zone,
    CONSTRAINT card_operations_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT card_operations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT card_operations_check CHECK (((state = 'pending') OR (sealed_token IS NULL))),
    CONSTRAINT card_operations_state_check CHECK ((state = ANY (ARRAY['pending', 'done', 'failed'])))
);
CREATE UNIQUE INDEX one_card_operation_at_a_time ON card_operations USING btree (company_id) WHERE (state = 'pending');
ALTER TABLE card_operations ENABLE ROW LEVEL SECURITY;
ALTER TABLE card_operations FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON card_operations FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON card_operations FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON card_operations TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON card_operations TO tessera_platform;

CREATE TABLE cards (
    company_id integer NOT NULL,
    id text NOT NULL,
    brand text NOT NULL,
    last4 text NOT NULL,
    exp_month integer NOT NULL,
    exp_year integer NOT NULL,
    added_at timestamp with time zone NOT NULL,
    CONSTRAINT cards_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT cards_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
ALTER TABLE cards ENABLE ROW LEVEL SECURITY;
ALTER TABLE cards FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON cards FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON cards FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON cards TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON cards TO tessera_platform;

CREATE TABLE closed_accounts (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    customer_id text NOT NULL,
    requested_at timestamp with time zone NOT NULL DEFAULT now(),
    closed_at timestamp with time zone,
    CONSTRAINT closed_accounts_pkey PRIMARY KEY (id),
    CONSTRAINT closed_accounts_customer_id_key UNIQUE (customer_id)
);
GRANT INSERT, SELECT, UPDATE ON closed_accounts TO tessera_app;
GRANT SELECT ON closed_accounts TO tessera_platform;

CREATE TABLE codes (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    session_id bigint,
    purpose text NOT NULL,
    phone_number text NOT NULL,
    code_hash bytea NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    sent_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone,
    CONSTRAINT codes_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT codes_company_id_session_id_fkey FOREIGN KEY (company_id, session_id) REFERENCES sessions(company_id, id) ON DELETE CASCADE,
    CONSTRAINT codes_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT codes_purpose_check CHECK ((purpose = ANY (ARRAY['login', 'verify', 'phone'])))
);
CREATE INDEX codes_by_end ON codes USING btree (expires_at);
CREATE INDEX codes_newest ON codes USING btree (company_id, user_id, purpose, id DESC);
CREATE INDEX codes_of_session ON codes USING btree (company_id, session_id);
ALTER TABLE codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE codes FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON codes FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON codes FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON codes TO tessera_app;

CREATE TABLE companies (
    id integer NOT NULL GENERATED BY DEFAULT AS IDENTITY,
    uuid uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    phone_number text NOT NULL,
    address_line1 text NOT NULL DEFAULT '',
    address_line2 text NOT NULL DEFAULT '',
    city text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT '',
    zip_code text NOT NULL DEFAULT '',
    is_enabled boolean NOT NULL DEFAULT true,
    disabled_reason text NOT NULL DEFAULT '',
    can_view_warehouse boolean NOT NULL DEFAULT false,
    sso_required boolean NOT NULL DEFAULT false,
    customer_id text,
    subscribed_until timestamp with time zone,
    deactivated_for_debt_at timestamp with time zone,
    leaving_since timestamp with time zone,
    deletion_at timestamp with time zone,
    subscription_state text COLLATE "C" NOT NULL DEFAULT 'none',
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    name_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(name)) STORED,
    email_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(((((((((((((((name || chr(10)) || email) || chr(10)) || phone_number) || chr(10)) || address_line1) || ' ') || address_line2) || ' ') || city) || ' ') || state) || ' ') || zip_code))) STORED,
    CONSTRAINT companies_pkey PRIMARY KEY (id),
    CONSTRAINT companies_customer_id_key UNIQUE (customer_id),
    CONSTRAINT companies_uuid_key UNIQUE (uuid),
    CONSTRAINT companies_check CHECK (((leaving_since IS NULL) = (deletion_at IS NULL))),
    CONSTRAINT companies_subscription_state_check CHECK ((subscription_state = ANY (ARRAY['none', 'trialing', 'active', 'pastDue', 'ended', 'deactivated'])))
);
CREATE INDEX companies_by_age ON companies USING btree (created_at, id);
CREATE INDEX companies_by_email ON companies USING btree (email_folded, id);
CREATE INDEX companies_by_name ON companies USING btree (name_folded, id);
CREATE INDEX companies_by_phone ON companies USING btree (phone_number, id);
CREATE INDEX companies_by_state ON companies USING btree (((is_enabled)::text), id);
CREATE INDEX companies_by_subscription ON companies USING btree (subscription_state, id);
CREATE INDEX companies_by_text ON companies USING gin (trigram_vector(search_text));
CREATE INDEX companies_leaving ON companies USING btree (deletion_at) WHERE (deletion_at IS NOT NULL);
CREATE INDEX companies_running ON companies USING btree (subscribed_until) WHERE (subscription_state = ANY (ARRAY['trialing', 'active', 'pastDue']));
CREATE TRIGGER add_member_count AFTER INSERT ON companies REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_member_count();
CREATE TRIGGER count_added AFTER INSERT ON companies REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_companies();
CREATE TRIGGER count_removed AFTER DELETE ON companies REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_companies();
CREATE TRIGGER retire_uuid AFTER INSERT OR DELETE ON companies FOR EACH ROW EXECUTE FUNCTION retire_uuid();
CREATE TRIGGER set_subscription_state BEFORE INSERT OR UPDATE OF subscribed_until, deactivated_for_debt_at ON companies FOR EACH ROW EXECUTE FUNCTION set_subscription_state();
ALTER TABLE companies ENABLE ROW LEVEL SECURITY;
ALTER TABLE companies FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON companies FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON companies FOR ALL TO tessera_app USING ((id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON companies TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON companies TO tessera_platform;

CREATE TABLE company_domains (
    company_id integer NOT NULL,
    domain text NOT NULL,
    token text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    proved_at timestamp with time zone,
    checked_at timestamp with time zone,
    missed_checks integer NOT NULL DEFAULT 0,
    missing_since timestamp with time zone,
    lost_at timestamp with time zone,
    provider_id bigint,
    CONSTRAINT company_domains_pkey PRIMARY KEY (company_id, domain),
    CONSTRAINT company_domains_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT company_domains_company_id_provider_id_fkey FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers(company_id, id) ON DELETE SET NULL (provider_id),
    CONSTRAINT company_domains_check CHECK (((missed_checks > 0) = (missing_since IS NOT NULL))),
    CONSTRAINT company_domains_check1 CHECK (((proved_at IS NULL) OR (lost_at IS NULL)))
);
CREATE INDEX company_domains_of_provider ON company_domains USING btree (company_id, provider_id);
CREATE TRIGGER list_domain AFTER INSERT OR DELETE OR UPDATE ON company_domains FOR EACH ROW EXECUTE FUNCTION list_domain();
ALTER TABLE company_domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_domains FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON company_domains FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON company_domains FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON company_domains TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON company_domains TO tessera_platform;

CREATE TABLE company_keys (
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    epoch integer NOT NULL,
    sealed_company_key text NOT NULL,
    CONSTRAINT company_keys_pkey PRIMARY KEY (company_id, user_id),
    CONSTRAINT company_keys_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT company_keys_epoch_check CHECK ((epoch >= 1))
);
ALTER TABLE company_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON company_keys FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON company_keys FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON company_keys TO tessera_app;

CREATE TABLE company_passphrases (
    company_id integer NOT NULL,
    epoch integer NOT NULL,
    sealed_passphrase text NOT NULL,
    changed_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT company_passphrases_pkey PRIMARY KEY (company_id),
    CONSTRAINT company_passphrases_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT company_passphrases_epoch_check CHECK ((epoch >= 1))
);
ALTER TABLE company_passphrases ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_passphrases FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON company_passphrases FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON company_passphrases FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON company_passphrases TO tessera_app;

CREATE TABLE company_policies (
    company_id integer NOT NULL,
    second_factors text[],
    session_hours integer,
    client_session_days integer,
    min_client_version text,
    networks cidr[],
    countries text[],
    CONSTRAINT company_policies_pkey PRIMARY KEY (company_id),
    CONSTRAINT company_policies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT company_policies_client_session_days_check CHECK ((client_session_days >= 1)),
    CONSTRAINT company_policies_countries_check CHECK ((cardinality(countries) > 0)),
    CONSTRAINT company_policies_networks_check CHECK ((cardinality(networks) > 0)),
    CONSTRAINT company_policies_second_factors_check CHECK (((second_factors <@ '{sms,totp,passkey}'[]) AND (second_factors && '{sms,totp}'[]))),
    CONSTRAINT company_policies_session_hours_check CHECK ((session_hours >= 1))
);
ALTER TABLE company_policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_policies FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON company_policies FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON company_policies FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON company_policies TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON company_policies TO tessera_platform;

CREATE TABLE contact_changes (
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    kind text NOT NULL,
    value text NOT NULL,
    asked_by text NOT NULL,
    asked_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT contact_changes_pkey PRIMARY KEY (company_id, user_id, kind),
    CONSTRAINT contact_changes_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT contact_changes_kind_check CHECK ((kind = ANY (ARRAY['email', 'phone'])))
);
ALTER TABLE contact_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE contact_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON contact_changes FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON contact_changes FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON contact_changes TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON contact_changes TO tessera_platform;

CREATE TABLE counters (
    key bytea NOT NULL,
    count integer NOT NULL,
    resets_at timestamp with time zone NOT NULL,
    CONSTRAINT counters_pkey PRIMARY KEY (key)
);
CREATE INDEX counters_by_end ON counters USING btree (resets_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON counters TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON counters TO tessera_platform;

CREATE TABLE data_keys (
    company_id integer NOT NULL,
    version integer NOT NULL,
    wrapped bytea NOT NULL,
    wrapped_by bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT data_keys_pkey PRIMARY KEY (company_id, version),
    CONSTRAINT data_keys_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT data_keys_version_check CHECK ((version >= 1))
);
CREATE INDEX data_keys_by_platform_key ON data_keys USING btree (wrapped_by);
ALTER TABLE data_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE data_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON data_keys FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON data_keys FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON data_keys TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON data_keys TO tessera_platform;

CREATE TABLE deletion_proofs (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    company_uuid uuid NOT NULL,
    sealed bytea NOT NULL,
    warehouses_left integer NOT NULL,
    objects integer NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT deletion_proofs_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT deletion_proofs_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT deletion_proofs_warehouses_left_check CHECK ((warehouses_left >= 0))
);
ALTER TABLE deletion_proofs ENABLE ROW LEVEL SECURITY;
ALTER TABLE deletion_proofs FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON deletion_proofs FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON deletion_proofs FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON deletion_proofs TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON deletion_proofs TO tessera_platform;

CREATE TABLE device_backups (
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    id text NOT NULL,
    session_id bigint NOT NULL,
    days integer NOT NULL,
    ran_at timestamp with time zone NOT NULL DEFAULT now(),
    warned_at timestamp with time zone,
    CONSTRAINT device_backups_pkey PRIMARY KEY (company_id, user_id, id),
    CONSTRAINT device_backups_company_id_session_id_fkey FOREIGN KEY (company_id, session_id) REFERENCES sessions(company_id, id) ON DELETE CASCADE,
    CONSTRAINT device_backups_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT device_backups_days_check CHECK (((days >= 1) AND (days <= 90))),
    CONSTRAINT device_backups_id_check CHECK ((id ~ '^[0-9a-f]{16}$'))
);
CREATE INDEX device_backups_of_session ON device_backups USING btree (company_id, session_id);
CREATE INDEX device_backups_unwarned ON device_backups USING btree (ran_at) WHERE (warned_at IS NULL);
ALTER TABLE device_backups ENABLE ROW LEVEL SECURITY;
ALTER TABLE device_backups FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON device_backups FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON device_backups FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON device_backups TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON device_backups TO tessera_platform;

CREATE TABLE directory_group_members (
    company_id integer NOT NULL,
    group_number bigint NOT NULL,
    user_number bigint NOT NULL,
    CONSTRAINT directory_group_members_pkey PRIMARY KEY (company_id, group_number, user_number),
    CONSTRAINT directory_group_members_company_id_group_number_fkey FOREIGN KEY (company_id, group_number) REFERENCES directory_groups(company_id, number) ON DELETE CASCADE,
    CONSTRAINT directory_group_members_company_id_user_number_fkey FOREIGN KEY (company_id, user_number) REFERENCES directory_users(company_id, number) ON DELETE CASCADE
);
CREATE INDEX groups_of_directory_user ON directory_group_members USING btree (company_id, user_number);
CREATE TRIGGER change_group_by_adding AFTER INSERT ON directory_group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_directory_group();
CREATE TRIGGER change_group_by_removing AFTER DELETE ON directory_group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_directory_group();
ALTER TABLE directory_group_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE directory_group_members FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON directory_group_members FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON directory_group_members FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON directory_group_members TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON directory_group_members TO tessera_platform;

CREATE TABLE directory_groups (
    company_id integer NOT NULL,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    display_name text NOT NULL,
    display_name_folded text NOT NULL,
    external_id text,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    changed_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT directory_groups_pkey PRIMARY KEY (company_id, number),
    CONSTRAINT directory_groups_company_id_id_key UNIQUE (company_id, id),
    CONSTRAINT directory_groups_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
CREATE INDEX directory_groups_by_external_id ON directory_groups USING btree (company_id, external_id);
CREATE INDEX directory_groups_by_name ON directory_groups USING btree (company_id, display_name_folded);
ALTER TABLE directory_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE directory_groups FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON directory_groups FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON directory_groups FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON directory_groups TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON directory_groups TO tessera_platform;

CREATE TABLE directory_users (
    company_id integer NOT NULL,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    user_id bigint,
    user_name text NOT NULL,
    user_name_folded text NOT NULL,
    external_id text,
    display_name text,
    given_name text,
    family_name text,
    emails jsonb NOT NULL,
    email text NOT NULL,
    email_folded text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    deletion_requested_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    changed_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT directory_users_pkey PRIMARY KEY (company_id, number),
    CONSTRAINT directory_users_company_id_id_key UNIQUE (company_id, id),
    CONSTRAINT directory_users_company_id_user_id_key UNIQUE (company_id, user_id),
    CONSTRAINT directory_users_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT directory_users_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT directory_users_check CHECK (((deletion_requested_at IS NULL) OR (user_id IS NOT NULL)))
);
CREATE INDEX directory_users_by_external_id ON directory_users USING btree (company_id, external_id);
CREATE INDEX directory_users_listed ON directory_users USING btree (company_id, number) WHERE (deletion_requested_at IS NULL);
CREATE INDEX directory_users_to_delete ON directory_users USING btree (company_id, deletion_requested_at) WHERE (deletion_requested_at IS NOT NULL);
CREATE UNIQUE INDEX one_directory_user_a_name ON directory_users USING btree (company_id, user_name_folded);
CREATE UNIQUE INDEX one_directory_user_an_address ON directory_users USING btree (company_id, email_folded) WHERE (user_id IS NULL);
ALTER TABLE directory_users ENABLE ROW LEVEL SECURITY;
ALTER TABLE directory_users FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON directory_users FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON directory_users FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON directory_users TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON directory_users TO tessera_platform;

CREATE TABLE file_request_ids (
    id uuid NOT NULL,
    company_id integer NOT NULL,
    CONSTRAINT file_request_ids_pkey PRIMARY KEY (id)
);

CREATE TABLE file_requests (
    company_id integer NOT NULL,
    id uuid NOT NULL,
    space_id uuid NOT NULL,
    generation integer NOT NULL,
    author uuid NOT NULL,
    public_keys bytea NOT NULL,
    token_hash bytea NOT NULL,
    details bytea NOT NULL,
    folder bytea NOT NULL,
    max_bytes bigint NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT file_requests_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT file_requests_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT file_requests_generation_check CHECK ((generation >= 1)),
    CONSTRAINT file_requests_max_bytes_check CHECK (((max_bytes >= 1) AND (max_bytes <= '1000000000000'::bigint))),
    CONSTRAINT file_requests_public_keys_check CHECK ((length(public_keys) = 1249)),
    CONSTRAINT file_requests_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX file_requests_by_end ON file_requests USING btree (expires_at);
CREATE INDEX file_requests_by_space ON file_requests USING btree (company_id, space_id);
CREATE TRIGGER list_file_request AFTER INSERT OR DELETE ON file_requests FOR EACH ROW EXECUTE FUNCTION list_file_request();
ALTER TABLE file_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE file_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON file_requests FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON file_requests FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON file_requests TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON file_requests TO tessera_app;
GRANT SELECT (company_id, id, space_id, generation, author, public_keys, details, folder, max_bytes, created_at, expires_at, ended_at) ON file_requests TO tessera_platform;
GRANT UPDATE (company_id, id, space_id, generation, author, public_keys, details, folder, max_bytes, created_at, expires_at, ended_at) ON file_requests TO tessera_platform;

CREATE TABLE former_passphrases (
    company_id integer NOT NULL,
    epoch integer NOT NULL,
    sealed_passphrase text NOT NULL,
    sealed_key text,
    set_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone NOT NULL DEFAULT now(),
    replaced_by bigint,
    CONSTRAINT former_passphrases_pkey PRIMARY KEY (company_id, epoch),
    CONSTRAINT former_passphrases_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT former_passphrases_company_id_replaced_by_fkey FOREIGN KEY (company_id, replaced_by) REFERENCES users(company_id, id) ON DELETE SET NULL (replaced_by),
    CONSTRAINT former_passphrases_epoch_check CHECK ((epoch >= 1))
);
ALTER TABLE former_passphrases ENABLE ROW LEVEL SECURITY;
ALTER TABLE former_passphrases FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON former_passphrases FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON former_passphrases FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT INSERT, SELECT ON former_passphrases TO tessera_app;

CREATE TABLE grants (
    company_id integer NOT NULL,
    space_id uuid NOT NULL,
    entry_id bytea NOT NULL,
    member uuid NOT NULL,
    generation integer NOT NULL,
    content bytea NOT NULL,
    sequence bigint,
    refused_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT grants_pkey PRIMARY KEY (company_id, space_id, entry_id, member),
    CONSTRAINT grants_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT grants_entry_id_check CHECK ((length(entry_id) = 16)),
    CONSTRAINT grants_generation_check CHECK ((generation >= 1))
);
CREATE INDEX grants_by_member ON grants USING btree (company_id, space_id, member, sequence);
CREATE INDEX grants_refused ON grants USING btree (company_id, space_id) WHERE (refused_at IS NOT NULL);
ALTER TABLE grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE grants FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON grants FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON grants FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON grants TO tessera_app;

CREATE TABLE guest_codes (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    ticket_id bigint,
    company_id integer,
    invite_id bigint,
    phone_number text NOT NULL,
    code_hash bytea NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    sent_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone,
    CONSTRAINT guest_codes_pkey PRIMARY KEY (id),
    CONSTRAINT guest_codes_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES signup_tickets(id) ON DELETE CASCADE,
    CONSTRAINT guest_codes_check CHECK (((ticket_id IS NULL) <> (invite_id IS NULL))),
    CONSTRAINT guest_codes_check1 CHECK (((company_id IS NULL) = (invite_id IS NULL)))
);
CREATE INDEX guest_codes_by_age ON guest_codes USING btree (sent_at);
CREATE INDEX guest_codes_by_phone ON guest_codes USING btree (phone_number, sent_at);
CREATE INDEX guest_codes_of_invite ON guest_codes USING btree (company_id, invite_id, id DESC);
CREATE INDEX guest_codes_of_ticket ON guest_codes USING btree (ticket_id, id DESC);
ALTER TABLE guest_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE guest_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY guest ON guest_codes FOR ALL TO tessera_app USING (((ticket_id = (NULLIF(current_setting('app.ticket', true), ''))::bigint) OR (company_id = (NULLIF(current_setting('app.company', true), ''))::integer)));
CREATE POLICY owner ON guest_codes FOR ALL TO tessera_owner USING (true);
GRANT DELETE, INSERT ON guest_codes TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON guest_codes TO tessera_app;
GRANT SELECT (id, ticket_id, company_id, invite_id, phone_number, tries, sent_at, expires_at, consumed_at) ON guest_codes TO tessera_platform;
GRANT UPDATE (id, ticket_id, company_id, invite_id, phone_number, tries, sent_at, expires_at, consumed_at) ON guest_codes TO tessera_platform;

CREATE TABLE installation (
    only_one boolean NOT NULL DEFAULT true,
    mode text NOT NULL,
    demo_data_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT installation_pkey PRIMARY KEY (only_one),
    CONSTRAINT installation_mode_check CHECK ((mode = ANY (ARRAY['sandbox', 'production']))),
    CONSTRAINT installation_only_one_check CHECK (only_one)
);
GRANT SELECT ON installation TO tessera_app;
GRANT SELECT ON installation TO tessera_platform;
GRANT UPDATE (demo_data_at) ON installation TO tessera_platform;

CREATE TABLE invites (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    key uuid NOT NULL DEFAULT gen_random_uuid(),
    email text NOT NULL,
    email_folded text NOT NULL,
    token_hash bytea NOT NULL,
    state text NOT NULL DEFAULT 'open',
    language text NOT NULL DEFAULT 'en',
    message_id bigint,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    posted_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    email_sorted text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    CONSTRAINT invites_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT invites_company_id_key_key UNIQUE (company_id, key),
    CONSTRAINT invites_company_id_token_hash_key UNIQUE (company_id, token_hash),
    CONSTRAINT invites_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT invites_check CHECK (((state = 'open') = (ended_at IS NULL))),
    CONSTRAINT invites_language_check CHECK ((language = ANY (ARRAY['en', 'tr', 'ar']))),
    CONSTRAINT invites_state_check CHECK ((state = ANY (ARRAY['open', 'cancelled', 'used'])))
);
CREATE INDEX invites_by_address ON invites USING btree (company_id, email_folded, id);
CREATE INDEX invites_by_email ON invites USING btree (company_id, email_sorted, id) WHERE (state = 'open');
CREATE INDEX invites_by_post ON invites USING btree (company_id, posted_at DESC) WHERE (state = 'open');
CREATE INDEX invites_by_text ON invites USING gin (trigram_vector(email_sorted)) WHERE (state = 'open');
CREATE INDEX invites_open ON invites USING btree (company_id, id) WHERE (state = 'open');
CREATE UNIQUE INDEX one_open_invite_an_address ON invites USING btree (company_id, email_folded) WHERE (state = 'open');
CREATE TRIGGER count_added AFTER INSERT ON invites REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();
CREATE TRIGGER count_changed AFTER UPDATE ON invites REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();
CREATE TRIGGER count_removed AFTER DELETE ON invites REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();
ALTER TABLE invites ENABLE ROW LEVEL SECURITY;
ALTER TABLE invites FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON invites FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON invites FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON invites TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON invites TO tessera_app;
GRANT SELECT (company_id, id, key, email, email_folded, state, language, message_id, created_at, posted_at, expires_at, ended_at, email_sorted) ON invites TO tessera_platform;
GRANT UPDATE (company_id, id, key, email, email_folded, state, language, message_id, created_at, posted_at, expires_at, ended_at, email_sorted) ON invites TO tessera_platform;

CREATE TABLE invoices (
    company_id integer NOT NULL,
    id text NOT NULL,
    number text NOT NULL DEFAULT '',
    status text NOT NULL,
    amount_due integer NOT NULL,
    amount_paid integer NOT NULL,
    amount_remaining integer NOT NULL,
    currency text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    period_start timestamp with time zone NOT NULL,
    period_end timestamp with time zone NOT NULL,
    paid_at timestamp with time zone,
    next_attempt_at timestamp with time zone,
    attempts integer NOT NULL DEFAULT 0,
    page_url text,
    pdf_url text,
    CONSTRAINT invoices_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT invoices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
CREATE INDEX invoices_newest ON invoices USING btree (company_id, created_at DESC, id);
ALTER TABLE invoices ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoices FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON invoices FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON invoices FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON invoices TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON invoices TO tessera_platform;

CREATE TABLE key_handovers (
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    purpose text NOT NULL DEFAULT 'leadership',
    epoch integer NOT NULL,
    data bytea NOT NULL,
    sender_keys bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT key_handovers_pkey PRIMARY KEY (company_id, user_id),
    CONSTRAINT key_handovers_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT key_handovers_data_check CHECK ((length(data) = 1269)),
    CONSTRAINT key_handovers_epoch_check CHECK ((epoch >= 1)),
    CONSTRAINT key_handovers_purpose_check CHECK ((purpose = ANY (ARRAY['leadership', 'holder'])))
);
CREATE UNIQUE INDEX key_handovers_one_holder ON key_handovers USING btree (company_id) WHERE (purpose = 'holder');
ALTER TABLE key_handovers ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_handovers FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON key_handovers FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON key_handovers FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON key_handovers TO tessera_app;

CREATE TABLE last_backup (
    only_one boolean NOT NULL DEFAULT true,
    finished_at timestamp with time zone NOT NULL,
    CONSTRAINT last_backup_pkey PRIMARY KEY (only_one),
    CONSTRAINT last_backup_only_one_check CHECK (only_one)
);
GRANT INSERT, SELECT, UPDATE ON last_backup TO tessera_platform;

CREATE TABLE leases (
    company_id integer NOT NULL,
    name text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT leases_pkey PRIMARY KEY (company_id, name),
    CONSTRAINT leases_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
ALTER TABLE leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE leases FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON leases FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON leases FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON leases TO tessera_app;

CREATE TABLE links (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    purpose text NOT NULL,
    token_hash bytea NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT links_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT links_company_id_token_hash_key UNIQUE (company_id, token_hash),
    CONSTRAINT links_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT links_purpose_check CHECK ((purpose = ANY (ARRAY['reset', 'confirmEmail'])))
);
CREATE INDEX links_by_user ON links USING btree (company_id, user_id, purpose);
ALTER TABLE links ENABLE ROW LEVEL SECURITY;
ALTER TABLE links FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON links FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON links FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON links TO tessera_app;

CREATE TABLE log_copies (
    company_id integer NOT NULL,
    space_id uuid NOT NULL,
    warehouse_company_id integer NOT NULL,
    warehouse_id bigint NOT NULL,
    sequence bigint NOT NULL,
    CONSTRAINT log_copies_pkey PRIMARY KEY (company_id, space_id, warehouse_id),
    CONSTRAINT log_copies_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT log_copies_warehouse_company_id_warehouse_id_fkey FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses(company_id, id) ON DELETE CASCADE,
    CONSTRAINT log_copies_sequence_check CHECK ((sequence >= 1))
);
CREATE INDEX log_copies_by_warehouse ON log_copies USING btree (warehouse_company_id, warehouse_id);
ALTER TABLE log_copies ENABLE ROW LEVEL SECURITY;
ALTER TABLE log_copies FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON log_copies FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON log_copies FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON log_copies TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON log_copies TO tessera_platform;

CREATE TABLE log_entries (
    company_id integer NOT NULL,
    space_id uuid NOT NULL,
    sequence bigint NOT NULL,
    entry_id bytea NOT NULL,
    kind integer NOT NULL,
    author uuid NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT log_entries_pkey PRIMARY KEY (company_id, space_id, sequence),
    CONSTRAINT log_entries_company_id_space_id_entry_id_key UNIQUE (company_id, space_id, entry_id),
    CONSTRAINT log_entries_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT log_entries_content_check CHECK ((length(content) <= 131072)),
    CONSTRAINT log_entries_entry_id_check CHECK ((length(entry_id) = 16)),
    CONSTRAINT log_entries_sequence_check CHECK ((sequence >= 1))
);
ALTER TABLE log_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE log_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON log_entries FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON log_entries FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON log_entries TO tessera_app;

CREATE TABLE member_counts (
    company_id integer NOT NULL,
    count bigint NOT NULL DEFAULT 0,
    CONSTRAINT member_counts_pkey PRIMARY KEY (company_id),
    CONSTRAINT member_counts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
CREATE INDEX member_counts_by_count ON member_counts USING btree (count, company_id);
ALTER TABLE member_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE member_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON member_counts FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON member_counts FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT SELECT ON member_counts TO tessera_app;
GRANT SELECT ON member_counts TO tessera_platform;

CREATE TABLE member_keys (
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    public_keys bytea NOT NULL,
    envelope text,
    revision integer NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT member_keys_pkey PRIMARY KEY (company_id, user_id),
    CONSTRAINT member_keys_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT member_keys_public_keys_check CHECK ((length(public_keys) = 1249)),
    CONSTRAINT member_keys_revision_check CHECK ((revision >= 1))
);
ALTER TABLE member_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE member_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON member_keys FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON member_keys FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON member_keys TO tessera_app;

CREATE TABLE messages (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    channel text NOT NULL,
    sealed bytea,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    sent_at timestamp with time zone,
    failed_at timestamp with time zone,
    CONSTRAINT messages_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT messages_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT messages_channel_check CHECK ((channel = ANY (ARRAY['email', 'sms']))),
    CONSTRAINT messages_check CHECK (((sent_at IS NULL) OR (sealed IS NULL)))
);
CREATE INDEX messages_by_age ON messages USING btree (created_at);
CREATE INDEX messages_refused ON messages USING btree (channel, failed_at) WHERE (failed_at IS NOT NULL);
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON messages FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON messages FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON messages TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON messages TO tessera_platform;

CREATE TABLE migrations (
    name text NOT NULL,
    digest text NOT NULL,
    ran_at timestamp with time zone NOT NULL DEFAULT now(),
    needs_version text,
    CONSTRAINT migrations_pkey PRIMARY KEY (name)
);
GRANT SELECT ON migrations TO tessera_app;
GRANT SELECT ON migrations TO tessera_platform;

CREATE TABLE pack_shards (
    company_id integer NOT NULL,
    pack_id bytea NOT NULL,
    index integer NOT NULL,
    warehouse_company_id integer,
    warehouse_id bigint,
    size integer NOT NULL,
    sha256 bytea NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    checksum text,
    checked_at timestamp with time zone,
    is_stored boolean NOT NULL GENERATED ALWAYS AS (((state = 'stored') AND (warehouse_id IS NOT NULL))) STORED,
    CONSTRAINT pack_shards_pkey PRIMARY KEY (company_id, pack_id, index),
    CONSTRAINT pack_shards_company_id_pack_id_warehouse_id_key UNIQUE (company_id, pack_id, warehouse_id),
    CONSTRAINT pack_shards_company_id_pack_id_fkey FOREIGN KEY (company_id, pack_id) REFERENCES packs(company_id, id) ON DELETE CASCADE,
    CONSTRAINT pack_shards_warehouse_company_id_warehouse_id_fkey FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses(company_id, id) ON DELETE SET NULL,
    CONSTRAINT pack_shards_check CHECK (((warehouse_company_id = 1) OR (warehouse_company_id = company_id))),
    CONSTRAINT pack_shards_check1 CHECK (((warehouse_company_id IS NULL) = (warehouse_id IS NULL))),
    CONSTRAINT pack_shards_index_check CHECK (((index >= 0) AND (index <= 15))),
    CONSTRAINT pack_shards_sha256_check CHECK ((length(sha256) = 32)),
    CONSTRAINT pack_shards_size_check CHECK ((size > 96)),
    CONSTRAINT pack_shards_state_check CHECK ((state = ANY (ARRAY['pending', 'stored', 'missing', 'wrong'])))
);
CREATE INDEX pack_shards_by_age ON pack_shards USING btree (checked_at) WHERE is_stored;
CREATE INDEX pack_shards_by_check ON pack_shards USING btree (company_id, checked_at) WHERE is_stored;
CREATE INDEX pack_shards_by_warehouse ON pack_shards USING btree (warehouse_company_id, warehouse_id, company_id);
CREATE INDEX pack_shards_not_stored ON pack_shards USING btree (company_id, pack_id) WHERE (NOT is_stored);
CREATE INDEX pack_shards_to_audit ON pack_shards USING btree (warehouse_company_id, warehouse_id, checked_at) WHERE is_stored;
ALTER TABLE pack_shards ENABLE ROW LEVEL SECURITY;
ALTER TABLE pack_shards FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON pack_shards FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON pack_shards FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON pack_shards TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON pack_shards TO tessera_platform;

CREATE TABLE packs (
    company_id integer NOT NULL,
    id bytea NOT NULL,
    space_id uuid,
    share_id uuid,
    arrival_id uuid,
    generation integer NOT NULL,
    k integer NOT NULL,
    n integer NOT NULL,
    length integer NOT NULL,
    excess bigint NOT NULL DEFAULT 0,
    author uuid NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    booked_at timestamp with time zone,
    sequence bigint,
    digest bytea,
    retired_at timestamp with time zone,
    deleted_at timestamp with time zone,
    CONSTRAINT packs_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT packs_company_id_arrival_id_fkey FOREIGN KEY (company_id, arrival_id) REFERENCES arrivals(company_id, id) ON DELETE CASCADE,
    CONSTRAINT packs_company_id_share_id_fkey FOREIGN KEY (company_id, share_id) REFERENCES shares(company_id, id) ON DELETE CASCADE,
    CONSTRAINT packs_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT packs_check CHECK (((n > k) AND (n <= 16))),
    CONSTRAINT packs_check1 CHECK ((num_nonnulls(space_id, share_id, arrival_id) = 1)),
    CONSTRAINT packs_check2 CHECK (((generation = 0) = (space_id IS NULL))),
    CONSTRAINT packs_check3 CHECK (((space_id IS NOT NULL) OR (sequence IS NULL))),
    CONSTRAINT packs_check4 CHECK (((sequence IS NULL) = (digest IS NULL))),
    CONSTRAINT packs_check5 CHECK (((retired_at IS NULL) OR (sequence IS NOT NULL))),
    CONSTRAINT packs_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT packs_excess_check CHECK ((excess >= 0)),
    CONSTRAINT packs_generation_check CHECK ((generation >= 0)),
    CONSTRAINT packs_id_check CHECK ((length(id) = 16)),
    CONSTRAINT packs_k_check CHECK ((k >= 1)),
    CONSTRAINT packs_length_check CHECK (((length >= 1) AND (length <= 17825792)))
);
CREATE INDEX packs_by_arrival ON packs USING btree (company_id, arrival_id) WHERE (arrival_id IS NOT NULL);
CREATE INDEX packs_by_share ON packs USING btree (company_id, share_id) WHERE (share_id IS NOT NULL);
CREATE INDEX packs_by_space ON packs USING btree (company_id, space_id);
CREATE INDEX packs_retired ON packs USING btree (retired_at) WHERE ((retired_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX packs_uncommitted ON packs USING btree (created_at) WHERE (sequence IS NULL);
ALTER TABLE packs ENABLE ROW LEVEL SECURITY;
ALTER TABLE packs FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON packs FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON packs FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON packs TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON packs TO tessera_platform;

CREATE TABLE passkey_challenges (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    session_id bigint,
    purpose text NOT NULL,
    challenge bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT passkey_challenges_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT passkey_challenges_company_id_user_id_purpose_session_id_key UNIQUE NULLS NOT DISTINCT (company_id, user_id, purpose, session_id),
    CONSTRAINT passkey_challenges_company_id_session_id_fkey FOREIGN KEY (company_id, session_id) REFERENCES sessions(company_id, id) ON DELETE CASCADE,
    CONSTRAINT passkey_challenges_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT passkey_challenges_check CHECK (((purpose = 'login') = (session_id IS NULL))),
    CONSTRAINT passkey_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['login', 'verify', 'register'])))
);
ALTER TABLE passkey_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkey_challenges FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON passkey_challenges FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON passkey_challenges FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON passkey_challenges TO tessera_app;

CREATE TABLE passkey_credentials (
    credential_id bytea NOT NULL,
    company_id integer NOT NULL,
    CONSTRAINT passkey_credentials_pkey PRIMARY KEY (credential_id)
);

CREATE TABLE passkeys (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    sealed_user_key text,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT passkeys_company_id_credential_id_key UNIQUE (company_id, credential_id),
    CONSTRAINT passkeys_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_passkey_a_name ON passkeys USING btree (company_id, user_id, lower(name));
CREATE TRIGGER list_passkey BEFORE INSERT ON passkeys FOR EACH ROW EXECUTE FUNCTION list_passkey();
CREATE TRIGGER unlist_passkey AFTER DELETE ON passkeys FOR EACH ROW EXECUTE FUNCTION unlist_passkey();
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON passkeys FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON passkeys FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON passkeys TO tessera_app;

CREATE TABLE prefix_deletions (
    platform_company_id integer NOT NULL DEFAULT 1,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    company_uuid uuid NOT NULL,
    warehouse_id bigint NOT NULL,
    objects integer,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT prefix_deletions_pkey PRIMARY KEY (platform_company_id, id),
    CONSTRAINT prefix_deletions_platform_company_id_warehouse_id_fkey FOREIGN KEY (platform_company_id, warehouse_id) REFERENCES warehouses(company_id, id) ON DELETE CASCADE,
    CONSTRAINT prefix_deletions_platform_company_id_check CHECK ((platform_company_id = 1))
);
CREATE INDEX prefix_deletions_by_warehouse ON prefix_deletions USING btree (platform_company_id, warehouse_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON prefix_deletions TO tessera_platform;
GRANT INSERT ON prefix_deletions TO tessera_app;

CREATE TABLE proved_domains (
    domain text NOT NULL,
    company_id integer NOT NULL,
    CONSTRAINT proved_domains_pkey PRIMARY KEY (domain)
);

CREATE TABLE provisioning (
    company_id integer NOT NULL,
    confirm_deletions boolean NOT NULL DEFAULT true,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT provisioning_pkey PRIMARY KEY (company_id),
    CONSTRAINT provisioning_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
ALTER TABLE provisioning ENABLE ROW LEVEL SECURITY;
ALTER TABLE provisioning FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON provisioning FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON provisioning FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON provisioning TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON provisioning TO tessera_platform;

CREATE TABLE recovery_codes (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT recovery_codes_company_id_user_id_code_hash_key UNIQUE (company_id, user_id, code_hash),
    CONSTRAINT recovery_codes_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE
);
ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON recovery_codes FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON recovery_codes FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON recovery_codes TO tessera_app;

CREATE TABLE recovery_copies (
    company_id integer NOT NULL,
    counter integer NOT NULL,
    warehouse_company_id integer NOT NULL,
    warehouse_id bigint NOT NULL,
    CONSTRAINT recovery_copies_pkey PRIMARY KEY (company_id, counter, warehouse_id),
    CONSTRAINT recovery_copies_company_id_counter_fkey FOREIGN KEY (company_id, counter) REFERENCES recovery_kits(company_id, counter) ON DELETE CASCADE,
    CONSTRAINT recovery_copies_warehouse_company_id_warehouse_id_fkey FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses(company_id, id) ON DELETE CASCADE
);
CREATE INDEX recovery_copies_by_warehouse ON recovery_copies USING btree (warehouse_company_id, warehouse_id);
ALTER TABLE recovery_copies ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_copies FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON recovery_copies FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON recovery_copies FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON recovery_copies TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON recovery_copies TO tessera_platform;

CREATE TABLE recovery_handovers (
    company_id integer NOT NULL,
    recipient_id bigint NOT NULL,
    sender_id bigint NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT recovery_handovers_pkey PRIMARY KEY (company_id, recipient_id),
    CONSTRAINT recovery_handovers_company_id_recipient_id_fkey FOREIGN KEY (company_id, recipient_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT recovery_handovers_company_id_sender_id_fkey FOREIGN KEY (company_id, sender_id) REFERENCES users(company_id, id) ON DELETE CASCADE
);
CREATE INDEX recovery_handovers_by_sender ON recovery_handovers USING btree (company_id, sender_id);
ALTER TABLE recovery_handovers ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_handovers FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON recovery_handovers FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON recovery_handovers FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON recovery_handovers TO tessera_app;

CREATE TABLE recovery_kits (
    company_id integer NOT NULL,
    counter integer NOT NULL,
    record integer NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    confirmed_at timestamp with time zone,
    CONSTRAINT recovery_kits_pkey PRIMARY KEY (company_id, counter),
    CONSTRAINT recovery_kits_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT recovery_kits_company_id_record_fkey FOREIGN KEY (company_id, record) REFERENCES recovery_records(company_id, counter) ON DELETE CASCADE,
    CONSTRAINT recovery_kits_counter_check CHECK ((counter >= 1)),
    CONSTRAINT recovery_kits_sealed_check CHECK ((length(sealed) = 129))
);
ALTER TABLE recovery_kits ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_kits FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON recovery_kits FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON recovery_kits FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON recovery_kits TO tessera_app;

CREATE TABLE recovery_records (
    company_id integer NOT NULL,
    counter integer NOT NULL,
    public_keys bytea NOT NULL,
    leader uuid NOT NULL,
    "time" bigint NOT NULL,
    content bytea NOT NULL,
    CONSTRAINT recovery_records_pkey PRIMARY KEY (company_id, counter),
    CONSTRAINT recovery_records_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT recovery_records_counter_check CHECK ((counter >= 1)),
    CONSTRAINT recovery_records_public_keys_check CHECK ((length(public_keys) = 1249))
);
ALTER TABLE recovery_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_records FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON recovery_records FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON recovery_records FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON recovery_records TO tessera_app;

CREATE TABLE registrations (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    ticket_id bigint NOT NULL,
    state text NOT NULL DEFAULT 'pending',
    company_uuid uuid NOT NULL,
    user_uuid uuid NOT NULL,
    address_hash bytea NOT NULL,
    sealed bytea,
    customer_id text,
    card_id text,
    subscription_id text,
    error_code text,
    error_details jsonb NOT NULL DEFAULT '{}'::jsonb,
    company_id integer,
    user_id bigint,
    origin text NOT NULL,
    request_id text NOT NULL,
    language text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    finished_at timestamp with time zone,
    CONSTRAINT registrations_pkey PRIMARY KEY (id),
    CONSTRAINT registrations_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES signup_tickets(id) ON DELETE CASCADE,
    CONSTRAINT registrations_check CHECK (((state = 'pending') OR (sealed IS NULL))),
    CONSTRAINT registrations_check1 CHECK (((state = 'pending') = (finished_at IS NULL))),
    CONSTRAINT registrations_check2 CHECK (((state = 'done') = (company_id IS NOT NULL))),
    CONSTRAINT registrations_state_check CHECK ((state = ANY (ARRAY['pending', 'done', 'failed'])))
);
CREATE UNIQUE INDEX one_registration_a_company ON registrations USING btree (company_uuid) WHERE (state = 'pending');
CREATE UNIQUE INDEX one_registration_a_leader ON registrations USING btree (user_uuid) WHERE (state = 'pending');
CREATE UNIQUE INDEX one_registration_a_ticket ON registrations USING btree (ticket_id) WHERE (state <> 'failed');
CREATE UNIQUE INDEX one_registration_an_address ON registrations USING btree (address_hash) WHERE (state = 'pending');
ALTER TABLE registrations ENABLE ROW LEVEL SECURITY;
ALTER TABLE registrations FORCE ROW LEVEL SECURITY;
CREATE POLICY guest ON registrations FOR ALL TO tessera_app USING (((ticket_id = (NULLIF(current_setting('app.ticket', true), ''))::bigint) OR (id = (NULLIF(current_setting('app.registration', true), ''))::bigint)));
CREATE POLICY owner ON registrations FOR ALL TO tessera_owner USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON registrations TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON registrations TO tessera_platform;

CREATE TABLE remembered_devices (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT remembered_devices_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT remembered_devices_company_id_token_hash_key UNIQUE (company_id, token_hash),
    CONSTRAINT remembered_devices_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE
);
CREATE INDEX remembered_devices_of_user ON remembered_devices USING btree (company_id, user_id);
ALTER TABLE remembered_devices ENABLE ROW LEVEL SECURITY;
ALTER TABLE remembered_devices FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON remembered_devices FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON remembered_devices FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON remembered_devices TO tessera_app;

CREATE TABLE removed_space_keys (
    company_id integer NOT NULL,
    space_id uuid NOT NULL,
    sign_key bytea NOT NULL,
    CONSTRAINT removed_space_keys_pkey PRIMARY KEY (company_id, space_id, sign_key),
    CONSTRAINT removed_space_keys_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT removed_space_keys_sign_key_check CHECK ((length(sign_key) = 32))
);
ALTER TABLE removed_space_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE removed_space_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON removed_space_keys FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON removed_space_keys FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON removed_space_keys TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON removed_space_keys TO tessera_platform;

CREATE TABLE repairs (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    finished_at timestamp with time zone,
    packs integer NOT NULL,
    repaired integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    bytes_read bigint NOT NULL DEFAULT 0,
    bytes_written bigint NOT NULL DEFAULT 0,
    last_pack bytea NOT NULL DEFAULT '\x'::bytea,
    CONSTRAINT repairs_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT repairs_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT repairs_packs_check CHECK ((packs >= 0))
);
CREATE UNIQUE INDEX repairs_open ON repairs USING btree (company_id) WHERE (finished_at IS NULL);
ALTER TABLE repairs ENABLE ROW LEVEL SECURITY;
ALTER TABLE repairs FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON repairs FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON repairs FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON repairs TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON repairs TO tessera_platform;

CREATE TABLE request_policies (
    company_id integer NOT NULL,
    is_allowed boolean NOT NULL,
    max_days integer NOT NULL,
    CONSTRAINT request_policies_pkey PRIMARY KEY (company_id),
    CONSTRAINT request_policies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT request_policies_max_days_check CHECK (((max_days >= 1) AND (max_days <= 365)))
);
ALTER TABLE request_policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_policies FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON request_policies FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON request_policies FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON request_policies TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON request_policies TO tessera_platform;

CREATE TABLE reset_requests (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    sealed_address bytea NOT NULL,
    language text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT reset_requests_pkey PRIMARY KEY (id)
);
GRANT DELETE, INSERT, SELECT ON reset_requests TO tessera_app;
GRANT DELETE, INSERT, SELECT ON reset_requests TO tessera_platform;

CREATE TABLE retired_uuids (
    hash bytea NOT NULL,
    CONSTRAINT retired_uuids_pkey PRIMARY KEY (hash)
);

CREATE TABLE row_counts (
    company_id integer NOT NULL,
    name text NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    count bigint NOT NULL,
    CONSTRAINT row_counts_pkey PRIMARY KEY (company_id, name, id),
    CONSTRAINT row_counts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT row_counts_name_check CHECK ((name = ANY (ARRAY['members', 'open_invites', 'activity', 'companies', 'all_activity'])))
);
CREATE CONSTRAINT TRIGGER follow_member_count AFTER INSERT OR UPDATE ON row_counts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.name = 'members')) EXECUTE FUNCTION follow_member_count();
ALTER TABLE row_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE row_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON row_counts FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON row_counts FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT SELECT ON row_counts TO tessera_app;
GRANT SELECT ON row_counts TO tessera_platform;

CREATE TABLE sandbox_outbox (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    message_id bigint NOT NULL,
    channel text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL DEFAULT '',
    text text NOT NULL,
    html text NOT NULL DEFAULT '',
    code text,
    link text,
    sent_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_outbox_pkey PRIMARY KEY (id),
    CONSTRAINT sandbox_outbox_message_id_key UNIQUE (message_id)
);
CREATE INDEX sandbox_outbox_by_recipient ON sandbox_outbox USING btree (recipient, id DESC);
GRANT INSERT, SELECT ON sandbox_outbox TO tessera_app;
GRANT INSERT, SELECT ON sandbox_outbox TO tessera_platform;

CREATE TABLE sandbox_stripe_deliveries (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    event_id text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    delivered_at timestamp with time zone,
    tries integer NOT NULL DEFAULT 0,
    last_status integer,
    CONSTRAINT sandbox_stripe_deliveries_pkey PRIMARY KEY (id)
);
GRANT INSERT, SELECT, UPDATE ON sandbox_stripe_deliveries TO tessera_app;
GRANT INSERT, SELECT, UPDATE ON sandbox_stripe_deliveries TO tessera_platform;

CREATE TABLE sandbox_stripe_objects (
    id text NOT NULL,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    customer text,
    body jsonb NOT NULL,
    hidden jsonb NOT NULL DEFAULT '{}'::jsonb,
    CONSTRAINT sandbox_stripe_objects_pkey PRIMARY KEY (id)
);
CREATE INDEX sandbox_stripe_objects_by_customer ON sandbox_stripe_objects USING btree (customer, kind);
CREATE INDEX sandbox_stripe_objects_by_kind ON sandbox_stripe_objects USING btree (kind, number);
GRANT DELETE, INSERT, SELECT, UPDATE ON sandbox_stripe_objects TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON sandbox_stripe_objects TO tessera_platform;

CREATE TABLE sandbox_stripe_requests (
    key text NOT NULL,
    fingerprint text NOT NULL,
    status integer NOT NULL,
    answer jsonb NOT NULL,
    made_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT sandbox_stripe_requests_pkey PRIMARY KEY (key)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON sandbox_stripe_requests TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON sandbox_stripe_requests TO tessera_platform;

CREATE TABLE scim_tokens (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    token_hash bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    last_origin text,
    CONSTRAINT scim_tokens_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT scim_tokens_company_id_token_hash_key UNIQUE (company_id, token_hash),
    CONSTRAINT scim_tokens_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_current_scim_token ON scim_tokens USING btree (company_id) WHERE (expires_at IS NULL);
ALTER TABLE scim_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON scim_tokens FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON scim_tokens FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON scim_tokens TO tessera_app;

CREATE TABLE sessions (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    user_id bigint NOT NULL,
    handle_hash bytea NOT NULL,
    kind text NOT NULL DEFAULT 'browser',
    client_name text,
    client_version text,
    browser text NOT NULL DEFAULT '',
    system text NOT NULL DEFAULT '',
    origin text NOT NULL,
    second_factor text NOT NULL DEFAULT 'sms',
    provider_issuer text,
    provider_session text,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    verified_until timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT sessions_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT sessions_company_id_handle_hash_key UNIQUE (company_id, handle_hash),
    CONSTRAINT sessions_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT sessions_check CHECK (((kind = 'client') = (client_name IS NOT NULL))),
    CONSTRAINT sessions_check1 CHECK (((kind = 'client') = (client_version IS NOT NULL))),
    CONSTRAINT sessions_kind_check CHECK ((kind = ANY (ARRAY['browser', 'client']))),
    CONSTRAINT sessions_second_factor_check CHECK ((second_factor = ANY (ARRAY['sms', 'totp', 'passkey', 'provider'])))
);
CREATE INDEX sessions_by_user ON sessions USING btree (company_id, user_id) WHERE (ended_at IS NULL);
CREATE INDEX sessions_of_provider ON sessions USING btree (company_id, provider_session) WHERE (provider_session IS NOT NULL);
CREATE INDEX sessions_of_user ON sessions USING btree (company_id, user_id);
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON sessions FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON sessions FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON sessions TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON sessions TO tessera_app;
GRANT SELECT (company_id, id, user_id, kind, client_name, client_version, browser, system, origin, second_factor, provider_issuer, provider_session, created_at, last_seen_at, expires_at, verified_until, ended_at) ON sessions TO tessera_platform;
GRANT UPDATE (company_id, id, user_id, kind, client_name, client_version, browser, system, origin, second_factor, provider_issuer, provider_session, created_at, last_seen_at, expires_at, verified_until, ended_at) ON sessions TO tessera_platform;

CREATE TABLE share_ids (
    id uuid NOT NULL,
    company_id integer NOT NULL,
    CONSTRAINT share_ids_pkey PRIMARY KEY (id)
);

CREATE TABLE share_policies (
    company_id integer NOT NULL,
    is_allowed boolean NOT NULL,
    max_days integer NOT NULL,
    CONSTRAINT share_policies_pkey PRIMARY KEY (company_id),
    CONSTRAINT share_policies_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT share_policies_max_days_check CHECK (((max_days >= 1) AND (max_days <= 365)))
);
ALTER TABLE share_policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE share_policies FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON share_policies FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON share_policies FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON share_policies TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON share_policies TO tessera_platform;

CREATE TABLE shared_warehouses (
    company_id integer NOT NULL,
    platform_company_id integer NOT NULL DEFAULT 1,
    warehouse_id bigint NOT NULL,
    assigned_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT shared_warehouses_pkey PRIMARY KEY (company_id, warehouse_id),
    CONSTRAINT shared_warehouses_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT shared_warehouses_platform_company_id_warehouse_id_fkey FOREIGN KEY (platform_company_id, warehouse_id) REFERENCES warehouses(company_id, id) ON DELETE CASCADE,
    CONSTRAINT shared_warehouses_check CHECK ((company_id <> platform_company_id)),
    CONSTRAINT shared_warehouses_platform_company_id_check CHECK ((platform_company_id = 1))
);
CREATE INDEX shared_warehouses_by_warehouse ON shared_warehouses USING btree (platform_company_id, warehouse_id);
ALTER TABLE shared_warehouses ENABLE ROW LEVEL SECURITY;
ALTER TABLE shared_warehouses FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON shared_warehouses FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON shared_warehouses FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON shared_warehouses TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON shared_warehouses TO tessera_platform;

CREATE TABLE shares (
    company_id integer NOT NULL,
    id uuid NOT NULL,
    author uuid NOT NULL,
    salt bytea NOT NULL,
    token_hash bytea NOT NULL,
    manifest bytea,
    bytes bigint NOT NULL DEFAULT 0,
    max_downloads integer NOT NULL,
    downloads integer NOT NULL DEFAULT 0,
    wrong_tokens integer NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    published_at timestamp with time zone,
    last_download_at timestamp with time zone,
    days integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    end_reason text,
    CONSTRAINT shares_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT shares_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT shares_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT shares_check CHECK (((downloads >= 0) AND (downloads <= max_downloads))),
    CONSTRAINT shares_check1 CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
    CONSTRAINT shares_check2 CHECK (((manifest IS NULL) OR (published_at IS NOT NULL))),
    CONSTRAINT shares_days_check CHECK (((days >= 1) AND (days <= 365))),
    CONSTRAINT shares_end_reason_check CHECK ((end_reason = ANY (ARRAY['ended', 'used', 'guessed']))),
    CONSTRAINT shares_max_downloads_check CHECK (((max_downloads >= 1) AND (max_downloads <= 1000))),
    CONSTRAINT shares_salt_check CHECK ((length(salt) = 16)),
    CONSTRAINT shares_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX shares_by_author ON shares USING btree (company_id, author);
CREATE INDEX shares_by_end ON shares USING btree (expires_at);
CREATE TRIGGER list_share AFTER INSERT OR DELETE ON shares FOR EACH ROW EXECUTE FUNCTION list_share();
ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
ALTER TABLE shares FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON shares FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON shares FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON shares TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON shares TO tessera_app;
GRANT SELECT (company_id, id, author, manifest, bytes, max_downloads, downloads, wrong_tokens, created_at, published_at, last_download_at, days, expires_at, ended_at, end_reason) ON shares TO tessera_platform;
GRANT UPDATE (company_id, id, author, manifest, bytes, max_downloads, downloads, wrong_tokens, created_at, published_at, last_download_at, days, expires_at, ended_at, end_reason) ON shares TO tessera_platform;

CREATE TABLE signup_tickets (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    token_hash bytea NOT NULL,
    access_request_id bigint,
    origin text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT signup_tickets_pkey PRIMARY KEY (id),
    CONSTRAINT signup_tickets_token_hash_key UNIQUE (token_hash),
    CONSTRAINT signup_tickets_access_request_id_fkey FOREIGN KEY (access_request_id) REFERENCES access_requests(id) ON DELETE SET NULL
);
CREATE INDEX signup_tickets_by_end ON signup_tickets USING btree (expires_at);
CREATE INDEX signup_tickets_of_request ON signup_tickets USING btree (access_request_id) WHERE (access_request_id IS NOT NULL);
GRANT DELETE, INSERT ON signup_tickets TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON signup_tickets TO tessera_app;
GRANT SELECT (id, access_request_id, origin, created_at, expires_at, used_at) ON signup_tickets TO tessera_platform;
GRANT UPDATE (id, access_request_id, origin, created_at, expires_at, used_at) ON signup_tickets TO tessera_platform;

CREATE TABLE space_members (
    company_id integer NOT NULL,
    space_id uuid NOT NULL,
    member uuid NOT NULL,
    public_keys bytea NOT NULL,
    former_name text,
    former_email text,
    CONSTRAINT space_members_pkey PRIMARY KEY (company_id, space_id, member),
    CONSTRAINT space_members_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT space_members_public_keys_check CHECK ((length(public_keys) = 1249))
);
CREATE INDEX space_members_by_member ON space_members USING btree (company_id, member);
ALTER TABLE space_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE space_members FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON space_members FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON space_members FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON space_members TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON space_members TO tessera_platform;

CREATE TABLE spaces (
    company_id integer NOT NULL,
    id uuid NOT NULL,
    sequence bigint NOT NULL,
    head bytea NOT NULL,
    "time" bigint NOT NULL,
    generation integer NOT NULL,
    awaiting_generation boolean NOT NULL,
    leader uuid NOT NULL,
    recovery_keys bytea NOT NULL,
    copied_sequence bigint NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT spaces_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT spaces_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT spaces_generation_check CHECK ((generation >= 0)),
    CONSTRAINT spaces_head_check CHECK ((length(head) = 32)),
    CONSTRAINT spaces_recovery_keys_check CHECK ((length(recovery_keys) = 1249)),
    CONSTRAINT spaces_sequence_check CHECK ((sequence >= 1))
);
CREATE INDEX spaces_not_copied ON spaces USING btree (company_id) WHERE (sequence > copied_sequence);
ALTER TABLE spaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE spaces FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON spaces FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON spaces FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON spaces TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON spaces TO tessera_platform;

CREATE TABLE sso_client_logins (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    provider_id bigint NOT NULL,
    handle_hash bytea NOT NULL,
    challenge bytea NOT NULL,
    redirect_port integer,
    redirect_state text,
    device_code_hash bytea NOT NULL,
    client_name text NOT NULL,
    client_system text NOT NULL,
    client_version text NOT NULL,
    origin text NOT NULL,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    user_id bigint,
    subject text,
    provider_session text,
    code_hash bytea,
    CONSTRAINT sso_client_logins_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT sso_client_logins_company_id_device_code_hash_key UNIQUE (company_id, device_code_hash),
    CONSTRAINT sso_client_logins_company_id_handle_hash_key UNIQUE (company_id, handle_hash),
    CONSTRAINT sso_client_logins_company_id_provider_id_fkey FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers(company_id, id) ON DELETE CASCADE,
    CONSTRAINT sso_client_logins_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT sso_client_logins_check CHECK (((redirect_port IS NULL) = (redirect_state IS NULL))),
    CONSTRAINT sso_client_logins_check1 CHECK ((((user_id IS NULL) = (subject IS NULL)) AND ((user_id IS NULL) = (code_hash IS NULL)))),
    CONSTRAINT sso_client_logins_check2 CHECK (((user_id IS NULL) OR (decided_at IS NOT NULL))),
    CONSTRAINT sso_client_logins_redirect_port_check CHECK (((redirect_port >= 1) AND (redirect_port <= 65535)))
);
CREATE INDEX sso_client_logins_by_expiry ON sso_client_logins USING btree (expires_at);
CREATE INDEX sso_client_logins_of_provider ON sso_client_logins USING btree (company_id, provider_id);
CREATE INDEX sso_client_logins_of_user ON sso_client_logins USING btree (company_id, user_id);
ALTER TABLE sso_client_logins ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_client_logins FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON sso_client_logins FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON sso_client_logins FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON sso_client_logins TO tessera_app;

CREATE TABLE sso_identities (
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    linked_at timestamp with time zone NOT NULL DEFAULT now(),
    last_login_at timestamp with time zone,
    CONSTRAINT sso_identities_pkey PRIMARY KEY (company_id, user_id),
    CONSTRAINT sso_identities_company_id_issuer_subject_key UNIQUE (company_id, issuer, subject),
    CONSTRAINT sso_identities_company_id_issuer_fkey FOREIGN KEY (company_id, issuer) REFERENCES sso_providers(company_id, issuer) ON DELETE CASCADE,
    CONSTRAINT sso_identities_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE
);
ALTER TABLE sso_identities ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_identities FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON sso_identities FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON sso_identities FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON sso_identities TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON sso_identities TO tessera_platform;

CREATE TABLE sso_logins (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    provider_id bigint NOT NULL,
    browser_hash bytea NOT NULL,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    user_id bigint,
    subject text,
    provider_session text,
    CONSTRAINT sso_logins_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT sso_logins_company_id_browser_hash_key UNIQUE (company_id, browser_hash),
    CONSTRAINT sso_logins_company_id_provider_id_fkey FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers(company_id, id) ON DELETE CASCADE,
    CONSTRAINT sso_logins_company_id_user_id_fkey FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id) ON DELETE CASCADE,
    CONSTRAINT sso_logins_check CHECK (((user_id IS NULL) = (subject IS NULL))),
    CONSTRAINT sso_logins_check1 CHECK (((subject IS NULL) OR (answered_at IS NOT NULL)))
);
CREATE INDEX sso_logins_by_expiry ON sso_logins USING btree (expires_at);
CREATE INDEX sso_logins_of_provider ON sso_logins USING btree (company_id, provider_id);
CREATE INDEX sso_logins_of_user ON sso_logins USING btree (company_id, user_id);
ALTER TABLE sso_logins ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_logins FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON sso_logins FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON sso_logins FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON sso_logins TO tessera_app;

CREATE TABLE sso_logouts (
    company_id integer NOT NULL,
    provider_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    received_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT sso_logouts_pkey PRIMARY KEY (company_id, provider_id, token_hash),
    CONSTRAINT sso_logouts_company_id_provider_id_fkey FOREIGN KEY (company_id, provider_id) REFERENCES sso_providers(company_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_logouts_by_time ON sso_logouts USING btree (received_at);
ALTER TABLE sso_logouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_logouts FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON sso_logouts FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON sso_logouts FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON sso_logouts TO tessera_app;

CREATE TABLE sso_providers (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    name text NOT NULL,
    issuer text,
    client_id text,
    sealed_secret bytea,
    is_default boolean NOT NULL DEFAULT false,
    saved_at timestamp with time zone NOT NULL DEFAULT now(),
    key_version integer,
    CONSTRAINT sso_providers_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT sso_providers_company_id_issuer_key UNIQUE (company_id, issuer),
    CONSTRAINT sso_providers_company_id_uuid_key UNIQUE (company_id, uuid),
    CONSTRAINT sso_providers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT sso_providers_data_key FOREIGN KEY (company_id, key_version) REFERENCES data_keys(company_id, version),
    CONSTRAINT sso_providers_check CHECK ((((issuer IS NULL) = (client_id IS NULL)) AND ((issuer IS NULL) = (sealed_secret IS NULL)))),
    CONSTRAINT sso_providers_check1 CHECK (((NOT is_default) OR (issuer IS NOT NULL)))
);
CREATE UNIQUE INDEX sso_providers_by_name ON sso_providers USING btree (company_id, lower(name));
CREATE UNIQUE INDEX sso_providers_default ON sso_providers USING btree (company_id) WHERE is_default;
ALTER TABLE sso_providers ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_providers FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON sso_providers FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON sso_providers FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON sso_providers TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON sso_providers TO tessera_platform;

CREATE TABLE storage_restore_claims (
    company_id integer NOT NULL,
    space_id uuid NOT NULL,
    member uuid NOT NULL,
    sequence bigint NOT NULL,
    CONSTRAINT storage_restore_claims_pkey PRIMARY KEY (company_id, space_id, member),
    CONSTRAINT storage_restore_claims_company_id_fkey FOREIGN KEY (company_id) REFERENCES storage_restores(company_id) ON DELETE CASCADE,
    CONSTRAINT storage_restore_claims_sequence_check CHECK ((sequence >= 1))
);
ALTER TABLE storage_restore_claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage_restore_claims FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON storage_restore_claims FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON storage_restore_claims FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON storage_restore_claims TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON storage_restore_claims TO tessera_platform;

CREATE TABLE storage_restores (
    company_id integer NOT NULL,
    began_at timestamp with time zone NOT NULL DEFAULT now(),
    read_at timestamp with time zone,
    closed_at timestamp with time zone,
    entries bigint NOT NULL DEFAULT 0,
    CONSTRAINT storage_restores_pkey PRIMARY KEY (company_id),
    CONSTRAINT storage_restores_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT storage_restores_check CHECK (((closed_at IS NULL) OR (read_at IS NOT NULL)))
);
CREATE INDEX storage_restores_unread ON storage_restores USING btree (company_id) WHERE ((read_at IS NULL) AND (closed_at IS NULL));
ALTER TABLE storage_restores ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage_restores FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON storage_restores FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON storage_restores FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON storage_restores TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON storage_restores TO tessera_platform;

CREATE TABLE storage_risks (
    company_id integer NOT NULL,
    since timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT storage_risks_pkey PRIMARY KEY (company_id),
    CONSTRAINT storage_risks_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
ALTER TABLE storage_risks ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage_risks FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON storage_risks FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON storage_risks FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON storage_risks TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON storage_risks TO tessera_platform;

CREATE TABLE subscription_notices (
    company_id integer NOT NULL,
    occasion timestamp with time zone NOT NULL,
    notice text NOT NULL,
    posted_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT subscription_notices_pkey PRIMARY KEY (company_id, occasion, notice),
    CONSTRAINT subscription_notices_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE
);
ALTER TABLE subscription_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE subscription_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON subscription_notices FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON subscription_notices FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON subscription_notices TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON subscription_notices TO tessera_platform;

CREATE TABLE subscriptions (
    company_id integer NOT NULL,
    subscription_id text,
    item_id text,
    provider_status text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT '',
    plan_id integer NOT NULL DEFAULT 0,
    price_amount integer,
    currency text NOT NULL DEFAULT 'usd',
    trial_end timestamp with time zone,
    current_period_start timestamp with time zone,
    current_period_end timestamp with time zone,
    cancel_at timestamp with time zone,
    is_canceled boolean NOT NULL DEFAULT false,
    is_suspended boolean NOT NULL DEFAULT false,
    cancel_reason text NOT NULL DEFAULT '',
    ended_at timestamp with time zone,
    past_due_since timestamp with time zone,
    next_amount integer,
    next_period_end timestamp with time zone,
    default_card_id text,
    billing_email text NOT NULL DEFAULT '',
    syncs_started bigint NOT NULL DEFAULT 0,
    sync_applied bigint NOT NULL DEFAULT 0,
    synced_at timestamp with time zone,
    CONSTRAINT subscriptions_pkey PRIMARY KEY (company_id),
    CONSTRAINT subscriptions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT subscriptions_status_check CHECK ((status = ANY (ARRAY['', 'trialing', 'active', 'past_due', 'cancelled'])))
);
CREATE INDEX subscriptions_past_due ON subscriptions USING btree (past_due_since) WHERE (past_due_since IS NOT NULL);
CREATE TRIGGER follow_added_status AFTER INSERT ON subscriptions FOR EACH ROW WHEN ((new.status <> '')) EXECUTE FUNCTION follow_subscription_status();
CREATE TRIGGER follow_changed_status AFTER UPDATE ON subscriptions FOR EACH ROW WHEN ((new.status <> old.status)) EXECUTE FUNCTION follow_subscription_status();
ALTER TABLE subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON subscriptions FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON subscriptions FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON subscriptions TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON subscriptions TO tessera_platform;

CREATE TABLE upload_reservations (
    company_id integer NOT NULL,
    pack_id bytea NOT NULL,
    bytes bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    check_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT upload_reservations_pkey PRIMARY KEY (company_id, pack_id),
    CONSTRAINT upload_reservations_company_id_pack_id_fkey FOREIGN KEY (company_id, pack_id) REFERENCES packs(company_id, id) ON DELETE CASCADE,
    CONSTRAINT upload_reservations_bytes_check CHECK ((bytes >= 0))
);
CREATE INDEX upload_reservations_by_check ON upload_reservations USING btree (check_at);
ALTER TABLE upload_reservations ENABLE ROW LEVEL SECURITY;
ALTER TABLE upload_reservations FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON upload_reservations FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON upload_reservations FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON upload_reservations TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON upload_reservations TO tessera_platform;

CREATE TABLE usage_months (
    company_id integer NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    member uuid NOT NULL,
    bytes bigint NOT NULL,
    packs integer NOT NULL,
    CONSTRAINT usage_months_pkey PRIMARY KEY (company_id, starts_at, member),
    CONSTRAINT usage_months_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT usage_months_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT usage_months_packs_check CHECK ((packs >= 0))
);
ALTER TABLE usage_months ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_months FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON usage_months FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON usage_months FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON usage_months TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON usage_months TO tessera_platform;

CREATE TABLE user_emails (
    email_folded text NOT NULL,
    company_id integer NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT user_emails_pkey PRIMARY KEY (email_folded)
);

CREATE TABLE user_uuids (
    uuid uuid NOT NULL,
    company_id integer NOT NULL,
    CONSTRAINT user_uuids_pkey PRIMARY KEY (uuid)
);

CREATE TABLE users (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    email text NOT NULL,
    email_folded text NOT NULL,
    email_confirmed_at timestamp with time zone,
    email_set_by_directory_at timestamp with time zone,
    former_email text,
    phone_number text NOT NULL,
    role text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    language text NOT NULL DEFAULT 'en',
    salt bytea NOT NULL,
    password_hash text NOT NULL,
    sealed_user_key text NOT NULL,
    sms_off boolean NOT NULL DEFAULT false,
    first_steps_shown boolean NOT NULL DEFAULT false,
    passphrase_sheet_kept_at timestamp with time zone,
    last_login_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    first_name_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(first_name)) STORED,
    last_name_folded text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(last_name)) STORED,
    email_sorted text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(email)) STORED,
    search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(((((((first_name || ' ') || last_name) || chr(10)) || email) || chr(10)) || phone_number))) STORED,
    CONSTRAINT users_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT users_company_id_email_folded_key UNIQUE (company_id, email_folded),
    CONSTRAINT users_company_id_uuid_key UNIQUE (company_id, uuid),
    CONSTRAINT users_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT users_check CHECK (((role = 'admin') = (company_id = 1))),
    CONSTRAINT users_check1 CHECK (((email_set_by_directory_at IS NULL) = (former_email IS NULL))),
    CONSTRAINT users_language_check CHECK ((language = ANY (ARRAY['en', 'tr', 'ar']))),
    CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['admin', 'teamLeader', 'teamMember']))),
    CONSTRAINT users_salt_check CHECK ((length(salt) = 16))
);
CREATE INDEX users_by_age ON users USING btree (company_id, created_at, id);
CREATE INDEX users_by_email ON users USING btree (company_id, email_sorted, id);
CREATE INDEX users_by_first_name ON users USING btree (company_id, first_name_folded, id);
CREATE INDEX users_by_last_login ON users USING btree (company_id, COALESCE(last_login_at, '-infinity'::timestamp with time zone), id);
CREATE INDEX users_by_last_name ON users USING btree (company_id, last_name_folded, id);
CREATE INDEX users_by_phone ON users USING btree (company_id, phone_number, id);
CREATE INDEX users_by_text ON users USING gin (trigram_vector(search_text));
CREATE UNIQUE INDEX one_leader_a_company ON users USING btree (company_id) WHERE (role = 'teamLeader');
CREATE TRIGGER count_added AFTER INSERT ON users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE TRIGGER count_removed AFTER DELETE ON users REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE TRIGGER keep_former_member AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION keep_former_member();
CREATE TRIGGER link_directory_user AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION link_directory_user();
CREATE TRIGGER list_user AFTER INSERT OR DELETE OR UPDATE OF email_folded ON users FOR EACH ROW EXECUTE FUNCTION list_user();
CREATE TRIGGER retire_uuid AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION retire_uuid();
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON users FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON users FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON users TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON users TO tessera_app;
GRANT SELECT (company_id, id, uuid, first_name, last_name, email, email_folded, email_confirmed_at, email_set_by_directory_at, former_email, phone_number, role, is_active, language, sms_off, first_steps_shown, passphrase_sheet_kept_at, last_login_at, created_at, first_name_folded, last_name_folded, email_sorted, search_text) ON users TO tessera_platform;
GRANT UPDATE (company_id, id, uuid, first_name, last_name, email, email_folded, email_confirmed_at, email_set_by_directory_at, former_email, phone_number, role, is_active, language, sms_off, first_steps_shown, passphrase_sheet_kept_at, last_login_at, created_at, first_name_folded, last_name_folded, email_sorted, search_text) ON users TO tessera_platform;

CREATE TABLE waiting_grants (
    company_id integer NOT NULL,
    space_id uuid NOT NULL,
    entry_id bytea NOT NULL,
    author uuid NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT waiting_grants_pkey PRIMARY KEY (company_id, space_id, entry_id),
    CONSTRAINT waiting_grants_company_id_space_id_fkey FOREIGN KEY (company_id, space_id) REFERENCES spaces(company_id, id) ON DELETE CASCADE,
    CONSTRAINT waiting_grants_entry_id_check CHECK ((length(entry_id) = 16))
);
CREATE INDEX waiting_grants_by_author ON waiting_grants USING btree (company_id, author);
CREATE INDEX waiting_grants_by_time ON waiting_grants USING btree (created_at);
ALTER TABLE waiting_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE waiting_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON waiting_grants FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON waiting_grants FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON waiting_grants TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON waiting_grants TO tessera_platform;

CREATE TABLE warehouse_transitions (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    warehouse_id bigint NOT NULL,
    at timestamp with time zone NOT NULL DEFAULT now(),
    status integer NOT NULL,
    error text,
    CONSTRAINT warehouse_transitions_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT warehouse_transitions_company_id_warehouse_id_fkey FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouses(company_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_transitions_status_check CHECK (((status >= 0) AND (status <= 2)))
);
CREATE INDEX warehouse_transitions_by_age ON warehouse_transitions USING btree (at);
CREATE INDEX warehouse_transitions_by_time ON warehouse_transitions USING btree (company_id, warehouse_id, at);
ALTER TABLE warehouse_transitions ENABLE ROW LEVEL SECURITY;
ALTER TABLE warehouse_transitions FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON warehouse_transitions FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON warehouse_transitions FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON warehouse_transitions TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON warehouse_transitions TO tessera_platform;

CREATE TABLE warehouses (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    type integer NOT NULL,
    nick_name text,
    bucket text NOT NULL DEFAULT '',
    path text NOT NULL DEFAULT '',
    sealed bytea NOT NULL,
    key_version integer NOT NULL,
    credentials_since timestamp with time zone NOT NULL DEFAULT now(),
    is_default boolean NOT NULL DEFAULT false,
    status integer NOT NULL DEFAULT 0,
    has_been_active boolean NOT NULL DEFAULT false,
    leaving_since timestamp with time zone,
    revision integer NOT NULL DEFAULT 1,
    checking_since timestamp with time zone DEFAULT now(),
    last_check_at timestamp with time zone,
    last_error text,
    health_written_at timestamp with time zone,
    health_version integer,
    next_check_at timestamp with time zone NOT NULL DEFAULT now(),
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    search_text text NOT NULL GENERATED ALWAYS AS (fold_text(((((COALESCE(nick_name, '') || chr(10)) || bucket) || chr(10)) || path))) STORED,
    CONSTRAINT warehouses_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT warehouses_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT warehouses_company_id_key_version_fkey FOREIGN KEY (company_id, key_version) REFERENCES data_keys(company_id, version),
    CONSTRAINT warehouses_status_check CHECK (((status >= 0) AND (status <= 2)))
);
CREATE INDEX warehouses_by_key ON warehouses USING btree (company_id, key_version);
CREATE INDEX warehouses_by_next_check ON warehouses USING btree (next_check_at);
CREATE INDEX warehouses_failing ON warehouses USING btree (type, last_error, company_id) WHERE (last_error IS NOT NULL);
CREATE UNIQUE INDEX one_default_warehouse ON warehouses USING btree (company_id) WHERE is_default;
ALTER TABLE warehouses ENABLE ROW LEVEL SECURITY;
ALTER TABLE warehouses FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON warehouses FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON warehouses FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON warehouses TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON warehouses TO tessera_app;
GRANT SELECT (company_id, id, type, nick_name, bucket, path, key_version, credentials_since, is_default, status, has_been_active, leaving_since, revision, checking_since, last_check_at, last_error, health_written_at, health_version, next_check_at, created_at, search_text) ON warehouses TO tessera_platform;
GRANT UPDATE (company_id, id, type, nick_name, bucket, path, key_version, credentials_since, is_default, status, has_been_active, leaving_since, revision, checking_since, last_check_at, last_error, health_written_at, health_version, next_check_at, created_at, search_text) ON warehouses TO tessera_platform;

CREATE TABLE webhook_deliveries (
    company_id integer NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    event text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_attempt_at timestamp with time zone,
    next_attempt_at timestamp with time zone,
    outcome text NOT NULL DEFAULT 'waiting',
    status integer,
    error text,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT webhook_deliveries_company_id_fkey FOREIGN KEY (company_id) REFERENCES webhooks(company_id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['waiting', 'delivered', 'failed'])))
);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING btree (created_at);
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON webhook_deliveries FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON webhook_deliveries FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_deliveries TO tessera_app;
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_deliveries TO tessera_platform;

CREATE TABLE webhook_events (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    event_id text NOT NULL,
    kind text NOT NULL,
    customer_id text,
    happened_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL DEFAULT now(),
    processed_at timestamp with time zone,
    outcome text,
    CONSTRAINT webhook_events_pkey PRIMARY KEY (id),
    CONSTRAINT webhook_events_event_id_key UNIQUE (event_id)
);
CREATE INDEX webhook_events_by_arrival ON webhook_events USING btree (received_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_events TO tessera_platform;
GRANT INSERT, SELECT, UPDATE ON webhook_events TO tessera_app;

CREATE TABLE webhooks (
    company_id integer NOT NULL,
    url text NOT NULL,
    sealed bytea NOT NULL,
    key_version integer NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    secret_created_at timestamp with time zone NOT NULL DEFAULT now(),
    last_success_at timestamp with time zone,
    disabled_at timestamp with time zone,
    CONSTRAINT webhooks_pkey PRIMARY KEY (company_id),
    CONSTRAINT webhooks_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(id) ON DELETE CASCADE,
    CONSTRAINT webhooks_company_id_key_version_fkey FOREIGN KEY (company_id, key_version) REFERENCES data_keys(company_id, version)
);
CREATE INDEX webhooks_by_key ON webhooks USING btree (company_id, key_version);
ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON webhooks FOR ALL TO tessera_owner USING (true);
CREATE POLICY tenant ON webhooks FOR ALL TO tessera_app USING ((company_id = (NULLIF(current_setting('app.company', true), ''))::integer));
GRANT DELETE, INSERT ON webhooks TO tessera_platform;
GRANT DELETE, INSERT, SELECT, UPDATE ON webhooks TO tessera_app;
GRANT SELECT (company_id, url, key_version, created_at, secret_created_at, last_success_at, disabled_at) ON webhooks TO tessera_platform;
GRANT UPDATE (company_id, url, key_version, created_at, secret_created_at, last_success_at, disabled_at) ON webhooks TO tessera_platform;

CREATE OR REPLACE FUNCTION activity_matches(term text, most integer, page_start bigint, page_size integer, newest_first boolean, OUT ids bigint[], OUT total integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('activity', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'activity'), term, most, page_start, page_size, newest_first);
END $function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION add_directory_user(member users)
 RETURNS void
 LANGUAGE sql
AS $function$
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
$function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION add_member_count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO member_counts (company_id) SELECT id FROM added;
    RETURN NULL;
END $function$;
-- may be called by: its owner

CREATE OR REPLACE FUNCTION add_to_row_count(company integer, counted text, difference bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
END $function$;
-- may be called by: its owner

CREATE OR REPLACE FUNCTION address_taken(folded text, unused_for interval)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT EXISTS (SELECT FROM user_emails e WHERE e.email_folded = folded)
       AND find_unconfirmed(folded, unused_for) IS NULL
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION all_activity_matches(term text, most integer, page_start bigint, page_size integer, newest_first boolean, OUT ids bigint[], OUT total integer)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
    SELECT * FROM search_rows('activity', 'search_text', 'true', 'true', 1,
        row_count(1, 'all_activity'), term, most, page_start, page_size, newest_first)
$function$;
-- may be called by: tessera_platform

CREATE OR REPLACE FUNCTION assign_shared_warehouses(needed integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- may be called by: tessera_app, tessera_platform

CREATE OR REPLACE FUNCTION billing_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$ SELECT now() + ahead FROM billing_clock $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION change_directory_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE directory_groups g SET version = g.version + 1, changed_at = now()
      FROM (SELECT DISTINCT company_id, group_number FROM changed) c
     WHERE g.company_id = c.company_id AND g.number = c.group_number;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION company_matches(term text, most integer, page_start bigint, page_size integer, newest_first boolean, OUT ids bigint[], OUT total integer)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
    SELECT * FROM search_rows('companies', 'search_text', 'true', 'id <> 1', 1,
        row_count(1, 'companies'), term, most, page_start, page_size, newest_first)
$function$;
-- may be called by: tessera_platform

CREATE OR REPLACE FUNCTION count_activity()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION count_companies()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(1, 'companies', count(*)) FROM added WHERE id <> 1;
    ELSE
        PERFORM add_to_row_count(1, 'companies', -count(*)) FROM removed WHERE id <> 1;
    END IF;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION count_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(company_id, 'members', count(*)) FROM added GROUP BY company_id;
    ELSE
        PERFORM add_to_row_count(company_id, 'members', -count(*)) FROM removed GROUP BY company_id;
    END IF;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION count_open_invites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION find_company(asked uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT id FROM companies WHERE uuid = asked
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_customer(id_at_provider text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT c.id FROM companies c WHERE c.customer_id = id_at_provider
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_domain(asked text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT company_id FROM proved_domains WHERE domain = asked
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_file_request(request uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT company_id FROM file_request_ids WHERE id = request
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_invite(company integer, hash bytea)
 RETURNS TABLE(company_id integer, invite_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT i.company_id, i.id FROM invites i WHERE i.company_id = company AND i.token_hash = hash
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_link(company integer, hash bytea)
 RETURNS TABLE(company_id integer, link_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT l.company_id, l.id FROM links l WHERE l.company_id = company AND l.token_hash = hash
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_login(folded text)
 RETURNS TABLE(company_id integer, user_id bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT e.company_id, e.user_id FROM user_emails e WHERE e.email_folded = folded
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_share(share uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT company_id FROM share_ids WHERE id = share
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION find_unconfirmed(folded text, unused_for interval)
 RETURNS bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT u.id FROM user_emails e
      JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id
     WHERE e.email_folded = folded AND u.email_confirmed_at IS NULL
       AND u.created_at <= now() - unused_for
       AND NOT EXISTS (SELECT FROM sessions s WHERE s.company_id = u.company_id
                        AND s.user_id = u.id AND s.last_seen_at > now() - unused_for)
$function$;
-- may be called by: its owner

CREATE OR REPLACE FUNCTION fold_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = length(value)) THEN lower((value COLLATE "C")) WHEN (value !~ '[ıøłđðħŧςßæœþØŁĐÐĦŦẞÆŒÞٱةىکی٠-٩۰-۹’‘ʼ‐–—ﭐ-﷿ﹰ-﻿]') THEN strip_marks(value) ELSE unify_letters(strip_marks(value)) END;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION follow_member_count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    UPDATE member_counts
       SET count = count + NEW.count - CASE TG_OP WHEN 'UPDATE' THEN OLD.count ELSE 0 END
     WHERE company_id = NEW.company_id;
    RETURN NULL;
END $function$;
-- may be called by: its owner

CREATE OR REPLACE FUNCTION follow_subscription_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    UPDATE companies SET subscribed_until = subscribed_until WHERE id = NEW.company_id;
    RETURN NULL;
END $function$;
-- may be called by: its owner

CREATE OR REPLACE FUNCTION forget_old_activity(days integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION invite_matches(term text, most integer, page_start bigint, page_size integer, newest_first boolean, OUT ids bigint[], OUT total integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('invites', 'email_sorted', 'state = ''open''',
        'company_id = $3', company, row_count(company, 'open_invites'), term, most,
        page_start, page_size, newest_first);
END $function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION is_retired(retired uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT EXISTS (SELECT FROM retired_uuids WHERE hash = sha256(uuid_send(retired)))
$function$;
-- may be called by: its owner

CREATE OR REPLACE FUNCTION keep_former_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    UPDATE space_members
       SET former_name = OLD.first_name || ' ' || OLD.last_name, former_email = OLD.email
     WHERE company_id = OLD.company_id AND member = OLD.uuid;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION known_addresses(folded text[])
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT COALESCE(array_agg(e.email_folded), '{}') FROM user_emails e
      JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id
     WHERE e.email_folded = ANY(folded) AND u.email_confirmed_at IS NOT NULL
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION link_directory_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE directory_users SET user_id = NEW.id, changed_at = now()
     WHERE company_id = NEW.company_id AND email_folded = NEW.email_folded AND user_id IS NULL;
    IF NOT FOUND AND EXISTS (SELECT FROM provisioning WHERE company_id = NEW.company_id) THEN
        PERFORM add_directory_user(NEW);
    END IF;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION list_domain()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    IF TG_OP <> 'INSERT' AND COALESCE(OLD.proved_at, OLD.lost_at) IS NOT NULL THEN
        DELETE FROM proved_domains WHERE domain = OLD.domain;
    END IF;
    IF TG_OP <> 'DELETE' AND COALESCE(NEW.proved_at, NEW.lost_at) IS NOT NULL THEN
        INSERT INTO proved_domains VALUES (NEW.domain, NEW.company_id);
    END IF;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION list_file_request()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO file_request_ids VALUES (NEW.id, NEW.company_id);
    ELSE
        DELETE FROM file_request_ids WHERE id = OLD.id;
    END IF;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION list_passkey()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO passkey_credentials VALUES (NEW.credential_id, NEW.company_id)
        ON CONFLICT DO NOTHING;
    RETURN CASE WHEN FOUND THEN NEW END;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION list_share()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO share_ids VALUES (NEW.id, NEW.company_id);
    ELSE
        DELETE FROM share_ids WHERE id = OLD.id;
    END IF;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION list_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION login_salt(folded text, invented bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT COALESCE(
        (SELECT CASE WHEN e.email_folded = folded THEN u.salt ELSE invented END
           FROM (SELECT * FROM user_emails WHERE email_folded >= folded
                  ORDER BY email_folded LIMIT 1) e
           JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id), invented)
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION lost_registrations(older_than interval)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT id FROM registrations WHERE state = 'pending' AND created_at < now() - older_than
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION member_matches(term text, most integer, page_start bigint, page_size integer, newest_first boolean, OUT ids bigint[], OUT total integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('users', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'members'), term, most, page_start, page_size, newest_first);
END $function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION next_company_id()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT nextval(pg_get_serial_sequence('companies', 'id'))::int
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION next_warehouse_check(company integer, seconds integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
    SELECT to_timestamp(
        (floor((extract(epoch FROM now()) + seconds / 2.0 - place) / seconds) + 1) * seconds + place)
      FROM (SELECT (company::bigint * 2654435761 % 4294967296) / 4294967296.0 * seconds AS place) p
$function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION open_session(company integer, hash bytea, idle interval, client_idle interval, version text)
 RETURNS TABLE(session_id bigint, kind text, verified_until timestamp with time zone, user_id bigint, user_uuid uuid, company_id integer, company_uuid uuid, company_name text, role text, first_name text, last_name text, language text, is_subscribed boolean, can_view_warehouse boolean, second_factor text, client_version text, allowed_factors text[], min_client_version text, allowed_networks text[], allowed_countries text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- may be called by: tessera_app

CREATE OR REPLACE PROCEDURE protect_tenant_table(IN name regclass, IN tenant_column text DEFAULT 'company_id')
 LANGUAGE plpgsql
AS $procedure$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
        'CREATE POLICY tenant ON %s TO tessera_app'
        ' USING (%I = NULLIF(current_setting(''app.company'', true), '''')::int)',
        name, tenant_column);
    EXECUTE format('CREATE POLICY owner ON %s TO CURRENT_USER USING (true)', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO tessera_app, tessera_platform', name);
END $procedure$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION purge_expired_guests()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    DELETE FROM signup_tickets t WHERE expires_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM registrations r
                        WHERE r.ticket_id = t.id AND r.state = 'pending');
    DELETE FROM guest_codes WHERE sent_at < now() - interval '30 days';
    DELETE FROM access_requests WHERE decided_at < now() - interval '90 days'
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION purge_expired_logins(maximum integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION release_address(folded text, unused_for interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION retire_uuid()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO retired_uuids VALUES (sha256(uuid_send(OLD.uuid))) ON CONFLICT DO NOTHING;
    ELSIF is_retired(NEW.uuid) THEN
        RAISE unique_violation USING
            MESSAGE = 'the uuid is retired', CONSTRAINT = 'retired_uuids_pkey';
    END IF;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION row_count(company integer, counted text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN (SELECT (COALESCE(sum(row_counts.count), (0)::numeric))::bigint AS "coalesce" FROM row_counts WHERE ((row_counts.company_id = row_count.company) AND (row_counts.name = row_count.counted)));
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION search_rows(relation regclass, searched name, partial text, scope text, company integer, size bigint, term text, most integer, page_start bigint, page_size integer, newest_first boolean, OUT ids bigint[], OUT total integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
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
END $function$;
-- may be called by: tessera_platform

CREATE OR REPLACE FUNCTION set_subscription_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;
-- may be called by: its owner

CREATE OR REPLACE FUNCTION shared_warehouse_states()
 RETURNS TABLE(type integer, nick_name text, status integer, last_check_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT w.type, w.nick_name, w.status, w.last_check_at
      FROM shared_warehouses s
      JOIN warehouses w ON w.company_id = s.platform_company_id AND w.id = s.warehouse_id
     WHERE s.company_id = NULLIF(current_setting('app.company', true), '')::int
     ORDER BY w.id
$function$;
-- may be called by: tessera_app, tessera_platform

CREATE OR REPLACE FUNCTION storage_warehouses()
 RETURNS TABLE(company_id integer, id bigint, type integer, nick_name text, status integer, has_been_active boolean, status_since timestamp with time zone, last_check_at timestamp with time zone, leaving_since timestamp with time zone, created_at timestamp with time zone, sealed bytea, key_version integer, wrapped bytea, wrapped_by bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
$function$;
-- may be called by: tessera_app, tessera_platform

CREATE OR REPLACE FUNCTION strip_marks(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(lower(NORMALIZE(value, NFKD)), '[̀-ͯؐ-ؚـً-ٰٟۖ-ۜ۟-۪ۨ-ۭ​-‏؜⁦-⁩]', '', 'g');
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION trigram_matches(relation regclass, searched name, partial text, scope text, company integer, folded text, candidates bigint, OUT ids bigint[], OUT seen bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
 SET work_mem TO '32MB'
AS $function$
BEGIN
    EXECUTE format(
        'SELECT COALESCE(array_agg(id::bigint) FILTER (WHERE matches), ''{}''), count(*)'
        ' FROM (SELECT id, %4$s%5$s AS matches FROM %2$s'
        '        WHERE trigram_vector(%1$I) @@ $4 AND %3$s LIMIT $2 + 1) AS maybe',
        searched, relation, partial, scope,
        CASE WHEN length(folded) > 3 THEN format(' AND position($1 IN %I) > 0', searched) END)
       INTO ids, seen USING folded, candidates, company, trigram_query(folded);
END $function$;
-- may be called by: tessera_platform

CREATE OR REPLACE FUNCTION trigram_query(folded text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (string_agg(DISTINCT ((('''' || replace(replace(substr(trigram_query.folded, i.i, 3), '\', '\\'), '''', '''''')) || '''') || CASE WHEN (length(trigram_query.folded) < 3) THEN ':*' ELSE '' END), ' & '))::tsquery AS string_agg FROM generate_series(1, GREATEST((length(trigram_query.folded) - 2), 1)) i(i));
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION trigram_vector(value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN array_to_tsvector(ARRAY(SELECT substr(trigram_vector.value, i.i, 3) AS substr FROM generate_series(1, length(trigram_vector.value)) i(i)));
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION unify_letters(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN replace(replace(replace(replace(translate(value, 'ıøłđðħŧςٱةىکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹’‘ʼ‐–—', 'iolddhtσاهيكي01234567890123456789''''''---'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION unlist_passkey()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    DELETE FROM passkey_credentials WHERE credential_id = OLD.credential_id;
    RETURN NULL;
END $function$;
-- may be called by: PUBLIC

CREATE OR REPLACE FUNCTION use_access_request(ticket bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    UPDATE access_requests SET state = 'used', token_hash = NULL
     WHERE id = (SELECT access_request_id FROM signup_tickets WHERE id = ticket)
       AND state = 'approved'
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION uuid_taken(company uuid, person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT EXISTS (SELECT FROM companies WHERE uuid = company)
        OR EXISTS (SELECT FROM user_uuids WHERE uuid = person)
        OR is_retired(company) OR is_retired(person)
$function$;
-- may be called by: tessera_app

CREATE OR REPLACE FUNCTION was_session_ended(company integer, hash bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT COALESCE(
        (SELECT s.kind = 'client' AND (s.ended_at IS NOT NULL OR NOT u.is_active)
           FROM sessions s JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
          WHERE s.company_id = company AND s.handle_hash = hash),
        true)
$function$;
-- may be called by: tessera_app
