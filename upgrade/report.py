"""The results of a run, as a section of bench/results.md."""

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from report import write_part
from tessera_core.version import __version__
from upgrade.rotation import Calls

RESULTS = Path(__file__).parents[1] / "bench" / "results.md"
FILES = ("actions with files", "runs of tess", "runs of tess killed")


@dataclass
class Report:
    seed: int
    seconds: float
    previous: str
    steps: list[tuple[str, float]] = field(default_factory=list)
    operations: Counter[str] = field(default_factory=Counter)
    calls: Calls = field(default_factory=Calls)
    files: Counter[str] = field(default_factory=Counter)
    # Workflows that the last process of the version before was running when it was stopped, and
    # how those have ended that it left to others.
    begun: int = 0
    taken_over: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def section(report: Report) -> str:
    repeated = sorted(report.calls.repeated.items())
    rows: list[tuple[str, float]] = [
        ("calls", report.calls.count),
        ("calls that the client had to repeat", sum(report.calls.repeated.values())),
        *((f"· {why}", count) for why, count in repeated),
        ("calls that failed otherwise", sum(report.calls.failed.values())),
        ("operations answered yes", report.operations["yes"]),
        ("operations answered no", report.operations["no"]),
        ("operations never answered", report.operations["unknown"]),
        (f"workflows that the last process of {report.previous} was running", report.begun),
        (f"· ended in {__version__}", report.taken_over["SUCCESS"]),
        *((name, report.files[name]) for name in FILES),
        ("findings", len(report.findings)),
    ]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return "\n".join(
        [
            "## Upgrade",
            "",
            f"Written by `make upgrade-test`. Two processes of {report.previous} work under"
            f" {report.seconds:g} s of the load of `make chaos`, without faults. Meanwhile the"
            f" database is migrated and both are replaced by {__version__}, the first one put back"
            " and replaced again, and what only the former version needed is removed. Then"
            " everything is compared with what was answered.",
            "",
            "| step | seconds |",
            "|---|---|",
            *(f"| {name} | {seconds:.1f} |" for name, seconds in report.steps),
            "",
            "| what | how many |",
            "|---|---|",
            *(f"| {name} | {count:,} |" for name, count in rows),
            "",
            f"Load of the machine at the end (1, 5, 15 minutes): {load}.",
        ]
    )


def write_results(report: Report) -> None:
    write_part(RESULTS, "upgrade", section(report))
