"""Turns errors into responses: {code, message, fields} in the user's language."""

from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from tessera.errors import TesseraError, Text
from tessera.kit.database import DatabaseAway
from tessera.kit.i18n import Language, current_language, translate
from tessera_core.provider import Translated

log = structlog.get_logger()

_CODES = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}


# The validator's errors and our messages for them; `invalid` for all others.
FIELD_CODES = {
    "missing": "missing",
    "string_too_long": "too_long",
    "too_long": "too_long",
    "string_too_short": "too_short",
    "too_short": "too_short",
    "extra_forbidden": "unexpected",
    "literal_error": "choice",
    "enum": "choice",
    "int_type": "number",
    "int_parsing": "number",
    "int_from_float": "number",
    "greater_than_equal": "range",
    "less_than_equal": "range",
}


class ErrorResponse(BaseModel):
    code: str
    message: str
    fields: dict[str, str] | None = None


DOCUMENTED_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse} for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}

# For an endpoint that returns plain text. Its errors stay JSON: set `Response` as its class.
TEXT: dict[str, Any] = {"content": {"text/plain": {"schema": {"type": "string"}}}}


def answer(
    status: int,
    code: str,
    *,
    message_key: str = "",
    fields: Mapping[str, str | Translated[str]] | None = None,
    extra: Mapping[str, object] | None = None,
    params: Mapping[str, object] | None = None,
    retry_after: int | None = None,
) -> JSONResponse:
    language = current_language.get()
    filled = {name: _param(value, language) for name, value in (params or {}).items()}
    body: dict[str, object] = {
        "code": code,
        "message": translate(f"errors.{message_key or code}", language, **filled),
        **(extra or {}),
    }
    if fields:
        body["fields"] = {
            name: field_message(message, language) for name, message in fields.items()
        }
    headers = {"Retry-After": str(retry_after)} if retry_after else None
    return JSONResponse(body, status_code=status, headers=headers)


SCIM_MEDIA_TYPE = "application/scim+json"


def scim_failure(
    status: int, detail: str, *, scim_type: str = "", retry_after: int | None = None
) -> JSONResponse:
    """An error as SCIM's clients expect it (RFC 7644, 3.12)."""
    body = {
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
        "status": str(status),
        **({"scimType": scim_type} if scim_type else {}),
        "detail": detail,
    }
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(body, status_code=status, headers=headers, media_type=SCIM_MEDIA_TYPE)


def failure(path: str, status: int, code: str, *, retry_after: int | None = None) -> JSONResponse:
    """For what fails before the call is reached, in the form of the path."""
    if path.startswith("/scim/"):
        detail = translate(f"errors.{code}", current_language.get())
        return scim_failure(status, detail, retry_after=retry_after)
    return answer(status, code, retry_after=retry_after)


def field_message(message: str | Translated[str], language: Language) -> str:
    if isinstance(message, Translated):
        return message.read(language)
    return translate(f"fields.{message}", language)


def _param(value: object, language: Language) -> object:
    if not isinstance(value, Text):
        return value
    text = translate(value.key, language)
    return translate(value.fallback, language) if text == value.key else text


def install_error_answers(app: FastAPI) -> None:
    @app.exception_handler(TesseraError)
    async def business_failure(_: Request, error: TesseraError) -> JSONResponse:
        return answer(
            error.status,
            error.code,
            message_key=error.message_key,
            fields=error.fields,
            extra=error.extra,
            params=error.params,
            retry_after=error.retry_after,
        )

    @app.exception_handler(RequestValidationError)
    async def bad_input(_: Request, error: RequestValidationError) -> JSONResponse:
        return answer(422, "invalid_input", fields=_field_codes(error.errors()))

    # OperatorInterventionError is a statement timeout, or a database shutting down or starting up.
    # SerializationError is a read on the replica that stood in the way of its replay.
    @app.exception_handler(asyncpg.DeadlockDetectedError)
    @app.exception_handler(asyncpg.SerializationError)
    @app.exception_handler(asyncpg.OperatorInterventionError)
    @app.exception_handler(asyncpg.PostgresConnectionError)
    @app.exception_handler(DatabaseAway)
    async def too_busy(_: Request, error: Exception) -> JSONResponse:
        """PostgreSQL has rolled back the transaction; the same request may succeed next time."""
        log.warning("database ended a transaction", error=type(error).__name__)
        return answer(503, "busy", retry_after=1)

    @app.exception_handler(HTTPException)
    async def framework_failure(_: Request, error: HTTPException) -> JSONResponse:
        return answer(error.status_code, _CODES.get(error.status_code, "bad_request"))


def _field_codes(errors: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Uses our own messages instead of the validator's, which may repeat user input."""
    fields = {}
    for error in errors:
        path = [str(part) for part in error["loc"][1:]] or [str(error["loc"][0])]
        fields[".".join(path)] = _field_code(error)
    return fields


def _field_code(error: Mapping[str, Any]) -> str:
    own = error.get("ctx", {}).get("error")
    if isinstance(own, FieldError):
        return own.message
    return FIELD_CODES.get(error["type"], "invalid")


class FieldError(ValueError):
    """Raised by validators with the key of a message under `fields` in the catalogues."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)
