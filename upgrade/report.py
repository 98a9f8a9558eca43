"""The results of a run, and their tables."""

import os
from collections import Counter
from dataclasses import dataclass, field

from tessera_core.version import __version__
from upgrade.rotation import Calls

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


def table(report: Report) -> str:
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
