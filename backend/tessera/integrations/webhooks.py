"""Calls addresses that customers choose, and only public ones.

The host is resolved and every address checked before each call; the connection then goes to the
checked address, so that a name that changes in between leads nowhere else.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Literal

import httpx

from tessera.settings import Settings

TIMEOUT_SECONDS = 10.0
# Reserved for protocols. Python counts it among the private ones from 3.11.10 on.
_PROTOCOLS = IPv4Network("192.0.0.0/24")
# Of IPv6, what is routed on the internet; tunnels to IPv4 addresses are refused.
_UNICAST = IPv6Network("2000::/3")

Address = IPv4Address | IPv6Address


class DeliveryError(StrEnum):
    """Why there was no response, or none that counts."""

    INVALID_URL = "invalid_url"
    UNENCRYPTED = "unencrypted"
    HOST_NOT_FOUND = "host_not_found"
    ADDRESS_REFUSED = "address_refused"
    UNREACHABLE = "unreachable"
    TLS_FAILED = "tls_failed"
    TIMEOUT = "timeout"
    STATUS = "status"
    SECRET_UNREADABLE = "secret_unreadable"  # noqa: S105


class CannotDeliver(Exception):
    def __init__(self, reason: DeliveryError) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True)
class Target:
    url: httpx.URL
    addresses: tuple[Address, ...]


def is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and address not in _PROTOCOLS
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    tunnel = address.sixtofour is not None or address.teredo is not None
    return address.is_global and address in _UNICAST and not tunnel


def loopback_allowed(settings: Settings) -> bool:
    """Only in a sandbox that serves its own machine."""
    return settings.sandbox and not settings.sandbox_public


async def check_target(settings: Settings, url: str) -> Target:
    """Resolves the host; raises `CannotDeliver` unless all of its addresses may be called."""
    parsed = _parse(url)
    addresses = await _resolve(parsed)
    local = loopback_allowed(settings) and all(_is_loopback(each) for each in addresses)
    if not local and not all(is_public(each) for each in addresses):
        raise CannotDeliver(DeliveryError.ADDRESS_REFUSED)
    if parsed.scheme != "https" and not local:
        raise CannotDeliver(DeliveryError.UNENCRYPTED)
    return Target(parsed, addresses)


async def post(settings: Settings, url: str, headers: Mapping[str, str], body: bytes) -> int:
    """Returns the status. Follows no redirects, and does not read the response's body."""
    return (await _call(settings, "POST", url, headers, body, most_bytes=0)).status


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes


async def fetch(
    settings: Settings,
    method: Literal["GET", "POST"],
    url: str,
    headers: Mapping[str, str],
    body: bytes = b"",
    *,
    most_bytes: int,
) -> Answer:
    """Follows no redirects. A longer body counts as none."""
    return await _call(settings, method, url, headers, body, most_bytes=most_bytes)


async def _call(
    settings: Settings,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    most_bytes: int,
) -> Answer:
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            target = await check_target(settings, url)
            return await _call_first(target, method, headers, body, most_bytes)
    except (TimeoutError, httpx.TimeoutException):
        raise CannotDeliver(DeliveryError.TIMEOUT) from None
    except httpx.HTTPError as error:
        reason = DeliveryError.TLS_FAILED if _is_tls(error) else DeliveryError.UNREACHABLE
        raise CannotDeliver(reason) from None


def _parse(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError):
        raise CannotDeliver(DeliveryError.INVALID_URL) from None
    port = parsed.port
    usable = (
        parsed.scheme in {"https", "http"}
        and parsed.host
        and not parsed.userinfo
        and not parsed.fragment
        and (port is None or port == 443 or 1024 <= port <= 65535)
    )
    if not usable:
        raise CannotDeliver(DeliveryError.INVALID_URL)
    return parsed


async def _resolve(url: httpx.URL) -> tuple[Address, ...]:
    loop = asyncio.get_running_loop()
    try:
        infos = await loop.getaddrinfo(
            url.raw_host.decode("ascii"), url.port or 443, type=socket.SOCK_STREAM
        )
    except (OSError, UnicodeError):
        raise CannotDeliver(DeliveryError.HOST_NOT_FOUND) from None
    texts = dict.fromkeys(str(each[4][0]).partition("%")[0] for each in infos)
    return tuple(ip_address(text) for text in texts)


def _is_loopback(address: Address) -> bool:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


async def _call_first(
    target: Target, method: str, headers: Mapping[str, str], body: bytes, most_bytes: int
) -> Answer:
    """Calls the first address that accepts the connection."""
    url = target.url
    # The environment's proxies would resolve the name again.
    async with httpx.AsyncClient(trust_env=False, timeout=TIMEOUT_SECONDS) as http:
        *others, last = target.addresses
        for address in (*others, last):
            request = http.build_request(
                method,
                url.copy_with(host=str(address)),
                headers={**headers, "Host": url.netloc.decode("ascii")},
                content=body,
                extensions={"sni_hostname": url.raw_host.decode("ascii")},
            )
            try:
                response = await http.send(request, stream=True)
            except httpx.ConnectError as error:
                if address is last or _is_tls(error):
                    raise
                continue
            try:
                return Answer(response.status_code, await _read(response, most_bytes))
            finally:
                await response.aclose()
    raise AssertionError("a host has at least one address")


async def _read(response: httpx.Response, most_bytes: int) -> bytes:
    body = b""
    if most_bytes:
        async for piece in response.aiter_bytes(8_192):
            body += piece
            if len(body) > most_bytes:
                return b""
    return body


def _is_tls(error: BaseException) -> bool:
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, ssl.SSLError):
            return True
        found = found.__cause__ or found.__context__
    return False
