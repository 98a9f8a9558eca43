-- Companies whose storage an operator has marked after the database was restored from a backup. Until
-- the team leader closes the restore, their logs are only extended by entries that they had before,
-- and nothing in the warehouses is deleted.
CREATE TABLE storage_restores (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    began_at timestamptz NOT NULL DEFAULT now(),
    -- When all warehouses that were connected had been read to their ends.
    read_at timestamptz,
    closed_at timestamptz,
    -- How many entries came back.
    entries bigint NOT NULL DEFAULT 0,
    CHECK (closed_at IS NULL OR read_at IS NOT NULL)
);
CREATE INDEX storage_restores_unread ON storage_restores (company_id)
    WHERE read_at IS NULL AND closed_at IS NULL;
CALL protect_tenant_table('storage_restores');

-- How far members say that they have seen a log, where that is beyond its end.
CREATE TABLE storage_restore_claims (
    company_id int NOT NULL REFERENCES storage_restores ON DELETE CASCADE,
    -- May be a space that the backup does not have.
    space_id uuid NOT NULL,
    member uuid NOT NULL,
    sequence bigint NOT NULL CHECK (sequence >= 1),
    PRIMARY KEY (company_id, space_id, member)
);
CALL protect_tenant_table('storage_restore_claims');
