"""Measures what one call of each kind costs the service and PostgreSQL: processor time, rows and
WAL, less what an idle service takes. Also what the rows that grow occupy, and what the repair of a
pack costs. docs/capacity.md calculates with these figures.

The calls are made one after the other, so that processor time is counted and not waiting.
"""

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

import httpx
import psutil  # type: ignore[import-untyped]

from bench.lists import COMPANIES, MEMBERS, without_search_indexes
from bench.logins import LOGIN, derived_secret, new_origin
from bench.service import Owner, RunningService, new_session, running_service
from bench.side_by_side import SEARCH, tessera
from bench.storage_data import PACK_LENGTH, add_buckets, add_packs, add_spaces, new_leader
from tessera.kit.database import Database
from tessera.kit.workflows import Resources
from tessera.storage.repair.pack_repair import repair_batch
from tessera.storage.repair.queries import add_repair
from tessera_core import base64url
from tessera_core.entries import Change
from tests.storage.client import Device, SpaceClient, entries_body
from tests.storage.packs import PackFile

CALLS = int(os.environ.get("BENCH_CALLS", "400"))
# Before the calls that count.
FIRST_CALLS = 20
IDLE_SECONDS = 30.0
# PostgreSQL reports within ten seconds what an idle connection did.
STATISTICS_SECONDS = 11.0
MEMBERS_OF_COMPANY, ALL_COMPANIES = 1_000, 10_000
PACKS, LINKED = 100_000, 16
REPAIRED = 32
# Assumed: members of a company, the packs of each, and their calls in the busiest hour of a day.
USERS, USER_PACKS = 10, 1_250
FOLLOWING, LISTS, LOG = "a held call renewed", "members, a page", "log, nothing new"
LINKS = f"links to {LINKED} packs"
LOGIN_PASSWORD, INVITATION = "password of a login", "invitation with its mail"
BEGUN, COMPLETED = "upload of a pack begun", "upload of a pack completed"
ENTRY = "log entry with a pack"
BUSIEST_HOUR = {
    FOLLOWING: 72,
    LISTS: 10,
    LOG: 4,
    LINKS: 8,
    LOGIN_PASSWORD: 0.3,
    INVITATION: 0.02,
    BEGUN: 4,
    COMPLETED: 4,
    ENTRY: 4,
}
MANY_COMPANIES = (10_000, 100_000, 1_000_000)
_STATISTICS = """
    SELECT xact_commit AS transactions, tup_fetched AS read,
           tup_inserted + tup_updated + tup_deleted AS written,
           pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal
      FROM pg_stat_database WHERE datname = current_database()
"""
PACK_ROW = "pack of 3 shards"
_SIZES = {
    PACK_ROW: "SELECT (pg_total_relation_size('packs') +"
    " pg_total_relation_size('pack_shards')) / (SELECT count(*) FROM packs)",
    "log entry": "SELECT pg_total_relation_size('log_entries') /"
    " (SELECT count(*) FROM log_entries)",
    "member": "SELECT (pg_total_relation_size('users') + pg_total_relation_size('user_emails') +"
    " pg_total_relation_size('user_uuids')) / (SELECT count(*) FROM users)",
    "company": "SELECT pg_total_relation_size('companies') / (SELECT count(*) FROM companies)",
    "record of the activity": "SELECT pg_total_relation_size('activity') /"
    " (SELECT count(*) FROM activity)",
}

Call = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Totals:
    """Since the start: milliseconds of processor time, and PostgreSQL's counters."""

    seconds: float
    values: Mapping[str, float]

    def since(self, before: "Totals", by: float) -> dict[str, float]:
        return {name: (value - before.values[name]) / by for name, value in self.values.items()}


@dataclass(frozen=True)
class Meter:
    owner: Owner
    service: psutil.Process
    postgres: psutil.Process

    async def read(self) -> Totals:
        seconds = time.perf_counter()
        processor = {"service": _processor(self.service), "postgres": _processor(self.postgres)}
        await asyncio.sleep(STATISTICS_SECONDS)
        row = await self.owner.fetchrow(_STATISTICS)
        assert row is not None
        return Totals(seconds, processor | {name: float(value) for name, value in row.items()})

    async def idle(self) -> dict[str, float]:
        """What a second costs in which nothing is asked for."""
        before = await self.read()
        await asyncio.sleep(IDLE_SECONDS)
        after = await self.read()
        return after.since(before, after.seconds - before.seconds)

    async def measure(self, calls: list[Call], idle: Mapping[str, float]) -> dict[str, float]:
        for call in calls[:FIRST_CALLS]:
            await call()
        before = await self.read()
        for call in calls[FIRST_CALLS:]:
            await call()
        after = await self.read()
        count = len(calls) - FIRST_CALLS
        seconds = (after.seconds - before.seconds) / count
        return {
            name: value - idle[name] * seconds for name, value in after.since(before, count).items()
        }


def _processor(process: psutil.Process) -> float:
    """Milliseconds, with the children's."""
    total = 0.0
    for each in (process, *process.children(recursive=True)):
        times = each.cpu_times()
        total += times.user + times.system
    return total * 1000


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        # Workflows of the service under test alone; the repair is called here.
        environment = {"TESSERA_TRUSTED_PROXIES": "127.0.0.1", "TESSERA_LIMITS": "invites=100000"}
        with tessera(place, workers=1, environment=environment) as server:
            _, leader = await new_leader(place, server.address)
            company = leader.user.company.id
            async with without_search_indexes(place.owner):
                await place.owner.execute(COMPANIES, 1, ALL_COMPANIES)
                await place.owner.execute(MEMBERS, company, MEMBERS_OF_COMPANY)
            admin = place.authorize(await new_session(place.owner, 1, "admin"))
            [space] = await add_spaces(leader, 1)
            folders = await add_buckets(place, company)
            linked = await add_packs(place, leader, space.id, folders, count=PACKS, returned=LINKED)
            await place.owner.execute("VACUUM ANALYZE")
            [pid] = place.folder.rglob("postmaster.pid")
            postmaster = psutil.Process(int(pid.read_text().splitlines()[0]))
            meter = Meter(place.owner, psutil.Process(server.process.pid), postmaster)
            idle = await meter.idle()
            async with httpx.AsyncClient(base_url=server.address, timeout=60) as http:
                leader.http = http
                costs = {
                    kind: await meter.measure(calls, idle)
                    async for kind, calls in _kinds(leader, admin, space, linked)
                }
                packs = [PackFile(space, PACK_LENGTH) for _ in range(REPAIRED)]
                for pack in packs:
                    await pack.store(leader)
                    assert (await pack.commit(leader)).status_code == 200
        sizes = {name: await place.owner.fetchval(query) for name, query in _SIZES.items()}
        repair = await _repair(place, meter, company, packs)
    return _text(idle, costs, sizes, repair)


async def _kinds(
    leader: Device, admin: dict[str, str], space: SpaceClient, linked: list[bytes]
) -> AsyncIterator[tuple[str, list[Call]]]:
    """What a call needs is prepared before it is measured."""

    def call(
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] = leader.headers,
        expected: int = 200,
    ) -> Call:
        async def send() -> None:
            answer = await leader.http.request(method, path, headers=headers, json=body)
            assert answer.status_code == expected, answer.text

        return send

    storage, of_space = "/api/storage", {"spaceId": str(space.id)}
    search = f"/api/companies?searchText={SEARCH}"
    wrong = {"emailAddress": "nobody@bench.test", "password": derived_secret()}
    links = {**of_space, "packs": [base64url.encode(pack) for pack in linked]}
    known = {"spaces": [{"id": str(space.id), "sequence": space.state.sequence}], "seconds": 0}
    nothing_new = f"{storage}{space.log}?after={space.state.sequence}"
    yield "no query", [call("GET", "/api/config")] * CALLS
    yield LISTS, [call("GET", "/api/users")] * CALLS
    yield "companies, a search", [call("GET", search, headers=admin)] * CALLS
    yield LOG, [call("GET", nothing_new)] * CALLS
    yield FOLLOWING, [call("POST", f"{storage}/changes", known)] * CALLS
    yield LINKS, [call("POST", f"{storage}/links", links)] * CALLS
    yield (
        LOGIN_PASSWORD,
        [
            call(
                "POST",
                LOGIN,
                {**wrong, "emailAddress": f"{secrets.token_hex(6)}@bench.test"},
                new_origin(),
                401,
            )
            for _ in range(CALLS)
        ],
    )
    yield (
        INVITATION,
        [
            call("POST", "/api/invite/users/", [{"email_address": f"{number}@invited.test"}])
            for number in range(CALLS)
        ],
    )
    packs = [PackFile(space) for _ in range(CALLS)]
    yield (
        BEGUN,
        [
            call("POST", f"{storage}/uploads", {**of_space, "packs": [pack.described()]})
            for pack in packs
        ],
    )
    for pack in packs:
        await pack.send(leader)
    yield COMPLETED, [partial(_complete, pack, leader) for pack in packs]
    bodies = []
    for pack in packs:
        entry = space.entry(Change((pack.record,)), leader)
        space.state.append(entry)
        bodies.append(entries_body(entry))
    yield ENTRY, [call("POST", f"{storage}{space.log}", body) for body in bodies]


async def _complete(pack: PackFile, leader: Device) -> None:
    assert (await pack.complete(leader))["isSafe"]


async def _repair(
    place: RunningService, meter: Meter, company: int, packs: list[PackFile]
) -> dict[str, float]:
    """Rebuilds one shard of each pack from the other two, in the folders that stand for clouds."""
    ids = [pack.id for pack in packs]
    await place.owner.execute(
        "UPDATE pack_shards SET state = 'missing' WHERE index = 0 AND pack_id = ANY($1)", ids
    )
    # Fresh packs may still be on their way.
    await place.owner.execute(
        "UPDATE packs SET created_at = now() - interval '1 day' WHERE id = ANY($1)", ids
    )
    settings = place.settings.model_copy(update={"data_dir": place.folder / "data-1"})
    async with Database(settings) as database:
        resources = Resources(settings, database, place.keys)
        async with database.tenant(company) as connection:
            repair = await add_repair(connection, company, len(packs))
        assert repair is not None
        began, worked = time.perf_counter(), time.process_time()
        postgres = _processor(meter.postgres)
        while await repair_batch(resources, company, repair):
            pass
        spent, worked = time.perf_counter() - began, time.process_time() - worked
    repaired = await place.owner.fetchval("SELECT repaired FROM repairs WHERE id = $1", repair)
    assert repaired == len(packs), f"{repaired} packs of {len(packs)} were repaired"
    return {
        "seconds": spent / len(packs),
        "service": worked / len(packs) * 1000,
        "postgres": (_processor(meter.postgres) - postgres) / len(packs),
    }


def _text(
    idle: Mapping[str, float],
    costs: Mapping[str, Mapping[str, float]],
    sizes: Mapping[str, float],
    repair: Mapping[str, float],
) -> str:
    lines = [
        "## Capacity",
        "",
        f"One call after the other, {CALLS - FIRST_CALLS} of each kind, in one process; a company"
        f" with {MEMBERS_OF_COMPANY:,} members and {PACKS:,} packs among {ALL_COMPANIES:,}"
        " companies. What is left after the cost of an idle second is subtracted.",
        "",
        "| call | service, ms of processor time | PostgreSQL, ms | of `no query` | transactions"
        " | rows fetched | rows written | WAL, KiB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    least = sum(costs["no query"][name] for name in ("service", "postgres"))
    for kind, cost in costs.items():
        both = cost["service"] + cost["postgres"]
        lines.append(
            f"| {kind} | {cost['service']:.2f} | {max(cost['postgres'], 0):.2f}"
            f" | {both / least:.1f} | {max(cost['transactions'], 0):.1f}"
            f" | {max(cost['read'], 0):.0f} | {max(cost['written'], 0):.1f}"
            f" | {max(cost['wal'], 0) / 1024:.1f} |"
        )
    lines += [
        "",
        f"An idle second: service {idle['service']:.1f} ms, PostgreSQL {idle['postgres']:.1f} ms,"
        f" {idle['transactions']:.1f} transactions, {idle['wal'] / 1024:.1f} KiB of WAL.",
        "",
        "| row, with its indexes | bytes |",
        "|---|---|",
        *(f"| {name} | {size:,} |" for name, size in sizes.items()),
        "",
        f"Companies with {USERS} members, who have {USER_PACKS:,} packs each (20 GB). Assumed calls"
        " of a member in the busiest hour: "
        + ", ".join(f"{count:g} {kind}" for kind, count in BUSIEST_HOUR.items())
        + ".",
        "",
        "| companies | calls a second | cores of PostgreSQL | cores of the service"
        " | WAL, MiB a second | rows of packs, GiB |",
        "|---|---|---|---|---|---|",
        *(_demand(costs, sizes[PACK_ROW], companies) for companies in MANY_COMPANIES),
        "",
        f"Repair of a pack of 16 MiB, one of three shards from the two others, {REPAIRED} packs,"
        f" from and to folders: {repair['seconds']:.2f} s, of which the service computes"
        f" {repair['service']:.0f} ms and PostgreSQL {repair['postgres']:.0f} ms.",
    ]
    return "\n".join(lines)


def _demand(costs: Mapping[str, Mapping[str, float]], pack_row: float, companies: int) -> str:
    """What so many companies need in the busiest hour."""
    users = companies * USERS

    def a_second(name: str) -> float:
        return sum(costs[kind][name] * count for kind, count in BUSIEST_HOUR.items()) * users / 3600

    calls = sum(BUSIEST_HOUR.values()) * users / 3600
    return (
        f"| {companies:,} | {calls:,.0f} | {a_second('postgres') / 1000:,.1f}"
        f" | {a_second('service') / 1000:,.1f} | {a_second('wal') / 2**20:,.1f}"
        f" | {users * USER_PACKS * pack_row / 2**30:,.0f} |"
    )
