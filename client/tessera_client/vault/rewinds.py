"""A log whose leader has given up entries that nobody had after a restore of the service.

A service that only pretends a restore gains nothing: the leader names the end of what is given up,
and whoever has seen something else, or more, goes on only after being asked.
"""

from tessera_client.errors import NeedsInput, Refused
from tessera_client.vault.account import Account
from tessera_client.vault.index import Index
from tessera_client.vault.log_reader import (
    check_leader,
    is_current_leader_trusted,
    read_entries,
)
from tessera_client.vault.snapshot import Snapshot
from tessera_core.key_envelopes import NO_REWINDS, RewindPin, SpacePin
from tessera_core.log import LogState, Rewind
from tessera_core.user_keys import PrivateKeys


def follow_rewind(
    account: Account,
    index: Index,
    seen: Snapshot,
    recovery: PrivateKeys | None,
    *,
    is_confirmed: bool,
) -> Rewind | None:
    """Goes on from what is left of a log, if its leader has given up the rest. Returns where, or
    None if the leader has not. What was seen beyond what is left is forgotten.

    Whoever has seen less than the leader, or more, cannot check that it was the same, and is asked.
    """
    state = seen.state
    space, count = state.space, len(state.rewinds)
    # An interrupted run may have read on without storing the pin.
    pin = account.bundle.spaces.get(space, SpacePin(seen.first, state.sequence, state.head))
    sequence, head = max((pin.sequence, pin.hash), (state.sequence, state.head))
    # Another device of this account may have gone on already.
    pinned = account.bundle.rewinds.get(space, NO_REWINDS)
    is_pinned = pinned.count > count
    left = Snapshot(LogState(account.company, space))
    try:
        entries = read_entries(account, left, is_pinned=is_pinned)
    except Refused:
        return None
    if len(left.state.rewinds) <= count or left.first != pin.first:
        return None
    rewind = left.state.rewinds[count]
    if is_pinned and (is_confirmed or state.sequence <= pinned.abandoned):
        index.forget_after(space, rewind.sequence - 1)
        return rewind
    own_entries = index.kept_entries(space, rewind.sequence - 1)
    is_other = (
        bool(own_entries)
        and own_entries[0].entry.head.previous != entries[rewind.sequence - 2].hash
    )
    if sequence < rewind.sequence or is_other:
        return None
    check_leader(account, left, recovery)
    if not is_current_leader_trusted(account, left):
        raise NeedsInput.from_code("leader_not_trusted")
    is_end = (sequence, head) == (rewind.abandoned, rewind.hash)
    if not is_confirmed and not is_end:
        raise NeedsInput.from_code(
            "entries_given_up", first=rewind.sequence, last=rewind.abandoned, seen=sequence
        )
    index.forget_after(space, rewind.sequence - 1)
    begun = SpacePin(pin.first, rewind.sequence, entries[rewind.sequence - 1].hash)
    abandoned = max(rewind.abandoned, sequence)
    account.pin_space(space, begun, RewindPin(count + 1, abandoned))
    return rewind
