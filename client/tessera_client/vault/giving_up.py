"""The leader gives up entries that nobody has after a restore of the service, so that the space can
be written again.

Whatever took access away in that part is repeated, with new keys: a service that pretends a restore
wins nobody back.
"""

from dataclasses import dataclass
from uuid import UUID

from tessera_client.errors import ClientError, NeedsInput, Refused
from tessera_client.vault.membership import add_generation, grant_to
from tessera_client.vault.spaces import Batch, Space
from tessera_core.entries import LeaderChanged, MemberRemoved, RecoveryChanged, Rewound
from tessera_core.files import Folder
from tessera_core.grants import grants_hash
from tessera_core.log import LogState


@dataclass(frozen=True)
class GivenUp:
    """The part of a space's log that this computer has seen, and that nobody brings back."""

    seen: Space
    left: Space
    """As the service has it."""

    @property
    def first(self) -> int:
        return self.left.state.sequence + 1

    @property
    def last(self) -> int:
        return self.seen.state.sequence

    def changed_paths(self) -> list[str]:
        """Files whose version that was seen last is given up."""
        tree, kept = self.seen.tree, self.left.tree
        return sorted(
            path
            for path in tree.versions
            if (version := tree.current(path))
            and not isinstance(version.item, Folder)
            and version != kept.current(path)
        )

    def returning_paths(self) -> list[str]:
        """Files that were removed or moved away, and are there again."""
        tree, kept = self.seen.tree, self.left.tree
        return sorted(
            path
            for path in kept.versions
            if (version := kept.current(path))
            and not isinstance(version.item, Folder)
            and not tree.current(path)
        )

    def lost_members(self) -> list[UUID]:
        """Who has to be granted access again."""
        return [
            member
            for member, keys in self.seen.state.members.items()
            if self.left.state.members.get(member) != keys
        ]


def read_given_up(space: Space) -> GivenUp:
    """What the leader would give up. Only a computer that has read the space as far as the account
    has can say that."""
    pin = space.account.bundle.spaces.get(space.id)
    if pin is None or (space.state.sequence, space.state.head) != (pin.sequence, pin.hash):
        raise NeedsInput.from_code("give_up_elsewhere")
    left = space.read_anew()
    if left.state.sequence >= space.state.sequence:
        raise ClientError.from_code("nothing_to_give_up")
    if not left.is_led:
        raise ClientError.from_code("give_up_forbidden")
    if not left.is_beginning_of(space):
        raise Refused.from_code("log_forked")
    return GivenUp(space, left)


def give_up(given_up: GivenUp) -> None:
    """Appends to what is left that the rest is given up; then the rest cannot come back."""
    seen, left = given_up.seen.state, given_up.left
    account = left.account
    keyring = left.keyring.next()

    def fill(batch: Batch) -> None:
        batch.add(Rewound(seen.sequence, seen.head, seen.time))
        for member, keys in left.state.members.items():
            if member != account.user and seen.members.get(member) != keys:
                batch.add(MemberRemoved(member))
        _repeat_recovery(left, seen, batch)
        add_generation(left, batch, keyring)
        if seen.leader != account.user:
            keys = seen.members[seen.leader]
            grants = [grant_to(left, keyring, seen.leader, keys)]
            batch.add(LeaderChanged(seen.leader, keys, grants_hash(grants)), grants)

    left.append_batch(fill)
    left.hold_keyring(keyring)
    left.flush()


def _repeat_recovery(left: Space, seen: LogState, batch: Batch) -> None:
    keys = seen.recovery_keys
    if keys is None or keys == left.state.recovery_keys:
        return
    pair = left.recovery.find(keys)
    if pair is None:
        raise NeedsInput.from_code("recovery_not_held")
    batch.add(RecoveryChanged(keys), countersigner=pair)
