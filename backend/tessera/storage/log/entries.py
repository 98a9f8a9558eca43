"""Checks of an entry, beside the log's own rules in tessera_core.log, and its storage."""

from uuid import UUID

from tessera.authz.context import Access
from tessera.authz.errors import Forbidden
from tessera.authz.guards import check_verified
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.storage.access import may_manage
from tessera.storage.keys import queries as key_queries
from tessera.storage.keys.errors import SubjectKeysChanged
from tessera.storage.log import errors, queries
from tessera.storage.recovery import queries as recovery_queries
from tessera_core import log
from tessera_core.entries import MAX_ENTRY_BYTES, Entry
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import RECOVERY
from tessera_core.user_keys import PublicKeys


def decode_entry(encoded: bytes) -> Entry:
    if len(encoded) > MAX_ENTRY_BYTES:
        raise errors.EntryTooLarge(maximum=MAX_ENTRY_BYTES // 1024)
    try:
        entry = Entry.decode(encoded)
    except (Malformed, NotAuthentic):
        raise errors.EntryMalformed from None
    if entry.body is None:
        raise errors.EntryMalformed
    return entry


def check_author(access: Access, entry: Entry) -> None:
    """Entries are sent by their author; those of the recovery pair by the team leader."""
    if entry.head.author == RECOVERY:
        if not may_manage(access):
            raise Forbidden
        check_verified(access.current_user)
    elif entry.head.author != access.current_user.user_uuid:
        raise errors.EntryOfSomebodyElse


def apply_entry(state: log.LogState, entry: Entry) -> None:
    try:
        state.append(entry, now=int(clock.now().timestamp() * 1000))
    except log.EntryRefused as refused:
        raise errors.EntryRefused(extra={"reason": refused.reason}) from None


async def check_subject(
    access: Access, subject: UUID, keys: PublicKeys, *, leader: bool = False
) -> None:
    """The log cannot know whether the subject is active and still has these keys."""
    known = await key_queries.member_keys_of(
        access.connection, access.current_user.company_id, subject
    )
    if known is None or not known.is_active or known.public_keys != keys.encode():
        raise SubjectKeysChanged
    if leader and known.role != "teamLeader":
        raise errors.NotTheCompanyLeader


async def check_recovery(access: Access, keys: PublicKeys) -> None:
    """A log names the pair of the newest record."""
    newest = await recovery_queries.newest_record(access.connection, access.current_user.company_id)
    if newest is None or newest.public_keys != keys.encode():
        raise SubjectKeysChanged


async def add_entry(connection: Connection, company_id: int, entry: Entry, encoded: bytes) -> None:
    head = entry.head
    if not await queries.add_entry(
        connection,
        company_id,
        head.space,
        sequence=head.sequence,
        entry_id=head.id,
        kind=entry.clear.kind,
        author=head.author,
        content=encoded,
    ):
        raise errors.EntryIdUsed
