import base64
import hashlib
import hmac
from collections.abc import Iterator
from email.utils import formatdate

import httpx
import pytest

from tests.clouds import dropbox_api, emulators, google_api, provider_types, s3_api
from tests.clouds.client import Warehouse, Worker
from tests.clouds.proxy import Proxy

AZURE_KEY = base64.b64encode(b"northwind" * 7 + b"!").decode()
CONNECTION_STRING = (
    "DefaultEndpointsProtocol=https;AccountName=northwind;"
    f"AccountKey={AZURE_KEY};EndpointSuffix=core.windows.net"
)


@pytest.fixture(scope="session")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    proxy = Proxy(tmp_path_factory.mktemp("proxy"))
    yield proxy
    proxy.close()


@pytest.fixture(scope="session")
def worker(proxy: Proxy) -> Iterator[Worker]:
    worker = Worker(proxy)
    yield worker
    assert worker.close() == 0


@pytest.fixture(scope="session")
def s3(worker: Worker) -> Iterator[dict[str, Warehouse]]:
    """A user who may write, one who may only read, and one with full access to every bucket."""
    with emulators.moto() as url:
        keys = s3_api.prepare(url)
        yield {
            name: Warehouse(
                worker,
                provider_types.S3,
                {
                    "bucket_name": s3_api.BUCKET,
                    "account_key": key.id,
                    "secret": key.secret,
                    "region": s3_api.REGION,
                    "path": "/tessera/",
                },
                {"s3_endpoint": url},
            )
            for name, key in keys.items()
        }


@pytest.fixture(scope="session")
def amazon(worker: Worker, proxy: Proxy) -> Iterator[Warehouse]:
    """At Amazon's own address, for which the proxy answers and checks signed links."""
    key = s3_api.Key("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY")
    host = f"s3.{s3_api.REGION}.amazonaws.com"
    form = {"bucket_name": s3_api.BUCKET, "account_key": key.id, "secret": key.secret}
    with emulators.moto() as url:
        proxy.responders[host] = s3_api.Amazon(key, url)
        form |= {"region": s3_api.REGION, "path": "/tessera/"}
        yield Warehouse(worker, provider_types.S3, form, {})
        del proxy.responders[host]


@pytest.fixture(scope="session")
def azure(worker: Worker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("azurite")
    with emulators.azurite(folder, {"northwind": AZURE_KEY}) as url:
        create_container(url, "northwind", AZURE_KEY, "tiles")
        form = {"application_name": "tiles", "account_key": CONNECTION_STRING, "path": "tessera"}
        endpoint = {"azure_endpoint": f"{url}/{{account}}"}
        yield Warehouse(worker, provider_types.AZURE, form, endpoint)


def create_container(url: str, account: str, account_key: str, name: str) -> None:
    date = formatdate(usegmt=True)
    signed = (
        f"PUT\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:{date}\nx-ms-version:2021-12-02\n"
        f"/{account}/{account}/{name}\nrestype:container"
    )
    key = base64.b64decode(account_key)
    signature = base64.b64encode(hmac.digest(key, signed.encode(), hashlib.sha256)).decode()
    headers = {
        "x-ms-date": date,
        "x-ms-version": "2021-12-02",
        "Authorization": f"SharedKey {account}:{signature}",
    }
    with httpx.Client(trust_env=False) as http:
        made = http.put(f"{url}/{account}/{name}?restype=container", headers=headers)
        assert made.status_code == 201, made.text


@pytest.fixture(scope="session")
def google(worker: Worker, proxy: Proxy) -> Iterator[Warehouse]:
    key = google_api.new_key()
    with emulators.google_storage("northwind-tiles") as url:
        service = google_api.Google(key, url)
        proxy.responders[google_api.TOKENS] = service.token
        proxy.responders[google_api.STORAGE] = service.storage
        yield Warehouse(worker, provider_types.GOOGLE, google_form(google_api.pem(key)), {})
        del proxy.responders[google_api.TOKENS], proxy.responders[google_api.STORAGE]


def google_form(private_key: str) -> dict[str, str]:
    return {
        "client_email": google_api.WRITER,
        "client_id": "114837261904562718390",
        "project_id": "northwind-496021",
        "private_key_id": "3f5a9c0d1e2b4a6c8d7e9f0a1b2c3d4e5f60718a",
        "private_key": private_key,
        "bucket_name": "northwind-tiles",
        "cert": "https://www.googleapis.com/robot/v1/metadata/x509/"
        "tessera%40northwind-496021.iam.gserviceaccount.com",
        "path": "tessera",
    }


@pytest.fixture(scope="session")
def dropbox_account(proxy: Proxy) -> Iterator[dropbox_api.Dropbox]:
    account = dropbox_api.Dropbox()
    for host in dropbox_api.HOSTS:
        proxy.responders[host] = account
    yield account
    for host in dropbox_api.HOSTS:
        del proxy.responders[host]


@pytest.fixture(scope="session")
def dropbox(worker: Worker, dropbox_account: dropbox_api.Dropbox) -> Warehouse:
    form = {"access_token": dropbox_api.TOKEN, "path": "/tessera"}
    return Warehouse(worker, provider_types.DROPBOX, form, {})


@pytest.fixture
def refreshed_dropbox(worker: Worker, dropbox_account: dropbox_api.Dropbox) -> Warehouse:
    """The same account, by a refresh token."""
    form = {
        "app_key": dropbox_api.APP_KEY,
        "app_secret": dropbox_api.APP_SECRET,
        "refresh_token": dropbox_api.REFRESH_TOKEN,
        "path": "/tessera",
    }
    return Warehouse(worker, provider_types.DROPBOX, form, {})
