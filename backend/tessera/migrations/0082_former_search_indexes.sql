-- Outside a transaction.
-- Nothing uses these since the migration before.
DROP INDEX CONCURRENTLY IF EXISTS companies_by_trigram;
DROP INDEX CONCURRENTLY IF EXISTS users_by_trigram;
DROP INDEX CONCURRENTLY IF EXISTS invites_by_trigram;
DROP INDEX CONCURRENTLY IF EXISTS activity_by_trigram;
DROP FUNCTION IF EXISTS trigrams(text);
