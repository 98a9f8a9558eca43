-- What the list of warehouses shows without opening their credentials.
ALTER TABLE warehouses
    -- For display, like `path`. Warehouses older than this column get it with their next check.
    ADD COLUMN bucket text NOT NULL DEFAULT '',
    -- Since when the current credentials are in use.
    ADD COLUMN credentials_since timestamptz NOT NULL DEFAULT now();

UPDATE warehouses w SET credentials_since = COALESCE(
    (SELECT max(a.at) FROM activity a
      WHERE a.company_id = w.company_id AND a.action = 'warehouse.updated'
        AND a.details ->> 'warehouseId' = w.id::text
        AND EXISTS (SELECT FROM jsonb_array_elements(a.details -> 'changes') AS change
                     WHERE change ->> 'field' IN ('accountKey', 'secret', 'accessToken', 'appSecret',
                                                  'refreshToken', 'privateKey', 'clientSecret'))),
    w.created_at);

-- As before, and the bucket can be searched for.
ALTER TABLE warehouses DROP COLUMN search_text;
ALTER TABLE warehouses
    ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
        COALESCE(nick_name, '') || chr(10) || bucket || chr(10) || path || chr(10) || CASE type
            WHEN 1 THEN 'Dropbox' WHEN 3 THEN 'AWS S3' WHEN 4 THEN 'Azure' ELSE 'Google Cloud'
        END)) STORED;
