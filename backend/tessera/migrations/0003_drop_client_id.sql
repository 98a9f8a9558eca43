-- Contract: needs version 0.8.1
-- Nothing has ever been stored in it.
ALTER TABLE users DROP COLUMN client_id;
