"""Extends a space's log by entries that it had before the service was restored from a backup.

They are signed: whoever brings them, the rules decide, as they do when entries are appended.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tessera.kit.database import Connection
from tessera.storage import queries as storage_queries
from tessera.storage.errors import SpaceNotFound
from tessera.storage.keys import queries as key_queries
from tessera.storage.log import grant_queries
from tessera.storage.log.entries import add_entry
from tessera.storage.log.errors import EntryRefused, LogMovedOn
from tessera.storage.log.packs import load_packs, pack_states
from tessera.storage.log.service import load_state, move_on, store_entry
from tessera.storage.log.spaces import add_genesis
from tessera.storage.packs import queries as pack_queries
from tessera.storage.recovery import queries as recovery_queries
from tessera.storage.restores import queries
from tessera.storage.restores.errors import HistoryDiffers, NotRestoring
from tessera_core import base64url, log
from tessera_core.entries import (
    Change,
    Checkpoint,
    Entry,
    Generation,
    Genesis,
    LeaderChanged,
    MemberAdded,
    Retire,
    Unretire,
)
from tessera_core.grants import RECOVERY, Grant
from tessera_core.log import MAX_CLOCK_AHEAD_MS, LogState, Reason
from tessera_core.recovery_records import RecoveryRecord
from tessera_core.segments import SegmentEntry
from tessera_core.shards import PackRecord

_HAS_GRANTS = (Generation, MemberAdded, LeaderChanged)


@dataclass(frozen=True)
class LostPack:
    """A pack that a signed entry adds and that the service does not know."""

    record: PackRecord
    generation: int
    author: UUID


@dataclass(frozen=True)
class Extension:
    sequence: int
    head: bytes
    added: int = 0
    lost_packs: tuple[LostPack, ...] = ()
    """Of the entries that wait, checked already."""
    needs_grants: bool = False

    @property
    def is_waiting(self) -> bool:
        return bool(self.lost_packs) or self.needs_grants


async def extend(
    connection: Connection,
    company_id: int,
    company: UUID,
    space_id: UUID,
    given: Sequence[SegmentEntry],
) -> Extension:
    """Takes in the entries that continue the log, up to the first whose packs or grants are
    missing. One that the rules refuse stops all of them."""
    restore = await queries.restore(connection, company_id, lock=True)
    if restore is None or restore.closed_at is not None:
        raise NotRestoring
    space = await storage_queries.space(connection, company_id, RECOVERY, space_id, lock=True)
    if space is None:
        await _begin(connection, company_id, company, space_id, given[0].entry)
        space = await storage_queries.space(connection, company_id, RECOVERY, space_id, lock=True)
        assert space is not None
    new = await _compare(connection, company_id, space, given)
    if not new:
        return Extension(space.sequence, space.head)
    if new[0].entry.head.sequence != space.sequence + 1:
        current = {"sequence": space.sequence, "head": base64url.encode(space.head)}
        raise LogMovedOn(extra=current)
    entries = [each.entry for each in new]
    state = await load_state(connection, company_id, company, space, entries)
    check = _Check(connection, company_id, state.copy(), restore.began_at)
    for each in new:
        await check.add(each)
    for each in new[: check.ready]:
        await _add(connection, company_id, state, each)
    if check.ready:
        await move_on(connection, company_id, space, state)
        await queries.count_entries(connection, company_id, check.ready)
    elif not check.is_blocked:
        raise EntryRefused(extra={"reason": Reason.GENERATION_AWAITED})
    return Extension(
        state.sequence, state.head, check.ready, tuple(check.lost_packs), check.needs_grants
    )


class _Check:
    """Applies entries to a copy of the state, and finds out how many can be stored."""

    def __init__(
        self, connection: Connection, company_id: int, state: LogState, began_at: datetime
    ) -> None:
        self._connection = connection
        self._company_id = company_id
        self._state = state
        self._latest = int(began_at.timestamp() * 1000) + MAX_CLOCK_AHEAD_MS
        self._seen = 0
        self.ready = 0
        """Whatever takes access away is stored together with its generation, or not at all."""
        self.lost_packs: list[LostPack] = []
        self.needs_grants = False

    @property
    def is_blocked(self) -> bool:
        return bool(self.lost_packs) or self.needs_grants

    async def add(self, each: SegmentEntry) -> None:
        entry, state = each.entry, self._state
        if entry.head.time > max(self._latest, state.time):
            # It was not there before the restore.
            raise EntryRefused(extra={"reason": Reason.TIME_AHEAD})
        lost = await self._load_packs(entry)
        try:
            state.append(entry)
            grants = await self._grants(each)
            if grants or not isinstance(entry.clear, _HAS_GRANTS):
                state.check_grants(entry, grants)
            else:
                self.needs_grants = True
        except log.EntryRefused as refused:
            raise EntryRefused(extra={"reason": refused.reason}) from None
        self.lost_packs += lost
        self._seen += 1
        if not self.is_blocked and not state.awaiting_generation:
            self.ready = self._seen

    async def _grants(self, each: SegmentEntry) -> Sequence[Grant]:
        if each.grants or not isinstance(each.entry.clear, _HAS_GRANTS):
            return each.grants
        head = each.entry.head
        stored = await grant_queries.grants_of(
            self._connection, self._company_id, head.space, head.id
        )
        return [Grant.decode(content) for content in stored]

    async def _load_packs(self, entry: Entry) -> list[LostPack]:
        """Fills in what the log says of the packs that the entry names. Returns those that it adds
        and that cannot be read."""
        match entry.clear:
            case Change(records) | Checkpoint(records):
                ids = [record.pack for record in records]
            case Retire(packs) | Unretire(packs):
                ids, records = list(packs), ()
            case _:
                return []
        known = await pack_queries.packs(self._connection, self._company_id, ids)
        own = {pack.id: pack for pack in known.values() if pack.owner_id == entry.head.space}
        self._state.packs = pack_states(own) | self._state.packs
        return [
            LostPack(record, entry.head.generation, entry.head.author)
            for record in records
            if (pack := known.get(record.pack)) is None
            or (pack.sequence is None and (pack.stored < pack.k or pack.booked_at is None))
        ]


async def _add(
    connection: Connection, company_id: int, state: LogState, each: SegmentEntry
) -> None:
    entry, head = each.entry, each.entry.head
    state.packs = await load_packs(connection, company_id, entry)
    state.append(entry)
    if each.grants:
        rows = [(grant.member, grant.generation, grant.encode()) for grant in each.grants]
        await grant_queries.store_grants(connection, company_id, head.space, head.id, rows)
    await store_entry(connection, company_id, state, entry, entry.encode())


async def _compare(
    connection: Connection,
    company_id: int,
    space: storage_queries.Space,
    given: Sequence[SegmentEntry],
) -> list[SegmentEntry]:
    """Returns the entries beyond the end; those before have to be the log's."""
    known = [each.entry for each in given if each.entry.head.sequence <= space.sequence]
    if known:
        stored = await storage_queries.entries(
            connection,
            company_id,
            space.id,
            after=known[0].head.sequence - 1,
            limit=len(known),
            max_bytes=len(known) * 2**20,
            up_to=space.sequence,
        )
        for entry, content in zip(known, stored, strict=True):
            if entry.hash != Entry.decode(content).hash:
                raise HistoryDiffers(extra={"sequence": entry.head.sequence})
    return list(given[len(known) :])


async def _begin(
    connection: Connection, company_id: int, company: UUID, space_id: UUID, entry: Entry
) -> None:
    """Begins a space that was made after the backup. All that is refused is refused as it is to
    those who are no members of a space that exists."""
    genesis = entry.clear
    if not isinstance(genesis, Genesis):
        raise SpaceNotFound
    state = LogState(company, space_id)
    try:
        state.append(entry)
    except log.EntryRefused:
        raise SpaceNotFound from None
    keys = await key_queries.member_keys_of(connection, company_id, genesis.leader)
    records = await recovery_queries.records(connection, company_id)
    pairs = [RecoveryRecord.decode(record).keys for record in records]
    if (
        keys is None
        or keys.public_keys != genesis.keys.encode()
        or genesis.recovery_keys not in pairs
    ):
        raise SpaceNotFound
    await add_genesis(connection, company_id, state, genesis)
    await add_entry(connection, company_id, entry, entry.encode())
    await queries.count_entries(connection, company_id, 1)
