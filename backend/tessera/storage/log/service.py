"""The log of a space: the server orders and checks entries, and clients check them again."""

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from tessera.activity.service import record
from tessera.authz.context import Access
from tessera.authz.guards import check_verified
from tessera.kit.database import Connection
from tessera.storage import queries as storage_queries
from tessera.storage.access import (
    check_may_grant,
    check_not_restoring,
    check_read,
    check_restore_is_read,
    check_write,
    find_space,
)
from tessera.storage.copies.service import SEGMENT_ENTRIES
from tessera.storage.copies.workflows import copy_logs
from tessera.storage.log import limits, queries
from tessera.storage.log.entries import (
    add_entry,
    apply_entry,
    check_author,
    check_recovery,
    check_subject,
    decode_entry,
)
from tessera.storage.log.errors import EntryRefused, LogMovedOn
from tessera.storage.log.grants import commit_grants
from tessera.storage.log.packs import load_packs, store_packs
from tessera.storage.log.schemas import LogHead, LogPage
from tessera_core import base64url
from tessera_core.entries import (
    Entry,
    Generation,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Rewound,
)
from tessera_core.log import LogState, Reason
from tessera_core.user_keys import PublicKeys

MAX_PAGE_BYTES = 1024 * 1024

# The rules for these look at all members, and for the others at the author alone.
_NEEDS_MEMBERS = (MemberAdded, MemberRemoved, LeaderChanged, RecoveryChanged, Generation)
# What may be written during a restore of the service: the leader gives up what nobody has, and
# repeats what took access away in that part.
_WITH_REWOUND = (Rewound, MemberRemoved, LeaderChanged, RecoveryChanged, Generation)
_BRINGS_KEYS = (MemberAdded, LeaderChanged, RecoveryChanged)
_ACTIONS = {
    MemberAdded: "space.memberAdded",
    MemberRemoved: "space.memberRemoved",
    LeaderChanged: "space.leaderChanged",
}


async def read_log(
    access: Access, space_id: UUID, *, after: int, limit: int, bodies: bool
) -> LogPage:
    await check_read(access)
    space = await find_space(access, space_id)
    contents = await storage_queries.entries(
        access.connection,
        access.current_user.company_id,
        space_id,
        after=after,
        limit=limit,
        max_bytes=MAX_PAGE_BYTES,
        # An entry that was appended meanwhile would not fit the sequence and head of the answer.
        up_to=space.sequence,
    )
    if not bodies:
        contents = [Entry.decode(content).encode(with_body=False) for content in contents]
    return LogPage(entries=contents, sequence=space.sequence, head=space.head)


async def append(access: Access, space_id: UUID, contents: list[bytes]) -> LogHead:
    """Appends all of these entries or none. Appends run one after the other: of two at one
    sequence, the second gets the current one."""
    check_write(access)
    connection, company_id = access.connection, access.current_user.company_id
    space = await find_space(access, space_id, lock=True)
    entries = [decode_entry(content) for content in contents]
    is_rewound = isinstance(entries[0].clear, Rewound) and all(
        isinstance(entry.clear, _WITH_REWOUND) for entry in entries
    )
    await (check_restore_is_read if is_rewound else check_not_restoring)(access)
    for entry in entries:
        check_author(access, entry)
    first = entries[0].head
    if first.space == space_id and first.sequence != space.sequence + 1:
        current = {"sequence": space.sequence, "head": base64url.encode(space.head)}
        raise LogMovedOn(extra=current)
    await limits.count_entries(access, len(entries))
    needs_members = any(isinstance(entry.clear, _NEEDS_MEMBERS) for entry in entries)
    only = None if needs_members else access.current_user.user_uuid
    company = access.current_user.company_uuid
    state = await load_state(connection, company_id, company, space, entries, only=only)
    for entry, content in zip(entries, contents, strict=True):
        await _append_one(access, state, entry, content)
    if state.awaiting_generation:
        # Whoever was removed would read on until somebody writes the generation.
        raise EntryRefused(extra={"reason": Reason.GENERATION_AWAITED})
    await move_on(connection, company_id, space, state)
    if is_rewound:
        # Whoever has seen more has to go on from here as well.
        await storage_queries.forget_restore_claims(connection, company_id, space_id)
    return LogHead(sequence=state.sequence, head=state.head)


async def move_on(
    connection: Connection, company_id: int, space: storage_queries.Space, state: LogState
) -> None:
    """Stores what the space has come to by entries that were added to its log."""
    await queries.add_removed_keys(connection, company_id, space.id, state.removed_keys)
    await queries.move_on(connection, company_id, state)
    segments = state.sequence // SEGMENT_ENTRIES
    if segments > space.sequence // SEGMENT_ENTRIES:
        key = f"copy-log-{space.id}-{segments}"
        await copy_logs.enqueue(connection, company_id, key=key)


async def _append_one(access: Access, state: LogState, entry: Entry, content: bytes) -> None:
    """Checks an entry against the ones before it, and stores it."""
    connection, company_id = access.connection, access.current_user.company_id
    state.packs = await load_packs(connection, company_id, entry)
    apply_entry(state, entry)
    await _check_membership_change(access, entry)
    await store_entry(connection, company_id, state, entry, content)
    await _record_change(access, entry)


async def store_entry(
    connection: Connection, company_id: int, state: LogState, entry: Entry, content: bytes
) -> None:
    """Stores an entry that was applied to the state, with what it changes; its grants and packs
    must be there."""
    await commit_grants(connection, company_id, state, entry)
    await add_entry(connection, company_id, entry, content)
    await _store_members(connection, company_id, entry)
    await store_packs(connection, company_id, entry)


@lru_cache(maxsize=1024)
def _public_keys(encoded: bytes) -> PublicKeys:
    """Decoding checks the keys' numbers, which takes half a millisecond."""
    return PublicKeys.decode(encoded)


async def load_state(
    connection: Connection,
    company_id: int,
    company: UUID,
    space: storage_queries.Space,
    entries: Sequence[Entry],
    *,
    only: UUID | None = None,
) -> LogState:
    """Loads what the rules need for these entries, without packs; with `only`, one member."""
    rows = await queries.members(connection, company_id, space.id, only)
    brought = [entry.clear.keys.sign for entry in entries if isinstance(entry.clear, _BRINGS_KEYS)]
    removed = await queries.removed_keys(connection, company_id, space.id, brought)
    return LogState(
        company=company,
        space=space.id,
        sequence=space.sequence,
        head=space.head,
        time=space.time,
        generation=space.generation,
        awaiting_generation=space.awaiting_generation,
        leader=space.leader,
        members={row.member: _public_keys(row.public_keys) for row in rows},
        removed_keys=removed,
        recovery_keys=_public_keys(space.recovery_keys),
    )


async def _check_membership_change(access: Access, entry: Entry) -> None:
    match entry.clear:
        case MemberAdded(subject, keys):
            check_may_grant(access)
            await check_subject(access, subject, keys)
        case MemberRemoved():
            check_may_grant(access)
        case LeaderChanged(subject, keys):
            # Signed by the former leader, who need not be the team leader any more.
            check_verified(access.current_user)
            await check_subject(access, subject, keys, leader=True)
        case RecoveryChanged(keys):
            check_verified(access.current_user)
            await check_recovery(access, keys)
        case Rewound():
            check_verified(access.current_user)


async def _store_members(connection: Connection, company_id: int, entry: Entry) -> None:
    space_id = entry.head.space
    match entry.clear:
        case MemberAdded(subject, keys) | LeaderChanged(subject, keys):
            encoded = keys.encode()
            await queries.set_member(connection, company_id, space_id, subject, encoded)
        case MemberRemoved(subject):
            await queries.remove_member(connection, company_id, space_id, subject)


async def _record_change(access: Access, entry: Entry) -> None:
    space = str(entry.head.space)
    if isinstance(entry.clear, Rewound):
        details = {"space": space, "first": entry.head.sequence, "last": entry.clear.sequence}
        await record(access, "space.entriesGivenUp", details=details)
    if isinstance(entry.clear, MemberAdded | LeaderChanged | MemberRemoved):
        details = {"space": space, "member": str(entry.clear.subject)}
        await record(access, _ACTIONS[type(entry.clear)], details=details)
