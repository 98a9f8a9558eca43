"""Typed rows. A query's result is a frozen struct that names the columns it takes."""

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar

import asyncpg
from msgspec import Struct
from pydantic import BaseModel

from tessera.kit.database import Connection

RowType = TypeVar("RowType", bound=Struct)
ModelType = TypeVar("ModelType", bound=BaseModel)


async def fetch_row(
    connection: Connection, kind: type[RowType], statement: str, *values: object
) -> RowType | None:
    record = await connection.fetchrow(statement, *values)
    return to_row(kind, record) if record is not None else None


async def fetch_one(
    connection: Connection, kind: type[RowType], statement: str, *values: object
) -> RowType:
    """Of a statement that always returns a row."""
    row = await fetch_row(connection, kind, statement, *values)
    assert row is not None
    return row


async def fetch_rows(
    connection: Connection, kind: type[RowType], statement: str, *values: object
) -> list[RowType]:
    return to_rows(kind, await connection.fetch(statement, *values))


async def fetch_column(connection: Connection, statement: str, *values: object) -> list[Any]:
    """Of a statement with one column."""
    return [value for (value,) in await connection.fetch(statement, *values)]


async def fetch_models(
    connection: Connection, kind: type[ModelType], statement: str, *values: object
) -> list[ModelType]:
    """For rows that the API shows as they are: the columns are the model's fields."""
    return [kind(**dict(record)) for record in await connection.fetch(statement, *values)]


def columns(kind: type[Struct], table: str, **computed: str) -> str:
    """Lists a struct's columns for a statement; `computed` has those that the table lacks."""
    return ", ".join(
        f"{computed[name]} AS {name}" if name in computed else f"{table}.{name}"
        for name in kind.__struct_fields__
    )


def to_row(kind: type[RowType], record: asyncpg.Record) -> RowType:
    return kind(*_columns(kind)(record))


def to_rows(kind: type[RowType], records: list[asyncpg.Record]) -> list[RowType]:
    columns = _columns(kind)
    return [kind(*columns(record)) for record in records]


@cache
def _columns(kind: type[Struct]) -> Callable[[asyncpg.Record], tuple[Any, ...]]:
    # itemgetter returns a tuple only for two names or more; a single column is a fetchval.
    assert len(kind.__struct_fields__) > 1
    return itemgetter(*kind.__struct_fields__)
