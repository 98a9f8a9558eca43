"""Runs many seeds of the generated test, and prints what happened.

python -m client.tests.sync --seeds 200
"""

import argparse
import sys
from collections import Counter

from client.tests.sync.generated import STEPS, run_seed


def _describe(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--steps", type=int, default=STEPS)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    failed = []
    for seed in range(options.first, options.first + options.seeds):
        try:
            counts = run_seed(seed, options.steps)
        except Exception as error:  # noqa: BLE001 - the other seeds go on
            failed.append(seed)
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)  # noqa: T201
        else:
            total += counts
            print(f"seed {seed}: {_describe(counts)}", flush=True)  # noqa: T201
    done = options.seeds - len(failed)
    print(f"{done} of {options.seeds} seeds: {_describe(total)}")  # noqa: T201
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
