-- The uuids of deleted people and companies are never accepted again: old entries of a space's log,
-- and keys that somebody kept, still name them. Only hashes stay, for ever, and nothing says whose
-- they were. Triggers keep them, whoever writes; no role of the service has a right to them.
SET LOCAL lock_timeout = '5s';

CREATE TABLE retired_uuids (
    hash bytea PRIMARY KEY
);

CREATE FUNCTION is_retired(retired uuid) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM retired_uuids WHERE hash = sha256(uuid_send(retired)))
$$;
REVOKE ALL ON FUNCTION is_retired(uuid) FROM PUBLIC;

-- Runs after the row has passed its unique index. An insert that waited there for the deletion of the
-- same uuid therefore sees the hash that the deletion left.
CREATE FUNCTION retire_uuid() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO retired_uuids VALUES (sha256(uuid_send(OLD.uuid))) ON CONFLICT DO NOTHING;
    ELSIF is_retired(NEW.uuid) THEN
        RAISE unique_violation USING
            MESSAGE = 'the uuid is retired', CONSTRAINT = 'retired_uuids_pkey';
    END IF;
    RETURN NULL;
END $$;
-- By its name this one fires after `list_user`, which makes uuids unique over all companies.
CREATE TRIGGER retire_uuid AFTER INSERT OR DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION retire_uuid();
CREATE TRIGGER retire_uuid AFTER INSERT OR DELETE ON companies
    FOR EACH ROW EXECUTE FUNCTION retire_uuid();

CREATE OR REPLACE FUNCTION uuid_taken(company uuid, person uuid) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM companies WHERE uuid = company)
        OR EXISTS (SELECT FROM user_uuids WHERE uuid = person)
        OR is_retired(company) OR is_retired(person)
$$;
