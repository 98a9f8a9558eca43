"""The results of a run, as a section of bench/results.md."""

import os
from collections import Counter
from pathlib import Path

from failover.cluster import TIMES
from failover.run import PEOPLE, Report
from report import write_part

FAILED = ("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
RESULTS = Path(__file__).parents[1] / "bench" / "results.md"


def section(report: Report) -> str:
    rows = [
        f"| {number} | {_each(kill.reads)} | {_each(kill.writes)} | {kill.mail:.1f} |"
        f" {kill.rejoined:.1f} |"
        for number, kill in enumerate(report.kills, 1)
    ]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return "\n".join(
        [
            "## Failover",
            "",
            f"Written by `make failover`. Three PostgreSQL nodes under Patroni (its lock expires"
            f" after {TIMES['ttl']} s, the shortest it accepts) with synchronous replication, two"
            f" services, {PEOPLE} people working all the time. Each time, Patroni and PostgreSQL of"
            " the primary are killed with SIGKILL. Seconds from the kill until the first answer of"
            " each service, and until the mail of that write was sent by a workflow; then seconds"
            " until the killed node was a replica again. The services are never restarted."
            " Lists may be read from a replica: after each write, its caller asks the other service"
            " for it. After a failover, replicas are read again only when their control files name"
            " the new timeline, mostly later than the next kill here.",
            "",
            "| kill | lists | writes | workflows | node back |",
            "|---|---|---|---|---|",
            *rows,
            "",
            "| what | how many |",
            "|---|---|",
            f"| operations acknowledged | {report.answers['yes']:,} |",
            f"| of these not in the database afterwards, or there twice | {report.lost} |",
            f"| operations refused | {report.answers['no']:,} |",
            f"| operations never acknowledged | {report.answers['unknown']:,} |",
            f"| workflows completed | {report.workflows['SUCCESS']:,} |",
            f"| workflows failed | {sum(report.workflows[status] for status in FAILED)} |",
            f"| slowest, and median, until everything was answered again"
            f" | {report.slowest:.1f} s, {report.median:.1f} s |",
            "| lists of a caller that had just written, at the other service"
            f" | {report.own_writes:,} |",
            f"| of these without the write | {len(report.missed)} |",
            f"| lists before the first kill | {_sources(report.steady_reads)} |",
            f"| lists in all | {_sources(report.reads)} |",
            f"| findings of the audit | {len(report.findings)} |",
            "",
            f"Load of the machine at the end (1, 5, 15 minutes): {load}.",
        ]
    )


def _sources(reads: Counter[str]) -> str:
    """By what served them: a replica, or the primary and why."""
    return "; ".join(f"{count:,} {name}" for name, count in sorted(reads.items(), reverse=True))


def _each(seconds: list[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in seconds)


def write_results(report: Report) -> None:
    write_part(RESULTS, "failover", section(report))
