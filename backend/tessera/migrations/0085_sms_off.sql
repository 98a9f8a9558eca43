-- A user who has an authenticator app or a passkey may turn codes by SMS off. It counts only while one
-- of these is there, so that nobody is locked out.
SET LOCAL lock_timeout = '5s';

ALTER TABLE users ADD COLUMN sms_off bool NOT NULL DEFAULT false;
