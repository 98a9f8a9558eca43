-- What is unique over all companies, or found before the company is known, is listed in small tables
-- of its own. Triggers keep them, whoever writes; no role of the service has a right to them.
SET LOCAL lock_timeout = '5s';

CREATE TABLE user_emails (
    email_folded text PRIMARY KEY,
    company_id int NOT NULL,
    user_id bigint NOT NULL
);
CREATE TABLE user_uuids (
    uuid uuid PRIMARY KEY,
    company_id int NOT NULL
);
CREATE TABLE passkey_credentials (
    credential_id bytea PRIMARY KEY,
    company_id int NOT NULL
);

CREATE FUNCTION list_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    CASE TG_OP
        WHEN 'INSERT' THEN
            INSERT INTO user_emails VALUES (NEW.email_folded, NEW.company_id, NEW.id);
            INSERT INTO user_uuids VALUES (NEW.uuid, NEW.company_id);
        WHEN 'UPDATE' THEN
            UPDATE user_emails SET email_folded = NEW.email_folded
             WHERE email_folded = OLD.email_folded;
        WHEN 'DELETE' THEN
            DELETE FROM user_emails WHERE email_folded = OLD.email_folded;
            DELETE FROM user_uuids WHERE uuid = OLD.uuid;
    END CASE;
    RETURN NULL;
END $$;
CREATE TRIGGER list_user AFTER INSERT OR UPDATE OF email_folded OR DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION list_user();

-- A credential that is listed already is not added.
CREATE FUNCTION list_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO passkey_credentials VALUES (NEW.credential_id, NEW.company_id)
        ON CONFLICT DO NOTHING;
    RETURN CASE WHEN FOUND THEN NEW END;
END $$;
CREATE TRIGGER list_passkey BEFORE INSERT ON passkeys
    FOR EACH ROW EXECUTE FUNCTION list_passkey();
CREATE FUNCTION unlist_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM passkey_credentials WHERE credential_id = OLD.credential_id;
    RETURN NULL;
END $$;
CREATE TRIGGER unlist_passkey AFTER DELETE ON passkeys
    FOR EACH ROW EXECUTE FUNCTION unlist_passkey();

-- The triggers lock their tables until the commit, so that no row is missed.
INSERT INTO user_emails SELECT email_folded, company_id, id FROM users;
INSERT INTO user_uuids SELECT uuid, company_id FROM users;
INSERT INTO passkey_credentials SELECT credential_id, company_id FROM passkeys;

ALTER TABLE users
    DROP CONSTRAINT users_email_folded_key,
    DROP CONSTRAINT users_uuid_key,
    ADD UNIQUE USING INDEX users_company_id_email_folded_key,
    ADD UNIQUE USING INDEX users_company_id_uuid_key;
ALTER TABLE passkeys
    DROP CONSTRAINT passkeys_credential_id_key,
    ADD UNIQUE (company_id, credential_id);

-- As before, by the directories.

CREATE OR REPLACE FUNCTION find_login(folded text)
RETURNS TABLE (company_id int, user_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT e.company_id, e.user_id FROM user_emails e WHERE e.email_folded = folded
$$;

CREATE OR REPLACE FUNCTION login_salt(folded text, invented bytea) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE(
        (SELECT u.salt FROM user_emails e
           JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id
          WHERE e.email_folded = folded), invented)
$$;

CREATE OR REPLACE FUNCTION known_addresses(folded text[]) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE(array_agg(e.email_folded), '{}') FROM user_emails e
      JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id
     WHERE e.email_folded = ANY(folded) AND u.email_confirmed_at IS NOT NULL
$$;

CREATE OR REPLACE FUNCTION find_unconfirmed(folded text, unused_for interval) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT u.id FROM user_emails e
      JOIN users u ON u.company_id = e.company_id AND u.id = e.user_id
     WHERE e.email_folded = folded AND u.email_confirmed_at IS NULL
       AND u.created_at <= now() - unused_for
       AND NOT EXISTS (SELECT FROM sessions s WHERE s.company_id = u.company_id
                        AND s.user_id = u.id AND s.last_seen_at > now() - unused_for)
$$;

CREATE OR REPLACE FUNCTION address_taken(folded text, unused_for interval) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM user_emails e WHERE e.email_folded = folded)
       AND find_unconfirmed(folded, unused_for) IS NULL
$$;

CREATE OR REPLACE FUNCTION release_address(folded text, unused_for interval) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    company int;
    holder bigint := find_unconfirmed(folded, unused_for);
BEGIN
    SELECT e.company_id INTO company FROM user_emails e
     WHERE e.email_folded = folded AND e.user_id = holder;
    UPDATE users SET email = 'released-' || uuid || '@tessera.invalid',
                     email_folded = 'released-' || uuid || '@tessera.invalid'
     WHERE company_id = company AND id = holder AND email_folded = folded
       AND email_confirmed_at IS NULL;
    IF FOUND THEN
        DELETE FROM links WHERE company_id = company AND user_id = holder AND used_at IS NULL;
        INSERT INTO activity (company_id, action, target) VALUES (company, 'email.released', folded);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION uuid_taken(company uuid, person uuid) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM companies WHERE uuid = company)
        OR EXISTS (SELECT FROM user_uuids WHERE uuid = person)
$$;
