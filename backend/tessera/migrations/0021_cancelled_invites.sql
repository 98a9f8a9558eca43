-- The list of cancelled invitations asks for each address whether a newer one exists.
CREATE INDEX invites_by_address ON invites (company_id, email_folded, id);
