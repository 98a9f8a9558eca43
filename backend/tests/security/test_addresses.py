"""A tenant's fields never choose the host that the service calls with credentials."""

import re
from urllib.parse import urlsplit

import pytest

from tessera.integrations.clouds import strategy_of
from tessera.settings import Settings
from tessera_core.providers import is_link_host
from tests.clouds import provider_types
from tests.clouds.test_secrecy import FORMS

HOSTS = {
    provider_types.S3: r"s3\.[a-z]{2,3}(-[a-z]+)+-[0-9]{1,2}\.amazonaws\.com(\.cn)?",
    provider_types.AZURE: r"[a-z0-9]{3,24}\.blob\.core\.windows\.net",
    provider_types.GOOGLE: r"storage\.googleapis\.com",
}
HOSTILE = (
    *("evil.test", "@evil.test", ".evil.test", "evil.test/", "evil.test#", "evil.test?", ":8080"),
    *("/", "//", "\\", "%2f", "%00", "#", "?", "@", ":", ".", "..", "-", " ", "\t", "\u3002", "："),
    *(";BlobEndpoint=http://evil.test", ";EndpointSuffix=evil.test", "cn-", "{account}", "{", "x"),
)


@pytest.mark.parametrize("kind", provider_types.ALL)
def test_whatever_a_form_says_the_host_is_the_providers_own(kind: int) -> None:
    strategy, settings = strategy_of(kind), Settings(_env_file=None)
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
                assert (endpoint is None) == (kind == provider_types.DROPBOX)
                if endpoint is not None:
                    scheme, host, *rest = urlsplit(endpoint)
                    assert (scheme, rest) == ("https", ["", "", ""]), form
                    assert re.fullmatch(HOSTS[kind], host), form
                    assert is_link_host(host), form
    assert accepted > 20
