"""What a pass decides about one path, without a space."""

import os
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import pytest

from tessera_client.sync.local_files import LocalEntry
from tessera_client.sync.plan import Step, decide, find_local_moves, find_remote_moves
from tessera_client.sync.selection import Selection, find_unusable
from tessera_client.sync.state import Known, Stamp
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.scan import LocalFile
from tessera_core.changes import ChangeBody, Move, Put, Remove, Version
from tessera_core.entries import Head
from tessera_core.files import File, Item
from tessera_core.tree import Tree

ADA = UUID(int=1)
NO_SPACE = cast("Any", None)


def item(content: int, *, executable: bool = False) -> File:
    """One of equal size for each number."""
    return File(1, 0, executable, (bytes([content]) * 32,))


def local(content: int, *, executable: bool = False, inode: int = 7) -> LocalEntry:
    mode = 0o100755 if executable else 0o100644
    status = os.stat_result((mode, inode, 0, 1, 0, 0, 1, 0, 0, 0))
    return LocalEntry(LocalFile("", "a", status), item(content))


def known(content: int, sequence: int = 1) -> Known:
    return Known(item(content), sequence, local(content).stamp)


def versions(*contents: int | Item | None) -> list[Version]:
    """The first entry is number 1; 0 stands for a removal."""
    made = []
    for number, content in enumerate(contents, 1):
        what = item(content) if isinstance(content, int) and content else content or None
        made.append(Version(number, 0, 0, ADA, what, conflict=False))
    return made


@pytest.mark.parametrize(
    ("here", "common", "there", "step"),
    [
        (None, None, (), Step.NONE),
        (None, 1, (1, 0), Step.FORGET),
        (None, 1, (1,), Step.REMOVE),
        (None, 1, (1, 2), Step.FETCH),
        (None, None, (1,), Step.FETCH),
        (1, None, (), Step.SEND),
        (1, 1, (1, 0), Step.DISCARD),
        (2, 1, (1, 0), Step.SEND),
        (1, 1, (1,), Step.SAME),
        (1, None, (1,), Step.SAME),
        (2, 1, (1,), Step.SEND),
        (1, 1, (1, 2), Step.FETCH),
        (2, 1, (1, 2), Step.SAME),
        (2, 1, (1, 3), Step.SEND),
        (2, None, (1,), Step.SEND),
        # Stored here by a run that was killed, and changed by others since.
        (2, 1, (1, 2, 3), Step.FETCH),
        (1, None, (1, 2), Step.FETCH),
        # Taken back here to what it was before the last common state.
        (1, 2, (1, 2), Step.SEND),
    ],
)
def test_path_is_decided_by_three_states(
    here: int | None, common: int | None, there: tuple[int, ...], step: Step
) -> None:
    sequence = there.index(common) + 1 if common in there else 1
    before = known(common, sequence) if common else None
    assert decide(NO_SPACE, local(here) if here else None, before, versions(*there)) is step


@pytest.mark.parametrize(
    ("here", "there", "step"),
    [
        (True, False, Step.SEND),
        (False, True, Step.SET_MODE),
        (True, True, Step.SAME),
        (False, False, Step.SAME),
    ],
)
def test_mode_is_decided_by_three_states(here: bool, there: bool, step: Step) -> None:
    stored = versions(item(1), item(1, executable=there))
    assert decide(NO_SPACE, local(1, executable=here), known(1), stored) is step


def tree_of(*bodies: list[Put | Move | Remove]) -> Tree:
    tree = Tree()
    for number, operations in enumerate(bodies, 1):
        head = cast("Head", type("_Head", (), {"sequence": number, "time": 0, "author": ADA})())
        tree.apply(head, ChangeBody((), tuple(operations)))
    return tree


def test_moves_in_the_space_are_followed_to_their_end() -> None:
    put = [Put("d/a", 0, item(1)), Put("d/b", 0, item(1)), Put("c", 0, item(2))]
    tree = tree_of([*put], [Move("d", "e"), Remove("c", 0)], [Move("e", "f")])
    assert find_remote_moves(tree, ["d/a", "d/b", "c"]) == {"d/a": "f/a", "d/b": "f/b"}


def test_moves_here_are_found_by_inode_or_content() -> None:
    gone = {
        "a": Known(item(1), 1, local(1, inode=5).stamp),
        "b": Known(item(2), 1, local(2, inode=6).stamp),
        "c": Known(item(3), 1, local(3, inode=8).stamp),
    }
    new = {"x": local(1, inode=5), "y": local(2, inode=9), "z": local(4, inode=10)}
    moves = find_local_moves(gone, new, lambda entry, stored: entry.item == stored)
    assert moves == {"a": "x", "b": "y"}


def test_name_that_was_there_first_keeps_it() -> None:
    found = find_unusable(["Docs/a", "b"], ["docs/x", "docs/y", "B"], ["Docs/a"])
    assert {problem.path for problem in found} == {"docs", "b", "B"}


def test_ignore_files_hold_for_paths_that_are_only_in_the_space(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/.tessignore").write_text("*.log\n!keep.log\n")
    selection = Selection(tmp_path, Patterns(("/skipped",)))
    taken = ("d/a", "d/keep.log", "a.log", "d/e/a")
    assert all(selection.takes(path, is_folder=False) for path in taken)
    left_out = ("d/a.log", "d/e/b.log", "skipped/a/b")
    assert not any(selection.takes(path, is_folder=False) for path in left_out)


def test_stamp_of_a_file_that_was_just_changed_is_not_trusted(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_text("1")
    entry = LocalEntry(LocalFile(str(place), "a", place.lstat()))
    entry.read(lambda _: item(1))
    assert entry.sure_stamp() == entry.stamp.not_sure() != Stamp.of(place.lstat())
    entry.read_at += 3 * 10**9
    assert entry.sure_stamp() == Stamp.of(place.lstat())
