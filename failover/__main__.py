"""Entry point of `make failover`: the primary of three PostgreSQL nodes is killed under load, ten
times or `KILLS=2`; the results of ten or more are written to bench/results.md."""

import argparse
import asyncio
import secrets
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "backend"))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from failover.report import section, write_results
from failover.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="make failover")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    given = parser.parse_args()
    print(f"{given.kills} kills of the primary, seed {given.seed}", flush=True)
    report = asyncio.run(run(given.seed, given.kills))
    for finding in report.findings:
        print(f"- {finding}")
    if given.kills >= 10:
        write_results(report)
    else:
        print(section(report))
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
