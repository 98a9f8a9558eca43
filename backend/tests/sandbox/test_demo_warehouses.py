import json
from pathlib import Path

import httpx
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.sandbox.demo import add_demo_data
from tessera.sandbox.demo_warehouses import add_demo_warehouses
from tests.factories.accounts import Company, Factory, Outbox, User


async def leader_of_northwind(platform: Connection) -> User:
    row = await platform.fetchrow(
        "SELECT u.id, u.uuid, u.company_id, c.uuid AS company_uuid FROM users u"
        " JOIN companies c ON c.id = u.company_id WHERE u.email = 'leader@northwind.test'"
    )
    assert row is not None
    company = Company(row["company_id"], row["company_uuid"])
    return User(row["id"], row["uuid"], company, "", "", "", b"")


class TestDemoWarehouses:
    async def test_demo_has_one_warehouse_of_each_type_in_different_states(
        self,
        app: FastAPI,
        client: httpx.AsyncClient,
        make: Factory,
        outbox: Outbox,
        platform: Connection,
        tmp_path: Path,
    ) -> None:
        async with platform.transaction():
            await add_demo_data(platform)
        assert await add_demo_warehouses(app.state.resources)
        assert not await add_demo_warehouses(app.state.resources)
        leader = await leader_of_northwind(platform)
        headers = await make.session(leader, verified=True)
        page = (await client.get("/api/all", headers=headers)).json()
        seen = [(row["wareHouseId"], row["status"], row["lastErrorCode"]) for row in page["item1"]]
        assert seen == [
            (1, 0, "wrong_key"), (4, 1, "health_missing"), (3, 2, None), (5, 2, None),
        ]  # fmt: skip
        assert [row["isDefault"] for row in page["item1"]] == [False, False, True, False]
        assert all(len(set(row["days"])) > 1 for row in page["item1"])
        assert page["item1"][0]["days"].count(None) in {5, 6, 7}
        assert not any(row["checking"] for row in page["item1"])
        assert await outbox.messages() == []
        shared = await platform.fetch("SELECT status FROM warehouses WHERE company_id = 1")
        assert [row["status"] for row in shared] == [2, 2, 2]
        sharing = await platform.fetchval(
            "SELECT count(DISTINCT company_id) FROM shared_warehouses"
        )
        assert sharing == 120
        files = [json.loads(file.read_text()) for file in _files(tmp_path)]
        assert len([file for file in files if file["company"] == leader.company.id]) == 2


def _files(folder: Path) -> list[Path]:
    return list((folder / "clouds").rglob("health-*.json"))
