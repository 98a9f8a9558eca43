"""Measures whether the service still responds while two hundred people log in at once, and what a
login costs compared with the bare hash that it computes.

Both sides of each ratio are measured in one run on the same machine, in interleaved rounds.
"""

import asyncio
import secrets
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
from argon2 import PasswordHasher

from server import running_server

LOGINS = 200
ROUNDS = 3


def derived_secret() -> str:
    return "a1." + secrets.token_urlsafe(32)


async def _probe(client: httpx.AsyncClient, until: asyncio.Event) -> list[float]:
    waits = []
    while not until.is_set():
        started = time.perf_counter()
        answer = await client.get("/healthz")
        waits.append(time.perf_counter() - started)
        assert answer.status_code == 200
        await asyncio.sleep(0.01)
    return waits


async def _logins(client: httpx.AsyncClient) -> float:
    """Uses unknown addresses: the service does the same work for them and locks nobody out."""
    bodies = [
        {"emailAddress": f"{secrets.token_hex(6)}@bench.test", "password": derived_secret()}
        for _ in range(LOGINS)
    ]
    started = time.perf_counter()
    answers = await asyncio.gather(
        *(client.post("/api/auth/login-onboard", json=body) for body in bodies)
    )
    assert {answer.status_code for answer in answers} == {401}
    return LOGINS / (time.perf_counter() - started)


def _bare_hashes() -> float:
    """Computes the same hash with the same parameters and number of threads, and nothing else."""
    hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
    started = time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(hasher.hash, [derived_secret() for _ in range(LOGINS)]))
    return LOGINS / (time.perf_counter() - started)


def _percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


async def _measure(address: str) -> str:
    calm: list[float] = []
    busy: list[float] = []
    ratios: list[float] = []
    limits = httpx.Limits(max_connections=LOGINS + 10)
    async with (
        httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as people,
        httpx.AsyncClient(base_url=address, timeout=120) as watcher,
    ):
        await _logins(people)
        for _ in range(ROUNDS):
            over = asyncio.Event()
            probe = asyncio.create_task(_probe(watcher, over))
            await asyncio.sleep(1)
            over.set()
            calm += await probe
            over = asyncio.Event()
            probe = asyncio.create_task(_probe(watcher, over))
            rate = await _logins(people)
            over.set()
            busy += await probe
            ratios.append(rate / await asyncio.to_thread(_bare_hashes))
    p50, p99 = _percentile(busy, 0.5), _percentile(busy, 0.99)
    return "\n".join(
        [
            "## Logins",
            "",
            f"`/healthz` while {LOGINS} logins are under way, against a calm service; logins a"
            " second, against the bare hash in two threads.",
            "",
            "| what | ratio |",
            "|---|---|",
            f"| `/healthz` p50 busy / calm | {p50 / _percentile(calm, 0.5):.1f} |",
            f"| `/healthz` p99 busy / calm | {p99 / _percentile(calm, 0.99):.1f} |",
            f"| `/healthz` answers during the logins | {len(busy)}, all 200 |",
            f"| logins a second / bare hashes a second | {statistics.median(ratios):.2f} |",
            "",
            f"(p50 {p50 * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms while busy, on the machine of this"
            " run.)",
        ]
    )


def measure() -> str:
    with running_server() as server:
        return asyncio.run(_measure(server.address))
