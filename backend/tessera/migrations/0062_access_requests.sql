-- People without the registration password who asked to sign up a company. A request belongs to the
-- platform's own company, whose admins decide on it; its link gives sign-up tickets until a company
-- has been registered with one.
CREATE TABLE access_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int NOT NULL DEFAULT 1 REFERENCES companies CHECK (company_id = 1),
    name text NOT NULL,
    company_name text NOT NULL,
    email text NOT NULL,
    email_folded text NOT NULL,
    search_text text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(name || ' ' || company_name || ' ' || email)) STORED,
    language text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'approved', 'declined', 'used')),
    token_hash bytea UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    expires_at timestamptz,
    CHECK ((state = 'open') = (decided_at IS NULL)),
    CHECK ((state = 'approved') = (token_hash IS NOT NULL))
);
CALL protect_tenant_table('access_requests');
CREATE UNIQUE INDEX one_open_access_request_an_address ON access_requests (email_folded)
    WHERE state = 'open';

ALTER TABLE signup_tickets
    ADD COLUMN access_request_id bigint REFERENCES access_requests ON DELETE SET NULL;
CREATE INDEX signup_tickets_of_request ON signup_tickets (access_request_id)
    WHERE access_request_id IS NOT NULL;

-- Called in the transaction that creates the company, which has entered that company.
CREATE FUNCTION use_access_request(ticket bigint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE access_requests SET state = 'used', token_hash = NULL
     WHERE id = (SELECT access_request_id FROM signup_tickets WHERE id = ticket)
       AND state = 'approved'
$$;
REVOKE ALL ON FUNCTION use_access_request(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_access_request(bigint) TO tessera_app;

-- As before, and decided requests go after 90 days.
CREATE OR REPLACE FUNCTION purge_expired_guests() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM signup_tickets t WHERE expires_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM registrations r
                        WHERE r.ticket_id = t.id AND r.state = 'pending');
    DELETE FROM guest_codes WHERE sent_at < now() - interval '30 days';
    DELETE FROM access_requests WHERE decided_at < now() - interval '90 days'
$$;
