"""A service that was restored from a backup: clients give it the entries back that it has lost.

Nothing that they have seen is forgotten meanwhile. A service that only pretends gets what it has
anyway, and is followed no more than before.
"""

from collections.abc import Sequence
from uuid import UUID

from tessera_client.errors import NeedsInput, Refused
from tessera_client.transfer.answers import ExtendedLog, LogPage
from tessera_client.transfer.api import ApiError
from tessera_client.vault.account import Account
from tessera_client.vault.index import Index
from tessera_core import base64url
from tessera_core.segments import SegmentEntry

ENTRIES_PER_CALL = 64
# Of a call's body, which the service limits to 1 MiB.
CALL_BYTES = 700 * 1024


def bring_back(account: Account, index: Index, space: UUID, seen: int) -> int | None:
    """Sends what the service's log lacks of what was seen; returns how many entries came back. None
    if the service does not say that it was restored, or if its log does not lead to what was seen.
    """
    if not account.read_restore().is_open:
        return None
    page = _end(account, space)
    begun = page.sequence if page else 0
    if begun >= seen:
        # Others were faster, or it is another history: whoever reads it again will know.
        return 0
    entries = index.kept_entries(space, begun)
    if entries and entries[0].entry.head.previous != (page.head if page else bytes(32)):
        return None
    sequence, missing_packs = begun, 0
    while True:
        part = _part(entries[sequence - begun :])
        try:
            answer = _send(account, space, part, seen)
        except ApiError as error:
            if error.code in {"history_differs", "entry_refused"}:
                raise Refused.from_code("log_rolled_back") from None
            moved = _end(account, space) if error.code == "log_moved_on" else None
            if moved is None or moved.sequence <= sequence:
                raise
            # Somebody else was faster.
            sequence = min(moved.sequence, begun + len(entries))
            continue
        has_moved = answer.sequence > sequence
        found_packs = 0 < answer.missing_packs < missing_packs or not missing_packs
        missing_packs = answer.missing_packs
        sequence = answer.sequence
        if sequence >= seen:
            return sequence - begun
        if not part or not (has_moved or (missing_packs and found_packs)):
            raise NeedsInput.from_code("restore_waiting", first=sequence + 1, last=seen)


def _end(account: Account, space: UUID) -> LogPage | None:
    """Where the service's log ends; None if it does not know the space."""
    try:
        path = f"/storage/spaces/{space}/log"
        return account.api.get(path, LogPage, after=2**62, limit=1)
    except ApiError as error:
        if error.code != "space_not_found":
            raise
        return None


def _part(entries: Sequence[SegmentEntry]) -> list[dict[str, object]]:
    part, size = list[dict[str, object]](), 0
    for each in entries[:ENTRIES_PER_CALL]:
        entry = base64url.encode(each.entry.encode())
        grants = [base64url.encode(grant.encode()) for grant in each.grants]
        size += len(entry) + sum(map(len, grants))
        if part and size > CALL_BYTES:
            break
        part.append({"entry": entry, "grants": grants})
    return part


def _send(account: Account, space: UUID, part: list[dict[str, object]], seen: int) -> ExtendedLog:
    body = {"entries": part, "seen": seen}
    path = f"/storage/spaces/{space}/log/former"
    return account.api.post(path, ExtendedLog, body, repeat=True)
