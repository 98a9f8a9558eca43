"""The deployment under test: its own PostgreSQL and two services, as behind a load balancer."""

import asyncio
import random
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import asyncpg

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tessera.limits import LIMITS
from tests.fixtures.process import OtherVersion, Service

REGISTRATION_PASSWORD = "tessera-beta-2026"
PLANS = {5: 75_000, 3: 120_000}
# Shorter timeouts than a person would need, because a run lasts minutes; and no rate limits.
SETTINGS = {
    "registration_password": REGISTRATION_PASSWORD,
    "plan_prices": ",".join(f"{plan}={price}" for plan, price in PLANS.items()),
    "stripe_timeout_seconds": "2",
    "card_operation_timeout_seconds": "5",
    "warehouse_wait_seconds": "2",
    "warehouse_check_seconds": "5",
    "monitor_seconds": "60",
    "verified_seconds": "7200",
    "session_idle_seconds": "7200",
    "code_resend_seconds": "0",
    "limits": ",".join(
        f"{name}={max(limit.default, 1_000_000)}"
        for name, limit in LIMITS.items()
        if limit.window is not None
    ),
    "log_level": "warning",
}


@dataclass
class Deployment:
    folder: Path
    urls: EmbeddedUrls
    services: list[Service]
    # Keeps the folder for inspection.
    kept: bool = False
    # The database is lost: nobody tries a call again.
    is_lost: bool = False

    @property
    def clouds(self) -> Path:
        return self.folder / "clouds"

    def may_retry(self, give_up: float) -> bool:
        return time.monotonic() < give_up and not self.is_lost

    def any_address(self, dice: random.Random) -> str:
        """Picks a service as a load balancer does that has not noticed yet which one died."""
        return dice.choice(self.services).address

    async def connect(self) -> Connection:
        """Connects as superuser, which sees the rows of all companies."""
        return await asyncpg.connect(self.urls.superuser)

    async def start(self, service: Service) -> None:
        """Starts a service as a supervisor does: retries while the database is down."""
        for _ in range(20):
            try:
                await asyncio.to_thread(service.start)
            except AssertionError:
                await asyncio.sleep(1)
            else:
                return
        raise AssertionError(f"the service does not start:\n{service.log[-4_000:]}")


@dataclass
class EmbeddedDeployment(Deployment):
    postgres: EmbeddedPostgres = field(kw_only=True)


DeploymentKind = TypeVar("DeploymentKind", bound=EmbeddedDeployment)


def new_folder() -> Path:
    """Returns a folder that PostgreSQL can enter, which runs as another user if this is root."""
    folder = Path(tempfile.mkdtemp(prefix="tessera-chaos-"))
    folder.chmod(0o755)
    return folder


def new_services(urls: EmbeddedUrls, folder: Path, between: str, **more: str) -> list[Service]:
    """`between` is the address of the proxy for calls to the card provider and for its webhooks."""
    addresses = {"public_url": between, "stripe_url": f"{between}/sandbox/stripe"}
    settings = {**SETTINGS, **addresses, **more}
    return [Service(urls, folder, **settings) for _ in range(2)]


@asynccontextmanager
async def open_deployment(
    between: str,
    kind: Callable[..., DeploymentKind],
    *,
    version: OtherVersion | None = None,
    **settings: str,
) -> AsyncIterator[DeploymentKind]:
    folder = new_folder()
    postgres = await asyncio.to_thread(EmbeddedPostgres, folder)
    services: list[Service] = []
    deployment: DeploymentKind | None = None
    try:
        urls = await asyncio.to_thread(postgres.ensure_database)
        services += new_services(urls, folder, between, **settings)
        for service in services:
            service.version = version
        await asyncio.to_thread(services[0].run, "migrate")
        deployment = kind(folder, urls, services, postgres=postgres)
        for service in services:
            await deployment.start(service)
        yield deployment
    finally:
        for service in services:
            service.kill()
        await asyncio.to_thread(postgres.stop)
        if deployment is None or not deployment.kept:
            shutil.rmtree(folder, ignore_errors=True)
