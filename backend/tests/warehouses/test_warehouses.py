import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.warehouses import commands
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.warehouses.leader import AZURE, DROPBOX, FORMS, GOOGLE, S3, Leader


async def actions(platform: Connection, company_id: int) -> list[str]:
    rows = await platform.fetch(
        "SELECT action FROM activity WHERE company_id = $1 ORDER BY id", company_id
    )
    return [row["action"] for row in rows]


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


class TestConnectionTest:
    async def test_connection_test_saves_nothing_and_leaves_nothing(
        self, leader: Leader, clouds: Path, platform: Connection
    ) -> None:
        tested = await leader.ok("POST", "/warehouse/test", json=S3)
        assert tested == {
            "connected": True, "error": None, "errorCode": None, "letsBrowsersRead": None,
        }  # fmt: skip
        assert (await leader.listed())["item2"] == 0
        assert files_below(clouds) == []
        assert await actions(platform, leader.company_id) == []

    @pytest.mark.parametrize("lets", [True, False])
    async def test_whether_browsers_may_read_is_no_failure_and_told_of_stored_ones_too(
        self, leader: Leader, monkeypatch: pytest.MonkeyPatch, lets: bool
    ) -> None:
        asked: list[str] = []

        async def answer(_: object, path: str, origin: str) -> bool:
            asked.append(origin)
            return lets

        monkeypatch.setattr(commands, "lets_browsers_read", answer)
        added = await leader.add()
        for data in ({**S3, "bucketName": "another"}, {**S3, "id": added["id"]}):
            tested = await leader.ok("POST", "/warehouse/test", json=data)
            assert (tested["connected"], tested["letsBrowsersRead"]) == (True, lets)
        # As the page of a share asks, which has no origin here.
        assert asked == ["null", "null"]

    @pytest.mark.parametrize(
        ("changes", "cause"),
        [({"secret": "wrong"}, "wrong_key"), ({"path": "readonly"}, "no_write_permission")],
    )
    async def test_a_failure_is_explained(
        self, leader: Leader, changes: dict[str, str], cause: str
    ) -> None:
        tested = await leader.ok("POST", "/warehouse/test", json={**S3, **changes})
        assert (tested["connected"], tested["errorCode"]) == (False, cause)
        assert tested["error"].endswith(".")

    async def test_a_taken_location_is_refused_except_to_its_own_warehouse(
        self, leader: Leader
    ) -> None:
        added = await leader.add()
        assert await leader.code("POST", "/warehouse/test", json=S3) == (
            409,
            "warehouse_location_taken",
        )
        own = {**S3, "id": added["id"]}
        assert (await leader.ok("POST", "/warehouse/test", json=own))["connected"]

    async def test_connection_test_names_missing_fields(self, leader: Leader) -> None:
        answer = await leader.call("POST", "/warehouse/test", json={"wareHouseId": 3})
        assert answer.status_code == 422
        assert "bucketName" in answer.json()["fields"]


class TestAdding:
    @pytest.mark.spec("3.8", "3.12", "3.14", "3.15", "7.37")
    @pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
    async def test_warehouse_of_each_type_connects(
        self, leader: Leader, form: dict[str, Any]
    ) -> None:
        added = await leader.add(form)
        assert (added["status"], added["lastError"], added["checking"]) == (2, None, False)
        assert added["wareHouseId"] == form["wareHouseId"]
        assert added["days"][-1] == 2
        assert added["days"][:29] == [None] * 29
        assert added["isDefault"]

    async def test_the_health_file_is_where_it_should_be(
        self, leader: Leader, clouds: Path
    ) -> None:
        added = await leader.add()
        file = clouds / f"s3/a-bucket/tessera/.tessera/health-{added['id']}.json"
        content = json.loads(file.read_text())
        assert content["warehouse"] == added["id"]
        assert content["company"] == leader.company_id
        assert content["keyVersion"] == 1

    @pytest.mark.parametrize(
        ("form", "changes", "cause"),
        [
            (S3, {"secret": "wrong"}, "wrong_key"),
            (S3, {"bucketName": "missing"}, "no_such_bucket"),
            (S3, {"region": "wrong"}, "wrong_region"),
            (S3, {"path": "readonly"}, "no_write_permission"),
            (S3, {"path": "unreachable"}, "unreachable"),
            (DROPBOX, {"accessToken": "wrong"}, "wrong_key"),
            (AZURE, {"accountKey": "wrong"}, "wrong_key"),
            (GOOGLE, {"privateKey": "wrong"}, "wrong_key"),
            (GOOGLE, {"bucketName": "missing"}, "no_such_bucket"),
        ],
    )
    async def test_a_failed_check_is_stored_with_its_cause(
        self, leader: Leader, form: dict[str, Any], changes: dict[str, str], cause: str
    ) -> None:
        added = await leader.add(form, **changes)
        assert (added["status"], added["lastErrorCode"]) == (0, cause)
        assert added["lastError"].endswith(".")
        assert (await leader.listed())["item2"] == 1

    async def test_the_cause_follows_the_language(self, leader: Leader) -> None:
        await leader.add(S3, secret="wrong")
        said = {
            language: (await leader.ok("GET", "/all", headers={"Accept-Language": language}))[
                "item1"
            ][0]["lastError"]
            for language in ("en", "tr", "ar")
        }
        assert len(set(said.values())) == 3

    @pytest.mark.spec("5.32", "5.33", "5.34", "5.35", "5.36")
    @pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
    async def test_adding_a_warehouse_names_missing_fields(
        self, leader: Leader, form: dict[str, Any]
    ) -> None:
        answer = await leader.call(
            "POST", "/warehouse", json={"wareHouseId": form["wareHouseId"], "nickName": "x"}
        )
        assert answer.status_code == 422
        needed = form.keys() - {"wareHouseId", "nickName"}
        assert answer.json()["fields"].keys() == needed
        assert (await leader.listed())["item2"] == 0

    @pytest.mark.parametrize(
        ("form", "field", "value"),
        [
            (S3, "region", "eu central"),
            (S3, "bucketName", "../other"),
            (S3, "path", "a/../b"),
            (S3, "path", "a\x00b"),
            (S3, "nickName", "a\x00b"),
            (S3, "nickName", "x" * 101),
            (S3, "secret", "s" * 9000),
            (S3, "wareHouseId", 2),
            (AZURE, "accountKey", "BlobEndpoint=http://169.254.169.254;AccountKey=x"),
            (GOOGLE, "clientEmail", "me@gmail.com"),
            (GOOGLE, "privateKey", "-----BEGIN"),
            (S3, "status", 2),
            (S3, "isDefault", True),
            (S3, "companyId", 1),
        ],
    )
    async def test_malformed_fields_are_refused(
        self, leader: Leader, form: dict[str, Any], field: str, value: object
    ) -> None:
        answer = await leader.call("POST", "/warehouse", json={**form, field: value})
        assert answer.status_code == 422
        assert field in answer.json()["fields"]
        assert str(value) not in answer.text or len(str(value)) < 3

    @pytest.mark.spec("3.16")
    @pytest.mark.parametrize("field", ["clientSecret", "folderId"])
    async def test_secret_of_a_provider_that_cannot_be_connected_is_refused(
        self, leader: Leader, field: str
    ) -> None:
        answer = await leader.call("POST", "/warehouse", json={**GOOGLE, field: "GOCSPX-a_b"})
        assert (answer.status_code, list(answer.json()["fields"])) == (422, [field])
        assert answer.json()["fields"][field] == "This field is not expected here."

    async def test_fields_of_other_types_are_not_kept(self, leader: Leader) -> None:
        added = await leader.add(DROPBOX, bucketName="a-bucket", secret="demo")
        seen = await leader.ok("GET", "/warehouse", params={"warehouseId": added["id"]})
        assert (seen["bucketName"], seen["secret"]) == (None, None)

    async def test_the_first_is_the_default_and_the_second_is_not(self, leader: Leader) -> None:
        await leader.add()
        second = await leader.add(DROPBOX)
        assert not second["isDefault"]

    async def test_added_warehouse_is_recorded(self, leader: Leader, platform: Connection) -> None:
        await leader.add()
        assert await actions(platform, leader.company_id) == ["warehouse.added"]


class TestLimit:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"warehouses": 2}}

    async def test_there_is_a_most(self, leader: Leader) -> None:
        await leader.add()
        await leader.add(DROPBOX)
        assert await leader.code("POST", "/warehouse", json=AZURE) == (409, "too_many_warehouses")


class TestSlow:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"warehouse_wait_seconds": 0.3}

    @pytest.mark.spec("7.37")
    async def test_saving_answers_202_and_the_check_waits_as_work(
        self, leader: Leader, app: FastAPI
    ) -> None:
        answer = await leader.call("POST", "/warehouse", json={**S3, "path": "slow"})
        assert answer.status_code == 202
        seen = answer.json()
        assert (seen["checking"], seen["status"], seen["lastCheck"]) == (True, 0, None)
        assert seen["days"] == [None] * 30
        async with app.state.resources.database.without_tenant() as connection:
            work = await connection.fetch("SELECT workflow_uuid, status FROM dbos.workflow_status")
        assert [tuple(row) for row in work] == [(f"warehouse-{seen['id']}-1", "DELAYED")]


class TestList:
    @pytest.mark.spec("7.35")
    async def test_the_default_first_among_those_of_one_status(self, leader: Leader) -> None:
        ids = [(await leader.add(form))["id"] for form in (S3, DROPBOX, AZURE)]
        await leader.ok("PUT", f"/warehouse/default-warehouse/{ids[1]}")
        page = await leader.listed()
        assert [row["id"] for row in page["item1"]] == [ids[1], ids[0], ids[2]]
        second = await leader.listed(skip=1, limit=2)
        assert [row["id"] for row in second["item1"]] == [ids[2]]
        assert second["item2"] == 3

    @pytest.mark.spec("7.35")
    async def test_search_over_name_type_and_path(self, leader: Leader) -> None:
        await leader.add()
        await leader.add(GOOGLE, path="deep/folder")
        for text, types in (
            ("frankf", [3]),
            ("google cl", [5]),
            ("AWS", [3]),
            ("FOLDER", [5]),
            ("zz", []),
        ):
            found = (await leader.listed(searchText=text))["item1"]
            assert [row["wareHouseId"] for row in found] == types, text

    @pytest.mark.spec("1.2", "9.16")
    async def test_the_summary_says_how_many_may_fail(self, leader: Leader) -> None:
        empty = (await leader.listed())["summary"]
        assert empty == {
            "active": 0, "connected": 0, "total": 0, "needed": 3, "mayFail": 0, "keyVersion": 0,
        }  # fmt: skip
        for form in FORMS.values():
            await leader.add(form)
        await leader.add(S3, secret="wrong", path="other")
        assert (await leader.listed())["summary"] == {
            "active": 4, "connected": 0, "total": 5, "needed": 3, "mayFail": 1, "keyVersion": 1,
        }  # fmt: skip

    async def test_list_shows_the_state_of_thirty_days(
        self, leader: Leader, platform: Connection
    ) -> None:
        added = await leader.add()
        await platform.execute("DELETE FROM warehouse_transitions")
        for days_ago, status in ((40, 2), (20, 0), (20, 2), (5, 1)):
            await platform.execute(
                "INSERT INTO warehouse_transitions (company_id, warehouse_id, at, status) VALUES"
                " ($1, $2, date_trunc('day', now(), 'UTC') - make_interval(hours => 24 * $3 - 12),"
                " $4)",
                leader.company_id, added["id"], days_ago, status,
            )  # fmt: skip
        days = (await leader.listed())["item1"][0]["days"]
        expected = [2] * 30
        expected[9] = 0
        expected[24:] = [1] * 6
        assert days == expected

    async def test_paging_outside_its_limits_is_refused(self, leader: Leader) -> None:
        for query in ({"limit": 0}, {"limit": 101}, {"skip": -1}, {"searchText": "\x00"}):
            answer = await leader.call("GET", "/all", params=query)
            assert answer.status_code == 422, query


class TestReveal:
    @pytest.mark.spec("3.13", "7.36")
    async def test_revealing_shows_all_fields_and_is_recorded(
        self, leader: Leader, platform: Connection
    ) -> None:
        added = await leader.add()
        seen = await leader.ok("GET", "/warehouse", params={"warehouseId": added["id"]})
        assert {name: seen[name] for name in S3} == S3
        assert seen["clientEmail"] is None
        assert await actions(platform, leader.company_id) == [
            "warehouse.added",
            "warehouse.revealed",
        ]

    @pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
    async def test_masked_secrets_are_not_shown_and_not_recorded(
        self, leader: Leader, platform: Connection, form: dict[str, Any]
    ) -> None:
        added = await leader.add(form)
        query = {"warehouseId": added["id"], "view": "masked"}
        seen = await leader.ok("GET", "/warehouse", params=query)
        masked = {name for name in form if seen[name] == "••••••••"}
        assert masked == form.keys() & {"accountKey", "secret", "accessToken", "privateKey"}
        assert all(seen[name] == form[name] for name in form if name not in masked)
        assert await actions(platform, leader.company_id) == ["warehouse.added"]

    async def test_an_edit_form_is_recorded_as_such(
        self, leader: Leader, platform: Connection
    ) -> None:
        added = await leader.add()
        query = {"warehouseId": added["id"], "view": "edit"}
        seen = await leader.ok("GET", "/warehouse", params=query)
        assert seen["secret"] == S3["secret"]
        assert (await actions(platform, leader.company_id))[-1] == "warehouse.editOpened"

    async def test_warehouse_of_another_company_is_not_revealed(
        self, leader: Leader, people: People, make: Factory, client: httpx.AsyncClient
    ) -> None:
        added = await leader.add()
        other = await people.team(warehouses=True)
        stranger = Leader(client, await make.session(other.leader, verified=True), other)
        found = await stranger.code("GET", "/warehouse", params={"warehouseId": added["id"]})
        assert found == (404, "warehouse_not_found")
        assert (await stranger.listed())["item2"] == 0


class TestEditing:
    @pytest.mark.spec("7.38")
    async def test_edited_warehouse_is_checked_again(
        self, leader: Leader, platform: Connection
    ) -> None:
        added = await leader.add(S3, secret="wrong")
        seen = await leader.ok("PUT", "/warehouse", json={**S3, "id": added["id"]})
        assert (seen["status"], seen["lastErrorCode"]) == (2, None)
        seen = await leader.ok(
            "PUT", "/warehouse", json={**S3, "id": added["id"], "path": "unreachable"}
        )
        assert (seen["status"], seen["lastErrorCode"]) == (0, "unreachable")
        recorded = await actions(platform, leader.company_id)
        assert recorded.count("warehouse.updated") == 2
        assert recorded.count("warehouse.statusChanged") == 2

    @pytest.mark.spec("4.36")
    async def test_the_type_is_fixed(self, leader: Leader) -> None:
        added = await leader.add()
        form = {**DROPBOX, "id": added["id"]}
        assert await leader.code("PUT", "/warehouse", json=form) == (422, "warehouse_type_fixed")

    async def test_the_type_need_not_be_named(self, leader: Leader) -> None:
        added = await leader.add(DROPBOX)
        form = {"id": added["id"], "accessToken": "demo", "path": "elsewhere"}
        assert (await leader.ok("PUT", "/warehouse", json=form))["path"] == "elsewhere"

    async def test_bad_forms_change_nothing(self, leader: Leader) -> None:
        added = await leader.add()
        answer = await leader.call("PUT", "/warehouse", json={"id": added["id"], "path": "x"})
        assert answer.status_code == 422
        seen = await leader.ok("GET", "/warehouse", params={"warehouseId": added["id"]})
        assert seen["path"] == "tessera"


class TestDefault:
    @pytest.mark.spec("4.35", "7.39")
    async def test_one_warehouse_is_the_default_at_a_time(
        self, leader: Leader, platform: Connection
    ) -> None:
        first, second = await leader.add(), await leader.add(DROPBOX)
        for chosen in (second, second, first):
            seen = await leader.ok("PUT", f"/warehouse/default-warehouse/{chosen['id']}")
            assert seen["isDefault"]
            defaults = await platform.fetch("SELECT id FROM warehouses WHERE is_default")
            assert [row["id"] for row in defaults] == [chosen["id"]]
        recorded = await actions(platform, leader.company_id)
        assert recorded.count("warehouse.madeDefault") == 2


class TestRemoving:
    async def test_the_default_stays_while_there_are_others(self, leader: Leader) -> None:
        first, second = await leader.add(), await leader.add(DROPBOX)
        refused = await leader.code("DELETE", f"/warehouse/{first['id']}")
        assert refused == (409, "default_warehouse_stays")
        for each in (second, first):
            answer = await leader.call("DELETE", f"/warehouse/{each['id']}")
            assert answer.status_code == 204
        assert (await leader.listed())["item2"] == 0
        assert (await leader.add())["isDefault"]


class TestRepublishing:
    @pytest.mark.spec("4.34", "7.40")
    async def test_a_lost_file_is_published_again(
        self, leader: Leader, clouds: Path, platform: Connection
    ) -> None:
        added = await leader.add()
        path = f"/warehouse/health-check/{added['id']}"
        assert await leader.code("POST", path) == (409, "warehouse_not_connected")
        await platform.execute("UPDATE warehouses SET status = 1, last_error = 'health_missing'")
        file = clouds / f"s3/a-bucket/tessera/.tessera/health-{added['id']}.json"
        file.unlink()
        answer = await leader.call("POST", path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.text == "Health file published to Frankfurt."
        assert file.exists()
        assert (await leader.listed())["item1"][0]["status"] == 2

    async def test_a_failure_says_its_cause(self, leader: Leader, platform: Connection) -> None:
        added = await leader.add(S3, path="readonly")
        await platform.execute("UPDATE warehouses SET status = 1, last_error = NULL")
        answer = await leader.call("POST", f"/warehouse/health-check/{added['id']}")
        assert answer.status_code == 502
        assert answer.json()["code"] == "warehouse_check_failed"
        assert answer.json()["cause"] == "no_write_permission"
        assert "do not allow" in answer.json()["message"]


class TestGates:
    CALLS = (
        ("GET", "/all"),
        ("GET", "/warehouse?warehouseId=1"),
        ("PUT", "/warehouse/default-warehouse/1"),
        ("DELETE", "/warehouse/1"),
        ("POST", "/warehouse/health-check/1"),
        ("PUT", "/company/newkey"),
    )

    @pytest.mark.spec("2.30", "6.13")
    @pytest.mark.parametrize(("method", "path"), CALLS)
    async def test_warehouses_are_closed_without_the_view(
        self, people: People, make: Factory, client: httpx.AsyncClient, method: str, path: str
    ) -> None:
        team = await people.team(warehouses=False)
        leader = Leader(client, await make.session(team.leader, verified=True), team)
        assert await leader.code(method, path) == (403, "forbidden")

    async def test_own_warehouses_cannot_be_switched_off_while_there_are_any(
        self, leader: Leader
    ) -> None:
        added = await leader.add()
        methods = await leader.ok("GET", "/payment/methods")
        assert methods["hasOwnWarehouses"]
        off = {"json": {"enabled": False}}
        refused = await leader.code("PUT", "/payment/own-warehouses", **off)
        assert refused == (409, "own_warehouses_in_use")
        await leader.call("DELETE", f"/warehouse/{added['id']}")
        assert not (await leader.ok("PUT", "/payment/own-warehouses", **off))["hasOwnWarehouses"]
        assert await leader.code("GET", "/all") == (403, "forbidden")

    @pytest.mark.spec("4.17")
    async def test_verified_access_is_asked_for(
        self, team: Team, make: Factory, client: httpx.AsyncClient
    ) -> None:
        leader = Leader(client, await make.session(team.leader), team)
        for method, path in self.CALLS[1:]:
            assert await leader.code(method, path) == (403, "verification_required"), path
        assert (await leader.listed())["item2"] == 0
