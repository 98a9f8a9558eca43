"""Rescues all spaces of the companies whose recovery kit was opened."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from tessera_client.texts import translate
from tessera_client.vault.rescue.copies import Cloud, CompanyCopies, Copies
from tessera_client.vault.rescue.logs import sort_segments
from tessera_client.vault.rescue.recovery_files import RecoveryKeys
from tessera_client.vault.rescue.report import Finding, Report, SpaceReport
from tessera_client.vault.rescue.spaces import Expected, SpaceRescue
from tessera_client.vault.rescue.target import Target
from tessera_core.errors import Malformed
from tessera_core.shards import MAX_SHARD_BYTES, TRAILER_BYTES, ShardTrailer
from tessera_core.shares import SHARE_GENERATION


def rescue_all(
    copies: Copies,
    opened: Sequence[RecoveryKeys],
    expected: Mapping[Expected, str],
    target: Target,
) -> Report:
    """Restores space by space, and says what is missing and which copies are wrong.

    `expected` are entries that some space should contain, with the names people know them by.
    """
    report = Report(target.folder, copies.clouds)
    unmet = {**expected}
    for recovery in opened:
        report.kits.append(recovery.counter)
        company = copies.companies[recovery.company]
        report.spaces += _rescue_company(recovery, company, copies.clouds, unmet, target)
        report.corrected += len(company.corrected)
    for entry, name in unmet.items():
        message = translate("rescue.expected_missing", name=name, sequence=entry.sequence)
        details = {"space": name, "sequence": entry.sequence, "hash": entry.hash.hex()}
        report.findings.append(Finding("expected_missing", message, is_loss=True, details=details))
    for place in target.not_found():
        message = translate("rescue.not_found", place=place)
        finding = Finding("not_found", message, is_loss=True, details={"place": place})
        report.findings.append(finding)
    report.spaces = [space for space in report.spaces if target.concerns(space.id, space.name)]
    return report


def _rescue_company(
    recovery: RecoveryKeys,
    company: CompanyCopies,
    clouds: Sequence[Cloud],
    unmet: dict[Expected, str],
    target: Target,
) -> list[SpaceReport]:
    reports: dict[UUID, SpaceReport] = {}
    named: set[bytes] = set()
    segments = sort_segments(recovery.company, company.segments)
    for space in sorted(segments):
        rescue = SpaceRescue(recovery, space, company, clouds, target)
        reports[space] = rescue.run(segments[space], [*unmet])
        named |= rescue.named_packs
        for entry in rescue.met:
            del unmet[entry]
    for space, packs in _unnamed_packs(company, named).items():
        if space not in reports:
            reports[space] = SpaceReport(id=space, findings=[_only_packs(packs)])
        else:
            message = translate("rescue.unnamed_packs", count=packs)
            finding = Finding("unnamed_packs", message, details={"count": packs})
            reports[space].findings.append(finding)
    return list(reports.values())


def _unnamed_packs(company: CompanyCopies, named: set[bytes]) -> dict[UUID, int]:
    """Counts packs that no log names, by the space that their shards name. Those of shares are
    named by no log."""
    spaces: dict[UUID, int] = defaultdict(int)
    for pack, files in company.shards.items():
        if pack in named:
            continue
        for file in files:
            try:
                content = file.read(MAX_SHARD_BYTES + TRAILER_BYTES, -TRAILER_BYTES)
                trailer = ShardTrailer.decode(content)
            except (OSError, Malformed):
                continue
            if trailer.name.pack == pack:
                if trailer.name.generation != SHARE_GENERATION:
                    spaces[trailer.name.space] += 1
                break
    return spaces


def _only_packs(count: int) -> Finding:
    message = translate("rescue.only_packs", count=count)
    return Finding("only_packs", message, is_loss=True, details={"count": count})
