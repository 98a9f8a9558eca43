-- Outside a transaction.
-- The indexes of unique keys that begin with the company, for the next migration.
DROP INDEX CONCURRENTLY IF EXISTS invites_company_id_key_key;
CREATE UNIQUE INDEX CONCURRENTLY invites_company_id_key_key ON invites (company_id, key);
DROP INDEX CONCURRENTLY IF EXISTS invites_company_id_token_hash_key;
CREATE UNIQUE INDEX CONCURRENTLY invites_company_id_token_hash_key ON invites (company_id, token_hash);
DROP INDEX CONCURRENTLY IF EXISTS links_company_id_token_hash_key;
CREATE UNIQUE INDEX CONCURRENTLY links_company_id_token_hash_key ON links (company_id, token_hash);
DROP INDEX CONCURRENTLY IF EXISTS remembered_devices_company_id_token_hash_key;
CREATE UNIQUE INDEX CONCURRENTLY remembered_devices_company_id_token_hash_key
    ON remembered_devices (company_id, token_hash);
DROP INDEX CONCURRENTLY IF EXISTS sessions_company_id_handle_hash_key;
CREATE UNIQUE INDEX CONCURRENTLY sessions_company_id_handle_hash_key ON sessions (company_id, handle_hash);
-- Handles of sessions, links and invites from before this version do not name their company. A later
-- version drops these indexes, when the last of those has expired.
DROP INDEX CONCURRENTLY IF EXISTS invites_by_token;
CREATE INDEX CONCURRENTLY invites_by_token ON invites (token_hash);
DROP INDEX CONCURRENTLY IF EXISTS links_by_token;
CREATE INDEX CONCURRENTLY links_by_token ON links (token_hash);
DROP INDEX CONCURRENTLY IF EXISTS sessions_by_handle;
CREATE INDEX CONCURRENTLY sessions_by_handle ON sessions (handle_hash);
