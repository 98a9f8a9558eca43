-- Passkeys (WebAuthn): public keys of a user's authenticators, each usable as the second login step.
CREATE TABLE passkeys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    credential_id bytea NOT NULL UNIQUE,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    -- The user key, sealed by a key that only this passkey can derive. Without it, the passkey logs
    -- in and opens nothing.
    sealed_user_key text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('passkeys');
CREATE UNIQUE INDEX one_passkey_a_name ON passkeys (company_id, user_id, lower(name));

-- What an authenticator has to sign, once. A new challenge replaces the former one of its purpose.
CREATE TABLE passkey_challenges (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL,
    session_id bigint,
    purpose text NOT NULL CHECK (purpose IN ('login', 'verify', 'register')),
    challenge bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    CHECK ((purpose = 'login') = (session_id IS NULL)),
    UNIQUE NULLS NOT DISTINCT (company_id, user_id, purpose, session_id),
    FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (company_id, session_id) REFERENCES sessions (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('passkey_challenges');
