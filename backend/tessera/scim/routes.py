"""Routes below /scim/v2: bodies and errors in SCIM's own forms."""

import json
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import asyncpg
import msgspec
import structlog
from fastapi import APIRouter, Request
from pydantic import ValidationError
from scim2_models import Context, Error, Resource, ResponseParameters, SCIMException
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tessera.authz.routes import TransactionalRoute
from tessera.errors import TesseraError
from tessera.kit.database import DatabaseAway
from tessera.kit.i18n import current_language, translate
from tessera.kit.responses import SCIM_MEDIA_TYPE, scim_failure
from tessera.members.errors import TeamLeaderCannotBeDisabled, TeamLeaderCannotBeRemoved
from tessera.scim.errors import ScimBodyInvalid, ScimError, ScimLeaderProtected, ScimPagingInvalid
from tessera.scim.models import POLICY

PREFIX = "/scim/v2"

log = structlog.get_logger()

# The same call may succeed next time.
_BUSY = (
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresConnectionError,
    DatabaseAway,
)


class ScimRoute(TransactionalRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def with_scim_errors(request: Request) -> Response:
            try:
                with POLICY:
                    return await handle(request)
            except RecursionError:
                # A path or filter that is nested too deeply.
                return _failure(ScimBodyInvalid())
            except (TesseraError, ValidationError, SCIMException, HTTPException, *_BUSY) as error:
                return _failure(error)

        return with_scim_errors


class ScimRouter(APIRouter):
    """Not in the API's description: SCIM describes itself (/Schemas, /ResourceTypes)."""

    def __init__(self) -> None:
        super().__init__(
            prefix=PREFIX, tags=["scim"], route_class=ScimRoute, include_in_schema=False
        )


def _failure(error: Exception) -> Response:
    if isinstance(error, (TeamLeaderCannotBeDisabled, TeamLeaderCannotBeRemoved)):
        error = ScimLeaderProtected()
    elif isinstance(error, HTTPException):
        error = ScimBodyInvalid()
    elif isinstance(error, SCIMException):
        return _refusal(error.to_error())
    elif isinstance(error, ValidationError):
        return _refusal(Error.from_validation_errors(error)[0])
    if not isinstance(error, TesseraError):
        log.warning("database ended a transaction", error=type(error).__name__)
        return scim_failure(503, translate("errors.busy", current_language.get()), retry_after=1)
    return scim_failure(
        error.status,
        translate(f"errors.{error.code}", current_language.get(), **error.params),
        scim_type=error.scim_type if isinstance(error, ScimError) else "",
        retry_after=error.retry_after,
    )


def _refusal(error: Error) -> Response:
    return scim_failure(error.status or 400, error.detail or "", scim_type=error.scim_type or "")


async def json_body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise ScimBodyInvalid from None
    if not isinstance(body, dict):
        raise ScimBodyInvalid
    return body


def query(request: Request) -> dict[str, Any]:
    """The query parameters; each may be given once."""
    params = request.query_params
    if len(params.multi_items()) != len(params):
        raise ScimPagingInvalid
    return dict(params)


def answer(
    resource: Resource[Any],
    context: Context,
    parameters: ResponseParameters[Any] | None = None,
    *,
    status: int = 200,
) -> Response:
    body = resource.model_dump(scim_ctx=context, response_parameters=parameters)
    return plain(body, status=status, headers=located(resource, status))


def located(resource: Resource[Any], status: int) -> dict[str, str]:
    meta = resource.meta
    headers = {"Content-Location": str(meta.location)} if meta and meta.location else {}
    if meta and meta.version:
        headers["ETag"] = meta.version
    if status == 201 and meta and meta.location:
        headers["Location"] = str(meta.location)
    return headers


def plain(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """`body` may hold parts that are JSON already."""
    return Response(
        msgspec.json.encode(body),
        status_code=status,
        headers=headers,
        media_type=SCIM_MEDIA_TYPE,
    )
