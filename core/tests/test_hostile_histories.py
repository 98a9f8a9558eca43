"""What whoever can write to a copy must not achieve."""

import pytest

from core.tests.log_example import MEMBER, RECOVERY_KEYS, STRANGER_KEYS, Log
from core.tests.test_histories import branch, find, stored
from tessera_core import histories
from tessera_core.entries import Change, Entry, MemberRemoved
from tessera_core.grants import RECOVERY
from tessera_core.log import LogState, Reason
from tessera_core.segments import SegmentEntry


@pytest.fixture
def log() -> Log:
    log = Log().begin()
    log.add()
    return log


def fork(log: Log, label: str, changes: int) -> Log:
    other = branch(log)
    for number in range(changes):
        other.append(Change(()), MEMBER, body=f"{label} {number}".encode())
    return other


def test_longer_forks_in_all_copies_do_not_keep_the_leaders_from_being_followed(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(histories, "MAX_FORKS", 3)
    flood = [each for n in range(6) for each in stored(fork(log, str(n), 4))]
    log.append(MemberRemoved(MEMBER))
    log.generation()
    found = find([*flood, *stored(log)], flood)
    assert found.ranked[0].entries == log.entries
    assert (len(found.ranked), len(found.not_followed)) == (1 + 3, 3)


def test_a_likelier_fork_takes_the_place_of_one_that_was_found_before(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leader's history leaves a member's, which more copies hold, further on."""
    monkeypatch.setattr(histories, "MAX_FORKS", 1)
    early = fork(log, "early", 1)
    log.append(Change(()), MEMBER)
    longer = fork(log, "longer", 5)
    late = branch(log)
    late.append(MemberRemoved(MEMBER))
    late.generation()
    monkeypatch.setattr(histories._Search, "_rank_of", _without_the_leader)
    found = find(stored(early), stored(longer), stored(longer), stored(late), stored(late))
    assert late.entries in [each.entries for each in found.ranked]
    assert found.not_followed == early.entries[-1:]


def _without_the_leader(search: histories._Search, _: LogState, key: bytes) -> histories._Rank:
    return False, False, -len(search.copies[key]), -search.height[key], key


def test_entries_that_nobody_signed_cost_no_copies_of_the_state(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged: list[Entry] = []
    for number in range(20):
        forged += [
            log.entry(clear, MEMBER, signer=STRANGER_KEYS)
            for clear in (Change(()), MemberRemoved(MEMBER))
        ]
        log.append(Change(()), MEMBER, body=f"{number}".encode())
    copied = 0
    original = histories._Branch.copy

    def copy(each: histories._Branch) -> histories._Branch:
        nonlocal copied
        copied += 1
        return original(each)

    monkeypatch.setattr(histories._Branch, "copy", copy)
    found = find([*stored(log), *map(SegmentEntry, forged)], stored(log))
    assert [each.entries for each in found.ranked] == [log.entries]
    assert found.refused.keys() == {entry.hash for entry in forged}
    assert set(found.refused.values()) == {Reason.BAD_SIGNATURE, Reason.NOT_THE_LEADER}
    assert copied == 0


def test_a_lone_grant_to_recovery_is_opened_where_no_copy_holds_all(log: Log) -> None:
    """As in an export. The commitment proves what is in it."""
    alone = [
        SegmentEntry(each.entry, tuple(x for x in each.grants if x.member == RECOVERY))
        for each in stored(log)
    ]
    [history] = find(alone).ranked
    assert history.open_keyring(RECOVERY_KEYS) == log.keyring
