-- The recovery pair is named by signed records. A client made before cannot have signed one, cannot
-- open what the leader's keys now hold, and describes files differently: nothing of what it stored
-- can be converted, and nothing was released. So keys and spaces begin anew; clouds are not touched.
SET LOCAL lock_timeout = '5s';

DELETE FROM spaces;
DELETE FROM usage_months;
DELETE FROM key_handovers;
DELETE FROM member_keys;
DROP TABLE recovery_copies;
DROP TABLE recovery_keys;

-- Every pair that the company had; the highest counter names the current one.
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
CALL protect_tenant_table('recovery_records');

-- The private half of a pair under the passphrase and the file recovery code.
CREATE TABLE recovery_kits (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    counter int NOT NULL CHECK (counter >= 1),
    -- The counter of the record that names the pair.
    record int NOT NULL,
    sealed bytea NOT NULL CHECK (length(sealed) = 129),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, counter),
    FOREIGN KEY (company_id, record) REFERENCES recovery_records (company_id, counter)
        ON DELETE CASCADE
);
CALL protect_tenant_table('recovery_kits');

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
CALL protect_tenant_table('recovery_copies');
CREATE INDEX recovery_copies_by_warehouse ON recovery_copies (warehouse_company_id, warehouse_id);

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
CALL protect_tenant_table('recovery_handovers');
CREATE INDEX recovery_handovers_by_sender ON recovery_handovers (company_id, sender_id);

REVOKE ALL ON recovery_records, recovery_kits, recovery_handovers FROM tessera_platform;
