"""What each database role may do, table by table, whatever the code above asks for."""

from collections import defaultdict
from typing import Any

import asyncpg
import pytest

from tessera.kit.database import Connection, Database
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.signup import queries as signup_queries
from tests.factories.accounts import Factory
from tests.factories.people import People

# Tables without row-level security, and why none is needed.
WITHOUT_ROW_SECURITY = {
    "installation": "one row about the database itself",
    "migrations": "the owner's alone",
    "counters": "hashed keys and numbers, of callers who have no company yet",
    "reset_requests": "sealed addresses; whose they are is not known yet",
    "webhook_events": "the provider's ids, which the company is found by",
    "billing_clock": "one row, moved in the sandbox only",
    "sandbox_outbox": "empty in production",
    "sandbox_stripe_objects": "empty in production",
    "sandbox_stripe_requests": "empty in production",
    "sandbox_stripe_deliveries": "empty in production",
}

CHANGE = {"SELECT", "INSERT", "UPDATE", "DELETE"}
# What the application role may do where it is not everything.
APPLICATION = {
    "activity": {"SELECT", "INSERT"},
    "billing_clock": {"SELECT"},
    "installation": {"SELECT"},
    "migrations": set[str](),
    "reset_requests": {"SELECT", "INSERT", "DELETE"},
    "sandbox_outbox": {"SELECT", "INSERT"},
    "sandbox_stripe_deliveries": {"SELECT", "INSERT", "UPDATE"},
    "webhook_events": {"SELECT", "INSERT", "UPDATE"},
}
# What the platform role may do, which sees the rows of every company. A set of columns limits
# SELECT to them.
PLATFORM: dict[str, tuple[set[str], set[str] | None]] = {
    "installation": ({"SELECT"}, None),
    "companies": ({"SELECT"}, None),
    "activity": ({"SELECT"}, None),
    "billing_clock": ({"SELECT", "UPDATE"}, None),
    "users": (set(), {"id", "company_id", "email", "role", "is_active"}),
    "subscriptions": (
        set(),
        {"company_id", "status", "trial_end", "current_period_end", "past_due_since"},
    ),
    "warehouses": (
        set(),
        {"id", "company_id", "type", "nick_name", "status", "last_error", "last_check_at",
         "next_check_at", "checking_since"},
    ),
    "shared_warehouses": (set(), {"company_id", "platform_company_id", "warehouse_id"}),
    "warehouse_transitions": ({"DELETE"}, {"company_id", "warehouse_id", "at"}),
    "webhook_events": ({"DELETE"}, {"received_at"}),
}  # fmt: skip

TABLES = """
    SELECT c.oid, c.relname::text AS name, c.relrowsecurity AND c.relforcerowsecurity AS protected
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
"""
GRANTS = """
    SELECT c.relname::text AS name, a.privilege_type AS privilege
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
      AND a.grantee = COALESCE(to_regrole($1)::oid, 0)
"""
COLUMN_GRANTS = """
    SELECT c.relname::text AS name, t.attname::text AS column, a.privilege_type AS privilege
    FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid CROSS JOIN aclexplode(t.attacl) a
    WHERE c.relnamespace = 'public'::regnamespace AND NOT t.attisdropped
      AND a.grantee = COALESCE(to_regrole($1)::oid, 0)
"""
OPEN_FUNCTIONS = """
    SELECT p.oid::regprocedure::text AS name FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
      AND (p.proacl IS NULL OR EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee = 0)
        OR NOT COALESCE(p.proconfig, '{}') @> ARRAY['search_path=public, pg_temp'])
"""


async def granted(connection: Connection, role: str) -> dict[str, set[str]]:
    found = defaultdict(set)
    for row in await connection.fetch(GRANTS, role):
        found[row["name"]].add(row["privilege"])
    return found


async def granted_columns(connection: Connection, role: str) -> dict[str, set[str]]:
    found = defaultdict(set)
    for row in await connection.fetch(COLUMN_GRANTS, role):
        assert row["privilege"] == "SELECT", dict(row)
        found[row["name"]].add(row["column"])
    return found


class TestCatalogue:
    async def test_every_table_has_row_level_security_or_a_reason(
        self, platform: Connection
    ) -> None:
        tables = await platform.fetch(TABLES)
        assert len(tables) > 25
        assert {row["name"] for row in tables if not row["protected"]} == {*WITHOUT_ROW_SECURITY}

    async def test_grants_of_the_application_role(self, platform: Connection) -> None:
        tables = {row["name"] for row in await platform.fetch(TABLES)}
        found = await granted(platform, "tessera_app")
        expected = {name: APPLICATION.get(name, CHANGE) for name in tables}
        assert {name: found[name] for name in tables} == expected
        assert await granted_columns(platform, "tessera_app") == {}

    async def test_grants_of_the_platform_role(self, platform: Connection) -> None:
        assert await granted(platform, "tessera_platform") == {
            name: rights for name, (rights, _) in PLATFORM.items() if rights
        }
        assert await granted_columns(platform, "tessera_platform") == {
            name: columns for name, (_, columns) in PLATFORM.items() if columns
        }

    async def test_nothing_is_granted_to_everyone(self, platform: Connection) -> None:
        assert await granted(platform, "no such role") == {}
        assert [row["name"] for row in await platform.fetch(OPEN_FUNCTIONS)] == []


class TestPlatformRole:
    """It is not limited to one company, so it must not reach anything that is worth stealing."""

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT salt FROM users",
            "SELECT password_hash FROM users",
            "SELECT sealed_user_key FROM users",
            "SELECT handle_hash FROM sessions",
            "SELECT * FROM company_keys",
            "SELECT * FROM company_passphrases",
            "SELECT * FROM data_keys",
            "SELECT sealed FROM warehouses",
            "SELECT * FROM warehouses",
            "SELECT sealed FROM messages",
            "SELECT sealed FROM registrations",
            "SELECT sealed_secret FROM authenticators",
            "SELECT * FROM codes",
            "SELECT * FROM links",
            "UPDATE users SET role = 'admin'",
            "UPDATE companies SET is_enabled = true",
            "DELETE FROM companies",
            "INSERT INTO activity (company_id, action) VALUES (1, 'x')",
            "UPDATE activity SET action = 'x'",
            "DELETE FROM activity",
            "SELECT forget_old_activity(0, 1)",
        ],
    )
    async def test_is_refused(self, urls: EmbeddedUrls, statement: str) -> None:
        connection = await asyncpg.connect(urls.platform)
        try:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(statement)
        finally:
            await connection.close()


class TestActivityIsAppendOnly:
    @pytest.mark.parametrize("role", ["app", "platform", "owner", "superuser"])
    @pytest.mark.parametrize(
        "statement",
        ["UPDATE activity SET action = 'x'", "DELETE FROM activity", "TRUNCATE activity"],
    )
    async def test_for_every_role(
        self, urls: EmbeddedUrls, make: Factory, platform: Connection, role: str, statement: str
    ) -> None:
        company = await make.company()
        await platform.execute(
            "INSERT INTO activity (company_id, action) VALUES ($1, 'company.updated')", company.id
        )
        connection = await asyncpg.connect(getattr(urls, role))
        try:
            async with connection.transaction():
                await connection.execute(
                    "SELECT set_config('app.company', $1, true)", str(company.id)
                )
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await connection.execute(statement)
        finally:
            await connection.close()
        assert await platform.fetchval("SELECT count(*) FROM activity") == 1

    async def test_but_it_goes_with_its_company(
        self, make: Factory, platform: Connection, app: Any
    ) -> None:
        company = await make.company()
        await platform.execute(
            "INSERT INTO activity (company_id, action) VALUES ($1, 'company.updated')", company.id
        )
        database: Database = app.state.resources.database
        async with database.tenant(company.id) as connection:
            await connection.execute("DELETE FROM companies WHERE id = $1", company.id)
        assert await platform.fetchval("SELECT count(*) FROM activity") == 0


class TestSignups:
    """Before there is a company, sign-ups are separated by their tickets."""

    @pytest.fixture
    def database(self, app: Any) -> Database:
        database: Database = app.state.resources.database
        return database

    @pytest.fixture
    async def tickets(self, platform: Connection) -> list[int]:
        """Two tickets, each with a code and a registration."""
        ids = []
        for number in range(2):
            ticket_id = await platform.fetchval(
                "INSERT INTO signup_tickets (token_hash, origin, expires_at)"
                " VALUES (gen_random_uuid()::text::bytea, '', now() + interval '1 hour')"
                " RETURNING id"
            )
            await platform.execute(
                "INSERT INTO guest_codes (ticket_id, phone_number, code_hash, expires_at)"
                " VALUES ($1, '+12025550100', '', now())",
                ticket_id,
            )
            await platform.execute(
                "INSERT INTO registrations (ticket_id, company_uuid, user_uuid, address_hash,"
                " sealed, origin, request_id, language) VALUES ($1, gen_random_uuid(),"
                " gen_random_uuid(), $2, 'sealed', '', '', 'en')",
                ticket_id,
                bytes([number]),
            )
            ids.append(ticket_id)
        return ids

    @pytest.mark.parametrize("table", ["signup_tickets", "guest_codes", "registrations"])
    async def test_a_transaction_sees_its_own(
        self, database: Database, tickets: list[int], table: str
    ) -> None:
        column = "id" if table == "signup_tickets" else "ticket_id"
        async with database.without_tenant() as connection:
            assert await connection.fetch(f"SELECT FROM {table}") == []
            await signup_queries.enter_ticket(connection, tickets[0])
            rows = await connection.fetch(f"SELECT {column} AS ticket FROM {table}")
            assert [row["ticket"] for row in rows] == [tickets[0]]
            assert await connection.execute(f"DELETE FROM {table}") == "DELETE 1"

    async def test_nothing_can_be_added_to_another(
        self, database: Database, tickets: list[int]
    ) -> None:
        async with database.without_tenant() as connection:
            await signup_queries.enter_ticket(connection, tickets[0])
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(
                    "INSERT INTO guest_codes (ticket_id, phone_number, code_hash, expires_at)"
                    " VALUES ($1, '+12025550100', '', now())",
                    tickets[1],
                )

    async def test_a_workflow_enters_its_registration_only(
        self, database: Database, tickets: list[int], platform: Connection
    ) -> None:
        registration_id = await platform.fetchval(
            "SELECT id FROM registrations WHERE ticket_id = $1", tickets[1]
        )
        async with database.without_tenant() as connection:
            await signup_queries.enter_registration(connection, registration_id)
            rows = await connection.fetch("SELECT id FROM registrations")
        assert [row["id"] for row in rows] == [registration_id]

    async def test_codes_for_an_invitation_belong_to_its_company(
        self, database: Database, people: People, platform: Connection, tickets: list[int]
    ) -> None:
        team, other = await people.team(), await people.team()
        await platform.execute(
            "INSERT INTO guest_codes (company_id, invite_id, phone_number, code_hash, expires_at)"
            " SELECT company_id, id, '+12025550100', '', now() FROM invites"
        )
        for each in (team, other):
            async with database.tenant(each.company.id) as connection:
                rows = await connection.fetch("SELECT company_id FROM guest_codes")
            assert [row["company_id"] for row in rows] == [each.company.id]
