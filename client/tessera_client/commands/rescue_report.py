"""What a rescue says: to the person at the computer, and to whom they send the report.

Nothing in it opens anything. Names of spaces, files and folders are left out of what is sent unless
the person asked for them.
"""

import platform
from collections import Counter
from datetime import UTC, datetime

from tessera_client.texts import show_bytes, translate, visible
from tessera_client.vault.rescue.copies import Cloud, Fault
from tessera_client.vault.rescue.report import (
    Finding,
    HistoryReport,
    Report,
    SpaceReport,
    timestamp,
)
from tessera_core.version import __version__

# Details of findings that are names of spaces or folders.
_NAMING = {"space", "clouds", "place"}


def summary(report: Report) -> str:
    """One line."""
    files = sum(history.files for history in report.histories)
    size = sum(history.bytes for history in report.histories)
    read = sum(bool(space.folder) for space in report.spaces)
    key = "results.rescued" if report.target else "rescue.readable"
    parts = [
        translate(key, count=files, bytes=show_bytes(size)),
        translate("rescue.spaces", count=read),
    ]
    if report.losses:
        parts.append(translate("rescue.losses", count=report.losses))
    else:
        parts.append(translate("rescue.complete"))
    faulty = len(report.faulty_clouds)
    if faulty:
        parts.append(translate("rescue.faulty", count=faulty, all=len(report.clouds)))
    return " ".join(parts)


def report_file(report: Report, *, names: bool) -> str:
    """The report that one can send to somebody."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    lines = [
        translate("rescue.report_title", time=now),
        f"tess {__version__}, Python {platform.python_version()}, {platform.platform()}",
        translate("rescue.report_with_names" if names else "rescue.report_without_names"),
        "",
        *report_lines(report, names=names),
    ]
    return "\n".join(lines) + "\n"


def report_lines(report: Report, *, names: bool = True) -> list[str]:
    lines = [summary(report)]
    lines += [f"! {_message(finding, names=names)}" for finding in report.findings]
    for number, space in enumerate(report.spaces, 1):
        lines += ["", _heading(space, number, names=names)]
        for history in (space, *space.others):
            lines += _details(history, names=names)
    if report.faulty_clouds:
        lines += ["", translate("rescue.clouds")]
        for cloud in report.faulty_clouds:
            lines += _faults(cloud, names=names)
    if report.corrected:
        lines.append(translate("rescue.corrected", count=report.corrected))
    return lines


def _message(finding: Finding, *, names: bool) -> str:
    if names or not _NAMING & {*finding.details}:
        return finding.message
    details = [f"{key} {value}" for key, value in finding.details.items() if key not in _NAMING]
    return " ".join([finding.code, *details])


def _heading(space: SpaceReport, number: int, *, names: bool) -> str:
    name = (space.folder or space.name) if names else ""
    name = name or translate("rescue.space", number=number)
    if not space.sequence:
        return translate("rescue.not_read", name=name, id=space.id)
    return translate(
        "rescue.read_to",
        name=name,
        id=space.id,
        sequence=space.sequence,
        hash=space.hash.hex()[:16],
        time=timestamp(space.time),
        count=space.files,
        bytes=show_bytes(space.bytes),
    )


def _details(report: HistoryReport, *, names: bool) -> list[str]:
    """Losses first."""
    findings = sorted(report.findings, key=lambda finding: not finding.is_loss)
    marks = {True: "!", False: "-"}
    lines = [f"  {marks[finding.is_loss]} {_message(finding, names=names)}" for finding in findings]
    if not names:
        reasons = Counter(problem.message for problem in report.failed)
        return lines + [
            f"  ! {translate('rescue.failed', count=count, reason=reason)}"
            for reason, count in reasons.items()
        ]
    lines += [f"  ! {problem.as_text()}" for problem in report.failed]
    lines += [
        f"  - {translate('results.renamed', path=renamed.path, name=renamed.name)}"
        for renamed in report.renamed
    ]
    lines += [
        f"  {file.size:>12}  {file.modified or '':25}  {visible(file.path)}"
        for file in report.listed
    ]
    return lines


def _faults(cloud: Cloud, *, names: bool) -> list[str]:
    texts = {
        Fault.UNREADABLE: "rescue.unreadable",
        Fault.PIECE_DAMAGED: "rescue.piece_damaged",
        Fault.PIECE_WRONG: "rescue.piece_wrong",
        Fault.SEGMENT_DAMAGED: "rescue.segment_damaged",
        Fault.SEGMENT_MISPLACED: "rescue.segment_misplaced",
        Fault.ENTRY_FORGED: "rescue.entry_forged",
        Fault.LOG_FORGED: "rescue.log_forged",
        Fault.GRANTS_WRONG: "rescue.grants_wrong",
        Fault.RECOVERY_DAMAGED: "rescue.recovery_damaged",
    }
    copy = translate("rescue.copy", number=cloud.number + 1)
    lines = [f"  {copy}: {visible(cloud.folder)}" if names else f"  {copy}"]
    for fault, count in cloud.faults.items():
        examples = f" ({', '.join(cloud.examples[fault])})" if names else ""
        lines.append(f"    - {translate(texts[fault], count=count)}{examples}")
    return lines
