-- A company key, sealed by the former leader to the keys of the new one, until the new leader has
-- sealed it with their own user key. The sender's public keys check its signature; null when the
-- sender had none, and then it is not signed.
CREATE TABLE key_handovers (
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    epoch int NOT NULL CHECK (epoch >= 1),
    data bytea NOT NULL,
    sender_keys bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, user_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('key_handovers');
REVOKE ALL ON key_handovers FROM tessera_platform;
