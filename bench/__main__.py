"""`make bench`: measures against a server of its own and writes bench/results.md."""

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from bench import lists, logins, monitor
from server import running_server

RESULTS = Path(__file__).parent / "results.md"
MEASURES = (logins.measure, lists.measure, monitor.measure)


def main() -> None:
    with running_server() as server:
        parts = [measure(server.address) for measure in MEASURES]
    head = (
        "# Results\n\nWritten by `make bench`. Ratios, measured side by side in one run; the "
        "milliseconds are of the machine that ran it.\n\n"
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}."
    )
    text = "\n\n".join([head, *parts]) + "\n"
    RESULTS.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
