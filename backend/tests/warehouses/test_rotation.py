import asyncio
import json
from pathlib import Path

import asyncpg
import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.warehouses.health.service import republish_health_files
from tests.factories.warehouses import Stored, Warehouses
from tests.warehouses.leader import AZURE, DROPBOX, GOOGLE, S3, Leader

FORMS = (S3, DROPBOX, AZURE, GOOGLE)


@pytest.fixture
def resources(app: FastAPI) -> Resources:
    resources: Resources = app.state.resources
    return resources


@pytest.fixture
async def stored(leader: Leader) -> list[Stored]:
    return [Stored((await leader.add(form))["id"], leader.company_id) for form in FORMS]


async def versions(platform: Connection) -> list[int]:
    return [row["version"] for row in await platform.fetch("SELECT version FROM data_keys")]


def versions_in(clouds: Path) -> list[int]:
    """Key versions of the health files in the sandbox's clouds."""
    return [
        json.loads(file.read_text())["keyVersion"] for file in sorted(clouds.rglob("health-*.json"))
    ]


class TestNewKey:
    @pytest.mark.spec("1.12", "7.25")
    async def test_everything_is_resealed_and_the_old_key_is_gone(
        self, leader: Leader, stored: list[Stored], warehouses: Warehouses, platform: Connection
    ) -> None:
        before = [await warehouses.form(each) for each in stored]
        sealed = {(await warehouses.row(each))["sealed"] for each in stored}
        answer = await leader.ok("PUT", "/company/newkey")
        assert answer == {"keyVersion": 2, "warehouses": 4}
        assert await versions(platform) == [2]
        assert [await warehouses.form(each) for each in stored] == before
        assert sealed.isdisjoint({(await warehouses.row(each))["sealed"] for each in stored})
        assert (await leader.listed())["summary"]["keyVersion"] == 2
        details = await platform.fetchval(
            "SELECT details FROM activity WHERE action = 'encryptionKey.rotated'"
        )
        assert json.loads(details) == {"keyVersion": 2, "warehouses": 4}

    async def test_health_files_follow_a_new_key(
        self, leader: Leader, stored: list[Stored], resources: Resources, clouds: Path
    ) -> None:
        await leader.ok("PUT", "/company/newkey")
        await republish_health_files(resources, leader.company_id, 2)
        assert versions_in(clouds) == [2, 2, 2, 2]
        assert {row["status"] for row in (await leader.listed())["item1"]} == {2}

    async def test_work_of_an_older_key_leaves_them_to_the_newer_one(
        self, leader: Leader, stored: list[Stored], resources: Resources, clouds: Path
    ) -> None:
        for _ in range(2):
            await leader.ok("PUT", "/company/newkey")
        await republish_health_files(resources, leader.company_id, 2)
        assert versions_in(clouds) == [1, 1, 1, 1]
        await republish_health_files(resources, leader.company_id, 3)
        assert versions_in(clouds) == [3, 3, 3, 3]

    async def test_a_company_without_warehouses_gets_a_key(self, leader: Leader) -> None:
        assert await leader.ok("PUT", "/company/newkey") == {"keyVersion": 1, "warehouses": 0}
        assert await leader.ok("PUT", "/company/newkey") == {"keyVersion": 2, "warehouses": 0}

    async def test_rotation_leaves_the_keys_of_other_companies(
        self, leader: Leader, stored: list[Stored], warehouses: Warehouses, platform: Connection
    ) -> None:
        await warehouses.add(1)
        await leader.ok("PUT", "/company/newkey")
        rows = await platform.fetch("SELECT company_id, version FROM data_keys ORDER BY 1")
        assert [tuple(row) for row in rows] == [(1, 1), (leader.company_id, 2)]

    async def test_a_key_in_use_cannot_be_destroyed(
        self, stored: list[Stored], platform: Connection
    ) -> None:
        with pytest.raises(asyncpg.ForeignKeyViolationError):
            await platform.execute("DELETE FROM data_keys")


class TestRaces:
    async def test_two_rotations_at_once(
        self, leader: Leader, stored: list[Stored], warehouses: Warehouses, platform: Connection
    ) -> None:
        before = [await warehouses.form(each) for each in stored]
        answers = await asyncio.gather(*(leader.ok("PUT", "/company/newkey") for _ in range(4)))
        assert sorted(answer["keyVersion"] for answer in answers) == [2, 3, 4, 5]
        assert await versions(platform) == [5]
        assert [await warehouses.form(each) for each in stored] == before

    async def test_rotations_against_edits_and_additions(
        self, leader: Leader, stored: list[Stored], warehouses: Warehouses, platform: Connection
    ) -> None:
        async def edit(number: int) -> None:
            form = {**S3, "id": stored[0].id, "secret": f"EDITED{number:02}" * 3}
            answer = await leader.call("PUT", "/warehouse", json=form)
            assert answer.status_code in {200, 202}, answer.text

        async def add(number: int) -> None:
            answer = await leader.call("POST", "/warehouse", json={**S3, "path": f"new{number}"})
            assert answer.status_code in {200, 202}, answer.text

        work = []
        for number in range(4):
            work += [edit(number), leader.ok("PUT", "/company/newkey"), add(number)]
        await asyncio.gather(*work)
        assert await versions(platform) == [5]
        rows = await platform.fetch("SELECT id, company_id, key_version FROM warehouses")
        assert len(rows) == 8
        assert {row["key_version"] for row in rows} == {5}
        forms = [await warehouses.form(Stored(row["id"], row["company_id"])) for row in rows]
        assert all(form["path"] for form in forms if "access_token" in form or "region" in form)
        edited = await warehouses.form(stored[0])
        assert edited["secret"].startswith("EDITED")
        # A check that was overtaken is followed by another, and none stays pending.
        assert await platform.fetchval("SELECT count(*) FROM warehouses WHERE status = 2") >= 4

    async def test_a_check_that_began_before_is_not_written_down_after(
        self, leader: Leader, resources: Resources, platform: Connection
    ) -> None:
        from tessera.warehouses.health import queries as health_queries
        from tessera.warehouses.health import service as health_checks

        added = await leader.add(S3, secret="wrong")
        async with resources.database.tenant(leader.company_id) as connection:
            await platform.execute("UPDATE warehouses SET checking_since = now()")
            row = await health_queries.to_check(connection, leader.company_id, added["id"], 1)
            assert row is not None
            subjects = await health_checks.load(connection, resources, leader.company_id, [row])
        slow = await health_checks.check(resources, subjects[0])
        await leader.ok("PUT", "/warehouse", json={**S3, "id": added["id"]})
        async with resources.database.tenant(leader.company_id) as connection:
            assert not await health_checks.store_findings(
                connection, resources, leader.company_id, [slow]
            )
        assert (await leader.listed())["item1"][0]["status"] == 2

    async def test_many_first_warehouses_at_once_leave_one_default_and_one_key(
        self, leader: Leader, platform: Connection
    ) -> None:
        forms = [{**S3, "path": f"at-once-{number}"} for number in range(5)]
        answers = await asyncio.gather(
            *(leader.call("POST", "/warehouse", json=form) for form in forms)
        )
        assert {answer.status_code for answer in answers} == {200}
        assert await versions(platform) == [1]
        defaults = "SELECT count(*) FROM warehouses WHERE is_default"
        assert await platform.fetchval(defaults) == 1
        ids = [answer.json()["id"] for answer in answers]
        await asyncio.gather(
            *(leader.ok("PUT", f"/warehouse/default-warehouse/{each}") for each in ids),
            *(leader.call("DELETE", f"/warehouse/{each}") for each in ids[1:3]),
            return_exceptions=True,
        )
        assert await platform.fetchval(defaults) == 1

    async def test_switching_the_own_ones_off_against_adding_one(
        self, leader: Leader, platform: Connection
    ) -> None:
        for number in range(4):
            await platform.execute("DELETE FROM warehouses")
            await platform.execute("UPDATE companies SET can_view_warehouse = true")
            off = leader.call("PUT", "/payment/own-warehouses", json={"enabled": False})
            on = leader.call("POST", "/warehouse", json={**S3, "path": f"race-{number}"})
            await asyncio.gather(off, on)
            row = await platform.fetchrow(
                "SELECT can_view_warehouse, (SELECT count(*) FROM warehouses) AS own"
                " FROM companies WHERE id = $1",
                leader.company_id,
            )
            assert row is not None
            assert row["can_view_warehouse"] == (row["own"] == 1)
