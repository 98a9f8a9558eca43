"""Sends spans to an OpenTelemetry collector. Imported only if TESSERA_OTLP_ENDPOINT is set."""

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, Status, StatusCode, use_span

from tessera.kit import spans
from tessera_core.version import __version__

# What sending the last spans may take when the process stops.
STOP_SECONDS = 2
# The exporter also reads headers from the environment, and this logger repeats those it refuses.
logging.getLogger("opentelemetry.util.re").setLevel(logging.ERROR)


class _Span:
    def __init__(self, span: Span) -> None:
        self._span = span
        self.set_attribute = span.set_attribute
        self.update_name = span.update_name

    def fail(self, error_type: str) -> None:
        self._span.set_attribute("error.type", error_type)
        self._span.set_status(Status(StatusCode.ERROR))


class Tracing:
    """Its provider is not OpenTelemetry's global one: libraries that would trace by themselves,
    with addresses and values in their spans, find none."""

    def __init__(self, endpoint: str, headers: Mapping[str, str]) -> None:
        # Without the detectors, which add the machine's name and the command line.
        resource = Resource({"service.name": "tessera", "service.version": __version__})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPSpanExporter(f"{endpoint}/v1/traces", headers=dict(headers), timeout=5)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("tessera", __version__)
        spans.start_with(self._span)

    @contextmanager
    def _span(self, name: str) -> Iterator[spans.Span]:
        started = self._tracer.start_span(name)
        span = _Span(started)
        try:
            # An error's message and stack hold values; its class is enough.
            with use_span(started, record_exception=False, set_status_on_exception=False):
                yield span
        except BaseException as error:
            span.fail(type(error).__name__)
            raise
        finally:
            started.end()

    def stop(self) -> None:
        spans.start_with(None)
        # Without a collector it takes as long as each batch in the queue, whatever it is told.
        last = threading.Thread(target=self._provider.shutdown, daemon=True)
        last.start()
        last.join(STOP_SECONDS)
