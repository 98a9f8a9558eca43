"""Calls endpoints without FastAPI's general way, which for each request looks again at every
dependency and every kind of parameter: 10 % more processor time for a list of members (6
interleaved rounds)."""

from collections.abc import Callable, Coroutine
from inspect import iscoroutinefunction, signature
from typing import Any

from fastapi import Request
from fastapi.dependencies.utils import request_params_to_args
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def direct_call(route: APIRoute) -> Handler | None:
    """For an endpoint whose arguments are in path and query, or made by dependencies that take the
    request alone, such as a guard. None for any other, which FastAPI calls."""
    dependant, endpoint = route.dependant, route.endpoint
    # No argument takes what a nameless one returns: FastAPI calls such an endpoint.
    dependencies: dict[str, Any] = {one.name or "": one.call for one in dependant.dependencies}
    path, query = dependant.path_params, dependant.query_params
    known = {*dependencies, *(field.name for field in (*path, *query))}
    if (
        not iscoroutinefunction(endpoint)
        or known != signature(endpoint).parameters.keys()
        or any([*signature(call).parameters] != ["request"] for call in dependencies.values())
    ):
        return None
    respond = _responder(route)

    async def call(request: Request) -> Response:
        values: dict[str, Any] = {}
        for name, dependency in dependencies.items():
            values[name] = await dependency(request)
        if path or query:
            from_path, path_errors = request_params_to_args(path, request.path_params)
            from_query, query_errors = request_params_to_args(query, request.query_params)
            if path_errors or query_errors:
                raise RequestValidationError(path_errors + query_errors)
            values |= from_path | from_query
        return respond(await endpoint(**values))

    return call


def _responder(route: APIRoute) -> Callable[[Any], Response]:
    status = route.status_code or 200
    if route.response_field is None:
        return lambda answer: answer or Response(status_code=status)
    adapter = TypeAdapter[Any](route.response_model)

    def respond(answer: object) -> Response:
        if isinstance(answer, Response):
            return answer
        checked = adapter.validate_python(answer, from_attributes=True)
        content = adapter.dump_json(checked, by_alias=True)
        return Response(content, status, media_type="application/json")

    return respond


def as_app(handle: Handler) -> ASGIApp:
    """FastAPI's own has stacks for dependencies that end after the response; ours have none.
    Errors go to Starlette's middleware, which answers them."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handle(Request(scope, receive, send))
        await response(scope, receive, send)

    return app
