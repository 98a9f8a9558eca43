-- Storage: keys of members and of the company's recovery, spaces, and the log of each space. The
-- server orders and checks entries; everything secret in them is sealed by the clients.

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
CALL protect_tenant_table('member_keys');

-- Every state of the recovery pair; the highest counter is the current one. `sealed` is its private
-- half under the passphrase and the file recovery code, where a recovery kit was made.
CREATE TABLE recovery_keys (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    counter int NOT NULL CHECK (counter >= 1),
    public_keys bytea NOT NULL CHECK (length(public_keys) = 1249),
    leader_uuid uuid NOT NULL,
    leader_grant bytea NOT NULL CHECK (length(leader_grant) = 1201),
    sealed bytea CHECK (length(sealed) = 129),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, counter)
);
CALL protect_tenant_table('recovery_keys');

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
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, id)
);
CALL protect_tenant_table('spaces');

-- Members and authors are uuids without a foreign key: removing a user does not change history.
CREATE TABLE space_members (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    member uuid NOT NULL,
    public_keys bytea NOT NULL CHECK (length(public_keys) = 1249),
    PRIMARY KEY (company_id, space_id, member),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('space_members');
CREATE INDEX space_members_by_member ON space_members (company_id, member);

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
CALL protect_tenant_table('log_entries');

-- Stored before the entry that carries their hash, and found by that entry's id.
CREATE TABLE grants (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    entry_id bytea NOT NULL CHECK (length(entry_id) = 16),
    member uuid NOT NULL,
    generation int NOT NULL CHECK (generation >= 1),
    content bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, space_id, entry_id, member),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('grants');
CREATE INDEX grants_by_member ON grants (company_id, space_id, member, generation);
