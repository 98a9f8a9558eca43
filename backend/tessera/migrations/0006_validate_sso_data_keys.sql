-- In a transaction of its own, so that writes do not wait for the check.
ALTER TABLE sso_providers VALIDATE CONSTRAINT sso_providers_data_key;
