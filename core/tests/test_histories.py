from collections.abc import Sequence

import pytest

from core.tests.log_example import (
    COMPANY,
    LEADER,
    MEMBER,
    RECOVERY_KEYS,
    SPACE,
    STRANGER_KEYS,
    Log,
    keys_of,
)
from tessera_core import histories
from tessera_core.entries import Change, Entry, Genesis, MemberRemoved, RecoveryChanged
from tessera_core.grants import RECOVERY
from tessera_core.histories import Histories, find_histories
from tessera_core.segments import SegmentEntry


def stored(log: Log, entries: Sequence[Entry] | None = None) -> list[SegmentEntry]:
    chosen = log.entries if entries is None else entries
    return [SegmentEntry(each, tuple(log.grants.get(each.head.sequence, ()))) for each in chosen]


def branch(log: Log) -> Log:
    other = Log()
    other.state, other.keyring, other.keys = log.state.copy(), log.keyring, {**log.keys}
    other.entries, other.grants = [*log.entries], {**log.grants}
    return other


def find(*copies: Sequence[SegmentEntry], printed: Entry | None = None) -> Histories:
    place = (printed.head.sequence, printed.hash) if printed else None
    return find_histories(COMPANY, SPACE, copies, RECOVERY_KEYS.public, place)


@pytest.fixture
def log() -> Log:
    log = Log().begin()
    log.add()
    log.append(Change(()), MEMBER)
    return log


class TestHistories:
    def test_copies_that_agree_are_one_history(self, log: Log) -> None:
        found = find(stored(log), stored(log)[:2], stored(log)[2:])
        [history] = found.ranked
        assert history.entries == log.entries
        assert history.copies == {0, 2}
        assert history.open_keyring(RECOVERY_KEYS) == log.keyring
        assert (found.left_over, found.not_followed, found.liars) == ([], [], set())

    def test_only_histories_signed_by_the_recovery_pair_count(self, log: Log) -> None:
        forged = Log()
        forged.keys[RECOVERY] = STRANGER_KEYS
        clear = Genesis(LEADER, log.keys[LEADER].public, STRANGER_KEYS.public)
        forged.append(clear, recovery=STRANGER_KEYS)
        forged.generation()
        for _ in range(9):
            forged.append(Change(()))
        found = find(stored(forged), stored(log))
        assert [history.entries for history in found.ranked] == [log.entries]
        assert found.left_over == forged.entries

    def test_a_removed_member_does_not_win_with_a_longer_one(self, log: Log) -> None:
        forked = branch(log)
        for _ in range(9):
            forked.append(Change(()), MEMBER)
        log.append(MemberRemoved(MEMBER))
        log.generation()
        found = find(stored(forked), stored(forked), stored(log))
        assert [each.entries for each in found.ranked] == [log.entries, forked.entries]

    def test_the_printed_one_wins_over_a_former_leaders(self, log: Log) -> None:
        forked = branch(log)
        for _ in range(9):
            forked.append(Change(()))
        log.append(Change(()), body=b"other")
        copies = stored(forked), stored(log)
        assert find(*copies).ranked[0].entries == forked.entries
        chosen = find(*copies, printed=log.entries[-1])
        assert chosen.ranked[0].entries == log.entries
        assert [each.is_printed for each in chosen.ranked] == [True, False]

    def test_history_in_more_copies_wins_then_the_longest(self, log: Log) -> None:
        short, long = branch(log), branch(log)
        short.append(Change(()), MEMBER, body=b"other")
        long.append(Change(()), MEMBER)
        long.append(Change(()), MEMBER)
        assert find(stored(short), stored(long)).ranked[0].entries == long.entries
        found = find(stored(short), stored(long), stored(short))
        assert found.ranked[0].entries == short.entries

    def test_end_at_a_gap_and_name_what_lies_behind_it(self, log: Log) -> None:
        found = find(stored(log, [*log.entries[:2], log.entries[3]]))
        assert found.ranked[0].entries == log.entries[:2]
        assert found.left_over == [log.entries[3]]

    def test_take_grants_from_the_copy_that_holds_the_right_ones(self, log: Log) -> None:
        junk = [SegmentEntry(each.entry) for each in stored(log)]
        found = find(junk, stored(log))
        assert found.ranked[0].open_keyring(RECOVERY_KEYS) == log.keyring
        assert found.liars == {0}
        assert find(junk).ranked[0].open_keyring(RECOVERY_KEYS) is None

    def test_an_older_grant_is_opened_where_the_newest_does_not_open(self, log: Log) -> None:
        before = log.keyring
        log.keys[RECOVERY] = STRANGER_KEYS
        log.generation()
        [history] = find(stored(log)).ranked
        assert history.open_keyring(RECOVERY_KEYS) == before

    def test_a_replaced_pair_reads_up_to_its_replacement(self, log: Log) -> None:
        before, end = log.keyring, log.state.head
        new = keys_of("new recovery")
        log.append(RecoveryChanged(new.public), recovery=new)
        log.keys[RECOVERY] = new
        log.generation()
        log.append(Change(()))
        [history] = find(stored(log)).ranked
        assert history.is_replaced
        assert (history.readable, history.state.head) == (4, end)
        assert history.open_keyring(RECOVERY_KEYS) == before
        [history] = find_histories(COMPANY, SPACE, [stored(log)], new.public).ranked
        assert not history.is_replaced
        assert history.open_keyring(new) == log.keyring

    def test_a_flood_of_forks_hides_nothing(
        self, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(histories, "MAX_FORKS", 3)
        flood = []
        for number in range(6):
            forked = branch(log)
            forked.append(Change(()), MEMBER, body=bytes([number]))
            flood += stored(forked, forked.entries[-1:])
        log.append(MemberRemoved(MEMBER))
        log.generation()
        found = find([*flood, *stored(log)], stored(log))
        assert len(found.ranked) == 1 + 3
        assert len(found.not_followed) == 3
        assert found.ranked[0].entries == log.entries
