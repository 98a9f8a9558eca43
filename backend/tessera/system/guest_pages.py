"""The pages of shares and of requests for files, for people without an account. They have an origin
of their own, or none: what they show comes from strangers, and must never share an origin with the
console."""

import base64
import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tessera.settings import Settings
from tessera_core.providers import connectable

# Where links begin, and the page that opens them.
PAGES = {"/s": "share.html", "/r": "request.html"}
# What the page of a share shows PDF files in. No share has such an id.
PDF_FRAME = "/s/pdf"
PDF_FRAME_FILE = "pdf.html"
CALLS = ("/api/shares/", "/api/requests/")
# No forms, no popups, no same origin: without an origin of its own the page is of none.
SANDBOX = "sandbox allow-scripts allow-downloads"

_OF_GUESTS = (*(f"{prefix}/" for prefix in PAGES), *CALLS)
_INLINE = re.compile(r"<(script|style)>(.+?)</\1>", re.DOTALL)
_NOTHING = ("default-src 'none'", "base-uri 'none'", "form-action 'none'")


class GuestPage:
    """Serves one file, the same for every link: what a link holds, no server sees."""

    def __init__(self, settings: Settings, prefix: str, folder: Path | None = None) -> None:
        self._prefix = f"{prefix}/"
        self._origin = settings.share_origin
        self._page = _read(folder, PAGES[prefix])
        self._headers = {
            "Content-Security-Policy": _policy(settings, self._page, prefix),
            # Browsers refuse to show a sandboxed page that asks for a stricter one.
            "Cross-Origin-Opener-Policy": "same-origin" if self._origin else "unsafe-none",
            "Cache-Control": "no-store",
            "X-Robots-Tag": "noindex, nofollow",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._respond(scope)(scope, receive, send)

    def _respond(self, scope: Scope) -> Response:
        path = scope["path"]
        if "/" in path.removeprefix(self._prefix):
            return PlainTextResponse("Not found", 404)
        if self._origin and not is_share_host(scope, self._origin):
            # A browser keeps the fragment, and with it the key, to itself.
            return RedirectResponse(f"{self._origin}{path}", 308)
        return self._page.respond(scope, self._headers)


class PdfFrame:
    """Serves the frame that draws PDF files. It is of no origin and reaches nothing: the page of a
    share hands it the file, and gets pixels."""

    def __init__(self, folder: Path | None = None) -> None:
        self._page = _read(folder, PDF_FRAME_FILE)
        self._headers = {
            "Content-Security-Policy": _frame_policy(self._page),
            # The page around it can be of no origin, which no rule for ancestors can name.
            "X-Frame-Options": "ALLOWALL",
            "Cross-Origin-Opener-Policy": "unsafe-none",
            "Cache-Control": "no-cache",
            "ETag": self._page.etag,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_known = self._page.etag in Headers(scope=scope).get("if-none-match", "")
        answer = (
            Response(None, 304, self._headers)
            if is_known
            else self._page.respond(scope, self._headers)
        )
        await answer(scope, receive, send)


class OnlyGuests:
    """On the host of links, nothing but the pages and their calls: no login, no console."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._origin = settings.share_origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_refused = (
            bool(self._origin)
            and scope["type"] == "http"
            and not scope["path"].startswith(_OF_GUESTS)
            and is_share_host(scope, self._origin)
        )
        app = PlainTextResponse("Not found", 404) if is_refused else self._app
        await app(scope, receive, send)


class _Page:
    """One file of the build, compressed when it is first wanted so."""

    def __init__(self, path: Path) -> None:
        self._body = path.read_bytes() if path.exists() else b""
        hashes = {name: _hash(content) for name, content in _INLINE.findall(self._body.decode())}
        self.sources = [
            f"script-src {hashes.get('script', '')} 'wasm-unsafe-eval'",
            f"style-src {hashes.get('style', '')}",
        ]
        self.etag = f'"{hashlib.sha256(self._body).hexdigest()[:32]}"'

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self._body, 9)

    def respond(self, scope: Scope, given: Mapping[str, str]) -> Response:
        if scope["method"] not in {"GET", "HEAD"}:
            return PlainTextResponse("Method not allowed", 405, {"Allow": "GET, HEAD"})
        if not self._body:
            return PlainTextResponse("The console has not been built: run make build.", 503)
        headers = {**given, "Vary": "Accept-Encoding"}
        if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self._packed, media_type="text/html", headers=headers)
        return Response(self._body, media_type="text/html", headers=headers)


def _read(folder: Path | None, name: str) -> _Page:
    return _page((folder or Path(str(files("tessera"))) / "web") / name)


# Read and hashed once per process.
_page = cache(_Page)


def is_share_host(scope: Scope, origin: str) -> bool:
    """By the name alone: some proxies leave out the port."""
    host = re.sub(r":[0-9]+$", "", Headers(scope=scope).get("host", "").lower())
    return host == urlsplit(origin).hostname


def _policy(settings: Settings, page: _Page, prefix: str) -> str:
    """Only the page's own script runs, and it reaches the service and the clouds' hosts alone."""
    service = settings.share_origin or settings.public_url
    parts = [
        *_NOTHING,
        "frame-ancestors 'none'",
        *page.sources,
        "worker-src blob:",
        "img-src blob: data:",
        # WebAssembly that is in the script itself is fetched from a data address. A page without
        # an origin is not "self" to every browser.
        f"connect-src 'self' data: {service} {_clouds(settings)}",
    ]
    if PDF_FRAME.startswith(f"{prefix}/"):
        parts.append(f"frame-src 'self' {service}{PDF_FRAME}")
    return "; ".join(parts if settings.share_origin else [*parts, SANDBOX])


def _frame_policy(page: _Page) -> str:
    """No network at all, and no same origin, whoever frames it."""
    return "; ".join([*_NOTHING, *page.sources, "worker-src blob:", "sandbox allow-scripts"])


def _clouds(settings: Settings) -> str:
    hosts = [
        f"https://*{host}" if host.startswith(".") else f"https://{host}"
        for provider in connectable()
        for host in provider.link_hosts
    ]
    endpoints = (settings.s3_endpoint, settings.azure_endpoint, settings.google_endpoint)
    own = ["/".join(endpoint.replace("{account}", "*").split("/")[:3]) for endpoint in endpoints]
    return " ".join(dict.fromkeys([*hosts, *filter(None, own)]))


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"
