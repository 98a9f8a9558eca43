"""Compares the activity with its chains, and with what one company's systems were sent: every
record, in order, at least once, and none that is not in the table."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from chaos.activity_stream import ActivityStream
from chaos.audit.queries import run_all
from chaos.stream_receiver import Arrival
from tessera.audit.records import START, Record, entry, hash_of
from tessera.kit.database import Connection
from tests.audit.audited import documented_check

QUERIES = {
    # Between the round and the audit something may have been recorded.
    "a record outside of its chain": (
        "SELECT a.id FROM activity a LEFT JOIN activity_chain c ON c.company_id = a.company_id"
        " AND c.activity_id = a.id LEFT JOIN activity_unchained u ON u.company_id = a.company_id"
        " AND u.activity_id = a.id WHERE c.activity_id IS NULL AND u.activity_id IS NULL"
    ),
    "a record that is gone": (
        "SELECT c.company_id || ' ' || c.sequence FROM activity_chain c LEFT JOIN activity a"
        " ON a.company_id = c.company_id AND a.id = c.activity_id WHERE a.id IS NULL"
    ),
    "a head that is not the end of its chain": (
        "SELECT h.company_id FROM activity_heads h LEFT JOIN LATERAL (SELECT sequence, hash"
        "  FROM activity_chain c WHERE c.company_id = h.company_id"
        "  ORDER BY sequence DESC LIMIT 1) c ON true"
        " WHERE h.sequence > 0 AND (h.sequence, h.hash) IS DISTINCT FROM (c.sequence, c.hash)"
    ),
}
CHAINED = (
    "SELECT c.company_id, k.uuid, c.sequence, c.hash, a.* FROM activity_chain c"
    " JOIN companies k ON k.id = c.company_id"
    " JOIN activity a ON a.company_id = c.company_id AND a.id = c.activity_id"
    " ORDER BY c.company_id, c.sequence"
)


@dataclass(frozen=True)
class Batch:
    """What came together."""

    name: str
    records: list[dict[str, Any]]

    @property
    def first(self) -> int:
        return _sequence(self.records[0])

    @property
    def last(self) -> int:
        return _sequence(self.records[-1])


async def compare_stream(connection: Connection, stream: ActivityStream) -> list[str]:
    company = UUID(stream.client.uuid)
    # In this order: what arrives meanwhile is in the table too.
    until = await _sent(connection, company)
    arrivals, files = list(stream.receiver.arrivals), _read_files(stream)
    rows = await connection.fetch(CHAINED)
    stored = {row["sequence"]: row for row in rows if row["uuid"] == company}
    taken = [_posted(each) for each in arrivals if each.taken]
    changes = (n for n, row in stored.items() if row["action"] == "activityStream.changed")
    findings = (
        *_compare_chains(rows),
        *_compare_arrivals(arrivals),
        *_compare_files(files),
        # After a replay this is everything; files begin when they are turned on.
        *_compare_records("webhook", taken, stored, 1, until["webhook"]),
        *_compare_records("files", files, stored, min(changes, default=1), until["warehouse"]),
    )
    return [
        *await run_all(connection, "activity", QUERIES),
        *(f"activity: {each}" for each in findings),
    ]


async def _sent(connection: Connection, company: UUID) -> dict[str, int]:
    rows = await connection.fetch(
        "SELECT s.target, s.sequence FROM activity_streams s JOIN companies c"
        " ON c.id = s.company_id WHERE c.uuid = $1",
        company,
    )
    return {row["target"]: row["sequence"] for row in rows}


def _read_files(stream: ActivityStream) -> list[Batch]:
    paths = sorted(stream.files.rglob("*.ndjson"), key=lambda path: path.name)
    return [
        Batch(path.stem, [json.loads(line)["unmapped"] for line in path.read_text().splitlines()])
        for path in paths
    ]


def _compare_chains(rows: list[asyncpg.Record]) -> Iterator[str]:
    company, sequence, last = 0, 0, START
    for row in rows:
        if row["company_id"] != company:
            company, sequence, last = row["company_id"], 0, START
        if row["sequence"] != sequence + 1:
            yield f"a chain with a gap: {company} before {row['sequence']}"
        elif hash_of(_entry(row, last)) != row["hash"]:
            yield f"a record that differs from its chain: {company} {row['sequence']}"
        sequence, last = row["sequence"], row["hash"]


def _entry(row: asyncpg.Record, previous: bytes) -> dict[str, Any]:
    values = {name: row[name] for name in Record.__struct_fields__}
    return entry(row["uuid"], row["sequence"], previous, Record(**values))


def _posted(arrival: Arrival) -> Batch:
    return Batch(arrival.id, [each["unmapped"] for each in arrival.data["records"]])


def _compare_arrivals(arrivals: list[Arrival]) -> Iterator[str]:
    """A batch is followed by the next one once the receiver has confirmed it, and comes again, with
    the same bytes, until then; a replay begins with the first record."""
    bodies: dict[str, bytes] = {}
    confirmed: int | None = None
    for arrival in arrivals:
        batch = _posted(arrival)
        is_new = arrival.id not in bodies
        if not arrival.is_signed:
            yield f"a batch that nobody signed: {arrival.id}"
        if bodies.setdefault(arrival.id, arrival.body) != arrival.body:
            yield f"a batch that came again with other bytes: {arrival.id}"
        head = {"sequence": batch.last, "hash": batch.records[-1]["hash"]}
        if arrival.data["head"] != head:
            yield f"a head that is not the last record: {arrival.id}"
        follows = confirmed is None or batch.first in {1, confirmed + 1}
        if is_new and not follows:
            yield f"a batch that does not follow what was confirmed: {batch.first}"
        if arrival.confirmed:
            confirmed = batch.last


def _compare_files(files: list[Batch]) -> Iterator[str]:
    for file in files:
        if file.name != f"{file.first:012}-{file.last:012}":
            yield f"a file with other records than its name says: {file.name}"
    for former, file in itertools.pairwise(files):
        if file.first != former.last + 1:
            yield f"a file that does not follow the one before it: {file.name}"


def _compare_records(
    side: str, batches: list[Batch], stored: dict[int, asyncpg.Record], first: int, last: int
) -> Iterator[str]:
    """What was taken, without repetitions, is the table's records and a chain by itself."""
    found: dict[int, dict[str, Any]] = {}
    for batch in batches:
        numbers = [_sequence(each) for each in batch.records]
        if numbers != list(range(batch.first, batch.first + len(numbers))):
            yield f"a batch out of order ({side}): {batch.name}"
        for number, each in zip(numbers, batch.records, strict=True):
            if found.setdefault(number, each) != each:
                yield f"a record that came with two contents ({side}): {number}"
    for number in range(first, last + 1):
        if number not in found:
            yield f"a record that did not arrive ({side}): {number}"
        elif number in stored and not _is_stored(found[number], stored[number]):
            yield f"a record that differs from the table ({side}): {number}"
    yield from (f"a record of nobody ({side}): {number}" for number in found.keys() - stored.keys())
    try:
        if found:
            documented_check()([found[number] for number in sorted(found)])
    except AssertionError as error:
        yield f"a broken chain ({side}): {error}"


def _is_stored(received: dict[str, Any], row: asyncpg.Record) -> bool:
    """Computed from the table alone: with the hash that is received for the record before."""
    previous = bytes.fromhex(received["record"]["previous"])
    return received == {"record": _entry(row, previous), "hash": row["hash"].hex()}


def _sequence(record: dict[str, Any]) -> int:
    number: int = record["record"]["sequence"]
    return number
