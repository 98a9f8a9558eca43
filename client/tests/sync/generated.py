"""Three computers that edit, move and delete at random, are killed and lose clouds."""

import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pathspec  # noqa: F401 - else each process imports it
import pytest

from client.tests.conftest import Computer, connect, use_cheap_argon2
from client.tests.service import Service
from client.tests.sync.killable import run_killable
from client.tests.transport import MemoryTransport
from tessera_client.commands.sync import sync
from tessera_client.errors import EXPECTED, to_client_error
from tessera_client.sync.selection import TRASH
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import open_vault
from tessera_core.chunks import chunk_id
from tessera_core.files import File

STEPS = 50
PATHS = ("a", "b", "c", "d/a", "d/b", "d/e/a", "f/a", "f/b")
MAX_ROUNDS = 8
# A pass has about this many points at which it can be killed.
KILL_POINTS = 60


@dataclass
class Site:
    """A computer, and what its user knows to be in the space."""

    computer: Computer
    folder: Path
    unsafe: set[bytes] = field(default_factory=set)
    """Written here, and not yet seen by a pass that ended."""

    def files(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file() and TRASH not in path.parts and path.suffix != ".tess"
        }


class World:
    def __init__(self, seed: int, root: Path, service: Service) -> None:
        self.random = random.Random(seed)
        self.root, self.service = root, service
        self.counts: Counter[str] = Counter()
        self.written: set[bytes] = set()
        self.dropped: set[bytes] = set()
        """Overwritten or deleted by its own user before any pass has ended."""
        self.down: set[int] = set()
        self.lost: int | None = None
        people = (service.leader, service.member, service.member)
        self.sites = []
        for name, person in zip(("leader", "laptop", "desk"), people, strict=True):
            service.sign_in(root / name, person)
            folder = root / f"{name}-files"
            folder.mkdir()
            self.sites.append(Site(Computer(root / name), folder))
        leader, member = (site.computer for site in self.sites[:2])
        leader.ok("spaces", "create", "Designs")
        words = member.ok("words")["words"]
        leader.ok("grant", service.member.email, "Designs", "--words", words)
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        service.on_object = self._answer_object

    # What people do

    def edit(self, site: Site) -> None:
        """Writes, moves or deletes one file."""
        files = site.files()
        action = self.random.choices(("write", "move", "delete", "move_folder"), (8, 3, 2, 1))[0]
        path = self.random.choice(sorted(files) if files and action != "write" else PATHS)
        place = site.folder / path
        with suppress(OSError):  # A folder may be in the way; people see that too.
            if action == "write":
                self._write(site, place)
            elif action == "delete" and path in files:
                place.unlink()
                self._drop(site, files[path])
            elif action == "move" and path in files:
                target = site.folder / self.random.choice(PATHS)
                if not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    place.rename(target)
            elif action == "move_folder":
                target = site.folder / self.random.choice(("d", "f", "g"))
                source = site.folder / self.random.choice(("d", "f", "g"))
                if source.is_dir() and not target.exists():
                    source.rename(target)
        self.counts[action] += 1

    def _write(self, site: Site, place: Path) -> None:
        content = self.random.randbytes(self.random.choice((8, 8, 40, 3000)))
        before = place.read_bytes() if place.is_file() else None
        place.parent.mkdir(parents=True, exist_ok=True)
        if self.random.random() < 0.5:
            place.write_bytes(content)
        else:  # As editors do.
            new = place.with_name("new~")
            new.write_bytes(content)
            new.replace(place)
        self.written.add(content)
        site.unsafe.add(content)
        if before is not None:
            self._drop(site, before)

    def _drop(self, site: Site, content: bytes) -> None:
        if content in site.unsafe:
            self.dropped.add(content)

    # What happens to them

    def change_clouds(self) -> None:
        """One fails, one is lost for good, or those that failed come back."""
        choice = self.random.random()
        if self.down and choice < 0.6:
            self.down.clear()
        elif self.lost is None and choice < 0.7 and self._can_lose(cloud := self._cloud()):
            self.lost = cloud
            objects = self.service.objects
            self.service.objects = {key: data for key, data in objects.items() if key[0] != cloud}
            self.counts["clouds lost"] += 1
        else:
            self.down.add(self._cloud())
            self.counts["clouds failed"] += 1

    def _cloud(self) -> int:
        return self.random.randrange(3)

    def _can_lose(self, cloud: int) -> bool:
        """The storage survives the loss of one, once everything is on all."""
        packs = [pack for pack in self.service.packs.values() if pack["stored"]]
        return all(len(pack["stored"] - {cloud}) >= pack["k"] for pack in packs)

    def _answer_object(self, _: httpx.Request, cloud: int) -> httpx.Response | None:
        return httpx.Response(503) if cloud == self.lost or cloud in self.down else None

    # Passes

    def run_pass(self, site: Site, *, kill_at: int = 0, meanwhile: Any = None) -> dict[str, Any]:
        """Runs `tess sync` in a process of its own, which may be killed."""
        before = site.files()
        answer = run_killable(
            partial(_sync, site.computer, site.folder),
            self.service,
            kill_at,
            _once_at_upload(meanwhile),
        )
        if answer is None:
            self.counts["kills"] += 1
            return {}
        exit_code: int = answer[0]
        result: dict[str, Any] = answer[1]
        self.counts["passes"] += 1
        if exit_code not in {0, 4}:
            self.counts["failed passes"] += 1
            return result
        self.counts["conflicts"] += len(result["conflicts"])
        skipped = {problem["path"] for problem in result["skipped"]}
        after = site.files()
        for path, content in after.items():
            if before.get(path) == content and not _is_below(path, skipped):
                site.unsafe.discard(content)
        return result

    def step(self) -> None:
        site = self.random.choice(self.sites)
        choice = self.random.random()
        if choice < 0.52:
            self.edit(site)
        elif choice < 0.60:
            self.change_clouds()
        elif choice < 0.72:
            self.run_pass(site, kill_at=self.random.randrange(1, KILL_POINTS))
        elif choice < 0.82:
            self.run_pass(site, meanwhile=self._race(site))
        else:
            self.run_pass(site)

    def _race(self, site: Site) -> Callable[[], None]:
        """While one computer sends, its user goes on or another one is faster."""
        other = self.random.choice(self.sites)

        def race() -> None:
            self.counts["races"] += 1
            self.edit(other)
            if other is not site:
                self.run_pass(other)

        return race

    # What must hold

    def converge(self) -> None:
        self.down.clear()
        for _ in range(MAX_ROUNDS):
            changes = 0
            for site in self.sites:
                result = self.run_pass(site)
                names = ("sent", "fetched", "removed", "discarded", "moved", "skipped")
                assert "sent" in result, result
                changes += sum(len(result[name]) for name in names)
            self.counts["rounds"] += 1
            if not changes:
                return
        raise AssertionError("the computers do not converge")

    def check(self) -> None:
        first, *others = [site.files() for site in self.sites]
        for files in others:
            differing = {path for path, _ in files.items() ^ first.items()}
            assert not differing, f"the computers differ in {differing}"
        exit_code, answer = self.sites[0].computer.run("verify", "Designs")
        assert (answer["lost"], answer["files"]) == (0, []), (exit_code, answer)
        with open_vault(StateFolder(self.sites[0].computer.folder, use_keyring=False)) as vault:
            space = vault.find("Designs")
            key = space.keyring.chunk_id_key
            current = {path for path, item in space.tree.walk() if isinstance(item, File)}
            assert current == first.keys(), f"the space differs in {current ^ first.keys()}"
            versions = (version.item for each in space.tree.versions.values() for version in each)
            kept = {chunk for item in versions if isinstance(item, File) for chunk in item.chunks}
        folders = [path for site in self.sites for path in site.folder.rglob("*")]
        here = {path.read_bytes() for path in folders if path.is_file()}
        expected = self.written - self.dropped
        missing = [each for each in expected - here if chunk_id(key, each) not in kept]
        assert not missing, f"{len(missing)} of {len(expected)} contents are lost"
        self.counts["contents"] += len(expected)


def _sync(computer: Computer, folder: Path) -> tuple[int, dict[str, Any]]:
    """Without the command line, which takes half of the time."""
    os.environ.update(computer.variables())
    try:
        result = sync(folder, "Designs:/", yes=True)
    except EXPECTED as error:
        return to_client_error(error).exit_code, {"error": str(error)}
    return result.exit_code, msgspec.to_builtins(result.data)


def _is_below(path: str, folders: set[str]) -> bool:
    return any(f"{path}/".startswith(f"{folder}/") for folder in folders)


def _once_at_upload(action: Callable[[], None] | None) -> Callable[[httpx.Request], None]:
    """Before the first upload, when the folder was read and nothing written to it."""
    left = [action] if action else []

    def watch(request: httpx.Request) -> None:
        if left and request.url.path.endswith("/storage/uploads"):
            left.pop()()

    return watch


@contextmanager
def world(seed: int) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        use_cheap_argon2(patch)
        service = Service()
        connect(patch, MemoryTransport(service.answer))
        root = Path(tempfile.mkdtemp(prefix="tess-sync-"))
        try:
            yield World(seed, root, service)
        finally:
            shutil.rmtree(root, ignore_errors=True)


def run_seed(seed: int, steps: int = STEPS) -> Counter[str]:
    """Returns what happened; raises if the computers differ in the end, or lost something."""
    with world(seed) as made:
        for _ in range(steps):
            made.step()
        made.counts["steps"] += steps
        made.converge()
        made.check()
        return made.counts
