"""A provider is a description in the core and a module with its calls: two files are added here,
and no other has to know of it."""

import sys
from pathlib import Path
from typing import Any

import pytest

from core.tests.fifth_provider import TYPE, describe
from tessera.integrations import clouds as integration
from tessera.integrations.clouds import Clouds, Link, LinkTarget, Upload
from tessera.integrations.clouds.live import LiveClouds
from tessera.integrations.clouds.registry import strategy_of
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.warehouses import commands
from tessera.warehouses.health import service as health_checks
from tessera.warehouses.health.notices import report_changes
from tessera.warehouses.health.queries import CheckedWarehouse
from tessera_client.transfer import links as client_links
from tessera_client.transfer.answers import Link as ClientLink
from tests.factories.accounts import Outbox
from tests.warehouses.leader import S3, Leader

CALLS = Path(__file__).parent.parent / "clouds" / "fifth_provider"
FORM: dict[str, Any] = {
    "wareHouseId": TYPE,
    "shelf": "north",
    "padlock": "canary-padlock",
    "path": "box",
}


@pytest.fixture(autouse=True)
def live(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Clouds:
    """The real calls, not those of the sandbox."""
    describe(monkeypatch)
    monkeypatch.setattr(integration, "__path__", [*integration.__path__, str(CALLS)])
    monkeypatch.delitem(sys.modules, f"{integration.__name__}.attic", raising=False)
    strategy_of.cache_clear()
    live = LiveClouds(settings)
    for module in (commands, health_checks):
        monkeypatch.setattr(module, "clouds", lambda _: live)
    return live


async def test_new_provider_is_listed_in_the_readers_language(leader: Leader) -> None:
    for language, label in (("en", "Shelf"), ("tr", "Raf"), ("ar", "الرف")):
        headers = {"Accept-Language": language}
        *_, attic = await leader.ok("GET", "/providers", headers=headers)
        assert (attic["type"], attic["name"], attic["section"]) == (
            TYPE,
            "Attic Disks",
            "attic-disks",
        )
        assert [field["name"] for field in attic["fields"]] == ["shelf", "padlock", "path"]
        assert attic["fields"][0]["label"] == label
        assert [field["secret"] for field in attic["fields"]] == [False, True, False]


async def test_new_providers_form_is_checked_by_its_description(leader: Leader) -> None:
    wrong = {**FORM, "shelf": "N0"}
    answer = await leader.call("POST", "/warehouse", json=wrong, headers={"Accept-Language": "tr"})
    assert answer.status_code == 422
    assert answer.json()["fields"] == {"shelf": "Bu bir raf değil."}
    del wrong["padlock"]
    answer = await leader.call("POST", "/warehouse", json={**wrong, "shelf": "north"})
    assert answer.json()["fields"] == {"padlock": "This field is required."}
    unknown = await leader.call("POST", "/warehouse", json={**FORM, "attic": "x"})
    assert unknown.json()["fields"] == {"attic": "This field is not expected here."}


async def test_new_provider_is_connected_checked_and_named(
    leader: Leader, settings: Settings, app: Any, outbox: Outbox
) -> None:
    tested = await leader.ok("POST", "/warehouse/test", json=FORM)
    assert tested["connected"]
    added = await leader.add(FORM)
    assert (added["status"], added["typeName"], added["bucket"]) == (2, "Attic Disks", "north")
    health_file = settings.data_dir / f"attic/north/box/.tessera/health-{added['id']}.json"
    assert health_file.is_file()
    health_file.unlink()
    checked = await leader.ok("POST", f"/warehouse/check/{added['id']}")
    assert (checked["status"], checked["lastErrorCode"]) == (1, "health_missing")
    again = await leader.call("POST", "/warehouse", json=FORM)
    assert (again.status_code, again.json()["code"]) == (409, "warehouse_location_taken")

    listed = await leader.listed(searchText="attic d")
    assert [row["typeName"] for row in listed["item1"]] == ["Attic Disks"]
    assert (await leader.listed(searchText="google"))["item2"] == 0
    query = {"warehouseId": added["id"], "view": "masked"}
    shown = await leader.ok("GET", "/warehouse", params=query)
    assert (shown["shelf"], shown["padlock"]) == ("north", "••••••••")

    changed = {**FORM, "id": added["id"], "padlock": "another"}
    await leader.ok("PUT", "/warehouse", json=changed)
    csv = (await leader.call("GET", "/activity/export")).text
    assert "Attic Disks" in csv
    assert "Padlock changed" in csv
    assert "canary-padlock" not in csv
    resources: Resources = app.state.resources
    lost = CheckedWarehouse(
        id=added["id"], type=TYPE, nick_name=None, status=0, last_error="unreachable", before=2,
        first=False, has_been_active=True,
    )  # fmt: skip
    async with resources.database.tenant(leader.company_id) as connection:
        await report_changes(connection, resources, leader.company_id, [lost])
    subjects = [mail["subject"] for mail in await outbox.messages()]
    assert "Warehouse Attic Disks is no longer Active" in subjects


async def test_client_accepts_the_new_providers_links(live: Clouds) -> None:
    cloud = live.open(TYPE, {"shelf": "north", "padlock": "p", "path": "box"})
    for upload in (Upload(3, b"x" * 32), None):
        (link,) = await cloud.links([LinkTarget("packs/one", upload)], seconds=60)
        assert isinstance(link, Link)
        given = ClientLink(
            method=link.method,
            url=link.url,
            headers=dict(link.headers),
            expires_at=link.expires_at,
        )
        client_links.Warehouses("https://tessera.example").check(given)


async def test_type_without_a_description_is_refused(leader: Leader) -> None:
    answer = await leader.call("POST", "/warehouse", json={**S3, "wareHouseId": 78})
    assert answer.status_code == 422
    assert answer.json()["fields"].keys() == {"wareHouseId"}
