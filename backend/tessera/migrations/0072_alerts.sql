-- Who gets alerts about warehouses and storage besides the leader, and the company's webhook for them.

CREATE TABLE alert_recipients (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('alert_recipients');

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
CALL protect_tenant_table('webhooks');
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
CALL protect_tenant_table('webhook_deliveries');
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
