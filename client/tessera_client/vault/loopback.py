"""A port of this computer to which a browser comes back once (RFC 8252)."""

import hmac
import html
import queue
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qs, urlsplit

from tessera_client.texts import current_language, translate

_ADDRESS = "127.0.0.1"
# For a whole request: other users of the computer can connect, too.
_REQUEST_SECONDS = 10.0
_WAKE_SECONDS = 0.5


class Loopback:
    """Takes the first request that knows the state, which is not in the address that the browser
    was opened with, and answers all others with 404."""

    def __init__(self) -> None:
        self.state = secrets.token_urlsafe(32)
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._taken = threading.Lock()
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            timeout = _REQUEST_SECONDS

            def do_GET(self) -> None:
                loopback._answer(self)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Whoever hangs up is not of interest."""

        self._server = Server((_ADDRESS, 0), Handler)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait(self, seconds: float) -> str | None:
        """Returns the code, or None if the person refused. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # In short steps: some systems interrupt no longer wait.
            try:
                return self._answers.get(timeout=_WAKE_SECONDS)
            except queue.Empty:
                continue
        raise TimeoutError

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        query = parse_qs(parts.query)
        state = query.get("state", [""])[0]
        if (
            parts.path != "/"
            or not hmac.compare_digest(state.encode(), self.state.encode())
            or not self._taken.acquire(blocking=False)
        ):
            request.send_error(404)
            return
        code = query.get("code", [None])[0]
        content = _page("notices.login_confirmed" if code else "notices.login_refused")
        request.send_response(200)
        for name, value in (
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(content))),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Connection", "close"),
        ):
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(content)
        self._answers.put(code)


def _page(text: str) -> bytes:
    language = current_language()
    return f"""<!doctype html>
<html lang="{language}" dir="{language.direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Tessera</title>
<p>{html.escape(translate(text))}</p>
</html>
""".encode()
