"""The SDK's HTTP client: one connection pool, our own timeouts."""

from collections.abc import Mapping
from typing import Any

import anyio
import httpx
from stripe import APIConnectionError, HTTPClient


class StripeHttp(HTTPClient):
    name = "httpx"

    def __init__(
        self, timeout: float, *, local: bool, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        super().__init__()
        # The environment's proxy is for outgoing traffic; the payment sandbox is on this machine.
        self._http = httpx.AsyncClient(timeout=timeout, trust_env=not local, transport=transport)

    def sleep_async(self, secs: float) -> Any:  # noqa: ANN401
        return anyio.sleep(secs)

    async def request_async(
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: str | None = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        try:
            response = await self._http.request(
                method, url, headers=headers, content=post_data or ""
            )
        except httpx.HTTPError as error:
            raise APIConnectionError(  # type: ignore[no-untyped-call]
                f"the card provider cannot be reached: {type(error).__name__}", should_retry=True
            ) from error
        return response.content, response.status_code, response.headers

    async def close_async(self) -> None:
        await self._http.aclose()
