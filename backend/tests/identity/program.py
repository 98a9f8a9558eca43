"""The client program's side of a login with a company account."""

import hashlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from tessera_core import base64url
from tests.identity.browser import Browser
from tests.identity.issuer import Issuer

STATE = "S" * 43
COMPUTER = {"name": "Sam's laptop", "system": "Linux", "version": "0.7.7"}


class Program:
    """`tess` on a computer."""

    def __init__(self, client: httpx.AsyncClient, secret: str) -> None:
        self._client = client
        self._secret = secret
        self.verifier = base64url.encode(hashlib.sha256(secret.encode()).digest())
        self.handle = ""
        self.device_code = ""

    async def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self._client.post(f"/api/auth/sso/client-logins{path}", json=body)

    def begin_body(self, *, port: int | None = 40_000, email: str = "sam@acme.test") -> Any:
        challenge = hashlib.sha256(self.verifier.encode()).digest()
        return {
            "emailAddress": email,
            "client": COMPUTER,
            "challenge": base64url.encode(challenge),
            "redirect": {"port": port, "state": STATE} if port else None,
        }

    async def begin(self, *, port: int | None = 40_000) -> None:
        started = await self.post("", self.begin_body(port=port))
        assert started.status_code == 200, started.text
        self.handle, self.device_code = started.json()["handle"], started.json()["deviceCode"]

    def proof(self, code: str | None = None, **others: Any) -> dict[str, Any]:
        return {"handle": self.handle, "verifier": self.verifier, "code": code, **others}

    async def state(self, code: str | None = None, **others: Any) -> httpx.Response:
        return await self.post("/state", self.proof(code, **others))

    async def finish(self, code: str | None = None, **others: Any) -> httpx.Response:
        return await self.post("/finish", self.proof(code, **{"password": self._secret, **others}))


async def confirm(
    browser: Browser, provider: Issuer, named: dict[str, str], *, accepted: bool = True
) -> str | None:
    assert (await browser.prove(provider)).json()["linked"] is True
    answer = await browser.post("client-logins/decide", {**named, "accepted": accepted})
    assert answer.status_code == 200, answer.text
    redirect: str | None = answer.json()["redirect"]
    return redirect


def answered(redirect: str | None) -> dict[str, str]:
    assert redirect
    return {name: values[0] for name, values in parse_qs(urlsplit(redirect).query).items()}
