"""Well-formed entries that the rules of the log refuse."""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from storage_example import (
    COMPANY,
    KEYS,
    LEADER,
    LEAVER,
    MEMBER,
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
    Generation,
    Genesis,
    Head,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    Unretire,
    sign_entry,
)
from tessera_core.grants import RECOVERY
from tessera_core.log import EntryRefused, LogState, Reason
from tessera_core.user_keys import PrivateKeys

Bad = dict[str, Any]

HASH = bytes(32)
LEADER_KEYS, MEMBER_KEYS, STRANGER_KEYS = KEYS[LEADER], KEYS[MEMBER], keys("stranger")
STRANGER = UUID("77777777-7777-4777-8777-777777777777")
GENESIS = Genesis(LEADER, LEADER_KEYS.public, OLD_RECOVERY.public)
NEW_GENERATION = Generation(HASH, HASH)
CHANGE = Change(())


def bad(error: str, reason: str, data: bytes, **more: object) -> Bad:
    return {"reason": reason, "error": error, "data": b64encode(data).decode(), **more}


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

    def entry(self, space: Space, state: LogState) -> bytes:
        head = Head(
            company=COMPANY,
            space=SPACE,
            sequence=state.sequence + 1,
            previous=state.head,
            id=fixed("bad entry", 16),
            generation=state.generation,
            author=self.author,
            time=state.time,
        )
        head, body = replace(head, **self.head), b""
        if isinstance(self.clear, Change | Checkpoint):
            sealed_for = replace(head, generation=1)
            body = seal_body(b"\1" + bytes(8), sealed_for, self.clear.kind, space.keyring)
        signer = self.signer or {**KEYS, RECOVERY: OLD_RECOVERY}[self.author]
        entry = sign_entry(head, self.clear, signer, body=body, recovery_keys=self.counter)
        try:
            state.append(entry, now=self.now)
        except EntryRefused as refusal:
            if refusal.reason == self.rule:
                return entry.encode()
        raise AssertionError(self.text)


def bad_log(space: Space) -> Iterator[Bad]:
    for case in [*places(space), *authors(space), *memberships(), *packs(space)]:
        state = LogState(COMPANY, SPACE)
        for each in space.entries[: case.after]:
            state.append(each.entry)
        more = {"after": case.after} | ({} if case.now is None else {"now": case.now})
        yield bad(case.rule.value, case.text, case.entry(space, state), **more)


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
        Case(Reason.TIME_AHEAD, "a clock ten minutes ahead", 6, CHANGE, now=time - 600_001),
        Case(Reason.WRONG_GENERATION, "one too low", 9, CHANGE, head={"generation": 1}),
        Case(Reason.WRONG_GENERATION, "one too high", 9, CHANGE, head={"generation": 3}),
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
    replaced = RecoveryChanged(NEW_RECOVERY.public, HASH)
    leader_only: list[tuple[str, Clear]] = [
        ("adds", MemberAdded(STRANGER, STRANGER_KEYS.public, HASH)),
        ("removes", MemberRemoved(LEAVER)),
        ("takes the lead", LeaderChanged(MEMBER, MEMBER_KEYS.public, HASH)),
        ("retires", Retire((space.packs[0][0].header.name.pack,))),
        ("writes a checkpoint", Checkpoint(())),
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
        Case(Reason.NOT_A_MEMBER, "a change by recovery", 6, CHANGE, RECOVERY),
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
        Case(Reason.BAD_SIGNATURE, "the leader's replaced keys", 17, CHANGE),
        Case(
            Reason.BAD_SIGNATURE, "the replaced recovery pair", 17, MemberRemoved(MEMBER), RECOVERY
        ),
        *(
            Case(Reason.NOT_THE_LEADER, f"a member {what}", 6, clear, MEMBER)
            for what, clear in leader_only
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
        Case(Reason.KEY_IN_USE, "a key of another", 6, MemberAdded(STRANGER, taken, HASH)),
        Case(Reason.KEY_IN_USE, "the leader as recovery", 0, same, counter=LEADER_KEYS),
    ]


def packs(space: Space) -> list[Case]:
    first, second = (space.packs[at][0].header.name.pack for at in (0, 1))
    again = space.entries[2].entry.clear
    return [
        Case(Reason.KNOWN_PACK, "a pack added twice", 6, again),
        Case(Reason.UNKNOWN_PACK, "an unknown pack retired", 6, Retire((bytes(16),))),
        Case(Reason.UNKNOWN_PACK, "an unknown pack brought back", 6, Unretire((bytes(16),))),
        Case(Reason.RETIRED_PACK, "a pack retired twice", 12, Retire((second,))),
        Case(Reason.PACK_NOT_RETIRED, "a pack that is not retired", 6, Unretire((first,))),
    ]
