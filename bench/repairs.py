"""Simulates the repair of a lost cloud at sizes that cannot be tried: how long it takes and what
the clouds charge. Processor time is what bench/capacity.py measured; the clouds are assumptions,
named beside the table. The same seed gives the same times.

A repair rebuilds one of three shards of each pack, as tessera/storage/repair does: batches of
packs, some at once, each read from two clouds at a time, computed, written and read back.
"""

import heapq
import itertools
import random
from dataclasses import dataclass

from bench.storage_data import PACK_LENGTH
from tessera.kit.workflows import QUEUES
from tessera.storage.repair import workflows  # noqa: F401 - declares the queue
from tessera.storage.repair.pack_repair import BATCH, PACKS_AT_ONCE

SEED = 7
# Of bench/results.md, "Capacity": seconds of processor time in the service.
COMPUTING = 0.2
SHARD = PACK_LENGTH / 2
SHARDS_READ = 2
# Assumptions. A call to a cloud: until the first byte, and then bytes a second; medians of
# log-normal times, one connection.
FIRST_BYTE, BYTES_A_SECOND, SPREAD = 0.06, 50e6, 0.5
# A machine of four cores, with one process each, and its network.
PROCESSES_A_MACHINE, NETWORK = 4, 1.25e9
# List prices of the large clouds: bytes out, and thousand writes. Reading costs a tenth of writing.
GIGABYTE_OUT, THOUSAND_WRITES, THOUSAND_READS = 0.09, 0.005, 0.0004
TERABYTE = 1e12
SIMULATED_PACKS = 3_200
SIZES = {"10 TB": 10, "100 TB": 100, "1 PB": 1000}
FLEETS = (1, 4, 16, 64)


@dataclass
class Repair:
    """A company's. A batch begins when all packs of the one before are stored."""

    waiting: int = 0
    under_way: int = 0


def packs_a_second(repairs: int, seed: int = SEED) -> float:
    """What one process does that has the repairs of so many companies."""
    dice, numbers = random.Random(seed), itertools.count()
    rate = min(BYTES_A_SECOND, NETWORK / PROCESSES_A_MACHINE / (repairs * PACKS_AT_ONCE))
    # When a pack was read or was stored; the number decides between equal times.
    events: list[tuple[float, int, Repair, bool]] = []
    now, processor_free, stored = 0.0, 0.0, 0

    def call() -> float:
        transfer = SHARD / (rate * dice.lognormvariate(0, SPREAD))
        return FIRST_BYTE * dice.lognormvariate(0, SPREAD) + transfer

    def begin_packs(repair: Repair) -> None:
        if not repair.waiting and not repair.under_way:
            repair.waiting = BATCH
        while repair.waiting and repair.under_way < PACKS_AT_ONCE:
            repair.waiting -= 1
            repair.under_way += 1
            read = now + max(call() for _ in range(SHARDS_READ))
            heapq.heappush(events, (read, next(numbers), repair, False))

    for _ in range(repairs):
        begin_packs(Repair())
    while stored < SIMULATED_PACKS:
        now, _, repair, is_stored = heapq.heappop(events)
        if is_stored:
            stored += 1
            repair.under_way -= 1
            begin_packs(repair)
        else:
            processor_free = max(now, processor_free) + COMPUTING
            # Written, and read back.
            ended = processor_free + call() + call()
            heapq.heappush(events, (ended, next(numbers), repair, True))
    return stored / now


def cost(stored: float) -> float:
    """Dollars, for so many bytes that people stored."""
    packs = stored / PACK_LENGTH
    read = packs * SHARD * (SHARDS_READ + 1)
    calls = packs / 1000 * (THOUSAND_WRITES + (SHARDS_READ + 1) * THOUSAND_READS)
    return read / 1e9 * GIGABYTE_OUT + calls


def measure() -> str:
    at_once = QUEUES["repairs"].concurrency
    alone, full = packs_a_second(1), packs_a_second(at_once)
    lines = [
        "## Repairs of a lost cloud",
        "",
        f"Simulated. Packs of 16 MiB, 2 of 3 shards; {PACKS_AT_ONCE} packs at once in a company's"
        f" repair, {at_once} repairs at once in a process. Computed by {COMPUTING * 1000:.0f} ms a"
        f" pack (measured). Assumed: a call answers after {FIRST_BYTE * 1000:.0f} ms with"
        f" {BYTES_A_SECOND / 1e6:.0f} MB/s (medians, spread {SPREAD}); {PROCESSES_A_MACHINE}"
        f" processes share {NETWORK * 8 / 1e9:.0f} Gbit/s; ${GIGABYTE_OUT} a gigabyte out,"
        f" ${THOUSAND_WRITES} a thousand writes, ${THOUSAND_READS} a thousand reads.",
        "",
        f"One company's repair: {_speed(alone)}. A process with {at_once}: {_speed(full)}.",
        "",
        "| stored | clouds charge | one company |"
        + "".join(
            f" many, {fleet} {'process' if fleet == 1 else 'processes'} |" for fleet in FLEETS
        ),
        "|---" * (3 + len(FLEETS)) + "|",
    ]
    for name, terabytes in SIZES.items():
        stored = terabytes * TERABYTE
        packs = stored / PACK_LENGTH
        lines.append(
            f"| {name} | ${cost(stored):,.0f} | {_days(packs / alone)} |"
            + "".join(f" {_days(packs / full / fleet)} |" for fleet in FLEETS)
        )
    return "\n".join(lines)


def _speed(packs: float) -> str:
    return f"{packs:.1f} packs a second, {packs * PACK_LENGTH / 1e6:.0f} MB/s"


def _days(seconds: float) -> str:
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:,.0f} days"
