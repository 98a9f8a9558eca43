"""How many links one call gets from warehouses where each takes long."""

import pytest

from tessera.settings import Settings
from tessera.storage.packs import shard_links
from tests.clouds import provider_types
from tests.clouds.test_secrecy import FORMS
from tests.factories.people import Team
from tests.factories.warehouses import Warehouses
from tests.storage.client import Device, SpaceClient
from tests.storage.packs import ACTIVE, PackFile, add_warehouses, bucket


@pytest.fixture
async def google_warehouses(warehouses: Warehouses, team: Team, settings: Settings) -> None:
    """Two at Google, and one elsewhere."""
    await add_warehouses(warehouses, team.company.id, 1)
    bucket(settings, team.company.id, 0).mkdir(parents=True)
    form = {**FORMS[provider_types.GOOGLE], "private_key": "demo", "path": "tiles"}
    for number in range(2):
        form["bucket_name"] = f"google-{number}"
        await warehouses.add(team.company.id, form, provider_types.GOOGLE, **ACTIVE)
        folder = settings.data_dir / "clouds" / "google" / form["bucket_name"] / "tiles"
        folder.mkdir(parents=True)


@pytest.mark.usefixtures("google_warehouses")
async def test_packs_beyond_the_bound_get_no_links_at_all(
    leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_links, "MAX_COSTLY_LINKS", 5)
    packs = [PackFile(space) for _ in range(4)]
    body = {"spaceId": str(space.id), "packs": [pack.described() for pack in packs]}
    begun = (await leader.ok("POST", "/uploads", body))["packs"]
    numbers = [sum(shard["link"] is not None for shard in row["shards"]) for row in begun]
    assert numbers == [3, 3, 0, 0]
    # What was left out is answered when it is asked for.
    (row,) = (await packs[2].begin(leader)).json()["packs"]
    assert all(shard["link"] for shard in row["shards"])


@pytest.mark.usefixtures("buckets")
async def test_other_warehouses_have_no_bound(
    leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_links, "MAX_COSTLY_LINKS", 1)
    packs = [PackFile(space) for _ in range(4)]
    body = {"spaceId": str(space.id), "packs": [pack.described() for pack in packs]}
    begun = (await leader.ok("POST", "/uploads", body))["packs"]
    assert all(shard["link"] for row in begun for shard in row["shards"])
