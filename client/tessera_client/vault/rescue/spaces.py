"""Restores the histories of one space."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from tessera_client.texts import translate
from tessera_client.transfer.download import ChunkPlace, ChunkReader
from tessera_client.vault.rescue.copies import Cloud, CompanyCopies, CopiedSegment
from tessera_client.vault.rescue.findings import (
    describe_history,
    describe_log,
    note_lies,
    sort_left_over,
)
from tessera_client.vault.rescue.logs import SpaceLog, read_log
from tessera_client.vault.rescue.packs import CopiedPacks
from tessera_client.vault.rescue.recovery_files import RecoveryKeys
from tessera_client.vault.rescue.report import (
    Finding,
    HistoryReport,
    ListedFile,
    SpaceReport,
    timestamp,
)
from tessera_client.vault.rescue.target import Items, Target
from tessera_client.vault.restore import Restorer
from tessera_client.vault.scan import Problem
from tessera_client.vault.snapshot import Snapshot
from tessera_core.entries import BODY_KINDS
from tessera_core.errors import NotEnoughShards
from tessera_core.files import File
from tessera_core.histories import History, find_histories
from tessera_core.tree import Tree


@dataclass(frozen=True)
class Expected:
    """An entry that is known from elsewhere: the sheet of a recovery kit prints it."""

    sequence: int
    hash: bytes
    """The first bytes of it."""


@dataclass
class _Opened:
    """A history whose bodies were read."""

    history: History
    packs: CopiedPacks
    snapshot: Snapshot

    @property
    def tree(self) -> Tree:
        return self.snapshot.tree


class SpaceRescue:
    """Reads one space and writes its files; nothing in it stops the other spaces."""

    def __init__(
        self,
        recovery: RecoveryKeys,
        space: UUID,
        copies: CompanyCopies,
        clouds: Sequence[Cloud],
        target: Target,
    ) -> None:
        self._recovery = recovery
        self._space = space
        self._copies = copies
        self._clouds = clouds
        self._target = target
        self.named_packs: set[bytes] = set()
        """Packs that one of the histories names."""
        self.met: list[Expected] = []

    def run(self, segments: Sequence[CopiedSegment], expected: Collection[Expected]) -> SpaceReport:
        company, pair = self._recovery.company, self._recovery.keys
        log = read_log(company, self._space, segments, len(self._clouds))
        named = [(one, _find(log, one)) for one in expected]
        printed = max(((one.sequence, name) for one, name in named if name), default=None)
        histories = find_histories(company, self._space, log.copies, pair.public, printed)
        left_over = sort_left_over(log, histories)
        note_lies(log, histories, left_over, self._clouds)
        findings = list(describe_log(log, histories, left_over))
        report = SpaceReport(id=self._space, findings=findings)
        for history in histories.ranked:
            self.named_packs |= _added_packs(history)
        if not histories.ranked:
            report.findings.append(_explain_nothing(log))
            return report
        chosen = self._restore_chosen(histories.ranked[0], report)
        self.met = [one for one, name in named if _contains(histories.ranked[0], one, name)]
        for number, history in enumerate(histories.ranked[1:], 2):
            report.others.append(self._restore_other(history, number, report, chosen))
        return report

    def _restore_chosen(self, history: History, report: SpaceReport) -> _Opened | None:
        opened = self._open(history, report)
        if opened is None:
            return None
        report.name = opened.tree.name
        items = self._target.select(self._space, report.name, list(opened.tree.walk()))
        if items is not None:
            report.folder = self._target.new_folder(report.name or str(self._space))
            self._write(opened, items, report)
        return opened

    def _restore_other(
        self, history: History, number: int, space: SpaceReport, chosen: _Opened | None
    ) -> HistoryReport:
        """Writes what differs: the rest lies in the chosen history's folder already."""
        report = HistoryReport()
        other = self._open(history, report)
        common = _common(history, chosen.history) if chosen else 0
        folders = [str(self._clouds[number].folder) for number in sorted(history.copies)]
        message = translate(
            "rescue.other_history",
            number=number,
            sequence=common,
            last=report.sequence,
            time=timestamp(report.time),
            folders=", ".join(folders),
        )
        details = {"number": number, "leftAfter": common, "clouds": folders}
        report.findings.insert(0, Finding("other_history", message, details=details))
        items = _differences(other.tree, chosen.tree if chosen else Tree()) if other else []
        if other and items:
            name = space.name or other.tree.name
            if selected := self._target.select(self._space, name, items):
                folder = f"{name or self._space} (other history {number})"
                report.folder = self._target.new_folder(folder)
                self._write(other, selected, report)
        return report

    def _open(self, history: History, report: HistoryReport) -> _Opened | None:
        entries = history.entries[: history.readable]
        last = entries[-1]
        report.sequence, report.hash = last.head.sequence, last.hash
        report.time = last.head.time
        keyring = history.open_keyring(self._recovery.keys)
        if keyring is None:
            message = translate("errors.recovery_grant_refused")
            report.findings.append(Finding("grant_refused", message, is_loss=True))
            return None
        packs = CopiedPacks(self._copies, self._space, history.state.packs)
        unread = Snapshot(history.state, keyring=keyring)
        snapshot = unread.replay_from_checkpoint(entries, packs)
        report.findings += describe_history(history, snapshot)
        return _Opened(history, packs, snapshot)

    def _write(self, opened: _Opened, items: Items, report: HistoryReport) -> None:
        assert report.folder is not None
        if self._target.folder is None:
            self._list(opened, items, report)
            return
        size = sum(item.size for _, item in items if isinstance(item, File))
        label = translate("progress.restoring", name=report.folder)
        snapshot = opened.snapshot
        assert snapshot.keyring is not None
        reader = ChunkReader(opened.packs, snapshot.keyring)
        with self._target.show_progress(label, size) as advance:
            restorer = Restorer(reader, snapshot.chunk_places(), advance)
            restored = restorer.restore(items, self._target.folder / report.folder)
        report.files, report.bytes = restored.files, restored.bytes
        report.failed = restored.failed
        report.renamed = restored.renamed

    @staticmethod
    def _list(opened: _Opened, items: Items, report: HistoryReport) -> None:
        """Says what is there. Whether it is intact shows only when it is read."""
        places = opened.snapshot.chunk_places()
        for path, item in items:
            if not isinstance(item, File):
                continue
            report.listed.append(ListedFile(path, item.size, timestamp(item.modified // 10**6)))
            try:
                for chunk in item.chunks:
                    _check_any(opened.packs, places.get(chunk, ()))
            except NotEnoughShards as error:
                report.failed.append(Problem(path, str(error)))
            else:
                report.files += 1
                report.bytes += item.size


def _check_any(packs: CopiedPacks, places: Sequence[ChunkPlace]) -> None:
    """Raises if none of the places of a chunk has enough pieces."""
    problem = NotEnoughShards(translate("errors.chunk_missing"))
    for place in places:
        try:
            packs.check(place.pack)
        except NotEnoughShards as error:
            problem = error
        else:
            return
    raise problem


def _find(log: SpaceLog, expected: Expected) -> bytes | None:
    """The hash of an entry that is expected, if it is in the copies."""
    return next(
        (
            name
            for name, entry in log.entries.items()
            if entry.head.sequence == expected.sequence and name.startswith(expected.hash)
        ),
        None,
    )


def _contains(history: History, expected: Expected, name: bytes | None) -> bool:
    entries = history.entries[expected.sequence - 1 : expected.sequence]
    return [entry.hash for entry in entries] == [name]


def _explain_nothing(log: SpaceLog) -> Finding:
    if any(entry.head.sequence == 1 for entry in log.entries.values()):
        return Finding("log_not_trusted", translate("errors.log_not_trusted"), is_loss=True)
    return Finding("log_missing", translate("errors.log_missing"), is_loss=True)


def _common(one: History, other: History) -> int:
    """The last entry that two histories share."""
    pairs = zip(one.entries, other.entries, strict=False)
    return next(
        (at for at, (left, right) in enumerate(pairs) if left is not right),
        min(len(one.entries), len(other.entries)),
    )


def _differences(tree: Tree, chosen: Tree) -> Items:
    items = []
    for path, item in tree.walk():
        version = chosen.current(path)
        if version is None or version.item != item:
            items.append((path, item))
    return items


def _added_packs(history: History) -> set[bytes]:
    """Also those that were added after the pair was replaced."""
    return {
        record.pack
        for entry in history.entries
        if isinstance(entry.clear, BODY_KINDS)
        for record in entry.clear.packs
    }
