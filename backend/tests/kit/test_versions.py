import pytest

from tessera.kit.client_ip import is_within
from tessera.kit.user_agent import client_version_of
from tessera.kit.versions import is_older, is_version


@pytest.mark.parametrize(
    ("version", "than", "older"),
    [
        ("0.7.7", "0.7.10", True),
        ("0.7.10", "0.7.9", False),
        ("0.7", "0.7.0", False),
        ("0.7.0", "0.7", False),
        ("1", "0.9.9", False),
        ("0.7.7rc1", "0.1", True),
        ("", "0.1", True),
        (None, "0.1", True),
    ],
)
def test_versions_are_compared_by_their_numbers(
    version: str | None, than: str, older: bool
) -> None:
    assert is_older(version, than) is older


@pytest.mark.parametrize(
    "text", ["", ".", "1.", "1..2", "1.2.3.4.5", "12345", "٠.٧", "1.2\n", "-1"]
)
def test_what_is_no_version(text: str) -> None:
    assert not is_version(text)


@pytest.mark.parametrize(
    ("agent", "version"),
    [("tess/0.7.7", "0.7.7"), ("tess/0.7.7 x", None), ("xtess/1.0", None), ("tess/1..2", None)],
)
def test_the_client_names_its_version(agent: str, version: str | None) -> None:
    assert client_version_of(agent) == version


@pytest.mark.parametrize(
    ("origin", "inside"),
    [("192.0.2.9", True), ("2001:db8::1%eth0", True), ("198.51.100.1", False), ("unknown", False)],
)
def test_an_address_is_looked_for_in_networks(origin: str, inside: bool) -> None:
    assert is_within(origin, ["192.0.2.0/24", "2001:db8::/32"]) is inside
