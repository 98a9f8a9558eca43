"""Measures first page, deep page and search of every list at a thousand, a hundred thousand and a
million rows, through the whole service, on the embedded PostgreSQL, which has no search extension.

`BENCH_ROWS` lowers the largest size. Page 5,000 is compared with page 2,500, because the cost of a
page must not depend on its depth.
"""

import asyncio
import os
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

import asyncpg
import httpx

from bench.plot import bars
from bench.service import SESSION_ENDS, new_session, running_service
from tessera.kit.tokens import sign_token
from tessera.main import create_app

SIZES = (1_000, 100_000, 1_000_000)
LARGEST = int(os.environ.get("BENCH_ROWS", "1000000"))
ROUNDS = 9
DEEP, MIDDLE = 5_000, 2_500

# Each row's text is derived from its number, so that a term can match few rows or many.
MEMBERS = """
    INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded, phone_number,
        role, salt, password_hash, sealed_user_key, created_at)
    SELECT gen_random_uuid(), $1::int, 'First' || md5(n::text), 'Last' || md5((n + 7)::text),
        'p' || n || '-' || $1::int || '@company.test', 'p' || n || '-' || $1::int || '@c.test',
        '+1202' || lpad((n % 10000000)::text, 7, '0'), 'teamMember',
        decode(repeat('00', 16), 'hex'), '!', '', now() - make_interval(secs => n)
    FROM generate_series(1, $2::int) AS n
"""
INVITES = """
    INSERT INTO invites (company_id, email, email_folded, token_hash, expires_at)
    SELECT $1::int, md5(n::text) || n || '@invited.test', md5(n::text) || n || '@invited.test',
        sha256(($1::int || '|' || n)::bytea), now() + interval '7 days'
    FROM generate_series(1, $2::int) AS n
"""
ACTIVITY = """
    INSERT INTO activity (company_id, actor_name, action, target, origin, at)
    SELECT $1::int, 'Actor ' || n % 500, 'member.updated', md5(n::text) || '@company.test',
        '192.0.2.1', now() - make_interval(secs => $2::int - n)
    FROM generate_series(1, $2::int) AS n
"""
COMPANIES = """
    INSERT INTO companies (uuid, name, email, phone_number, city, state, zip_code, created_at)
    SELECT gen_random_uuid(), 'Firm ' || md5(n::text), 'office' || n || '@firm.test',
        '+1202' || lpad((n % 10000000)::text, 7, '0'), 'Portland', 'ME', '04101',
        now() - make_interval(secs => n) FROM generate_series($1::int, $2::int) AS n
"""
# 'c4ca4238' begins md5('1') and matches one row; 'c4c' about one in a hundred; 'test' every row.
RARE, SOME, COMMON = "c4ca4238", "c4c", "test"


@dataclass(frozen=True)
class List:
    name: str
    path: str
    sort: str | None


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    lines = [
        "## Lists\n",
        "Milliseconds a call, median of interleaved rounds, the whole service in between.\n",
        "| list | rows | first page | by name | rare search | 1 % search | common search"
        " | page 5,000 | page 5,000 : page 2,500 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    drawn: dict[str, float] = {}
    async with _service() as resources:
        for size in SIZES:
            if size > LARGEST:
                continue
            company, leader, admin = await resources.fill(size)
            for each, headers in (
                (List("companies", "/api/companies", "name:asc"), admin),
                (List("members", "/api/users", "firstName:asc"), leader),
                (List("members of a company", f"/api/users/{company}", "firstName:asc"), admin),
                (List("invites", "/api/invites", "email_address:asc"), leader),
                (List("activity", "/api/activity", None), leader),
                (List("all activity", "/api/admin/activity", None), admin),
            ):
                medians = await resources.times(each, headers, deep=size > DEEP * 5)
                lines.append(_row(each, size, medians))
                if each.name == "members":
                    drawn[f"{size:,} rows: first page"] = medians["first"]
                    drawn[f"{size:,} rows: rare search"] = medians["rare"]
    return "\n".join([*lines, "", *bars("Members, milliseconds a call", drawn)])


def _row(each: List, size: int, medians: dict[str, float]) -> str:
    shown = ("first", "sorted", "rare", "some", "common", "deep")
    cells = [f"{medians[name]:.1f}" if name in medians else "" for name in shown]
    ratio = f"{medians['deep'] / medians['middle']:.2f}" if "deep" in medians else ""
    return f"| {each.name} | {size:,} | {' | '.join(cells)} | {ratio} |"


class _Lists:
    def __init__(self, client: httpx.AsyncClient, owner: asyncpg.Connection, keys: object) -> None:
        self._client = client
        self._owner = owner
        self._keys = keys
        self._companies = 1

    async def fill(self, size: int) -> tuple[int, dict[str, str], dict[str, str]]:
        company: int = await self._owner.fetchval(
            "INSERT INTO companies (uuid, name, email, phone_number, subscribed_until)"
            " VALUES ($1, 'The measured one', 'a@b.test', '+12025550100', now() + interval '1 day')"
            " RETURNING id",
            uuid4(),
        )
        async with without_trigrams(self._owner):
            await self._owner.execute(COMPANIES, self._companies, size)
            self._companies = size + 1
            await self._owner.execute(MEMBERS, company, size)
            await self._owner.execute(INVITES, company, size)
            await self._owner.execute(ACTIVITY, company, size)
        await self._owner.execute("VACUUM ANALYZE")
        leader = await self._session(company, "teamLeader")
        return company, leader, await self._session(1, "admin")

    async def _session(self, company: int, role: str) -> dict[str, str]:
        handle = await new_session(self._owner, company, role)
        token = sign_token(self._keys, handle, datetime.now(UTC) + SESSION_ENDS)  # type: ignore[arg-type]
        return {"Authorization": f"Bearer {token}"}

    async def times(self, each: List, headers: dict[str, str], *, deep: bool) -> dict[str, float]:
        calls: dict[str, dict[str, object] | None] = {
            "first": {},
            "sorted": {"sort": each.sort} if each.sort else None,
            "rare": {"searchText": RARE},
            "some": {"searchText": SOME},
            "common": {"searchText": COMMON},
            "deep": {"skip": DEEP} if deep else None,
            "middle": {"skip": MIDDLE} if deep else None,
        }
        spent: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(ROUNDS + 1):
            for name, query in calls.items():
                if query is not None:
                    spent[name].append(await self._timed(each.path, query, headers))
        return {name: statistics.median(times[1:]) for name, times in spent.items() if times}

    async def _timed(self, path: str, query: dict[str, object], headers: dict[str, str]) -> float:
        started = time.perf_counter()
        answer = await self._client.get(path, params=query, headers=headers)  # type: ignore[arg-type]
        spent = (time.perf_counter() - started) * 1_000
        assert answer.status_code == 200, (path, query, answer.text)
        assert answer.json()["item1"], (path, query)
        return spent


@asynccontextmanager
async def _service() -> AsyncIterator[_Lists]:
    async with running_service() as place:
        app = create_app(place.settings)
        async with app.state.resources.database:
            transport = httpx.ASGITransport(app=app, client=("192.0.2.1", 1))
            async with httpx.AsyncClient(
                transport=transport, base_url="http://bench", timeout=60
            ) as client:
                yield _Lists(client, place.owner, app.state.resources.keys)


@asynccontextmanager
async def without_trigrams(owner: asyncpg.Connection) -> AsyncIterator[None]:
    """Drops the trigram indexes and rebuilds them after the fill, which is faster than filling them
    row by row."""
    indexes = await owner.fetch("SELECT * FROM pg_indexes WHERE indexname LIKE '%_by_trigram'")
    for index in indexes:
        await owner.execute(f"DROP INDEX {index['indexname']}")
    yield
    await owner.execute("SET maintenance_work_mem = '512MB'")
    for index in indexes:
        await owner.execute(index["indexdef"])
