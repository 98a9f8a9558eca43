#!/bin/sh
# Runs once, when the database is created: the three roles of docs/operations.md.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres \
  -v owner="$OWNER_PASSWORD" -v app="$APP_PASSWORD" -v platform="$PLATFORM_PASSWORD" <<'SQL'
CREATE ROLE tessera_owner    LOGIN PASSWORD :'owner';
CREATE ROLE tessera_app      LOGIN PASSWORD :'app' NOBYPASSRLS;
CREATE ROLE tessera_platform LOGIN PASSWORD :'platform' BYPASSRLS;
CREATE DATABASE tessera OWNER tessera_owner;
SQL
