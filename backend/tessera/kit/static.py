"""Serves the built console: hashed files cached permanently, the page fresh with a nonce."""

import gzip
import html
import json
import mimetypes
import re
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tessera.kit.i18n import Language, negotiate

_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_FOREVER = "public, max-age=31536000, immutable"
# Written by the build from frontend/src/app/pages.ts.
_PAGES = ".vite/pages.json"
# Pages, which are sent with a policy or a nonce of their own.
_PAGE_FILES = {"index.html", "pdf.html", "request.html", "share.html"}


class SpaFiles:
    """Serves files of the build and, for every other path, the page: with status 200 where its
    router knows the path, else with 404, as it shows its own "not found" then."""

    def __init__(self, folder: Path, support_email: str = "") -> None:
        self._folder = folder.resolve()
        self._support_email = html.escape(support_email)
        self._page = self._read("index.html")
        declared = json.loads(self._read(_PAGES) or "[]")
        # "*" is the console's own "not found".
        paths = [page["path"] for page in declared if page["path"] != "*"]
        self._prerendered = {
            (path, language): page
            for path in paths
            for language in Language
            if (page := self._read(f"prerendered/{path[1:] or 'index'}.{language}.html"))
        }
        self._files = _list_files(self._folder)
        self._routes = re.compile("|".join(re.sub(r":\w+", "[^/]+", path) for path in paths))

    def _read(self, name: str) -> str | None:
        file = self._folder / name
        if not file.exists():
            return None
        page = file.read_text(encoding="utf-8")
        return page.replace("__SUPPORT_EMAIL__", self._support_email)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._respond(scope)(scope, receive, send)

    def _respond(self, scope: Scope) -> Response:
        if scope["method"] not in {"GET", "HEAD"}:
            return PlainTextResponse("Method not allowed", 405, {"Allow": "GET, HEAD"})
        path = scope["path"]
        file = self._files.get(path)
        if file is not None:
            return self._send_file(file, Headers(scope=scope))
        # Like the console's router, ignores case and a slash at the end.
        if self._routes.fullmatch(path.lower().rstrip("/") or "/"):
            return self._send_page(scope, 200)
        if "." in path or path.startswith("/assets/"):
            return PlainTextResponse("Not found", 404)
        return self._send_page(scope, 404)

    def _send_file(self, file: Path, headers: Headers) -> Response:
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        hashed = file.parent.name == "assets"
        common = {"Vary": "Accept-Encoding", "Cache-Control": _FOREVER if hashed else "no-cache"}
        accepted = headers.get("accept-encoding", "")
        for name, suffix in _ENCODINGS:
            packed = file.with_name(file.name + suffix)
            if name in accepted and packed.exists():
                return FileResponse(
                    packed, media_type=kind, headers={**common, "Content-Encoding": name}
                )
        return FileResponse(file, media_type=kind, headers=common)

    def _send_page(self, scope: Scope, status: int) -> Response:
        headers = Headers(scope=scope)
        language = negotiate(headers.get("accept-language"))
        page = self._prerendered.get((scope["path"], language), self._page)
        if page is None:
            return PlainTextResponse("The console has not been built: run make build.", 503)
        body = page.replace("__CSP_NONCE__", scope["state"]["csp_nonce"]).encode()
        common = {"Cache-Control": "no-store", "Vary": "Accept-Language, Accept-Encoding"}
        # Different on each request, so compressed on each request. It contains no user input, so
        # its length reveals nothing.
        if "gzip" in headers.get("accept-encoding", ""):
            body = gzip.compress(body, compresslevel=5)
            common["Content-Encoding"] = "gzip"
        return Response(body, status, media_type="text/html", headers=common)


def _list_files(folder: Path) -> dict[str, Path]:
    """Files of the build by their path in a URL: what somebody asks for never reaches the disk."""
    found = {}
    for file in folder.rglob("*"):
        name = file.relative_to(folder)
        # The build's own notes, such as .vite/manifest.json.
        hidden = any(part.startswith(".") for part in name.parts)
        page = file.name in _PAGE_FILES or file.parent.name == "prerendered"
        if not hidden and not page and file.is_file():
            found[f"/{name.as_posix()}"] = file
    return found
