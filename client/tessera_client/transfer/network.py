"""Ways out of a company's network: its proxy, and the certificate authorities that are trusted."""

import os
import socket
import ssl
import sys
import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from http.client import HTTPException, parse_headers
from io import BytesIO
from typing import NoReturn
from urllib.parse import quote, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from tessera_client.texts import translate
from tessera_client.transfer.automatic_proxy import automatic_address, automatic_configuration
from tessera_client.transfer.nested_tls import NestedTls

CONNECT_SECONDS = 10.0
LOOPBACK = {"127.0.0.1", "localhost", "::1"}

_PORTS = {"http": 80, "https": 443}
_MAX_HEAD_BYTES = 16 * 1024
_LOGIN_NEEDED = 407


class NoAnswer(Exception):
    """The connection failed, or the answer did not come in time or not completely."""


class NotConnected(NoAnswer):
    """Nothing was sent."""


class Blocked(NotConnected):
    """The network does not let this computer through; the message says why, in the user's
    language. Most reasons stay, and a wrong login that is repeated may lock the user's account."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @classmethod
    def from_code(cls, code: str, **values: object) -> "Blocked":
        return cls(code, translate(f"errors.{code}", **values))

    @property
    def may_pass(self) -> bool:
        return self.code in {"proxy_unreachable", "pac_not_read"}


@dataclass(frozen=True)
class Network:
    """What `tess config` has set; the system's settings count for the rest."""

    proxy: str | None = None
    """An address without a password."""
    password: str | None = field(default=None, repr=False)
    ca_file: str | None = None


class _Chosen:
    """The settings of this run of the program. All threads share them."""

    load: Callable[[], Network] = Network


def use_network(load: Callable[[], Network]) -> None:
    """The settings are read at the first connection that needs them."""
    _Chosen.load = staticmethod(cache(load))


@dataclass(frozen=True)
class Proxy:
    scheme: str
    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, url: str) -> "Proxy":
        """Raises ValueError if it is not the address of an HTTP proxy."""
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in _PORTS or not parts.hostname:
            raise ValueError(url)
        port = parts.port or _PORTS[parts.scheme]
        user, password = (
            unquote(each) if each else None for each in (parts.username, parts.password)
        )
        return cls(parts.scheme, parts.hostname, port, user, password)

    def __str__(self) -> str:
        return f"{self.scheme}://{_authority(self.host, self.port)}"

    @property
    def address(self) -> str:
        """With the user and without the password."""
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        return f"{self.scheme}://{user}{_authority(self.host, self.port)}"


def system_proxy() -> str | None:
    """What the environment or the system names."""
    proxies = getproxies()
    return proxies.get("https") or proxies.get("all")


def find_proxy(host: str) -> Proxy | None:
    if host in LOOPBACK or proxy_bypass(host):
        return None
    chosen = _Chosen.load()
    url = chosen.proxy or system_proxy()
    if not url:
        return None
    if address := automatic_address(url):
        raise Blocked.from_code("pac_not_read", address=address)
    try:
        proxy = Proxy.parse(url)
    except ValueError:
        # It may hold a password.
        raise Blocked.from_code("bad_proxy") from None
    if chosen.proxy:
        return replace(proxy, password=chosen.password)
    return proxy


def tls_context() -> ssl.SSLContext:
    chosen = _Chosen.load().ca_file
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    try:
        return make_context(chosen, file, folder)
    except OSError:
        path = " + ".join(filter(None, (chosen, file)))
        raise Blocked.from_code("ca_file_unusable", path=path) from None


@cache
def make_context(chosen: str | None, file: str | None, folder: str | None) -> ssl.SSLContext:
    """Made once: reading the certificates takes longer than a call. What the environment names
    takes the place of the system's; what `tess config` names is added."""
    context = ssl.create_default_context(cafile=file or None, capath=folder or None)
    # Windows fetches some authorities only when they are needed, and macOS shows Python none.
    is_whole = sys.platform == "linux" and context.cert_store_stats()["x509"]
    if not file and not folder and not is_whole:
        import certifi  # noqa: PLC0415 - not always needed

        context.load_verify_locations(certifi.where())
    if chosen:
        context.load_verify_locations(chosen)
    context.set_alpn_protocols(["http/1.1"])
    return context


def open_tls(host: str, port: int) -> ssl.SSLSocket | NestedTls:
    """Connects directly or through the proxy, and checks the host's certificate."""
    context, proxy = tls_context(), find_proxy(host)
    raw = _connect(host, port) if proxy is None else _open_tunnel(proxy, host, port)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        if isinstance(raw, ssl.SSLSocket):
            return NestedTls(raw, context, host)
        return context.wrap_socket(raw, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        raw.close()
        raise Blocked.from_code("certificate", host=host, reason=error.verify_message) from None
    except BaseException:
        raw.close()
        raise


def _connect(host: str, port: int) -> socket.socket:
    try:
        return socket.create_connection((host, port), CONNECT_SECONDS)
    except OSError:
        # A browser on this computer may reach the host by a proxy.
        if address := automatic_configuration():
            raise Blocked.from_code("pac_not_read", address=address) from None
        raise


def _open_tunnel(proxy: Proxy, host: str, port: int) -> socket.socket:
    try:
        raw = socket.create_connection((proxy.host, proxy.port), CONNECT_SECONDS)
    except OSError:
        raise Blocked.from_code("proxy_unreachable", proxy=proxy) from None
    try:
        if proxy.scheme == "https":
            raw = tls_context().wrap_socket(raw, server_hostname=proxy.host)
        raw.sendall(_connect_request(proxy, host, port))
        status, head = _read_head(raw)
        if not 200 <= status < 300:
            _refuse(proxy, host, status, head)
        return raw
    except ssl.SSLCertVerificationError as error:
        raw.close()
        raise Blocked.from_code("certificate", host=proxy, reason=error.verify_message) from None
    except (OSError, ValueError, HTTPException):
        raw.close()
        raise Blocked.from_code("no_proxy", proxy=proxy) from None
    except BaseException:
        raw.close()
        raise


def _connect_request(proxy: Proxy, host: str, port: int) -> bytes:
    target = _authority(host.encode("idna").decode(), port)
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if proxy.user:
        login = b64encode(f"{proxy.user}:{proxy.password or ''}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {login}")
    return "\r\n".join([*lines, "", ""]).encode("ascii")


def _read_head(sock: socket.socket) -> tuple[int, bytes]:
    """Reads no further than the head: what follows belongs to the host."""
    head, until = b"", time.monotonic() + CONNECT_SECONDS
    while not head.endswith(b"\r\n\r\n"):
        byte = sock.recv(1)
        if not byte or len(head) > _MAX_HEAD_BYTES or time.monotonic() > until:
            raise ValueError("the answer is not one of a proxy")
        head += byte
    status, _, fields = head.partition(b"\r\n")
    version, code, *_ = status.split()
    if not version.startswith(b"HTTP/1."):
        raise ValueError("the answer is not one of a proxy")
    return int(code), fields


def _refuse(proxy: Proxy, host: str, status: int, head: bytes) -> NoReturn:
    if status != _LOGIN_NEEDED:
        raise Blocked.from_code("proxy_refused", proxy=proxy, host=host, status=status)
    kinds = parse_headers(BytesIO(head)).get_all("Proxy-Authenticate", [])
    if kinds and not any(kind.lower().startswith("basic") for kind in kinds):
        names = ", ".join(kind.split()[0] for kind in kinds if kind.split())
        raise Blocked.from_code("proxy_login_kind", proxy=proxy, kinds=names)
    if proxy.user:
        raise Blocked.from_code("proxy_login_wrong", proxy=proxy)
    raise Blocked.from_code("proxy_login_missing", proxy=proxy)


def _authority(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
