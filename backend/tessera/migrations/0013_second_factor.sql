-- Sessions that their owner can tell apart, and an authenticator app in place of the SMS.

-- What kind of browser and system it is says enough; the header itself says more than is needed.
ALTER TABLE sessions DROP COLUMN user_agent;
ALTER TABLE sessions ADD COLUMN browser text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN system text NOT NULL DEFAULT '';

-- A secret shared with the owner's app. It counts from its confirmation on; one that waits for it
-- stands beside the one in use, which serves until then.
CREATE TABLE authenticators (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    sealed_secret bytea NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    confirmed_at timestamptz,
    -- The time step of the last code that was taken: neither it nor an older one is taken again.
    last_step bigint NOT NULL DEFAULT 0,
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('authenticators');
CREATE UNIQUE INDEX one_authenticator_a_user
    ON authenticators (company_id, user_id) WHERE confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX one_waiting_authenticator_a_user
    ON authenticators (company_id, user_id) WHERE confirmed_at IS NULL;

-- For who has lost the app. Each is good once.
CREATE TABLE recovery_codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamptz,
    UNIQUE (company_id, user_id, code_hash),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('recovery_codes');
