-- Tables that no company owns have no foreign keys to tenant tables, which may be on other nodes.
SET LOCAL lock_timeout = '5s';

-- The service deletes the codes of a company's invites together with the company.
ALTER TABLE guest_codes DROP CONSTRAINT guest_codes_company_id_invite_id_fkey;

-- These belong to the platform's company, like the warehouses that they refer to.
ALTER TABLE prefix_deletions
    DROP CONSTRAINT prefix_deletions_pkey,
    ADD PRIMARY KEY (platform_company_id, id);
