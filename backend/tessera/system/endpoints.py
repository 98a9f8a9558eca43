"""Health, readiness, metrics, and what the console needs to know about the service."""

import hmac
from datetime import timedelta
from ipaddress import ip_address
from typing import Literal
from xml.sax.saxutils import escape

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, PlainTextResponse

from tessera.authz.routes import FeatureRouter
from tessera.kit import clock
from tessera.kit.engine import Engine
from tessera.kit.schemas import ApiModel
from tessera.system.metrics import render_metrics
from tessera_core.version import __version__

# Set by proxies. With any of them, the request comes from elsewhere, whoever connected.
PROXY_HEADERS = (
    *("forwarded", "via", "x-real-ip"),
    *("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"),
)

router = APIRouter(include_in_schema=False)
api_router = FeatureRouter("system")

# The pages that robots.txt allows.
PUBLIC_PAGES = ("/", "/agreement", "/privacy", "/data-processing", "/api", "/login", "/signup")
SECURITY_TXT_VALID = timedelta(days=180)


class Config(ApiModel):
    mode: Literal["sandbox", "production"]
    chat_url: str | None
    card_origin: str
    support_email: str
    support_url: str | None
    version: str
    open_registration: bool


@api_router.get("/config", summary="Read configuration")
async def config(request: Request) -> Config:
    settings = request.app.state.resources.settings
    return Config.of(
        settings,
        mode=settings.mode.value,
        chat_url=settings.chat_url or None,
        support_url=settings.support_url or None,
        version=__version__,
    )


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    engine: Engine = request.app.state.engine
    parts = {
        "database": "ok" if engine.has_database else "down",
        "workflows": "ok" if engine.is_alive() else "down",
        "process": "stopping" if engine.is_stopping else "ok",
    }
    is_ready = set(parts.values()) == {"ok"}
    return JSONResponse(parts, status_code=200 if is_ready else 503)


@router.get("/sitemap.xml")
async def sitemap(request: Request) -> Response:
    base = request.app.state.resources.settings.public_url
    pages = "".join(f"<url><loc>{escape(base + path)}</loc></url>" for path in PUBLIC_PAGES)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>'
    )
    return Response(text, media_type="application/xml")


@router.get("/.well-known/security.txt")
async def security_txt(request: Request) -> PlainTextResponse:
    """Whom to tell about a vulnerability (RFC 9116)."""
    settings = request.app.state.resources.settings
    expires = clock.now().replace(hour=0, minute=0, second=0, microsecond=0) + SECURITY_TXT_VALID
    return PlainTextResponse(
        f"Contact: mailto:{settings.support_email}\n"
        f"Expires: {expires.isoformat()}\n"
        "Preferred-Languages: en, tr, ar\n"
        f"Canonical: {settings.public_url}/.well-known/security.txt\n"
    )


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Returns Prometheus metrics. Requires the metrics token; if none is set, a local request."""
    token = request.app.state.resources.settings.metrics_token.get_secret_value()
    data = request.headers.get("authorization", "").removeprefix("Bearer ")
    allowed = hmac.compare_digest(data.encode(), token.encode()) if token else _is_local(request)
    if not allowed:
        return PlainTextResponse("Forbidden", 403)
    body = await render_metrics(request.app.state.resources)
    return Response(body, media_type=CONTENT_TYPE_LATEST)


def _is_local(request: Request) -> bool:
    forwarded = any(name in request.headers for name in PROXY_HEADERS)
    peer = request.client.host if request.client else ""
    try:
        return not forwarded and ip_address(peer).is_loopback
    except ValueError:
        return False
