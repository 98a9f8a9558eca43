"""Measures another company's list while one leader exports 50,000 rows ten times in parallel,
against the same list of a calm service. The exports are read by a separate process."""

import asyncio
import multiprocessing
import statistics
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing.synchronize import Event

import httpx

from bench.lists import ACTIVITY, MEMBERS, without_search_indexes
from bench.load import Load, send
from bench.service import KEY, SESSION_ENDS, RunningService, new_session, running_service
from bench.side_by_side import tessera
from tessera.kit.keys import Keys
from tessera.kit.tokens import sign_token

EXPORTERS = 10
EXPORTED = 50_000
MEMBERS_LISTED = 1_000
ROUNDS = 5
CALLS = 300


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        leader, other = await _company(place, EXPORTED), await _company(place, 1)
        await place.owner.execute("VACUUM ANALYZE")
        with tessera(place, workers=1) as server:
            calm, busy, exported, refused = [], [], 0, 0
            await _list(server.address, other)
            for _ in range(ROUNDS):
                calm.append(await _list(server.address, other))
                with _exporters(server.address, leader) as counted:
                    busy.append(await _list(server.address, other))
                exported += counted[0]
                refused += counted[1]
    return _text(calm, busy, exported, refused)


async def _company(place: RunningService, activity: int) -> dict[str, str]:
    company = await place.owner.fetchval(
        "INSERT INTO companies (uuid, name, email, phone_number, subscribed_until) VALUES"
        " (gen_random_uuid(), 'A measured one', 'a@b.test', '+12025550100',"
        "  now() + interval '1 day') RETURNING id"
    )
    async with without_search_indexes(place.owner):
        await place.owner.execute(MEMBERS, company, MEMBERS_LISTED)
        await place.owner.execute(ACTIVITY, company, activity)
    handle = await new_session(place.owner, company, "teamLeader")
    token = sign_token(Keys(b64decode(KEY)), handle, datetime.now(UTC) + SESSION_ENDS)
    return {"Authorization": f"Bearer {token}"}


async def _list(address: str, headers: dict[str, str]) -> Load:
    return await send(f"{address}/api/users?limit=100", headers, requests=CALLS, connections=1)


@contextmanager
def _exporters(address: str, headers: dict[str, str]) -> Iterator[list[int]]:
    """Exports until the block ends; yields how many were answered and refused, known then."""
    spawned = multiprocessing.get_context("spawn")
    begun, over, results = spawned.Event(), spawned.Event(), spawned.SimpleQueue()
    process = spawned.Process(target=_export, args=(address, headers, begun, over, results))
    process.start()
    begun.wait()
    counted: list[int] = []
    yield counted
    over.set()
    counted += results.get()
    process.join()


def _export(
    address: str,
    headers: dict[str, str],
    begun: Event,
    over: Event,
    results: "multiprocessing.SimpleQueue[list[int]]",
) -> None:
    async def run() -> None:
        counted = [0, 0]
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=120) as client:
            while not over.is_set():
                calls = [client.get("/api/activity/export") for _ in range(EXPORTERS)]
                for call in asyncio.as_completed(calls):
                    answer = await call
                    begun.set()
                    assert answer.status_code in {200, 429}, answer.text
                    counted[answer.status_code == 429] += 1
                    if answer.status_code == 200:
                        assert answer.content.count(b"\n") == EXPORTED + 1
        results.put(counted)

    asyncio.run(run())


def _text(calm: list[Load], busy: list[Load], exported: int, refused: int) -> str:
    p50, p99 = (
        statistics.median(getattr(load, name) for load in busy)
        / statistics.median(getattr(load, name) for load in calm)
        for name in ("p50", "p99")
    )
    calm_ms, busy_ms = (statistics.median(load.p50 for load in each) * 1e3 for each in (calm, busy))
    return "\n".join(
        [
            "## Exports",
            "",
            f"Another company's list of {MEMBERS_LISTED:,} members, page of 100, while one leader"
            f" calls the export of {EXPORTED:,} rows {EXPORTERS} times in parallel, again and"
            f" again, against the same list without them; {ROUNDS} interleaved rounds of {CALLS}"
            " calls, medians.",
            "",
            "| what | ratio |",
            "|---|---|",
            f"| list p50 during exports / calm | {p50:.1f} |",
            f"| list p99 during exports / calm | {p99:.1f} |",
            "",
            f"({exported} exports were answered and {refused} refused, because one was running;"
            f" p50 {calm_ms:.1f} ms calm, {busy_ms:.1f} ms during exports.)",
        ]
    )
