"""One lie for each check of what a company was sent: what a service would send or write, by the
name of the finding."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from chaos.activity_stream import ActivityStream
from chaos.stream_receiver import Arrival
from tessera.audit.records import hash_of

Events = list[dict[str, Any]]


def _in_batches(change: Callable[[Events], Events]) -> Callable[[ActivityStream], None]:
    """Each batch is sent changed, also when it is sent again."""

    def lie(stream: ActivityStream) -> None:
        receiver = stream.receiver
        receiver.arrivals = [
            _with_data(each, {**each.data, "records": change(each.data["records"])})
            for each in receiver.arrivals
        ]

    return lie


def _in_a_file(change: Callable[[Events], Events]) -> Callable[[ActivityStream], None]:
    """The largest: others may hold a single record."""

    def lie(stream: ActivityStream) -> None:
        file = max(stream.files.rglob("*.ndjson"), key=lambda path: path.stat().st_size)
        events = change([json.loads(line) for line in file.read_text().splitlines()])
        file.write_text("".join(json.dumps(event) + "\n" for event in events))

    return lie


def _at_the_end(change: Callable[[Arrival], Arrival]) -> Callable[[ActivityStream], None]:
    """Something more is sent after everything else."""

    def lie(stream: ActivityStream) -> None:
        stream.receiver.arrivals.append(change(stream.receiver.arrivals[-1]))

    return lie


def _with_data(arrival: Arrival, data: dict[str, Any]) -> Arrival:
    return replace(arrival, body=json.dumps({"data": data}).encode())


def _last_file(stream: ActivityStream) -> Path:
    return max(stream.files.rglob("*.ndjson"), key=lambda path: path.name)


def _without_third(events: Events) -> Events:
    return [each for each in events if each["metadata"]["sequence"] != 3]


def _backwards(events: Events) -> Events:
    return events[::-1]


def _renamed(events: Events) -> Events:
    for each in events:
        each["unmapped"]["record"]["actorName"] = "Nobody"
    return events


def _hashed_again(events: Events) -> Events:
    """Each record fits its hash, but not the one that follows it."""
    for each in _renamed(events):
        each["unmapped"]["hash"] = hash_of(each["unmapped"]["record"]).hex()
    return events


def _last_alone(arrival: Arrival) -> Arrival:
    data = {**arrival.data, "records": arrival.data["records"][-1:]}
    return replace(_with_data(arrival, data), id="another")


def _other_bytes(arrival: Arrival) -> Arrival:
    return _with_data(arrival, {**arrival.data, "records": _renamed(arrival.data["records"])})


def _one_more(arrival: Arrival) -> Arrival:
    event = arrival.data["records"][-1]
    event["unmapped"]["record"]["sequence"] += 1
    return replace(_with_data(arrival, {**arrival.data, "records": [event]}), id="another")


def _higher_head(arrival: Arrival) -> Arrival:
    head = arrival.data["head"]
    return _with_data(arrival, {**arrival.data, "head": {**head, "sequence": head["sequence"] + 1}})


def _unsigned(arrival: Arrival) -> Arrival:
    return replace(arrival, is_signed=False)


def _remove_last_file(stream: ActivityStream) -> None:
    _last_file(stream).unlink()


def _write_last_file_again(stream: ActivityStream) -> None:
    file = _last_file(stream)
    shutil.copy(file, file.with_stem("000000999998-000000999999"))


STREAM: dict[str, Callable[[ActivityStream], None]] = {
    "a record that did not arrive (webhook)": _in_batches(_without_third),
    "a batch out of order (webhook)": _in_batches(_backwards),
    "a record that differs from the table (webhook)": _in_batches(_renamed),
    "a broken chain (webhook)": _in_batches(_hashed_again),
    "a batch that does not follow what was confirmed": _at_the_end(_last_alone),
    "a batch that came again with other bytes": _at_the_end(_other_bytes),
    "a record that came with two contents (webhook)": _at_the_end(_other_bytes),
    "a record of nobody (webhook)": _at_the_end(_one_more),
    "a head that is not the last record": _at_the_end(_higher_head),
    "a batch that nobody signed": _at_the_end(_unsigned),
    "a record that did not arrive (files)": _remove_last_file,
    "a batch out of order (files)": _in_a_file(_backwards),
    "a record that differs from the table (files)": _in_a_file(_renamed),
    "a broken chain (files)": _in_a_file(_hashed_again),
    "a file with other records than its name says": _in_a_file(lambda events: events[1:]),
    "a file that does not follow the one before it": _write_last_file_again,
}
