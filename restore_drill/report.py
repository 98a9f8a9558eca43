"""The results of a run, as a section of bench/results.md."""

from pathlib import Path

from report import write_part
from restore_drill.drill import Report

RESULTS = Path(__file__).parents[1] / "bench" / "results.md"


def section(report: Report) -> str:
    steps = [f"| {step} | {seconds:.1f} |" for step, seconds in report.steps.items()]
    came_back = report.entries - report.restored_entries
    return "\n".join(
        [
            "## Restore drill",
            "",
            f"Written by `make restore-drill`. After {report.seconds:g} s of load or a little more,"
            " with files stored by `tess`, PostgreSQL is killed with SIGKILL and its data folder"
            " removed. The database comes back from a base backup and the write-ahead log, of which"
            f" a segment is archived every {report.archive_seconds} s; the rest is lost. Then"
            " everybody runs `tess`, the team leader closes the restore, and everything is compared"
            " with what was answered before.",
            "",
            "| seconds after the loss | |",
            "|---|---|",
            *steps,
            "",
            "| what | how many |",
            "|---|---|",
            f"| seconds between the last change that was answered and the last one that came back"
            f" | {report.lost_seconds:.1f} |",
            f"| changes answered | {report.operations:,} |",
            f"| of these lost, all outside of spaces | {len(report.lost_operations):,} |",
            f"| log entries of the space in the restored database | {report.restored_entries:,} |",
            f"| entries that came back from warehouses and clients | {came_back:,} |",
            f"| files stored before the loss | {report.files:,} |",
            f"| findings | {len(report.findings)} |",
        ]
    )


def what_was_said(report: Report) -> str:
    lines = []
    for email, said in report.said.items():
        lines.append(f"tess says to {email}:")
        lines += [f"  {count} x {' / '.join(text.splitlines())}" for text, count in said.items()]
        if not said:
            lines.append("  nothing")
    return "\n".join(lines)


def write_results(report: Report) -> None:
    write_part(RESULTS, "restore_drill", section(report))
