"""What the list of warehouses tells, checks on request, and the history."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tessera import limits
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.warehouses import commands
from tessera.warehouses.health import service as health_checks
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.warehouses.leader import AZURE, DROPBOX, GOOGLE, S3, Leader


class TestList:
    @pytest.mark.parametrize(
        ("form", "bucket"),
        [(S3, "a-bucket"), (GOOGLE, "an-archive"), (AZURE, "mirror"), (DROPBOX, "")],
    )
    async def test_the_bucket_is_shown(
        self, leader: Leader, form: dict[str, Any], bucket: str
    ) -> None:
        assert (await leader.add(form))["bucket"] == bucket

    async def test_an_edit_moves_it(self, leader: Leader) -> None:
        added = await leader.add()
        changed = {**S3, "id": added["id"], "bucketName": "another-bucket"}
        assert (await leader.ok("PUT", "/warehouse", json=changed))["bucket"] == "another-bucket"
        found = await leader.listed(searchText="another-b")
        assert [row["id"] for row in found["item1"]] == [added["id"]]

    async def test_problems_come_first_and_the_status_can_be_chosen(self, leader: Leader) -> None:
        default = await leader.add()
        fine = await leader.add(AZURE)
        failing = await leader.add(DROPBOX, accessToken="wrong")
        rows = (await leader.listed())["item1"]
        assert [row["id"] for row in rows] == [failing["id"], default["id"], fine["id"]]
        for status, expected in ((0, [failing]), (1, []), (2, [default, fine])):
            found = await leader.listed(filter=f"status:matches:{status}")
            assert [row["id"] for row in found["item1"]] == [row["id"] for row in expected]
            assert found["item2"] == len(expected)
            assert found["summary"]["total"] == 3


class TestCredentialAge:
    async def test_new_secrets_begin_a_new_age_and_other_changes_do_not(
        self, leader: Leader, platform: Connection
    ) -> None:
        added = await leader.add()
        await platform.execute("UPDATE warehouses SET credentials_since = '2025-01-01Z'")
        renamed = {**S3, "id": added["id"], "nickName": "Renamed", "path": "elsewhere"}
        seen = await leader.ok("PUT", "/warehouse", json=renamed)
        assert seen["credentialsSince"].startswith("2025-01-01")
        seen = await leader.ok("PUT", "/warehouse", json={**renamed, "secret": "demo"})
        assert datetime.fromisoformat(seen["credentialsSince"]) > datetime.now(UTC) - timedelta(
            minutes=5
        )

    async def test_a_new_encryption_key_does_not(
        self, leader: Leader, platform: Connection
    ) -> None:
        await leader.add()
        await platform.execute("UPDATE warehouses SET credentials_since = '2025-01-01Z'")
        await leader.ok("PUT", "/company/newkey")
        [row] = (await leader.listed())["item1"]
        assert row["credentialsSince"].startswith("2025-01-01")


class TestCheckNow:
    async def test_check_now_finds_what_changed(self, leader: Leader, clouds: Path) -> None:
        added = await leader.add()
        (clouds / f"s3/a-bucket/tessera/.tessera/health-{added['id']}.json").unlink()
        checked = await leader.ok("POST", f"/warehouse/check/{added['id']}")
        assert (checked["status"], checked["lastErrorCode"]) == (1, "health_missing")
        assert checked["lastCheck"] > added["lastCheck"]
        assert not checked["checking"]

    async def test_a_slow_one_goes_on_in_the_workflow(
        self, leader: Leader, app: FastAPI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        resources: Resources = app.state.resources
        added = await leader.add()

        async def slow(*_: object) -> None:
            raise TimeoutError

        monkeypatch.setattr(commands, "check_after_change", slow)
        answer = await leader.call("POST", f"/warehouse/check/{added['id']}")
        assert (answer.status_code, answer.json()["checking"]) == (202, True)
        async with resources.database.without_tenant() as connection:
            state = await connection.fetchval(
                "SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1",
                f"warehouse-{added['id']}-2",
            )
        assert state == "DELAYED"
        await health_checks.check_after_change(resources, leader.company_id, added["id"], 2)
        [row] = (await leader.listed())["item1"]
        assert (row["status"], row["checking"]) == (2, False)
        assert row["lastCheck"] > added["lastCheck"]

    async def test_running_check_is_not_started_again(
        self, leader: Leader, platform: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        added = await leader.add()
        begun, may_end, checks = asyncio.Event(), asyncio.Event(), 0
        real = health_checks.check

        async def held(*args: Any) -> Any:
            nonlocal checks
            checks += 1
            begun.set()
            await may_end.wait()
            return await real(*args)

        monkeypatch.setattr(health_checks, "check", held)
        path = f"/warehouse/check/{added['id']}"
        first = asyncio.create_task(leader.call("POST", path))
        await begun.wait()
        second = await leader.call("POST", path)
        assert (second.status_code, second.json()["checking"]) == (202, True)
        may_end.set()
        assert (await first).status_code == 200
        assert checks == 1
        assert await platform.fetchval("SELECT revision FROM warehouses") == 2

    async def test_lost_check_is_started_again(self, leader: Leader, platform: Connection) -> None:
        added = await leader.add()
        await platform.execute(
            "UPDATE warehouses SET checking_since = now() - interval '11 minutes'"
        )
        checked = await leader.ok("POST", f"/warehouse/check/{added['id']}")
        assert not checked["checking"]

    async def test_check_now_is_limited_by_time(
        self, leader: Leader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        added = await leader.add()
        monkeypatch.setitem(limits.CHANGED, "warehouse_checks", 2)
        path = f"/warehouse/check/{added['id']}"
        for _ in range(2):
            await leader.ok("POST", path)
        answer = await leader.call("POST", path)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_tries")
        assert int(answer.headers["Retry-After"]) > 0

    async def test_check_now_needs_no_verification(self, leader: Leader, make: Factory) -> None:
        added = await leader.add()
        leader.headers = await make.session(leader.team.leader)
        assert (await leader.ok("POST", f"/warehouse/check/{added['id']}"))["status"] == 2


class TestHistory:
    async def test_history_tells_times_and_causes_the_newest_first(
        self, leader: Leader, platform: Connection
    ) -> None:
        added = await leader.add()
        await platform.execute("DELETE FROM warehouse_transitions")
        for days, status, error in (
            (200, 1, "health_missing"), (95, 2, None), (10, 0, "unreachable"), (9, 2, None),
        ):  # fmt: skip
            await platform.execute(
                "INSERT INTO warehouse_transitions (company_id, warehouse_id, at, status, error)"
                " VALUES ($1, $2, now() - make_interval(days => $3), $4, $5)",
                leader.company_id, added["id"], days, status, error,
            )  # fmt: skip
        page = await leader.ok("GET", f"/warehouse/history/{added['id']}", params={"limit": 10})
        # The one that ended 95 days ago is no longer shown.
        assert page["item2"] == 3
        now, down, before = page["item1"]
        assert (now["status"], now["cause"], now["until"]) == (2, None, None)
        assert (down["status"], down["causeCode"]) == (0, "unreachable")
        assert down["cause"].endswith(".")
        assert down["until"] == now["since"]
        assert before["until"] == down["since"]
        second = await leader.ok(
            "GET", f"/warehouse/history/{added['id']}", params={"limit": 1, "skip": 1}
        )
        assert (second["item1"], second["item2"]) == ([down], 3)

    async def test_a_change_is_written_with_the_status(self, leader: Leader) -> None:
        added = await leader.add(secret="wrong")
        await leader.ok("PUT", "/warehouse", json={**S3, "id": added["id"]})
        page = await leader.ok("GET", f"/warehouse/history/{added['id']}")
        assert [row["causeCode"] for row in page["item1"]] == [None, "wrong_key"]

    async def test_history_of_another_company_is_not_shown(
        self, leader: Leader, people: People, make: Factory
    ) -> None:
        added = await leader.add()
        other = await people.team(warehouses=True)
        leader.headers = await make.session(other.leader, verified=True)
        for method, path in (("GET", "history"), ("POST", "check")):
            answer = await leader.call(method, f"/warehouse/{path}/{added['id']}")
            assert (answer.status_code, answer.json()["code"]) == (404, "warehouse_not_found")
