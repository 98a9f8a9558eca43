"""One place in a cloud belongs to one warehouse."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tessera.kit.workflows import Resources
from tessera.warehouses import locations
from tessera.warehouses.errors import WarehouseLocationTaken
from tessera.warehouses.health import service as health_checks
from tessera.warehouses.shared import service as platform_warehouses
from tests.clouds import provider_types
from tests.factories.warehouses import S3_FORM, Warehouses
from tests.warehouses.leader import AZURE, DROPBOX, FORMS, GOOGLE, S3, Leader

TAKEN = (409, "warehouse_location_taken")
OTHER_TOKEN = {"accessToken": "another-dropbox-token-0002"}


class OneAccount:
    """A cloud where every token opens the same account."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def open(self, _: int, form: Mapping[str, str]) -> "Folder":
        return Folder(self.files, form["path"].strip("/").casefold())


class Folder:
    def __init__(self, files: dict[str, bytes], root: str) -> None:
        self._files = files
        self._root = root

    async def read(self, path: str) -> bytes | None:
        return self._files.get(f"{self._root}/{path}".lstrip("/"))

    async def write(self, path: str, content: bytes) -> None:
        self._files[f"{self._root}/{path}".lstrip("/")] = content


@pytest.fixture
def one_account(monkeypatch: pytest.MonkeyPatch) -> OneAccount:
    account = OneAccount()
    for module in (health_checks, locations):
        monkeypatch.setattr(module, "clouds", lambda _: account)
    return account


class TestAdding:
    @pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
    async def test_the_same_form_again(self, leader: Leader, form: dict[str, Any]) -> None:
        await leader.add(form)
        again = {**form, "nickName": "Another name"}
        assert await leader.code("POST", "/warehouse", json=again) == TAKEN
        assert (await leader.listed())["item2"] == 1

    @pytest.mark.parametrize(
        ("form", "changes"),
        [
            (S3, {"path": "/tessera/"}),
            (S3, {"path": "tessera/inner"}),
            (S3, {"accountKey": "demo", "secret": "demo"}),
            (S3, {"region": "eu-west-1"}),
            (AZURE, {"path": "tessera/inner/more"}),
            (GOOGLE, {"path": "anywhere"}),
            (DROPBOX, {"path": "apps/TESSERA"}),
            (DROPBOX, {"path": "Apps"}),
        ],
    )
    async def test_the_same_place_in_other_words(
        self, leader: Leader, form: dict[str, Any], changes: dict[str, str]
    ) -> None:
        await leader.add(form)
        assert await leader.code("POST", "/warehouse", json={**form, **changes}) == TAKEN

    @pytest.mark.parametrize(
        ("form", "changes"),
        [
            (S3, {"path": "tessera2"}),
            (S3, {"path": "Tessera"}),
            (S3, {"bucketName": "b-bucket"}),
            (AZURE, {"applicationName": "other"}),
            (GOOGLE, {"bucketName": "another-archive"}),
            (DROPBOX, {"path": "Apps/Other"}),
        ],
    )
    async def test_warehouse_at_another_place_is_added(
        self, leader: Leader, form: dict[str, Any], changes: dict[str, str]
    ) -> None:
        await leader.add(form)
        assert (await leader.add(form, **changes))["status"] == 2

    async def test_the_answer_names_the_other_one_and_the_field(self, leader: Leader) -> None:
        await leader.add()
        answer = (await leader.call("POST", "/warehouse", json=S3)).json()
        assert answer["message"].startswith("Frankfurt already uses this location")
        assert answer["fields"].keys() == {"path"}

    async def test_a_removed_one_frees_its_place(self, leader: Leader) -> None:
        added = await leader.add()
        await leader.call("DELETE", f"/warehouse/{added['id']}")
        await leader.add()


class TestAccountsWithManyTokens:
    @pytest.mark.usefixtures("one_account")
    @pytest.mark.parametrize("path", ["Apps/Tessera", "apps/tessera/inner", "Apps"])
    async def test_the_account_is_recognized_by_the_health_file(
        self, leader: Leader, path: str
    ) -> None:
        await leader.add(DROPBOX)
        again = {**DROPBOX, **OTHER_TOKEN, "path": path}
        assert await leader.code("POST", "/warehouse", json=again) == TAKEN

    @pytest.mark.usefixtures("one_account")
    async def test_other_folder_of_the_same_account_is_added(self, leader: Leader) -> None:
        await leader.add(DROPBOX)
        assert (await leader.add(DROPBOX, **OTHER_TOKEN, path="Other"))["status"] == 2

    @pytest.mark.usefixtures("one_account")
    async def test_a_new_token_of_its_own_account_is_accepted(self, leader: Leader) -> None:
        added = await leader.add(DROPBOX)
        form = {**DROPBOX, **OTHER_TOKEN, "id": added["id"]}
        assert (await leader.ok("PUT", "/warehouse", json=form))["status"] == 2

    async def test_the_same_folder_of_another_account(self, leader: Leader) -> None:
        await leader.add(DROPBOX)
        assert (await leader.add(DROPBOX, **OTHER_TOKEN))["status"] == 2


class TestEditing:
    async def test_moving_into_another_one_s_place(self, leader: Leader) -> None:
        await leader.add()
        second = await leader.add(S3, path="other")
        form = {**S3, "id": second["id"]}
        assert await leader.code("PUT", "/warehouse", json=form) == TAKEN

    async def test_keeping_its_own_place(self, leader: Leader) -> None:
        added = await leader.add()
        form = {**S3, "id": added["id"], "secret": "demo", "nickName": "Renamed"}
        assert (await leader.ok("PUT", "/warehouse", json=form))["nickName"] == "Renamed"

    async def test_a_stored_duplicate_can_still_be_edited(
        self, leader: Leader, warehouses: Warehouses
    ) -> None:
        await warehouses.add(leader.company_id, S3_FORM)
        second = await warehouses.add(leader.company_id, S3_FORM)
        changed = {**S3, "id": second.id, "secret": "demo"}
        assert (await leader.ok("PUT", "/warehouse", json=changed))["status"] == 2


class TestPlatformWarehouses:
    async def test_duplicate_platform_warehouses_are_refused(self, app: Any) -> None:
        resources: Resources = app.state.resources
        await platform_warehouses.add(resources, provider_types.S3, "one", S3_FORM)
        with pytest.raises(WarehouseLocationTaken):
            await platform_warehouses.add(resources, provider_types.S3, "two", S3_FORM)


class TestHealthFiles:
    async def test_warehouses_have_a_health_file_each(
        self, leader: Leader, warehouses: Warehouses, clouds: Path
    ) -> None:
        """Two warehouses in one place, stored before duplicates were refused."""
        stored = [await warehouses.add(leader.company_id, S3_FORM, status=1) for _ in range(2)]
        for each in stored:
            answer = await leader.call("POST", f"/warehouse/health-check/{each.id}")
            assert answer.status_code == 200, answer.text
        files = {file.name for file in (clouds / "s3/a-bucket/tessera/.tessera").iterdir()}
        assert files == {f"health-{each.id}.json" for each in stored}
