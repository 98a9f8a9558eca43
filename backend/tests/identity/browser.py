"""A browser that keeps the cookie of a login, which is not sent without TLS by itself."""

from typing import Any

import httpx

from tests.identity.issuer import Issuer


class Browser:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.cookie = ""

    async def post(
        self, path: str, body: dict[str, Any] | None = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        cookie = {"Cookie": f"tessera_sso={self.cookie}"} if self.cookie else {}
        return await self._client.post(
            f"/api/auth/sso/{path}", json=body, headers={**cookie, **(headers or {})}
        )

    async def start(self, address: str = "sam@acme.test") -> str:
        """Returns the provider's address."""
        started = await self.post("start", {"emailAddress": address})
        assert started.status_code == 200, started.text
        self.cookie = started.headers["set-cookie"].partition("=")[2].partition(";")[0]
        url: str = started.json()["url"]
        return url

    async def prove(self, issuer: Issuer, **claims: Any) -> httpx.Response:
        """From the login page to the answer of the provider."""
        returned = issuer.authorize(await self.start(), **claims)
        return await self.post("answer", returned)
