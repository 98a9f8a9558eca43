-- Browsers that have logged in to an account before. What strangers do cannot lock them out of it.
CREATE TABLE remembered_devices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('remembered_devices');
CREATE INDEX remembered_devices_of_user ON remembered_devices (company_id, user_id);
