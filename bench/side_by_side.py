"""Measures two lists through the whole service against a bare asyncpg server (the upper bound) and
the FastAPI full-stack template's packages (a peer), each in its own process on one database.
Medians of interleaved rounds, 32 connections, a pool of 10."""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import httpx

from bench.lists import COMPANIES, MEMBERS, without_search_indexes
from bench.load import Load, interleave, median_rate, median_tail, send
from bench.service import KEY, RunningService, new_company, new_session, running_service
from tests.fixtures.process import free_port

HERE = Path(__file__).parents[1]
CONNECTIONS = 32
REQUESTS = int(os.environ.get("BENCH_REQUESTS", "2000"))
ROUNDS = 5
A_COMPANY, ALL_COMPANIES = 1_000, 10_000
# 'c4ca4238' begins md5('1'), so it matches one company.
SEARCH = "c4ca4238"
BARE, PEER = "bare asyncpg", "template's stack"


@dataclass(frozen=True)
class Server:
    name: str
    address: str
    ready: str
    members: str
    companies: str
    starts_in: float
    process: subprocess.Popen[bytes]

    @property
    def memory(self) -> float:
        """Resident memory of the process and its children, in MiB."""
        pids = [self.process.pid]
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        pids += [int(pid) for pid in children.read_text().split()]
        found = [
            re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text()) for pid in pids
        ]
        return sum(int(each[1]) for each in found if each) / 1024


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        leader, admin = await _fill(place)
        with ExitStack() as stack:
            servers = [
                stack.enter_context(each)
                for each in (
                    tessera(place, workers=1),
                    tessera(place, workers=2),
                    peer(place, BARE, "bare"),
                    peer(place, PEER, "template"),
                )
            ]
            lists = {
                "members": await _rounds(place, servers, "members", leader),
                "companies, search": await _rounds(place, servers, "companies", admin),
            }
            return _text(servers, lists)


async def _fill(place: RunningService) -> tuple[str, str]:
    owner = place.owner
    company = await new_company(owner)
    async with without_search_indexes(owner):
        await owner.execute(COMPANIES, 1, ALL_COMPANIES)
        await owner.execute(MEMBERS, company, A_COMPANY)
    handles = await new_session(owner, company, "teamLeader"), await new_session(owner, 1, "admin")
    await owner.execute("VACUUM ANALYZE")
    return handles


@contextmanager
def tessera(
    place: RunningService,
    *,
    workers: int,
    module: str = "tessera.cli",
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    port = free_port()
    variables = {
        "TESSERA_DATABASE_URL": place.urls.app,
        "TESSERA_DATABASE_OWNER_URL": place.urls.owner,
        "TESSERA_DATABASE_PLATFORM_URL": place.urls.platform,
        "TESSERA_PLATFORM_KEY": KEY,
        "TESSERA_DATA_DIR": str(place.folder / f"data-{workers}"),
        "TESSERA_DEMO_DATA": "false",
        "TESSERA_LOG_LEVEL": "warning",
        "TESSERA_WORKERS": str(workers),
        **environment,
    }
    command = [sys.executable, "-m", module, "serve", "--port", str(port)]
    name = "Tessera" if workers == 1 else f"Tessera, {workers} processes"
    paths = ("/readyz", "/api/users", f"/api/companies?searchText={SEARCH}")
    with _running(name, command, variables, port, paths) as server:
        yield server


@contextmanager
def peer(place: RunningService, name: str, module: str) -> Iterator[Server]:
    port = free_port()
    environment = {
        "BENCH_APP": place.urls.app,
        "BENCH_PLATFORM": place.urls.platform,
        "BENCH_PSYCOPG": place.urls.superuser.replace("postgresql://", "postgresql+psycopg://"),
    }
    command = [sys.executable, "-m", "uvicorn", f"bench.peers.{module}:app", "--port", str(port)]
    command += ["--no-access-log", "--log-level", "warning"]
    paths = ("/openapi.json", "/members", f"/companies?searchText={SEARCH}")
    with _running(name, command, environment, port, paths) as server:
        yield server


@contextmanager
def _running(
    name: str,
    command: list[str],
    environment: dict[str, str],
    port: int,
    paths: tuple[str, str, str],
) -> Iterator[Server]:
    ready, members, companies = paths
    address = f"http://127.0.0.1:{port}"
    began = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, **environment}, cwd=HERE)
    try:
        while True:
            assert process.poll() is None, name
            try:
                httpx.get(address + ready, timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.02)
        starts_in = time.perf_counter() - began
        yield Server(name, address, ready, members, companies, starts_in, process)
    finally:
        process.terminate()
        process.wait(timeout=30)


async def _rounds(
    place: RunningService, servers: list[Server], which: str, handle: str
) -> dict[str, list[Load]]:
    def call(server: Server) -> Callable[[], Awaitable[Load]]:
        is_ours = server.name.startswith("Tessera")
        headers = place.authorize(handle) if is_ours else {"Authorization": f"Bearer {handle}"}
        url = server.address + getattr(server, which)
        return lambda: send(url, headers, requests=REQUESTS, connections=CONNECTIONS)

    return await interleave({server.name: call(server) for server in servers}, ROUNDS)


def _text(servers: list[Server], lists: dict[str, dict[str, list[Load]]]) -> str:
    lines = [
        "## Side by side",
        "",
        f"{CONNECTIONS} connections, a pool of 10, {ROUNDS} interleaved rounds of {REQUESTS:,}"
        f" calls, medians. {A_COMPANY:,} members; {ALL_COMPANIES:,} companies, one of which is"
        " found. Ratios of calls a second.",
        "",
        f"| list | server | of {BARE} | of the {PEER} | p99 : p50 | calls a second |",
        "|---|---|---|---|---|---|",
    ]
    for name, loads in lists.items():
        rate = {server: median_rate(own) for server, own in loads.items()}
        for server, own in loads.items():
            tail = median_tail(own)
            lines.append(
                f"| {name} | {server} | {rate[server] / rate[BARE]:.2f}"
                f" | {rate[server] / rate[PEER]:.1f} | {tail:.1f} | {rate[server]:.0f} |"
            )
    lines += ["", "| server | starts in, s | memory, MiB |", "|---|---|---|"]
    lines += [f"| {one.name} | {one.starts_in:.1f} | {one.memory:.0f} |" for one in servers]
    return "\n".join(lines)
