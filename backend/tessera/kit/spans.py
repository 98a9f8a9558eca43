"""Spans of traces: what was called, how long it took, how it ended. Names are those of the code,
and values are numbers and words of ours: never what somebody has entered, stored or is called.
Until `kit/tracing.py` starts, which alone needs OpenTelemetry, a span is nothing."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol


class Span(Protocol):
    def set_attribute(self, key: str, value: str | int) -> None: ...

    def update_name(self, name: str) -> None: ...

    def fail(self, error_type: str) -> None:
        """With the class of an error, never its message, or an HTTP status."""


Start = Callable[[str], AbstractContextManager[Span]]


class _NoSpan:
    def set_attribute(self, key: str, value: str | int) -> None:
        pass

    def update_name(self, name: str) -> None:
        pass

    def fail(self, error_type: str) -> None:
        pass


_nothing = nullcontext(_NoSpan())
_start: Start | None = None


def start_with(start: Start | None) -> None:
    global _start  # noqa: PLW0603
    _start = start


def are_on() -> bool:
    return _start is not None


def span(name: str) -> AbstractContextManager[Span]:
    return _nothing if _start is None else _start(name)
