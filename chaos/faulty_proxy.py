"""The address of the deployment: a load balancer in front of the services. Calls to the card
provider and its webhooks pass through it too, and are delayed, corrupted or refused."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import uvicorn
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from chaos.deployment import Deployment
from tests.fixtures.process import free_port

# Longer than the service waits for a response.
TOO_LONG = 2.5
# Faults of a call, by weight. The first two never reach the provider; with the last four the
# provider has done the work, and the response is wrong, late or cut off.
CALLS = {"refused": 2, "silence": 1, "slow": 3, "late": 2, "cut off": 2, "wrong": 2, "garbled": 2}
WEBHOOKS = {"refused": 2, "twice": 3, "wrong": 2}
WEBHOOK_PATH, CARD_PATH = "/api/payment/webhook", "/sandbox/stripe/"
# Belong to one connection, or describe a body that has been decoded.
NOT_FORWARDED = {b"connection", b"content-encoding", b"content-length", b"transfer-encoding"}


class FaultyProxy:
    def __init__(self, seed: int) -> None:
        self.faults: Counter[str] = Counter()
        self.deployment: Deployment | None = None
        self.share = 0.0
        self._dice = random.Random(seed)
        self._http = httpx.AsyncClient(timeout=30, trust_env=False)

    @property
    def has_failed_calls(self) -> bool:
        return any(name.startswith("card call") for name in self.faults)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        request = Request(scope, receive)
        is_webhook = scope["path"] == WEBHOOK_PATH
        if not is_webhook and not scope["path"].startswith(CARD_PATH):
            status, headers, body = await self._forward(request)
            await respond(send, status, body, headers)
            return
        fault = self._fault(WEBHOOKS if is_webhook else CALLS)
        if fault:
            self.faults[f"webhook {fault}" if is_webhook else f"card call {fault}"] += 1
        if fault == "refused":
            await respond(send, 503, b'{"error": {"type": "api_error", "message": "Later."}}')
            return
        if fault == "silence":
            await asyncio.sleep(TOO_LONG)
            await respond(send, 504, b"")
            return
        if fault == "slow":
            await asyncio.sleep(self._dice.uniform(0.2, 1.2))
        status, headers, body = await self._forward(request)
        if fault == "twice":
            status, headers, body = await self._forward(request)
        if fault == "late":
            await asyncio.sleep(TOO_LONG)
        if fault == "wrong":
            status, body = 500, b'{"error": {"type": "api_error", "message": "Ours."}}'
        if fault == "garbled":
            body = b'{"id": "cus_' + body[:7]
        await respond(send, status, body, headers, cut=fault == "cut off")

    def _fault(self, kinds: dict[str, int]) -> str | None:
        # The first call always fails: on a slow machine a short run makes only a few.
        first = kinds is CALLS and self.share > 0 and not self.has_failed_calls
        if self._dice.random() >= self.share and not first:
            return None
        return self._dice.choices(list(kinds), list(kinds.values()))[0]

    async def _forward(self, request: Request) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        assert self.deployment is not None
        headers = [pair for pair in request.headers.raw if pair[0] not in {b"host", b"connection"}]
        try:
            answer = await self._http.request(
                request.method,
                self.deployment.any_address(self._dice) + request.url.path,
                params=request.url.query,
                headers=headers,
                content=await request.body(),
            )
        except httpx.TransportError:
            return 502, [], b""
        kept = [pair for pair in answer.headers.raw if pair[0].lower() not in NOT_FORWARDED]
        return answer.status_code, kept, answer.content


async def respond(
    send: Send,
    status: int,
    body: bytes,
    headers: list[tuple[bytes, bytes]] | None = None,
    *,
    cut: bool = False,
) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send(
        {"type": "http.response.start", "status": status, "headers": [*(headers or []), length]}
    )
    await send({"type": "http.response.body", "body": body[: len(body) // 2] if cut else body,
                "more_body": cut})  # fmt: skip


@asynccontextmanager
async def open_proxy(seed: int) -> AsyncIterator[tuple[FaultyProxy, str]]:
    proxy = FaultyProxy(seed)
    async with serving(proxy) as address:
        yield proxy, address


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[str]:
    """Serves it in this process; returns the address."""
    port = free_port()
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, log_level="critical", lifespan="off", access_log=False
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task
