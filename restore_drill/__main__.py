"""Entry point of `make restore-drill`: the primary's disk is lost after ten minutes of load, or
`MINUTES=2`; the results of ten or more are written to bench/results.md."""

import argparse
import asyncio
import secrets
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "backend"))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from restore_drill.report import section, what_was_said, write_results
from restore_drill.run import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="make restore-drill")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    given = parser.parse_args()
    print(f"{given.minutes:g} minutes of load, seed {given.seed}", flush=True)
    report = asyncio.run(run(given.seed, given.minutes * 60))
    print(what_was_said(report))
    if given.minutes >= 10:
        write_results(report)
    else:
        print(section(report))
    for finding in report.findings:
        print(f"- {finding}")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
