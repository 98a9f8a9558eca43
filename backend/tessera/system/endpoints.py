"""Health, readiness, metrics, and what the console needs to know about the service."""

import hmac
from importlib.metadata import version
from ipaddress import ip_address
from typing import Literal

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, PlainTextResponse

from tessera.authz.routes import FeatureRouter
from tessera.kit.schemas import ApiModel
from tessera.kit.workflows import Engine, Resources
from tessera.system.metrics import measured

router = APIRouter(include_in_schema=False)
api_router = FeatureRouter("system")


class Config(ApiModel):
    mode: Literal["sandbox", "production"]
    chat_url: str | None
    card_origin: str
    version: str


@api_router.get("/config")
async def config(request: Request) -> Config:
    settings = request.app.state.resources.settings
    return Config(
        mode=settings.mode.value,
        chat_url=settings.chat_url or None,
        card_origin=settings.card_origin,
        version=version("tessera"),
    )


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    resources: Resources = request.app.state.resources
    engine: Engine = request.app.state.engine
    parts = {"database": await _database_answers(resources), "workflows": engine.is_alive()}
    return JSONResponse(
        {name: "ok" if fine else "down" for name, fine in parts.items()},
        status_code=200 if all(parts.values()) else 503,
    )


async def _database_answers(resources: Resources) -> bool:
    try:
        async with resources.database.without_tenant() as connection:
            return bool(await connection.fetchval("SELECT true"))
    except Exception:  # noqa: BLE001 - any failure means not ready
        return False


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Returns Prometheus metrics. Requires the metrics token; if none is set, a local request."""
    token = request.app.state.resources.settings.metrics_token.get_secret_value()
    data = request.headers.get("authorization", "").removeprefix("Bearer ")
    allowed = hmac.compare_digest(data.encode(), token.encode()) if token else _is_local(request)
    if not allowed:
        return PlainTextResponse("Forbidden", 403)
    body = await measured(request.app.state.resources.database)
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def _is_local(request: Request) -> bool:
    forwarded = "x-forwarded-for" in request.headers
    peer = request.client.host if request.client else ""
    try:
        return not forwarded and ip_address(peer).is_loopback
    except ValueError:
        return False
