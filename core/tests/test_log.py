import copy
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.tests.log_example import (
    COMPANY,
    LEADER,
    LEADER_KEYS,
    MEMBER,
    MEMBER_KEYS,
    RECOVERY_KEYS,
    SPACE,
    STRANGER,
    STRANGER_KEYS,
    Log,
    keys_of,
)
from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    Entry,
    FormatChanged,
    Generation,
    Genesis,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    Rewound,
    SetAside,
    Unretire,
)
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import RECOVERY, grants_hash
from tessera_core.keyring import Keyring
from tessera_core.log import (
    MAX_CLOCK_AHEAD_MS,
    MAX_CLOCK_BEHIND_MS,
    EntryRefused,
    LogState,
    Reason,
    Rewind,
)
from tessera_core.shards import Coding, PackRecord

HASH = bytes(32)
PACK = PackRecord(b"p" * 16, Coding(2, 3, 1000), b"d" * 32)
OTHER_PACK = replace(PACK, pack=b"q" * 16)


def shared_log() -> Log:
    """A space with a leader and a member, and one pack."""
    log = Log().begin()
    log.add()
    log.append(Change((PACK,)))
    return log


def refused(log: Log, entry: Entry, reason: Reason, now: int | None = None) -> None:
    before = copy.deepcopy(log.state)
    with pytest.raises(EntryRefused) as refusal:
        log.state.append(entry, now=now)
    assert refusal.value.reason == reason
    assert log.state == before


class TestOrder:
    def test_a_log_can_be_read_again_from_its_bytes(self) -> None:
        log = shared_log()
        again = LogState(COMPANY, SPACE)
        for entry in log.entries:
            again.append(Entry.decode(entry.encode()))
        assert again == log.state

    def test_a_log_can_be_checked_without_bodies(self) -> None:
        log = shared_log()
        again = LogState(COMPANY, SPACE)
        for entry in log.entries:
            again.append(Entry.decode(entry.encode(with_body=False)))
        assert again == log.state

    def test_the_same_entry_twice_is_refused(self) -> None:
        log = shared_log()
        refused(log, log.entries[-1], Reason.WRONG_SEQUENCE)

    def test_an_entry_too_early_is_refused(self) -> None:
        log = shared_log()
        later = replace(log.head(), sequence=log.state.sequence + 2)
        refused(log, log.entry(Change(()), head=later), Reason.WRONG_SEQUENCE)

    def test_an_entry_on_another_history_is_refused(self) -> None:
        log = shared_log()
        other = replace(log.head(), previous=b"x" * 32)
        refused(log, log.entry(Change(()), head=other), Reason.WRONG_PREVIOUS)

    @settings(max_examples=20)
    @given(st.permutations(range(4)))
    def test_reordered_entries_are_refused(self, order: list[int]) -> None:
        entries = [FOUR_ENTRIES[at] for at in order]
        state = LogState(COMPANY, SPACE)
        accepted = 0
        with suppress(EntryRefused):
            for entry in entries:
                state.append(entry)
                accepted += 1
        in_place = [at == place for at, place in enumerate(order)]
        assert accepted == [*in_place, False].index(False)

    def test_an_entry_of_another_space_is_refused(self) -> None:
        log = shared_log()
        for head in (
            replace(log.head(), company=UUID(int=99)),
            replace(log.head(), space=UUID(int=99)),
        ):
            refused(log, log.entry(Change(()), head=head), Reason.WRONG_SPACE)

    def test_time_does_not_go_back(self) -> None:
        log = shared_log()
        head = replace(log.head(), time=log.state.time - 1)
        refused(log, log.entry(Change(()), head=head), Reason.TIME_BACKWARDS)
        log.state.append(log.entry(Change(()), head=replace(head, time=log.state.time)))

    def test_the_server_refuses_a_clock_that_is_ahead(self) -> None:
        log = shared_log()
        entry = log.entry(Change(()))
        limit = entry.head.time - MAX_CLOCK_AHEAD_MS
        refused(log, entry, Reason.TIME_AHEAD, now=limit - 1)
        log.state.append(entry, now=limit)

    def test_the_server_refuses_an_entry_of_more_than_a_day_ago(self) -> None:
        log = shared_log()
        entry = log.entry(Change(()))
        limit = entry.head.time + MAX_CLOCK_BEHIND_MS
        refused(log, entry, Reason.TIME_BEHIND, now=limit + 1)
        log.state.append(entry, now=limit)

    def test_an_entry_that_is_ahead_does_not_end_the_log(self) -> None:
        log = shared_log()
        far = replace(log.head(), time=2**64 - 1)
        log.state.append(log.entry(Change(()), head=far))
        log.state.append(log.entry(Change(()), head=replace(log.head(), time=2**64 - 1)), now=0)


FOUR_ENTRIES = shared_log().entries


class TestGenesis:
    def genesis(self) -> Genesis:
        return Genesis(LEADER, LEADER_KEYS.public, RECOVERY_KEYS.public)

    def test_comes_first_and_only_first(self) -> None:
        refused(Log(), Log().entry(MemberRemoved(LEADER)), Reason.WRONG_KIND)
        log = shared_log()
        refused(log, log.entry(self.genesis()), Reason.WRONG_KIND)

    def test_genesis_is_signed_by_the_leader_and_by_the_recovery_pair(self) -> None:
        entry = Log().entry(self.genesis(), signer=STRANGER_KEYS)
        refused(Log(), entry, Reason.BAD_SIGNATURE)
        entry = Log().entry(self.genesis(), recovery=STRANGER_KEYS)
        refused(Log(), entry, Reason.BAD_SIGNATURE)

    def test_genesis_is_written_by_the_leader_it_names(self) -> None:
        refused(Log(), Log().entry(self.genesis(), MEMBER), Reason.NOT_A_MEMBER)

    def test_needs_two_different_pairs(self) -> None:
        clear = Genesis(LEADER, LEADER_KEYS.public, LEADER_KEYS.public)
        refused(Log(), Log().entry(clear, recovery=LEADER_KEYS), Reason.KEY_IN_USE)

    def test_genesis_is_followed_by_the_first_generation(self) -> None:
        log = Log()
        log.append(self.genesis())
        for clear in (Retire((PACK.pack,)), MemberAdded(MEMBER, MEMBER_KEYS.public, HASH)):
            refused(log, log.entry(clear), Reason.GENERATION_AWAITED)


def kinds() -> dict[str, Callable[[], Clear]]:
    return {
        "member added": lambda: MemberAdded(STRANGER, STRANGER_KEYS.public, HASH),
        "member removed": lambda: MemberRemoved(MEMBER),
        "leader changed": lambda: LeaderChanged(MEMBER, MEMBER_KEYS.public, HASH),
        "retire": lambda: Retire((PACK.pack,)),
        "checkpoint": lambda: Checkpoint((OTHER_PACK,)),
        "recovery changed": lambda: RecoveryChanged(keys_of("second recovery").public),
        "generation": lambda: Generation(HASH, HASH),
        "set aside": lambda: SetAside((4,)),
        "rewound": lambda: Rewound(9, HASH, 0),
        "change": lambda: Change((OTHER_PACK,)),
    }


class TestAuthors:
    @pytest.mark.parametrize("kind", kinds())
    def test_the_leader_writes_everything(self, kind: str) -> None:
        log = shared_log()
        log.append(kinds()[kind](), recovery=keys_of("second recovery"))

    @pytest.mark.parametrize("kind", kinds())
    def test_a_member_writes_changes_only(self, kind: str) -> None:
        log = shared_log()
        entry = log.entry(kinds()[kind](), MEMBER, recovery=keys_of("second recovery"))
        if kind == "change":
            log.state.append(entry)
        else:
            refused(log, entry, Reason.NOT_THE_LEADER)

    @pytest.mark.parametrize("kind", kinds())
    def test_recovery_names_a_leader_and_writes_nothing_else(self, kind: str) -> None:
        log = shared_log()
        entry = log.entry(kinds()[kind](), RECOVERY, recovery=keys_of("second recovery"))
        if kind == "leader changed":
            log.state.append(entry)
        else:
            refused(log, entry, Reason.NOT_A_MEMBER)

    @pytest.mark.parametrize("kind", kinds())
    def test_a_stranger_writes_nothing(self, kind: str) -> None:
        log = shared_log()
        entry = log.entry(kinds()[kind](), STRANGER, recovery=keys_of("second recovery"))
        refused(log, entry, Reason.NOT_A_MEMBER)

    @pytest.mark.parametrize("kind", kinds())
    def test_entry_in_anothers_name_is_refused(self, kind: str) -> None:
        log = shared_log()
        entry = log.entry(kinds()[kind](), signer=MEMBER_KEYS, recovery=keys_of("second recovery"))
        refused(log, entry, Reason.BAD_SIGNATURE)

    def test_a_removed_member_writes_nothing_more(self) -> None:
        log = shared_log()
        log.append(MemberRemoved(MEMBER))
        log.generation()
        refused(log, log.entry(Change(()), MEMBER), Reason.NOT_A_MEMBER)

    def test_a_former_leader_is_a_member(self) -> None:
        log = shared_log()
        log.change_leader(MEMBER)
        refused(log, log.entry(MemberRemoved(MEMBER)), Reason.NOT_THE_LEADER)
        log.append(Change(()))
        log.append(MemberRemoved(LEADER), MEMBER)


class TestMembership:
    def test_a_removal_makes_writes_wait_for_a_new_generation(self) -> None:
        log = shared_log()
        log.append(MemberRemoved(MEMBER))
        for clear in (Change(()), Checkpoint(()), Retire((PACK.pack,))):
            refused(log, log.entry(clear), Reason.GENERATION_AWAITED)
        grants = log.grant(STRANGER)
        added = MemberAdded(STRANGER, STRANGER_KEYS.public, grants_hash(grants))
        refused(log, log.entry(added), Reason.GENERATION_AWAITED)
        log.generation()
        log.append(Change(()))

    def test_a_member_is_added_without_a_new_generation(self) -> None:
        log = shared_log()
        log.add(STRANGER)
        assert log.state.generation == 1
        log.append(Change(()), STRANGER)

    @pytest.mark.parametrize("member", [LEADER, MEMBER, RECOVERY])
    def test_adding_a_member_twice_is_refused(self, member: UUID) -> None:
        log = shared_log()
        entry = log.entry(MemberAdded(member, STRANGER_KEYS.public, HASH))
        refused(log, entry, Reason.WRONG_SUBJECT)

    @pytest.mark.parametrize("keys", [LEADER_KEYS, MEMBER_KEYS, RECOVERY_KEYS])
    def test_member_with_anothers_signing_key_is_refused(self, keys: object) -> None:
        log = shared_log()
        sign = keys.public.sign  # type: ignore[attr-defined]
        public = replace(STRANGER_KEYS.public, sign=sign)
        refused(log, log.entry(MemberAdded(STRANGER, public, HASH)), Reason.KEY_IN_USE)
        refused(log, log.entry(LeaderChanged(STRANGER, public, HASH)), Reason.KEY_IN_USE)

    @pytest.mark.parametrize("member", [LEADER, STRANGER, RECOVERY])
    def test_removing_the_leader_or_a_stranger_is_refused(self, member: UUID) -> None:
        log = shared_log()
        refused(log, log.entry(MemberRemoved(member)), Reason.WRONG_SUBJECT)

    def test_a_leader_who_lost_the_keys_gets_new_ones_through_recovery(self) -> None:
        log = shared_log()
        log.keys[LEADER] = keys_of("leader, second")
        log.change_leader(LEADER, RECOVERY)
        refused(log, log.entry(Change(()), signer=LEADER_KEYS), Reason.BAD_SIGNATURE)
        refused(log, log.entry(Change(())), Reason.GENERATION_AWAITED)
        log.generation()
        log.append(Change(()))

    def test_the_new_leader_may_come_from_outside(self) -> None:
        log = shared_log()
        log.change_leader(STRANGER)
        assert not log.state.awaiting_generation
        log.append(MemberRemoved(LEADER), STRANGER)

    @pytest.mark.parametrize("leader", [LEADER, RECOVERY])
    def test_a_change_of_leader_changes_something(self, leader: UUID) -> None:
        log = shared_log()
        keys = log.keys[leader].public
        refused(log, log.entry(LeaderChanged(leader, keys, HASH)), Reason.WRONG_SUBJECT)

    def test_a_replaced_recovery_pair_signs_and_the_old_one_is_done(self) -> None:
        log = shared_log()
        second = keys_of("second recovery")
        clear = RecoveryChanged(second.public)
        refused(log, log.entry(clear, recovery=RECOVERY_KEYS), Reason.BAD_SIGNATURE)
        log.append(clear, recovery=second)
        assert log.state.awaiting_generation
        leads = LeaderChanged(MEMBER, MEMBER_KEYS.public, HASH)
        refused(log, log.entry(leads, RECOVERY), Reason.BAD_SIGNATURE)
        log.keys[RECOVERY] = second
        log.append(leads, RECOVERY)

    def test_keys_that_were_removed_are_never_accepted_again(self) -> None:
        log = shared_log()
        log.append(MemberRemoved(MEMBER))
        log.generation()
        again = replace(STRANGER_KEYS.public, sign=MEMBER_KEYS.public.sign)
        for subject, keys in ((MEMBER, MEMBER_KEYS.public), (STRANGER, again)):
            for kind in (MemberAdded, LeaderChanged):
                refused(log, log.entry(kind(subject, keys, HASH)), Reason.KEY_REMOVED)
        log.keys[MEMBER] = keys_of("member, returned")
        log.add()


class TestLaterKinds:
    def test_entries_are_set_aside_before_the_one_that_says_so(self) -> None:
        log = shared_log()
        for sequences in ((1,), (5,), (2, 9)):
            refused(log, log.entry(SetAside(sequences)), Reason.WRONG_SUBJECT)
        log.append(SetAside((3, 4)))
        assert log.state.set_aside == {3, 4}

    def test_a_newer_format_stops_the_reader(self) -> None:
        log = shared_log()
        refused(log, log.entry(FormatChanged(2)), Reason.NEWER_FORMAT)
        refused(log, log.entry(FormatChanged(1)), Reason.WRONG_SUBJECT)

    def test_a_rewound_log_was_longer_and_awaits_a_generation(self) -> None:
        log = shared_log()
        refused(log, log.entry(Rewound(4, HASH, 0)), Reason.WRONG_SUBJECT)
        log.append(Rewound(5, HASH, 0))
        refused(log, log.entry(Change(())), Reason.GENERATION_AWAITED)
        log.generation()
        log.append(Change(()))
        assert log.state.rewinds == [Rewind(5, 5, HASH)]
        assert (log.state.kept_since(0), log.state.kept_since(1)) == (4, None)


class TestGenerations:
    @pytest.mark.parametrize("generation", [0, 2, 4097])
    def test_entries_are_of_the_current_generation(self, generation: int) -> None:
        log = shared_log()
        log.keyring = Keyring(tuple(bytes([at % 256]) * 32 for at in range(4096)))
        head = replace(log.head(), generation=generation)
        entry = log.entry(MemberRemoved(MEMBER), head=head)
        refused(log, entry, Reason.WRONG_GENERATION)

    def test_a_generation_follows_the_one_before(self) -> None:
        log = shared_log()
        head = replace(log.head(), generation=2)
        refused(log, log.entry(Generation(HASH, HASH), head=head), Reason.WRONG_GENERATION)

    def test_a_keyring_is_compared_with_the_commitments(self) -> None:
        log = shared_log()
        log.generation()
        log.state.check_keyring(log.keyring)
        log.state.check_keyring(Keyring(log.keyring.seeds[:1]))
        for seeds, reason in (
            ((b"x" * 32, log.keyring.seeds[1]), Reason.WRONG_COMMITMENT),
            (log.keyring.seeds[::-1], Reason.WRONG_COMMITMENT),
            ((*log.keyring.seeds, b"x" * 32), Reason.WRONG_GENERATION),
        ):
            with pytest.raises(EntryRefused) as refusal:
                log.state.check_keyring(Keyring(seeds))
            assert refusal.value.reason == reason


class TestGrants:
    def test_grants_are_compared_with_the_entry_that_carries_their_hash(self) -> None:
        log = Log()
        log.append(Genesis(LEADER, LEADER_KEYS.public, RECOVERY_KEYS.public))
        log.state.check_grants(log.entries[-1], [])
        writes: list[Callable[[], Entry]] = [
            log.generation,
            log.add,
            lambda: log.change_leader(MEMBER),
        ]
        for write in writes:
            entry = write()
            grants = log.grants[entry.head.sequence]
            log.state.check_grants(entry, grants)
            for wrong in (grants[1:], log.grant(STRANGER), [*grants, *log.grant(STRANGER)]):
                with pytest.raises(EntryRefused, match="wrong_grants"):
                    log.state.check_grants(entry, wrong)

    def test_a_new_generation_is_granted_to_everybody(self) -> None:
        log = shared_log()
        entry = log.generation()
        grants = log.grants[entry.head.sequence]
        assert {grant.member for grant in grants} == {RECOVERY, LEADER, MEMBER}
        log.state.check_grants(entry, grants)
        log.state.members[STRANGER] = STRANGER_KEYS.public
        with pytest.raises(EntryRefused, match="wrong_grants"):
            log.state.check_grants(entry, grants)


class TestPacks:
    def test_packs_are_added_once(self) -> None:
        log = shared_log()
        refused(log, log.entry(Change((OTHER_PACK, PACK))), Reason.KNOWN_PACK)
        refused(log, log.entry(Checkpoint((PACK,))), Reason.KNOWN_PACK)

    def test_belong_to_the_generation_of_their_entry(self) -> None:
        log = shared_log()
        log.generation()
        log.append(Change((OTHER_PACK,)), MEMBER)
        assert {pack: state.generation for pack, state in log.state.packs.items()} == {
            PACK.pack: 1,
            OTHER_PACK.pack: 2,
        }

    def test_packs_are_retired_by_the_leader_and_brought_back_by_anybody(self) -> None:
        log = shared_log()
        refused(log, log.entry(Unretire((PACK.pack,)), MEMBER), Reason.PACK_NOT_RETIRED)
        log.append(Retire((PACK.pack,)))
        refused(log, log.entry(Retire((PACK.pack,))), Reason.RETIRED_PACK)
        refused(log, log.entry(Change((PACK,))), Reason.KNOWN_PACK)
        log.append(Unretire((PACK.pack,)), MEMBER)
        assert not log.state.packs[PACK.pack].retired

    def test_unknown_ones_are_neither_retired_nor_brought_back(self) -> None:
        log = shared_log()
        for clear in (Retire((PACK.pack, OTHER_PACK.pack)), Unretire((OTHER_PACK.pack,))):
            refused(log, log.entry(clear), Reason.UNKNOWN_PACK)


class TestEncoding:
    @settings(max_examples=200)
    @given(st.data())
    def test_entry_with_a_flipped_bit_is_refused(self, data: st.DataObject) -> None:
        entry = FOUR_ENTRIES[data.draw(st.integers(0, 3))]
        raw = bytearray(entry.encode())
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] ^= 1 << data.draw(st.integers(0, 7))
        state = LogState(COMPANY, SPACE)
        for before in FOUR_ENTRIES[: entry.head.sequence - 1]:
            state.append(before)
        with pytest.raises((Malformed, NotAuthentic, EntryRefused)):
            state.append(Entry.decode(bytes(raw)))

    @given(st.binary(max_size=300))
    def test_arbitrary_bytes_are_no_entry(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            Entry.decode(data)

    @given(st.integers(0, 3), st.integers(1, 400))
    def test_a_shorter_or_longer_entry_is_refused(self, which: int, size: int) -> None:
        raw = FOUR_ENTRIES[which].encode()
        for changed in (raw[:-size], raw + bytes(size)):
            with pytest.raises((Malformed, NotAuthentic)):
                Entry.decode(changed)

    def test_entry_over_128_kib_is_refused(self) -> None:
        with pytest.raises(Malformed, match="128 KiB"):
            Entry.decode(bytes(128 * 1024 + 1))

    def test_a_pack_is_named_once_in_an_entry(self) -> None:
        with pytest.raises(Malformed):
            Change((PACK, PACK))
        with pytest.raises(Malformed):
            Retire((PACK.pack, PACK.pack))
        with pytest.raises(Malformed):
            Retire(())

    def test_an_entry_names_1024_packs_and_has_the_longest_body_at_most(self) -> None:
        packs = tuple(replace(PACK, pack=at.to_bytes(16, "big")) for at in range(1025))
        log = shared_log()
        entry = log.append(Change(packs[:1024]), body=bytes(64 * 1024))
        assert Entry.decode(entry.encode()) == entry
        with pytest.raises(Malformed):
            Change(packs)
