"""Who may talk to the local page: only this user's browser, through the one-time link."""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tessera_client.texts import translate
from tessera_client.ui import ADDRESS, CONTROL_HEADER

# The page's calls carry it. Another origin cannot send it without asking first, and is refused.
CALL_HEADER = "x-tessera-page"

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
    " connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
_OPENED = (
    '<!doctype html><meta charset="utf-8"><title>Tessera</title>'
    '<meta http-equiv="refresh" content="0;url=/"><a href="/">Tessera</a>'
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


@dataclass
class Keys:
    """What proves that a caller is this user's browser, or another `tess` of this user."""

    port: int
    cookie: str = field(default_factory=secrets.token_urlsafe, repr=False)
    control: str = field(default_factory=secrets.token_urlsafe, repr=False)
    on_used: Callable[[str], None] = field(default=lambda _: None, repr=False)
    """Called with a link that will not be needed again."""
    links: set[str] = field(default_factory=set, repr=False)
    """Those that nobody has used."""

    @property
    def origin(self) -> str:
        return f"http://{ADDRESS}:{self.port}"

    @property
    def cookie_name(self) -> str:
        """Browsers send cookies to every port of a host."""
        return f"tess-{self.port}"

    def new_link(self) -> str:
        """An address that works once."""
        link = f"{self.origin}/open/{secrets.token_urlsafe()}"
        self.links.add(link)
        return link

    def use_link(self, secret: str) -> bool:
        link = f"{self.origin}/open/{secret}"
        if link not in self.links:
            return False
        self.links.discard(link)
        self.on_used(link)
        return True


class Guard:
    """Answers 403 to everybody else, and adds the security headers."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app = app
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in _HEADERS.items()),
                ]
            await send(message)

        answer = self._refuse(HTTPConnection(scope))
        await (answer or self._app)(scope, receive, send_with_headers)

    def _refuse(self, caller: HTTPConnection) -> Response | None:
        """Returns the answer to a caller who gets nothing else."""
        headers, keys, path = caller.headers, self._keys, caller.url.path
        is_here = headers.get("host") == f"{ADDRESS}:{keys.port}"
        if not is_here or headers.get("origin", keys.origin) != keys.origin:
            return _forbidden()
        if path.startswith("/open/"):
            return self._open(path.removeprefix("/open/"))
        if path.startswith("/control/"):
            is_known = _equal(headers.get(CONTROL_HEADER, ""), keys.control)
        else:
            is_known = self._is_page(caller)
        return None if is_known else _forbidden()

    def _is_page(self, caller: HTTPConnection) -> bool:
        headers, keys, path = caller.headers, self._keys, caller.url.path
        # EventSource cannot send custom headers.
        is_call = path.startswith("/api/") and path != "/api/events"
        return (
            _equal(caller.cookies.get(keys.cookie_name, ""), keys.cookie)
            and headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
            and (not is_call or CALL_HEADER in headers)
        )

    def _open(self, secret: str) -> Response:
        if not self._keys.use_link(secret):
            return _forbidden(translate("page.link_used"))
        # Not a redirect: the browser comes from a file, and would send the cookie only to a page
        # that this site itself leads to.
        answer = HTMLResponse(_OPENED)
        answer.set_cookie(
            self._keys.cookie_name, self._keys.cookie, httponly=True, samesite="strict", path="/"
        )
        return answer


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _forbidden(text: str = "") -> Response:
    return PlainTextResponse(text or translate("page.open_with"), status_code=403)
