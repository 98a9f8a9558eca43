"""Measures whether the time of an answer to `prelogin` tells a known address from an unknown one.

Pairs of requests, in random order, over one connection on the same machine: far better conditions
than an attacker has. As a control, two unknown addresses are compared in the same way. The
requests are cut into groups; each estimate is the mean of the groups' differences, and its
uncertainty comes from how much the groups differ.
"""

import http.client
import itertools
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from accounts import LEADER
from bench.logins import new_origin
from server import running_server

TRIES = 10_000
GROUPS = 40
# Beyond this many standard errors a difference is no accident: one in 15,000.
TELLING = 4.0
# Each origin may ask this often.
PER_ORIGIN = 1_000

Estimate = Callable[[Sequence[float]], float]


def _trimmed_mean(times: Sequence[float]) -> float:
    """Without the slowest tenth, which says more about the machine."""
    return statistics.fmean(sorted(times)[: len(times) * 9 // 10])


def _low(times: Sequence[float]) -> float:
    return sorted(times)[len(times) // 10]


ESTIMATES: dict[str, Estimate] = {
    "trimmed mean": _trimmed_mean,
    "median": statistics.median,
    "10th percentile": _low,
}


@dataclass(frozen=True)
class Difference:
    seconds: float
    error: float

    @property
    def told_apart(self) -> bool:
        return abs(self.seconds) > TELLING * self.error

    @property
    def smallest(self) -> float:
        """What these tries would have shown."""
        return TELLING * self.error


class _Attacker:
    def __init__(self, address: str) -> None:
        host = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(host)
        self._headers = {"Content-Type": "application/json"}
        self._asked = itertools.count()

    def ask(self, email: str) -> float:
        if next(self._asked) % (PER_ORIGIN - 10) == 0:
            self._headers |= new_origin()
        body = json.dumps({"emailAddress": email}).encode()
        started = time.perf_counter()
        self._connection.request("POST", "/api/auth/prelogin", body, self._headers)
        answer = self._connection.getresponse()
        answer.read()
        seconds = time.perf_counter() - started
        assert answer.status == 200, answer.status
        return seconds

    def compare(self, first: str, second: str) -> dict[str, Difference]:
        groups: list[dict[str, float]] = []
        for _ in range(GROUPS):
            times: dict[str, list[float]] = {first: [], second: []}
            for _ in range(TRIES // GROUPS):
                for email in random.sample((first, second), 2):
                    times[email].append(self.ask(email))
            groups.append(
                {
                    name: estimate(times[first]) - estimate(times[second])
                    for name, estimate in ESTIMATES.items()
                }
            )
        return {name: _difference([group[name] for group in groups]) for name in ESTIMATES}


def _difference(values: Sequence[float]) -> Difference:
    error = statistics.stdev(values) / len(values) ** 0.5
    return Difference(statistics.fmean(values), error)


def measure() -> str:
    # Unknown addresses of the same length, before and after the known one.
    name, _, host = LEADER.email.partition("@")
    unknown = [f"{name[:-1]}{letter}@{host}" for letter in "0~"]
    with running_server() as server:
        attacker = _Attacker(server.address)
        for _ in range(500):
            attacker.ask(LEADER.email)
            attacker.ask(unknown[0])
        control = attacker.compare(*unknown)
        found = [attacker.compare(LEADER.email, other) for other in unknown]
    rows = [
        f"| {label} | {name} | {one.seconds * 1e6:+.1f} ± {one.error * 1e6:.1f} µs |"
        f" {one.smallest * 1e6:.1f} µs | {'yes' if one.told_apart else 'no'} |"
        for label, differences in [
            ("two unknown addresses", control),
            ("known, unknown before it", found[0]),
            ("known, unknown after it", found[1]),
        ]
        for name, one in differences.items()
    ]
    return "\n".join(
        [
            "## Known and unknown addresses",
            "",
            f"What {TRIES:,} tries of each address can tell apart by the time of `prelogin`, over"
            " one connection on the same machine. An origin may try 1,000 times an hour.",
            "",
            "| compared | by | difference | would be seen from | told apart |",
            "|---|---|---|---|---|",
            *rows,
        ]
    )
