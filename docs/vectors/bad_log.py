"""Well-formed entries that the rules of the log refuse."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from bad_case import Bad, bad, text
from storage_example import (
    COMPANY,
    KEYS,
    LEADER,
    LEAVER,
    MEMBER,
    NEW_LEADER_KEYS,
    NEW_RECOVERY,
    OLD_RECOVERY,
    SPACE,
    Space,
    fixed,
    keys,
)

from tessera_core.bodies import seal_body
from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    Entry,
    FormatChanged,
    Generation,
    Genesis,
    Head,
    KeepRule,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    Rewound,
    SetAside,
    Settings,
    Unretire,
    sign_entry,
)
from tessera_core.grants import RECOVERY
from tessera_core.log import EntryRefused, LogState, Reason
from tessera_core.user_keys import PrivateKeys, PublicKeys

HASH = bytes(32)
LEADER_KEYS, MEMBER_KEYS, STRANGER_KEYS = KEYS[LEADER], KEYS[MEMBER], keys("stranger")
STRANGER = UUID("77777777-7777-4777-8777-777777777777")
GENESIS = Genesis(LEADER, LEADER_KEYS.public, OLD_RECOVERY.public)
NEW_GENERATION = Generation(HASH, HASH)
CHANGE = Change(())


@dataclass(frozen=True)
class Case:
    """An entry after so many of the good ones, and the rule that it breaks."""

    rule: Reason
    text: str
    after: int
    clear: Clear
    author: UUID = LEADER
    signer: PrivateKeys | None = None
    counter: PrivateKeys | None = None
    now: int | None = None
    head: dict[str, Any] = field(default_factory=dict)
    before: "Case | None" = None
    """Another entry first, which is accepted."""

    def entry(self, space: Space, state: LogState) -> bytes:
        entry = self.sign(space, state)
        try:
            state.append(entry, now=self.now)
        except EntryRefused as refusal:
            if refusal.reason == self.rule:
                return entry.encode()
        raise AssertionError(self.text)

    def sign(self, space: Space, state: LogState) -> Entry:
        head = Head(
            company=COMPANY,
            space=SPACE,
            sequence=state.sequence + 1,
            previous=state.head,
            id=fixed("bad entry", 16),
            generation=state.generation + isinstance(self.clear, Generation),
            author=self.author,
            time=state.time,
        )
        head, body = replace(head, **self.head), b""
        if isinstance(self.clear, Change | Checkpoint):
            sealed_for = replace(head, generation=1)
            body = seal_body(b"\1" + bytes(8), sealed_for, self.clear.kind, space.keyring)
        signer = self.signer or {**KEYS, RECOVERY: OLD_RECOVERY}[self.author]
        return sign_entry(head, self.clear, signer, body=body, recovery_keys=self.counter)


def bad_log(space: Space) -> Iterator[Bad]:
    cases = [*places(space), *authors(space), *memberships(), *used_keys(), *waits(), *packs(space)]
    for case in cases + later_kinds():
        state = LogState(COMPANY, SPACE)
        for each in space.entries[: case.after]:
            state.append(each.entry)
        more: dict[str, Any] = {"after": case.after}
        if case.now is not None:
            more |= {"now": case.now}
        if case.before:
            before = case.before.sign(space, state)
            state.append(before)
            more |= {"before": text(before.encode())}
        yield bad(case.rule.value, case.text, case.entry(space, state), **more)
    state = LogState(COMPANY, SPACE)
    for each in long_log(space):
        state.append(each)
    case = Case(Reason.WRONG_GENERATION, "generation 4097", 0, NEW_GENERATION)
    last = replace(case, head={"generation": 4097})
    yield bad(last.rule.value, last.text, last.entry(space, state), afterGenerations=4096)


def long_log(space: Space) -> Iterator[Entry]:
    """The genesis and 4096 generations: entry n has the id n, the time of the genesis, and a
    commitment and grants hash of zeros."""
    genesis = space.entries[0].entry
    yield genesis
    entry = genesis
    for generation in range(1, 4097):
        head = replace(
            genesis.head,
            sequence=generation + 1,
            previous=entry.hash,
            id=(generation + 1).to_bytes(16, "big"),
            generation=generation,
        )
        entry = sign_entry(head, NEW_GENERATION, LEADER_KEYS)
        yield entry


def places(space: Space) -> list[Case]:
    time = space.entries[5].entry.head.time
    return [
        Case(Reason.WRONG_KIND, "another first entry", 0, MemberRemoved(LEAVER)),
        Case(Reason.WRONG_KIND, "a second genesis", 6, GENESIS, counter=OLD_RECOVERY),
        Case(Reason.WRONG_SPACE, "another space", 6, CHANGE, head={"space": MEMBER}),
        Case(Reason.WRONG_SPACE, "another company", 6, CHANGE, head={"company": MEMBER}),
        Case(Reason.WRONG_SEQUENCE, "a gap", 6, CHANGE, head={"sequence": 8}),
        Case(Reason.WRONG_SEQUENCE, "a repetition", 6, CHANGE, head={"sequence": 6}),
        Case(Reason.WRONG_PREVIOUS, "another history", 6, CHANGE, head={"previous": HASH}),
        Case(Reason.TIME_BACKWARDS, "an earlier time", 6, CHANGE, head={"time": time - 1}),
        Case(
            Reason.TIME_AHEAD,
            "a clock ten minutes ahead",
            6,
            CHANGE,
            now=time - 600_000,
            head={"time": time + 1},
        ),
        Case(Reason.TIME_BEHIND, "a clock a day behind", 6, CHANGE, now=time + 86_400_001),
        Case(Reason.WRONG_GENERATION, "one too low", 9, CHANGE, head={"generation": 1}),
        Case(Reason.WRONG_GENERATION, "one too high", 9, CHANGE, head={"generation": 3}),
        Case(Reason.WRONG_GENERATION, "the same again", 9, NEW_GENERATION, head={"generation": 2}),
        Case(Reason.WRONG_GENERATION, "one left out", 9, NEW_GENERATION, head={"generation": 4}),
        Case(Reason.GENERATION_AWAITED, "a change after a removal", 7, CHANGE),
        Case(
            Reason.GENERATION_AWAITED,
            "a member before the first generation",
            1,
            MemberAdded(MEMBER, MEMBER_KEYS.public, HASH),
        ),
    ]


def authors(space: Space) -> list[Case]:
    replaced = RecoveryChanged(NEW_RECOVERY.public)
    pack = space.packs[0][0].trailer.name.pack
    leader_only: list[tuple[str, Clear]] = [
        ("adds", MemberAdded(STRANGER, STRANGER_KEYS.public, HASH)),
        ("removes", MemberRemoved(LEAVER)),
        ("takes the lead", LeaderChanged(MEMBER, MEMBER_KEYS.public, HASH)),
        ("makes a generation", NEW_GENERATION),
        ("retires", Retire((pack,))),
        ("writes a checkpoint", Checkpoint(())),
        ("sets aside", SetAside((3,))),
        ("changes the format", FormatChanged(2)),
        ("rewinds", Rewound(9, HASH, 0)),
        ("changes the settings", Settings()),
    ]
    not_recoverys: list[tuple[str, Clear]] = [
        ("a member added", MemberAdded(STRANGER, STRANGER_KEYS.public, HASH)),
        ("a member removed", MemberRemoved(LEAVER)),
        ("a generation", NEW_GENERATION),
        ("a change", CHANGE),
        ("retire", Retire((pack,))),
        ("unretire", Unretire((pack,))),
        ("a checkpoint", Checkpoint(())),
        ("set aside", SetAside((3,))),
        ("a format", FormatChanged(2)),
        ("rewound", Rewound(9, HASH, 0)),
        ("settings", Settings()),
    ]
    return [
        Case(Reason.NOT_A_MEMBER, "a genesis by another", 0, GENESIS, MEMBER, counter=OLD_RECOVERY),
        Case(
            Reason.BAD_SIGNATURE,
            "a genesis signed by another",
            0,
            GENESIS,
            signer=MEMBER_KEYS,
            counter=OLD_RECOVERY,
        ),
        Case(
            Reason.BAD_SIGNATURE,
            "a genesis not signed by recovery",
            0,
            GENESIS,
            counter=MEMBER_KEYS,
        ),
        Case(Reason.NOT_A_MEMBER, "a stranger", 6, CHANGE, STRANGER, STRANGER_KEYS),
        Case(Reason.NOT_A_MEMBER, "a removed member", 9, CHANGE, LEAVER),
        Case(Reason.NOT_A_MEMBER, "a member not yet added", 3, CHANGE, MEMBER),
        *(
            Case(
                Reason.NOT_A_MEMBER,
                f"{what} by recovery",
                6,
                clear,
                RECOVERY,
            )
            for what, clear in not_recoverys
        ),
        Case(
            Reason.NOT_A_MEMBER,
            "recovery replaces itself",
            6,
            replaced,
            RECOVERY,
            counter=NEW_RECOVERY,
        ),
        Case(
            Reason.BAD_SIGNATURE,
            "a new recovery that did not sign",
            6,
            replaced,
            counter=LEADER_KEYS,
        ),
        Case(Reason.BAD_SIGNATURE, "in the leader's name", 6, CHANGE, signer=MEMBER_KEYS),
        Case(
            Reason.BAD_SIGNATURE,
            "a new recovery that the leader did not sign",
            6,
            replaced,
            signer=NEW_RECOVERY,
            counter=NEW_RECOVERY,
        ),
        Case(Reason.BAD_SIGNATURE, "the leader's replaced keys", 17, CHANGE),
        Case(
            Reason.BAD_SIGNATURE,
            "the replaced recovery pair",
            17,
            LeaderChanged(STRANGER, STRANGER_KEYS.public, HASH),
            RECOVERY,
        ),
        *(
            Case(
                Reason.NOT_THE_LEADER,
                f"a member {what}",
                6,
                clear,
                MEMBER,
            )
            for what, clear in leader_only
        ),
        Case(
            Reason.NOT_THE_LEADER,
            "a member replaces recovery",
            6,
            replaced,
            MEMBER,
            counter=NEW_RECOVERY,
        ),
    ]


def memberships() -> list[Case]:
    taken = replace(STRANGER_KEYS.public, sign=MEMBER_KEYS.public.sign)
    same = Genesis(LEADER, LEADER_KEYS.public, LEADER_KEYS.public)
    return [
        Case(Reason.WRONG_SUBJECT, "the leader removed", 6, MemberRemoved(LEADER)),
        Case(Reason.WRONG_SUBJECT, "a stranger removed", 6, MemberRemoved(STRANGER)),
        Case(
            Reason.WRONG_SUBJECT,
            "a member added twice",
            6,
            MemberAdded(MEMBER, STRANGER_KEYS.public, HASH),
        ),
        Case(
            Reason.WRONG_SUBJECT,
            "recovery as a member",
            6,
            MemberAdded(RECOVERY, STRANGER_KEYS.public, HASH),
        ),
        Case(
            Reason.WRONG_SUBJECT,
            "a change of leader that changes nothing",
            6,
            LeaderChanged(LEADER, LEADER_KEYS.public, HASH),
        ),
        Case(
            Reason.WRONG_SUBJECT,
            "recovery as the leader",
            6,
            LeaderChanged(RECOVERY, STRANGER_KEYS.public, HASH),
        ),
        Case(
            Reason.WRONG_SUBJECT,
            "a genesis with recovery as the leader",
            0,
            Genesis(RECOVERY, LEADER_KEYS.public, OLD_RECOVERY.public),
            RECOVERY,
            signer=LEADER_KEYS,
            counter=OLD_RECOVERY,
        ),
        Case(Reason.KEY_IN_USE, "a key of another", 6, MemberAdded(STRANGER, taken, HASH)),
        Case(Reason.KEY_IN_USE, "the leader as recovery", 0, same, counter=LEADER_KEYS),
    ]


def used_keys() -> list[Case]:
    """Signing keys that somebody has, or had."""

    def signing(private: PrivateKeys) -> PublicKeys:
        return replace(STRANGER_KEYS.public, sign=private.public.sign)

    # A pair that signs with a member's key, and receives with another.
    shared = PrivateKeys(MEMBER_KEYS.sign_seed, STRANGER_KEYS.kem_seed)
    old, leaver = OLD_RECOVERY, KEYS[LEAVER]
    in_use, removed = Reason.KEY_IN_USE, Reason.KEY_REMOVED
    return [
        Case(in_use, "a member with recovery's key", 6, MemberAdded(STRANGER, signing(old), HASH)),
        Case(
            in_use,
            "a new leader with recovery's key",
            6,
            LeaderChanged(STRANGER, signing(old), HASH),
        ),
        Case(
            in_use,
            "a new leader with a member's key",
            6,
            LeaderChanged(STRANGER, signing(MEMBER_KEYS), HASH),
        ),
        Case(
            in_use,
            "a new leader with the own signing key and another to receive",
            6,
            LeaderChanged(MEMBER, signing(MEMBER_KEYS), HASH),
        ),
        Case(
            in_use,
            "recovery with a member's key",
            6,
            RecoveryChanged(shared.public),
            counter=shared,
        ),
        Case(in_use, "recovery replaced by itself", 6, RecoveryChanged(old.public), counter=old),
        Case(
            removed,
            "a removed member's key again",
            9,
            MemberAdded(LEAVER, leaver.public, HASH),
        ),
        Case(
            removed,
            "a removed member's key under another name",
            9,
            MemberAdded(STRANGER, signing(leaver), HASH),
        ),
        Case(
            removed,
            "a removed member's key for a leader",
            9,
            LeaderChanged(STRANGER, leaver.public, HASH),
        ),
        Case(
            removed,
            "a removed member's key for recovery",
            9,
            RecoveryChanged(leaver.public),
            counter=leaver,
        ),
        Case(
            removed,
            "the leader's replaced key",
            17,
            MemberAdded(STRANGER, signing(LEADER_KEYS), HASH),
            signer=NEW_LEADER_KEYS,
        ),
        Case(
            removed,
            "the leader's replaced key for the leader",
            17,
            LeaderChanged(LEADER, LEADER_KEYS.public, HASH),
            signer=NEW_LEADER_KEYS,
        ),
        Case(
            removed,
            "the replaced recovery pair for a member",
            17,
            MemberAdded(STRANGER, signing(old), HASH),
            signer=NEW_LEADER_KEYS,
        ),
        Case(
            removed,
            "the replaced recovery pair again",
            17,
            RecoveryChanged(old.public),
            signer=NEW_LEADER_KEYS,
            counter=old,
        ),
    ]


def waits() -> list[Case]:
    """What is written before the generation that has to come."""
    awaited = Reason.GENERATION_AWAITED
    added = MemberAdded(STRANGER, STRANGER_KEYS.public, HASH)
    return [
        Case(awaited, "a member added after a removal", 7, added),
        Case(awaited, "a checkpoint after a removal", 7, Checkpoint(())),
        Case(awaited, "an entry set aside after a removal", 7, SetAside((3,))),
        Case(awaited, "rewound after a removal", 7, Rewound(30, HASH, 0)),
        Case(awaited, "a change after the leader's keys were replaced", 14, CHANGE, MEMBER),
        Case(
            awaited,
            "a member added after the leader's keys were replaced",
            14,
            added,
            signer=NEW_LEADER_KEYS,
        ),
        Case(
            awaited,
            "a new recovery pair before the first generation",
            1,
            RecoveryChanged(NEW_RECOVERY.public),
            counter=NEW_RECOVERY,
        ),
        Case(
            awaited,
            "a new leader before the first generation",
            1,
            LeaderChanged(MEMBER, MEMBER_KEYS.public, HASH),
        ),
        Case(
            awaited,
            "a change after the recovery pair was replaced",
            6,
            CHANGE,
            before=Case(awaited, "", 6, RecoveryChanged(NEW_RECOVERY.public), counter=NEW_RECOVERY),
        ),
        Case(awaited, "a change after both were replaced", 15, CHANGE, MEMBER),
        Case(
            awaited,
            "a change after a member became the leader with other keys",
            6,
            CHANGE,
            before=Case(awaited, "", 6, LeaderChanged(MEMBER, STRANGER_KEYS.public, HASH)),
        ),
        Case(awaited, "a change after the log was rewound", 22, CHANGE, MEMBER),
    ]


def accepted(space: Space) -> list[dict[str, Any]]:
    """Entries that the rules allow after so many of the good ones."""
    allowed = Reason.WRONG_KIND

    def after(count: int, *cases: Case) -> list[str]:
        state, made = LogState(COMPANY, SPACE), []
        for each in space.entries[:count]:
            state.append(each.entry)
        for case in cases:
            entry = case.sign(space, state)
            state.append(entry)
            made.append(text(entry.encode()))
        return made

    leads = LeaderChanged(MEMBER, MEMBER_KEYS.public, HASH)
    outsider = LeaderChanged(STRANGER, STRANGER_KEYS.public, HASH)
    returns = MemberAdded(LEAVER, keys("leaver, returned").public, HASH)
    series = [
        (
            "a member becomes the leader, and no generation is awaited",
            6,
            (Case(allowed, "", 6, leads), Case(allowed, "", 6, Checkpoint(()), MEMBER)),
        ),
        (
            "somebody who was no member becomes the leader",
            6,
            (
                Case(allowed, "", 6, outsider),
                Case(allowed, "", 6, CHANGE),
                Case(allowed, "", 6, CHANGE, STRANGER, STRANGER_KEYS),
            ),
        ),
        (
            "recovery names a leader",
            6,
            (Case(allowed, "", 6, leads, RECOVERY), Case(allowed, "", 6, CHANGE, MEMBER)),
        ),
        (
            "two removals and a new recovery pair share a generation",
            6,
            (
                Case(allowed, "", 6, MemberRemoved(LEAVER)),
                Case(allowed, "", 6, MemberRemoved(MEMBER)),
                Case(allowed, "", 6, RecoveryChanged(NEW_RECOVERY.public), counter=NEW_RECOVERY),
                Case(allowed, "", 6, NEW_GENERATION),
                Case(allowed, "", 6, CHANGE),
            ),
        ),
        ("somebody returns with new keys", 9, (Case(allowed, "", 9, returns),)),
        ("a generation without need", 9, (Case(allowed, "", 9, NEW_GENERATION),)),
        ("any member's unretire", 12, (Case(allowed, "", 12, _unretire(space), MEMBER),)),
        ("an entry without a body set aside", 9, (Case(allowed, "", 9, SetAside((2, 9))),)),
        ("rewound by one", 9, (Case(allowed, "", 9, Rewound(10, HASH, 0)),)),
        ("settings", 9, (Case(allowed, "", 9, Settings(True, (KeepRule(2, 7),))),)),
    ]
    return [
        {"about": about, "after": count, "entries": after(count, *cases)}
        for about, count, cases in series
    ]


def _unretire(space: Space) -> Unretire:
    return Unretire((space.packs[1][0].trailer.name.pack,))


def later_kinds() -> list[Case]:
    subject = Reason.WRONG_SUBJECT
    return [
        Case(subject, "the first entry set aside", 6, SetAside((1,))),
        Case(subject, "a later entry set aside", 6, SetAside((3, 8))),
        Case(subject, "itself set aside", 6, SetAside((7,))),
        Case(Reason.NEWER_FORMAT, "format 2", 6, FormatChanged(2)),
        Case(subject, "format 1", 6, FormatChanged(1)),
        Case(subject, "format 0", 6, FormatChanged(0)),
        Case(subject, "rewound to an entry that is there", 6, Rewound(6, HASH, 0)),
    ]


def packs(space: Space) -> list[Case]:
    first, second = (space.packs[at][0].trailer.name.pack for at in (0, 1))
    again = space.entries[2].entry.clear
    return [
        Case(Reason.KNOWN_PACK, "a pack added twice", 6, again),
        Case(Reason.UNKNOWN_PACK, "an unknown pack retired", 6, Retire((bytes(16),))),
        Case(Reason.UNKNOWN_PACK, "an unknown pack brought back", 6, Unretire((bytes(16),))),
        Case(Reason.RETIRED_PACK, "a pack retired twice", 12, Retire((second,))),
        Case(Reason.PACK_NOT_RETIRED, "a pack that is not retired", 6, Unretire((first,))),
    ]
