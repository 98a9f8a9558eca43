"""Two versions that are both in a space, and the choice between them."""

from itertools import count
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera_client.errors import ClientError
from tessera_client.vault.conflict_copies import (
    ConflictCopy,
    Keep,
    decide,
    find_copies,
    original_name,
    sides,
)
from tessera_client.vault.conflicts import conflict_name
from tessera_core.changes import ChangeBody, Operation, Put
from tessera_core.entries import Head
from tessera_core.files import File, Folder, Item
from tessera_core.tree import Tree

ADA, MALLORY = UUID(int=1), UUID(int=2)
COPY = "report (conflict, Ada, 2026-11-18 06.20).txt"


class Log:
    """A space, and who writes to it."""

    def __init__(self) -> None:
        self.tree = Tree()
        self._sequences = count(1)

    def write(self, author: UUID, *operations: Operation) -> None:
        sequence = next(self._sequences)
        head = Head(
            company=UUID(int=3),
            space=UUID(int=4),
            sequence=sequence,
            previous=bytes(32),
            id=bytes(16),
            generation=1,
            author=author,
            time=sequence * 1000,
        )
        self.tree.apply(head, ChangeBody((), operations))


def file(content: int) -> File:
    return File(1, 0, False, (bytes([content]) * 32,))


@pytest.fixture
def log() -> Log:
    """Mallory has replaced Ada's version unseen, and the rule has kept it."""
    log = Log()
    log.write(ADA, Put("report.txt", 0, file(1)))
    log.write(MALLORY, Put("report.txt", 0, file(2)), Put(COPY, 0, file(1)))
    return log


def decided(log: Log, keep: Keep, copy: ConflictCopy) -> dict[str, Item]:
    current, other = sides(log.tree, copy)
    log.write(ADA, *decide(log.tree, copy, keep, (current.sequence, other.sequence)))
    assert list(find_copies(log.tree)) == []
    return dict(log.tree.walk())


@given(
    name=st.text(st.characters(blacklist_characters="/\0", codec="utf-8"), min_size=1, max_size=20),
    person=st.text(max_size=20),
    time=st.integers(-(10**18), 10**18),
    number=st.integers(1, 20),
)
def test_name_of_a_copy_leads_back_to_the_original(
    name: str, person: str, time: int, number: int
) -> None:
    assert original_name(conflict_name(name, person, time, number)) == name


@pytest.mark.parametrize(
    "name", ["report.txt", "a (conflict).txt", "a (conflict, Ada).txt", "a (conflict, Ada, soon)"]
)
def test_other_names_are_no_copies(name: str) -> None:
    assert original_name(name) is None


def test_author_is_who_wrote_the_version_and_not_who_the_name_says(log: Log) -> None:
    (copy,) = find_copies(log.tree)
    assert copy == ConflictCopy("report.txt", COPY)
    current, other = sides(log.tree, copy)
    assert (current.author, current.time) == (MALLORY, 2000)
    assert (other.author, other.time) == (ADA, 1000)
    log.write(MALLORY, Put(COPY, 2, file(3)))
    assert sides(log.tree, copy)[1].author == MALLORY


def test_copy_without_its_original_is_a_file_like_others() -> None:
    log = Log()
    log.write(ADA, Put(COPY, 0, file(1)))
    assert list(find_copies(log.tree)) == []


def test_keeping_the_current_version_removes_the_copy(log: Log) -> None:
    assert decided(log, Keep.CURRENT, ConflictCopy("report.txt", COPY)) == {"report.txt": file(2)}


def test_keeping_the_other_version_leaves_the_replaced_one_among_the_versions(log: Log) -> None:
    assert decided(log, Keep.OTHER, ConflictCopy("report.txt", COPY)) == {"report.txt": file(1)}
    assert [version.item for version in log.tree.versions["report.txt"]] == [
        file(1), file(2), file(1),
    ]  # fmt: skip


def test_keeping_both_gives_the_copy_a_free_name(log: Log) -> None:
    log.write(ADA, Put("report (2).txt", 0, file(4)))
    assert decided(log, Keep.BOTH, ConflictCopy("report.txt", COPY)) == {
        "report.txt": file(2),
        "report (2).txt": file(4),
        "report (3).txt": file(1),
    }


@pytest.mark.parametrize("is_listed", [True, False])
@pytest.mark.parametrize(
    ("keep", "left"),
    [
        (Keep.CURRENT, {"plan": file(2)}),
        (Keep.OTHER, {"plan/a": file(1)}),
        (Keep.BOTH, {"plan": file(2), "plan (2)/a": file(1)}),
    ],
)
def test_folder_that_gave_way_to_a_file(
    keep: Keep, left: dict[str, Item], *, is_listed: bool
) -> None:
    log = Log()
    kept_as = "plan (conflict, Ada, 2026-11-18 06.20)"
    log.write(ADA, Put("plan", 0, file(2)), Put(f"{kept_as}/a", 0, file(1)))
    if is_listed:
        log.write(ADA, Put(kept_as, 0, Folder(0)))
    (copy,) = find_copies(log.tree)
    assert sides(log.tree, copy)[1].files == 1
    held = decided(log, keep, copy)
    assert {path: item for path, item in held.items() if isinstance(item, File)} == left


@pytest.mark.parametrize("changed", ["report.txt", COPY])
def test_decision_about_a_version_that_has_changed_since_is_refused(log: Log, changed: str) -> None:
    copy = ConflictCopy("report.txt", COPY)
    current, other = sides(log.tree, copy)
    log.write(MALLORY, Put(changed, 2, file(5)))
    for keep in Keep:
        with pytest.raises(ClientError) as refused:
            decide(log.tree, copy, keep, (current.sequence, other.sequence))
        assert refused.value.code == "space_busy"
