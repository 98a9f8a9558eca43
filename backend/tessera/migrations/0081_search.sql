-- Searches for terms of any length by the indexes of the migration before, and the keys of one page.

-- The version before this one calls the functions below with two arguments: it finds the new ones by
-- their defaults. Those of migrations 0004 and 0010 are called by no version any more.
DROP FUNCTION member_matches(text, int), invite_matches(text, int), activity_matches(text, int),
    company_matches(text, int), all_activity_matches(text, int),
    search_rows(regclass, name, text, text, int, bigint, text, int),
    trigram_matches(regclass, name, text, text, int, text, bigint),
    search_members(text, int), search_invites(text, int), search_activity(text, int),
    search_companies(text, int), search_all_activity(text, int),
    trigram_hits(regclass, name, text, text, int);

-- Finds texts that contain all trigrams of the term or, if the term is shorter, the term itself.
CREATE FUNCTION trigram_query(folded text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT string_agg(DISTINCT
        '''' || replace(replace(substr(folded, i, 3), '\', '\\'), '''', '''''') || ''''
        || CASE WHEN length(folded) < 3 THEN ':*' ELSE '' END, ' & ')::tsquery
      FROM generate_series(1, greatest(length(folded) - 2, 1)) AS i);

-- Returns the ids of the rows that contain a term if there are at most `most`, and how many there
-- are; ids NULL and total most + 1 if there are more; both NULL if reading the list itself is as fast:
-- it is short, or every few rows contain the term, so that a page and `most` rows are soon found.
-- Given a page, returns only its ids, in the order of the ids.
-- `partial` is the condition of the search index, `scope` that of the list, with the company as $3.
CREATE FUNCTION search_rows(
    relation regclass, searched name, partial text, scope text, company int, size bigint, term text,
    most int, page_start bigint, page_size int, newest_first bool, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    folded text := fold_text(term);
    seen bigint;
BEGIN
    IF size <= 5000 OR folded = '' THEN
        RETURN;
    END IF;
    EXECUTE format(
        'SELECT count(*) FROM (SELECT %1$I AS searched FROM %2$s WHERE %3$s AND %4$s'
        ' ORDER BY id DESC LIMIT 400) newest WHERE position($1 IN searched) > 0',
        searched, relation, partial, scope)
       INTO seen USING folded, most, company;
    -- A short term costs the index more, because it reads every trigram that begins with the term.
    IF seen > (CASE WHEN length(folded) < 3 THEN 50 ELSE 100 END) THEN
        RETURN;
    END IF;
    SELECT * INTO ids, seen
      FROM trigram_matches(relation, searched, partial, scope, company, folded, most);
    IF seen > most AND cardinality(ids) <= most THEN
        -- Rows of other companies, or rows with the term's trigrams but not the term, were seen.
        SELECT * INTO ids, seen
          FROM trigram_matches(relation, searched, partial, scope, company, folded, size / 2);
        IF seen > size / 2 AND cardinality(ids) <= most THEN
            ids := NULL;
            RETURN;
        END IF;
    END IF;
    total := least(cardinality(ids), most + 1);
    IF total > most THEN
        ids := NULL;
    ELSIF page_size IS NOT NULL AND newest_first THEN
        ids := ARRAY(SELECT unnest(ids) AS id ORDER BY id DESC LIMIT page_size OFFSET page_start);
    ELSIF page_size IS NOT NULL THEN
        ids := ARRAY(SELECT unnest(ids) AS id ORDER BY id LIMIT page_size OFFSET page_start);
    END IF;
END $$;

-- Reads at most `candidates` + 1 rows with all trigrams of the term, and returns how many it read and
-- which of them contain the term; up to three characters, all of them do. Always by the index:
-- computing the trigrams of each row costs far more than looking for the term in it.
CREATE FUNCTION trigram_matches(
    relation regclass, searched name, partial text, scope text, company int, folded text,
    candidates bigint, OUT ids bigint[], OUT seen bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off
SET work_mem = '32MB' AS $$
BEGIN
    EXECUTE format(
        'SELECT COALESCE(array_agg(id::bigint) FILTER (WHERE matches), ''{}''), count(*)'
        ' FROM (SELECT id, %4$s%5$s AS matches FROM %2$s'
        '        WHERE trigram_vector(%1$I) @@ $4 AND %3$s LIMIT $2 + 1) AS maybe',
        searched, relation, partial, scope,
        CASE WHEN length(folded) > 3 THEN format(' AND position($1 IN %I) > 0', searched) END)
       INTO ids, seen USING folded, candidates, company, trigram_query(folded);
END $$;

-- For the company of the transaction.
CREATE FUNCTION member_matches(
    term text, most int, page_start bigint DEFAULT NULL, page_size int DEFAULT NULL,
    newest_first bool DEFAULT NULL, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('users', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'members'), term, most, page_start, page_size, newest_first);
END $$;

CREATE FUNCTION invite_matches(
    term text, most int, page_start bigint DEFAULT NULL, page_size int DEFAULT NULL,
    newest_first bool DEFAULT NULL, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('invites', 'email_sorted', 'state = ''open''',
        'company_id = $3', company, row_count(company, 'open_invites'), term, most,
        page_start, page_size, newest_first);
END $$;

CREATE FUNCTION activity_matches(
    term text, most int, page_start bigint DEFAULT NULL, page_size int DEFAULT NULL,
    newest_first bool DEFAULT NULL, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('activity', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'activity'), term, most, page_start, page_size, newest_first);
END $$;

-- Over all companies, for the platform role.
CREATE FUNCTION company_matches(
    term text, most int, page_start bigint DEFAULT NULL, page_size int DEFAULT NULL,
    newest_first bool DEFAULT NULL, OUT ids bigint[], OUT total int)
LANGUAGE sql STABLE AS $$
    SELECT * FROM search_rows('companies', 'search_text', 'true', 'id <> 1', 1,
        row_count(1, 'companies'), term, most, page_start, page_size, newest_first)
$$;

CREATE FUNCTION all_activity_matches(
    term text, most int, page_start bigint DEFAULT NULL, page_size int DEFAULT NULL,
    newest_first bool DEFAULT NULL, OUT ids bigint[], OUT total int)
LANGUAGE sql STABLE AS $$
    SELECT * FROM search_rows('activity', 'search_text', 'true', 'true', 1,
        row_count(1, 'all_activity'), term, most, page_start, page_size, newest_first)
$$;

REVOKE ALL ON FUNCTION
    search_rows(regclass, name, text, text, int, bigint, text, int, bigint, int, bool),
    trigram_matches(regclass, name, text, text, int, text, bigint),
    member_matches(text, int, bigint, int, bool), invite_matches(text, int, bigint, int, bool),
    activity_matches(text, int, bigint, int, bool), company_matches(text, int, bigint, int, bool),
    all_activity_matches(text, int, bigint, int, bool) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION member_matches(text, int, bigint, int, bool),
    invite_matches(text, int, bigint, int, bool), activity_matches(text, int, bigint, int, bool)
    TO tessera_app;
GRANT EXECUTE ON FUNCTION
    search_rows(regclass, name, text, text, int, bigint, text, int, bigint, int, bool),
    trigram_matches(regclass, name, text, text, int, text, bigint),
    company_matches(text, int, bigint, int, bool),
    all_activity_matches(text, int, bigint, int, bool) TO tessera_platform;
