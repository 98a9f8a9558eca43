"""Reads a space's log, and checks it against its rules, the pins and the leader's keys."""

from collections.abc import Sequence
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, Refused
from tessera_client.texts import translate
from tessera_client.transfer.answers import GrantRow, Grants, LogPage, Unread
from tessera_client.vault.account import Account
from tessera_client.vault.snapshot import Snapshot
from tessera_core.entries import Entry, Genesis
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import RECOVERY, Grant, hash_digests
from tessera_core.key_envelopes import LeaderPin, SpacePin
from tessera_core.log import EntryRefused, Reason
from tessera_core.user_keys import PrivateKeys, PublicKeys

PAGE = 256
# Of a log that is longer than this, bodies are read from the last checkpoint on.
MANY_ENTRIES = 2048


def read_entries(account: Account, snapshot: Snapshot, *, is_pinned: bool = True) -> list[Entry]:
    """Appends the clear parts of new entries to the snapshot."""
    pin = account.bundle.spaces.get(snapshot.state.space) if is_pinned else None
    try:
        return _read_pages(account, snapshot, pin)
    except EntryRefused as refused:
        raise _refusal(refused) from None
    except (Malformed, NotAuthentic):
        raise Refused.from_code("entry_forged") from None


def _read_pages(account: Account, snapshot: Snapshot, pin: SpacePin | None) -> list[Entry]:
    state, entries = snapshot.state, list[Entry]()
    has_bodies = True
    while True:
        page = _page(account, state.space, state.sequence, bodies=has_bodies)
        for encoded in page.entries:
            entry = Entry.decode(encoded)
            _vouch(account, snapshot, entry)
            state.append(entry)
            if pin:
                pin.check(entry)
            if entry.head.sequence == 1:
                snapshot.first = entry.hash
            entries.append(entry)
        if page.sequence < state.sequence:
            raise EntryRefused(Reason.HISTORY_CHANGED)
        if page.sequence == state.sequence:
            break
        if not page.entries:
            raise EntryRefused(Reason.WRONG_SEQUENCE)
        has_bodies = page.sequence - state.sequence <= MANY_ENTRIES
    if page.head != state.head:
        raise EntryRefused(Reason.HISTORY_CHANGED)
    if pin:
        pin.check_end(state)
        if snapshot.first != pin.first:
            raise EntryRefused(Reason.HISTORY_CHANGED)
    return entries


def _page(account: Account, space: UUID, after: int, *, bodies: bool) -> LogPage:
    path = f"/storage/spaces/{space}/log"
    return account.api.get(path, LogPage, after=after, limit=PAGE, bodies=bodies)


def load_bodies(account: Account, space: UUID, entries: Sequence[Entry]) -> list[Entry]:
    """Returns the entries with the bodies that were left out when a long log was read."""
    complete = {entry.head.sequence: entry for entry in entries}
    missing = [sequence for sequence, entry in complete.items() if entry.body is None]
    while missing:
        page = _page(account, space, missing[0] - 1, bodies=True)
        for encoded in page.entries:
            entry = Entry.decode(encoded)
            known = complete.get(entry.head.sequence)
            if known and known.hash == entry.hash:
                complete[entry.head.sequence] = entry
        before = len(missing)
        missing = [sequence for sequence in missing if complete[sequence].body is None]
        if len(missing) == before:
            raise Refused.from_code("entry_forged")
    return list(complete.values())


def _vouch(account: Account, snapshot: Snapshot, entry: Entry) -> None:
    """A leader's signature vouches for the whole log before it."""
    author, clear = entry.head.author, entry.clear
    if isinstance(clear, Genesis):
        leader, keys = clear.leader, clear.keys
    else:
        leader = snapshot.state.leader
        known = snapshot.state.members.get(leader)
        if known is None:
            return
        keys = known
    if author == leader and _is_pinned(account, leader, keys):
        snapshot.is_vouched = True


def _is_pinned(account: Account, user: UUID, keys: PublicKeys) -> bool:
    if user == account.user:
        return keys == account.keys.public
    pin = account.bundle.leader
    return pin == LeaderPin(user, keys.fingerprint)


def check_leader(account: Account, snapshot: Snapshot, recovery: PrivateKeys | None) -> None:
    """Refuses a log that neither the pinned leader nor the recovery pair vouches for."""
    if snapshot.is_vouched or (recovery and snapshot.state.recovery_keys == recovery.public):
        return
    if snapshot.state.leader == account.user:
        raise NeedsInput.from_code("keys_replaced")
    if account.bundle.leader is None:
        raise NeedsInput.from_code("leader_not_trusted")
    raise Refused.from_code("leader_not_in_log")


def is_current_leader_trusted(account: Account, snapshot: Snapshot) -> bool:
    """Whether the words of the log's present leader were compared. Without that nobody writes:
    new files would be readable by whoever the new leader is."""
    state = snapshot.state
    return _is_pinned(account, state.leader, state.members[state.leader])


def open_keyring(account: Account, snapshot: Snapshot, recovery: PrivateKeys | None) -> bool:
    """Opens the newest generation's grant, and checks it against the log. Returns False if the
    log has moved on since it was read."""
    state = snapshot.state
    if snapshot.keyring:
        _check_held(snapshot)
        if snapshot.keyring.generation == state.generation:
            return True
    if state.generation == 0:
        return True
    known = state.members.get(account.user)
    if not recovery and known not in (None, account.keys.public):
        raise NeedsInput(translate("errors.not_granted_again"), code="not_granted")
    recipient = RECOVERY if recovery else account.user
    answer = account.api.get(f"/storage/spaces/{state.space}/grants", Grants)
    row = next((row for row in answer.grants if row.member == recipient), None)
    expected = state.grants_for(recipient)
    if row is None or known is None or expected is None:
        raise NeedsInput.from_code("not_granted")
    if row.sequence > state.sequence:
        return False
    if row.sequence != expected.sequence:
        raise Refused.from_code("grant_replayed")
    grant = _check_hash(row, expected.hash)
    try:
        keyring = grant.open(recovery or account.keys, company=state.company, space=state.space)
        state.check_keyring(keyring)
        if (grant.member, keyring.generation) != (recipient, state.generation):
            raise EntryRefused(Reason.WRONG_GENERATION)
    except (EntryRefused, NotAuthentic, Malformed):
        # The leader signed it: the service is not to blame, and the leader can grant anew.
        path = f"/storage/spaces/{state.space}/grants/refused"
        account.api.post(path, Unread, {"sequence": expected.sequence}, repeat=True)
        raise NeedsInput.from_code("grant_unreadable") from None
    snapshot.keyring = keyring
    return True


def _check_hash(row: GrantRow, expected: bytes) -> Grant:
    """Returns the grant if it is among those that the leader signed."""
    try:
        grant = Grant.decode(row.grant)
        if grant.digest in row.digests and hash_digests(row.digests) == expected:
            return grant
    except Malformed:
        pass
    raise Refused.from_code("grant_refused")


def _check_held(snapshot: Snapshot) -> None:
    """A keyring from this computer's index is compared with the log like any other."""
    assert snapshot.keyring is not None
    try:
        snapshot.state.check_keyring(snapshot.keyring)
    except EntryRefused:
        raise Refused.from_code("grant_refused") from None


def _refusal(refused: EntryRefused) -> ClientError:
    if refused.reason == Reason.HISTORY_CHANGED:
        return Refused.from_code("log_rolled_back")
    if refused.reason == Reason.NEWER_FORMAT:
        return ClientError.from_code("newer_format")
    return Refused(
        translate("errors.entry_refused", reason=refused.reason),
        code="entry_refused",
        details={"reason": str(refused.reason)},
    )
