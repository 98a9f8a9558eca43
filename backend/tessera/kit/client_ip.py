"""The client's IP address; forwarding headers count only if a trusted proxy set them."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.requests import HTTPConnection

LONGEST = 100
Networks = Sequence[IPv4Network | IPv6Network]


def origin_of(connection: HTTPConnection, trusted: Networks) -> str:
    peer = _normalized(connection.client.host if connection.client else "")
    if _is_trusted(peer, trusted):
        hops = [
            _normalized(part.strip())
            for header in connection.headers.getlist("x-forwarded-for")
            for part in header.split(",")
            if part.strip()
        ]
        while hops and _is_trusted(peer, trusted):
            peer = hops.pop()
    return peer if _is_address(peer) else "unknown"


def network_of(origin: str, ipv6_prefix: int) -> str:
    """Returns an IPv4 address itself, and the network of an IPv6 address: one customer has at least
    a whole /64 of them, and often a /48."""
    if ":" not in origin:
        return origin
    address = IPv6Address(origin.partition("%")[0])
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, ipv6_prefix), strict=False))


def is_within(origin: str, networks: Sequence[str]) -> bool:
    """An origin that is not known is in no network."""
    try:
        address = ip_address(origin.partition("%")[0])
    except ValueError:
        return False
    return any(address in ip_network(each) for each in networks)


def is_part_of(network: str, networks: Sequence[str]) -> bool:
    """Whether one of them contains the whole network."""
    inner = ip_network(network)
    return any(_contains(ip_network(each), inner) for each in networks)


def _contains(outer: IPv4Network | IPv6Network, inner: IPv4Network | IPv6Network) -> bool:
    return inner.network_address in outer and inner.prefixlen >= outer.prefixlen


def _normalized(text: str) -> str:
    """Drops a port and unmaps IPv4 addresses that arrive through an IPv6 socket."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    if text.lower().startswith("::ffff:") and "." in text:
        text = text[len("::ffff:") :]
    return text


@lru_cache(maxsize=4096)
def _is_address(text: str) -> bool:
    if len(text) > LONGEST:  # an IPv6 address with a long zone
        return False
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_trusted(address: str, trusted: Networks) -> bool:
    if not trusted or not _is_address(address):
        return False
    parsed = ip_address(address)
    return any(parsed in network for network in trusted if network.version == parsed.version)
