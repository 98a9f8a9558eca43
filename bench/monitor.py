"""Measures how much of the monitor's interval one process needs to check ten thousand warehouses if
every cloud responds after 200 ms.

All are due at once, which is worse than in production, where checks are spread over the interval.
`BENCH_WAREHOUSES` changes their number.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from unittest.mock import patch
from uuid import uuid4

from bench.service import Owner, running_service
from tessera.kit.data_keys import key_ring
from tessera.kit.encryption import KeyRing
from tessera.kit.workflows import Resources
from tessera.main import create_app
from tessera.warehouses.credentials import seal_credentials
from tessera.warehouses.health import service as health_checks
from tessera.warehouses.health.monitor import check_due
from tessera.warehouses.workflows import PART

WAREHOUSES = int(os.environ.get("BENCH_WAREHOUSES", "10000"))
A_COMPANY = 4
ANSWERS_AFTER = 0.2
FORM = {
    "bucket_name": "a-bucket",
    "account_key": "AKIAIOSFODNN7EXAMPLE",
    "secret": "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
    "region": "eu-central-1",
}


class StandIns:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.busy = self.maximum = 0
        self.reads = self.writes = 0

    def open(self, _: int, form: Mapping[str, str]) -> "StandIn":
        return StandIn(self, form["path"])


class StandIn:
    def __init__(self, every: StandIns, path: str) -> None:
        self._every = every
        self._path = path

    async def read(self, _: str) -> bytes | None:
        self._every.reads += 1
        await self._answer()
        return self._every.files.get(self._path)

    async def write(self, _: str, content: bytes) -> None:
        self._every.writes += 1
        await self._answer()
        self._every.files[self._path] = content

    async def _answer(self) -> None:
        self._every.busy += 1
        self._every.maximum = max(self._every.maximum, self._every.busy)
        await asyncio.sleep(ANSWERS_AFTER)
        self._every.busy -= 1


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    clouds = StandIns()
    with patch.object(health_checks, "clouds", lambda _: clouds):
        async with _service() as (resources, owner):
            await _fill(resources, owner)
            first = await _round(resources, owner)
            writes = clouds.writes
            clouds.reads = clouds.maximum = 0
            second = await _round(resources, owner)
            active = await owner.fetchval("SELECT count(*) FROM warehouses WHERE status = 2")
    assert active == WAREHOUSES
    assert clouds.writes == writes, "a fresh health file is read, and not written again"
    assert clouds.reads == WAREHOUSES
    interval = resources.settings.monitor_seconds
    lines = [
        "## Monitor",
        "",
        f"{WAREHOUSES:,} warehouses of {WAREHOUSES // A_COMPANY:,} companies, all due at once;"
        f" every cloud answers after {ANSWERS_AFTER * 1000:.0f} ms; one process, at most"
        f" {resources.settings.monitor_concurrency} calls at a time. Share of the interval of"
        f" {interval} s.",
        "",
        "| round | time / interval | processor / interval | seconds |",
        "|---|---|---|---|",
    ]
    for name, (spent, busy) in (
        ("every health file read", second),
        ("every health file written and read back", first),
    ):
        lines.append(f"| {name} | {spent / interval:.2f} | {busy / interval:.2f} | {spent:.0f} |")
    least = WAREHOUSES * ANSWERS_AFTER / resources.settings.monitor_concurrency
    lines += [
        "",
        f"(Waiting for the clouds alone takes {least:.0f} s of the first; never more than"
        f" {clouds.maximum} calls were under way.)",
    ]
    return "\n".join(lines)


async def _round(resources: Resources, owner: Owner) -> tuple[float, float]:
    """Checks the parts one after the other, as one process takes them from the queue."""
    await owner.execute("UPDATE warehouses SET next_check_at = now() - interval '1 minute'")
    parts = -(-WAREHOUSES // PART)
    until = time.time()
    began, worked = time.perf_counter(), time.process_time()
    for part in range(parts):
        await check_due(resources, until, part, parts)
    return time.perf_counter() - began, time.process_time() - worked


async def _fill(resources: Resources, owner: Owner) -> None:
    ring: KeyRing = key_ring(resources)
    companies = WAREHOUSES // A_COMPANY
    rows = await owner.fetch(
        "INSERT INTO companies (uuid, name, email, phone_number, can_view_warehouse)"
        " SELECT u, 'Firm', 'a@b.test', '+12025550100', true FROM unnest($1::uuid[]) AS u"
        " RETURNING id",
        [uuid4() for _ in range(companies)],
    )
    ids = [row["id"] for row in rows]
    keys = [ring.new_data_key(company_id, 1) for company_id in ids]
    await owner.executemany(
        "INSERT INTO data_keys (company_id, version, wrapped, wrapped_by) VALUES ($1, 1, $2, $3)",
        [(key.company_id, wrapped.wrapped, wrapped.wrapped_by) for key, wrapped in keys],
    )
    owned = [key for key, _ in keys for _ in range(A_COMPANY)]
    added = await owner.fetch(
        "INSERT INTO warehouses (company_id, type, sealed, key_version, checking_since)"
        " SELECT c, 3, '', 1, NULL FROM unnest($1::int[]) AS c RETURNING id, company_id",
        [key.company_id for key in owned],
    )
    by_company = {key.company_id: key for key, _ in keys}
    await owner.executemany(
        "UPDATE warehouses SET sealed = $2 WHERE id = $1",
        [
            (row["id"], seal_credentials(by_company[row["company_id"]], row["id"],
                                  {**FORM, "path": str(row["id"])}))
            for row in added
        ],
    )  # fmt: skip
    await owner.execute("VACUUM ANALYZE warehouses")


@asynccontextmanager
async def _service() -> AsyncIterator[tuple[Resources, Owner]]:
    async with running_service() as place:
        app = create_app(place.settings)
        async with app.state.resources.database:
            yield app.state.resources, place.owner
