"""Both services behind a load balancer that asks each one whether it is ready, and what callers
see of the replacement."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx

from chaos.deployment import EmbeddedDeployment
from tests.fixtures.process import Service

CHECK_SECONDS = 0.5
# A little more than two checks take.
DRAIN_SECONDS = 1.5


@dataclass
class RotatingDeployment(EmbeddedDeployment):
    out_of_rotation: set[str] = field(default_factory=set)

    def any_address(self, dice: random.Random) -> str:
        ready = [each for each in self.services if each.address not in self.out_of_rotation]
        return dice.choice(ready or self.services).address

    @asynccontextmanager
    async def checking(self) -> AsyncIterator[None]:
        checks = asyncio.create_task(self._keep_checking())
        try:
            yield
        finally:
            checks.cancel()

    async def _keep_checking(self) -> None:
        async with httpx.AsyncClient(timeout=2, trust_env=False) as http:
            while True:
                await asyncio.gather(*(self._check(http, each) for each in self.services))
                await asyncio.sleep(CHECK_SECONDS)

    async def _check(self, http: httpx.AsyncClient, service: Service) -> None:
        is_ready = False
        with suppress(httpx.TransportError):
            is_ready = (await http.get(f"{service.address}/readyz")).is_success
        if is_ready:
            self.out_of_rotation.discard(service.address)
        else:
            self.out_of_rotation.add(service.address)


@dataclass
class Calls(httpx.AsyncBaseTransport):
    """Passes calls on and counts those that a client has to repeat."""

    transport: httpx.AsyncBaseTransport = field(default_factory=httpx.AsyncHTTPTransport)
    count: int = 0
    repeated: Counter[str] = field(default_factory=Counter)
    # Those that no client repeats by itself.
    failed: Counter[str] = field(default_factory=Counter)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.count += 1
        try:
            answer = await self.transport.handle_async_request(request)
        except httpx.ConnectError:
            self.repeated["connection refused"] += 1
            raise
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            self.repeated["connection closed"] += 1
            raise
        except httpx.TransportError as error:
            self._fail(request, type(error).__name__)
            raise
        if answer.status_code == 503 and "retry-after" in answer.headers:
            self.repeated["503 with Retry-After"] += 1
        elif answer.status_code >= 500:
            self._fail(request, str(answer.status_code))
        return answer

    def _fail(self, request: httpx.Request, what: str) -> None:
        self.failed[f"{request.method} {request.url.path}: {what}"] += 1

    async def aclose(self) -> None:
        await self.transport.aclose()


@asynccontextmanager
async def counted_calls() -> AsyncIterator[tuple[httpx.AsyncClient, Calls]]:
    calls = Calls()
    async with httpx.AsyncClient(timeout=40, transport=calls) as http:
        yield http, calls
