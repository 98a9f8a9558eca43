-- Signing keys that lost access to a space. The log's rules never accept them there again.
CREATE TABLE removed_space_keys (
    company_id int NOT NULL,
    space_id uuid NOT NULL,
    sign_key bytea NOT NULL CHECK (length(sign_key) = 32),
    PRIMARY KEY (company_id, space_id, sign_key),
    FOREIGN KEY (company_id, space_id) REFERENCES spaces (company_id, id) ON DELETE CASCADE
);
CALL protect_tenant_table('removed_space_keys');

-- Who was deleted stays a member until the leader's client removes them from the log, and the leader
-- has to see who that is. The removal deletes the row, and the name with it.
ALTER TABLE space_members ADD COLUMN former_name text, ADD COLUMN former_email text;

CREATE FUNCTION keep_former_member() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE space_members
       SET former_name = OLD.first_name || ' ' || OLD.last_name, former_email = OLD.email
     WHERE company_id = OLD.company_id AND member = OLD.uuid;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_former_member AFTER DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION keep_former_member();
