from ipaddress import ip_network

import pytest
from starlette.requests import HTTPConnection

from tessera.kit.client_ip import network_of, origin_of

PROXIES = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin"),
    [
        ("203.0.113.9", None, "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "<script>", "unknown"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("::ffff:203.0.113.9", None, "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
    ],
)
def test_forwarded_addresses_count_only_through_trusted_proxies(
    peer: str, forwarded: str | None, origin: str
) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    connection = HTTPConnection({"type": "http", "headers": headers, "client": (peer, 1)})
    assert origin_of(connection, PROXIES) == origin


@pytest.mark.parametrize(
    ("origin", "prefix", "network"),
    [
        ("203.0.113.9", 64, "203.0.113.9"),
        ("unknown", 64, "unknown"),
        ("2001:db8:0:1:2:3:4:5", 64, "2001:db8:0:1::/64"),
        ("2001:db8:0:1:2:3:4:5", 48, "2001:db8::/48"),
        ("fe80::1%eth0", 64, "fe80::/64"),
        ("::ffff:cb00:7109", 48, "203.0.113.9"),
    ],
)
def test_an_ipv6_address_counts_as_its_network(origin: str, prefix: int, network: str) -> None:
    assert network_of(origin, prefix) == network
