-- Totals of lists without counting their rows, and searches that stop early.

-- A total is the sum of its rows here: usually one row, more where transactions changed the same
-- total at the same time. None waits for another, because each takes a row that nobody else holds.
-- The platform's own totals, over all companies, are kept under its company.
CREATE TABLE row_counts (
    company_id int NOT NULL REFERENCES companies ON DELETE CASCADE,
    name text NOT NULL CHECK (name IN
        ('members', 'open_invites', 'activity', 'companies', 'all_activity')),
    id bigint GENERATED ALWAYS AS IDENTITY,
    count bigint NOT NULL,
    PRIMARY KEY (company_id, name, id)
) WITH (fillfactor = 50);
CALL protect_tenant_table('row_counts');
REVOKE INSERT, UPDATE, DELETE ON row_counts FROM tessera_app, tessera_platform;

CREATE FUNCTION add_to_row_count(company int, counted text, difference bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF difference = 0 THEN
        RETURN;
    END IF;
    UPDATE row_counts SET count = count + difference
     WHERE company_id = company AND name = counted AND id = (
        SELECT id FROM row_counts WHERE company_id = company AND name = counted
         ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        -- The rows of a deleted company are counted off after the company and its totals are gone.
        INSERT INTO row_counts (company_id, name, count)
        SELECT company, counted, difference WHERE EXISTS (SELECT FROM companies WHERE id = company);
    END IF;
END $$;

CREATE FUNCTION row_count(company int, counted text) RETURNS bigint
LANGUAGE sql STABLE
RETURN (SELECT COALESCE(sum(count), 0)::bigint FROM row_counts
         WHERE company_id = company AND name = counted);

CREATE FUNCTION count_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(company_id, 'members', count(*)) FROM added GROUP BY company_id;
    ELSE
        PERFORM add_to_row_count(company_id, 'members', -count(*)) FROM removed GROUP BY company_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON users
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_members();
CREATE TRIGGER count_removed AFTER DELETE ON users
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_members();

CREATE FUNCTION count_open_invites() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        PERFORM add_to_row_count(company_id, 'open_invites', count(*))
           FROM added WHERE state = 'open' GROUP BY company_id;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        PERFORM add_to_row_count(company_id, 'open_invites', -count(*))
           FROM removed WHERE state = 'open' GROUP BY company_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON invites
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();
CREATE TRIGGER count_changed AFTER UPDATE ON invites
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();
CREATE TRIGGER count_removed AFTER DELETE ON invites
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_open_invites();

CREATE FUNCTION count_activity() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(company_id, 'activity', count(*)) FROM added GROUP BY company_id;
        PERFORM add_to_row_count(1, 'all_activity', count(*)) FROM added;
    ELSE
        PERFORM add_to_row_count(company_id, 'activity', -count(*))
           FROM removed GROUP BY company_id;
        PERFORM add_to_row_count(1, 'all_activity', -count(*)) FROM removed;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON activity
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_activity();
CREATE TRIGGER count_removed AFTER DELETE ON activity
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_activity();

CREATE FUNCTION count_companies() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_to_row_count(1, 'companies', count(*)) FROM added WHERE id <> 1;
    ELSE
        PERFORM add_to_row_count(1, 'companies', -count(*)) FROM removed WHERE id <> 1;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON companies
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_companies();
CREATE TRIGGER count_removed AFTER DELETE ON companies
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_companies();

-- The triggers above lock their tables until the commit, so that no row is missed.
INSERT INTO row_counts (company_id, name, count)
    SELECT company_id, 'members', count(*) FROM users GROUP BY 1
    UNION ALL
    SELECT company_id, 'open_invites', count(*) FROM invites WHERE state = 'open' GROUP BY 1
    UNION ALL
    SELECT company_id, 'activity', count(*) FROM activity GROUP BY 1
    UNION ALL
    SELECT 1, 'all_activity', count(*) FROM activity
    UNION ALL
    SELECT 1, 'companies', count(*) FROM companies WHERE id <> 1;

-- The console shows how many companies are disabled.
CREATE INDEX companies_by_state ON companies ((is_enabled::text), id);

-- Returns the ids of the rows that contain a term if there are at most `most`, and how many there
-- are; ids NULL and total most + 1 if there are more; both NULL if reading the list itself is as fast:
-- it is short, or every few rows contain the term, so that a page and `most` rows are soon found.
-- `partial` is the condition of the trigram index, `scope` that of the list, with the company as $3.
CREATE FUNCTION search_rows(
    relation regclass, searched name, partial text, scope text, company int, size bigint, term text,
    most int, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    folded text := fold_text(term);
    seen bigint;
BEGIN
    IF size <= 5000 OR length(folded) < 3 THEN
        RETURN;
    END IF;
    EXECUTE format(
        'SELECT count(*) FROM (SELECT %1$I AS searched FROM %2$s WHERE %3$s AND %4$s'
        ' ORDER BY id DESC LIMIT 400) newest WHERE position($1 IN searched) > 0',
        searched, relation, partial, scope)
       INTO seen USING folded, most, company;
    IF seen > 100 THEN
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
    END IF;
END $$;

-- Reads at most `candidates` + 1 rows with all trigrams of the term, and returns how many it read and
-- which of them contain the term. Always by the index: computing the trigrams of each row costs far
-- more than looking for the term in it.
CREATE FUNCTION trigram_matches(
    relation regclass, searched name, partial text, scope text, company int, folded text,
    candidates bigint, OUT ids bigint[], OUT seen bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off
SET work_mem = '32MB' AS $$
BEGIN
    EXECUTE format(
        'SELECT COALESCE(array_agg(id) FILTER (WHERE matches), ''{}''), count(*)'
        ' FROM (SELECT id, position($1 IN %1$I) > 0 AND %4$s AS matches FROM %2$s'
        '        WHERE trigrams(%1$I) @> trigrams($1) AND %3$s LIMIT $2 + 1) AS maybe',
        searched, relation, partial, scope)
       INTO ids, seen USING folded, candidates, company;
END $$;

-- For the company of the transaction.
CREATE FUNCTION member_matches(term text, most int, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('users', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'members'), term, most);
END $$;

CREATE FUNCTION invite_matches(term text, most int, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('invites', 'email_sorted', 'state = ''open''',
        'company_id = $3', company, row_count(company, 'open_invites'), term, most);
END $$;

CREATE FUNCTION activity_matches(term text, most int, OUT ids bigint[], OUT total int)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
BEGIN
    SELECT * INTO ids, total FROM search_rows('activity', 'search_text', 'true', 'company_id = $3',
        company, row_count(company, 'activity'), term, most);
END $$;

-- Over all companies, for the platform role.
CREATE FUNCTION company_matches(term text, most int, OUT ids bigint[], OUT total int)
LANGUAGE sql STABLE AS $$
    SELECT * FROM search_rows('companies', 'search_text', 'true', 'id <> 1', 1,
        row_count(1, 'companies'), term, most)
$$;

CREATE FUNCTION all_activity_matches(term text, most int, OUT ids bigint[], OUT total int)
LANGUAGE sql STABLE AS $$
    SELECT * FROM search_rows('activity', 'search_text', 'true', 'true', 1,
        row_count(1, 'all_activity'), term, most)
$$;

REVOKE ALL ON FUNCTION add_to_row_count(int, text, bigint),
    search_rows(regclass, name, text, text, int, bigint, text, int),
    trigram_matches(regclass, name, text, text, int, text, bigint),
    member_matches(text, int), invite_matches(text, int), activity_matches(text, int),
    company_matches(text, int), all_activity_matches(text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION member_matches(text, int), invite_matches(text, int),
    activity_matches(text, int) TO tessera_app;
GRANT EXECUTE ON FUNCTION search_rows(regclass, name, text, text, int, bigint, text, int),
    trigram_matches(regclass, name, text, text, int, text, bigint),
    company_matches(text, int), all_activity_matches(text, int) TO tessera_platform;
