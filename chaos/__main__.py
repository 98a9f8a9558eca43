"""Entry point of `make chaos`: ten minutes of injected faults, then the audit. `make chaos
MINUTES=2 SEED=7` changes the length and the sequence; the seed of each run is printed."""

import argparse
import asyncio
import secrets
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "backend"))

from chaos.report import table, write_results
from chaos.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="make chaos")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    given = parser.parse_args()
    print(f"{given.minutes:g} minutes of injected faults, seed {given.seed}", flush=True)
    report = asyncio.run(run(given.seed, given.minutes * 60))
    print(table(report))
    for finding in report.findings:
        print(f"- {finding}")
    if given.minutes >= 10:
        write_results(report)
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
