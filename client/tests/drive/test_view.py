"""What the drive shows follows the space by what has changed, and never differs from the whole."""

import random
from contextlib import suppress
from uuid import UUID

from tessera_client.drive.view import Content, StoredView, View, is_below
from tessera_core.changes import ChangeBody, Move, NameSpace, Operation, Put, Remove
from tessera_core.entries import Head
from tessera_core.errors import Malformed
from tessera_core.files import File, Folder
from tessera_core.tree import Tree

NAMES = ["a", "b", "c", "a-"]


def file(number: int) -> File:
    return File(0, number, executable=False, chunks=())


def head(sequence: int) -> Head:
    ids = (UUID(int=number) for number in range(3))
    return Head(next(ids), next(ids), sequence, bytes(32), bytes(16), 1, next(ids), sequence)


def shown(view: View) -> dict[str, tuple[Content, int]]:
    return {path: (node.content, node.sequence) for path, node in view.items()}


def random_operation(source: random.Random, number: int) -> Operation:
    path, other = ("/".join(source.choices(NAMES, k=source.randint(1, 3))) for _ in range(2))
    operations: list[Operation] = [
        Put(path, 0, file(number)), Put(path, 0, Folder(number)), Remove(path, 0)
    ]  # fmt: skip
    if not is_below(other, path):
        operations.append(Move(path, other))
    return source.choice(operations)


def test_following_leads_where_reading_everything_does() -> None:
    for seed in range(40):
        source = random.Random(seed)
        tree, followed = Tree(), StoredView()
        for number in range(1, 25):
            operations = [random_operation(source, number) for _ in range(source.randint(1, 4))]
            if source.random() < 0.1:
                # A refused entry changes nothing.
                operations.append(Move("a", "/".join(["b" * 200] * 40)))
            with suppress(Malformed):
                tree.apply(head(number), ChangeBody((), tuple(operations)))
            same = Tree.from_checkpoint(tree.to_checkpoint(()))
            if source.random() < 0.1:
                tree = same
            if source.random() < 0.7:
                view = followed.follow(tree)
                whole = StoredView().follow(Tree.from_checkpoint(tree.to_checkpoint(())))
                assert shown(view) == shown(whole), (seed, number)
                # What is not sent yet is never taken for stored.
                for path in source.sample(NAMES, 2):
                    view.put(f"{path}/new", file(-1))
                    view.remove(path)


def test_copies_do_not_change_each_other() -> None:
    view = View()
    view.put("a/b", file(1), 1)
    before = shown(view)
    copy = view.copy()
    copy.put("a/b", file(2))
    copy.put("a/c", file(3))
    copy.move("a", "d")
    copy.put("d/b", file(4))
    assert shown(view) == before
    view.remove("a/b")
    assert copy.get("d/b").content == file(4)


def test_change_of_a_large_space_touches_what_has_changed() -> None:
    tree, followed = Tree(), StoredView()
    puts = [Put(f"{number % 10}/{number}", 0, file(number)) for number in range(1000)]
    tree.apply(head(1), ChangeBody((), (NameSpace("Designs"), *puts)))
    before = followed.follow(tree)
    tree.apply(head(2), ChangeBody((), (Put("1/1", 0, file(7)),)))
    after = followed.follow(tree)
    assert after.get("1/1").content == file(7)
    assert after.get("1") is not before.get("1")
    others = [str(number) for number in range(10) if number != 1]
    assert all(after.get(name) is before.get(name) for name in others)
