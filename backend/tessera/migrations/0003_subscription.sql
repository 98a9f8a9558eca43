-- What the card provider knows about a company, as of the last look. Every column but the last
-- ones is a copy of the provider's objects; webhooks, the company's own calls and a nightly round
-- renew it.
CREATE TABLE subscriptions (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    subscription_id text UNIQUE,
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
    cancel_at_period_end bool NOT NULL DEFAULT false,
    is_canceled bool NOT NULL DEFAULT false,
    cancel_reason text NOT NULL DEFAULT '',
    ended_at timestamptz,
    past_due_since timestamptz,
    next_amount int,
    default_card_id text,
    billing_email text NOT NULL DEFAULT '',
    -- A look that began earlier never overwrites one that began later.
    looks_begun bigint NOT NULL DEFAULT 0,
    look_applied bigint NOT NULL DEFAULT 0,
    looked_at timestamptz
);
CALL protect_tenant_table('subscriptions');
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
CALL protect_tenant_table('cards');

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
CALL protect_tenant_table('invoices');
CREATE INDEX invoices_newest ON invoices (company_id, created_at DESC, id);

-- What a leader asked of the card provider: written first, so that the provider's idempotency keys
-- come from it and a crash in the middle is carried on. One at a time for a company.
CREATE TABLE card_operations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    kind text NOT NULL,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
    input jsonb NOT NULL DEFAULT '{}',
    -- A card token waits sealed, and is erased with the end of the operation.
    sealed_token bytea,
    error_code text,
    actor_uuid uuid,
    actor_name text NOT NULL DEFAULT '',
    origin text NOT NULL DEFAULT '',
    request_id text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CHECK (state = 'pending' OR sealed_token IS NULL)
);
CALL protect_tenant_table('card_operations');
CREATE UNIQUE INDEX one_card_operation_at_a_time ON card_operations (company_id)
    WHERE state = 'pending';

-- Mails that go out once for each occasion: `occasion` is when the debt, the trial's end or the
-- cancellation happened.
CREATE TABLE subscription_notices (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    occasion timestamptz NOT NULL,
    notice text NOT NULL,
    posted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, occasion, notice)
);
CALL protect_tenant_table('subscription_notices');

-- Webhooks as they came in: the names of things only, never what they hold.
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
GRANT SELECT, INSERT, UPDATE ON webhook_events TO tessera_app, tessera_platform;
GRANT DELETE ON webhook_events TO tessera_platform;
CREATE INDEX webhook_events_by_arrival ON webhook_events (received_at);

CREATE FUNCTION find_customer(id_at_provider text) RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT c.id FROM companies c WHERE c.customer_id = id_at_provider
$$;
REVOKE ALL ON FUNCTION find_customer(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_customer(text) TO tessera_app;

-- The time subscriptions live by. It is the real time, except in the sandbox, whose clock can be
-- moved ahead to see a year pass.
CREATE TABLE billing_clock (
    only_one bool PRIMARY KEY DEFAULT true CHECK (only_one),
    ahead interval NOT NULL DEFAULT '0'
);
INSERT INTO billing_clock DEFAULT VALUES;
GRANT SELECT ON billing_clock TO tessera_app, tessera_platform;
GRANT UPDATE ON billing_clock TO tessera_platform;

CREATE FUNCTION billing_now() RETURNS timestamptz LANGUAGE sql STABLE AS
$$ SELECT now() + ahead FROM billing_clock $$;

-- The payment sandbox. Empty for ever in production.
CREATE TABLE sandbox_stripe_objects (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    customer text,
    body jsonb NOT NULL,
    -- How the card behaves, and other things the object's readers do not see.
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
