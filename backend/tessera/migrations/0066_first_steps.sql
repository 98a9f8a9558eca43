-- The first steps of a leader who has just signed up a company. They are shown until dismissed, and
-- never to leaders of before.
ALTER TABLE users
    ADD COLUMN first_steps_shown bool NOT NULL DEFAULT false,
    ADD COLUMN passphrase_sheet_kept_at timestamptz;
