"""Moments of a space: its changes, what it held after each, and how to have that again."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.changes import START_OVER, writing
from tessera_client.vault.spaces import Space
from tessera_client.vault.trash import is_in_the_way, list_removed
from tessera_client.vault.vault import Vault
from tessera_core.changes import Move, Put, Remove, Version
from tessera_core.files import File, Folder, Item
from tessera_core.tree import Tree


class Moment(NamedTuple):
    """One change of a space, or of a part of it."""

    sequence: int
    time: int
    author: UUID
    stored: int
    removed: int
    bytes: int


class RestorePlan(NamedTuple):
    changes: list[Put | Remove]
    blocked: list[str]
    """What stays in the trash, because something else is at its path by now."""


def list_moments(tree: Tree, path: str = "") -> list[Moment]:
    """The changes at and below a path, the newest first."""
    changes: dict[int, list[Version]] = {}
    for at, versions in tree.versions.items():
        if _is_at_or_below(at, path):
            for version in versions:
                changes.setdefault(version.sequence, []).append(version)
    moments = []
    for sequence in sorted(changes, reverse=True):
        versions = changes[sequence]
        stored = [version.item for version in versions if version.item]
        size = sum(item.size for item in stored if isinstance(item, File))
        removed = len(versions) - len(stored)
        time, author = versions[0].time, versions[0].author
        moments.append(Moment(sequence, time, author, len(stored), removed, size))
    return moments


def state_at(tree: Tree, path: str, is_kept: Callable[[Version], bool]) -> dict[str, Item | None]:
    """What was at each path at and below a path, by the versions that were there by then."""
    state = {}
    for at, versions in tree.versions.items():
        if _is_at_or_below(at, path):
            before = [version for version in versions if is_kept(version)]
            state[at] = before[-1].item if before else None
    return state


def state_after(tree: Tree, path: str, sequence: int) -> dict[str, Item | None]:
    return state_at(tree, path, lambda version: version.sequence <= sequence)


def plan_restore(tree: Tree, then: Mapping[str, Item | None]) -> RestorePlan:
    """What has to be done so that the paths hold these items again: first the removals, which
    would take away what is put below."""
    removals, puts = list[Put | Remove](), list[Put | Remove]()
    holding = {parent for path, item in then.items() if item for parent in _parents(path)}
    for path, item in then.items():
        current = tree.current(path)
        base = current.sequence if current else 0
        if item and not (current and current.item == item):
            puts.append(Put(path, base, item))
        elif (
            item is None
            and current
            # Removing a folder would remove the files in it that were there already.
            and not (path in holding and isinstance(current.item, Folder))
        ):
            removals.append(Remove(path, base))
    return RestorePlan([*removals, *puts], [])


def plan_undelete(tree: Tree, path: str) -> RestorePlan:
    """Brings back what was removed at and below a path, and replaces nothing."""
    removed = {each.path: each.item for each in list_removed(tree, path)}
    blocked = [at for at, item in removed.items() if is_in_the_way(tree, at, item)]
    changes = plan_restore(tree, removed).changes
    return RestorePlan([each for each in changes if each.path not in blocked], blocked)


def apply_changes(vault: Vault, space: Space, changes: Iterable[Put | Remove | Move]) -> None:
    """All of them or none, unless they are more than one entry holds."""
    try:
        with writing(vault, space) as writer:
            for change in changes:
                if isinstance(change, Put):
                    writer.reuse(change.item)
                writer.add(change)
            writer.commit()
    except START_OVER:
        raise ClientError(translate("errors.space_changed"), code="space_busy") from None


def _is_at_or_below(path: str, folder: str) -> bool:
    return not folder or f"{path}/".startswith(f"{folder}/")


def _parents(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path
