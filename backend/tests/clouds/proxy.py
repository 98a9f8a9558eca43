"""A proxy that answers for external hosts itself, with its own certificates.

The storage library sends every https request through it (HTTPS_PROXY) and trusts it
(SSL_CERT_FILE), so the product runs unchanged, with the providers' real host names.
"""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Asked:
    host: str
    method: str
    target: str
    headers: dict[str, str]
    body: bytes = field(repr=False)

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


Responder = Callable[[Asked], Answer]


class Authority:
    """Signs a certificate for any host. All share one key, which is faster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tessera test emulators")])
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._lock = threading.Lock()
        self.file = folder / "authority.pem"
        self.file.write_bytes(_pem(self._certificate(self._name, None)))

    def context(self, host: str) -> ssl.SSLContext:
        with self._lock:
            if host not in self._contexts:
                self._contexts[host] = self._new_context(host)
            return self._contexts[host]

    def _new_context(self, host: str) -> ssl.SSLContext:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host[:64])])
        chain = self._folder / f"{host}.pem"
        key = self._key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        chain.write_bytes(key + _pem(self._certificate(subject, host)))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain)
        return context

    def _certificate(self, subject: x509.Name, host: str | None) -> x509.Certificate:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=host is None, path_length=None), critical=True)
        )
        if host is not None:
            names = x509.SubjectAlternativeName([x509.DNSName(host)])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(self._key, hashes.SHA256())


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


class Proxy:
    """Fails for hosts without a responder, as if they did not exist."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder)
        self.responders: dict[str, Responder] = {}
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @contextmanager
    def answering(self, host: str, answer: Answer | Responder) -> Iterator[list[Asked]]:
        """Temporarily replaces the responses of a host; yields the requests that it received."""
        before, seen = self.responders.get(host), len(self.asked)
        asked: list[Asked] = []
        self.responders[host] = answer if callable(answer) else lambda _: answer
        try:
            yield asked
        finally:
            asked.extend(one for one in self.asked[seen:] if one.host == host)
            if before is None:
                del self.responders[host]
            else:
                self.responders[host] = before


def _handler(proxy: Proxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        host = ""

        def do_CONNECT(self) -> None:
            host = self.path.rpartition(":")[0]
            if host not in proxy.responders:
                proxy.asked.append(Asked(host, "CONNECT", "", {}, b""))
                self.send_error(502)
                return
            self.send_response(200)
            self.end_headers()
            self.host = host
            try:
                self.connection = proxy.authority.context(host).wrap_socket(
                    self.connection, server_side=True
                )
            except OSError:
                self.close_connection = True
                return
            self.rfile = self.connection.makefile("rb")
            self.wfile = self.connection.makefile("wb", buffering=0)
            self.close_connection = False

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length)
            asked = Asked(self.host, self.command, self.path, dict(self.headers), body)
            proxy.asked.append(asked)
            responder = proxy.responders.get(self.host)
            answer = responder(asked) if responder else Answer(502)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body)

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler
