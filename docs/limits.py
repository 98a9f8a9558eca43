"""Writes the table of limits in docs/operations.md from tessera/limits.py."""

from datetime import timedelta
from pathlib import Path

from tessera.limits import LIMITS, MONTH, Limit

DOCUMENT = Path(__file__).with_name("operations.md")
START, END = "<!-- limits -->\n", "<!-- end of limits -->"


def main() -> None:
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")


def with_table(document: str) -> str:
    before, _, rest = document.partition(START)
    table = "".join(f"{row}\n" for row in ["| name | limit | of | for each |", "|---|---|---|---|"])
    table += "".join(map(_row, LIMITS.values()))
    return f"{before}{START}{table}{END}{rest.partition(END)[2]}"


def _row(limit: Limit) -> str:
    number = f"{limit.default:,}{_window(limit.window)}"
    return f"| `{limit.name}` | {number} | {limit.what} | {limit.scope} |\n"


def _window(window: timedelta | None) -> str:
    if window is None:
        return ""
    if window == MONTH:
        return " a billing month"
    minutes = int(window.total_seconds() // 60)
    return {60: " an hour", 1_440: " a day"}.get(minutes, f" in {minutes} minutes")


if __name__ == "__main__":
    main()
