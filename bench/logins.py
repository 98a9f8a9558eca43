"""Measures whether the service still responds while two hundred people log in at once, what a
login costs compared with the bare hash that it computes, and how long a login takes while others
flood the service with wrong passwords.

Both sides of each ratio are measured in one run on the same machine, in interleaved rounds.
"""

import asyncio
import itertools
import secrets
import statistics
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address

import httpx
from argon2 import PasswordHasher

from accounts import LEADER, PASSWORD
from server import running_server
from tessera_core.kdf import derive, salt_from_text

LOGINS = 200
# Fewer than may wait for their hash: nobody is refused.
AT_ONCE = 32
ROUNDS = 3
FLOODERS = 60
FLOODED_LOGINS = 20
LOGIN = "/api/auth/login-onboard"

_origins = itertools.count(int(IPv4Address("10.1.0.0")))


def derived_secret() -> str:
    return "a1." + secrets.token_urlsafe(32)


def new_origin() -> dict[str, str]:
    return {"X-Forwarded-For": str(IPv4Address(next(_origins)))}


async def _wrong_login(client: httpx.AsyncClient, origin: dict[str, str]) -> int:
    """Uses an unknown address: the service does the same work for it and locks nobody out."""
    body = {"emailAddress": f"{secrets.token_hex(6)}@bench.test", "password": derived_secret()}
    return (await client.post(LOGIN, json=body, headers=origin)).status_code


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
    turns = asyncio.Semaphore(AT_ONCE)

    async def login() -> int:
        async with turns:
            return await _wrong_login(client, new_origin())

    started = time.perf_counter()
    statuses = await asyncio.gather(*(login() for _ in range(LOGINS)))
    assert set(statuses) == {401}
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


async def _measure_load(address: str) -> str:
    calm: list[float] = []
    busy: list[float] = []
    ratios: list[float] = []
    async with _client(address) as people, _client(address) as watcher:
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
            f"`/healthz` while {LOGINS} logins are under way, {AT_ONCE} at a time, against a calm"
            " service; logins a second, against the bare hash in two threads.",
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


def _client(address: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=LOGINS)
    return httpx.AsyncClient(base_url=address, timeout=120, limits=limits)


class _Person:
    """Somebody with an account who logs in from their own origin."""

    def __init__(self, client: httpx.AsyncClient, body: dict[str, str]) -> None:
        self._client = client
        self._body = body
        self._headers = new_origin()

    @classmethod
    async def open(cls, client: httpx.AsyncClient) -> "_Person":
        answer = await client.post("/api/auth/prelogin", json={"emailAddress": LEADER.email})
        derived = await asyncio.to_thread(derive, PASSWORD, salt_from_text(answer.json()["salt"]))
        return cls(client, {"emailAddress": LEADER.email, "password": derived.auth})

    async def log_in(self) -> httpx.Response:
        return await self._client.post(LOGIN, json=self._body, headers=self._headers)

    async def remember_device(self) -> None:
        """Logs in completely and keeps the cookie."""
        assert (await self.log_in()).status_code == 200
        code = None
        while code is None:
            sent = await self._client.get("/api/sandbox/outbox", params={"to": LEADER.phone})
            code = next((message["code"] for message in sent.json()), None)
            await asyncio.sleep(0.1)
        answer = await self._client.post(
            "/api/auth/verify-otp", json={**self._body, "otp": code}, headers=self._headers
        )
        assert answer.status_code == 200, answer.text
        self._headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]

    async def times(self) -> list[float]:
        """Seconds of complete password checks; a refused one is repeated when the answer says."""
        times = []
        for _ in range(FLOODED_LOGINS):
            started = time.perf_counter()
            while True:
                answer = await self.log_in()
                if answer.status_code != 503:
                    break
                await asyncio.sleep(int(answer.headers["retry-after"]))
            assert answer.status_code == 200, answer.text
            times.append(time.perf_counter() - started)
        return times


async def _during_flood(
    address: str, person: _Person, origin: Callable[[], dict[str, str]]
) -> tuple[list[float], Counter[int]]:
    statuses: Counter[int] = Counter()
    under_way, over = asyncio.Event(), asyncio.Event()

    async def flood(client: httpx.AsyncClient) -> None:
        while not over.is_set():
            statuses[await _wrong_login(client, origin())] += 1
            if statuses.total() >= 2 * FLOODERS:
                under_way.set()

    async with _client(address) as client:
        flooders = [asyncio.create_task(flood(client)) for _ in range(FLOODERS)]
        await under_way.wait()
        times = await person.times()
        over.set()
        await asyncio.gather(*flooders)
    return times, statuses


async def _measure_floods(address: str) -> str:
    one = new_origin()
    async with _client(address) as client:
        person = await _Person.open(client)
        calm = await person.times()
        of_one, statuses_of_one = await _during_flood(address, person, lambda: one)
        known = await _Person.open(client)
        await known.remember_device()
        of_many, statuses_of_many = await _during_flood(address, known, new_origin)
    rows = (
        ("no flood", calm, Counter[int]()),
        ("one origin, random addresses", of_one, statuses_of_one),
        ("a new origin each time; a device that has logged in before", of_many, statuses_of_many),
    )
    return "\n".join(
        [
            "",
            f"The password step of a login while {FLOODERS} clients send wrong passwords for"
            f" random addresses without a pause ({FLOODED_LOGINS} logins each).",
            "",
            "| flood | p50 | longest | longest / no flood | the flood was answered |",
            "|---|---|---|---|---|",
            *(
                f"| {name} | {_percentile(times, 0.5):.2f} s | {max(times):.2f} s"
                f" | {max(times) / max(calm):.1f} | {_shares(statuses)} |"
                for name, times, statuses in rows
            ),
        ]
    )


def _shares(statuses: Counter[int]) -> str:
    total = statuses.total()
    return ", ".join(f"{status}: {count / total:.0%}" for status, count in sorted(statuses.items()))


def measure() -> str:
    # Codes are not sent again, so that logging in often is not limited by the number of SMS.
    with running_server(trusted_proxies="127.0.0.1", code_resend_seconds=3600) as server:
        load = asyncio.run(_measure_load(server.address))
        return load + "\n" + asyncio.run(_measure_floods(server.address))
