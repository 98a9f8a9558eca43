"""A whole life of storage on servers that speak the providers' protocols."""

import base64
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tessera.integrations.clouds.live import LiveClouds
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.storage import clouds
from tessera_core.objects import ShardObject
from tessera_core.shards import Shard, recover_pack
from tests.clouds import emulators, provider_types, s3_api
from tests.clouds.conftest import create_container
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.factories.warehouses import Stored, Warehouses
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient, encoded
from tests.storage.packs import ACTIVE, PackFile, links
from tests.storage.test_repairs import audit, repair
from tests.storage.test_settlement import counted, expire, settle

pytestmark = [pytest.mark.extended, pytest.mark.timeout(600)]

ACCOUNTS = {
    name: base64.b64encode(name.encode().ljust(64, b"!")).decode() for name in ("north", "south")
}


def s3_form(bucket: str) -> dict[str, str]:
    key = {"account_key": "AKIAIOSFODNN7EXAMPLE", "secret": "x" * 40}
    return {"bucket_name": bucket, "region": s3_api.REGION, "path": "tessera", **key}


def azure_form(account: str) -> dict[str, str]:
    connection = f"AccountName={account};AccountKey={ACCOUNTS[account]}"
    return {"application_name": "tiles", "account_key": connection, "path": "tessera"}


@pytest.fixture(scope="module")
def endpoints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp("azurite")
    with emulators.moto() as s3, emulators.azurite(folder, ACCOUNTS) as azure:
        with httpx.Client(trust_env=False, base_url=s3) as http:
            for bucket in ("first-tiles", "second-tiles"):
                s3_api.create_bucket(http, bucket)
        for account, key in ACCOUNTS.items():
            create_container(azure, account, key, "tiles")
        yield {"s3_endpoint": s3, "azure_endpoint": f"{azure}/{{account}}"}


@pytest.fixture
def live(
    settings: Settings, endpoints: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> LiveClouds:
    live = LiveClouds(settings.model_copy(update=endpoints))
    monkeypatch.setattr(clouds, "clouds", lambda _: live)
    return live


@pytest.fixture
async def stored(live: LiveClouds, warehouses: Warehouses, team: Team) -> list[Stored]:
    kinds = [
        (provider_types.S3, s3_form("first-tiles")),
        *((provider_types.AZURE, azure_form(account)) for account in ACCOUNTS),
    ]
    return [await warehouses.add(team.company.id, form, kind, **ACTIVE) for kind, form in kinds]


@pytest.fixture
async def outside() -> AsyncIterator[httpx.AsyncClient]:
    """Sends to the clouds what a client sends, past the service."""
    async with httpx.AsyncClient(trust_env=False) as http:
        yield http


async def upload(pack: PackFile, device: Device, outside: httpx.AsyncClient) -> None:
    answer = await pack.begin(device)
    assert answer.status_code == 200, answer.text
    for shard in answer.json()["packs"][0]["shards"]:
        link = shard["link"]
        sent = await outside.request(
            link["method"],
            link["url"],
            headers=link["headers"],
            content=pack.object(shard["index"]),
        )
        assert sent.is_success, sent.text
    assert (await pack.complete(device))["isSafe"]
    assert (await pack.commit(device)).status_code == 200


async def read(
    pack: PackFile, device: Device, space: SpaceClient, outside: httpx.AsyncClient
) -> dict[int, Shard]:
    """Fetches every shard that has a link, by warehouse."""
    (found,) = await links(device, space, pack)
    shards = {}
    for shard in found["shards"]:
        if shard["link"] is not None:
            got = await outside.get(shard["link"]["url"], headers=shard["link"]["headers"])
            if got.is_success:
                shards[shard["warehouseId"]] = Shard.decode(got.content)
    return shards


async def test_two_members_and_a_leader_from_the_keys_to_a_replaced_cloud(
    leader: Device, member: Device, space: SpaceClient, people: People, make: Factory,
    stored: list[Stored], live: LiveClouds, outside: httpx.AsyncClient, resources: Resources,
    platform: Connection, team: Team, warehouses: Warehouses,
) -> None:  # fmt: skip
    other = Device(leader.http, await people.person(member.user.company), {})
    other.headers = await make.session(other.user)
    await other.register_keys()
    for device in (member, other):
        assert (await space.add(leader, device)).status_code == 200

    pack = PackFile(space, 100_000)
    await upload(pack, member, outside)
    name = pack.shards[0].trailer.name
    shards = await read(pack, other, space, outside)
    assert set(shards) == {each.id for each in stored}
    for left_out in shards:
        kept = [shard for warehouse, shard in shards.items() if warehouse != left_out]
        assert recover_pack(kept, name, pack.record) == pack.content

    # A removed member reads nothing more; the others go on with new keys.
    assert (await space.remove(leader, other)).status_code == 200
    body = {"spaceId": str(space.id), "packs": [encoded(pack.id)]}
    assert error_of(await other.call("POST", "/links", body)) == (404, "space_not_found")
    later = PackFile(space)
    await upload(later, member, outside)

    # One cloud loses its objects and gets them back.
    await platform.execute("UPDATE packs SET created_at = now() - interval '1 day'")
    lost = stored[0]
    held = [
        (each, (await read(each, member, space, outside))[lost.id].trailer.index)
        for each in (pack, later)
    ]
    cloud = live.open(provider_types.S3, s3_form("first-tiles"))
    for each, number in held:
        await cloud.delete(str(ShardObject(team.company.uuid, each.id, number)))
    await audit(resources, platform, team)
    assert await repair(resources, team)
    for each, number in held:
        path = str(ShardObject(team.company.uuid, each.id, number))
        assert await cloud.read(path, limit=2**20) == each.object(number)

    # It goes for good, and another one takes its place.
    await platform.execute("DELETE FROM warehouses WHERE id = $1", lost.id)
    assert await repair(resources, team) is None
    form = s3_form("second-tiles")
    new = await warehouses.add(team.company.id, form, provider_types.S3, **ACTIVE)
    assert await repair(resources, team)
    for each in (pack, later):
        shards = await read(each, member, space, outside)
        assert set(shards) == {new.id, *(old.id for old in stored[1:])}
        newest = [shards[new.id], shards[stored[2].id]]
        assert recover_pack(newest, each.shards[0].trailer.name, each.record) == each.content


async def test_an_object_that_is_too_large_for_its_link_is_deleted_and_counted(
    leader: Device, space: SpaceClient, stored: list[Stored], live: LiveClouds,
    outside: httpx.AsyncClient, resources: Resources, platform: Connection, team: Team,
) -> None:  # fmt: skip
    pack = PackFile(space)
    azure = next(iter(ACCOUNTS))
    (row,) = (await pack.begin(leader)).json()["packs"]
    (shard,) = [each for each in row["shards"] if each["warehouseId"] == stored[1].id]
    link = shard["link"]
    sent = await outside.request(
        link["method"], link["url"], headers=link["headers"], content=bytes(200_000)
    )
    assert sent.is_success, sent.text
    await expire(platform)
    await settle(resources, platform)
    cloud = live.open(provider_types.AZURE, azure_form(azure))
    path = str(ShardObject(team.company.uuid, pack.id, shard["index"]))
    assert await cloud.stat(path) is None
    assert await counted(leader) == (3000 + 200_000 - 1596, 0)
