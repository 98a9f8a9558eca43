-- Accounts at the card provider that a deleted company has left behind. Apart from the webhooks, so
-- that nothing that comes in from outside can put work here.
CREATE TABLE closed_accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id text NOT NULL UNIQUE,
    requested_at timestamptz NOT NULL DEFAULT now(),
    closed_at timestamptz
);
GRANT SELECT, INSERT, UPDATE ON closed_accounts TO tessera_app;
GRANT SELECT ON closed_accounts TO tessera_platform;
