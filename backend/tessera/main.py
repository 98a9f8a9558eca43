"""Builds the ASGI app."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from types import FrameType

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from tessera.api import ROUTERS
from tessera.authz.routes import PrefixRouter
from tessera.integrations.cards import disconnect
from tessera.integrations.clouds.sandbox_links import MOUNT, SandboxLinks
from tessera.kit.api_description import serve_description
from tessera.kit.countries import open_countries
from tessera.kit.database import Database
from tessera.kit.engine import Engine
from tessera.kit.i18n import set_shared_params
from tessera.kit.keys import Keys
from tessera.kit.logging import configure_logging
from tessera.kit.memory import return_freed_memory
from tessera.kit.middleware import (
    AnyOrigin,
    MaxBodySize,
    RefuseOverload,
    RequestContextMiddleware,
    SecurityHeaders,
    TraceRequests,
)
from tessera.kit.responses import failure, install_error_answers
from tessera.kit.static import SpaFiles
from tessera.kit.workflows import Resources
from tessera.limits import set_limits
from tessera.sandbox.endpoints import api_router as sandbox_api_router
from tessera.sandbox.endpoints import page_router as sandbox_page_router
from tessera.sandbox.objects import SandboxObjects
from tessera.sandbox.stripe.endpoints import router as sandbox_stripe_router
from tessera.settings import Settings
from tessera.storage.requests.endpoints import PIECE, PIECE_BYTES
from tessera.system.endpoints import router as system_router
from tessera.system.guest_pages import (
    CALLS,
    PAGES,
    PDF_FRAME,
    GuestPage,
    OnlyGuests,
    PdfFrame,
)
from tessera_core.version import __version__


def create_app(settings: Settings | None = None, database: Database | None = None) -> FastAPI:
    settings = settings or Settings()
    database = database or Database(settings)
    settings.require_complete()
    configure_logging(settings)
    set_shared_params(support=settings.support_email)
    set_limits(settings.limits)
    app = FastAPI(
        title="Tessera",
        version=__version__,
        openapi_url=None,
        lifespan=_lifespan,
        # FastAPI's telemetry would send user input to a collector if the environment configures
        # one. The service has its own metrics and logs.
        telemetry={"tracing": False, "metrics": False, "logs": False},
        middleware=[
            *([Middleware(TraceRequests)] if settings.otlp_endpoint else []),
            # Outside the others, so that an unexpected error is answered with them too.
            Middleware(SecurityHeaders, settings=settings),
            Middleware(RefuseOverload),
            Middleware(RequestContextMiddleware),
            Middleware(OnlyGuests, settings=settings),
            Middleware(AnyOrigin, prefixes=CALLS),
            Middleware(
                MaxBodySize,
                settings=settings,
                unlimited=(f"{MOUNT}/",),
                larger={PIECE: PIECE_BYTES},
            ),
        ],
    )
    app.state.resources = Resources(
        settings,
        database,
        Keys(settings.platform_key_bytes),
        countries=open_countries(settings.country_database),
    )
    app.state.engine = Engine(app.state.resources)
    install_error_answers(app)
    routers = [*ROUTERS, system_router]
    if settings.sandbox:
        routers += [sandbox_api_router, sandbox_page_router, sandbox_stripe_router]
    console = SpaFiles(Path(str(files("tessera"))) / "web", settings.support_email)
    routes = [route for router in routers for route in router.routes]
    calls = [route for route in routes if isinstance(route, APIRoute)]
    app.router.routes += [
        PrefixRouter(calls),
        Route("/api/openapi.json", serve_description(app)),
        # Without these mounts, the console's page would be served for API paths that do not exist.
        Mount("/api", _no_such_call),
        Mount("/scim", _no_such_call),
        *_sandbox_mounts(settings),
        Mount("/sandbox", _no_such_call),
        Route(PDF_FRAME, PdfFrame()),
        *(Mount(prefix, GuestPage(settings, prefix)) for prefix in PAGES),
        Mount("/", console, name="console"),
        # Never matched by a request; listed so that they appear in the OpenAPI description.
        *calls,
    ]
    return app


def _sandbox_mounts(settings: Settings) -> list[Mount]:
    if not settings.sandbox:
        return []
    folder = settings.data_dir / "clouds"
    return [Mount(MOUNT, SandboxObjects(folder, SandboxLinks(settings)))]


async def _no_such_call(scope: Scope, receive: Receive, send: Send) -> None:
    await failure(scope["path"], 404, "not_found")(scope, receive, send)


def _stop_in_order(resources: Resources, engine: Engine) -> None:
    """On the first signal: not ready any more, held calls answer, workflows go to other processes.
    uvicorn, which closes the port and waits for the calls under way, gets the signal when proxies
    have noticed; on the second one at once."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    servers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def stop_serving(number: int) -> None:
        server = servers[signal.Signals(number)]
        if callable(server):
            server(number, None)

    def begin(number: int) -> None:
        if engine.is_stopping:
            stop_serving(number)
            return
        resources.announcements.close()
        engine.hand_over()
        loop.call_later(resources.settings.drain_seconds, stop_serving, number)

    def received(number: int, _: FrameType | None) -> None:
        loop.call_soon_threadsafe(begin, number)

    for number in servers:
        signal.signal(number, received)


@asynccontextmanager
async def _traces(settings: Settings) -> AsyncIterator[None]:
    if not settings.otlp_endpoint:
        yield
        return
    # OpenTelemetry takes time and memory, which most installations have no use for.
    from tessera.kit.tracing import Tracing  # noqa: PLC0415

    tracing = Tracing(settings.otlp_endpoint, settings.otlp_header_values)
    try:
        yield
    finally:
        await asyncio.to_thread(tracing.stop)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    return_freed_memory()
    resources = app.state.resources
    async with _traces(resources.settings), resources.database:
        await app.state.engine.start()
        _stop_in_order(app.state.resources, app.state.engine)
        try:
            yield
        finally:
            await app.state.engine.stop()
            await disconnect(app.state.resources.database)
