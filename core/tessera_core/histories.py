"""Puts a space's log together from copies of warehouses, some of which may lie.

An entry names the one before it by its hash, so all that was found is a tree. Of its chains the
rules of the log accept some, and of these only such count as the recovery pair has signed.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from tessera_core.entries import Entry, Genesis, RecoveryChanged
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
    """By the sequence of their entry; those that the entry carries the hash of."""
    readable: int
    """How many entries there are before the pair was replaced."""
    copies: frozenset[int]
    """Which copies hold the last entry."""
    by_leader: int
    """How many entries are the leader's or the recovery pair's."""
    is_printed: bool
    needs_newer_program: bool

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

    found: list[History] = field(default_factory=list)
    not_followed: list[Entry] = field(default_factory=list)
    """Where further histories begin, of which there were too many."""
    left_over: list[Entry] = field(default_factory=list)
    """Entries in no history: after a gap, refused, or of a log that the pair did not sign."""
    liars: set[int] = field(default_factory=set)
    """Copies with other grants than an entry carries the hash of."""


def find_histories(
    company: UUID,
    space: UUID,
    copies: Sequence[Iterable[SegmentEntry]],
    pair: PublicKeys,
    printed: Printed | None = None,
) -> Histories:
    """Finds the chains of entries that count; what the first one holds is the space."""
    return _Search(LogState(company, space), copies, pair, printed).run()


@dataclass
class _Branch:
    state: LogState
    entries: list[Entry] = field(default_factory=list)
    grants: dict[int, tuple[Grant, ...]] = field(default_factory=dict)
    by_leader: int = 0
    is_vouched: bool = False
    needs_newer_program: bool = False
    replaced: tuple[int, LogState] | None = None
    """How many entries there were when the pair was replaced, and the state then."""

    def copy(self) -> "_Branch":
        return _Branch(
            self.state.copy(),
            [*self.entries],
            {**self.grants},
            self.by_leader,
            self.is_vouched,
            self.needs_newer_program,
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
            for each in copy:
                key = each.entry.hash
                self.entries.setdefault(key, each.entry)
                self.copies[key].add(number)
                offered = self.grants.setdefault(key, {})
                offered.setdefault(each.grants, set()).add(number)
        self.following: dict[tuple[int, bytes], list[bytes]] = defaultdict(list)
        for key, entry in self.entries.items():
            self.following[entry.head.sequence, entry.head.previous].append(key)
        self._look_ahead()
        self.result = Histories()

    def run(self) -> Histories:
        waiting: list[tuple[tuple[int, int, int, bytes], bytes, _Branch]] = []
        used: set[bytes] = set()
        ends: list[_Branch] = []
        branch: _Branch | None = _Branch(self.start)
        while branch is not None:
            branch = self._follow(branch, waiting)
            if branch.is_vouched:
                ends.append(branch)
                used.update(entry.hash for entry in branch.entries)
            branch = None
            while waiting and branch is None:
                _, key, before = heapq.heappop(waiting)
                try:
                    before.state.check(self.entries[key])
                except EntryRefused:
                    continue
                if len(ends) > MAX_FORKS:
                    self.result.not_followed.append(self.entries[key])
                    continue
                trial = before.copy()
                branch = trial if self._take(trial, key) else None
        self.result.found = self._rank(ends)
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
            self.height[key] = 1 + max((self.height[each] for each in later), default=0)
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

    def _rank_of(self, key: bytes) -> tuple[int, int, int, bytes]:
        """The order in which branches are followed."""
        return -(key in self.is_printed), -len(self.copies[key]), -self.height[key], key

    def _follow(
        self,
        branch: _Branch,
        waiting: list[tuple[tuple[int, int, int, bytes], bytes, _Branch]],
    ) -> _Branch:
        """Extends a chain to its end, and leaves what else could follow for later."""
        while True:
            state = branch.state
            candidates = [
                key
                for key in self.following.get((state.sequence + 1, state.head), [])
                if branch.is_vouched or key in self.is_signed
            ]
            if len(candidates) > 1:
                before = branch.copy()
                candidates.sort(key=self._rank_of)
            while candidates:
                key = candidates.pop(0)
                if self._take(branch, key):
                    break
            else:
                return branch
            for key in candidates:
                heapq.heappush(waiting, (self._rank_of(key), key, before))

    def _take(self, branch: _Branch, key: bytes) -> bool:
        entry, state = self.entries[key], branch.state
        author, leader = entry.head.author, state.leader
        until_now = state.copy() if self._replaces(branch, entry) else None
        try:
            state.append(entry)
        except EntryRefused as refusal:
            branch.needs_newer_program |= refusal.reason == Reason.NEWER_FORMAT
            return False
        if until_now:
            branch.replaced = len(branch.entries), until_now
        branch.entries.append(entry)
        branch.by_leader += author in (leader, RECOVERY) or state.sequence == 1
        branch.is_vouched |= state.recovery_keys == self.pair
        for grants, offering in self.grants[key].items():
            try:
                state.check_grants(entry, grants)
            except (EntryRefused, Malformed):
                self.result.liars |= offering
            else:
                branch.grants[state.sequence] = grants
        return True

    def _replaces(self, branch: _Branch, entry: Entry) -> bool:
        return branch.state.recovery_keys == self.pair and isinstance(entry.clear, RecoveryChanged)

    def _rank(self, ends: Iterable[_Branch]) -> list[History]:
        found = [self._history(branch) for branch in ends]
        found.sort(
            key=lambda each: (
                not each.is_printed,
                -each.by_leader,
                -len(each.copies),
                -len(each.entries),
                each.entries[-1].hash,
            )
        )
        # Chains that part only after the pair was replaced are one to this pair.
        best: dict[bytes, History] = {}
        for each in found:
            best.setdefault(each.state.head, each)
        return list(best.values())

    def _history(self, branch: _Branch) -> History:
        readable, state = branch.replaced or (len(branch.entries), branch.state)
        printed = self.printed
        return History(
            state=state,
            entries=branch.entries,
            grants=branch.grants,
            readable=readable,
            copies=frozenset(self.copies[branch.entries[-1].hash]),
            by_leader=branch.by_leader,
            is_printed=printed is not None
            and any((each.head.sequence, each.hash) == printed for each in branch.entries),
            needs_newer_program=branch.needs_newer_program,
        )
