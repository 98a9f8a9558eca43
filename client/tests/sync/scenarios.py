"""The same scenarios through `tess sync`, `unison` and `rclone bisync`.

`python -m client.tests.sync.scenarios` prints a table of what each has made of them.
"""

import io
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.tests.conftest import Computer, connect, use_cheap_argon2
from client.tests.service import Service
from client.tests.transport import MemoryTransport
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.restore import Restorer
from tessera_client.vault.vault import open_vault
from tessera_core.files import File

SAME = "same on both"
REPORTED = "left alone and reported"
REFUSED = "refused"
DIFFERENT = "differs"


class Tess:
    """Two people's computers, and a space."""

    def __init__(self, root: Path, one: Path, two: Path) -> None:
        service = Service()
        self._patch = pytest.MonkeyPatch()
        use_cheap_argon2(self._patch)
        connect(self._patch, MemoryTransport(service.answer))
        self._pairs = []
        for person, folder in ((service.leader, one), (service.member, two)):
            service.sign_in(root / person.email, person)
            self._pairs.append((Computer(root / person.email), folder))
        leader, member = (computer for computer, _ in self._pairs)
        leader.ok("spaces", "create", "Designs")
        words = member.ok("words")["words"]
        leader.ok("grant", service.member.email, "Designs", "--words", words)
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])

    def sync(self) -> str:
        """Passes of both; returns what their exit codes say of the last ones."""
        codes = [
            computer.run("sync", folder, "Designs:/")[0]
            for computer, folder in (*self._pairs, *self._pairs)
        ]
        if not {0, 4}.issuperset(codes):
            return REFUSED
        return REPORTED if 4 in codes[2:] else SAME

    def kept(self) -> set[bytes]:
        """Everything that the space ever held."""
        found = set()
        folder = StateFolder(self._pairs[0][0].folder, use_keyring=False)
        with open_vault(folder) as vault:
            space = vault.find("Designs")
            restorer = Restorer(space.reader(), space.chunk_places())
            versions = (each.item for path in space.tree.versions.values() for each in path)
            for item in versions:
                if isinstance(item, File):
                    restorer.write_to(item, content := io.BytesIO())
                    found.add(content.getvalue())
        return found

    def close(self) -> None:
        self._patch.undo()


class Unison:
    def __init__(self, root: Path, one: Path, two: Path) -> None:
        self._command = ["unison", str(one), str(two), "-batch", "-ui", "text", "-times"]
        self._environment = {**os.environ, "UNISON": str(root / "state")}

    def sync(self) -> str:
        code = _run(self._command, self._environment)
        return {0: SAME, 1: REPORTED}.get(code, REFUSED)

    def kept(self) -> set[bytes]:
        return set()

    def close(self) -> None:
        pass


class Bisync:
    def __init__(self, root: Path, one: Path, two: Path) -> None:
        self._command = ["rclone", "bisync", str(one), str(two), "--workdir", str(root / "state"),
                         "--config", str(root / "none"), "--links"]  # fmt: skip
        self._is_first = True

    def sync(self) -> str:
        first = ["--resync"] if self._is_first else []
        self._is_first = False
        return REFUSED if _run([*self._command, *first], None) else SAME

    def kept(self) -> set[bytes]:
        return set()

    def close(self) -> None:
        pass


TOOLS: dict[str, type[Tess | Unison | Bisync]] = {
    "tess sync": Tess, "unison": Unison, "rclone bisync": Bisync,
}  # fmt: skip


def _run(command: list[str], environment: dict[str, str] | None) -> int:
    return subprocess.run(
        command, env=environment, capture_output=True, check=False, timeout=120
    ).returncode


def contents(*folders: Path) -> set[bytes]:
    files = (path for folder in folders for path in folder.rglob("*"))
    return {path.read_bytes() for path in files if path.is_file() and not path.is_symlink()}


def tree(folder: Path) -> dict[str, bytes | str]:
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        for path in folder.rglob("*")
        if (path.is_file() or path.is_symlink()) and ".tess-trash" not in path.parts
    }


def write(folder: Path, path: str, content: str) -> None:
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(content)


# Each one begins with the same eight files on both sides.


def edit_on_one_side(one: Path, two: Path) -> None:
    write(one, "0", "edited")


def edit_on_both_sides(one: Path, two: Path) -> None:
    write(one, "0", "edited by one")
    write(two, "0", "edited by the other")


def edit_of_same_size_and_time(one: Path, two: Path) -> None:
    status = (one / "0").stat()
    write(one, "0", "file x")
    os.utime(one / "0", ns=(status.st_atime_ns, status.st_mtime_ns))


def same_new_file_on_both_sides(one: Path, two: Path) -> None:
    write(one, "new", "new")
    write(two, "new", "new")


def different_new_files_of_one_name(one: Path, two: Path) -> None:
    write(one, "new", "new by one")
    write(two, "new", "new by the other")


def delete_on_one_side(one: Path, two: Path) -> None:
    (one / "0").unlink()


def delete_and_edit(one: Path, two: Path) -> None:
    (one / "0").unlink()
    write(two, "0", "edited")


def move_on_one_side(one: Path, two: Path) -> None:
    (one / "0").rename(one / "moved")


def move_and_edit(one: Path, two: Path) -> None:
    (one / "0").rename(one / "moved")
    write(two, "0", "edited")


def rename_a_folder(one: Path, two: Path) -> None:
    (one / "folder").rename(one / "renamed")


def rename_a_folder_and_edit_in_it(one: Path, two: Path) -> None:
    (one / "folder").rename(one / "renamed")
    write(two, "folder/6", "edited")


def file_becomes_folder(one: Path, two: Path) -> None:
    (one / "0").unlink()
    write(one, "0/inside", "inside")


def names_that_differ_in_case(one: Path, two: Path) -> None:
    write(one, "Plan", "upper")
    write(two, "plan", "lower")


def link_to_the_outside(one: Path, two: Path) -> None:
    (one / "link").symlink_to("/etc")


def delete_half_of_the_files(one: Path, two: Path) -> None:
    for name in "0123":
        (one / name).unlink()


def disk_not_mounted(one: Path, two: Path) -> None:
    one.rename(one.with_name("unmounted"))
    one.mkdir()


SCENARIOS: list[Callable[[Path, Path], None]] = [
    edit_on_one_side,
    edit_on_both_sides,
    edit_of_same_size_and_time,
    same_new_file_on_both_sides,
    different_new_files_of_one_name,
    delete_on_one_side,
    delete_and_edit,
    move_on_one_side,
    move_and_edit,
    rename_a_folder,
    rename_a_folder_and_edit_in_it,
    file_becomes_folder,
    names_that_differ_in_case,
    link_to_the_outside,
    delete_half_of_the_files,
    disk_not_mounted,
]


@contextmanager
def _folders() -> Iterator[tuple[Path, Path, Path]]:
    with tempfile.TemporaryDirectory(prefix="tess-scenarios-") as name:
        root = Path(name)
        one, two = root / "one", root / "two"
        one.mkdir()
        two.mkdir()
        yield root, one, two


def _wait_for_next_second() -> None:
    """The other tools do not see an edit in the second of their last pass."""
    begun = int(time.time())
    while int(time.time()) < begun + 2:
        time.sleep(0.05)


def play(tool: type[Tess | Unison | Bisync], scenario: Callable[[Path, Path], None]) -> str:
    """Returns what became of a scenario."""
    with _folders() as (root, one, two):
        for number in range(8):
            path = f"folder/{number}" if number > 5 else f"{number}"
            write(one, path, f"file {number}")
        made = tool(root, one, two)
        try:
            assert made.sync() == SAME
            assert tree(one) == tree(two), "the first pass has failed"
            before = contents(one)
            if tool is not Tess:
                _wait_for_next_second()
            scenario(one, two)
            # What somebody has deleted or replaced may go.
            closed = contents(one, two) - (set() if scenario is disk_not_mounted else before)
            outcome = made.sync()
            if outcome == SAME and tree(one) != tree(two):
                outcome = DIFFERENT
            lost = closed - contents(one, two)
            if lost:
                lost -= made.kept()
            count = max(len(tree(one)), len(tree(two)))
        finally:
            made.close()
    return f"{outcome}, {count} files, {f'{len(lost)} lost' if lost else 'nothing lost'}"


def main() -> None:
    tools = {name: tool for name, tool in TOOLS.items()
             if shutil.which(name.split()[0]) or tool is Tess}  # fmt: skip
    print("|".join(("", " scenario ", *(f" {name} " for name in tools), "")))  # noqa: T201
    print("|---" * (len(tools) + 1) + "|")  # noqa: T201
    for scenario in SCENARIOS:
        name = scenario.__name__.replace("_", " ")
        cells = [f" {play(tool, scenario)} " for tool in tools.values()]
        print("|".join(("", f" {name} ", *cells, "")), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
