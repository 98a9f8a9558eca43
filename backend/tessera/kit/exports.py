"""Exports lists as CSV or, several of them, as a ZIP file: once at a time in a company, a batch of
rows at a time.

The keys of all rows are selected first. Their rows follow in short transactions, so that nothing is
held while a client reads slowly, and other calls run in between.
"""

import asyncio
import csv
import io
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import structlog
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tessera.errors import TesseraError
from tessera.kit import clock, leases
from tessera.kit.database import Connection, Database
from tessera.kit.i18n import Language, translate
from tessera.kit.leases import Lease
from tessera.kit.pagination import Listing, PageRequest
from tessera.kit.rows import RowType

log = structlog.get_logger()

# Small enough for a spreadsheet; a narrower filter gives the other rows.
MAX_ROWS = 50_000
# Read and written in a few milliseconds, during which the process does nothing else.
BATCH = 250
MAX_SECONDS = 120
LEASE = timedelta(seconds=MAX_SECONDS + 30)
# An export usually takes a few seconds.
RETRY_AFTER_SECONDS = 5
# A number: nothing to evaluate.
_PHONE_NUMBER = re.compile(r"\+[0-9][0-9 ]{6,}")
# Where a formula may begin; some spreadsheets also read the full-width forms. Where the comma is a
# decimal sign, they separate by semicolons, miss our quotation marks, and begin a cell inside ours.
_FORMULA = re.compile(r'(^|[;\t\r\n]"*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])')

# For the OpenAPI description of an endpoint that returns an export.
CSV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"schema": {"type": "string"}}}}
}
ZIP: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}


class ExportRunning(TesseraError, status=429): ...


@dataclass(frozen=True)
class Export(Generic[RowType]):
    """`columns` maps names to the cells of a row; the headings stand in the catalogues, under
    `columns` of what `file` names. `values` are those of the listing."""

    file: str
    language: Language
    transaction: Callable[[], AbstractAsyncContextManager[Connection]]
    listing: Listing[RowType]
    columns: Mapping[str, Callable[[RowType, Language], str]]
    values: tuple[object, ...] = ()

    def headings(self) -> list[str]:
        return [translate(f"{self.file}.columns.{name}", self.language) for name in self.columns]

    def cells(self, row: RowType) -> list[str]:
        return [safe_cell(cell(row, self.language)) for cell in self.columns.values()]


async def respond(
    database: Database, company_id: int, export: Export[RowType], request: PageRequest
) -> Response:
    """`company_id` is the company of the user, which exports once at a time."""
    lease = await _take_lease(database, company_id)
    try:
        async with export.transaction() as connection:
            listing = export.listing
            keys = await listing.keys(connection, request, MAX_ROWS, *export.values)
    except BaseException:
        await leases.release(database, lease)
        raise
    content = _content(export, keys)
    return _ExportResponse(content, f"{export.file}.csv", "text/csv", database, lease)


async def respond_archive(
    database: Database, company_id: int, file: str, parts: Mapping[str, AsyncIterator[bytes]]
) -> Response:
    """Sends a ZIP file while it is made; `parts` maps the names in it to what they hold."""
    lease = await _take_lease(database, company_id)
    return _ExportResponse(_archive(parts), f"{file}.zip", "application/zip", database, lease)


async def _take_lease(database: Database, company_id: int) -> Lease:
    lease = await leases.take(database, company_id, "export", LEASE)
    if lease is None:
        raise ExportRunning(retry_after=RETRY_AFTER_SECONDS)
    return lease


async def _archive(parts: Mapping[str, AsyncIterator[bytes]]) -> AsyncIterator[bytes]:
    sink = _Sink()
    with ZipFile(sink, "w") as archive:
        for name, content in parts.items():
            entry = ZipInfo(name, clock.now().timetuple()[:6])
            entry.compress_type = ZIP_DEFLATED
            with archive.open(entry, "w") as file:
                async for part in content:
                    file.write(part)
                    yield sink.take()
    yield sink.take()


class _Sink:
    """Takes what the ZIP file consists of until it is sent."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: bytes) -> int:
        self._written += data
        return len(data)

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def take(self) -> bytes:
        taken, self._written = bytes(self._written), bytearray()
        return taken


async def every_row(export: Export[RowType]) -> AsyncIterator[bytes]:
    """The whole list as CSV, however long."""
    async with export.transaction() as connection:
        keys = await export.listing.keys(connection, PageRequest(), None, *export.values)
    async for part in _content(export, keys):
        yield part


async def _content(export: Export[RowType], keys: Sequence[int]) -> AsyncIterator[bytes]:
    # Begins with the mark by which spreadsheets recognise UTF-8.
    yield _lines([export.headings()]).encode("utf-8-sig")
    for start in range(0, len(keys), BATCH):
        began = time.perf_counter()
        async with export.transaction() as connection:
            part = keys[start : start + BATCH]
            rows = await export.listing.by_keys(connection, part, *export.values)
        made = _lines(export.cells(row) for row in rows).encode()
        busy_seconds = time.perf_counter() - began
        yield made
        # Leaves at least half of the process to other calls.
        await asyncio.sleep(busy_seconds)


def _lines(rows: Iterable[Iterable[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return file.getvalue()


def safe_cell(text: str) -> str:
    """A leading apostrophe makes a spreadsheet show the text instead of evaluating it."""
    if _PHONE_NUMBER.fullmatch(text):
        return text
    return _FORMULA.sub(lambda match: f"{match[0]}'", text)


def time_cell(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}Z" if moment else ""


class _ExportResponse(StreamingResponse):
    """Ends the lease with the download, and the download before the lease runs out."""

    def __init__(
        self,
        content: AsyncIterator[bytes],
        file: str,
        media_type: str,
        database: Database,
        lease: Lease,
    ) -> None:
        stem, _, ending = file.rpartition(".")
        name = f"{stem}-{clock.now():%Y-%m-%d}.{ending}"
        super().__init__(
            content,
            media_type=media_type,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
        self._database = database
        self._lease = lease

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await super().__call__(scope, receive, send)
        except TimeoutError:
            # The server closes the connection, so that the client sees an incomplete download.
            log.warning("an export was read too slowly and cut off")
        finally:
            await leases.release(self._database, self._lease)
