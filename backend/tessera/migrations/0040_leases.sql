-- Calls that run once at a time in a company, in whichever process: exports.
CREATE TABLE leases (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    name text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, name)
);
CALL protect_tenant_table('leases');
REVOKE ALL ON leases FROM tessera_platform;
