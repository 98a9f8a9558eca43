"""What was done on the drive and is not in the space yet, in the order in which it was done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tessera_client.drive.staging import StagedFile
from tessera_client.drive.view import Content, View, is_below, is_related
from tessera_core.files import Folder


@dataclass(frozen=True)
class PendingPut:
    path: str
    content: Content
    seen: int
    """The log's last entry that whoever did it knew of."""


@dataclass(frozen=True)
class PendingRemove:
    path: str
    seen: int


@dataclass(frozen=True)
class PendingMove:
    source: str
    target: str
    seen: int


PendingChange = PendingPut | PendingRemove | PendingMove


def apply(view: View, change: PendingChange) -> None:
    """Shows a change. Whatever it was about may have gone meanwhile."""
    match change:
        case PendingPut(path, content):
            view.put(path, content)
        case PendingRemove(path):
            view.remove(path)
        case PendingMove(source, target):
            if view.find(source):
                view.move(source, target)


@dataclass(frozen=True)
class Plan:
    """The shortest way to the same state: what is stored is moved and removed first, and then each
    path gets what it holds in the end."""

    steps: list[PendingRemove | PendingMove]
    puts: dict[str, PendingPut]


def make_plan(view: View, changes: Sequence[PendingChange]) -> Plan:
    """`view` shows the space without the changes, and is used up."""
    steps: list[PendingRemove | PendingMove] = []
    puts: dict[str, PendingPut] = {}
    for change in changes:
        match change:
            case PendingPut(path):
                puts.pop(path, None)
                puts[path] = change
            case PendingRemove(path):
                node = view.find(path)
                puts = {at: put for at, put in puts.items() if not is_below(at, path)}
                if node and node.is_stored():
                    _add_removal(steps, change)
            case PendingMove(source, target, seen):
                node = view.find(source)
                if node is None:
                    continue
                kept = {at: put for at, put in puts.items() if not is_below(at, target)}
                puts = {}
                for at, put in kept.items():
                    moved = put
                    if is_below(at, source):
                        moved = replace(put, path=target + at.removeprefix(source))
                    if moved.path == target:
                        # Whoever renames a file over another one knew that one.
                        moved = replace(moved, seen=seen)
                    puts[moved.path] = moved
                if node.is_stored():
                    steps.append(change)
        apply(view, change)
    return Plan(_without_replaced(steps, puts), puts)


def _add_removal(steps: list[PendingRemove | PendingMove], change: PendingRemove) -> None:
    """Who moves a file aside and then removes it, removes it."""
    last = steps[-1] if steps else None
    if isinstance(last, PendingMove) and last.target == change.path:
        steps[-1] = PendingRemove(last.source, change.seen)
    else:
        steps.append(change)


def _without_replaced(
    steps: Sequence[PendingRemove | PendingMove], puts: dict[str, PendingPut]
) -> list[PendingRemove | PendingMove]:
    """A file that is removed and made again, as editors do, is a new version of that file."""
    kept: list[PendingRemove | PendingMove] = []
    for number, step in enumerate(steps):
        later = steps[number + 1 :]
        is_replaced = (
            isinstance(step, PendingRemove)
            and step.path in puts
            and not isinstance(puts[step.path].content, Folder)
            and not any(_touches(each, step.path) for each in later)
        )
        if not is_replaced:
            kept.append(step)
    return kept


def _touches(step: PendingRemove | PendingMove, path: str) -> bool:
    return any(is_related(path, each) for each in step_paths(step))


def step_paths(step: PendingRemove | PendingMove) -> tuple[str, ...]:
    return (step.path,) if isinstance(step, PendingRemove) else (step.source, step.target)


def staged_files(changes: Sequence[PendingChange]) -> list[StagedFile]:
    contents = (change.content for change in changes if isinstance(change, PendingPut))
    files = (content for content in contents if isinstance(content, StagedFile))
    return list({file.id: file for file in files}.values())
