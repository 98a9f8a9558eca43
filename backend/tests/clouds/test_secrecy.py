"""Failures contain their cause and nothing else, whatever a provider echoes of the request."""

from dataclasses import replace

import pytest

from tessera.integrations.clouds import (
    CloudError,
    ConnectionFailure,
    MalformedCredentials,
    live,
    strategy_of,
)
from tessera.integrations.clouds.live import LiveClouds
from tessera.settings import Settings
from tessera_core.providers import find_provider
from tests.clouds import google_api, provider_types
from tests.clouds.client import Failed, Warehouse, Worker
from tests.clouds.conftest import CONNECTION_STRING, google_form
from tests.clouds.proxy import Answer, Asked, Proxy

FORMS = {
    provider_types.DROPBOX: {"access_token": "sl.u.canary-token-of-dropbox-1", "path": "canary/p"},
    provider_types.S3: {
        "bucket_name": "canary-bucket",
        "account_key": "AKIACANARY0123456789",
        "secret": "canarySecretOfS3canarySecretOfS3canary12",
        "region": "us-east-1",
        "path": "canary/p",
    },
    provider_types.AZURE: {
        "application_name": "canary-container",
        "account_key": CONNECTION_STRING,
        "path": "canary/p",
    },
    provider_types.GOOGLE: google_form(google_api.pem(google_api.new_key())),
}
HOSTS = {
    provider_types.DROPBOX: "content.dropboxapi.com",
    provider_types.S3: "s3.us-east-1.amazonaws.com",
    provider_types.AZURE: "northwind.blob.core.windows.net",
    provider_types.GOOGLE: "oauth2.googleapis.com",
}


def parrot(asked: Asked) -> Answer:
    return Answer(418, f"{asked.headers} {asked.body!r} {asked.target}".encode())


@pytest.mark.parametrize("kind", provider_types.ALL)
@pytest.mark.parametrize("call", ["read", "write"])
def test_a_failure_shows_nothing_of_the_form(
    worker: Worker, proxy: Proxy, kind: int, call: str
) -> None:
    warehouse = Warehouse(worker, kind, FORMS[kind], {})
    with (
        proxy.answering(HOSTS[kind], parrot) as asked,
        pytest.raises(Failed) as raised,
    ):
        warehouse.read() if call == "read" else warehouse.write(b"content-canary")
    assert asked
    shown = raised.value.shown
    assert "CloudError: unreachable" in shown
    assert "canary" not in shown
    for name in find_provider(kind).secrets & FORMS[kind].keys():
        assert FORMS[kind][name] not in shown
    assert "{'failure': <ConnectionFailure.UNREACHABLE: 'unreachable'>}" in shown


def test_a_form_that_is_refused_shows_names_only() -> None:
    clouds = LiveClouds(Settings(_env_file=None))
    wrong = {**FORMS[provider_types.S3], "region": "canary.example", "secret": "canary secret"}
    with pytest.raises(CloudError) as raised:
        clouds.open(provider_types.S3, wrong)
    assert vars(raised.value) == {
        "failure": ConnectionFailure.WRONG_KEY,
        "fields": {"region": "region", "secret": "secret_key"},
    }
    assert "canary" not in repr(raised.value)


def test_values_the_library_does_not_take_are_a_malformed_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unknown = replace(strategy_of(provider_types.S3), scheme="canary")
    monkeypatch.setattr(live, "strategy_of", lambda _: unknown)
    with pytest.raises(MalformedCredentials) as raised:
        LiveClouds(Settings(_env_file=None)).open(provider_types.S3, FORMS[provider_types.S3])
    assert raised.value.__context__ is None
    assert "canary" not in repr(raised.value)
