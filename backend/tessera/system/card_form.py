"""The card entry page, on its own origin: the card provider's script never shares a document with a
password or a passphrase, and the console never sees a card number."""

import html
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from tessera.kit.static import SpaFiles
from tessera.settings import Settings

STRIPE_SCRIPT = "https://js.stripe.com"
STRIPE_FRAMES = "https://js.stripe.com https://hooks.stripe.com"
STRIPE_API = "https://api.stripe.com"


class CardForm:
    """Serves the page and its files, and nothing else."""

    def __init__(self, settings: Settings, folder: Path | None = None) -> None:
        folder = folder or Path(str(files("tessera"))) / "web"
        self._files = SpaFiles(folder)
        self._policy = policy(settings)
        self._hsts = not settings.sandbox
        page = folder / "card.html"
        self._page = filled(page.read_text(encoding="utf-8"), settings) if page.exists() else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(MutableHeaders(scope=message))
            await send(message)

        if scope["type"] != "http":
            return
        if scope["path"].startswith("/assets/"):
            await self._files(scope, receive, send_with_headers)
        else:
            await self._answer(scope)(scope, receive, send_with_headers)

    def _answer(self, scope: Scope) -> Response:
        if scope["method"] not in {"GET", "HEAD"}:
            return PlainTextResponse("Method not allowed", 405, {"Allow": "GET, HEAD"})
        if scope["path"] == "/healthz":
            return PlainTextResponse("ok")
        if scope["path"] != "/":
            return PlainTextResponse("Not found", 404)
        if self._page is None:
            return PlainTextResponse("The console has not been built: run make build.", 503)
        return Response(self._page, media_type="text/html", headers={"Cache-Control": "no-store"})

    def _add_headers(self, headers: MutableHeaders) -> None:
        headers["Content-Security-Policy"] = self._policy
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), usb=()"
        if self._hsts:
            headers["Strict-Transport-Security"] = "max-age=63072000; includeSubDomains"


def parents(settings: Settings) -> list[str]:
    """Returns the origins that may embed the page. In the sandbox, this machine has two names."""
    address = urlsplit(settings.public_url)
    found = [f"{address.scheme}://{address.netloc}"]
    if settings.sandbox and address.hostname == "127.0.0.1":
        found.append(found[0].replace("127.0.0.1", "localhost"))
    return found


def sandbox_address(settings: Settings) -> str:
    """Returns the payment sandbox's address for browsers; empty if cards are real."""
    return f"{settings.public_url}/sandbox/stripe" if settings.sandbox else ""


def filled(page: str, settings: Settings) -> str:
    return page.replace("__PARENTS__", html.escape(" ".join(parents(settings)))).replace(
        "__SANDBOX__", html.escape(sandbox_address(settings))
    )


def policy(settings: Settings) -> str:
    live = not settings.sandbox
    parts = {
        "default-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": " ".join(parents(settings)),
        "script-src": f"'self' {STRIPE_SCRIPT}" if live else "'self'",
        "style-src": "'self'",
        "font-src": "'self'",
        "img-src": "'self' https://*.stripe.com" if live else "'self'",
        "connect-src": STRIPE_API if live else parents(settings)[0],
        "frame-src": STRIPE_FRAMES if live else "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())
