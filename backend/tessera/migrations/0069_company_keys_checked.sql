-- Checks the rows of the foreign keys that the migration before made anew.
DO $$
DECLARE
    foreign_key record;
BEGIN
    FOR foreign_key IN
        SELECT conrelid::regclass AS referring, conname FROM pg_constraint
         WHERE contype = 'f' AND NOT convalidated
    LOOP
        EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I',
            foreign_key.referring, foreign_key.conname);
    END LOOP;
END $$;
