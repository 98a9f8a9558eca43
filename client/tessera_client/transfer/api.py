"""Calls of the service."""

import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from tessera_client.errors import (
    ClientError,
    ComputerRemoved,
    NotLoggedIn,
    Unreachable,
    WrongUsage,
)
from tessera_client.texts import current_language, translate, visible
from tessera_client.transfer.answers import (
    AnswerMalformed,
    Form,
    Problem,
    check_form,
    decode_json,
)
from tessera_client.transfer.http import (
    Connections,
    Headers,
    TooLong,
    TooSlow,
    Transport,
    read_body,
)
from tessera_client.transfer.network import LOOPBACK, Blocked, NoAnswer, NotConnected
from tessera_core.version import __version__

TIMEOUT_SECONDS = 60.0
# For a whole answer. A page of a log has up to 1.4 MiB, which takes 40 seconds on a slow line.
ANSWER_SECONDS = 300.0
# The longest answers are links to 64 packs on 16 warehouses, with about 4 MiB.
MAX_ANSWER_BYTES = 32 * 2**20
MAX_MESSAGE_CHARACTERS = 1000
MAX_ATTEMPTS = 5
MAX_PAUSE_SECONDS = 30

_SECONDS = re.compile(r"[0-9]{1,9}", re.ASCII)
_CODE = re.compile(r"[a-z0-9_]{1,64}", re.ASCII)
_DOWN = {502, 503, 504}
_RETRIED = {429, *_DOWN}
# Appending an entry and sending a code must not happen twice.
_REPEATABLE = {"GET", "PUT"}


class ApiError(ClientError):
    """The service refused a call; `code` is its stable name of the reason."""

    def __init__(self, status: int, code: str, message: str, reason: object = None) -> None:
        super().__init__(message, code=code, details={"status": status})
        self.status = status
        self.reason = reason


def normalize_origin(url: str) -> str:
    """Returns scheme, host and port of a service's address. Only loopback works without TLS."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    host = parts.hostname or ""
    if parts.scheme not in {"http", "https"} or not host or parts.username:
        raise WrongUsage.from_code("bad_address", url=url)
    if parts.scheme == "http" and host not in LOOPBACK:
        raise WrongUsage(translate("errors.address_without_tls"), code="bad_address")
    return f"{parts.scheme}://{parts.netloc}"


@dataclass(frozen=True)
class _Response:
    status: int
    headers: Headers
    content: bytearray

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


class Api:
    """One signed-in account's calls; thread-safe."""

    def __init__(
        self, origin: str, token: str | None = None, transport: Transport | None = None
    ) -> None:
        self.origin = origin
        self._http = transport or Connections(TIMEOUT_SECONDS, ANSWER_SECONDS)
        self.token = token
        self.on_removed: Callable[[], None] = lambda: None
        """Called when the service says that the account or this computer was removed."""

    def close(self) -> None:
        self._http.close()

    def time(self) -> float | None:
        """The service's clock; None if it does not say."""
        try:
            shown = self._exchange("GET", "/healthz", {}).headers.get("date")
        except NoAnswer as error:
            raise _unreachable(self.origin, error) from error
        try:
            return parsedate_to_datetime(shown).timestamp() if shown else None
        except (ValueError, TypeError, OverflowError):
            return None

    def get(self, path: str, form: type[Form], **query: str | int | bool) -> Form:
        return self.call("GET", path, form, query=query)

    def put(self, path: str, form: type[Form], body: Mapping[str, Any]) -> Form:
        return self.call("PUT", path, form, body)

    def post(
        self,
        path: str,
        form: type[Form],
        body: Mapping[str, Any] | None = None,
        *,
        repeat: bool = False,
    ) -> Form:
        """`repeat` says that the call may safely be made twice."""
        return self.call("POST", path, form, body, repeat=repeat)

    def call(
        self,
        method: str,
        path: str,
        form: type[Form],
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, str | int | bool] | None = None,
        repeat: bool = False,
    ) -> Form:
        response = self._send(method, path, body, query, repeat or method in _REPEATABLE)
        if not response.is_success:
            error = _error(response)
            if isinstance(error, ComputerRemoved):
                self.on_removed()
            raise error
        try:
            return _read(response, form)
        except ValueError:
            raise AnswerMalformed(method, path) from None

    def send_bytes(self, path: str, content: bytes, headers: Mapping[str, str]) -> None:
        """Posts bytes as they are; may safely be done twice."""
        own = {"Content-Type": "application/octet-stream", **self._language}
        response = self._repeat("POST", f"/api{path}", {**own, **headers}, content, repeat=True)
        if not response.is_success:
            raise _error(response)

    @property
    def _language(self) -> dict[str, str]:
        return {"Accept-Language": str(current_language())}

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int | bool] | None,
        repeat: bool,
    ) -> _Response:
        headers = self._language
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = b""
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = msgspec.json.encode(body)
        target = f"/api{path}"
        if query:
            target += f"?{urlencode({key: _query_value(query[key]) for key in query})}"
        return self._repeat(method, target, headers, content, repeat=repeat)

    def _repeat(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes, *, repeat: bool
    ) -> _Response:
        for attempt in range(1, MAX_ATTEMPTS + 1):
            last = attempt == MAX_ATTEMPTS
            try:
                response = self._exchange(method, target, headers, content)
            except NoAnswer as error:
                connected = not isinstance(error, NotConnected)
                stays = isinstance(error, TooSlow) or (
                    isinstance(error, Blocked) and not error.may_pass
                )
                if last or (connected and not repeat) or stays:
                    raise _unreachable(self.origin, error) from error
                pause = backoff(attempt)
            else:
                asked = response.headers.get("retry-after") or ""
                pause = float(asked) if _SECONDS.fullmatch(asked) else backoff(attempt)
                too_long = pause > MAX_PAUSE_SECONDS
                if last or not repeat or too_long or response.status not in _RETRIED:
                    return response
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _exchange(
        self, method: str, target: str, headers: Mapping[str, str], content: bytes = b""
    ) -> _Response:
        own = {"User-Agent": f"tess/{__version__}"}
        if content or method != "GET":
            own["Content-Length"] = str(len(content))
        url, sent = f"{self.origin}{target}", (content,) if content else ()
        with self._http.send(method, url, {**own, **headers}, sent) as response:
            try:
                answer = read_body(response, MAX_ANSWER_BYTES)
            except TooLong:
                raise AnswerMalformed(method, target.partition("?")[0]) from None
            return _Response(response.status, response.headers, answer)


def _query_value(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def backoff(attempt: int) -> float:
    """Seconds to wait after a failed attempt: 0.5, 1, 2, 4, each up to half as long again."""
    return float(2 ** (attempt - 2)) * random.uniform(1, 1.5)  # noqa: S311 - not a secret


def is_offline(error: Exception) -> bool:
    """Whether the service was not reached, so that it may work later."""
    is_down = isinstance(error, ApiError) and error.status in _DOWN
    return is_down or isinstance(error, Unreachable)


def _unreachable(origin: str, error: NoAnswer) -> ClientError:
    if isinstance(error, Blocked):
        return Unreachable(str(error), code=error.code)
    return Unreachable.from_code("unreachable", origin=origin)


def _read(response: _Response, form: type[Form]) -> Form:
    kind = response.headers.get("content-type") or ""
    if response.content and kind.startswith("application/json"):
        return decode_json(response.content, form)
    return check_form(response.content.decode() or None, form)


def _error(response: _Response) -> ClientError:
    try:
        problem = decode_json(response.content, Problem)
    except ValueError:
        problem = Problem()
    code, message = problem.code, problem.message
    if not (isinstance(code, str) and _CODE.fullmatch(code)):
        code = f"http_{response.status}"
    if not (isinstance(message, str) and 0 < len(message) <= MAX_MESSAGE_CHARACTERS):
        message = translate("errors.http_status", status=response.status)
    if response.status == 401 and code != "login_failed":
        return ComputerRemoved() if code == "session_ended" else NotLoggedIn()
    return ApiError(response.status, code, visible(message), problem.reason)
