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
    for name in chosen or measures:
        write_part(file, name, measures[name](), head, list(measures))


def write_part(
    file: Path, name: str, text: str, head: str | None = None, order: Sequence[str] = ()
) -> None:
    """Replaces one part, or adds it. Parts without a place in the order stand last. The name is a
    word, with underscores."""
    assert re.fullmatch(r"\w+", name), name
    former, parts = _parts(file)
    made = (
        f"({datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores,"
        f" Python {platform.python_version()}.)"
    )
    parts[name] = f"<!-- {name} -->\n{text}\n\n{made}\n"
    print(parts[name])  # noqa: T201 - shows progress during a long run
    ordered = [each for each in order if each in parts]
    ordered += [each for each in parts if each not in ordered]
    file.write_text(
        "\n".join([head or former, *(parts[each] for each in ordered)]), encoding="utf-8"
    )


def _parts(file: Path) -> tuple[str, dict[str, str]]:
    """Reads the head and the parts measured before, by name."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    split = re.split(r"^<!-- (\w+) -->\n", text, flags=re.MULTILINE)
    return f"{split[0].rstrip()}\n", {
        name: f"<!-- {name} -->\n{part.rstrip()}\n"
        for name, part in zip(split[1::2], split[2::2], strict=True)
    }
