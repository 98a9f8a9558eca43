-- The salt of an account, or the invented one: one lookup, the same work for every address.
CREATE FUNCTION login_salt(folded text, invented bytea) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT COALESCE((SELECT u.salt FROM users u WHERE u.email_folded = folded), invented)
$$;
REVOKE ALL ON FUNCTION login_salt(text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION login_salt(text, bytea) TO tessera_app;
