"""The platform's default warehouses, and which companies share them."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.warehouses import service
from tessera.warehouses.errors import CredentialsIncomplete, SharedWarehousesNeeded
from tessera.warehouses.shared import service as platform_warehouses
from tests.clouds import provider_types
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.factories.warehouses import S3_FORM, Warehouses
from tests.fixtures.command_line import Command
from tests.warehouses.leader import Leader

AZURE_FORM = {"application_name": "pool", "account_key": "demo", "path": "pool"}
DROPBOX_FORM = {"access_token": "demo", "path": "pool"}


@pytest.fixture
def resources(app: FastAPI) -> Resources:
    resources: Resources = app.state.resources
    return resources


async def add_three(resources: Resources) -> list[platform_warehouses.Added]:
    return [
        await platform_warehouses.add(resources, provider_types.S3, "one", S3_FORM),
        await platform_warehouses.add(resources, provider_types.AZURE, "two", AZURE_FORM),
        await platform_warehouses.add(resources, provider_types.DROPBOX, "three", DROPBOX_FORM),
    ]


async def of_company(platform: Connection, company_id: int) -> list[int]:
    rows = await platform.fetch(
        "SELECT warehouse_id FROM shared_warehouses WHERE company_id = $1 ORDER BY 1", company_id
    )
    return [row["warehouse_id"] for row in rows]


class TestKeeping:
    async def test_added_checked_and_given_to_those_who_lack_some(
        self, resources: Resources, people: People, platform: Connection
    ) -> None:
        sharing = (await people.team()).company.id
        own = (await people.team(warehouses=True)).company.id
        added = await add_three(resources)
        assert [(each.status, each.error) for each in added] == [(2, None)] * 3
        assert await of_company(platform, sharing) == [each.id for each in added]
        assert await of_company(platform, own) == []
        listed = await platform_warehouses.list_all(resources)
        assert [(row.nick_name, row.companies) for row in listed] == [
            ("one", 1), ("two", 1), ("three", 1),
        ]  # fmt: skip

    async def test_a_failing_one_is_said(self, resources: Resources) -> None:
        form = {**DROPBOX_FORM, "access_token": "wrong"}
        added = await platform_warehouses.add(resources, provider_types.DROPBOX, None, form)
        assert (added.status, added.error) == (0, "wrong_key")

    async def test_a_malformed_one_is_refused(self, resources: Resources) -> None:
        with pytest.raises(CredentialsIncomplete):
            await platform_warehouses.add(resources, provider_types.DROPBOX, None, {"path": "x"})
        assert await platform_warehouses.list_all(resources) == []

    async def test_removed_platform_warehouse_is_taken_from_its_companies(
        self, resources: Resources, people: People, platform: Connection
    ) -> None:
        company_id = (await people.team()).company.id
        added = await add_three(resources)
        with pytest.raises(SharedWarehousesNeeded):
            await platform_warehouses.remove(resources, added[0].id, force=False)
        fourth = await platform_warehouses.add(
            resources, provider_types.S3, "four", {**S3_FORM, "path": "four"}
        )
        assert await platform_warehouses.remove(resources, added[0].id, force=False) == 1
        assert await of_company(platform, company_id) == [added[1].id, added[2].id, fourth.id]
        defaults = await platform.fetch("SELECT id FROM warehouses WHERE is_default")
        assert [row["id"] for row in defaults] == [added[1].id]
        assert await platform_warehouses.remove(resources, 0, force=True) is None

    async def test_changed_platform_warehouse_is_recorded(
        self, resources: Resources, platform: Connection
    ) -> None:
        added = await platform_warehouses.add(resources, provider_types.S3, "one", S3_FORM)
        await platform_warehouses.remove(resources, added.id, force=True)
        rows = await platform.fetch("SELECT action FROM activity WHERE company_id = 1 ORDER BY id")
        assert [row["action"] for row in rows] == [
            "sharedWarehouse.added",
            "sharedWarehouse.removed",
        ]

    async def test_a_company_s_own_is_not_a_shared_one(
        self, resources: Resources, people: People, warehouses: Warehouses
    ) -> None:
        own = await warehouses.add((await people.team()).company.id)
        assert await platform_warehouses.list_all(resources) == []
        assert await platform_warehouses.remove(resources, own.id, force=True) is None


class TestAssigning:
    async def test_different_clouds_and_the_least_used_first(
        self, resources: Resources, people: People, platform: Connection
    ) -> None:
        for number in range(2):
            for type_, form in (
                (provider_types.S3, S3_FORM),
                (provider_types.AZURE, AZURE_FORM),
                (provider_types.DROPBOX, DROPBOX_FORM),
            ):
                await platform_warehouses.add(
                    resources, type_, None, {**form, "path": f"pool{number}"}
                )
        given = []
        for _ in range(2):
            company_id = (await people.team()).company.id
            for _ in range(2):
                async with resources.database.tenant(company_id) as connection:
                    assert await service.assign_shared(connection) == 3
            given.append(await of_company(platform, company_id))
        rows = await platform.fetch("SELECT id FROM warehouses ORDER BY id")
        assert given[0] + given[1] == [row["id"] for row in rows]

    async def test_whoever_gives_up_the_own_ones_shares(
        self, resources: Resources, leader: Leader, platform: Connection
    ) -> None:
        added = await add_three(resources)
        assert await of_company(platform, leader.company_id) == []
        await leader.ok("PUT", "/payment/own-warehouses", json={"enabled": False})
        assert await of_company(platform, leader.company_id) == [each.id for each in added]

    async def test_the_platform_itself_gets_none(self, resources: Resources) -> None:
        await add_three(resources)
        async with resources.database.tenant(1) as connection:
            assert await service.assign_shared(connection) == 0

    async def test_a_company_sees_nothing_of_them(
        self, resources: Resources, people: People, platform: Connection
    ) -> None:
        company_id = (await people.team()).company.id
        await add_three(resources)
        async with resources.database.tenant(company_id) as connection:
            assert await connection.fetch("SELECT * FROM warehouses") == []
            assert await connection.fetch("SELECT * FROM data_keys") == []
            seen = await connection.fetch("SELECT * FROM shared_warehouse_states()")
        assert [set(row.keys()) for row in seen] == [
            {"type", "nick_name", "status", "last_check_at"}
        ] * 3

    async def test_an_admin_sees_them_in_the_company(
        self, resources: Resources, people: People, make: Factory, client: httpx.AsyncClient
    ) -> None:
        company_id = (await people.team()).company.id
        await add_three(resources)
        headers = await make.session(await people.admin())
        answer = await client.get(f"/api/company/{company_id}/detail", headers=headers)
        seen: list[dict[str, Any]] = answer.json()["warehouses"]
        assert [(each["nickName"], each["status"], each["isShared"]) for each in seen] == [
            ("one", 2, True), ("two", 2, True), ("three", 2, True),
        ]  # fmt: skip


class TestCommands:
    async def test_add_list_and_remove(self, run_command: Command, platform: Connection) -> None:
        add = ("warehouses", "add", "--type", "dropbox", "--fields", "-")
        wrong = await run_command(*add, stdin='{"path": "pool"}')
        assert (wrong.exit_code, "accessToken: This field is required." in wrong.stderr) == (
            2,
            True,
        )
        fields = '{"accessToken": "demo", "path": "pool"}'
        added = await run_command(*add, "--nick-name", "Pool", stdin=fields)
        assert added.exit_code == 0, added.stderr
        warehouse_id = await platform.fetchval("SELECT id FROM warehouses WHERE company_id = 1")
        assert added.stdout.startswith(f"Warehouse {warehouse_id}: Active")
        listed = await run_command("warehouses", "list")
        assert "Pool" in listed.stdout
        assert "demo" not in listed.stdout
        remove = ("warehouses", "remove", str(warehouse_id))
        refused = await run_command(*remove)
        assert refused.exit_code == 2
        gone = await run_command(*remove, "--force")
        assert gone.exit_code == 0, gone.stderr
