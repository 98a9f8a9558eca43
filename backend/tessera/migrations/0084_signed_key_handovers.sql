-- Every key handover is signed by its sender: anyone can seal to public keys. Unsigned ones are
-- refused by every browser from now on, so they go; the leader types the passphrase or names the
-- second key holder again.
SET LOCAL lock_timeout = '5s';

DELETE FROM key_handovers WHERE sender_keys IS NULL OR length(data) <> 1269;
ALTER TABLE key_handovers
    ALTER COLUMN sender_keys SET NOT NULL,
    ADD CHECK (length(data) = 1269);
