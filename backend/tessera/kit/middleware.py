"""Middleware for every request: request id, language, limits, headers, one log line, metrics."""

import itertools
import re
import secrets
import time
from collections.abc import Mapping
from functools import cache

import structlog
from prometheus_client import Counter, Histogram
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tessera.kit import spans
from tessera.kit.i18n import Language, current_language, negotiate
from tessera.kit.responses import failure
from tessera.kit.tokens import company_of_bearer
from tessera.settings import Settings

log = structlog.get_logger()

REQUESTS = Counter("tessera_requests_total", "Answers sent", ["method", "route", "status"])
SECONDS = Histogram("tessera_request_seconds", "Time to answer", ["method", "route"])

# Of the labels there are few, and looking them up takes longer than counting.
_answers, _seconds = cache(REQUESTS.labels), cache(SECONDS.labels)

REFUSED = Counter("tessera_calls_refused_total", "Calls refused while too many were waiting")

_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
# Gives each request a unique number without asking the system for randomness each time.
_PROCESS = secrets.token_hex(8)
_numbers = itertools.count()
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


_CALLS = ("/api/", "/scim/")
# What a guest who sends files shows with each piece, whose body is the piece alone.
UPLOAD_HEADER = "Tessera-Upload-Token"
_HSTS = "max-age=63072000; includeSubDomains"
_FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), payment=()",
}


class RequestContextMiddleware:
    """Binds the request id and the language, then logs and measures by route template."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sent = headers.get("x-request-id", "")
        request_id = sent if _REQUEST_ID.fullmatch(sent) else f"{_PROCESS}-{next(_numbers)}"
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        former_language = current_language.set(negotiate(headers.get("accept-language")))
        began, status, started = time.perf_counter(), 500, False

        async def send_with_id(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
                if scope["app"].state.resources.announcements.is_closed:
                    # The process is stopping: a proxy's next call goes to another one.
                    message["headers"].append((b"connection", b"close"))
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception as error:
            log.exception("request failed", route=route_template(scope))
            scope["state"]["error_type"] = type(error).__name__
            if started:
                # The server then closes the connection: the response is incomplete.
                return
            await failure(scope["path"], 500, "internal_error")(scope, receive, send_with_id)
        finally:
            # A call within a call, as to the payment sandbox in this process, has its own.
            current_language.reset(former_language)
            seconds = time.perf_counter() - began
            method = scope["method"] if scope["method"] in METHODS else "OTHER"
            route = route_template(scope)
            _answers(method, route, status).inc()
            _seconds(method, route).observe(seconds)
            log.info("request", method=method, route=route, status=status, ms=round(seconds * 1e3))


def route_template(scope: Scope) -> str:
    """Returns e.g. /api/invite/{key}, never the actual path, which may hold a code or a handle."""
    route = scope.get("route")
    path = getattr(route, "path", None)
    return str(path) if path else "unmatched"


class TraceRequests:
    """A span for each request. What a caller says of its own traces is not believed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        with spans.span("request") as span:

            async def send_and_note(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        span.fail(str(message["status"]))
                await send(message)

            try:
                await self._app(scope, receive, send_and_note)
                # It is answered further inside, or its response remains incomplete.
                if "error_type" in state:
                    span.fail(state["error_type"])
            finally:
                method = scope["method"] if scope["method"] in METHODS else "OTHER"
                route = route_template(scope)
                span.update_name(f"{method} {route}")
                span.set_attribute("http.request.method", method)
                span.set_attribute("http.route", route)


class RefuseOverload:
    """Answers 503 at once to calls that would wait too long for a connection: before they are read,
    routed or logged, so that refusing them costs little. A company with too many calls is refused
    alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(_CALLS):
            await self._app(scope, receive, send)
            return
        resources = scope["app"].state.resources
        queue = resources.database.app.queue
        if not queue.may_be_overloaded:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        company = company_of_bearer(resources.keys, headers.get("authorization", ""))
        if not queue.is_overloaded(company):
            await self._app(scope, receive, send)
            return
        REFUSED.inc()
        prefix = next(each for each in _CALLS if scope["path"].startswith(each))
        refuse = _refusal(prefix, negotiate(headers.get("accept-language")))
        await refuse(scope, receive, send)


@cache
def _refusal(prefix: str, language: Language) -> ASGIApp:
    former_language = current_language.set(language)
    try:
        return failure(prefix, 503, "busy", retry_after=1)
    finally:
        current_language.reset(former_language)


class AnyOrigin:
    """Lets pages of any origin make the calls below some paths: the pages of guests have none."""

    def __init__(self, app: ASGIApp, prefixes: tuple[str, ...]) -> None:
        self._app = app
        self._prefixes = prefixes
        self._open = CORSMiddleware(
            app,
            allow_origins=["*"],
            allow_methods=["GET", "POST"],
            allow_headers=[UPLOAD_HEADER],
            expose_headers=["Retry-After"],
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_open = scope["type"] == "http" and scope["path"].startswith(self._prefixes)
        await (self._open if is_open else self._app)(scope, receive, send)


class MaxBodySize:
    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        unlimited: tuple[str, ...],
        larger: Mapping[re.Pattern[str], int],
    ) -> None:
        """Paths that begin with one of `unlimited` limit their bodies themselves. `larger` gives
        the bytes of the paths that a pattern matches as a whole: below a mere prefix there may be
        other calls, which read their body into memory before anything is checked."""
        self._app = app
        self._most = settings.max_body_bytes
        self._unlimited = unlimited
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(self._unlimited):
            await self._app(scope, receive, send)
            return
        most = self._most_of(scope["path"])
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdigit() or int(declared) > most:
            await failure(scope["path"], 413, "body_too_large")(scope, receive, send)
            return
        seen = 0
        too_large = False
        started = False

        async def limited_receive() -> Message:
            nonlocal seen, too_large
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                too_large = True
                return {"type": "http.disconnect"}
            return message

        async def guarded_send(message: Message) -> None:
            nonlocal started
            if too_large and not started:
                return
            started = True
            await send(message)

        try:
            await self._app(scope, limited_receive, guarded_send)
        except Exception:
            if not too_large:
                raise
        if too_large and not started:
            await failure(scope["path"], 413, "body_too_large")(scope, receive, send)

    def _most_of(self, path: str) -> int:
        for pattern, most in self._larger.items():
            if pattern.fullmatch(path):
                return most
        return self._most


class SecurityHeaders:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._frames = " ".join(
            part for part in (settings.card_origin, _origin(settings.chat_url)) if part
        )
        fixed = _FIXED if settings.sandbox else {**_FIXED, "Strict-Transport-Security": _HSTS}
        self._fixed = [(name.lower().encode(), value.encode()) for name, value in fixed.items()]
        self._of_calls = [
            *self._fixed,
            (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
            (b"cache-control", b"no-store"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_call = scope["path"].startswith(_CALLS)
        headers = self._of_calls if is_call else self._of_a_page(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                # A page that is not the console's brings its own policy.
                own = {name for name, _ in message["headers"]}
                missing = [header for header in headers if header[0] not in own]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _of_a_page(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["csp_nonce"] = nonce
        policy = (
            "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
            "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
            f"style-src 'self' 'nonce-{nonce}'; font-src 'self'; img-src 'self' data:; "
            f"manifest-src 'self'; frame-src {self._frames or chr(39) + 'none' + chr(39)}"
        )
        return [*self._fixed, (b"content-security-policy", policy.encode())]


def _origin(url: str) -> str:
    return "/".join(url.split("/")[:3]) if url else ""
