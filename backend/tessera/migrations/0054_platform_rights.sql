-- The application role could not rewrite activity before; now the platform role cannot either. Old
-- activity is deleted by forget_old_activity alone.
REVOKE UPDATE, DELETE, TRUNCATE ON activity FROM tessera_platform;

-- Nor does it need the keys for files, sealed as they are.
REVOKE ALL ON member_keys, recovery_keys FROM tessera_platform;
