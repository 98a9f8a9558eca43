import asyncio
import json
import subprocess
from datetime import UTC, datetime

import pytest

from tessera.integrations.clouds.protocol import Upload
from tessera.integrations.clouds.s3 import STRATEGY
from tessera.integrations.clouds.strategy import LinkRequest
from tessera.settings import Settings
from tests.clouds import dropbox_api, links
from tests.clouds.client import Warehouse
from tests.clouds.emulators import PYTHON
from tests.clouds.links import Send
from tests.clouds.proxy import Proxy

SIGNED = ["amazon", "azure", "google"]


@pytest.fixture(scope="session")
def send(proxy: Proxy) -> Send:
    return links.sender(proxy)


@pytest.fixture
def warehouse(request: pytest.FixtureRequest) -> Warehouse:
    found: Warehouse = request.getfixturevalue(request.param)
    return found


@pytest.mark.parametrize("warehouse", [*SIGNED, "dropbox"], indirect=True)
class TestLinks:
    def test_links_store_and_read_an_object(self, warehouse: Warehouse, send: Send) -> None:
        links.stores_and_reads(warehouse, send)

    def test_links_never_overwrite_an_object(self, warehouse: Warehouse, send: Send) -> None:
        links.never_overwrites(warehouse, send)

    def test_objects_are_listed_compared_and_deleted(self, warehouse: Warehouse) -> None:
        links.manages_objects(warehouse)


@pytest.mark.parametrize("warehouse", ["amazon", "google"], indirect=True)
def test_links_that_bind_the_size(warehouse: Warehouse, send: Send) -> None:
    links.binds_the_size(warehouse, send)


@pytest.mark.parametrize("warehouse", ["azure", "dropbox"], indirect=True)
def test_providers_that_cannot_bind_the_size(warehouse: Warehouse, send: Send) -> None:
    """The settlement deletes what they took; this fails when they learn to refuse it."""
    path = links.new_path()
    assert send(warehouse.upload_link(path, b"tile"), bytes(70_000)).is_success
    found = warehouse.stat(path)
    assert found is not None
    assert found.size == 70_000


@pytest.mark.parametrize("warehouse", SIGNED, indirect=True)
class TestSignedLinks:
    def test_serve_one_object_and_one_method(self, warehouse: Warehouse, send: Send) -> None:
        links.serves_one_object_and_one_method(warehouse, send)

    def test_signed_links_expire_after_their_time(self, warehouse: Warehouse, send: Send) -> None:
        links.expires(warehouse, send)


class TestDropbox:
    def test_a_link_is_used_once_and_asked_for_its_time(
        self, dropbox: Warehouse, dropbox_account: dropbox_api.Dropbox, send: Send
    ) -> None:
        link = dropbox.upload_link(links.new_path(), b"tile", seconds=900)
        assert dropbox_account.durations[-1] == 900
        assert send(link, b"tile").is_success
        assert send(link, b"tile").status_code == 410


BOTOCORE = """
import json, sys
from datetime import datetime, timezone
import botocore.auth
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
given = json.load(sys.stdin)
at = datetime.fromisoformat(given["at"])
if hasattr(botocore.auth, "get_current_datetime"):
    botocore.auth.get_current_datetime = lambda *_, **__: at.replace(tzinfo=None)
else:
    class Fixed(datetime):
        utcnow = classmethod(lambda cls: at.replace(tzinfo=None))
    botocore.auth.datetime.datetime = Fixed
request = AWSRequest(given["method"], given["url"], headers=given["headers"])
S3SigV4QueryAuth(
    Credentials(given["id"], given["secret"]), "s3", given["region"], expires=900
).add_auth(request)
print(request.url)
"""


@pytest.mark.parametrize("upload", [None, Upload(4, bytes(32))])
def test_amazons_own_library_signs_alike(upload: Upload | None) -> None:
    form = {
        "bucket_name": "northwind-tiles",
        "account_key": "AKIAIOSFODNN7EXAMPLE",
        "secret": "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
        "region": "eu-west-1",
        "path": "odd",
    }
    now = datetime(2026, 5, 12, 15, 50, 38, tzinfo=UTC)
    key = "Ürün dosyaları/a b+c~d/.tessera/v1"
    request = LinkRequest(form, Settings(_env_file=None), key, upload, now, 900)
    link = asyncio.run(STRATEGY.link(request))
    given = {
        "at": now.isoformat(),
        "method": link.method,
        "url": link.url.partition("?")[0],
        "headers": {**link.headers, **({"content-length": str(upload.size)} if upload else {})},
        "id": form["account_key"],
        "secret": form["secret"],
        "region": form["region"],
    }
    signed = subprocess.run(
        [str(PYTHON / "python"), "-c", BOTOCORE],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert sorted(signed.partition("?")[2].split("&")) == sorted(
        link.url.partition("?")[2].split("&")
    )
