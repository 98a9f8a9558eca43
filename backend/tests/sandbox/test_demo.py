import httpx
from fastapi import FastAPI

from tessera.auth.passwords.hashing import secret_matches
from tessera.kit.database import Connection
from tessera.sandbox.demo import add_demo_data, add_demo_passphrase
from tests.factories.accounts import Factory, derived_secret


class TestDemoData:
    async def test_demo_data_are_rich_and_added_once(self, platform: Connection) -> None:
        async with platform.transaction():
            assert await add_demo_data(platform)
        assert not await add_demo_data(platform)
        northwind = await platform.fetchval("SELECT id FROM companies WHERE name = 'Northwind Ltd'")
        counted = await platform.fetchrow(
            "SELECT (SELECT count(*) FROM users WHERE company_id = $1) AS members,"
            " (SELECT count(*) FROM invites WHERE company_id = $1) AS invites,"
            " (SELECT count(*) FROM invites WHERE expires_at < now()) AS expired,"
            " (SELECT count(*) FROM companies WHERE id NOT IN (1, $1)) AS others,"
            " (SELECT count(*) FROM users WHERE role = 'teamLeader') AS leaders",
            northwind,
        )
        assert counted is not None
        assert dict(counted) == {
            "members": 42, "invites": 3, "expired": 1, "others": 120, "leaders": 121,
        }  # fmt: skip

    async def test_the_leader_holds_the_passphrase(
        self, app: FastAPI, platform: Connection
    ) -> None:
        async with platform.transaction():
            await add_demo_data(platform)
        assert await add_demo_passphrase(app.state.resources)
        assert not await add_demo_passphrase(app.state.resources)
        holders = await platform.fetch(
            "SELECT u.email FROM company_keys k JOIN users u ON u.id = k.user_id"
        )
        assert [row["email"] for row in holders] == ["leader@northwind.test"]

    async def test_fillers_cannot_log_in(self, platform: Connection) -> None:
        async with platform.transaction():
            await add_demo_data(platform)
        hashes = await platform.fetch(
            "SELECT password_hash FROM users WHERE sealed_user_key = '' LIMIT 1"
        )
        assert not await secret_matches(hashes[0]["password_hash"], derived_secret())

    async def test_the_admin_finds_northwind_first(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        async with platform.transaction():
            await add_demo_data(platform)
        headers = await make.session(await make.user(role="admin"))
        page = (await client.get("/api/companies", headers=headers)).json()
        assert page["item1"][0]["name"] == "Northwind Ltd"
        assert page["item1"][0]["memberCount"] == 42
        assert page["item2"] == 121
