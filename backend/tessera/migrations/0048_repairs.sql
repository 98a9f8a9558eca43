-- Repairs of packs: shards that are missing, wrong, or in a warehouse that the company leaves are
-- rebuilt from the others and stored elsewhere.

-- Its shards are moved to other warehouses, and it takes no new ones.
ALTER TABLE warehouses ADD COLUMN leaving_since timestamptz;

CREATE TABLE repairs (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    -- How many packs there were to repair at the start.
    packs int NOT NULL CHECK (packs >= 0),
    repaired int NOT NULL DEFAULT 0,
    failed int NOT NULL DEFAULT 0,
    bytes_read bigint NOT NULL DEFAULT 0,
    bytes_written bigint NOT NULL DEFAULT 0,
    -- Packs are repaired in the order of their ids; this one was the last.
    last_pack bytea NOT NULL DEFAULT '',
    PRIMARY KEY (company_id, id)
);
CALL protect_tenant_table('repairs');
CREATE UNIQUE INDEX repairs_open ON repairs (company_id) WHERE finished_at IS NULL;

-- Companies whose leader was told that files are at risk, until they are safe again.
CREATE TABLE storage_risks (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    since timestamptz NOT NULL DEFAULT now()
);
CALL protect_tenant_table('storage_risks');

-- Which shards are due for an audit.
CREATE INDEX pack_shards_by_age ON pack_shards (checked_at) WHERE is_stored;
CREATE INDEX pack_shards_to_audit ON pack_shards (warehouse_company_id, warehouse_id, checked_at)
    WHERE is_stored;

DROP FUNCTION storage_warehouses();
CREATE FUNCTION storage_warehouses()
RETURNS TABLE (
    company_id int, id bigint, type int, nick_name text, status int, has_been_active bool,
    status_since timestamptz, last_check_at timestamptz, leaving_since timestamptz,
    created_at timestamptz, sealed bytea, key_version int, wrapped bytea, wrapped_by bytea
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT w.company_id, w.id, w.type, w.nick_name, w.status, w.has_been_active,
           COALESCE((SELECT max(t.at) FROM warehouse_transitions t
                      WHERE t.company_id = w.company_id AND t.warehouse_id = w.id), w.created_at),
           w.last_check_at, w.leaving_since, w.created_at, w.sealed, w.key_version, d.wrapped,
           d.wrapped_by
      FROM (SELECT NULLIF(current_setting('app.company', true), '')::int AS id) c
      JOIN warehouses w ON w.company_id = c.id OR (w.company_id = 1 AND (
               EXISTS (SELECT FROM shared_warehouses s
                        WHERE s.company_id = c.id AND s.warehouse_id = w.id)
            OR EXISTS (SELECT FROM pack_shards p WHERE p.warehouse_company_id = 1
                        AND p.warehouse_id = w.id AND p.company_id = c.id)))
      JOIN data_keys d ON d.company_id = w.company_id AND d.version = w.key_version
     ORDER BY w.created_at, w.id
$$;
REVOKE ALL ON FUNCTION storage_warehouses() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION storage_warehouses() TO tessera_app, tessera_platform;
