"""Does the same random things below two folders and compares what they answer and hold.

python -m client.tests.drive.exerciser MOUNT LOCAL --operations 100000 --seed 1
"""

import argparse
import errno
import mmap
import os
import random
import shutil
import stat
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

NAMES = ["a", "b", "c", "report.txt", "Übersicht.md", "ملف"]
MAX_BYTES = 400_000
COMPARE_EVERY = 2000


class Exerciser:
    def __init__(self, roots: list[Path], seed: int) -> None:
        self._roots = roots
        self._source = random.Random(seed)
        self.done: Counter[str] = Counter()
        self._open: dict[str, list[int]] = {}

    def run(self, operations: int) -> None:
        kinds: list[Callable[[], None]] = [
            *[self._write] * 6, *[self._read] * 6, *[self._write_whole] * 3, self._truncate,
            self._append, self._map, self._rename, self._save_aside, self._remove, self._mkdir,
            self._rmdir, self._list, self._mode, self._time, self._hold, self._use_held,
        ]  # fmt: skip
        for number in range(operations):
            operation = self._source.choice(kinds)
            self.done[operation.__name__.strip("_")] += 1
            operation()
            if number % COMPARE_EVERY == COMPARE_EVERY - 1:
                self.compare()
        for path in list(self._open):
            self._close(path)
        self.compare()

    def compare(self) -> None:
        one, other = (_contents(root) for root in self._roots)
        assert one == other, _difference(one, other)

    def _both(self, call: Callable[[Path], object], *, exactly: bool = True) -> None:
        """Calls may fail, but then on both sides."""
        answers = []
        for root in self._roots:
            try:
                answers.append(call(root))
            except OSError as error:
                answers.append(errno.errorcode.get(error.errno or 0) if exactly else "failed")
        assert answers[0] == answers[1], [str(each)[:300] for each in answers]

    def _path(self) -> str:
        return "/".join(self._source.choices(NAMES, k=self._source.choice([1, 1, 2, 2, 3])))

    def _span(self) -> tuple[int, int]:
        size = self._source.choice([1, 100, 4096, 20_000, 70_000, 140_000])
        return self._source.randrange(MAX_BYTES), self._source.randint(1, size)

    def _write(self) -> None:
        path, (offset, size) = self._path(), self._span()
        data = self._source.randbytes(size)

        def write(root: Path) -> None:
            with (root / path).open("r+b") as file:
                file.seek(offset)
                file.write(data)

        self._both(write)

    def _write_whole(self) -> None:
        path, (_, size) = self._path(), self._span()
        data = self._source.randbytes(size)
        self._both(lambda root: (root / path).write_bytes(data))

    def _append(self) -> None:
        path, data = self._path(), self._source.randbytes(500)

        def append(root: Path) -> None:
            with (root / path).open("ab") as file:
                file.write(data)

        self._both(append)

    def _read(self) -> None:
        path, (offset, size) = self._path(), self._span()

        def read(root: Path) -> bytes:
            with (root / path).open("rb") as file:
                file.seek(offset)
                return file.read(size)

        self._both(read)

    def _truncate(self) -> None:
        path, size = self._path(), self._source.randrange(MAX_BYTES)
        self._both(lambda root: os.truncate(root / path, size))

    def _map(self) -> None:
        path, data = self._path(), self._source.randbytes(64)
        position = self._source.random()

        def change(root: Path) -> bytes:
            with (root / path).open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
                at = int(position * max(0, len(memory) - len(data)))
                memory[at : at + len(data)] = data[: len(memory) - at]
                memory.flush()
                return bytes(memory[:1000])

        def attempt(root: Path) -> bytes:
            try:
                return change(root)
            except ValueError:
                return b"empty"

        self._both(attempt)

    def _rename(self) -> None:
        source, target = self._path(), self._path()
        if not self._is_held(source) and not self._is_held(target):
            self._both(lambda root: _rename(root / source, root / target), exactly=False)

    def _save_aside(self) -> None:
        """As editors save."""
        path, data = self._path(), self._source.randbytes(3000)

        def save(root: Path) -> None:
            aside = (root / path).with_name(".aside.tmp")
            aside.write_bytes(data)
            try:
                aside.replace(root / path)
            except OSError:
                aside.unlink()
                raise

        if not self._is_held(path):
            self._both(save)

    def _remove(self) -> None:
        path = self._path()
        if not self._is_held(path):
            self._both(lambda root: (root / path).unlink())

    def _mkdir(self) -> None:
        path = self._path()
        self._both(lambda root: (root / path).mkdir())

    def _rmdir(self) -> None:
        path, is_whole = self._path(), self._source.random() < 0.3
        if self._is_held(path):
            return
        if is_whole:
            self._both(lambda root: shutil.rmtree(root / path), exactly=False)
        else:
            self._both(lambda root: (root / path).rmdir())

    def _list(self) -> None:
        path = self._path()
        self._both(lambda root: sorted(each.name for each in (root / path).iterdir()))

    def _mode(self) -> None:
        path, mode = self._path(), self._source.choice([0o644, 0o755, 0o600])

        def change(root: Path) -> bool:
            (root / path).chmod(mode)
            return _is_executable(root / path)

        if not (self._roots[1] / path).is_dir():
            self._both(change)

    def _time(self) -> None:
        path, moment = self._path(), self._source.randrange(10**9) * 10**9

        def change(root: Path) -> int:
            os.utime(root / path, ns=(moment, moment))
            return (root / path).stat().st_mtime_ns

        self._both(change)

    def _hold(self) -> None:
        """Keeps a file open for later."""
        path = self._path()
        if path in self._open:
            self._close(path)
            return
        descriptors = []
        for root in self._roots:
            try:
                descriptors.append(os.open(root / path, os.O_RDWR))
            except OSError:
                continue
        assert len(descriptors) in {0, 2}, path
        if descriptors:
            self._open[path] = descriptors

    def _use_held(self) -> None:
        if not self._open:
            return
        path = self._source.choice(list(self._open))
        offset, size = self._span()
        data = self._source.randbytes(size)
        answers = []
        for descriptor in self._open[path]:
            os.pwrite(descriptor, data, offset)
            answers.append((os.fstat(descriptor).st_size, os.pread(descriptor, size, offset // 2)))
        assert answers[0] == answers[1], path

    def _is_held(self, path: str) -> bool:
        return any(f"{held}/".startswith(f"{path}/") for held in self._open)

    def _close(self, path: str) -> None:
        for descriptor in self._open.pop(path):
            os.close(descriptor)


def _rename(source: Path, target: Path) -> None:
    """Answers nothing, unlike Python's own."""
    source.rename(target)


def _is_executable(path: Path) -> bool:
    return bool(path.stat().st_mode & stat.S_IXUSR)


def _contents(root: Path) -> dict[str, object]:
    return {
        str(path.relative_to(root)): (path.read_bytes(), _is_executable(path))
        if path.is_file()
        else None
        for path in sorted(root.rglob("*"))
    }


def _difference(one: dict[str, object], other: dict[str, object]) -> str:
    differing = [path for path in one.keys() & other.keys() if one[path] != other[path]]
    return f"only mounted: {one.keys() - other.keys()}, only local: {other.keys() - one.keys()}," \
           f" different: {differing}"  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("mount", type=Path)
    parser.add_argument("local", type=Path)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    exerciser = Exerciser([given.mount, given.local], given.seed)
    exerciser.run(given.operations)
    sys.stdout.write(f"seed {given.seed}: {given.operations} operations, the same on both sides\n")
    sys.stdout.write(f"{dict(exerciser.done)}\n")


if __name__ == "__main__":
    main()
