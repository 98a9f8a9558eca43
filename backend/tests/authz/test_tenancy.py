"""Row-level security: even without any scoping WHERE, PostgreSQL shows only one company."""

import re
from dataclasses import dataclass

import asyncpg
import pytest

from tessera.kit.database import Connection, Database, enter_tenant
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.signup.transactions import registration_transaction, ticket_transaction
from tests.factories.accounts import Factory
from tests.factories.warehouses import Warehouses


@pytest.fixture
def database(app: object) -> Database:
    return app.state.resources.database  # type: ignore[attr-defined, no-any-return]


# Tables without policies, and why they need none.
UNPROTECTED = {
    "billing_clock": "the sandbox's clock, one row",
    "closed_accounts": "customer ids of companies that no longer exist",
    "counters": "hashed keys and numbers",
    "installation": "one row about the database itself",
    "last_backup": "one row about the database itself",
    "migrations": "one row a migration; the service's roles cannot read it",
    "passkey_credentials": "a directory over all companies; the service's roles cannot read it",
    "prefix_deletions": "ids of companies that no longer exist; the application can only add",
    "proved_domains": "a directory over all companies; the service's roles cannot read it",
    "reset_requests": "addresses sealed by the service, before it is known whose they are",
    "retired_uuids": "hashes of ids of deleted accounts; the service's roles cannot read it",
    "share_ids": "a directory over all companies; the service's roles cannot read it",
    "file_request_ids": "a directory over all companies; the service's roles cannot read it",
    "sandbox_outbox": "sandbox only, public by design",
    "sandbox_stripe_deliveries": "sandbox only, the card provider's own data",
    "sandbox_stripe_objects": "sandbox only, the card provider's own data",
    "sandbox_stripe_requests": "sandbox only, the card provider's own data",
    "signup_tickets": "found by the hash of a token; nothing about a person",
    "user_emails": "a directory over all companies; the service's roles cannot read it",
    "user_uuids": "a directory over all companies; the service's roles cannot read it",
    "webhook_events": "the card provider's events, before it is known whose they are",
}
# What the application role may see without a policy of `protect_tenant_table`.
GUEST_TABLES = {"guest_codes", "registrations"}

TABLES = """
    SELECT c.oid::regclass::text AS name, c.relrowsecurity AND c.relforcerowsecurity AS protected,
           ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1)
             AS policies
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
"""


async def test_every_table_has_policies_or_a_reason(platform: Connection) -> None:
    tables = {row["name"]: row for row in await platform.fetch(TABLES)}
    assert {name for name, row in tables.items() if not row["protected"]} == set(UNPROTECTED)
    for name in tables.keys() - UNPROTECTED.keys():
        expected = "guest" if name in GUEST_TABLES else "tenant"
        assert tables[name]["policies"] == sorted([expected, "owner"]), name


# What stands in a column that must not be null, by its type.
VALUES = {
    "bool": "false",
    "bytea": "''",
    "int4": "1",
    "int8": "1",
    "jsonb": "'[]'",
    "text": "''",
    "_cidr": "'{}'",
    "_text": "'{}'",
    "timestamptz": "now()",
    "uuid": "gen_random_uuid()",
}
COLUMNS = """
    SELECT c.oid::regclass::text AS name,
           array_agg(a.attname::text) FILTER (WHERE NOT a.atthasdef) AS columns,
           array_agg(t.typname::text) FILTER (WHERE NOT a.atthasdef) AS types,
           (SELECT format('ALTER TABLE %s ', c.oid::regclass)
                   || string_agg(format('DROP CONSTRAINT %I', conname), ', ')
              FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('c', 'f')) AS unchecked
    FROM pg_class c JOIN pg_attribute a
      ON a.attrelid = c.oid AND a.attnum > 0 AND a.attidentity = ''
     AND (a.attnotnull OR a.attname IN ('company_id', 'ticket_id'))
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relrowsecurity GROUP BY c.oid
"""


@pytest.mark.own_database
async def test_connection_without_scope_sees_no_row_of_any_table(
    urls: EmbeddedUrls, platform: Connection
) -> None:
    """Every table with row security has a row of company 1 and ticket 1 here."""
    await platform.execute("SET session_replication_role = replica")
    tables = []
    for name, columns, types, unchecked in await platform.fetch(COLUMNS):
        await platform.execute(unchecked or "")
        values = ", ".join(VALUES[type_] for type_ in types)
        await platform.execute(
            f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({values}) ON CONFLICT DO NOTHING"
        )
        tables.append(name)

    async def visible() -> list[str]:
        return [t for t in tables if await connection.fetchval(f"SELECT EXISTS (TABLE {t})")]

    connection = await asyncpg.connect(urls.app)
    assert await visible() == []
    await connection.execute("SET app.company = '1'; SET app.ticket = '1'")
    assert await visible() == tables
    await connection.close()


RIGHTS = """
    SELECT table_name, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS rights
    FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND grantee = $1 GROUP BY 1
"""
KEY_TABLES = {
    "api_tokens",
    "codes",
    "company_keys",
    "company_passphrases",
    "former_passphrases",
    "grants",
    "key_handovers",
    "links",
    "log_entries",
    "member_keys",
    "passkey_challenges",
    "passkeys",
    "recovery_codes",
    "recovery_handovers",
    "recovery_kits",
    "recovery_records",
    "remembered_devices",
}
# Whatever a column of this name holds, it is a secret, or opens one.
SECRET_COLUMN = re.compile(
    r"(\w+_)?(sealed|hash|salt|secret|token|wrapped|envelope|password|challenge)(_\w+)?|content|data"
)
# What the platform role reads all the same. `tessera keys rewrap` opens these with the old platform
# key; the names of the rest say otherwise than what they hold.
READ_ALL_THE_SAME = {
    ("activity", "api_token_id"),
    ("activity_chain", "hash"),
    ("activity_checks", "kept_hash"),
    ("activity_heads", "anchor_hash"),
    ("activity_heads", "hash"),
    ("authenticators", "sealed_secret"),
    ("card_operations", "sealed_token"),
    ("company_domains", "token"),
    ("data_keys", "wrapped"),
    ("data_keys", "wrapped_by"),
    ("deletion_proofs", "sealed"),
    ("messages", "sealed"),
    ("registrations", "sealed"),
    ("registrations", "address_hash"),
    ("reset_requests", "sealed_address"),
    ("sso_providers", "sealed_secret"),
    ("webhooks", "secret_created_at"),
}


@pytest.mark.parametrize("role", ["tessera_app", "tessera_platform"])
async def test_both_roles_can_only_add_to_activity(platform: Connection, role: str) -> None:
    rights = {row["table_name"]: row["rights"] for row in await platform.fetch(RIGHTS, role)}
    assert rights["activity"] == "INSERT SELECT"
    unreadable = {
        "passkey_credentials",
        "proved_domains",
        "retired_uuids",
        "user_emails",
        "user_uuids",
    }
    assert unreadable.isdisjoint(rights)
    # Each process looks whether the database was migrated to its version.
    assert rights["migrations"] == "SELECT"


async def test_the_platform_role_has_no_right_to_key_tables(platform: Connection) -> None:
    rights = {row["table_name"] for row in await platform.fetch(RIGHTS, "tessera_platform")}
    assert "companies" in rights
    assert rights.isdisjoint(KEY_TABLES)


async def test_the_application_role_owns_nothing_and_cannot_bypass(platform: Connection) -> None:
    role = await platform.fetchrow("SELECT * FROM pg_roles WHERE rolname = 'tessera_app'")
    assert role is not None
    assert not role["rolbypassrls"]
    assert not role["rolsuper"]
    owned = await platform.fetchval(
        "SELECT count(*) FROM pg_class WHERE relowner = 'tessera_app'::regrole"
    )
    assert owned == 0


@dataclass(frozen=True)
class Guests:
    company: int
    tickets: list[int]
    registrations: list[int]


class TestSecondWall:
    async def test_reading_shows_the_own_company_only(
        self, database: Database, make: Factory
    ) -> None:
        mine, theirs = await make.user(), await make.user()
        async with database.tenant(mine.company.id) as connection:
            seen = await connection.fetch("SELECT id FROM users")
            companies = await connection.fetch("SELECT id FROM companies")
        assert [row["id"] for row in seen] == [mine.id]
        assert [row["id"] for row in companies] == [mine.company.id]
        assert theirs.id != mine.id

    async def test_connection_without_a_company_sees_nothing(
        self, database: Database, make: Factory
    ) -> None:
        await make.user()
        async with database.without_tenant() as connection:
            assert await connection.fetch("SELECT id FROM users") == []

    async def test_the_tenant_does_not_outlive_its_transaction(
        self, urls: EmbeddedUrls, make: Factory
    ) -> None:
        user = await make.user()
        connection = await asyncpg.connect(urls.app)
        async with connection.transaction():
            await enter_tenant(connection, user.company.id)
            assert await connection.fetchval("SELECT count(*) FROM users") == 1
        assert await connection.fetchval("SELECT count(*) FROM users") == 0
        await connection.close()

    async def test_writing_into_another_company_is_refused(
        self, database: Database, make: Factory, platform: Connection
    ) -> None:
        mine, theirs = await make.user(), await make.user()
        async with database.tenant(mine.company.id) as connection:
            assert await connection.execute("UPDATE users SET first_name = 'X'") == "UPDATE 1"
            assert await connection.execute("DELETE FROM sessions") == "DELETE 0"
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(
                    "INSERT INTO messages (company_id, channel) VALUES ($1, 'sms')",
                    theirs.company.id,
                )
        kept = await platform.fetchval("SELECT first_name FROM users WHERE id = $1", theirs.id)
        assert kept == "Ada"

    async def test_activity_cannot_be_rewritten_by_the_application(
        self, database: Database, make: Factory
    ) -> None:
        user = await make.user()
        for statement in ("UPDATE activity SET action = 'x'", "DELETE FROM activity"):
            async with database.tenant(user.company.id) as connection:
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    async with connection.transaction():
                        await connection.execute(statement)

    @pytest.mark.parametrize(
        "statement",
        ["UPDATE activity SET action = 'x'", "DELETE FROM activity", "TRUNCATE activity"],
    )
    async def test_nor_by_the_platform_role(self, database: Database, statement: str) -> None:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.platform.transaction() as connection:
                await connection.execute(statement)

    async def test_the_platform_role_reads_and_changes_no_secret(
        self, urls: EmbeddedUrls, platform: Connection
    ) -> None:
        """Tries every column of every table. A new one that is called like a secret fails here
        until the migration hides it or `READ_ALL_THE_SAME` says why not."""
        columns = await platform.fetch(
            "SELECT table_name, column_name"
            " FROM information_schema.columns JOIN information_schema.tables"
            " USING (table_schema, table_name)"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        )
        connection = await asyncpg.connect(urls.platform)

        async def refused(statement: str) -> bool:
            try:
                await connection.execute(statement)
            except asyncpg.InsufficientPrivilegeError:
                return True
            return False

        readable = set()
        for table, column in columns:
            place = f'"{table}"'
            hidden = await refused(f'SELECT "{column}" FROM {place} LIMIT 0')
            if not hidden:
                readable.add((table, column))
            else:
                change = f'UPDATE {place} SET "{column}" = DEFAULT WHERE false'
                assert await refused(change), (table, column)
        await connection.close()
        assert not {table for table, _ in readable} & KEY_TABLES
        secrets = {each for each in readable if SECRET_COLUMN.fullmatch(each[1])}
        assert secrets == READ_ALL_THE_SAME
        assert ("users", "email") in readable


async def test_a_session_cannot_name_a_user_of_another_company(
    make: Factory, platform: Connection
) -> None:
    mine, theirs = await make.user(), await make.user()
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await platform.execute(
            "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, origin)"
            " VALUES ($1, $2, 'x', now(), 'test')",
            mine.company.id,
            theirs.id,
        )


class TestGuests:
    """Sign-ups and invited people, who have no account yet."""

    @pytest.fixture
    async def rows(self, make: Factory, platform: Connection) -> Guests:
        user = await make.user()
        tickets = [
            await platform.fetchval(
                "INSERT INTO signup_tickets (token_hash, origin, expires_at)"
                " VALUES ($1, 'test', now() + interval '1 hour') RETURNING id",
                token,
            )
            for token in (b"one", b"two")
        ]
        invite = await platform.fetchval(
            "INSERT INTO invites (company_id, email, email_folded, token_hash, expires_at)"
            " VALUES ($1, 'guest@team.test', 'guest@team.test', 'x', now() + interval '1 day')"
            " RETURNING id",
            user.company.id,
        )
        for holder in ((tickets[0], None, None), (tickets[1], None, None),
                       (None, user.company.id, invite)):  # fmt: skip
            await platform.execute(
                "INSERT INTO guest_codes (ticket_id, company_id, invite_id, phone_number,"
                " code_hash, expires_at) VALUES ($1, $2, $3, '+12025550111', 'x', now())",
                *holder,
            )
        registrations = [
            await platform.fetchval(
                "INSERT INTO registrations (ticket_id, company_uuid, user_uuid, address_hash,"
                " origin, request_id, language) VALUES ($1, gen_random_uuid(), gen_random_uuid(),"
                " $2, 'test', '', 'en') RETURNING id",
                ticket, str(ticket).encode(),
            )
            for ticket in tickets
        ]  # fmt: skip
        return Guests(user.company.id, tickets, registrations)

    async def test_guest_without_a_holder_sees_nothing(
        self, database: Database, rows: Guests
    ) -> None:
        async with database.without_tenant() as connection:
            assert await connection.fetch("TABLE guest_codes") == []
            assert await connection.fetch("TABLE registrations") == []
            assert await connection.execute("DELETE FROM registrations") == "DELETE 0"
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(
                    "INSERT INTO guest_codes (ticket_id, phone_number, code_hash, expires_at)"
                    " VALUES ($1, '', '', now())",
                    rows.tickets[0],
                )

    async def test_a_ticket_shows_its_own_codes_and_registration(
        self, database: Database, rows: Guests
    ) -> None:
        async with ticket_transaction(database, rows.tickets[0]) as connection:
            codes = await connection.fetch("SELECT ticket_id FROM guest_codes")
            registrations = await connection.fetch("SELECT id FROM registrations")
        assert [row["ticket_id"] for row in codes] == rows.tickets[:1]
        assert [row["id"] for row in registrations] == rows.registrations[:1]

    async def test_a_registration_shows_itself(self, database: Database, rows: Guests) -> None:
        async with registration_transaction(database, rows.registrations[1]) as connection:
            registrations = await connection.fetch("SELECT id FROM registrations")
            assert await connection.fetch("TABLE guest_codes") == []
        assert [row["id"] for row in registrations] == rows.registrations[1:]

    async def test_a_company_sees_the_codes_of_its_invites(
        self, database: Database, rows: Guests, make: Factory
    ) -> None:
        other = await make.company()
        for company, seen in ((rows.company, [rows.company]), (other.id, [])):
            async with database.tenant(company) as connection:
                codes = await connection.fetch("SELECT company_id FROM guest_codes")
                assert await connection.fetch("TABLE registrations") == []
            assert [row["company_id"] for row in codes] == seen


class TestWarehouses:
    async def test_a_company_reaches_neither_keys_nor_warehouses_of_another(
        self, database: Database, make: Factory, warehouses: Warehouses, platform: Connection
    ) -> None:
        mine, theirs = await make.company(), await make.company()
        own = await warehouses.add(mine.id)
        foreign = await warehouses.add(theirs.id)
        async with database.tenant(mine.id) as connection:
            for table in ("data_keys", "warehouses"):
                seen = await connection.fetch(f"SELECT company_id FROM {table}")
                assert [row["company_id"] for row in seen] == [mine.id]
                assert await connection.execute(f"UPDATE {table} SET created_at = now()") == (
                    "UPDATE 1"
                )
            assert await connection.execute("DELETE FROM warehouses WHERE id = $1", foreign.id) == (
                "DELETE 0"
            )
            with pytest.raises(asyncpg.ForeignKeyViolationError):
                async with connection.transaction():
                    await connection.execute(
                        "INSERT INTO warehouse_transitions (company_id, warehouse_id, status)"
                        " VALUES ($1, $2, 0)",
                        mine.id, foreign.id,
                    )  # fmt: skip
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with connection.transaction():
                    await connection.execute(
                        "UPDATE warehouses SET company_id = $2 WHERE id = $1", own.id, theirs.id
                    )

    async def test_warehouses_of_a_company_cannot_be_shared(
        self, make: Factory, warehouses: Warehouses, platform: Connection
    ) -> None:
        mine, theirs = await make.company(), await make.company()
        foreign = await warehouses.add(theirs.id)
        with pytest.raises(asyncpg.ForeignKeyViolationError):
            await platform.execute(
                "INSERT INTO shared_warehouses (company_id, warehouse_id) VALUES ($1, $2)",
                mine.id, foreign.id,
            )  # fmt: skip


async def test_a_company_has_one_leader(make: Factory) -> None:
    leader = await make.user()
    with pytest.raises(asyncpg.UniqueViolationError):
        await make.user(leader.company)
