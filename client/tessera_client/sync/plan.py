"""What a pass has to do: compares folder and space with their last common state."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto

from tessera_client.sync.local_files import LocalEntry
from tessera_client.sync.state import Known
from tessera_client.vault.conflicts import is_same
from tessera_client.vault.spaces import Space
from tessera_core.changes import Version
from tessera_core.files import File, Folder, Item
from tessera_core.tree import Tree


class Step(Enum):
    NONE = auto()
    SAME = auto()
    """Both sides agree."""
    FORGET = auto()
    """Both sides have lost it."""
    SEND = auto()
    REMOVE = auto()
    """From the space."""
    FETCH = auto()
    SET_MODE = auto()
    """Only who may use or run it has changed in the space."""
    DISCARD = auto()
    """From this computer."""


def decide(
    space: Space, local: LocalEntry | None, known: Known | None, versions: Sequence[Version]
) -> Step:
    """Of two sides that have changed one path, a file wins over its removal. If both have changed
    a file, the one here is sent, and the conflict rule keeps the other one."""
    current = versions[-1] if versions and versions[-1].item else None
    if local is None:
        if current is None:
            return Step.FORGET if known else Step.NONE
        is_untouched = known and is_equal(known.item, current.item)
        return Step.REMOVE if is_untouched else Step.FETCH
    if current is None:
        is_untouched = known and not local.is_changed(known, space)
        return Step.DISCARD if is_untouched else Step.SEND
    if local.is_same(current.item, space):
        return _decide_mode(local, known, current)
    is_replaced = not known or not is_equal(known.item, current.item)
    if known and not local.is_changed(known, space):
        return Step.FETCH
    # A run that was killed may have sent or fetched it without noting that.
    seen = known.sequence if known else 0
    later = (version for version in versions if version.sequence > seen and version.item)
    is_old = is_replaced and any(local.is_same(each.item, space) for each in later)
    return Step.FETCH if is_old else Step.SEND


def _decide_mode(local: LocalEntry, known: Known | None, current: Version) -> Step:
    if known and isinstance(current.item, File) and local.file.is_file:
        if local.stamp.modes != known.stamp.modes:
            is_agreed = local.stamp.modes == _modes(current.item)
            return Step.SAME if is_agreed else Step.SEND
        if _modes(current.item) != _modes(known.item):
            return Step.SET_MODE
    return Step.SAME


def is_equal(one: Item | None, other: Item | None) -> bool:
    """Content and mode."""
    return is_same(one, other) and _modes(one) == _modes(other)


def _modes(item: Item | None) -> tuple[bool, bool] | None:
    return (item.executable, item.private) if isinstance(item, File) else None


def find_remote_moves(tree: Tree, gone: Iterable[str]) -> dict[str, str]:
    """Returns where files are now that somebody has moved in the space."""
    if not (sources := [path for path in gone if path in tree.versions]):
        return {}
    placed: dict[tuple[int, int], list[str]] = defaultdict(list)
    for path, versions in tree.versions.items():
        for version in versions:
            if version.item:
                placed[version.sequence, version.operation].append(path)
    moves: dict[str, str] = {}
    for source in sources:
        place: str | None = source
        while place is not None and tree.current(place) is None:
            place = _next_place(tree, place, placed)
        if place is not None and place not in moves.values():
            moves[source] = place
    return moves


def _next_place(
    tree: Tree, path: str, placed: Mapping[tuple[int, int], Sequence[str]]
) -> str | None:
    """A move puts the very item elsewhere by the same operation."""
    versions = tree.versions[path]
    last, item = versions[-1], next((each.item for each in reversed(versions) if each.item), None)
    key = last.sequence, last.operation
    targets = [
        target
        for target in placed.get(key, ())
        if any(each.item == item and (each.sequence, each.operation) == key
               for each in tree.versions[target])
    ]  # fmt: skip
    return max(targets, key=lambda target: _common_end(target, path), default=None)


def _common_end(one: str, other: str) -> int:
    """Of files with the same content, those that were moved together have the same names."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def find_local_moves(
    gone: Mapping[str, Known],
    new: Mapping[str, LocalEntry],
    has_content: Callable[[LocalEntry, Item], bool],
) -> dict[str, str]:
    """Returns where files are now that were moved on this computer: the very file, or one with
    the same content."""
    moves: dict[str, str] = {}
    by_identity = {entry.stamp.identity: path for path, entry in new.items()}
    for path, known in gone.items():
        target = by_identity.pop(known.stamp.identity, None)
        if target and type(known.item) is _kind(new[target]):
            moves[path] = target
    by_size: dict[int, list[str]] = defaultdict(list)
    for path in new.keys() - set(moves.values()):
        if new[path].file.is_file:
            by_size[new[path].stamp.size].append(path)
    for path in gone.keys() - moves.keys():
        item = gone[path].item
        if isinstance(item, File) and item.size:
            candidates = sorted(by_size[item.size], key=lambda each: -_common_end(each, path))
            for target in candidates:
                if has_content(new[target], item):
                    moves[path] = target
                    by_size[item.size].remove(target)
                    break
    return moves


def _kind(entry: LocalEntry) -> type[Item]:
    return File if entry.file.is_file else type(entry.file.item())


def is_file(item: Item | None) -> bool:
    """Whether its removal counts."""
    return item is not None and not isinstance(item, Folder)
