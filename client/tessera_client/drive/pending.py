"""What was done on the drive and is not in the space yet, in the order in which it was done."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

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
    planner = _Planner(view)
    for change in changes:
        match change:
            case PendingPut():
                planner.put(change)
            case PendingRemove():
                planner.remove(change)
            case PendingMove():
                planner.move(change)
    return Plan(_without_replaced(planner.steps, planner.puts), planner.puts)


@dataclass
class _Planner:
    view: View
    steps: list[PendingRemove | PendingMove] = field(default_factory=list)
    puts: dict[str, PendingPut] = field(default_factory=dict)
    _over: set[int] = field(default_factory=set)
    """Steps that took the place of something stored."""

    def put(self, change: PendingPut) -> None:
        self.puts.pop(change.path, None)
        self.puts[change.path] = change
        apply(self.view, change)

    def remove(self, change: PendingRemove) -> None:
        node, last = self.view.find(change.path), self.steps[-1] if self.steps else None
        self._drop_puts(change.path)
        if node and node.is_stored():
            if isinstance(last, PendingMove) and last.target == change.path:
                # Who moves a file aside and then removes it, removes it.
                self.steps[-1] = PendingRemove(last.source, change.seen)
                is_needed = len(self.steps) - 1 in self._over
            else:
                is_needed = True
            if is_needed:
                self.steps.append(change)
        apply(self.view, change)

    def move(self, change: PendingMove) -> None:
        source, target = change.source, change.target
        node, replaced = self.view.find(source), self.view.find(target)
        if node is None:
            return
        self._drop_puts(target)
        self._move_puts(change)
        if node.is_stored():
            self.steps.append(change)
            if replaced and replaced.sequence:
                self._over.add(len(self.steps) - 1)
        elif replaced:
            # The space still has what the new file takes the place of.
            self.view.put(source, node.content, replaced.sequence)
        apply(self.view, change)

    def _drop_puts(self, path: str) -> None:
        self.puts = {at: put for at, put in self.puts.items() if not is_below(at, path)}

    def _move_puts(self, move: PendingMove) -> None:
        moved = dict[str, PendingPut]()
        for at, put in self.puts.items():
            if is_below(at, move.source):
                path = move.target + at.removeprefix(move.source)
                # Whoever renames a file over another one knew that one.
                seen = move.seen if path == move.target else put.seen
                moved[path] = replace(put, path=path, seen=seen)
            else:
                moved[at] = put
        self.puts = moved


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
