"""Puts a space's log together from copies of warehouses, some of which may lie.

An entry names the one before it by its hash, so all that was found is a tree. Of its chains the
rules of the log accept some, and of these only such count as the recovery pair has signed.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from tessera_core.entries import (
    Change,
    Checkpoint,
    Entry,
    Genesis,
    RecoveryChanged,
    Retire,
    Rewound,
    Unretire,
)
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import RECOVERY, Grant
from tessera_core.keyring import Keyring
from tessera_core.log import EntryRefused, LogState, Reason
from tessera_core.segments import SegmentEntry
from tessera_core.user_keys import PrivateKeys, PublicKeys

MAX_FORKS = 64

Printed = tuple[int, bytes]
"""Sequence and hash of an entry, as a recovery kit shows them."""


@dataclass
class History:
    """One chain from the first entry on."""

    state: LogState
    """After the last entry that this pair can read."""
    entries: list[Entry]
    grants: dict[int, tuple[Grant, ...]]
    """By the sequence of their entry: those that the entry carries the hash of. Where no copy holds
    these, whatever was found: an export holds the grant to recovery alone."""
    readable: int
    """How many entries there are before the pair was replaced."""
    copies: frozenset[int]
    """Which copies hold the last entry."""
    by_leader: int
    """How many entries are the leader's or the recovery pair's."""
    is_printed: bool

    @property
    def is_replaced(self) -> bool:
        return self.readable < len(self.entries)

    def open_keyring(self, pair: PrivateKeys) -> Keyring | None:
        """Opens the newest grant to the pair that opens and keeps its promise."""
        state = self.state
        for sequence in sorted(self.grants, reverse=True):
            for grant in self.grants[sequence]:
                if grant.member != RECOVERY or sequence > self.readable:
                    continue
                try:
                    keyring = grant.open(pair, company=state.company, space=state.space)
                    state.check_keyring(keyring)
                except (NotAuthentic, Malformed, EntryRefused):
                    continue
                return keyring
        return None


@dataclass
class Histories:
    """What was found: the history that counts first, then the others."""

    ranked: list[History] = field(default_factory=list)
    not_followed: list[Entry] = field(default_factory=list)
    """Where further histories begin, of which there were too many."""
    left_over: list[Entry] = field(default_factory=list)
    """Entries in no history: after a gap, refused, or of a log that the pair did not sign."""
    refused: dict[bytes, Reason] = field(default_factory=dict)
    """Of those left over, by their hashes: which the rules do not allow where they stand."""
    liars: set[int] = field(default_factory=set)
    """Copies with other grants than an entry carries the hash of."""
    wrong_grants: list[tuple[Entry, tuple[Grant, ...]]] = field(default_factory=list)
    """What they hold."""


def find_histories(
    company: UUID,
    space: UUID,
    copies: Sequence[Iterable[SegmentEntry]],
    pair: PublicKeys,
    printed: Printed | None = None,
) -> Histories:
    """Finds the chains of entries that count; what the first one holds is the space."""
    return _Search(LogState(company, space), copies, pair, printed).run()


_Rank = tuple[bool, bool, int, int, bytes]
"""Ends with the hash of the entry that a branch begins with."""


@dataclass
class _Branch:
    state: LogState
    entries: list[Entry] = field(default_factory=list)
    keys: list[bytes] = field(default_factory=list)
    """Hashes of the entries: computing them takes time."""
    grants: dict[int, tuple[Grant, ...]] = field(default_factory=dict)
    by_leader: int = 0
    is_vouched: bool = False
    replaced: tuple[int, LogState] | None = None
    """How many entries there were when the pair was replaced, and the state then."""

    def copy(self) -> "_Branch":
        return _Branch(
            self.state.copy(),
            [*self.entries],
            [*self.keys],
            {**self.grants},
            self.by_leader,
            self.is_vouched,
            self.replaced,
        )


class _Search:
    def __init__(
        self,
        start: LogState,
        copies: Sequence[Iterable[SegmentEntry]],
        pair: PublicKeys,
        printed: Printed | None,
    ) -> None:
        self.start, self.pair, self.printed = start, pair, printed
        self.entries: dict[bytes, Entry] = {}
        self.copies: dict[bytes, set[int]] = defaultdict(set)
        self.grants: dict[bytes, dict[tuple[Grant, ...], set[int]]] = {}
        for number, copy in enumerate(copies):
            for stored in copy:
                key = stored.entry.hash
                self.entries.setdefault(key, stored.entry)
                self.copies[key].add(number)
                offered = self.grants.setdefault(key, {})
                offered.setdefault(stored.grants, set()).add(number)
        self.following: dict[tuple[int, bytes], list[bytes]] = defaultdict(list)
        for key, entry in self.entries.items():
            self.following[entry.head.sequence, entry.head.previous].append(key)
        self._look_ahead()
        self.waiting: list[tuple[_Rank, _Branch]] = []
        self.followed = 0
        self.result = Histories()

    def run(self) -> Histories:
        used: set[bytes] = set()
        ends: list[_Branch] = []
        branch: _Branch | None = _Branch(self.start)
        while branch is not None:
            self._follow(branch)
            if branch.is_vouched:
                ends.append(branch)
                used.update(branch.keys)
            branch = self._next_branch()
        self.result.ranked = self._rank(ends)
        self.result.left_over = [
            entry
            for key, entry in sorted(
                self.entries.items(), key=lambda item: (item[1].head.sequence, item[0])
            )
            if key not in used
        ]
        return self.result

    def _look_ahead(self) -> None:
        """Learns of each entry, unchecked, how much follows and whether it matters."""
        self.height: dict[bytes, int] = {}
        self.is_printed: set[bytes] = set()
        self.is_signed: set[bytes] = set()
        by_sequence = sorted(self.entries, key=lambda key: -self.entries[key].head.sequence)
        for key in by_sequence:
            entry = self.entries[key]
            later = self.following.get((entry.head.sequence + 1, key), [])
            self.height[key] = 1 + max((self.height[follower] for follower in later), default=0)
            if (entry.head.sequence, key) == self.printed or self.is_printed.intersection(later):
                self.is_printed.add(key)
            if self._signed_by_pair(entry) or self.is_signed.intersection(later):
                self.is_signed.add(key)

    def _signed_by_pair(self, entry: Entry) -> bool:
        match entry.clear:
            case Genesis(recovery_keys=keys) | RecoveryChanged(keys=keys):
                if keys != self.pair:
                    return False
                try:
                    keys.verify(entry.countersignature, entry.statement)
                except NotAuthentic:
                    return False
                return True
        return False

    def _rank_of(self, state: LogState, key: bytes) -> _Rank:
        """The order in which branches are followed; most of it is not checked yet."""
        is_leaders = self.entries[key].head.author in (state.leader, RECOVERY)
        return (
            key not in self.is_printed,
            not is_leaders,
            -len(self.copies[key]),
            -self.height[key],
            key,
        )

    def _follow(self, branch: _Branch) -> None:
        """Extends a chain to its end, and leaves what else could follow for later."""
        while True:
            state = branch.state
            candidates = [
                key
                for key in self.following.get((state.sequence + 1, state.head), [])
                if branch.is_vouched or key in self.is_signed
            ]
            if len(candidates) > 1:
                candidates = [key for key in candidates if self._is_accepted(branch, key)]
                candidates.sort(key=lambda key: self._rank_of(state, key))
            for key in candidates[1:]:
                self._postpone(branch, key)
            if not candidates or not self._take(branch, candidates[0]):
                return

    def _postpone(self, branch: _Branch, key: bytes) -> None:
        """States are copied for the likeliest forks only, however many a liar makes."""
        rank = self._rank_of(branch.state, key)
        if self.followed + len(self.waiting) >= MAX_FORKS:
            worst = max(self.waiting, default=None)
            if worst is None or worst[0] < rank:
                self.result.not_followed.append(self.entries[key])
                return
            self.waiting.remove(worst)
            heapq.heapify(self.waiting)
            self.result.not_followed.append(self.entries[worst[0][-1]])
        heapq.heappush(self.waiting, (rank, branch.copy()))

    def _next_branch(self) -> _Branch | None:
        if not self.waiting:
            return None
        self.followed += 1
        rank, branch = heapq.heappop(self.waiting)
        self._take(branch, rank[-1])
        return branch

    def _is_accepted(self, branch: _Branch, key: bytes) -> bool:
        """Tries an entry on a state with only the packs that it names, which is cheap to copy."""
        entry, state = self.entries[key], branch.state
        packs = {pack: state.packs[pack] for pack in _packs(entry) if pack in state.packs}
        try:
            replace(state, packs=packs).copy().append(entry)
        except EntryRefused as refusal:
            self.result.refused[key] = refusal.reason
            return False
        return True

    def _take(self, branch: _Branch, key: bytes) -> bool:
        entry, state = self.entries[key], branch.state
        author, leader = entry.head.author, state.leader
        until_now = state.copy() if self._replaces(branch, entry) else None
        try:
            state.append(entry)
        except EntryRefused as refusal:
            self.result.refused[key] = refusal.reason
            return False
        if until_now:
            branch.replaced = len(branch.entries), until_now
        branch.entries.append(entry)
        branch.keys.append(key)
        branch.by_leader += author in (leader, RECOVERY) or state.sequence == 1
        branch.is_vouched |= state.recovery_keys == self.pair
        self._take_grants(branch, entry, self.grants[key])
        return True

    def _take_grants(
        self, branch: _Branch, entry: Entry, offered: dict[tuple[Grant, ...], set[int]]
    ) -> None:
        state, others = branch.state, list[Grant]()
        for grants, offering in offered.items():
            try:
                state.check_grants(entry, grants)
            except (EntryRefused, Malformed):
                self.result.liars |= offering
                self.result.wrong_grants.append((entry, grants))
                others += grants
            else:
                branch.grants[state.sequence] = grants
        branch.grants.setdefault(state.sequence, tuple(others))

    def _replaces(self, branch: _Branch, entry: Entry) -> bool:
        return branch.state.recovery_keys == self.pair and isinstance(entry.clear, RecoveryChanged)

    def _rank(self, ends: Iterable[_Branch]) -> list[History]:
        histories = [self._history(branch) for branch in ends]
        abandoned = {
            entry.clear.hash
            for history in histories
            for entry in history.entries
            if isinstance(entry.clear, Rewound)
        }
        histories.sort(
            key=lambda history: (
                not history.is_printed,
                bool(abandoned) and any(entry.hash in abandoned for entry in history.entries),
                -history.by_leader,
                -len(history.copies),
                -len(history.entries),
                history.entries[-1].hash,
            )
        )
        # Chains that part only after the pair was replaced are one to this pair.
        best: dict[bytes, History] = {}
        for history in histories:
            best.setdefault(history.state.head, history)
        return list(best.values())

    def _history(self, branch: _Branch) -> History:
        readable, state = branch.replaced or (len(branch.entries), branch.state)
        printed = self.printed
        return History(
            state=state,
            entries=branch.entries,
            grants=branch.grants,
            readable=readable,
            copies=frozenset(self.copies[branch.keys[-1]]),
            by_leader=branch.by_leader,
            is_printed=printed is not None
            and branch.keys[printed[0] - 1 : printed[0]] == [printed[1]],
        )


def _packs(entry: Entry) -> set[bytes]:
    match entry.clear:
        case Change(packs) | Checkpoint(packs):
            return {record.pack for record in packs}
        case Retire(packs) | Unretire(packs):
            return set(packs)
    return set()
