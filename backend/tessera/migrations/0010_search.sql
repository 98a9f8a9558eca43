-- Search by trigram asks the index first and alone: working out the trigrams of each row, which a
-- plan without the index would do, costs far more than looking for the term itself. So the index
-- is asked how many rows may hold the term, and answers their ids when they are few enough to be
-- worth it. NULL means: read the rows.
CREATE FUNCTION trigram_hits(
    relation regclass, searched name, condition text, folded text, most int
) RETURNS bigint[]
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off
SET work_mem = '32MB' AS $$
DECLARE
    seen bigint;
    found bigint[];
BEGIN
    IF length(folded) < 3 THEN
        RETURN NULL;
    END IF;
    EXECUTE format(
        'SELECT count(*), array_agg(id) FILTER (WHERE position($1 IN %1$I) > 0)'
        ' FROM (SELECT id, %1$I FROM %2$s WHERE trigrams(%1$I) @> trigrams($1) AND %3$s'
        '       LIMIT $2 + 1) AS maybe',
        searched, relation, condition)
       INTO seen, found
      USING folded, most;
    RETURN CASE WHEN seen > most THEN NULL ELSE COALESCE(found, '{}') END;
END $$;

-- For the company of the transaction. A small company is read through sooner than any index, and
-- then other companies' rows with the same trigrams are none of its concern.
CREATE OR REPLACE FUNCTION search_members(term text, most int) RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
    hits bigint[];
BEGIN
    PERFORM 1 FROM users WHERE company_id = company OFFSET 5000 LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    hits := trigram_hits('users', 'search_text', 'true', fold_text(term), most);
    RETURN CASE WHEN hits IS NULL THEN NULL ELSE
        ARRAY(SELECT id FROM users WHERE id = ANY(hits) AND company_id = company) END;
END $$;

CREATE OR REPLACE FUNCTION search_invites(term text, most int) RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
    hits bigint[];
BEGIN
    PERFORM 1 FROM invites WHERE company_id = company AND state = 'open' OFFSET 5000 LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    hits := trigram_hits('invites', 'email_sorted', 'state = ''open''', fold_text(term), most);
    RETURN CASE WHEN hits IS NULL THEN NULL ELSE
        ARRAY(SELECT id FROM invites WHERE id = ANY(hits) AND company_id = company) END;
END $$;

CREATE OR REPLACE FUNCTION search_activity(term text, most int) RETURNS bigint[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int := NULLIF(current_setting('app.company', true), '')::int;
    hits bigint[];
BEGIN
    PERFORM 1 FROM activity WHERE company_id = company OFFSET 5000 LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    hits := trigram_hits('activity', 'search_text', 'true', fold_text(term), most);
    RETURN CASE WHEN hits IS NULL THEN NULL ELSE
        ARRAY(SELECT id FROM activity WHERE id = ANY(hits) AND company_id = company) END;
END $$;

-- Over all companies, for the platform role, which needs no door.
CREATE FUNCTION search_companies(term text, most int) RETURNS bigint[]
LANGUAGE sql STABLE AS $$
    SELECT trigram_hits('companies', 'search_text', 'true', fold_text(term), most)
$$;

CREATE FUNCTION search_all_activity(term text, most int) RETURNS bigint[]
LANGUAGE sql STABLE AS $$
    SELECT trigram_hits('activity', 'search_text', 'true', fold_text(term), most)
$$;

REVOKE ALL ON FUNCTION trigram_hits(regclass, name, text, text, int), search_companies(text, int),
    search_all_activity(text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trigram_hits(regclass, name, text, text, int),
    search_companies(text, int), search_all_activity(text, int) TO tessera_platform;
