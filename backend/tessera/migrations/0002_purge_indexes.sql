-- The hourly purge read every message and every code of the installation to find the old ones.
DROP INDEX CONCURRENTLY IF EXISTS messages_by_age;
CREATE INDEX CONCURRENTLY IF NOT EXISTS messages_by_age ON messages (created_at);
DROP INDEX CONCURRENTLY IF EXISTS codes_by_end;
CREATE INDEX CONCURRENTLY IF NOT EXISTS codes_by_end ON codes (expires_at);
