"""Measures first page, deep page and search of every list at a thousand, a hundred thousand and a
million rows, through the whole service, on the embedded PostgreSQL, which has no search extension.

Each size has a service of its own, and a round calls one after the other, so that other work on the
machine slows all of them down alike. `BENCH_ROWS` lowers the largest size. Page 5,000 is compared
with page 2,500, because the cost of a page must not depend on its depth.
"""

import asyncio
import os
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import asyncpg
import httpx

from bench.service import RunningService, new_company, new_session, running_service
from tessera.main import create_app

SIZES = (1_000, 100_000, 1_000_000)
LARGEST = int(os.environ.get("BENCH_ROWS", "1000000"))
ROUNDS = 15
DEEP, MIDDLE = 5_000, 2_500

# Each row's text is derived from its number, so that a term can match few rows or many. The first
# row of each list alone contains the letter z.
MEMBERS = """
    INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded, phone_number,
        role, salt, password_hash, sealed_user_key, created_at)
    SELECT gen_random_uuid(), $1::int, 'First' || md5(n::text),
        concat('Last', md5((n + 7)::text), CASE n WHEN 1 THEN 'z' END),
        'p' || n || '-' || $1::int || '@company.test', 'p' || n || '-' || $1::int || '@c.test',
        '+1202' || lpad((n % 10000000)::text, 7, '0'), 'teamMember',
        decode(repeat('00', 16), 'hex'), '!', '', now() - make_interval(secs => n)
    FROM generate_series(1, $2::int) AS n
"""
INVITES = """
    INSERT INTO invites (company_id, email, email_folded, token_hash, expires_at)
    SELECT $1::int, address, address, sha256(($1::int || '|' || address)::bytea),
        now() + interval '7 days'
    FROM generate_series(1, $2::int) AS n,
        concat(md5(n::text), n, CASE n WHEN 1 THEN 'z' END, '@invited.test') AS address
"""
ACTIVITY = """
    INSERT INTO activity (company_id, actor_name, action, target, origin, at)
    SELECT $1::int, concat('Actor ', n % 500, CASE n WHEN 1 THEN 'z' END), 'member.updated',
        md5(n::text) || '@company.test',
        '192.0.2.1', now() - make_interval(secs => $2::int - n)
    FROM generate_series(1, $2::int) AS n
"""
COMPANIES = """
    INSERT INTO companies (uuid, name, email, phone_number, city, state, zip_code, created_at)
    SELECT gen_random_uuid(), concat('Firm ', md5(n::text), CASE n WHEN 1 THEN 'z' END),
        'office' || n || '@firm.test',
        '+1202' || lpad((n % 10000000)::text, 7, '0'), 'Portland', 'ME', '04101',
        now() - make_interval(secs => n) FROM generate_series($1::int, $2::int) AS n
"""
# 'c4ca4238' begins md5('1') and matches one row, as does 'z'; 'c4c' matches about one in a hundred,
# 'test' every row.
TERMS = {"rare": "c4ca4238", "letter": "z", "some": "c4c", "common": "test"}
COLUMNS = {
    "first": "first page",
    "sorted": "by name",
    "rare": "rare search",
    "letter": "rare letter",
    "some": "1 % search",
    "common": "common search",
    "deep": "page 5,000",
}


@dataclass(frozen=True)
class List:
    name: str
    path: str
    role: str
    # The order of the column "by name".
    sort: str | None = None
    # The order of every call. Only the pages are measured then, without searches.
    order: str | None = None


LISTS = (
    List("companies", "/api/companies", "admin", "name:asc"),
    List("companies by members", "/api/companies", "admin", order="memberCount:desc"),
    List("members", "/api/users", "teamLeader", "firstName:asc"),
    List("members of a company", "/api/users/{}", "admin", "firstName:asc"),
    List("invites", "/api/invites", "teamLeader", "email_address:asc"),
    List("activity", "/api/activity", "teamLeader"),
    List("all activity", "/api/admin/activity", "admin"),
)


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    measured: dict[tuple[str, int], dict[str, float]] = {}
    async with AsyncExitStack() as stack:
        services = {
            size: await stack.enter_async_context(_filled_service(size))
            for size in SIZES
            if size <= LARGEST
        }
        for each in LISTS:
            spent: dict[tuple[str, int], dict[str, list[float]]] = {
                (each.name, size): {} for size in services
            }
            for _ in range(ROUNDS + 1):
                for size, service in services.items():
                    for name, took in (await service.round(each)).items():
                        spent[each.name, size].setdefault(name, []).append(took)
            for key, times in spent.items():
                measured[key] = {name: statistics.median(took[1:]) for name, took in times.items()}
    return "\n".join([*_times(measured), "", *_growth(measured)])


def _times(measured: dict[tuple[str, int], dict[str, float]]) -> list[str]:
    lines = [
        "## Lists\n",
        "Milliseconds a call, median of rounds that interleave the sizes, the whole service in"
        f" between. The load average was {os.getloadavg()[1]:.1f}.\n",
        f"| list | rows | {' | '.join(COLUMNS.values())} | page 5,000 : page 2,500 |",
        f"|---|---|{'---|' * len(COLUMNS)}---|",
    ]
    for (listed, size), medians in measured.items():
        cells = [f"{medians[name]:.1f}" if name in medians else "" for name in COLUMNS]
        ratio = f"{medians['deep'] / medians['middle']:.2f}" if "deep" in medians else ""
        lines.append(f"| {listed} | {size:,} | {' | '.join(cells)} | {ratio} |")
    return lines


def _growth(measured: dict[tuple[str, int], dict[str, float]]) -> list[str]:
    smallest, largest = min(size for _, size in measured), max(size for _, size in measured)
    # Short lists have no page 5,000: it is compared with their first page.
    compared = {name: "first" if name == "deep" else name for name in COLUMNS}
    lines = [
        f"The time at {largest:,} rows, divided by that at {smallest:,} (page 5,000 by that of the"
        " first page). [Lists](../docs/architecture.md#lists) says what takes the time.\n",
        f"| list | {' | '.join(COLUMNS.values())} |",
        f"|---|{'---|' * len(COLUMNS)}",
    ]
    for each in LISTS:
        small, large = measured[each.name, smallest], measured[each.name, largest]
        cells = [
            f"{large[name] / small[other]:.1f}" if name in large else ""
            for name, other in compared.items()
        ]
        lines.append(f"| {each.name} | {' | '.join(cells)} |")
    return lines


class _Service:
    def __init__(self, client: httpx.AsyncClient, place: RunningService) -> None:
        self._client = client
        self._place = place
        self._company = 0
        self._headers: dict[str, dict[str, str]] = {}
        self._deep = False

    async def fill(self, size: int) -> None:
        self._deep = size > DEEP * 5
        owner = self._place.owner
        self._company = company = await new_company(owner)
        async with without_search_indexes(owner):
            await owner.execute(COMPANIES, 1, size)
            await owner.execute(MEMBERS, company, size)
            await owner.execute(INVITES, company, size)
            await owner.execute(ACTIVITY, company, size)
        await owner.execute("VACUUM ANALYZE")
        for own, role in ((company, "teamLeader"), (1, "admin")):
            handle = await new_session(owner, own, role)
            self._headers[role] = self._place.authorize(handle)

    async def round(self, each: List) -> dict[str, float]:
        calls: dict[str, dict[str, object]] = {"first": {}}
        if each.sort:
            calls["sorted"] = {"sort": each.sort}
        if not each.order:
            calls |= {name: {"searchText": term} for name, term in TERMS.items()}
        if self._deep:
            calls |= {"deep": {"skip": DEEP}, "middle": {"skip": MIDDLE}}
        path, headers = each.path.format(self._company), self._headers[each.role]
        order = {"sort": each.order} if each.order else {}
        return {
            name: await self._timed(path, {**order, **query}, headers)
            for name, query in calls.items()
        }

    async def _timed(self, path: str, query: dict[str, object], headers: dict[str, str]) -> float:
        started = time.perf_counter()
        answer = await self._client.get(path, params=query, headers=headers)  # type: ignore[arg-type]
        spent = (time.perf_counter() - started) * 1_000
        assert answer.status_code == 200, (path, query, answer.text)
        assert answer.json()["item1"], (path, query)
        return spent


@asynccontextmanager
async def _filled_service(size: int) -> AsyncIterator[_Service]:
    async with running_service() as place:
        app = create_app(place.settings)
        async with app.state.resources.database:
            transport = httpx.ASGITransport(app=app, client=("192.0.2.1", 1))
            async with httpx.AsyncClient(
                transport=transport, base_url="http://bench", timeout=60
            ) as client:
                service = _Service(client, place)
                await service.fill(size)
                yield service


@asynccontextmanager
async def without_search_indexes(owner: asyncpg.Connection) -> AsyncIterator[None]:
    """Drops the search indexes and rebuilds them after the fill, which is faster than filling them
    row by row."""
    indexes = await owner.fetch("SELECT * FROM pg_indexes WHERE indexname LIKE '%_by_text'")
    for index in indexes:
        await owner.execute(f"DROP INDEX {index['indexname']}")
    yield
    await owner.execute("SET maintenance_work_mem = '512MB'")
    for index in indexes:
        await owner.execute(index["indexdef"])
