"""Looks at both sides and at their last common state, and decides what a pass has to do."""

import os
import time
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tessera_client.errors import ClientError, NeedsInput, describe
from tessera_client.sync.disk import Disk
from tessera_client.sync.local_files import LocalEntry, add_folders, scan_folder
from tessera_client.sync.plan import Step, decide, find_local_moves, find_remote_moves, is_file
from tessera_client.sync.selection import OWN_PATTERNS, Selection, find_unusable, is_within
from tessera_client.sync.state import SyncState, place_of
from tessera_client.texts import translate
from tessera_client.vault.conflict_copies import original_name
from tessera_client.vault.conflicts import Conflict
from tessera_client.vault.disk_names import stays_inside
from tessera_client.vault.index import Index
from tessera_client.vault.members import person_names
from tessera_client.vault.patterns import IGNORE_FILE, Patterns, exactly
from tessera_client.vault.scan import FileChanged, Problem
from tessera_client.vault.spaces import Space
from tessera_client.vault.target_folders import LinkInTheWay
from tessera_core.changes import Version
from tessera_core.files import File, Folder, Item, Link

# More than one in four is not deleted without being asked.
_MAX_SHARE = 4


@dataclass(frozen=True)
class SyncOptions:
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    dry_run: bool = False
    yes: bool = False
    """Deletes any number of files."""


@dataclass(frozen=True)
class IgnoreFile:
    """A .tessignore of somebody else, which decides here what is left out."""

    path: str
    author: str

    def as_text(self) -> str:
        return translate("sync.ignore_file", path=self.path, name=self.author)


@dataclass
class SyncSummary:
    sent: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    """From the space."""
    discarded: list[str] = field(default_factory=list)
    """Moved to the trash of the folder."""
    moved: dict[str, str] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    not_safe: list[str] = field(default_factory=list)
    ignore_files: list[IgnoreFile] = field(default_factory=list)


class Comparison:
    def __init__(self, index: Index, space: Space, state: SyncState, options: SyncOptions) -> None:
        self.space, self.state, self.options = space, state, options
        self.disk = Disk(Path(state.pair.folder))
        self.known = state.known
        self.prefix = f"{state.pair.path}/" if state.pair.path else ""
        self.local: dict[str, LocalEntry] = {}
        self.held: set[str] = set()
        """What cannot be handled now, with everything below."""
        self.summary = SyncSummary()
        self._index = index
        skip = (exactly(path) for path in state.pair.skip)
        exclude = (*OWN_PATTERNS, *skip, *options.exclude)
        self._selection = Selection(self.disk.root, Patterns(exclude, options.include))

    def check_target(self) -> None:
        path = self.state.pair.path
        parts = path.split("/") if path else []
        for length in range(1, len(parts) + 1):
            current = self.space.tree.current("/".join(parts[:length]))
            if current and not isinstance(current.item, Folder):
                text = translate("errors.stored_file", place=f"{self.space.label}:/{path}")
                raise ClientError(text, code="not_a_folder")

    def scan(self) -> None:
        root = self.disk.root
        self.local, problems = scan_folder(root, self._selection.patterns, self.known)
        for problem in problems:
            if problem.path == ".":
                raise ClientError(problem.as_text(), code="folder_not_readable")
        had_files = any(is_file(known.item) for known in self.known.values())
        if not self.local and had_files and self.state.place != place_of(root):
            raise ClientError.from_code("sync_folder_empty", path=root)
        self.skip(problems)
        links = [path for path, entry in self.local.items() if entry.file.is_link]
        for path in links:
            with self.noting(path):
                self._skip_outside({path: self.local[path].file.item()})
        # What is left out from now on is not missing.
        for path, known in list(self.known.items()):
            if not self._takes(path, known.item):
                del self.known[path]
        self.state.place = place_of(root)

    def _takes(self, path: str, item: Item | None) -> bool:
        return self._selection.takes(path, is_folder=isinstance(item, Folder))

    def skip(self, problems: list[Problem]) -> None:
        for problem in sorted(problems, key=lambda each: each.path):
            if not is_within(problem.path, self.held):
                self.held.add(problem.path)
                self.summary.skipped.append(problem)

    def _skip_outside(self, items: Mapping[str, Item]) -> None:
        """Links by which programs would reach other files of this computer."""
        text = translate("errors.link_outside")
        self.skip([Problem(path, text) for path, item in items.items() if _leads_out(path, item)])

    @contextmanager
    def noting(self, path: str) -> Iterator[None]:
        """Notes why one file cannot be handled now; the others go on."""
        try:
            yield
        except OSError as error:
            self.skip([Problem(path, describe(error))])
        except (FileChanged, LinkInTheWay) as error:
            self.skip([Problem(path, str(error))])

    def _versions(self, path: str) -> list[Version]:
        return self.space.tree.versions.get(self.prefix + path, [])

    def current(self, path: str) -> Version | None:
        return self.space.tree.current(self.prefix + path)

    def _stored(self) -> dict[str, Item]:
        """What the space holds, with paths below the folder."""
        walked = self.space.tree.walk(self.state.pair.path)
        items = ((path[len(self.prefix) :], item) for path, item in walked)
        return {path: item for path, item in items if path and self._takes(path, item)}

    # Moves

    def follow_moves(self) -> None:
        """Moves files here that somebody has moved in the space; what was changed here follows."""
        gone = [self.prefix + path for path in self.known if not self.current(path)]
        for source, target in find_remote_moves(self.space.tree, gone).items():
            if not target.startswith(self.prefix):
                continue
            path, new_path = (each[len(self.prefix) :] for each in (source, target))
            entry, item = self.local.get(path), self.space.tree.current(target)
            if (
                entry is None or not item or entry.file.is_folder
                or new_path in self.known or new_path in self.local
                or not self._takes(new_path, item.item) or _leads_out(new_path, item.item)
                or any(find_unusable((), (new_path,), ()))
            ):  # fmt: skip
                continue
            with self.noting(path):
                if self.options.dry_run or self.disk.move(path, new_path, entry.stamp):
                    self._note_move(path, new_path)
                    self.summary.moved[path] = new_path
        self.save()

    def _note_move(self, path: str, new_path: str) -> None:
        """A file that was moved here is what it was, but the system says that it has changed."""
        entry, known = self.local.pop(path), self.known.pop(path)
        is_unchanged = entry.stamp == known.stamp
        if not self.options.dry_run:
            place = str(self.disk.root / new_path)
            status = os.lstat(place)
            entry.file = entry.file._replace(place=place, path=new_path, status=status)
        stamp = entry.stamp if is_unchanged else known.stamp.not_sure()
        self.local[new_path], self.known[new_path] = entry, replace(known, stamp=stamp)

    def find_moves(self) -> dict[str, str]:
        """Finds what was moved on this computer."""
        gone = {
            path: known
            for path, known in self.known.items()
            if is_file(known.item) and path not in self.local and self.current(path)
            and not is_within(path, self.held)
        }  # fmt: skip
        new = {
            path: entry
            for path, entry in self.local.items()
            if gone and path not in self.known and not entry.file.is_folder
            and not self.current(path) and not is_within(path, self.held)
        }  # fmt: skip

        def has_content(entry: LocalEntry, item: Item) -> bool:
            with self.noting(entry.file.path):
                return entry.is_same(item, self.space)
            return False

        moves = find_local_moves(gone, new, has_content)
        for path, target in moves.items():
            known, entry = self.known.pop(path), new[target]
            if entry.item is None and known.stamp != known.stamp.not_sure():
                entry.item, entry.read_at = known.item, time.time_ns()
            stamp = entry.sure_stamp() if entry.item else known.stamp.not_sure()
            self.known[target] = replace(known, stamp=stamp)
        return moves

    # Comparing

    def compare(self, moves: Mapping[str, str]) -> dict[str, Step]:
        """`moves` are those which the space does not have yet."""
        stored = self._stored()
        items = [*stored.items(), *((path, known.item) for path, known in self.known.items())]
        add_folders(self.local, self.disk.root, items)
        there = stored.keys() - moves.keys()
        self.skip(list(find_unusable(self.local, there, self.known)))
        self._skip_outside(stored)
        steps = dict[str, Step]()
        done = {*moves, *moves.values()}
        for path in sorted({*self.local, *stored, *self.known} - done, key=str.encode):
            if not is_within(path, self.held):
                with self.noting(path):
                    steps[path] = self._decide(path)
        return steps

    def _decide(self, path: str) -> Step:
        local, known = self.local.get(path), self.known.get(path)
        step = decide(self.space, local, known, self._versions(path))
        current = self.current(path)
        if step is Step.SAME and known is None and current and isinstance(current.item, File):
            # That a colleague says so is not enough.
            is_held = self.space.surely_holds(self.prefix + path)
            return Step.SAME if is_held else Step.SEND
        return step

    def check_removals(self, steps: Mapping[str, Step]) -> None:
        """Conflict copies whose original stays do not count: somebody has resolved a conflict."""
        removed = {path for path, step in steps.items() if step in {Step.REMOVE, Step.DISCARD}}
        removals = [
            path
            for path in steps
            if path in removed
            and (known := self.known.get(path))
            and is_file(known.item)
            and not self._is_resolved(path, removed)
        ]
        total = sum(is_file(known.item) for known in self.known.values())
        if len(removals) * _MAX_SHARE > total and not self.options.yes:
            text = translate("errors.sync_removes_many", count=len(removals), total=total)
            raise NeedsInput(text, code="sync_removes_many", details={"paths": removals})

    def _is_resolved(self, path: str, removed: Set[str]) -> bool:
        folder, slash, name = path.rpartition("/")
        original = original_name(name)
        original_path = f"{folder}{slash}{original}"
        return bool(original) and original_path in self.known and original_path not in removed

    def note_ignore_files(self) -> None:
        """Notes those that others have stored: nobody's files are left out without a word."""
        person, user = person_names(self.space.account), self.space.account.user
        for path, _ in self.space.tree.walk(self.state.pair.path):
            version = self.space.tree.current(path)
            if path.rpartition("/")[2] != IGNORE_FILE or not version or version.author == user:
                continue
            below = path[len(self.prefix) :]
            if below and (self.disk.root / below).is_file():
                self.summary.ignore_files.append(IgnoreFile(below, person(version.author)))

    def note_plan(self, steps: Mapping[str, Step], moves: Mapping[str, str]) -> None:
        summary = self.summary
        summary.moved.update(moves)
        summary.sent = having(steps, Step.SEND)
        summary.fetched = having(steps, Step.FETCH, Step.SET_MODE)
        summary.removed = having(steps, Step.REMOVE)
        summary.discarded = having(steps, Step.DISCARD)

    def save(self) -> None:
        if not self.options.dry_run:
            self.state.save(self._index)


def _leads_out(path: str, item: Item | None) -> bool:
    return isinstance(item, Link) and not stays_inside(path, item.target)


def having(steps: Mapping[str, Step], *wanted: Step) -> list[str]:
    return [path for path, step in steps.items() if step in wanted]
