"""Restoring everything without the service."""

import re
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import read_kit_secrets
from tessera_client.errors import PARTLY_DONE, WrongUsage
from tessera_client.texts import translate
from tessera_client.vault.rescue.copies import Cloud, Fault, find_copies
from tessera_client.vault.rescue.recovery_files import open_recovery
from tessera_client.vault.rescue.report import HistoryReport, Report, SpaceReport, timestamp
from tessera_client.vault.rescue.run import rescue_all
from tessera_client.vault.rescue.spaces import Expected

_EXPECTED = re.compile(
    r"(?P<name>.+):(?P<sequence>[0-9]{1,18}):(?P<hash>([0-9a-f]{2}){8,32})", re.DOTALL
)


def rescue(
    folders: Annotated[list[Path], typer.Argument(help="options.copies", metavar="DIR...")],
    to: Annotated[Path, typer.Option(help="options.rescue_to", metavar="OUT")],
    expect: Annotated[
        list[str] | None, typer.Option(help="options.expect", metavar="SPACE:SEQUENCE:HASH")
    ] = None,
) -> Result:
    """Restores everything from copies of warehouses, without the service."""
    expected = dict(map(_read_expected, expect or []))
    copies = find_copies(folders)
    passphrase, code = read_kit_secrets()
    opened = open_recovery(copies, passphrase, code)
    report = rescue_all(copies, opened, expected, to, progress)
    data = {"summary": _summary(report), **report.as_json()}
    return Result(data, "\n".join(_lines(report)), PARTLY_DONE if report.losses else 0)


def _read_expected(text: str) -> tuple[Expected, str]:
    """As the recovery kit's sheet prints it. The hash says which space it is, not the name."""
    match = _EXPECTED.fullmatch(text.strip())
    if not match:
        message = translate("errors.expected_malformed", value=text)
        raise WrongUsage(message, code="expected_malformed")
    return Expected(int(match["sequence"]), bytes.fromhex(match["hash"])), match["name"]


def _summary(report: Report) -> str:
    """One line that can be sent to somebody."""
    files = sum(history.files for history in report.histories)
    restored = sum(bool(space.folder) for space in report.spaces)
    spaces = translate("rescue.spaces", count=restored)
    parts = [translate("results.rescued", count=files, path=report.target), spaces]
    if report.losses:
        parts.append(translate("rescue.losses", count=report.losses))
    else:
        parts.append(translate("rescue.complete"))
    faulty = len(report.faulty_clouds)
    if faulty:
        parts.append(translate("rescue.faulty", count=faulty, all=len(report.clouds)))
    return " ".join(parts)


def _lines(report: Report) -> list[str]:
    lines = [_summary(report), *(f"! {finding.message}" for finding in report.findings)]
    for space in report.spaces:
        lines += ["", _heading(space), *_details(space)]
        for other in space.others:
            lines += _details(other)
    if report.faulty_clouds:
        lines += ["", translate("rescue.clouds")]
        lines += [line for cloud in report.faulty_clouds for line in _faults(cloud)]
    if report.corrected:
        lines.append(translate("rescue.corrected", count=report.corrected))
    return lines


def _heading(space: SpaceReport) -> str:
    name = space.folder or str(space.id)
    if not space.sequence:
        return translate("rescue.not_read", name=name)
    return translate(
        "rescue.read_to",
        name=name,
        id=space.id,
        sequence=space.sequence,
        hash=space.hash.hex()[:16],
        time=timestamp(space.time),
        count=space.files,
    )


def _details(report: HistoryReport) -> list[str]:
    """Losses first."""
    findings = sorted(report.findings, key=lambda finding: not finding.is_loss)
    marks = {True: "!", False: "-"}
    lines = [f"  {marks[finding.is_loss]} {finding.message}" for finding in findings]
    lines += [f"  ! {problem.as_text()}" for problem in report.failed]
    lines += [
        f"  - {translate('results.renamed', path=renamed.path, name=renamed.name)}"
        for renamed in report.renamed
    ]
    return lines


def _faults(cloud: Cloud) -> list[str]:
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
    lines = [f"  {cloud.folder}"]
    for fault, count in cloud.faults.items():
        examples = ", ".join(cloud.examples[fault])
        lines.append(f"    - {translate(texts[fault], count=count)} ({examples})")
    return lines
