"""A tenant's fields never choose the host that the service calls with credentials."""

import re
from urllib.parse import urlsplit

import pytest

from tessera.integrations.clouds import STRATEGIES, WarehouseType
from tessera.settings import Settings
from tests.clouds.test_secrecy import FORMS

HOSTS = {
    WarehouseType.S3: r"s3\.[a-z]{2,3}(-[a-z]+)+-[0-9]{1,2}\.amazonaws\.com(\.cn)?",
    WarehouseType.AZURE: r"[a-z0-9]{3,24}\.blob\.core\.windows\.net",
    WarehouseType.GOOGLE: r"storage\.googleapis\.com",
}
HOSTILE = (
    *("evil.test", "@evil.test", ".evil.test", "evil.test/", "evil.test#", "evil.test?", ":8080"),
    *("/", "//", "\\", "%2f", "%00", "#", "?", "@", ":", ".", "..", "-", " ", "\t", "\u3002", "："),
    *(";BlobEndpoint=http://evil.test", ";EndpointSuffix=evil.test", "cn-", "{account}", "{", "x"),
)


@pytest.mark.parametrize("kind", list(WarehouseType))
def test_whatever_a_form_says_the_host_is_the_providers_own(kind: WarehouseType) -> None:
    strategy, settings = STRATEGIES[kind], Settings(_env_file=None)
    accepted = 0
    for name, value in FORMS[kind].items():
        for part in HOSTILE:
            for at in {0, len(value) // 2, len(value)}:
                form = {**FORMS[kind], name: value[:at] + part + value[at:]}
                if strategy.check(form):
                    continue
                accepted += 1
                endpoint = strategy.options(form, settings).get("endpoint")
                # Dropbox's addresses are the library's own.
                assert (endpoint is None) == (kind is WarehouseType.DROPBOX)
                if endpoint is not None:
                    scheme, host, *rest = urlsplit(endpoint)
                    assert (scheme, rest) == ("https", ["", "", ""]), form
                    assert re.fullmatch(HOSTS[kind], host), form
    assert accepted > 20
