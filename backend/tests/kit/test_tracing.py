"""Traces for an OpenTelemetry collector. security/test_canary.py searches them for secrets."""

import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from unittest.mock import AsyncMock

import httpx
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from tessera.integrations.clouds.protocol import CloudError, ConnectionFailure
from tessera.integrations.clouds.traced import TracedCloud
from tessera.kit import spans
from tessera.kit.database import Database
from tessera.kit.middleware import RequestContextMiddleware, TraceRequests
from tessera.kit.tracing import Tracing
from tessera.settings import Settings
from tessera.system.queries import waiting_work
from tests.fixtures.trace_collector import TraceCollector


@pytest.fixture
def tracing(collector: TraceCollector) -> Iterator[Tracing]:
    tracing = Tracing(collector.url, {})
    yield tracing
    tracing.stop()


@pytest.fixture
async def traced_database(tracing: Tracing, settings: Settings) -> AsyncIterator[Database]:
    async with Database(settings) as database:
        yield database


async def test_queries_are_children_of_their_request_and_named_after_their_function(
    collector: TraceCollector, tracing: Tracing, traced_database: Database
) -> None:
    async def answer(_: Request) -> PlainTextResponse:
        async with traced_database.without_tenant() as connection:
            await waiting_work(connection)
        return PlainTextResponse("")

    route = Route("/spaces/{space}", answer)

    async def app(scope: dict, receive: object, send: object) -> None:  # type: ignore[type-arg]
        scope["route"] = route
        await Starlette(routes=[route])(scope, receive, send)  # type: ignore[arg-type]

    transport = httpx.ASGITransport(app=TraceRequests(app))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
        sent = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
        await client.get("/spaces/canary?password=canary", headers=sent)
    tracing.stop()
    [request] = collector.named("GET ")
    assert request.name == "GET /spaces/{space}"
    assert request.attributes["http.response.status_code"] == 200
    # What a caller says of its own traces is not believed.
    assert (request.parent_id, request.trace_id.hex() == "a" * 32) == (b"", False)
    [query] = collector.named("query system.queries.waiting_work")
    assert (query.parent_id, query.trace_id) == (request.span_id, request.trace_id)
    assert query.attributes["db.response.returned_rows"] == 0
    assert "canary" not in collector.text
    assert "SELECT" not in collector.text


async def test_span_of_a_failure_tells_the_class_of_the_error_alone(
    collector: TraceCollector, tracing: Tracing
) -> None:
    with pytest.raises(ValueError, match="canary"), spans.span("outer"), spans.span("inner"):
        raise ValueError("canary-secret")
    tracing.stop()
    assert [span.attributes for span in collector.spans] == [{"error.type": "ValueError"}] * 2
    assert [span.events for span in collector.spans] == [0, 0]
    assert "canary" not in collector.text


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/broken", (500, "ValueError", True)),
        ("/cut", (200, "ValueError", True)),
        ("/busy", (503, "503", True)),
        ("/gone", (410, None, False)),
    ],
)
async def test_span_of_a_request_that_failed_is_marked(
    collector: TraceCollector, tracing: Tracing, path: str, outcome: tuple[int, str | None, bool]
) -> None:
    async def broken(_: Request) -> PlainTextResponse:
        raise ValueError("canary")

    async def cut(_: Request) -> StreamingResponse:
        async def parts() -> AsyncIterator[str]:
            yield "first"
            raise ValueError("canary")

        return StreamingResponse(parts())

    async def busy(_: Request) -> PlainTextResponse:
        return PlainTextResponse("", 503)

    async def gone(_: Request) -> PlainTextResponse:
        return PlainTextResponse("", 410)

    app = Starlette(
        routes=[Route(f"/{answer.__name__}", answer) for answer in (broken, cut, busy, gone)],
        middleware=[Middleware(TraceRequests), Middleware(RequestContextMiddleware)],
    )
    app.state.resources = SimpleNamespace(announcements=SimpleNamespace(is_closed=False))
    asgi = {"version": "3.0", "spec_version": "2.4"}
    scope = {"type": "http", "asgi": asgi, "method": "GET", "path": path, "headers": []}
    await app(scope, AsyncMock(), AsyncMock())
    tracing.stop()
    [request] = collector.spans
    attributes = request.attributes
    told = (attributes["http.response.status_code"], attributes.get("error.type"), request.failed)
    assert told == outcome
    assert "canary" not in collector.text


async def test_calls_to_clouds_tell_provider_and_outcome_and_never_names_of_objects(
    collector: TraceCollector, tracing: Tracing
) -> None:
    class Refusing:
        async def write(self, path: str, content: bytes) -> None:
            raise CloudError(ConnectionFailure.WRONG_KEY)

    cloud = TracedCloud(Refusing(), "s3")  # type: ignore[arg-type]
    with pytest.raises(CloudError):
        await cloud.write("canary/object", b"canary")
    tracing.stop()
    [span] = collector.spans
    assert span.name == "cloud s3 write"
    assert span.attributes == {"tessera.bytes": 6, "error.type": "CloudError"}
    assert "canary" not in collector.text


def test_collector_that_never_answers_delays_stopping_by_seconds_at_most() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        tracing = Tracing(f"http://127.0.0.1:{silent.getsockname()[1]}", {})
        for _ in range(3_000):
            with spans.span("lost"):
                pass
        began = time.monotonic()
        tracing.stop()
        # Each of the batches alone would wait five seconds for an answer.
        assert time.monotonic() - began < 4.5
    assert not spans.are_on()


def test_credentials_reach_the_collector_and_malformed_ones_of_the_environment_no_log(
    collector: TraceCollector, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization: Bearer canary-secret")
    settings = Settings(
        _env_file=None, otlp_headers=SecretStr("authorization=Basic dTpw=, x-team=a b")
    )
    tracing = Tracing(collector.url, settings.otlp_header_values)
    with spans.span("sent"):
        pass
    tracing.stop()
    sent = collector.text.lower()
    assert "authorization: basic dtpw=\n" in sent
    assert "x-team: a b\n" in sent
    assert "canary" not in caplog.text
    assert "canary" not in collector.text


@pytest.mark.extended
def test_service_without_an_endpoint_imports_no_tracing() -> None:
    program = (
        "import sys; from tessera.main import create_app; create_app();"
        "print([name for name in sys.modules if name.startswith('opentelemetry.sdk')"
        " or name.startswith('google.protobuf') or name == 'tessera.kit.tracing'])"
    )
    environment = {
        "PYTHONPATH": ":".join(sys.path),
        "TESSERA_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "TESSERA_DATABASE_PLATFORM_URL": "postgresql://nobody@127.0.0.1:1/none",
        "TESSERA_PLATFORM_KEY": "A" * 43 + "=",
    }
    result = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"
