-- Outside a transaction.
-- The indexes of unique keys that begin with the company, for the next migration.
DROP INDEX CONCURRENTLY IF EXISTS users_company_id_email_folded_key;
CREATE UNIQUE INDEX CONCURRENTLY users_company_id_email_folded_key ON users (company_id, email_folded);
DROP INDEX CONCURRENTLY IF EXISTS users_company_id_uuid_key;
CREATE UNIQUE INDEX CONCURRENTLY users_company_id_uuid_key ON users (company_id, uuid);
