import hashlib
import secrets
import time
from dataclasses import replace

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from tessera.integrations.clouds import (
    Cloud,
    CloudError,
    ConnectionFailure,
    Link,
    LinkTarget,
    Upload,
    clouds,
)
from tessera.integrations.clouds.sandbox_links import MOUNT, SandboxLinks
from tessera.sandbox.objects import SandboxObjects
from tessera.settings import Settings
from tests.clouds import provider_types

FORM = {
    "bucket_name": "northwind-tiles",
    "account_key": "demo",
    "secret": "demo",
    "region": "eu-west-1",
    "path": "Ürün dosyaları/a b",
}
PATH = ".tessera/v1/company/packs/ab/abcd.0"
OTHER = ".tessera/v1/company/packs/ab/abcd.1"


@pytest.fixture
async def cloud(settings: Settings) -> Cloud:
    cloud = clouds(settings).open(provider_types.S3, FORM)
    await cloud.write(".tessera/health-1.json", b"{}")
    return cloud


def upload(content: bytes) -> Upload:
    return Upload(len(content), hashlib.sha256(content).digest())


async def new_link(
    cloud: Cloud, path: str, upload: Upload | None = None, *, seconds: int = 900
) -> Link:
    (link,) = await cloud.links([LinkTarget(path, upload)], seconds=seconds)
    assert isinstance(link, Link)
    return link


async def send(
    client: httpx.AsyncClient, link: Link, content: bytes | None = None
) -> httpx.Response:
    return await client.request(link.method, link.url, headers=dict(link.headers), content=content)


class TestSandboxObjects:
    async def test_a_large_object_is_stored_once_and_read(
        self, client: httpx.AsyncClient, cloud: Cloud
    ) -> None:
        content = secrets.token_bytes(3 * 1024 * 1024)
        link = await new_link(cloud, PATH, upload(content))
        assert (await send(client, link, content)).status_code == 200
        assert (await send(client, link, content)).status_code == 412
        found = await cloud.stat(PATH)
        assert found is not None
        assert (found.size, found.checksum) == (len(content), hashlib.sha256(content).hexdigest())
        read = await send(client, await new_link(cloud, PATH))
        assert read.content == content
        part = await client.get((await new_link(cloud, PATH)).url, headers={"Range": "bytes=5-9"})
        assert (part.status_code, part.content) == (206, content[5:10])

    async def test_a_line_break_cannot_replace_a_signed_value(
        self, client: httpx.AsyncClient, cloud: Cloud, settings: Settings
    ) -> None:
        put, get = await new_link(cloud, PATH, upload(b"tile")), await new_link(cloud, PATH)
        before = sorted((settings.data_dir / "clouds").rglob("*"))
        for link in (put, get):
            address, _, query = link.url.partition("?")
            *values, signature = query.split("&")
            moved = [
                # Values that move into the object's name or into another value.
                *(
                    "%0A".join([address, *values[:count]])
                    + "?"
                    + "&".join([*values[count:], signature])
                    for count in range(1, len(values) + 1)
                ),
                f"{address}?{'%0A'.join(values)}&{signature}",
                f"{address}%0A?{query}",
            ]
            for url in moved:
                answer = await send(client, replace(link, url=url), b"tile")
                assert answer.status_code in {403, 404}, url
        assert sorted((settings.data_dir / "clouds").rglob("*")) == before

    async def test_other_content_is_refused(self, client: httpx.AsyncClient, cloud: Cloud) -> None:
        link = await new_link(cloud, PATH, upload(b"tile"))
        for content in (b"", b"tilE", b"tile and more", bytes(20 * 1024 * 1024)):
            assert (await send(client, link, content)).status_code == 400
        assert await cloud.stat(PATH) is None

    async def test_a_link_serves_one_object_and_one_method(
        self, client: httpx.AsyncClient, cloud: Cloud
    ) -> None:
        await cloud.write(PATH, b"tile")
        await cloud.write(OTHER, b"theirs")
        write = await new_link(cloud, PATH, upload(b"mine"))
        read = await new_link(cloud, PATH)
        for link in (
            replace(write, method="GET"),
            replace(write, method="DELETE"),
            replace(read, method="PUT"),
            replace(read, url=read.url.replace("abcd.0", "abcd.1")),
            replace(write, url=write.url.replace("abcd.0", "abcd.2")),
            replace(read, url=read.url.replace("expires=", "expires=1")),
            replace(read, url=read.url.partition("?")[0]),
        ):
            assert (await send(client, link, b"mine")).status_code == 403
        assert await cloud.read(OTHER) == b"theirs"

    async def test_sandbox_link_expires_after_its_time(
        self, client: httpx.AsyncClient, cloud: Cloud
    ) -> None:
        await cloud.write(PATH, b"tile")
        link = await new_link(cloud, PATH, seconds=-1)
        assert (await send(client, link)).status_code == 403
        late = await new_link(cloud, OTHER, upload(b"tile"), seconds=-1)
        assert (await send(client, late, b"tile")).status_code == 403

    async def test_a_folder_that_was_moved_away_is_a_lost_bucket(
        self, client: httpx.AsyncClient, cloud: Cloud, settings: Settings
    ) -> None:
        link = await new_link(cloud, PATH, upload(b"tile"))
        folder = settings.data_dir / "clouds" / "s3" / "northwind-tiles"
        folder.rename(settings.data_dir / "lost")
        assert (await send(client, link, b"tile")).status_code == 404
        for call in (
            cloud.stat(PATH),
            new_link(cloud, PATH),
            cloud.list_objects(".tessera"),
            cloud.delete(PATH),
        ):
            with pytest.raises(CloudError) as raised:
                await call
            assert raised.value.failure is ConnectionFailure.NO_SUCH_BUCKET
        assert not folder.exists()

    async def test_objects_are_listed_and_deleted(self, cloud: Cloud) -> None:
        await cloud.write(PATH, b"tile")
        await cloud.write(OTHER, b"tile")
        assert sorted(await cloud.list_objects(".tessera/v1/company")) == [PATH, OTHER]
        await cloud.delete(PATH)
        assert await cloud.list_objects(".tessera/v1/company") == [OTHER]

    @pytest.mark.parametrize("place", ["", " s3/northwind-tiles/Ürün dosyaları/a b"])
    async def test_an_unreachable_cloud_refuses(
        self, client: httpx.AsyncClient, cloud: Cloud, settings: Settings, place: str
    ) -> None:
        link = await new_link(cloud, PATH, upload(b"tile"))
        fault_mode = settings.data_dir / "clouds" / "fault_mode"
        fault_mode.write_text(f"unreachable{place}")
        assert (await send(client, link, b"tile")).status_code == 503
        fault_mode.write_text("unreachable s3/northwind-tiles/another")
        assert (await send(client, link, b"tile")).status_code == 200

    async def test_a_slow_cloud_answers_late(self, cloud: Cloud, settings: Settings) -> None:
        folder = settings.data_dir / "clouds"
        objects = SandboxObjects(folder, SandboxLinks(settings), slow_seconds=0.3)
        link = await new_link(cloud, PATH, upload(b"tile"))
        (folder / "fault_mode").write_text("slow")
        transport = httpx.ASGITransport(Starlette(routes=[Mount(MOUNT, objects)]))
        async with httpx.AsyncClient(transport=transport) as client:
            begun = time.monotonic()
            assert (await send(client, link, b"tile")).status_code == 200
        assert time.monotonic() - begun >= 0.3
