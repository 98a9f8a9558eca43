-- Signing a company up, and registering by invitation: what there is before there is an account.
-- These tables belong to no company yet, so no wall stands around them; the endpoints reach a row
-- by the hash of a token that only its holder knows.

-- Given for the registration password. Good for an hour and for one company.
CREATE TABLE signup_tickets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE,
    origin text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE INDEX signup_tickets_by_end ON signup_tickets (expires_at);

-- Codes by SMS to people without an account. A consumed one says: the holder of this ticket or
-- invitation has that phone.
CREATE TABLE guest_codes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticket_id bigint REFERENCES signup_tickets ON DELETE CASCADE,
    company_id int,
    invite_id bigint,
    phone_number text NOT NULL,
    code_hash bytea NOT NULL,
    tries int NOT NULL DEFAULT 0,
    sent_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz,
    FOREIGN KEY (company_id, invite_id) REFERENCES invites (company_id, id) ON DELETE CASCADE,
    CHECK ((ticket_id IS NULL) <> (invite_id IS NULL)),
    CHECK ((company_id IS NULL) = (invite_id IS NULL))
);
CREATE INDEX guest_codes_of_ticket ON guest_codes (ticket_id, id DESC);
CREATE INDEX guest_codes_of_invite ON guest_codes (company_id, invite_id, id DESC);
CREATE INDEX guest_codes_by_phone ON guest_codes (phone_number, sent_at);
CREATE INDEX guest_codes_by_age ON guest_codes (sent_at);

-- A company on its way. `sealed` holds what it will be made of (the hash of the derived secret and
-- the envelopes with it), sealed by the service and erased at the end, whatever the end is.
CREATE TABLE registrations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticket_id bigint NOT NULL REFERENCES signup_tickets ON DELETE CASCADE,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
    company_uuid uuid NOT NULL,
    user_uuid uuid NOT NULL,
    address_hash bytea NOT NULL,
    sealed bytea,
    customer_id text,
    card_id text,
    subscription_id text,
    error_code text,
    error_details jsonb NOT NULL DEFAULT '{}',
    company_id int,
    user_id bigint,
    origin text NOT NULL,
    request_id text NOT NULL,
    language text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CHECK (state = 'pending' OR sealed IS NULL),
    CHECK ((state = 'pending') = (finished_at IS NULL)),
    CHECK ((state = 'done') = (company_id IS NOT NULL))
);
CREATE UNIQUE INDEX one_registration_a_ticket ON registrations (ticket_id) WHERE state <> 'failed';
-- While one is under way, its ids and its address are taken.
CREATE UNIQUE INDEX one_registration_a_company ON registrations (company_uuid)
    WHERE state = 'pending';
CREATE UNIQUE INDEX one_registration_a_leader ON registrations (user_uuid)
    WHERE state = 'pending';
CREATE UNIQUE INDEX one_registration_an_address ON registrations (address_hash)
    WHERE state = 'pending';

GRANT SELECT, INSERT, UPDATE, DELETE ON signup_tickets, guest_codes, registrations
    TO tessera_app, tessera_platform;

-- The number of a company to be. The transaction that makes it enters it first, as any other.
CREATE FUNCTION next_company_id() RETURNS int
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT nextval(pg_get_serial_sequence('companies', 'id'))::int
$$;

-- Whether ids that a browser made exist already, in whichever company.
CREATE FUNCTION uuid_taken(company uuid, person uuid) RETURNS bool
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM companies WHERE uuid = company)
        OR EXISTS (SELECT FROM users WHERE uuid = person)
$$;

REVOKE ALL ON FUNCTION next_company_id(), uuid_taken(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION next_company_id(), uuid_taken(uuid, uuid) TO tessera_app;
