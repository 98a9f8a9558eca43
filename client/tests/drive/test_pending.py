"""The shortest way to the same state."""

import random

import pytest

from tessera_client.drive.pending import (
    PendingChange,
    PendingMove,
    PendingPut,
    PendingRemove,
    apply,
    make_plan,
)
from tessera_client.drive.view import View, is_below
from tessera_core.files import File, Folder

NAMES = ["a", "b", "c"]


def file(number: int) -> File:
    return File(0, number, executable=False, chunks=())


def base(paths: dict[str, File | Folder]) -> View:
    view = View()
    for path, item in paths.items():
        view.put(path, item, sequence=1)
    return view


def shown(view: View) -> dict[str, object]:
    """Folders that only something else's path names are not compared: nothing stores them."""
    return {path: node.content for path, node in view.items() if isinstance(node.content, File)}


def random_change(source: random.Random, view: View, number: int) -> PendingChange | None:
    """Something that a program can do in this view."""
    path, other = ("/".join(source.choices(NAMES, k=source.randint(1, 2))) for _ in range(2))
    parent = view.find(path.rpartition("/")[0])
    node, target = view.find(path), view.find(other)
    match source.choice(["put", "put", "mkdir", "remove", "move", "move", "move"]):
        case "put" if parent and parent.is_folder and (node is None or not node.is_folder):
            return PendingPut(path, file(number), 1)
        case "mkdir" if parent and parent.is_folder and node is None:
            return PendingPut(path, Folder(0), 1)
        case "remove" if node and not node.children:
            return PendingRemove(path, 1)
        case "move" if node and not is_below(other, path):
            above = view.find(other.rpartition("/")[0])
            fits = target is None or not (target.is_folder or node.is_folder)
            if above and above.is_folder and fits:
                return PendingMove(path, other, 1)
    return None


@pytest.mark.parametrize("seeds", [range(3000)])
def test_plan_leads_where_the_changes_led(seeds: range) -> None:
    for seed in seeds:
        source = random.Random(seed)
        stored: dict[str, File | Folder] = {"a": Folder(0)}
        for number, path in enumerate(source.sample(["a/a", "a/b", "b", "c"], 3)):
            stored[path] = file(-1 - number)
        view, changes = base(stored), list[PendingChange]()
        for number in range(source.randint(1, 12)):
            change = random_change(source, view, number)
            if change:
                changes.append(change)
                apply(view, change)
        plan = make_plan(base(stored), changes)
        result = base(stored)
        for each in (*plan.steps, *plan.puts.values()):
            apply(result, each)
        assert shown(result) == shown(view), (seed, stored, changes, plan)


def test_saving_by_renaming_is_one_put() -> None:
    stored = {"text.md": file(1)}
    changes: list[PendingChange] = [
        PendingPut("text.md.new", file(2), 1),
        PendingMove("text.md", "text.md~", 1),
        PendingMove("text.md.new", "text.md", 1),
        PendingRemove("text.md~", 1),
    ]
    plan = make_plan(base(dict(stored)), changes)
    assert plan.steps == []
    assert plan.puts == {"text.md": PendingPut("text.md", file(2), 1)}


def test_file_made_and_removed_again_leaves_nothing() -> None:
    changes: list[PendingChange] = [PendingPut("a", file(1), 1), PendingRemove("a", 1)]
    plan = make_plan(base({}), changes)
    assert (plan.steps, plan.puts) == ([], {})
