"""Calls of the service."""

import random
import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import httpx

from tessera_client.errors import ClientError, NotLoggedIn, WrongUsage
from tessera_client.texts import current_language, translate
from tessera_client.version import __version__

# Parsed JSON; a test compares what is used of it with the service's OpenAPI.
Answer: TypeAlias = Any

TIMEOUT_SECONDS = 60.0
MAX_ATTEMPTS = 5
MAX_PAUSE_SECONDS = 30
LOOPBACK = {"127.0.0.1", "localhost", "::1"}

_RETRIED = {429, 502, 503, 504}
# Appending an entry and sending a code must not happen twice.
_REPEATABLE = {"GET", "PUT"}


class ApiError(ClientError):
    """The service refused a call; `code` is its stable name of the reason."""

    def __init__(self, status: int, code: str, message: str, extra: Mapping[str, Any]) -> None:
        super().__init__(message, code=code, details={"status": status})
        self.status = status
        self.extra = extra


def normalize_origin(url: str) -> str:
    """Returns scheme, host and port of a service's address. Only loopback works without TLS."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not host or parts.username:
        raise WrongUsage(translate("errors.bad_address", url=url), code="bad_address")
    if parts.scheme == "http" and host not in LOOPBACK:
        raise WrongUsage(translate("errors.address_without_tls"), code="bad_address")
    return f"{parts.scheme}://{parts.netloc}"


@cache
def tls_context() -> ssl.SSLContext:
    """Made once: reading the certificates takes longer than a call."""
    return httpx.create_ssl_context()


class Api:
    """One signed-in account's calls; thread-safe."""

    def __init__(
        self, origin: str, token: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.origin = origin
        self._http = httpx.Client(
            base_url=f"{origin}/api",
            timeout=TIMEOUT_SECONDS,
            transport=transport,
            verify=tls_context(),
            headers={"User-Agent": f"tess/{__version__}"},
        )
        self.token = token

    def close(self) -> None:
        self._http.close()

    def time(self) -> float | None:
        """The service's clock; None if it does not say."""
        try:
            shown = self._http.get(f"{self.origin}/healthz").headers.get("date")
        except httpx.TransportError as error:
            raise _unreachable(self.origin) from error
        return parsedate_to_datetime(shown).timestamp() if shown else None

    def get(self, path: str, **query: str | int | bool) -> Answer:
        return self.call("GET", path, query=query)

    def put(self, path: str, body: Mapping[str, Any]) -> Answer:
        return self.call("PUT", path, body)

    def post(
        self, path: str, body: Mapping[str, Any] | None = None, *, repeat: bool = False
    ) -> Answer:
        """`repeat` says that the call may safely be made twice."""
        return self.call("POST", path, body, repeat=repeat)

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, str | int | bool] | None = None,
        repeat: bool = False,
    ) -> Answer:
        response = self._send(method, path, body, query, repeat or method in _REPEATABLE)
        if response.is_success:
            if not response.content:
                return None
            is_json = response.headers.get("content-type", "").startswith("application/json")
            return response.json() if is_json else response.text
        raise _error(response)

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int | bool] | None,
        repeat: bool,
    ) -> httpx.Response:
        headers = {"Accept-Language": str(current_language())}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for attempt in range(1, MAX_ATTEMPTS + 1):
            last = attempt == MAX_ATTEMPTS
            try:
                response = self._http.request(
                    method, path, json=body, params=query, headers=headers
                )
            except httpx.TransportError as error:
                connected = not isinstance(error, httpx.ConnectError)
                if last or (connected and not repeat):
                    raise _unreachable(self.origin) from error
                pause = backoff(attempt)
            else:
                pause = float(response.headers.get("retry-after") or backoff(attempt))
                too_long = pause > MAX_PAUSE_SECONDS
                if last or not repeat or too_long or response.status_code not in _RETRIED:
                    return response
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")


def backoff(attempt: int) -> float:
    """Seconds to wait after a failed attempt: 0.5, 1, 2, 4, each up to half as long again."""
    return float(2 ** (attempt - 2)) * random.uniform(1, 1.5)  # noqa: S311 - not a secret


def _unreachable(origin: str) -> ClientError:
    return ClientError(translate("errors.unreachable", origin=origin), code="unreachable")


def _error(response: httpx.Response) -> ClientError:
    try:
        body = response.json()
        extra = body if isinstance(body, dict) else {}
    except ValueError:
        extra = {}
    code = str(extra.get("code", f"http_{response.status_code}"))
    message = str(
        extra.get("message", translate("errors.http_status", status=response.status_code))
    )
    if response.status_code == 401 and code != "login_failed":
        return NotLoggedIn()
    return ApiError(response.status_code, code, message, extra)
