"""What every provider's links have to do, sent as a client would send them."""

import secrets
import ssl
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

import httpx

from tessera.integrations.clouds.protocol import Link
from tessera_core.providers import is_link_host
from tests.clouds.client import Warehouse
from tests.clouds.proxy import Proxy

REFUSED = {400, 401, 403, 404, 405, 409, 412}


Send = Callable[..., httpx.Response]


def sender(proxy: Proxy) -> Send:
    """Sends links the way a client does; the proxy answers for external hosts."""
    context = ssl.create_default_context(cafile=str(proxy.authority.file))

    def send(link: Link, content: bytes | None = None) -> httpx.Response:
        outside = link.url.startswith("https:")
        # The client refuses links to other hosts.
        assert not outside or is_link_host(urlsplit(link.url).hostname or "")
        with httpx.Client(
            trust_env=False, verify=context, proxy=proxy.url if outside else None
        ) as client:
            return client.request(
                link.method, link.url, headers=dict(link.headers), content=content
            )

    return send


def new_path() -> str:
    pack = secrets.token_hex(16)
    return f".tessera/v1/company/packs/{pack[:2]}/{pack}.0"


def stores_and_reads(warehouse: Warehouse, send: Send) -> None:
    path, content = new_path(), secrets.token_bytes(70_000)
    upload = warehouse.upload_link(path, content)
    assert warehouse.stat(path) is None
    stored = send(upload, content)
    assert stored.is_success, stored.text
    found = warehouse.stat(path)
    assert found is not None
    assert found.size == len(content)
    assert warehouse.read(path) == content
    assert send(warehouse.download_link(path)).content == content


def never_overwrites(warehouse: Warehouse, send: Send) -> None:
    path, content = new_path(), b"first"
    assert send(warehouse.upload_link(path, content), content).is_success
    refused = send(warehouse.upload_link(path, b"other"), b"other")
    assert refused.status_code in REFUSED, refused.text
    # Dropbox takes the same content again, and keeps one object.
    send(warehouse.upload_link(path, content), content)
    assert warehouse.read(path) == content


def binds_the_size(warehouse: Warehouse, send: Send) -> None:
    path, content = new_path(), secrets.token_bytes(1000)
    upload = warehouse.upload_link(path, content)
    for other in (content + b"!", content[:-1], b"", bytes(70_000)):
        refused = send(upload, other)
        assert refused.status_code in REFUSED, refused.text
        assert warehouse.stat(path) is None
    assert send(upload, content).is_success


def serves_one_object_and_one_method(warehouse: Warehouse, send: Send) -> None:
    path, other, content = new_path(), new_path(), b"tile"
    warehouse.write(b"theirs", other)
    upload, download = warehouse.upload_link(path, content), warehouse.download_link(path)
    for link, method in ((upload, "GET"), (upload, "DELETE"), (download, "PUT")):
        refused = send(replace(link, method=method), content)
        assert refused.status_code in REFUSED, (method, refused.text)
    name, another = path.rpartition("/")[2], other.rpartition("/")[2]
    folder, elsewhere = path.split("/")[-2], other.split("/")[-2]
    for link in (upload, download):
        url = link.url.replace(f"{folder}/{name}", f"{elsewhere}/{another}")
        assert url != link.url
        refused = send(replace(link, url=url), content)
        assert refused.status_code in REFUSED, refused.text
    assert warehouse.read(path) is None
    assert warehouse.read(other) == b"theirs"


def expires(warehouse: Warehouse, send: Send) -> None:
    path, content = new_path(), b"tile"
    late = warehouse.upload_link(path, content, seconds=-60)
    assert send(late, content).status_code in REFUSED
    warehouse.write(content, path)
    late = warehouse.download_link(path, seconds=-60)
    assert send(late).status_code in REFUSED


def manages_objects(warehouse: Warehouse) -> None:
    folder = f".tessera/v1/{secrets.token_hex(8)}"
    names = [f"{folder}/packs/aa/{number}" for number in range(3)]
    for name in names:
        warehouse.write(name.encode(), name)
    assert sorted(warehouse.list_objects(folder)) == names
    before = warehouse.stat(names[0])
    warehouse.write(b"changed".ljust(len(names[0])), names[0])
    assert before is not None
    assert warehouse.stat(names[0]) != before
    for _ in range(2):
        warehouse.delete(names[0])
    assert warehouse.stat(names[0]) is None
    assert sorted(warehouse.list_objects(folder)) == names[1:]
