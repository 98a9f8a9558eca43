-- Passphrases that were replaced, still sealed by the key of their epoch. Whoever still has that key
-- can open them; nobody else can.
CREATE TABLE former_passphrases (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    epoch int NOT NULL CHECK (epoch >= 1),
    sealed_passphrase text NOT NULL,
    set_at timestamptz NOT NULL,
    replaced_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, epoch)
);
CALL protect_tenant_table('former_passphrases');
REVOKE UPDATE, DELETE ON former_passphrases FROM tessera_app;
