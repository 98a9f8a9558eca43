"""Calls made directly answer as those that FastAPI makes."""

from typing import Annotated

import httpx
import pytest
from fastapi import Depends, FastAPI, Header, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.responses import PlainTextResponse

from tessera.api import ROUTERS
from tessera.authz.direct_calls import direct_call
from tessera.authz.errors import Forbidden
from tessera.authz.routes import FeatureRouter
from tessera.kit.responses import install_error_answers
from tests.security.attacker import error_of


async def _guard(request: Request) -> str:
    if "x-refused" in request.headers:
        raise Forbidden
    return str(request.url.path)


async def _of_another(guarded: Annotated[str, Depends(_guard)]) -> str:
    return guarded


Guarded = Annotated[str, Depends(_guard)]


class Shown(BaseModel):
    path: str
    number: int
    wanted: int


router = FeatureRouter("tests")


@router.get("/direct/{number}", status_code=201)
async def read(guarded: Guarded, number: int, wanted: int = 3) -> Shown:
    return Shown(path=guarded, number=number, wanted=wanted)


@router.get("/empty", status_code=204)
async def empty(guarded: Guarded) -> None:
    assert guarded


@router.get("/response")
async def own_response(guarded: Guarded) -> PlainTextResponse:
    return PlainTextResponse(guarded, 202)


@router.get("/header")
async def with_header(guarded: Guarded, given: Annotated[str, Header()]) -> str:
    return guarded + given


@router.get("/nested")
async def nested(guarded: Annotated[str, Depends(_of_another)]) -> str:
    return guarded


@router.get("/nameless", dependencies=[Depends(_guard)])
async def nameless() -> str:
    return "seen"


@router.post("/body")
async def with_body(guarded: Guarded, data: Shown) -> Shown:
    assert guarded
    return data


@pytest.fixture
def caller() -> httpx.AsyncClient:
    app = FastAPI()
    install_error_answers(app)
    app.router.routes += router.routes
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test/api")


async def test_arguments_and_answer(caller: httpx.AsyncClient) -> None:
    answer = await caller.get("/direct/7", params={"wanted": "9"})
    assert answer.status_code == 201
    assert answer.json() == {"path": "/api/direct/7", "number": 7, "wanted": 9}
    assert (await caller.get("/direct/7")).json()["wanted"] == 3


async def test_an_answer_without_a_body(caller: httpx.AsyncClient) -> None:
    answer = await caller.get("/empty")
    assert (answer.status_code, answer.content) == (204, b"")
    assert "content-length" not in answer.headers


async def test_a_response_of_the_endpoint(caller: httpx.AsyncClient) -> None:
    answer = await caller.get("/response")
    assert (answer.status_code, answer.text) == (202, "/api/response")


async def test_all_wrong_parameters_are_named(caller: httpx.AsyncClient) -> None:
    answer = await caller.get("/direct/x", params={"wanted": "y"})
    assert answer.status_code == 422
    assert answer.json()["fields"].keys() == {"number", "wanted"}


@pytest.mark.parametrize("path", ["/direct/x", "/empty", "/nested", "/nameless", "/header"])
async def test_the_guard_comes_first(caller: httpx.AsyncClient, path: str) -> None:
    answer = await caller.get(path, headers={"X-Refused": "yes", "Given": "x"})
    assert error_of(answer) == (403, "forbidden")


def test_what_fastapi_calls() -> None:
    routes = [route for route in router.routes if isinstance(route, APIRoute)]
    direct = {route.name for route in routes if direct_call(route)}
    assert direct == {"read", "empty", "own_response"}


def test_lists_are_called_directly() -> None:
    routes = [route for each in ROUTERS for route in each.routes if isinstance(route, APIRoute)]
    direct = {route.name for route in routes if direct_call(route)}
    assert {"list_members", "list_companies", "list_activity", "read_log"} <= direct
