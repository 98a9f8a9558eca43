"""Logs as they are found in copies of warehouses, some of which lie: which history counts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from bad_case import flip, text
from storage_example import (
    COMPANY,
    KEYS,
    LEADER,
    LEAVER,
    MEMBER,
    NEW_RECOVERY,
    OLD_RECOVERY,
    SPACE,
    START,
    Space,
    fixed,
    grant,
    keys,
)

from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    Generation,
    Genesis,
    Head,
    RecoveryChanged,
    Rewound,
    sign_entry,
)
from tessera_core.grants import RECOVERY, Grant, grants_hash
from tessera_core.histories import find_histories
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.segments import SegmentEntry
from tessera_core.user_keys import PrivateKeys

CHANGE = Change(())


class Branch:
    """Continues the good log after so many entries."""

    def __init__(self, space: Space, after: int, label: str) -> None:
        self.space, self.label = space, label
        self.state = LogState(COMPANY, SPACE)
        self.entries = [*space.entries[:after]]
        for each in self.entries:
            self.state.append(each.entry)

    def add(
        self,
        clear: Clear,
        author: UUID = LEADER,
        *,
        signer: PrivateKeys | None = None,
        counter: PrivateKeys | None = None,
        grants: Sequence[Grant] = (),
        time: int | None = None,
    ) -> "Branch":
        state = self.state
        head = Head(
            COMPANY,
            SPACE,
            state.sequence + 1,
            state.head,
            fixed(f"{self.label} {state.sequence}", 16),
            state.generation + isinstance(clear, Generation),
            author,
            state.time + 1000 if time is None else time,
        )
        body = b""
        if isinstance(clear, Change | Checkpoint):
            body = fixed(f"{self.label} body {state.sequence}", 272)
        entry = sign_entry(head, clear, signer or KEYS[author], body=body, recovery_keys=counter)
        state.append(entry)
        self.entries.append(SegmentEntry(entry, tuple(grants)))
        return self

    def changes(self, count: int, author: UUID = LEADER) -> "Branch":
        for _ in range(count):
            self.add(CHANGE, author)
        return self


def forged(space: Space) -> Branch:
    """A log of somebody else's making, with a recovery pair of their own."""
    private, pair = keys("stranger"), keys("stranger's recovery")
    made = Branch(space, 0, "forged")
    genesis = Genesis(LEADER, private.public, pair.public)
    made.add(genesis, signer=private, counter=pair, time=START)
    made.add(Generation(bytes(32), bytes(32)), signer=private)
    for _ in range(8):
        made.add(CHANGE, signer=private)
    return made


def with_generation(space: Space, label: str, recovery_grant: Grant) -> Branch:
    """A third generation after nine entries, with this grant to recovery."""
    ring = Keyring(space.keyring.seeds[:3])
    grants = [
        grant(ring, LEADER, KEYS[LEADER]),
        grant(ring, MEMBER, KEYS[MEMBER]),
        recovery_grant,
    ]
    clear = Generation(ring.commitment(SPACE, 3), grants_hash(grants))
    return Branch(space, 9, label).add(clear, grants=grants)


def histories(space: Space) -> dict[str, Any]:
    pool: list[SegmentEntry] = [*space.entries]
    cases: list[dict[str, Any]] = []

    def number(each: SegmentEntry) -> int:
        if each not in pool:
            pool.append(each)
        return pool.index(each)

    def case(
        about: str,
        *copies: Iterable[SegmentEntry],
        pair: PrivateKeys = OLD_RECOVERY,
        printed: SegmentEntry | None = None,
    ) -> None:
        listed = [list(copy) for copy in copies]
        place = (printed.entry.head.sequence, printed.entry.hash) if printed else None
        result = find_histories(COMPANY, SPACE, listed, pair.public, place)
        found = []
        for history in result.ranked:
            keyring = history.open_keyring(pair)
            found.append(
                {
                    "last": history.entries[-1].head.sequence,
                    "hash": history.entries[-1].hash.hex(),
                    "readable": history.readable,
                    "generation": keyring.generation if keyring else 0,
                    "isPrinted": history.is_printed,
                }
            )
        cases.append(
            {
                "about": about,
                "pair": pair.encode().hex(),
                "copies": [[number(each) for each in copy] for copy in listed],
                "printed": [place[0], place[1].hex()] if place else None,
                "found": found,
                "leftOver": sorted(each.hash.hex() for each in result.left_over),
                "liars": sorted(result.liars),
            }
        )

    good = space.entries
    case("three copies that agree", good, good, good, pair=NEW_RECOVERY)
    case("each copy holds a part", good[:8], good[5:15], good[12:], pair=NEW_RECOVERY)
    case("the pair was replaced later", good)
    case("the log ends with the new pair, which has no grant yet", good[:15], pair=NEW_RECOVERY)
    case("the same with the old pair", good[:15])
    case("a stranger's pair", good, pair=keys("stranger"))
    case("a gap", [*good[:6], *good[7:9]])
    case("the first entry is missing", good[1:9])
    forgery = forged(space).entries
    case("a longer log of another pair", forgery, good[:6])
    case("only a log of another pair", forgery)
    removed = Branch(space, 6, "removed").changes(5, LEAVER).entries
    case("a removed member's longer history, in more copies", removed, removed, good[:9])
    former = Branch(space, 13, "former leader").changes(12).entries
    case("a former leader's history", former, good)
    case("a former leader's history, and the kit shows the other", former, good, printed=good[22])
    case("the kit shows an entry that is not there", good[:9], printed=good[22])
    case("a former leader's history, with the newer pair", former, good, pair=NEW_RECOVERY)
    short = Branch(space, 6, "short").changes(1, MEMBER).entries
    tries = (Branch(space, 6, f"long {at}").changes(2, MEMBER).entries for at in range(99))
    long = next(each for each in tries if each[-1].entry.hash > short[-1].entry.hash)
    same = Branch(space, 6, "same").changes(1, MEMBER).entries
    case("the one in more copies wins over a longer one", short, long, short)
    case("the longer one wins", short, long)
    case("the smaller hash wins", short, same)
    bad_signature = replace(good[9].entry, signature=flip(good[9].entry.signature, 0))
    case("an entry with a wrong signature", [*good[:9], SegmentEntry(bad_signature)], good[:9])
    other = keys("another recovery")
    parted = Branch(space, 14, "parted")
    parted.add(RecoveryChanged(other.public), signer=keys("leader, second device"), counter=other)
    case("two that part when the pair is replaced", parted.entries, good[:16])
    _abandoned(space, case)
    _grants(space, case)
    return {
        "pool": [
            {"log": at}
            if at < len(good)
            else {
                "data": text(each.entry.encode()),
                "grants": [text(made.encode()) for made in each.grants],
            }
            for at, each in enumerate(pool)
        ],
        "cases": cases,
    }


def _abandoned(space: Space, case: Callable[..., None]) -> None:
    """After a restore of the service."""
    lost = Branch(space, 9, "abandoned").changes(5).entries
    end = lost[-1].entry
    rewound = Rewound(end.head.sequence, end.hash, end.head.time)
    extended = Branch(space, 9, "rewound").add(rewound).entries
    case("a part that the leader has given up", lost, extended, lost)
    case("the same, and the kit shows it", lost, extended, printed=lost[-1])


def _grants(space: Space, case: Callable[..., None]) -> None:
    """Right entries with wrong grants beside them."""
    good = space.entries[:9]
    first, second = good[1], good[7]
    stranger = keys("stranger")
    two = Keyring(space.keyring.seeds[:2])
    junk = tuple(
        grant(two, each.member, stranger) if each.member == RECOVERY else each
        for each in second.grants
    )
    more = (*second.grants, grant(two, LEAVER, KEYS[LEAVER]))
    fewer = tuple(each for each in second.grants if each.member == RECOVERY)

    def with_grants(*changed: tuple[SegmentEntry, tuple[Grant, ...]]) -> list[SegmentEntry]:
        entries = [*good]
        for each, grants in changed:
            entries[entries.index(each)] = replace(each, grants=grants)
        return entries

    case("other grants in one copy", with_grants((second, junk)), good)
    case("no grants in one copy", with_grants((second, ())), good)
    case("further grants in one copy", with_grants((second, more)), good)
    case("other members' grants left out in one copy", with_grants((second, fewer)), good)
    case("grants where none belong in one copy", with_grants((good[2], fewer)), good)
    case("other grants in all copies", with_grants((second, junk)))
    case("the grant to recovery alone in all copies", with_grants((second, fewer)))
    case("no grants at all", with_grants((first, ()), (second, ())))
    three = Keyring(space.keyring.seeds[:3])
    false = Keyring((*space.keyring.seeds[:2], bytes(32)))
    unreadable = with_generation(space, "unreadable", grant(three, RECOVERY, stranger))
    case("a grant to recovery that does not open", unreadable.entries)
    lying = with_generation(space, "lying", grant(false, RECOVERY, OLD_RECOVERY))
    case("a grant to recovery that opens to another seed", lying.entries)
