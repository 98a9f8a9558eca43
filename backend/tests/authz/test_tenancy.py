"""Row-level security: even without any scoping WHERE, PostgreSQL shows only one company."""

import asyncpg
import pytest

from tessera.kit.database import Connection, Database, enter_tenant
from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.factories.accounts import Factory
from tests.factories.warehouses import Warehouses


@pytest.fixture
def database(app: object) -> Database:
    return app.state.resources.database  # type: ignore[attr-defined, no-any-return]


# Sign-ups and invited people have no company yet to isolate them by. Rows are found by ticket hash
# or by id, and refer to a company only once there is one.
BEFORE_ANY_COMPANY = {"registrations", "guest_codes"}

TENANT_TABLES = """
    SELECT c.oid::regclass::text AS name, c.relrowsecurity, c.relforcerowsecurity
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
      AND (c.relname = 'companies' OR EXISTS (
          SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id'))
"""


async def test_every_table_with_a_company_is_protected(platform: Connection) -> None:
    tables = await platform.fetch(TENANT_TABLES)
    assert {row["name"] for row in tables} >= {"companies", "users", "sessions", "messages"}
    open_ones = {
        row["name"] for row in tables if not (row["relrowsecurity"] and row["relforcerowsecurity"])
    }
    assert open_ones == BEFORE_ANY_COMPANY


async def test_the_application_role_owns_nothing_and_cannot_bypass(platform: Connection) -> None:
    role = await platform.fetchrow("SELECT * FROM pg_roles WHERE rolname = 'tessera_app'")
    assert role is not None
    assert not role["rolbypassrls"]
    assert not role["rolsuper"]
    owned = await platform.fetchval(
        "SELECT count(*) FROM pg_class WHERE relowner = 'tessera_app'::regrole"
    )
    assert owned == 0


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

    async def test_without_a_company_nothing_is_seen(
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

    @pytest.mark.parametrize("table", ["member_keys", "recovery_keys"])
    async def test_the_platform_role_reads_no_keys_for_files(
        self, database: Database, table: str
    ) -> None:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.platform.transaction() as connection:
                await connection.execute(f"TABLE {table}")


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

    async def test_only_the_platform_s_warehouses_can_be_shared(
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
