"""What a restore of an earlier moment does to a space."""

from uuid import UUID

from tessera_client.vault.history import list_moments, plan_restore, plan_undelete, state_after
from tessera_core.changes import ChangeBody, Operation, Put, Remove
from tessera_core.entries import Head
from tessera_core.files import File, Folder
from tessera_core.tree import Tree

SOMEBODY = UUID(int=1)
EMPTY = File(0, 0, False, ())
NEWER = File(0, 1, False, ())


def apply(tree: Tree, sequence: int, *operations: Operation) -> None:
    head = Head(SOMEBODY, SOMEBODY, sequence, bytes(32), bytes(16), 1, SOMEBODY, sequence * 1000)
    tree.apply(head, ChangeBody((), operations))


def tree_of(*changes: tuple[Operation, ...]) -> Tree:
    tree = Tree()
    for sequence, operations in enumerate(changes, 1):
        apply(tree, sequence, *operations)
    return tree


def restore(tree: Tree, path: str, sequence: int) -> dict[str, object]:
    apply(tree, 99, *plan_restore(tree, state_after(tree, path, sequence)).changes)
    return dict(tree.walk())


def test_files_stay_when_their_folder_was_recorded_later() -> None:
    tree = tree_of((Put("a/x", 0, EMPTY),), (Put("a", 0, Folder(5)),))
    assert plan_restore(tree, state_after(tree, "", 1)).changes == []


def test_a_file_comes_back_where_its_folder_has_become_a_file() -> None:
    tree = tree_of((Put("a/x", 0, EMPTY),), (Remove("a/x", 1), Put("a", 0, EMPTY)))
    assert restore(tree, "", 1) == {"a/x": EMPTY}


def test_what_is_newer_goes_and_what_was_changed_or_removed_comes_back() -> None:
    tree = tree_of(
        (Put("f/a", 0, EMPTY), Put("f/b", 0, EMPTY), Put("other", 0, EMPTY)),
        (Put("f/a", 1, NEWER), Remove("f/b", 1), Put("f/new", 0, EMPTY), Remove("other", 1)),
    )
    assert restore(tree, "f", 1) == {"f/a": EMPTY, "f/b": EMPTY}


def test_a_removed_folder_is_planned_as_a_whole_but_replaces_nothing() -> None:
    tree = tree_of(
        (Put("f/a", 0, EMPTY), Put("f/b", 0, EMPTY), Put("g", 0, EMPTY)),
        (Remove("f", 0), Remove("g", 1)),
        (Put("f/a", 0, NEWER),),
    )
    plan = plan_undelete(tree, "f")
    assert [change.path for change in plan.changes] == ["f/b"]
    assert plan_undelete(tree, "").blocked == []


def test_moments_are_those_of_the_folder_with_the_newest_first() -> None:
    tree = tree_of(
        (Put("f/a", 0, EMPTY), Put("g", 0, EMPTY)), (Put("g", 1, NEWER),), (Remove("f/a", 1),)
    )
    moments = list_moments(tree, "f")
    assert [(each.sequence, each.stored, each.removed) for each in moments] == [
        (3, 0, 1),
        (1, 1, 0),
    ]
    assert [each.sequence for each in list_moments(tree)] == [3, 2, 1]
