-- Outside a transaction.
-- The indexes of primary keys that begin with the company, for the next migration. They are built
-- without keeping anyone from writing. A run that was interrupted is repeated from the start, so what
-- it left behind is dropped first.
DROP INDEX CONCURRENTLY IF EXISTS activity_key;
CREATE UNIQUE INDEX CONCURRENTLY activity_key ON activity (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS activity_by_id;
-- For the list over all companies.
CREATE INDEX CONCURRENTLY activity_by_id ON activity (id);
DROP INDEX CONCURRENTLY IF EXISTS authenticators_key;
CREATE UNIQUE INDEX CONCURRENTLY authenticators_key ON authenticators (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS card_operations_key;
CREATE UNIQUE INDEX CONCURRENTLY card_operations_key ON card_operations (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS codes_key;
CREATE UNIQUE INDEX CONCURRENTLY codes_key ON codes (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS invites_key;
CREATE UNIQUE INDEX CONCURRENTLY invites_key ON invites (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS links_key;
CREATE UNIQUE INDEX CONCURRENTLY links_key ON links (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS messages_key;
CREATE UNIQUE INDEX CONCURRENTLY messages_key ON messages (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS passkey_challenges_key;
CREATE UNIQUE INDEX CONCURRENTLY passkey_challenges_key ON passkey_challenges (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS passkeys_key;
CREATE UNIQUE INDEX CONCURRENTLY passkeys_key ON passkeys (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS recovery_codes_key;
CREATE UNIQUE INDEX CONCURRENTLY recovery_codes_key ON recovery_codes (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS remembered_devices_key;
CREATE UNIQUE INDEX CONCURRENTLY remembered_devices_key ON remembered_devices (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS sessions_key;
CREATE UNIQUE INDEX CONCURRENTLY sessions_key ON sessions (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS users_key;
CREATE UNIQUE INDEX CONCURRENTLY users_key ON users (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS warehouse_transitions_key;
CREATE UNIQUE INDEX CONCURRENTLY warehouse_transitions_key ON warehouse_transitions (company_id, id);
DROP INDEX CONCURRENTLY IF EXISTS warehouses_key;
CREATE UNIQUE INDEX CONCURRENTLY warehouses_key ON warehouses (company_id, id);
