"""Entry point of `make upgrade-test`: two processes of the version before are upgraded one after
the other, under load. `make upgrade-test MINUTES=1 SEED=7` changes the length and the sequence; the
results are written to bench/results.md unless a run is shorter."""

import argparse
import asyncio
import secrets
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "backend"))
sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from upgrade.previous_version import CommitMissing
from upgrade.report import section, write_results
from upgrade.run import run

MINUTES = 3.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="make upgrade-test")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    given = parser.parse_args()
    print(f"{given.minutes:g} minutes of load, seed {given.seed}", flush=True)
    try:
        report = asyncio.run(run(given.seed, given.minutes * 60))
    except CommitMissing as error:
        sys.exit(str(error))
    if given.minutes >= MINUTES:
        write_results(report)
    else:
        print(section(report))
    for finding in report.findings:
        print(f"- {finding}")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
