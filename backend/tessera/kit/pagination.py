"""Paged lists. A feature names its table and fields in a `Listing`; request parameters only choose
among those names and are passed to PostgreSQL as values, never as SQL text.

Total and page come from one statement: the total with the page joined on, so that a page past the
end still has it. The total of a whole list is kept by triggers (`row_counts`); a selection is
counted up to `MAX_COUNTED`. The page is found by its keys alone (an index is enough for that,
however deep), and only its few rows are fetched in full.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar

import asyncpg
from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from msgspec import Struct
from pydantic import BaseModel, ValidationError
from pydantic import Field as PydanticField
from starlette.datastructures import QueryParams

from tessera.errors import TesseraError
from tessera.kit.database import Connection
from tessera.kit.filters import (
    Field,
    Filter,
    FilterNotUnderstood,
    condition,
    is_storable,
    parse_filter,
)
from tessera.kit.rows import RowType, fetch_rows, to_rows
from tessera.kit.schemas import ApiModel

T = TypeVar("T")

LARGEST_PAGE = 100
MAX_FILTERS = 10
LONGEST_KEPT = 1_000
# Larger selections have this total, and their answer says that there are more rows.
MAX_COUNTED = 10_000


class SortNotUnderstood(TesseraError, status=422): ...


def _without_default(schema: dict[str, Any]) -> None:
    """Makes the field optional for generated clients, who never see its default."""
    del schema["default"]


class Page(ApiModel, Generic[T]):
    item1: list[T]
    item2: int
    total_capped: bool = PydanticField(
        False,
        exclude_if=lambda capped: not capped,
        description="Only present, and true, if there are more rows than `item2`.",
        json_schema_extra=_without_default,
    )


@dataclass(frozen=True)
class Listing(Generic[RowType]):
    """`source` is enough to find and order rows by `key`; `rows` joins the displayed data. The
    values that its calls take fill the placeholders $1, $2, ... of `where`."""

    kind: type[RowType]
    source: str
    columns: str
    key: str
    fields: Mapping[str, Field]
    searched: str
    where: str = "true"
    rows: str = ""
    newest_first: bool = False
    # The default order, if it is not by key; it has to end with the key.
    order: str = ""
    # The maintained total of the whole list: the company's parameter and the name in `row_counts`.
    counter: tuple[str, str] | None = None
    # Queries the search index (`search_rows`). Short lists need no function and are scanned.
    search_function: str | None = None

    async def page(
        self, connection: Connection, request: "PageRequest", *values: object
    ) -> "FetchedPage[RowType]":
        """The connection needs no transaction."""
        statement = await _selection(connection, self, request, values, of_page=True)
        records = await _fetch(connection, _sql(statement, self, request), statement)
        page = [record for record in records if record["page_key"] is not None]
        total: int = records[0]["page_total"]
        capped = total > MAX_COUNTED and not _is_whole(self, request)
        return FetchedPage(to_rows(self.kind, page), MAX_COUNTED if capped else total, capped)

    async def keys(
        self, connection: Connection, request: "PageRequest", maximum: int | None, *values: object
    ) -> list[int]:
        """Returns the keys of every row of the selection, in its order and whatever the page."""
        statement = await _selection(connection, self, request, values)
        [(keys,)] = await _fetch(
            connection,
            f"SELECT ARRAY(SELECT {self.key}"  # noqa: S608 - constants of the listing
            f" FROM {statement.source} WHERE {statement.where}"
            f" ORDER BY {_order(self, request)} LIMIT {maximum or 'ALL'})",
            statement,
        )
        return list(keys)

    async def by_keys(
        self, connection: Connection, keys: Sequence[int], *values: object
    ) -> list[RowType]:
        """Returns the rows of these keys in their order, without those deleted meanwhile."""
        statement = _Statement(self.source, [self.where], list(values))
        return await fetch_rows(
            connection,
            self.kind,
            f"SELECT {self.columns}"  # noqa: S608 - constants of the listing
            f" FROM {self.source} JOIN"
            f" unnest({statement.value(keys)}::bigint[]) WITH ORDINALITY AS picks (picked, place)"
            f" ON {self.key} = picks.picked {self.rows}"
            f" WHERE {statement.where} ORDER BY picks.place",
            *statement.values,
        )


@dataclass(frozen=True)
class PageRequest:
    skip: int = 0
    limit: int = 5
    search: str = ""
    filters: tuple[Filter, ...] = ()
    sort: tuple[str, bool] | None = None


class PageQuery(BaseModel):
    """The query parameters of every list."""

    skip: int = PydanticField(0, ge=0, le=100_000_000, description="The page, from 0.")
    limit: int = PydanticField(5, ge=1, le=LARGEST_PAGE, description="Rows a page.")
    search_text: str = PydanticField("", alias="searchText", max_length=200)
    filters: list[str] = PydanticField(
        [], alias="filter", max_length=MAX_FILTERS, description="`field:operator:value`"
    )
    sort: str = PydanticField("", max_length=60, description="`field:asc` or `field:desc`")


# For the OpenAPI description of endpoints that take a `Paging`.
PAGE_PARAMETERS = [
    {"name": name, "in": "query", "required": False, "schema": schema}
    for name, schema in PageQuery.model_json_schema()["properties"].items()
]


async def page_request(request: Request) -> PageRequest:
    query = request.scope["query_string"]
    return _kept(query) if len(query) <= LONGEST_KEPT else _read(query)


def _read(query: bytes) -> PageRequest:
    data = QueryParams(query)
    try:
        asked = PageQuery.model_validate({**data, "filter": data.getlist("filter")})
    except ValidationError as error:
        failures = [{**each, "loc": ("query", *each["loc"])} for each in error.errors()]
        raise RequestValidationError(failures) from None
    if not is_storable(asked.search_text):
        raise FilterNotUnderstood(fields={"searchText": "characters"})
    filters = tuple(parse_filter(text) for text in asked.filters)
    return PageRequest(
        asked.skip, asked.limit, asked.search_text.strip(), filters, _sort(asked.sort)
    )


# The same few pages are requested repeatedly. Declared as parameters, FastAPI would parse them each
# time: 9 % more processor time for a list of members (15 interleaved rounds).
_kept = lru_cache(maxsize=512)(_read)

Paging = Annotated[PageRequest, Depends(page_request)]


def _sort(text: str) -> tuple[str, bool] | None:
    if not text:
        return None
    name, _, direction = text.partition(":")
    if direction not in {"asc", "desc"}:
        raise SortNotUnderstood(fields={"sort": "invalid"})
    return name, direction == "desc"


class FetchedPage(Struct, Generic[RowType], frozen=True):
    rows: list[RowType]
    total: int
    # There are more rows than `total`.
    capped: bool

    def read(self, convert: Callable[[RowType], T]) -> Page[T]:
        items = [convert(row) for row in self.rows]
        return Page(item1=items, item2=self.total, total_capped=self.capped)


@dataclass
class _Statement:
    source: str
    conditions: list[str] = field(default_factory=list)
    values: list[object] = field(default_factory=list)
    # The number of rows if it is known, at most MAX_COUNTED + 1.
    found: int | None = None
    # The conditions select the rows of the page alone.
    is_page: bool = False
    # A generic plan would fold the search term again for each row.
    needs_own_plan: bool = False

    def value(self, data: object) -> str:
        self.values.append(data)
        return f"${len(self.values)}"

    @property
    def where(self) -> str:
        return " AND ".join(f"({condition})" for condition in self.conditions)


async def _selection(
    connection: Connection,
    listing: Listing[Any],
    request: PageRequest,
    values: Iterable[object],
    *,
    of_page: bool = False,
) -> _Statement:
    statement = _Statement(_source(listing, request), [listing.where], list(values))
    for data in request.filters:
        statement.conditions.append(
            condition(listing.fields.get(data.field), data, statement.value)
        )
    if request.search:
        by_key = not (request.filters or request.sort or listing.order)
        statement.conditions.append(
            await _search(connection, statement, listing, request, of_page=of_page and by_key)
        )
    statement.needs_own_plan = bool(request.search or request.filters) and not statement.is_page
    return statement


async def _fetch(connection: Connection, sql: str, statement: _Statement) -> list[asyncpg.Record]:
    if not statement.needs_own_plan:
        return await connection.fetch(sql, *statement.values)
    async with nullcontext() if connection.is_in_transaction() else connection.transaction():
        await connection.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        return await connection.fetch(sql, *statement.values)


def _source(listing: Listing[Any], request: PageRequest) -> str:
    names = {data.field for data in request.filters}
    if request.sort:
        names.add(request.sort[0])
    joins = {used.join for name, used in listing.fields.items() if name in names and used.join}
    return " ".join([listing.source, *sorted(joins)])


def _sql(statement: _Statement, listing: Listing[Any], request: PageRequest) -> str:
    """Builds the statement with a literal limit. For a limit parameter PostgreSQL assumes a tenth
    of the table, finds the generic plan too expensive, and plans again for each call."""
    where = statement.where
    order = _order(listing, request)
    offset = statement.value(0 if statement.is_page else request.skip * request.limit)
    return (
        f"SELECT total.page_total, page.* FROM"  # noqa: S608 - constants of the listing
        f" (SELECT {_total(statement, listing, request)} AS page_total) total"
        # Materialized: with outdated statistics a plan may read it again for each row of the table.
        f" LEFT JOIN (WITH picks AS MATERIALIZED"
        f"   (SELECT {listing.key} AS picked FROM {statement.source} WHERE {where}"
        f"     ORDER BY {order} LIMIT {request.limit:d} OFFSET {offset})"
        f"  SELECT {listing.key} AS page_key, {listing.columns},"
        f"   row_number() OVER (ORDER BY {order}) AS page_position FROM picks"
        f"  JOIN {statement.source} ON {listing.key} = picks.picked {listing.rows}) page"
        f" ON true ORDER BY page.page_position"
    )


def _is_whole(listing: Listing[Any], request: PageRequest) -> bool:
    return listing.counter is not None and not request.search and not request.filters


def _total(statement: _Statement, listing: Listing[Any], request: PageRequest) -> str:
    if listing.counter and _is_whole(listing, request):
        company, name = listing.counter
        return row_count(company, name)
    if statement.found is not None:
        return str(statement.found)
    # In the order of the key, so that counting stops early on an index of the list.
    return (
        f"(SELECT count(*) FROM (SELECT FROM {statement.source}"  # noqa: S608 - constants
        f" WHERE {statement.where} ORDER BY {listing.key} LIMIT {MAX_COUNTED + 1:d}) counted)"
    )


def row_count(company: str, name: str) -> str:
    """The SQL of a maintained total. As a sub-select it is planned with its statement."""
    return (
        "(SELECT COALESCE(sum(counted.count), 0)::bigint FROM row_counts counted"  # noqa: S608
        f" WHERE counted.company_id = {company} AND counted.name = '{name}')"
    )


def _order(listing: Listing[Any], request: PageRequest) -> str:
    if request.sort is None:
        return listing.order or f"{listing.key} {'DESC' if listing.newest_first else 'ASC'}"
    name, descending = request.sort
    chosen = listing.fields.get(name)
    if chosen is None or not chosen.sortable:
        raise SortNotUnderstood(fields={"sort": "invalid"})
    direction = "DESC" if descending else "ASC"
    ordered_by = chosen.sort_by or chosen.sql
    if ordered_by == listing.key:
        return f"{listing.key} {direction}"
    return f"{ordered_by} {direction}, {listing.key} {direction}"


async def _search(
    connection: Connection,
    statement: _Statement,
    listing: Listing[Any],
    request: PageRequest,
    *,
    of_page: bool,
) -> str:
    if listing.search_function:
        found = await connection.fetchrow(
            "SELECT ids, total"  # noqa: S608 - constant of the listing
            f" FROM {listing.search_function}($1, $2, $3, $4, $5)",
            request.search,
            MAX_COUNTED,
            request.skip * request.limit if of_page else None,
            request.limit if of_page else None,
            listing.newest_first,
        )
        assert found is not None
        if not request.filters:
            statement.found = found["total"]
        if found["ids"] is not None:
            statement.is_page = of_page
            return f"{listing.key} = ANY({statement.value(found['ids'])}::bigint[])"
    return f"position(fold_text({statement.value(request.search)}::text) IN {listing.searched}) > 0"
