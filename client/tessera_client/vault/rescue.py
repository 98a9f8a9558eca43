"""Restores everything from plain copies of warehouses, offline."""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.transfer.download import ChunkReader
from tessera_client.vault.snapshot import Snapshot, bodies_to_replay
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.grants import RECOVERY, Grant
from tessera_core.log import EntryRefused, LogState, PackState
from tessera_core.objects import (
    ROOT,
    RecoveryObject,
    SegmentObject,
    ShardObject,
    parse_object_name,
)
from tessera_core.packs import PackName
from tessera_core.recovery import SealedRecovery
from tessera_core.segments import Segment, SegmentEntry
from tessera_core.shards import Coding, Shard, recover_pack
from tessera_core.user_keys import PrivateKeys

Found = list[tuple[ShardObject | SegmentObject | RecoveryObject, Path]]


@dataclass
class Copies:
    """The objects found in copies of warehouses, of one company."""

    shards: dict[bytes, list[Path]] = field(default_factory=lambda: defaultdict(list))
    segments: dict[UUID, list[Path]] = field(default_factory=lambda: defaultdict(list))


def find_objects(folders: Sequence[Path]) -> Found:
    """Finds stored objects at any depth, by their names."""
    found: Found = []
    for folder in folders:
        if not folder.is_dir():
            raise ClientError(
                translate("errors.no_such_folder", path=folder), code="no_such_folder"
            )
        for path in _files(folder.absolute()):
            _, marker, rest = path.as_posix().rpartition(f"/{ROOT}/")
            with suppress(Malformed):
                found.append((parse_object_name(marker[1:] + rest), path))
    return found


def open_recovery(found: Found, passphrase: str, code: bytes) -> tuple[UUID, PrivateKeys]:
    """Opens the newest recovery half that passphrase and code open."""
    contents = {path.read_bytes() for each, path in found if isinstance(each, RecoveryObject)}
    halves = []
    for content in contents:
        try:
            halves.append(SealedRecovery.decode(content))
        except Malformed:
            continue
    if not halves:
        raise ClientError(translate("errors.recovery_file_missing"), code="recovery_file_missing")
    for half in sorted(halves, key=lambda each: each.counter, reverse=True):
        try:
            return half.company, half.open(passphrase, code)
        except NotAuthentic:
            continue
    raise ClientError(translate("errors.recovery_not_opened"), code="recovery_not_opened")


def copies_of(found: Found, company: UUID) -> Copies:
    copies = Copies()
    for each, path in found:
        if each.company != company:
            continue
        if isinstance(each, ShardObject):
            copies.shards[each.pack].append(path)
        elif isinstance(each, SegmentObject):
            copies.segments[each.space].append(path)
    return copies


@dataclass
class RescuedSpace:
    snapshot: Snapshot
    source: "FolderSource"
    is_forked: bool

    def reader(self) -> ChunkReader:
        assert self.snapshot.keyring is not None
        return ChunkReader(self.source, self.snapshot.keyring)


def open_space(copies: Copies, company: UUID, space: UUID, recovery: PrivateKeys) -> RescuedSpace:
    """Checks the log from its first entry on, and trusts it only if recovery has signed it."""
    chain = _longest_chain(company, space, list(_entries(copies.segments[space])))
    state = chain.state
    if state.recovery_keys != recovery.public:
        raise ClientError(translate("errors.log_not_trusted"), code="log_not_trusted")
    snapshot = Snapshot(state)
    grants = [grant for each in chain.entries for grant in each.grants if grant.member == RECOVERY]
    if not grants:
        raise ClientError(translate("errors.grant_missing"), code="grant_missing")
    newest: Grant = max(grants, key=lambda grant: grant.generation)
    try:
        snapshot.keyring = newest.open(recovery, company=company, space=space)
        state.check_keyring(snapshot.keyring)
    except (EntryRefused, NotAuthentic, Malformed):
        raise ClientError(
            translate("errors.recovery_grant_refused"), code="grant_refused"
        ) from None
    rescued = RescuedSpace(snapshot, FolderSource(copies, space, state.packs), chain.is_forked)
    entries = [each.entry for each in chain.entries]
    snapshot.replay(bodies_to_replay(entries), rescued.reader)
    return rescued


@dataclass
class FolderSource:
    """Packs out of copied shards."""

    copies: Copies
    space: UUID
    packs: dict[bytes, PackState]

    def prepare(self, packs: Sequence[bytes]) -> None:
        pass

    def name(self, pack: bytes) -> PackName:
        return PackName(self.space, self._state(pack).generation, pack)

    def coding(self, pack: bytes) -> Coding:
        return self._state(pack).record.coding

    def fetch(self, pack: bytes) -> bytes:
        """Reads further shards only if the first ones do not give the pack."""
        record, shards = self._state(pack).record, list[Shard]()
        for path in self.copies.shards.get(pack, []):
            try:
                shards.append(Shard.decode(path.read_bytes()))
            except (OSError, Malformed, NotAuthentic):
                continue
            if len(shards) >= record.coding.k:
                try:
                    return recover_pack(shards, self.name(pack), record)
                except NotEnoughShards:
                    continue
        raise NotEnoughShards(
            translate("errors.not_enough_copies", intact=len(shards), needed=record.coding.k)
        )

    def fetch_range(self, pack: bytes, offset: int, size: int) -> bytes:
        return self.fetch(pack)[offset : offset + size]

    def _state(self, pack: bytes) -> PackState:
        state = self.packs.get(pack)
        if state is None:
            raise Malformed("the log does not know this pack")
        return state


@dataclass
class _Chain:
    state: LogState
    entries: list[SegmentEntry] = field(default_factory=list)
    is_forked: bool = False

    def fork(self) -> "_Chain":
        return _Chain(Snapshot(self.state).copy().state, [*self.entries], is_forked=True)


def _longest_chain(company: UUID, space: UUID, entries: Sequence[SegmentEntry]) -> _Chain:
    """Follows the entries that the rules accept; of different histories, the longest."""
    following: dict[bytes, dict[bytes, SegmentEntry]] = defaultdict(dict)
    for each in entries:
        following[each.entry.head.previous].setdefault(each.entry.hash, each)
    chains, best = [_Chain(LogState(company, space))], _Chain(LogState(company, space))
    while chains:
        chain = chains.pop()
        candidates = list(following[chain.state.head].values())
        accepted = []
        for each in candidates:
            extended = chain if len(candidates) == 1 else chain.fork()
            try:
                extended.state.append(each.entry)
            except EntryRefused:
                continue
            extended.entries.append(each)
            accepted.append(extended)
        chains += accepted
        if not accepted and len(chain.entries) > len(best.entries):
            best = chain
    if not best.entries:
        raise ClientError(translate("errors.log_missing"), code="log_missing")
    return best


def _entries(paths: Sequence[Path]) -> Iterator[SegmentEntry]:
    for path in paths:
        try:
            yield from Segment.decode(path.read_bytes()).entries
        except (OSError, Malformed, NotAuthentic):
            continue


def _files(folder: Path) -> Iterator[Path]:
    for parent, _, names in os.walk(folder):
        for name in names:
            yield Path(parent, name)
