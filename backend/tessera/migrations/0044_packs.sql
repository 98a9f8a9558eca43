-- Packs: encrypted chunks of a space, cut into shards of which each lies in another warehouse. The
-- server knows sizes, checksums and places, and carries none of the bytes.

CREATE TABLE packs (
    company_id int NOT NULL,
    id bytea NOT NULL CHECK (length(id) = 16),
    space_id uuid NOT NULL,
    generation int NOT NULL CHECK (generation >= 1),
    k int NOT NULL CHECK (k >= 1),
    n int NOT NULL CHECK (n > k AND n <= 16),
    length int NOT NULL CHECK (length BETWEEN 1 AND 17825792),
    author uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- When k shards were stored for the first time; from then on it counts against the quota.
    booked_at timestamptz,
    -- The log entry that added it, and the digest of its data shards stated there.
    sequence bigint,
    digest bytea CHECK (length(digest) = 32),
    retired_at timestamptz,
    -- The shards are deleted. The row stays, because the log names a pack once.
    deleted_at timestamptz,
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE,
    CHECK ((sequence IS NULL) = (digest IS NULL)),
    CHECK (retired_at IS NULL OR sequence IS NOT NULL)
);
CALL protect_tenant_table('packs');
CREATE INDEX packs_by_space ON packs (company_id, space_id);
CREATE INDEX packs_uncommitted ON packs (created_at) WHERE sequence IS NULL;
CREATE INDEX packs_retired ON packs (retired_at)
    WHERE retired_at IS NOT NULL AND deleted_at IS NULL;

-- A shard is pending until it was found in its warehouse, missing if it was and is not any more,
-- and wrong if another object lies there. Without a warehouse (it was removed) it is lost.
CREATE TABLE pack_shards (
    company_id int NOT NULL,
    pack_id bytea NOT NULL,
    index int NOT NULL CHECK (index BETWEEN 0 AND 15),
    -- Shared warehouses belong to the platform's company.
    warehouse_company_id int,
    warehouse_id bigint,
    -- Of the whole object, header included.
    size int NOT NULL CHECK (size > 96),
    sha256 bytea NOT NULL CHECK (length(sha256) = 32),
    state text NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'stored', 'missing', 'wrong')),
    -- As the provider stated it when the shard was stored; comparable with later statements only.
    checksum text,
    checked_at timestamptz,
    is_stored bool NOT NULL
        GENERATED ALWAYS AS (state = 'stored' AND warehouse_id IS NOT NULL) STORED,
    PRIMARY KEY (company_id, pack_id, index),
    -- Never two shards of a pack in one warehouse.
    UNIQUE (company_id, pack_id, warehouse_id),
    FOREIGN KEY (company_id, pack_id) REFERENCES packs (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE SET NULL,
    CHECK (warehouse_company_id IN (1, company_id)),
    CHECK ((warehouse_company_id IS NULL) = (warehouse_id IS NULL))
);
CALL protect_tenant_table('pack_shards');
CREATE INDEX pack_shards_not_stored ON pack_shards (company_id, pack_id) WHERE NOT is_stored;
CREATE INDEX pack_shards_by_warehouse
    ON pack_shards (warehouse_company_id, warehouse_id, company_id);
CREATE INDEX pack_shards_by_check ON pack_shards (company_id, checked_at) WHERE is_stored;

-- Bytes of packs on their way, counted against the quota until they are booked or expire.
CREATE TABLE upload_reservations (
    company_id int NOT NULL,
    pack_id bytea NOT NULL,
    bytes bigint NOT NULL CHECK (bytes > 0),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, pack_id),
    FOREIGN KEY (company_id, pack_id) REFERENCES packs (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('upload_reservations');
CREATE INDEX upload_reservations_by_end ON upload_reservations (expires_at);

-- Booked bytes before coding, by billing month and author.
CREATE TABLE usage_months (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    starts_at timestamptz NOT NULL,
    member uuid NOT NULL,
    bytes bigint NOT NULL CHECK (bytes >= 0),
    packs int NOT NULL CHECK (packs >= 0),
    PRIMARY KEY (company_id, starts_at, member)
);
CALL protect_tenant_table('usage_months');

-- Up to which entry each warehouse has a copy of the log, and which recovery kits it has.
CREATE TABLE log_copies (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    warehouse_company_id int NOT NULL,
    warehouse_id bigint NOT NULL,
    sequence bigint NOT NULL CHECK (sequence >= 1),
    PRIMARY KEY (company_id, space_id, warehouse_id),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE,
    FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE
);
CALL protect_tenant_table('log_copies');
CREATE INDEX log_copies_by_warehouse ON log_copies (warehouse_company_id, warehouse_id);

CREATE TABLE recovery_copies (
    company_id int NOT NULL,
    counter int NOT NULL,
    warehouse_company_id int NOT NULL,
    warehouse_id bigint NOT NULL,
    PRIMARY KEY (company_id, counter, warehouse_id),
    FOREIGN KEY (company_id, counter) REFERENCES recovery_keys (company_id, counter)
        ON DELETE CASCADE,
    FOREIGN KEY (warehouse_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE
);
CALL protect_tenant_table('recovery_copies');
CREATE INDEX recovery_copies_by_warehouse ON recovery_copies (warehouse_company_id, warehouse_id);

-- Up to which entry every warehouse of the placement has a copy.
ALTER TABLE spaces ADD COLUMN copied_sequence bigint NOT NULL DEFAULT 0;
CREATE INDEX spaces_not_copied ON spaces (company_id) WHERE sequence > copied_sequence;

-- What deleted companies left behind in shared warehouses.
CREATE TABLE prefix_deletions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_uuid uuid NOT NULL,
    platform_company_id int NOT NULL DEFAULT 1 CHECK (platform_company_id = 1),
    warehouse_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (platform_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE
);
GRANT INSERT ON prefix_deletions TO tessera_app;
GRANT SELECT, INSERT, DELETE ON prefix_deletions TO tessera_platform;
CREATE INDEX prefix_deletions_by_warehouse ON prefix_deletions (platform_company_id, warehouse_id);

-- The warehouses that the company of the transaction stores in or has shards in: its own, and the
-- shared ones, which its own rows do not show. With their sealed credentials.
CREATE FUNCTION storage_warehouses()
RETURNS TABLE (
    company_id int, id bigint, type int, nick_name text, status int, has_been_active bool,
    status_since timestamptz, last_check_at timestamptz, created_at timestamptz, sealed bytea,
    key_version int, wrapped bytea, wrapped_by bytea
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT w.company_id, w.id, w.type, w.nick_name, w.status, w.has_been_active,
           COALESCE((SELECT max(t.at) FROM warehouse_transitions t
                      WHERE t.company_id = w.company_id AND t.warehouse_id = w.id), w.created_at),
           w.last_check_at, w.created_at, w.sealed, w.key_version, d.wrapped, d.wrapped_by
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
