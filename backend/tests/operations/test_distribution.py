"""Tenant tables can be distributed by company: their keys begin with `company_id`, and foreign keys
between them stay in the company (docs/operations.md, "Capacity and scaling")."""

import pytest

from tessera.kit.database import Connection

# Tables with a company_id that are not tenant tables, and why.
GLOBAL_TABLES = {
    "user_emails": "a directory: which company's user has an address",
    "user_uuids": "a directory: which ids of users are taken",
    "passkey_credentials": "a directory: which credentials are taken",
    "access_requests": "belongs to the platform; guests without a company make them",
    "guest_codes": "codes of guests who have a ticket and no company, or an invite",
    "registrations": "has a company only once it is done",
}

# Foreign keys that lead out of the company. The shared warehouses belong to the platform's company;
# a distributed database has to do without these, or keep the platform's warehouses on every node.
FOREIGN_KEYS_ACROSS = {
    "guest_codes_company_id_invite_id_fkey",
    "log_copies_warehouse_company_id_warehouse_id_fkey",
    "pack_shards_warehouse_company_id_warehouse_id_fkey",
    "prefix_deletions_platform_company_id_warehouse_id_fkey",
    "recovery_copies_warehouse_company_id_warehouse_id_fkey",
    "shared_warehouses_platform_company_id_warehouse_id_fkey",
}

TENANT_TABLES = """
    SELECT t.oid, t.relname::text AS name FROM pg_class t
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'company_id' AND NOT a.attisdropped
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
       AND t.relname <> ALL ($1)
"""
KEYS = f"""
    SELECT i.relname::text AS name, t.name AS table_name, x.indisprimary AS is_primary,
           (SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = t.oid AND a.attnum = x.indkey[0]) AS first
      FROM pg_index x JOIN ({TENANT_TABLES}) t ON t.oid = x.indrelid
      JOIN pg_class i ON i.oid = x.indexrelid
     WHERE x.indisunique OR x.indisexclusion
"""
FOREIGN_KEYS = f"""
    SELECT f.conname::text AS name, EXISTS (
               SELECT FROM unnest(f.conkey, f.confkey) AS k (own, referenced)
                 JOIN pg_attribute o ON o.attrelid = f.conrelid AND o.attnum = k.own
                 JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = k.referenced
                WHERE o.attname = 'company_id' AND r.attname = 'company_id'
           ) AND f.conrelid IN (SELECT oid FROM ({TENANT_TABLES}) s) AS in_company
      FROM pg_constraint f JOIN ({TENANT_TABLES}) t ON t.oid = f.confrelid
     WHERE f.contype = 'f'
"""


async def test_keys_begin_with_the_company(platform: Connection) -> None:
    keys = await platform.fetch(KEYS, list(GLOBAL_TABLES))
    assert {key["name"] for key in keys if key["first"] != "company_id"} == set()


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
async def test_global_tables_exist(platform: Connection, table: str) -> None:
    assert await platform.fetchval("SELECT to_regclass($1)", table) is not None
