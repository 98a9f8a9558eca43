"""A report in parts: one part can be measured again while the others are kept."""

import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path


def measure(
    file: Path, head: str, measures: Mapping[str, Callable[[], str]], chosen: Sequence[str]
) -> None:
    """Measures the chosen parts, or all of them."""
    parts = _parts(file)
    for name in chosen or measures:
        made = (
            f"({datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores,"
            f" Python {platform.python_version()}.)"
        )
        parts[name] = f"<!-- {name} -->\n{measures[name]()}\n\n{made}\n"
        print(parts[name])  # noqa: T201 - shows progress during a long run
        file.write_text(
            "\n".join([head, *(parts[name] for name in measures if name in parts)]),
            encoding="utf-8",
        )


def _parts(file: Path) -> dict[str, str]:
    """Reads the parts measured before, by name."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    split = re.split(r"^<!-- (\w+) -->\n", text, flags=re.MULTILINE)
    return {
        name: f"<!-- {name} -->\n{part.rstrip()}\n"
        for name, part in zip(split[1::2], split[2::2], strict=True)
    }
