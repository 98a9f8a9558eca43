"""The rules of a space's log: who may write what, and in which order.

The log is the only authority on membership. The server applies these rules before it accepts an
entry, and every client applies them again.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from uuid import UUID

from tessera_core.entries import (
    ENTRY_ID_BYTES,
    FORMAT,
    Change,
    Checkpoint,
    Clear,
    Entry,
    FormatChanged,
    Generation,
    Genesis,
    Head,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    Rewound,
    SetAside,
    Settings,
    Unretire,
)
from tessera_core.errors import NotAuthentic
from tessera_core.grants import RECOVERY, Grant, grants_hash
from tessera_core.keyring import MAX_GENERATION, Keyring
from tessera_core.shards import PackRecord
from tessera_core.user_keys import PublicKeys

MAX_CLOCK_AHEAD_MS = 10 * 60 * 1000
MAX_CLOCK_BEHIND_MS = 24 * 3600 * 1000

# Any member writes these; everything else is the leader's.
_MEMBERS_KINDS = (Change, Unretire)
# What may be written while a new generation is awaited, besides the generation itself.
_BEFORE_GENERATION = (MemberRemoved, LeaderChanged, RecoveryChanged)


class Reason(StrEnum):
    WRONG_SPACE = "wrong_space"
    WRONG_SEQUENCE = "wrong_sequence"
    WRONG_PREVIOUS = "wrong_previous"
    TIME_BACKWARDS = "time_backwards"
    TIME_AHEAD = "time_ahead"
    TIME_BEHIND = "time_behind"
    NOT_A_MEMBER = "not_a_member"
    NOT_THE_LEADER = "not_the_leader"
    BAD_SIGNATURE = "bad_signature"
    WRONG_GENERATION = "wrong_generation"
    GENERATION_AWAITED = "generation_awaited"
    WRONG_KIND = "wrong_kind"
    WRONG_SUBJECT = "wrong_subject"
    KEY_IN_USE = "key_in_use"
    KEY_REMOVED = "key_removed"
    UNKNOWN_PACK = "unknown_pack"
    KNOWN_PACK = "known_pack"
    RETIRED_PACK = "retired_pack"
    PACK_NOT_RETIRED = "pack_not_retired"
    WRONG_COMMITMENT = "wrong_commitment"
    WRONG_GRANTS = "wrong_grants"
    HISTORY_CHANGED = "history_changed"
    NEWER_FORMAT = "newer_format"


class EntryRefused(ValueError):
    """The entry is well-formed, and the log's rules do not allow it here."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class GrantsAt:
    """Where grants belong: the sequence of their entry, and the hash it carries."""

    sequence: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Rewind:
    """Where the leader gave up entries that nobody had after a restore of the service."""

    sequence: int
    """Of the entry that says so: those from here on took the place of the abandoned ones."""
    abandoned: int
    """The last sequence that was given up."""
    hash: bytes


@dataclass(slots=True)
class PackState:
    record: PackRecord
    generation: int
    retired: bool = False
    author: UUID = RECOVERY
    signer: bytes = b""
    """The signing key of whoever added it."""
    sequence: int = 0
    """The entry that added it."""


@dataclass(slots=True)
class LogState:
    """What the log says after its last entry. An empty one accepts a genesis only.

    Of `packs`, `append` looks only at those that the entry names: the server may fill in just them.
    """

    company: UUID
    space: UUID
    sequence: int = 0
    head: bytes = bytes(32)
    time: int = 0
    generation: int = 0
    awaiting_generation: bool = False
    leader: UUID = RECOVERY
    members: dict[UUID, PublicKeys] = field(default_factory=dict)
    removed_keys: set[bytes] = field(default_factory=set)
    """Signing keys that were somebody's once. They are never accepted again."""
    recovery_keys: PublicKeys | None = None
    commitments: list[bytes] = field(default_factory=list)
    generation_grants: GrantsAt | None = None
    """The grants of the current generation, to all members of that time and to recovery."""
    later_grants: dict[UUID, GrantsAt] = field(default_factory=dict)
    """Grants to members who came after the current generation."""
    packs: dict[bytes, PackState] = field(default_factory=dict)
    set_aside: set[int] = field(default_factory=set)
    """Entries whose bodies the leader has declared lost."""
    settings: Settings = field(default_factory=Settings)
    rewinds: list[Rewind] = field(default_factory=list)

    def copy(self) -> "LogState":
        """Returns a state that can be extended without changing this one."""
        return replace(
            self,
            members={**self.members},
            removed_keys={*self.removed_keys},
            commitments=[*self.commitments],
            packs={pack: replace(state) for pack, state in self.packs.items()},
            later_grants={**self.later_grants},
            set_aside={*self.set_aside},
            rewinds=[*self.rewinds],
        )

    def next_head(self, clear: Clear, author: UUID, now: int) -> Head:
        """Returns the head of an entry that continues this log, with a random id."""
        return Head(
            company=self.company,
            space=self.space,
            sequence=self.sequence + 1,
            previous=self.head,
            id=secrets.token_bytes(ENTRY_ID_BYTES),
            generation=self.generation + isinstance(clear, Generation),
            author=author,
            time=max(now, self.time),
        )

    def append(self, entry: Entry, *, now: int | None = None) -> None:
        """Checks an entry and takes it in; a refused one changes nothing.

        `now` is the server's clock in milliseconds; clients leave it out.
        """
        self.check(entry, now=now)
        match entry.clear:
            case Genesis() as genesis:
                self._begin(genesis)
            case MemberAdded() as added:
                self._add_member(added)
            case MemberRemoved(subject):
                self._remove_member(subject)
            case LeaderChanged() as changed:
                self._change_leader(changed)
            case RecoveryChanged(keys):
                self._change_recovery(keys)
            case SetAside(sequences):
                self._set_aside(sequences)
            case FormatChanged(version):
                self._check_format(version)
            case Rewound() as rewound:
                self._rewind(rewound)
            case Settings() as settings:
                self.settings = settings
            case Generation(commitment):
                self.generation += 1
                self.commitments.append(commitment)
                self.awaiting_generation = False
            case Change(packs) | Checkpoint(packs):
                self._add_packs(packs, entry.head)
            case Retire(packs) | Unretire(packs):
                self._set_retired(packs, retired=isinstance(entry.clear, Retire))
        self._note_grants(entry)
        self.sequence = entry.head.sequence
        self.head = entry.hash
        self.time = entry.head.time

    def kept_since(self, rewinds: int) -> int | None:
        """Up to which entry the log is still what it was when it had so many rewinds; None if there
        were no more since."""
        return self.rewinds[rewinds].sequence - 1 if len(self.rewinds) > rewinds else None

    def grants_for(self, member: UUID) -> GrantsAt | None:
        """Where the newest grant to a member, or to recovery, has to be found."""
        return self.later_grants.get(member, self.generation_grants)

    def check(self, entry: Entry, *, now: int | None = None) -> None:
        """Checks what does not depend on the kind: place, author and signature, generation."""
        self._check_place(entry, now)
        self._check_author(entry)
        self._check_generation(entry)

    def check_keyring(self, keyring: Keyring) -> None:
        """Compares a granted keyring with the commitments in the log."""
        if keyring.generation > self.generation:
            raise EntryRefused(Reason.WRONG_GENERATION)
        for generation in range(1, keyring.generation + 1):
            if keyring.commitment(self.space, generation) != self.commitments[generation - 1]:
                raise EntryRefused(Reason.WRONG_COMMITMENT)

    def check_grants(self, entry: Entry, grants: Collection[Grant]) -> None:
        """Compares grants with the entry that was just appended: recipients, generation, hash."""
        match entry.clear:
            case Generation(grants=expected):
                recipients = {RECOVERY, *self.members}
            case MemberAdded(subject, grants=expected) | LeaderChanged(subject, grants=expected):
                recipients = {subject}
            case _:
                recipients, expected = set(), grants_hash(())
        if (
            {grant.member for grant in grants} != recipients
            or any(grant.generation != self.generation for grant in grants)
            or grants_hash(grants) != expected
        ):
            raise EntryRefused(Reason.WRONG_GRANTS)

    # Checks that do not depend on the kind

    def _check_place(self, entry: Entry, now: int | None) -> None:
        head = entry.head
        if (head.company, head.space) != (self.company, self.space):
            raise EntryRefused(Reason.WRONG_SPACE)
        if head.sequence != self.sequence + 1:
            raise EntryRefused(Reason.WRONG_SEQUENCE)
        if head.previous != self.head:
            raise EntryRefused(Reason.WRONG_PREVIOUS)
        if isinstance(entry.clear, Genesis) != (head.sequence == 1):
            raise EntryRefused(Reason.WRONG_KIND)
        if head.time < self.time:
            raise EntryRefused(Reason.TIME_BACKWARDS)
        # An entry with the time of the last one adds no time ahead: else one that was accepted by
        # mistake would end the log.
        if now is not None and head.time > max(now + MAX_CLOCK_AHEAD_MS, self.time):
            raise EntryRefused(Reason.TIME_AHEAD)
        # Else what an entry replaces could be older than the days that versions are kept at once.
        if now is not None and head.time < now - MAX_CLOCK_BEHIND_MS:
            raise EntryRefused(Reason.TIME_BEHIND)

    def _check_author(self, entry: Entry) -> None:
        author, clear = entry.head.author, entry.clear
        if isinstance(clear, Genesis):
            keys = clear.keys if author == clear.leader else None
        elif author == RECOVERY:
            # The recovery pair names a leader when the former one's keys are lost, nothing else.
            keys = self.recovery_keys if isinstance(clear, LeaderChanged) else None
        else:
            keys = self.members.get(author)
        if keys is None:
            raise EntryRefused(Reason.NOT_A_MEMBER)
        is_leaders = not isinstance(clear, (Genesis, *_MEMBERS_KINDS))
        if is_leaders and author not in (self.leader, RECOVERY):
            raise EntryRefused(Reason.NOT_THE_LEADER)
        try:
            keys.verify(entry.signature, entry.statement)
            match clear:
                case Genesis(recovery_keys=recovery) | RecoveryChanged(keys=recovery):
                    recovery.verify(entry.countersignature, entry.statement)
        except NotAuthentic:
            raise EntryRefused(Reason.BAD_SIGNATURE) from None

    def _check_generation(self, entry: Entry) -> None:
        is_generation = isinstance(entry.clear, Generation)
        if entry.head.generation != self.generation + is_generation:
            raise EntryRefused(Reason.WRONG_GENERATION)
        if entry.head.generation > MAX_GENERATION:
            raise EntryRefused(Reason.WRONG_GENERATION)
        if is_generation or isinstance(entry.clear, Genesis):
            return
        # Before the first generation there is no keyring that could be granted.
        if self.generation == 0:
            raise EntryRefused(Reason.GENERATION_AWAITED)
        if self.awaiting_generation and not isinstance(entry.clear, _BEFORE_GENERATION):
            raise EntryRefused(Reason.GENERATION_AWAITED)

    # Effects, each checked before anything changes

    def _note_grants(self, entry: Entry) -> None:
        match entry.clear:
            case Generation(grants=grants):
                self.generation_grants = GrantsAt(entry.head.sequence, grants)
                self.later_grants = {}
            case MemberAdded(subject, grants=grants) | LeaderChanged(subject, grants=grants):
                self.later_grants[subject] = GrantsAt(entry.head.sequence, grants)

    def _begin(self, genesis: Genesis) -> None:
        if genesis.leader == RECOVERY:
            raise EntryRefused(Reason.WRONG_SUBJECT)
        if genesis.keys.sign == genesis.recovery_keys.sign:
            raise EntryRefused(Reason.KEY_IN_USE)
        self.leader = genesis.leader
        self.members = {genesis.leader: genesis.keys}
        self.recovery_keys = genesis.recovery_keys
        self.awaiting_generation = True

    def _add_member(self, added: MemberAdded) -> None:
        if added.subject == RECOVERY or added.subject in self.members:
            raise EntryRefused(Reason.WRONG_SUBJECT)
        self._check_unused(added.keys)
        self.members[added.subject] = added.keys

    def _remove_member(self, subject: UUID) -> None:
        if subject == self.leader or subject not in self.members:
            raise EntryRefused(Reason.WRONG_SUBJECT)
        self.removed_keys.add(self.members.pop(subject).sign)
        self.awaiting_generation = True

    def _change_leader(self, changed: LeaderChanged) -> None:
        known = self.members.get(changed.subject)
        if changed.subject == RECOVERY:
            raise EntryRefused(Reason.WRONG_SUBJECT)
        if changed.subject == self.leader and changed.keys == known:
            raise EntryRefused(Reason.WRONG_SUBJECT)
        if changed.keys != known:
            self._check_unused(changed.keys)
        self.leader = changed.subject
        self.members[changed.subject] = changed.keys
        if known is not None and known != changed.keys:
            # Replaced keys are lost or stolen: whoever holds them must not read what follows.
            self.removed_keys.add(known.sign)
            self.awaiting_generation = True

    def _change_recovery(self, keys: PublicKeys) -> None:
        self._check_unused(keys)
        assert self.recovery_keys is not None
        self.removed_keys.add(self.recovery_keys.sign)
        self.recovery_keys = keys
        self.awaiting_generation = True

    def _set_aside(self, sequences: Collection[int]) -> None:
        if not all(1 < sequence <= self.sequence for sequence in sequences):
            raise EntryRefused(Reason.WRONG_SUBJECT)
        self.set_aside.update(sequences)

    def _check_format(self, version: int) -> None:
        raise EntryRefused(Reason.NEWER_FORMAT if version > FORMAT else Reason.WRONG_SUBJECT)

    def _rewind(self, rewound: Rewound) -> None:
        """The abandoned history was longer than what is left of it."""
        sequence = rewound.sequence
        if sequence <= self.sequence:
            raise EntryRefused(Reason.WRONG_SUBJECT)
        self.rewinds.append(Rewind(self.sequence + 1, sequence, rewound.hash))
        self.awaiting_generation = True

    def _add_packs(self, packs: Collection[PackRecord], head: Head) -> None:
        if any(record.pack in self.packs for record in packs):
            raise EntryRefused(Reason.KNOWN_PACK)
        signer = self.members[head.author].sign
        for record in packs:
            self.packs[record.pack] = PackState(
                record,
                self.generation,
                author=head.author,
                signer=signer,
                sequence=head.sequence,
            )

    def _set_retired(self, packs: Collection[bytes], *, retired: bool) -> None:
        for pack in packs:
            state = self.packs.get(pack)
            if not state:
                raise EntryRefused(Reason.UNKNOWN_PACK)
            if state.retired == retired:
                raise EntryRefused(Reason.RETIRED_PACK if retired else Reason.PACK_NOT_RETIRED)
        for pack in packs:
            self.packs[pack].retired = retired

    def _check_unused(self, keys: PublicKeys) -> None:
        """A signing key names one person, for good: nobody may bring another's, or an old one."""
        if keys.sign in self.removed_keys:
            raise EntryRefused(Reason.KEY_REMOVED)
        known = [*self.members.values(), *([self.recovery_keys] if self.recovery_keys else [])]
        if any(keys.sign == other.sign for other in known):
            raise EntryRefused(Reason.KEY_IN_USE)
