ALTER TABLE grants
    -- Of the entry that carries their hash. Null while they wait for it.
    ADD COLUMN sequence bigint,
    -- When the recipient could not open it although its hash is right.
    ADD COLUMN refused_at timestamptz;
DROP INDEX grants_by_member;
CREATE INDEX grants_by_member ON grants (company_id, space_id, member, sequence);
CREATE INDEX grants_refused ON grants (company_id, space_id) WHERE refused_at IS NOT NULL;
