"""The storage library follows redirects and has no option against it. Only a provider's own host
can send one (tests/security/test_addresses.py), and no credential goes along."""

import pytest

from tessera_core.providers import find_provider
from tests.clouds import dropbox_api, google_api, provider_types, s3_api
from tests.clouds.causes import UNREACHABLE, both_causes
from tests.clouds.client import Warehouse, Worker
from tests.clouds.conftest import CONNECTION_STRING
from tests.clouds.proxy import Answer, Proxy

ELSEWHERE = "elsewhere.example"


@pytest.fixture
def microsoft(worker: Worker) -> Warehouse:
    """At Microsoft's own address."""
    form = {"application_name": "tiles", "account_key": CONNECTION_STRING, "path": "tessera"}
    return Warehouse(worker, provider_types.AZURE, form, {})


@pytest.mark.parametrize("status", [301, 307])
@pytest.mark.parametrize(
    ("fixture", "host"),
    [
        ("amazon", f"s3.{s3_api.REGION}.amazonaws.com"),
        ("microsoft", "northwind.blob.core.windows.net"),
        ("google", google_api.STORAGE),
        ("dropbox", dropbox_api.HOSTS[1]),
    ],
)
def test_no_credential_follows_a_redirect_to_another_host(
    request: pytest.FixtureRequest, proxy: Proxy, fixture: str, host: str, status: int
) -> None:
    warehouse: Warehouse = request.getfixturevalue(fixture)
    away = Answer(status, b"", {"Location": f"https://{ELSEWHERE}/"})
    with (
        proxy.answering(ELSEWHERE, Answer(500)) as followed,
        proxy.answering(host, away) as asked,
    ):
        assert both_causes(warehouse) == (UNREACHABLE,) * 2
    assert asked
    assert all("authorization" in map(str.lower, one.headers) for one in asked)
    assert followed
    secrets = [
        warehouse.form[name]
        for name in find_provider(warehouse.type).secrets & warehouse.form.keys()
    ]
    for one in followed:
        assert "authorization" not in map(str.lower, one.headers)
        assert not any(secret in f"{one}{one.body!r}" for secret in secrets)
