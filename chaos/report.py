"""Formats the results of a run as a table."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from chaos.run import Report

RESULTS = Path(__file__).parent / "results.md"
HEAD = """# Results

Written by `make chaos` after a run of ten minutes: two services killed at random, the database
restarted and crashed, the card provider and the clouds slow, wrong or silent, objects of one cloud
damaged, `tess` killed; and a member with valid keys writes what makes no sense, claims what others
have stored, and tries what the service has to refuse. Afterwards every side is compared with every
other, and every file is fetched, and restored from copies of the clouds with a recovery kit alone.
The activity, sent to a receiver that fails at times and to a cloud, is compared record by record.
"""


def table(report: Report) -> str:
    rows = [
        ("operations", sum(report.operations.values())),
        *((f"· {kind}", count) for kind, count in sorted(report.operations.items())),
        ("calls sent for them", report.attempts),
        ("operations answered yes", report.answers["yes"]),
        ("operations answered no", report.answers["no"]),
        ("operations never answered", report.answers["unknown"]),
        *sorted(report.faults.items()),
        ("findings", len(report.findings)),
    ]
    return "\n".join(["| what | how many |", "|---|---|", *(f"| {a} | {b:,} |" for a, b in rows)])


def write_results(report: Report) -> None:
    made = (
        f"({datetime.now(UTC):%Y-%m-%d}, seed {report.seed}, {report.seconds / 60:.0f} minutes,"
        f" {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}.)"
    )
    findings = "".join(f"- {finding}\n" for finding in report.findings)
    RESULTS.write_text(f"{HEAD}\n{table(report)}\n\n{findings}{made}\n", encoding="utf-8")
