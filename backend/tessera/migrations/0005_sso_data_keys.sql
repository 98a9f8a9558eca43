-- Secrets of OpenID providers are sealed by the company's data key, once no version needs them sealed
-- by the platform key: those have no version of the data key.
ALTER TABLE sso_providers ADD COLUMN key_version int;
ALTER TABLE sso_providers ADD CONSTRAINT sso_providers_data_key
    FOREIGN KEY (company_id, key_version) REFERENCES data_keys (company_id, version) NOT VALID;

-- So that the service knows whether version 0.8.0 may still run.
GRANT SELECT ON migrations TO tessera_app;
