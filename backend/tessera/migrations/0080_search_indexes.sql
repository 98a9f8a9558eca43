-- Outside a transaction.
-- Indexes that find terms of one and two characters too, for the next migration. The vector contains
-- the three characters from each position on, and the last ones of the text. It serves queries by
-- prefix, so a short term is the beginning of some of them. Such an index is as large as that of the
-- trigrams alone; one over all substrings of up to three characters is 1.7 times as large, and twice as
-- expensive to build.
CREATE OR REPLACE FUNCTION trigram_vector(value text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_tsvector(
    ARRAY(SELECT substr(value, i, 3) FROM generate_series(1, length(value)) AS i));
DROP INDEX CONCURRENTLY IF EXISTS companies_by_text;
CREATE INDEX CONCURRENTLY companies_by_text ON companies USING gin (trigram_vector(search_text));
DROP INDEX CONCURRENTLY IF EXISTS users_by_text;
CREATE INDEX CONCURRENTLY users_by_text ON users USING gin (trigram_vector(search_text));
DROP INDEX CONCURRENTLY IF EXISTS invites_by_text;
CREATE INDEX CONCURRENTLY invites_by_text ON invites USING gin (trigram_vector(email_sorted))
    WHERE state = 'open';
DROP INDEX CONCURRENTLY IF EXISTS activity_by_text;
CREATE INDEX CONCURRENTLY activity_by_text ON activity USING gin (trigram_vector(search_text));
