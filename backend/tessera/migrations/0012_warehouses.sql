-- Warehouses: the clouds a company keeps its data in, and the keys under which their credentials
-- lie.

-- One living key a company. It is wrapped by the platform key, and `wrapped_by` says which one.
CREATE TABLE data_keys (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    version int NOT NULL CHECK (version >= 1),
    wrapped bytea NOT NULL,
    wrapped_by bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, version)
);
CALL protect_tenant_table('data_keys');
CREATE INDEX data_keys_by_platform_key ON data_keys (wrapped_by);

CREATE TABLE warehouses (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    type int NOT NULL CHECK (type IN (1, 3, 4, 5)),
    nick_name text,
    -- For the eye only: what is connected to stands in `sealed`, whole.
    path text NOT NULL DEFAULT '',
    sealed bytea NOT NULL,
    key_version int NOT NULL,
    is_default bool NOT NULL DEFAULT false,
    status int NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 2),
    has_been_active bool NOT NULL DEFAULT false,
    -- Grows with every change of what is checked: the result of a check that began before a change
    -- is not written down after it.
    revision int NOT NULL DEFAULT 1,
    -- Since when the check waits that follows a change.
    checking_since timestamptz DEFAULT now(),
    last_check_at timestamptz,
    last_error text,
    -- The time and the key version in the health file as it was last seen or written. Another
    -- version than the credentials' says: to be written.
    health_written_at timestamptz,
    health_version int,
    next_check_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
        COALESCE(nick_name, '') || chr(10) || path || chr(10) || CASE type
            WHEN 1 THEN 'Dropbox' WHEN 3 THEN 'AWS S3' WHEN 4 THEN 'Azure' ELSE 'Google Cloud'
        END)) STORED,
    UNIQUE (company_id, id),
    -- No key is destroyed while a ciphertext needs it.
    FOREIGN KEY (company_id, key_version) REFERENCES data_keys (company_id, version)
);
CALL protect_tenant_table('warehouses');
CREATE UNIQUE INDEX one_default_warehouse ON warehouses (company_id) WHERE is_default;
CREATE INDEX warehouses_by_key ON warehouses (company_id, key_version);
CREATE INDEX warehouses_by_next_check ON warehouses (next_check_at);

-- Changes of the state, and not every check.
CREATE TABLE warehouse_transitions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL,
    warehouse_id bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    status int NOT NULL CHECK (status BETWEEN 0 AND 2),
    error text,
    FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouses (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('warehouse_transitions');
CREATE INDEX warehouse_transitions_by_time
    ON warehouse_transitions (company_id, warehouse_id, at);
CREATE INDEX warehouse_transitions_by_age ON warehouse_transitions (at);

-- The platform's own warehouses are shared by the companies on the basic plan.
CREATE TABLE shared_warehouses (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    platform_company_id int NOT NULL DEFAULT 1 CHECK (platform_company_id = 1),
    warehouse_id bigint NOT NULL,
    assigned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, warehouse_id),
    FOREIGN KEY (platform_company_id, warehouse_id) REFERENCES warehouses (company_id, id)
        ON DELETE CASCADE,
    CHECK (company_id <> platform_company_id)
);
CALL protect_tenant_table('shared_warehouses');
CREATE INDEX shared_warehouses_by_warehouse
    ON shared_warehouses (platform_company_id, warehouse_id);

-- Gives the company of the transaction as many shared warehouses as it lacks of `needed`, of
-- different clouds first, then those with the fewest companies; answers how many it has now. The
-- platform's rows are out of its own reach.
CREATE FUNCTION assign_shared_warehouses(needed int) RETURNS int
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
    given int;
BEGIN
    SELECT count(*) INTO given FROM shared_warehouses s WHERE s.company_id = company;
    IF company IS NULL OR company = 1 OR given >= needed THEN
        RETURN given;
    END IF;
    INSERT INTO shared_warehouses (company_id, warehouse_id)
    SELECT company, ranked.id
      FROM (SELECT w.id, load.companies,
                   row_number() OVER (PARTITION BY w.type ORDER BY load.companies, w.id) AS turn
              FROM warehouses w
              CROSS JOIN LATERAL (SELECT count(*) AS companies FROM shared_warehouses s
                                   WHERE s.platform_company_id = 1 AND s.warehouse_id = w.id) load
             WHERE w.company_id = 1 AND NOT EXISTS (
                 SELECT FROM shared_warehouses s
                  WHERE s.company_id = company AND s.warehouse_id = w.id)) ranked
     ORDER BY ranked.turn, ranked.companies, ranked.id
     LIMIT needed - given;
    SELECT count(*) INTO given FROM shared_warehouses s WHERE s.company_id = company;
    RETURN given;
END $$;

-- How the shared warehouses of the company of the transaction are: nothing else of them.
CREATE FUNCTION shared_warehouse_states()
RETURNS TABLE (type int, nick_name text, status int, last_check_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT w.type, w.nick_name, w.status, w.last_check_at
      FROM shared_warehouses s
      JOIN warehouses w ON w.company_id = s.platform_company_id AND w.id = s.warehouse_id
     WHERE s.company_id = NULLIF(current_setting('app.company', true), '')::int
     ORDER BY w.id
$$;

-- Each company has its own place in the interval, so that checks are spread over it for ever,
-- whatever was late. At least half an interval lies between two checks.
CREATE FUNCTION next_warehouse_check(company int, seconds int) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT to_timestamp(
        (floor((extract(epoch FROM now()) + seconds / 2.0 - place) / seconds) + 1) * seconds + place)
      FROM (SELECT (company::bigint * 2654435761 % 4294967296) / 4294967296.0 * seconds AS place) p
$$;

REVOKE ALL ON FUNCTION assign_shared_warehouses(int), shared_warehouse_states() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assign_shared_warehouses(int), shared_warehouse_states()
    TO tessera_app, tessera_platform;
