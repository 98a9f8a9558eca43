"""A database connection whose statements are spans, named after the function that made them.
Neither their text nor their values are told."""

import sys
from types import FrameType
from typing import TYPE_CHECKING, Any

import asyncpg

from tessera.kit import spans

if TYPE_CHECKING:
    _Connection = asyncpg.Connection[asyncpg.Record]
else:
    _Connection = asyncpg.Connection

# Between the function that makes a statement and the connection.
_BETWEEN = ("asyncpg.", "contextlib", "tessera.kit.")


class TracedConnection(_Connection):
    """Its methods have the signatures of asyncpg's."""

    async def execute(self, *given: Any, **options: Any) -> str:  # noqa: ANN401
        with spans.span(_name()) as span:
            span.set_attribute("db.system.name", "postgresql")
            return await super().execute(*given, **options)

    async def fetch(self, *given: Any, **options: Any) -> Any:  # noqa: ANN401
        with spans.span(_name()) as span:
            span.set_attribute("db.system.name", "postgresql")
            rows = await super().fetch(*given, **options)
            span.set_attribute("db.response.returned_rows", len(rows))
            return rows

    async def fetchrow(self, *given: Any, **options: Any) -> Any:  # noqa: ANN401
        with spans.span(_name()) as span:
            span.set_attribute("db.system.name", "postgresql")
            row = await super().fetchrow(*given, **options)
            span.set_attribute("db.response.returned_rows", 0 if row is None else 1)
            return row

    async def fetchval(self, *given: Any, **options: Any) -> Any:  # noqa: ANN401
        with spans.span(_name()) as span:
            span.set_attribute("db.system.name", "postgresql")
            return await super().fetchval(*given, **options)


def _name() -> str:
    """The nearest function of a feature, such as `query members.queries.find`; for what begins and
    ends transactions, the one that holds them."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the stack has no public name
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("tessera.") and not module.startswith(_BETWEEN):
            return f"query {module.removeprefix('tessera.')}.{frame.f_code.co_name}"
        frame = frame.f_back
    return "query"
