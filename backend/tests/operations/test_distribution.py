"""Tenant tables can be distributed by company: their keys begin with `company_id`, and foreign keys
between them stay in the company (docs/capacity.md)."""

import pytest

from tessera.kit.database import Connection

# Tables with a company_id that are not tenant tables, and why.
GLOBAL_TABLES = {
    "user_emails": "a directory: which company's user has an address",
    "user_uuids": "a directory: which ids of users are taken",
    "passkey_credentials": "a directory: which credentials are taken",
    "proved_domains": "a directory: which company has proved a domain",
    "share_ids": "a directory: which company has a share",
    "file_request_ids": "a directory: which company has a request for files",
    "access_requests": "belongs to the platform; guests without a company make them",
    "guest_codes": "codes of guests who have a ticket and no company, or an invite",
    "registrations": "has a company only once it is done",
}

# Foreign keys that lead out of the company, to the shared warehouses of the platform's company. A
# distributed database has to do without them.
FOREIGN_KEYS_ACROSS = {
    "log_copies_warehouse_company_id_warehouse_id_fkey",
    "pack_shards_warehouse_company_id_warehouse_id_fkey",
    "recovery_copies_warehouse_company_id_warehouse_id_fkey",
    "shared_warehouses_platform_company_id_warehouse_id_fkey",
}

# With the column that names the company.
TENANT_TABLES = """
    SELECT t.oid, t.relname::text AS name, a.attname::text AS company FROM pg_class t
      JOIN pg_attribute a ON a.attrelid = t.oid AND NOT a.attisdropped AND a.attname
           = CASE t.relname WHEN 'prefix_deletions' THEN 'platform_company_id' ELSE 'company_id' END
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
       AND t.relname <> ALL ($1)
"""
KEYS = f"""
    SELECT i.relname::text AS name, t.name AS table_name, x.indisprimary AS is_primary,
           t.company = (SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = t.oid AND a.attnum = x.indkey[0]) AS begins_with_company
      FROM pg_index x JOIN ({TENANT_TABLES}) t ON t.oid = x.indrelid
      JOIN pg_class i ON i.oid = x.indexrelid
     WHERE x.indisunique OR x.indisexclusion
"""
FOREIGN_KEYS = f"""
    SELECT f.conname::text AS name, EXISTS (
               SELECT FROM unnest(f.conkey, f.confkey) AS k (own, referenced)
                 JOIN ({TENANT_TABLES}) s ON s.oid = f.conrelid
                 JOIN pg_attribute o ON o.attrelid = s.oid AND o.attnum = k.own
                 JOIN pg_attribute r ON r.attrelid = t.oid AND r.attnum = k.referenced
                WHERE o.attname = s.company AND r.attname = t.company
           ) AS in_company
      FROM pg_constraint f JOIN ({TENANT_TABLES}) t ON t.oid = f.confrelid
     WHERE f.contype = 'f'
"""


async def test_keys_begin_with_the_company(platform: Connection) -> None:
    keys = await platform.fetch(KEYS, list(GLOBAL_TABLES))
    assert {key["name"] for key in keys if not key["begins_with_company"]} == set()


async def test_every_tenant_table_has_a_primary_key(platform: Connection) -> None:
    tables = await platform.fetch(TENANT_TABLES, list(GLOBAL_TABLES))
    keys = await platform.fetch(KEYS, list(GLOBAL_TABLES))
    with_primary = {key["table_name"] for key in keys if key["is_primary"]}
    assert {table["name"] for table in tables} == with_primary
    assert {"users", "activity", "packs"} <= with_primary
    assert with_primary.isdisjoint(GLOBAL_TABLES)


async def test_foreign_keys_stay_in_the_company(platform: Connection) -> None:
    keys = await platform.fetch(FOREIGN_KEYS, list(GLOBAL_TABLES))
    assert {key["name"] for key in keys if not key["in_company"]} == FOREIGN_KEYS_ACROSS
    assert "sessions_company_id_user_id_fkey" in {key["name"] for key in keys if key["in_company"]}


async def test_every_foreign_key_is_validated(platform: Connection) -> None:
    assert await platform.fetch("SELECT conname FROM pg_constraint WHERE NOT convalidated") == []


@pytest.mark.parametrize("table", sorted(GLOBAL_TABLES))
async def test_declared_global_tables_exist(platform: Connection, table: str) -> None:
    assert await platform.fetchval("SELECT to_regclass($1)", table) is not None
