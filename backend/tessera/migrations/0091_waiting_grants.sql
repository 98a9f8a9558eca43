-- Who stored grants for which entry. If the entry does not follow, the grants are deleted.
CREATE TABLE waiting_grants (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    entry_id bytea NOT NULL CHECK (length(entry_id) = 16),
    author uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, space_id, entry_id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('waiting_grants');
CREATE INDEX waiting_grants_by_author ON waiting_grants (company_id, author);
CREATE INDEX waiting_grants_by_time ON waiting_grants (created_at);
