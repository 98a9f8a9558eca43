"""Who may use a space: its beginning, its members, its leader and its recovery pair.

Whatever takes access away is appended together with new keys, or not at all.
"""

from collections.abc import Callable
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput
from tessera_client.texts import translate
from tessera_client.transfer.answers import Unread
from tessera_client.vault.spaces import Batch, Body, Space, now
from tessera_core import base64url
from tessera_core.changes import ChangeBody, NameSpace
from tessera_core.entries import (
    Change,
    Generation,
    Genesis,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    SetAside,
    Settings,
    sign_entry,
)
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.keyring import Keyring
from tessera_core.user_keys import PublicKeys


def begin_space(space: Space) -> None:
    """Writes the first entry; the leader and the recovery pair sign it."""
    account, pair = space.account, space.recovery.held()
    batch = Batch(space.state.copy(), account.user, account.keys)
    clear = Genesis(account.user, account.keys.public, pair.public)
    head = batch.state.next_head(clear, account.user, now())
    batch.append(sign_entry(head, clear, account.keys, recovery_keys=pair))
    entry = base64url.encode(batch.entries[0].encode())
    account.api.post("/storage/spaces", Unread, {"entry": entry})
    space.add_genesis(batch)


def name_space(space: Space, name: str) -> None:
    finish_generation(space)
    body = ChangeBody((), (NameSpace(name),))
    space.append(Change(()), body=Body(body.encode()))


def finish_generation(space: Space) -> None:
    """Makes the keys that an interrupted run left out. Only the log's leader can."""
    if not space.state.awaiting_generation:
        return
    if not space.is_led:
        raise NeedsInput.from_code("generation_awaited")
    _append_with_generation(space, lambda _: None)


def add_member(space: Space, user: UUID, keys: PublicKeys) -> None:
    """Grants the keyring to a member; replaces the keys of somebody who lost theirs."""
    known = space.state.members.get(user)
    if known is not None and known != keys:
        remove_member(space, user)
    finish_generation(space)

    def fill(batch: Batch) -> None:
        if user not in batch.state.members:
            grants = [grant_to(space, space.keyring, user, keys)]
            batch.add(MemberAdded(user, keys, grants_hash(grants)), grants)

    space.append_batch(fill)


def remove_member(space: Space, user: UUID) -> None:
    """Takes access away and makes new keys, in one call. Needs the clear parts of the log only."""
    known = space.state.members.get(user)
    if known is not None:
        space.account.pin_removed(known.fingerprint)

    def fill(batch: Batch) -> None:
        if user in batch.state.members:
            batch.add(MemberRemoved(user))

    _append_with_generation(space, fill)


def set_aside(space: Space, sequences: tuple[int, ...]) -> None:
    """Declares bodies lost that nobody can fetch, so that all readers agree again."""
    space.append_batch(lambda batch: batch.add(SetAside(sequences)))
    space.sync()


def change_settings(space: Space, settings: Settings) -> None:
    space.append_batch(lambda batch: batch.add(settings))
    space.sync()


def change_leader(space: Space, user: UUID, keys: PublicKeys) -> None:
    """Names the next leader, by the present one."""

    def fill(batch: Batch) -> None:
        if batch.state.leader != user:
            grants = [grant_to(space, space.keyring, user, keys)]
            batch.add(LeaderChanged(user, keys, grants_hash(grants)), grants)

    space.append_batch(fill)


def take_over(space: Space) -> bool:
    """Makes this user, with the present keys, the leader, and the newest recovery pair the space's.
    Returns False if nothing was left to do."""
    account, newest = space.account, space.recovery.held()
    named = space.read_recovery_keys()
    pair = space.recovery.find(named) if named else None
    space.sync(opened_by=None if space.is_led else pair)
    if space.is_led and space.state.recovery_keys == newest.public:
        if space.state.awaiting_generation:
            finish_generation(space)
            return True
        return False

    def fill(batch: Batch) -> None:
        state, public = batch.state, account.keys.public
        former = space.recovery.find(state.recovery_keys) if state.recovery_keys else None
        if former is None:
            raise NeedsInput.from_code("recovery_not_held")
        if state.leader != account.user or state.members.get(account.user) != public:
            grants = [grant_to(space, space.keyring, account.user, public)]
            changed = LeaderChanged(account.user, public, grants_hash(grants))
            batch.add(changed, grants, by_recovery=former)
        if state.recovery_keys != newest.public:
            batch.add(RecoveryChanged(newest.public), countersigner=newest)

    _append_with_generation(space, fill)
    space.sync()
    return True


def _append_with_generation(space: Space, fill: Callable[[Batch], None]) -> None:
    """Appends what `fill` adds, and the keys that it makes necessary."""
    made: Keyring | None = None

    def fill_all(batch: Batch) -> None:
        nonlocal made
        fill(batch)
        if batch.state.awaiting_generation:
            current = space.snapshot.keyring
            made = current.next() if current else Keyring.create()
            add_generation(space, batch, made)

    space.append_batch(fill_all)
    keyring = space.snapshot.keyring
    if made and (keyring is None or keyring.generation < space.state.generation):
        space.hold_keyring(made)


def add_generation(space: Space, batch: Batch, keyring: Keyring) -> None:
    recovery = batch.state.recovery_keys
    assert recovery is not None
    recipients = {RECOVERY: recovery, **batch.state.members}
    grants = [grant_to(space, keyring, member, keys) for member, keys in recipients.items()]
    _check_own(space, grants, keyring)
    commitment = keyring.commitment(space.id, keyring.generation)
    batch.add(Generation(commitment, grants_hash(grants)), grants)


def _check_own(space: Space, grants: list[Grant], keyring: Keyring) -> None:
    """Opens the grants that this client can open, before anybody relies on them."""
    account, pair = space.account, space.recovery.held()
    openers = {account.user: account.keys, RECOVERY: pair}
    for grant in grants:
        keys = openers.get(grant.member)
        if keys and grant.open(keys, company=account.company, space=space.id) != keyring:
            raise ClientError(translate("errors.internal"), code="grant_wrong")


def grant_to(space: Space, keyring: Keyring, member: UUID, keys: PublicKeys) -> Grant:
    company = space.state.company
    return seal_grant(keyring, keys, company=company, space=space.id, member=member)
