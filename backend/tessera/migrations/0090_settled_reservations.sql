-- A reservation counts until the warehouses were asked what was stored with its links. Its row stays
-- as long as something may still arrive; `bytes` is what counts, and 0 once it is booked or released.
ALTER TABLE upload_reservations
    DROP CONSTRAINT upload_reservations_bytes_check,
    ADD CONSTRAINT upload_reservations_bytes_check CHECK (bytes >= 0),
    -- When the warehouses are asked next.
    ADD COLUMN check_at timestamptz NOT NULL DEFAULT now();
DROP INDEX upload_reservations_by_end;
CREATE INDEX upload_reservations_by_check ON upload_reservations (check_at);

-- Bytes of objects that were larger than their shard. They are booked, and the objects deleted.
ALTER TABLE packs ADD COLUMN excess bigint NOT NULL DEFAULT 0 CHECK (excess >= 0);
