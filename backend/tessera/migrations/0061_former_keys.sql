-- The key of a former passphrase, sealed by the key of the passphrase that replaced it: whoever can
-- open the current passphrase can open the former ones. Null where the replacing leader had no copy.
ALTER TABLE former_passphrases
    ADD COLUMN sealed_key text,
    ADD COLUMN replaced_by bigint,
    ADD FOREIGN KEY (company_id, replaced_by) REFERENCES users (company_id, id)
        ON DELETE SET NULL (replaced_by);
