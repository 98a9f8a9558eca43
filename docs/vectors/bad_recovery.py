"""Recovery records, handovers and kits, and grants that do not belong to their entry."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bad_case import MALFORMED, NOT_AUTHENTIC, Bad, any_object, at, bad, flip, text
from storage_example import (
    KEYS,
    LEADER,
    LEAVER,
    MEMBER,
    NEW_LEADER_KEYS,
    NEW_RECOVERY,
    OLD_RECOVERY,
    Space,
    fixed,
    grant,
    keys,
    recovery_handover,
    recovery_records,
    sealed_recovery,
)

from tessera_core.binary import u16, u32
from tessera_core.entries import (
    Change,
    Clear,
    Generation,
    LeaderChanged,
    MemberAdded,
    RecoveryChanged,
    sign_entry,
)
from tessera_core.grants import RECOVERY, Grant, grants_hash
from tessera_core.keyring import Keyring
from tessera_core.log import LogState, Reason
from tessera_core.recovery_records import RecoveryRecord, sign_record
from tessera_core.user_keys import PrivateKeys


def bad_recovery() -> Iterator[Bad]:
    good = sealed_recovery(NEW_RECOVERY, 2, 2).encode()
    yield from any_object(good)
    yield bad(MALFORMED, "another magic", at(good, 0, b"TSRRECOX"))
    yield bad(MALFORMED, "version 2", at(good, 8, b"\2"))
    yield bad(MALFORMED, "kdf 2", at(good, 9, b"\2"))
    yield bad(MALFORMED, "record 0", sealed_recovery(NEW_RECOVERY, 2, 0).encode())
    yield bad(MALFORMED, "record 4097", sealed_recovery(NEW_RECOVERY, 2, 4097).encode())
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(NOT_AUTHENTIC, "another record", at(good, 10, u16(3)))
    yield bad(NOT_AUTHENTIC, "another counter", at(good, 12, u32(3)))
    yield bad(NOT_AUTHENTIC, "another company", flip(good, 16))
    yield bad(NOT_AUTHENTIC, "another salt", flip(good, 32))
    yield bad(NOT_AUTHENTIC, "the sealed keys changed", flip(good, 48))


# Records


def _resigned(
    record: RecoveryRecord,
    pair: PrivateKeys,
    before: PrivateKeys | None,
    leader: PrivateKeys = KEYS[MEMBER],
    **changes: object,
) -> bytes:
    changed = replace(record, **changes)  # type: ignore[arg-type]
    statement = changed.statement
    signed = replace(
        changed,
        leader_signature=leader.sign(statement),
        pair_signature=pair.sign(statement),
        previous_signature=before.sign(statement) if before else b"",
    )
    return signed.encode()


def bad_records() -> Iterator[dict[str, Any]]:
    """Chains of records, a number for a good one; the newest is to be the member's."""
    first, second, third = records = recovery_records()
    one, two, good = (record.encode() for record in records)
    pair, stranger = keys("recovery 3"), keys("stranger")

    def chain(error: str, reason: str, *data: bytes) -> dict[str, Any]:
        known = [record.encode() for record in records]
        chained = [known.index(each) if each in known else text(each) for each in data]
        return {"reason": reason, "error": error, "records": chained}

    yield chain(MALFORMED, "empty", one, two, b"")
    yield chain(MALFORMED, "another label", one, two, flip(good, 0))
    yield chain(MALFORMED, "version 2", one, two, at(good, 26, b"\2"))
    yield chain(MALFORMED, "counter 0", one, two, at(good, 43, u32(0)))
    yield chain(MALFORMED, "counter 4097", one, two, at(good, 43, u32(4097)))
    yield chain(MALFORMED, "suite 2", one, two, at(good, 47, b"\2"))
    yield chain(MALFORMED, "a byte missing", one, two, good[:-1])
    yield chain(MALFORMED, "a byte too many", one, two, good + b"\0")
    yield chain(MALFORMED, "a replacement without the third signature", one, two, good[:-64])
    yield chain(MALFORMED, "a first one with a third signature", one + bytes(64))
    yield chain(MALFORMED, "a first one that follows another", at(one, 1352, b"\1" * 32))
    yield chain(MALFORMED, "a second one that follows none", one, at(two, 1352, bytes(32)))
    yield chain(NOT_AUTHENTIC, "the first one missing", two, good)
    yield chain(NOT_AUTHENTIC, "one missing", one, good)
    yield chain(NOT_AUTHENTIC, "one twice", one, two, two, good)
    yield chain(NOT_AUTHENTIC, "the order changed", two, one, good)
    other = sign_record(OLD_RECOVERY, KEYS[LEADER], company=MEMBER, leader=LEADER, time=first.time)
    yield chain(NOT_AUTHENTIC, "another company", other.encode())
    for what, offset in (("leader's", 1384), ("pair's", 1448), ("former pair's", 1512)):
        yield chain(NOT_AUTHENTIC, f"the {what} signature changed", one, two, flip(good, offset))
    yield chain(NOT_AUTHENTIC, "the first pair's signature changed", flip(one, 1448))
    for what, changed in (
        ("the leader signs for the pair", _resigned(third, KEYS[MEMBER], NEW_RECOVERY)),
        ("the leader signs for the pair before", _resigned(third, pair, KEYS[MEMBER])),
        ("the new pair signs for the pair before", _resigned(third, pair, pair)),
        ("the pair signs for the leader", _resigned(third, pair, NEW_RECOVERY, pair)),
        ("another leader", _resigned(third, pair, NEW_RECOVERY, stranger)),
        (
            "another leader and fingerprint",
            _resigned(third, pair, NEW_RECOVERY, stranger, fingerprint=stranger.public.fingerprint),
        ),
        (
            "another fingerprint",
            _resigned(third, pair, NEW_RECOVERY, fingerprint=stranger.public.fingerprint),
        ),
        ("another history", _resigned(third, pair, NEW_RECOVERY, previous=first.hash)),
        ("an earlier time", _resigned(third, pair, NEW_RECOVERY, time=second.time - 1)),
        (
            "the pair before again",
            _resigned(third, NEW_RECOVERY, NEW_RECOVERY, keys=NEW_RECOVERY.public),
        ),
        (
            "the first pair again",
            _resigned(third, OLD_RECOVERY, NEW_RECOVERY, keys=OLD_RECOVERY.public),
        ),
    ):
        yield chain(NOT_AUTHENTIC, what, one, two, changed)
    yield chain(NOT_AUTHENTIC, "a leader's record before the newest", one, two)


def bad_handovers() -> Iterator[Bad]:
    """From the leader's first keys to the member."""
    good = recovery_handover(NEW_RECOVERY, 2, KEYS[LEADER]).encode()
    yield from any_object(good)
    yield bad(MALFORMED, "suite 2", at(good, 0, b"\2"))
    yield bad(MALFORMED, "the sender is the recipient", at(good, 1, MEMBER.bytes))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(MALFORMED, "no signature", good[:-64])
    stranger = recovery_handover(NEW_RECOVERY, 2, keys("stranger")).encode()
    yield bad(NOT_AUTHENTIC, "another signer", stranger)
    yield bad(NOT_AUTHENTIC, "another sender", at(good, 1, LEAVER.bytes))
    yield bad(NOT_AUTHENTIC, "another recipient", at(good, 17, LEAVER.bytes))
    yield bad(NOT_AUTHENTIC, "another counter", at(good, 33, u32(3)))
    for what, offset in (("ML-KEM", 37), ("X25519", 37 + 1088), ("the pair", 37 + 1120)):
        yield bad(NOT_AUTHENTIC, f"{what} changed", flip(good, offset))
    yield bad(NOT_AUTHENTIC, "the signature changed", flip(good, len(good) - 1))
    sealed = recovery_handover(NEW_RECOVERY, 2, KEYS[LEADER], sealed_for=3).encode()
    yield bad(NOT_AUTHENTIC, "signed, but sealed for another record", sealed)


# Grants beside an entry, and what they hold


def _hash(grants: Sequence[Grant]) -> bytes:
    """As the document says, but a member may have two."""
    ordered = sorted(grants, key=lambda each: each.member.bytes)
    digests = b"".join(hashlib.sha256(each.encode()).digest() for each in ordered)
    return hashlib.sha256(b"tessera/v1/grants" + digests).digest()


def bad_entry_grants(space: Space) -> Iterator[dict[str, Any]]:
    """Entries that the rules accept after so many others, and grants that do not belong to them."""

    def case(
        reason: str,
        after: int,
        clear: Clear,
        grants: Sequence[Grant],
        *,
        error: str = Reason.WRONG_GRANTS.value,
        counter: PrivateKeys | None = None,
    ) -> dict[str, Any]:
        state = LogState(space.state.company, space.state.space)
        for each in space.entries[:after]:
            state.append(each.entry)
        head = state.next_head(clear, LEADER, state.time)
        body = fixed("a body", 272) if isinstance(clear, Change) else b""
        head = replace(head, id=fixed("bad grants", 16))
        signer = KEYS[LEADER] if after < 14 else NEW_LEADER_KEYS
        entry = sign_entry(head, clear, signer, body=body, recovery_keys=counter)
        state.append(entry)
        return {
            "reason": reason,
            "error": error,
            "after": after,
            "entry": text(entry.encode()),
            "grants": [text(each.encode()) for each in grants],
        }

    # After entry 9 the members are the leader and one more; generation 3 comes next.
    one = Keyring(space.keyring.seeds[:1])
    two = Keyring(space.keyring.seeds[:2])
    three = Keyring(space.keyring.seeds[:3])
    recipients = {LEADER: KEYS[LEADER], MEMBER: KEYS[MEMBER], RECOVERY: OLD_RECOVERY}
    all_three = [grant(three, member, each) for member, each in recipients.items()]
    to_leader, to_member, to_recovery = all_three
    commitment = three.commitment(space.state.space, 3)

    def generation(grants: Sequence[Grant]) -> Generation:
        return Generation(commitment, _hash(grants))

    good = generation(all_three)
    other = grant(three, MEMBER, keys("stranger"))
    to_leaver = grant(three, LEAVER, KEYS[LEAVER])
    yield case("another grant than the hashed one", 9, good, [to_leader, other, to_recovery])
    yield case("none, though some are hashed", 9, good, [])
    yield case("one kept back", 9, good, [to_leader, to_member])
    yield case("one besides", 9, good, [*all_three, to_leaver])
    for reason, grants in (
        ("none to recovery", [to_leader, to_member]),
        ("none to a member", [to_leader, to_recovery]),
        ("none to the leader", [to_member, to_recovery]),
        ("one to somebody who was removed", [*all_three, to_leaver]),
    ):
        yield case(f"hashed: {reason}", 9, generation(grants), grants)
    twice = [*all_three, other]
    yield case("hashed: two to one member", 9, generation(twice), twice, error=MALFORMED)
    old = [grant(two, member, each) for member, each in recipients.items()]
    yield case("hashed: of the generation before", 9, generation(old), old)
    stranger = keys("stranger")
    to_stranger = grant(two, LEAVER, stranger)
    wrong = grant(two, MEMBER, stranger)
    added = MemberAdded(LEAVER, stranger.public, grants_hash([wrong]))
    yield case("hashed: to another than is added", 9, added, [wrong])
    added = MemberAdded(LEAVER, stranger.public, grants_hash([]))
    yield case("hashed: none to whom is added", 9, added, [])
    both = [to_stranger, wrong]
    added = MemberAdded(LEAVER, stranger.public, grants_hash(both))
    yield case("hashed: to somebody besides", 9, added, both)
    early = [grant(one, LEAVER, stranger)]
    added = MemberAdded(LEAVER, stranger.public, grants_hash(early))
    yield case("hashed: of an earlier generation", 9, added, early)
    leads = LeaderChanged(MEMBER, KEYS[MEMBER].public, grants_hash([]))
    yield case("hashed: none to the new leader", 9, leads, [])
    yield case("grants to a change", 9, Change(()), [grant(two, LEADER, KEYS[LEADER])])
    replaced = RecoveryChanged(NEW_RECOVERY.public)
    to_new = [grant(two, RECOVERY, NEW_RECOVERY)]
    yield case("grants to a new recovery pair", 9, replaced, to_new, counter=NEW_RECOVERY)


def bad_keyrings(space: Space) -> Iterator[dict[str, Any]]:
    """Seeds to be compared with the log after so many entries."""
    seeds = space.keyring.seeds

    def case(error: str, reason: str, after: int, *made: bytes) -> dict[str, Any]:
        hexadecimal = [seed.hex() for seed in made]
        return {"reason": reason, "error": error, "after": after, "seeds": hexadecimal}

    wrong = Reason.WRONG_COMMITMENT.value
    yield case(wrong, "the last seed is another", 9, seeds[0], bytes(32))
    yield case(wrong, "the first seed is another", 9, bytes(32), seeds[1])
    yield case(wrong, "the order is another", 9, seeds[1], seeds[0])
    yield case(wrong, "an only seed of the second generation", 9, seeds[1])
    yield case(Reason.WRONG_GENERATION.value, "a generation too many", 9, *seeds[:3])
