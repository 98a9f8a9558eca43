"""Entry point of `make hosts`: three machines with two processes each behind the sample proxy, on a
database under Patroni; the results are written to bench/results.md unless a run is shorter."""

import argparse
import asyncio
import secrets
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "backend"))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from hosts.faults import FAULTS
from hosts.report import section, write_results
from hosts.run import run

SECONDS = 30.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="make hosts")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--machines", type=int, default=3)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    given = parser.parse_args()
    print(
        f"{given.machines} machines, {given.seconds:.0f} s a fault, seed {given.seed}", flush=True
    )
    report = asyncio.run(run(given.seed, given.seconds, given.machines, list(FAULTS), cluster=True))
    for finding in report.findings:
        print(f"- {finding}")
    print(section(report))
    if given.seconds >= SECONDS:
        write_results(report)
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
