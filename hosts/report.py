"""The results of a run, as a section of bench/results.md."""

import os
from pathlib import Path

from hosts.machine import PROCESSES
from hosts.run import PEOPLE, PROBES, Phase, Report
from report import write_part

RESULTS = Path(__file__).parents[1] / "bench" / "results.md"


def section(report: Report) -> str:
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return "\n".join(
        [
            "## Several machines",
            "",
            f"Written by `make hosts`. {report.machines} machines (network namespaces) with"
            f" {PROCESSES} processes each, behind Caddy with `deploy/Caddyfile`, on three"
            f" PostgreSQL nodes under Patroni; {PEOPLE} people working and {PROBES} callers that"
            " note when they are answered, all at the proxy. Numbers of answers by status, and the"
            " longest time in which a caller got no answer; callers give up after 40 s.",
            "",
            "| fault of one machine | seconds | answered | 502, 503, 504 | gave up | longest |",
            "|---|---|---|---|---|---|",
            *(_row(phase) for phase in report.phases),
            "",
            "| what | how many |",
            "|---|---|",
            f"| operations acknowledged | {report.answers['yes']:,} |",
            f"| operations refused | {report.answers['no']:,} |",
            f"| operations never acknowledged | {report.answers['unknown']:,} |",
            "| wrong passwords sent to all machines at once: refused as wrong, and over the limit"
            f" | {report.wrong_passwords[401]}, {report.wrong_passwords[429]} |",
            f"| findings of the audit | {len(report.findings)} |",
            "",
            f"Load of the machine at the end (1, 5, 15 minutes): {load}.",
        ]
    )


def _row(phase: Phase) -> str:
    busy = [phase.statuses[status] for status in (502, 503, 504)]
    answered = sum(count for status, count in phase.statuses.items() if 0 < status < 500)
    return (
        f"| {phase.fault} | {phase.seconds:.0f} | {answered:,} | {', '.join(map(str, busy))} |"
        f" {phase.statuses[0]} | {phase.longest:.1f} s |"
    )


def write_results(report: Report) -> None:
    write_part(RESULTS, "several_machines", section(report))
