"""`make bench` measures everything and writes bench/results.md; `make bench ONLY=lists` measures
that part anew and leaves the others as they are."""

import os
import platform
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from bench import lists, logins, monitor, side_by_side

RESULTS = Path(__file__).parent / "results.md"
MEASURES = {
    "side_by_side": side_by_side.measure,
    "logins": logins.measure,
    "lists": lists.measure,
    "monitor": monitor.measure,
}
HEAD = """# Results

Written by `make bench`. Ratios, measured side by side in one run; the milliseconds are of the
machine that ran it.
"""


def main(names: list[str]) -> None:
    parts = _parts()
    for name in names or MEASURES:
        made = (
            f"({datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores,"
            f" Python {platform.python_version()}.)"
        )
        parts[name] = f"<!-- {name} -->\n{MEASURES[name]()}\n\n{made}\n"
        print(parts[name])
        RESULTS.write_text(
            "\n".join([HEAD, *(parts[name] for name in MEASURES if name in parts)]),
            encoding="utf-8",
        )


def _parts() -> dict[str, str]:
    """What was measured before, by name."""
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    split = re.split(r"^<!-- (\w+) -->\n", text, flags=re.MULTILINE)
    return {
        name: f"<!-- {name} -->\n{part.rstrip()}\n"
        for name, part in zip(split[1::2], split[2::2], strict=True)
    }


if __name__ == "__main__":
    main(sys.argv[1:])
