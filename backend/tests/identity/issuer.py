"""A small OpenID provider that signs, or forges, what a test wants."""

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc.jwk import RSAKey

from tessera.integrations import openid
from tessera_core import base64url

CLIENT_ID, SECRET = "tessera", "a secret of the company"


class Issuer:
    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "first", "use": "sig", "alg": "RS256"})
        self.keys = [self.key.as_dict(private=False)]
        self.configuration: dict[str, Any] = {}
        self.claims: dict[str, Any] = {}
        self.header: dict[str, Any] = {}
        self.told: dict[str, Any] | None = None
        # Instead of a signed token.
        self.token: str | None = None
        self.status = 200
        # Cleared, it lets every call wait for its answer.
        self.answering = threading.Event()
        self.answering.set()
        self.asked: list[tuple[str, dict[str, str], dict[str, str]]] = []
        self.codes: dict[str, dict[str, str]] = {}
        # Of the company's provider that has this issuer.
        self.uuid = ""
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer._answer(self, b"")

            def do_POST(self) -> None:
                issuer._answer(self, self.rfile.read(int(self.headers["content-length"])))

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: Any) -> None:
                """A caller that hangs up is part of some tests."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def authorize(self, url: str, **claims: Any) -> dict[str, str]:
        """What the provider puts into the address that it sends the browser back to."""
        asked = dict(parse_qsl(urlsplit(url).query))
        code = f"code-{secrets.token_hex(16)}"
        self.codes[code] = asked
        self.claims = claims
        return {
            "provider": asked["redirect_uri"].rpartition("/")[2],
            "code": code,
            "state": asked["state"],
        }

    def rotate(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "second", "use": "sig", "alg": "RS256"})
        self.keys = [self.key.as_dict(private=False)]

    def close(self) -> None:
        self.answering.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        form = dict(parse_qsl(body.decode()))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.asked.append((handler.path, headers, form))
        self.answering.wait()
        status, content = self.status, self._content(handler.path, form)
        if content is None:
            status, content = 400, {"error": "invalid_grant"}
        data = json.dumps(content).encode()
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def _content(self, path: str, form: dict[str, str]) -> dict[str, Any] | None:
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
                "userinfo_endpoint": f"{self.url}/me",
                **self.configuration,
            }
        if path == "/keys":
            return {"keys": self.keys}
        if path == "/me":
            return self.told
        asked = self.codes.pop(form["code"], None)
        if asked is None or asked["code_challenge"] != _challenge(form["code_verifier"]):
            return None
        return {"access_token": "opaque", "token_type": "Bearer", "id_token": self._token(asked)}

    def _token(self, asked: dict[str, str]) -> str:
        if self.token is not None:
            return self.token
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT_ID,
            "sub": "person-1",
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.claims,
        }
        return self.sign(claims)

    def logout_token(self, **claims: Any) -> str:
        """Says that `person-1` has logged out."""
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT_ID,
            "sub": "person-1",
            "iat": now,
            "exp": now + 120,
            "jti": secrets.token_hex(),
            "events": {openid.LOGOUT_EVENT: {}},
            **claims,
        }
        return self.sign(claims)

    def sign(self, claims: dict[str, Any]) -> str:
        """A duration is a time from now; None leaves a claim out."""
        claims = {
            name: int(time.time() + value.total_seconds())
            if isinstance(value, timedelta)
            else value
            for name, value in claims.items()
            if value is not None
        }
        header = {"alg": "RS256", "kid": self.key.kid, **self.header}
        parts = (base64url.encode(json.dumps(each).encode()) for each in (header, claims))
        signed = ".".join(parts)
        return f"{signed}.{base64url.encode(self._sign(header['alg'], signed.encode()))}"

    def _sign(self, algorithm: str, signed: bytes) -> bytes:
        if algorithm == "none":
            return b""
        if algorithm.startswith("HS"):
            # The public key as the shared secret.
            secret = self.key.as_pem(private=False)
            return hmac.digest(secret, signed, f"sha{algorithm[2:]}")
        private = self.key.private_key
        assert private is not None
        return private.sign(signed, PKCS1v15(), SHA256())


def _challenge(verifier: str) -> str:
    return base64url.encode(hashlib.sha256(verifier.encode()).digest())


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    yield from _running()


@pytest.fixture
def second_issuer() -> Iterator[Issuer]:
    yield from _running()


def _running() -> Iterator[Issuer]:
    openid.forget()
    made = Issuer()
    yield made
    made.close()
    openid.forget()
