"""`make bench` measures everything and writes bench/results.md; `make bench ONLY=lists` measures
only that part again and keeps the others."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from bench import (
    capacity,
    drive,
    held_calls,
    lists,
    logins,
    monitor,
    overload,
    prelogin,
    repairs,
    side_by_side,
    storage,
    storage_api,
    storage_size,
)
from report import measure

RESULTS = Path(__file__).parent / "results.md"
MEASURES = {
    "side_by_side": side_by_side.measure,
    "logins": logins.measure,
    "overload": overload.measure,
    "prelogin": prelogin.measure,
    "lists": lists.measure,
    "monitor": monitor.measure,
    "storage_api": storage_api.measure,
    "storage_size": storage_size.measure,
    "storage": storage.measure,
    "drive": drive.measure,
    "held_calls": held_calls.measure,
    "capacity": capacity.measure,
    "repairs": repairs.measure,
}
HEAD = """# Results

Written by `make bench`. Ratios, measured side by side in one run; the milliseconds are of the
machine that ran it.
"""


if __name__ == "__main__":
    measure(RESULTS, HEAD, MEASURES, sys.argv[1:])
