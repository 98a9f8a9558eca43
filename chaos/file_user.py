"""Someone who stores files with `tess`, each below a folder of their own, and what has to be found
there afterwards."""

import asyncio
import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from chaos.computer import Computer
from chaos.person import Unanswered

SIZES = (0, 20, 5_000, 300_000, 2_500_000)
GONE = "gone"
# What anybody might store, and what a colleague can know beforehand.
KNOWN_CONTENTS = [f"Minutes of meeting {number}\n".encode() * 1_000 for number in range(12)]
KNOWN_SHARE = 0.3


class WrongContent(Exception):
    """A file came back with another content than was stored."""


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass
class FileUser:
    computer: Computer
    space: str
    # Digests of the acceptable contents by path; more than one after a command whose outcome is
    # unknown.
    expected: dict[str, frozenset[str]] = field(default_factory=dict)
    # Digests of everything ever stored: a conflict copy may hold any of it.
    stored: set[str] = field(default_factory=set)
    is_acting: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def folder(self) -> str:
        return self.computer.folder.name

    def known(self) -> list[str]:
        """Paths of the files that certainly exist."""
        return sorted(
            path
            for path, digests in self.expected.items()
            if len(digests) == 1 and GONE not in digests
        )

    def _not_backed_up(self) -> list[str]:
        """Files that only put, move and remove change."""
        return [path for path in self.known() if "/" not in path]

    async def trust(self, leader: "FileUser") -> None:
        words = (await leader.computer.run("words"))["words"]
        await self.computer.run("trust", leader.computer.email, "--words", words)

    async def put(self) -> None:
        """Stores a new file, or another content under the name of an old one."""
        dice, known = self.computer.person.dice, self._not_backed_up()
        path = dice.choice(known) if known and dice.random() < 0.3 else f"{uuid4().hex[:12]}.bin"
        content = dice.randbytes(dice.choice(SIZES))
        if dice.random() < KNOWN_SHARE:
            content = dice.choice(KNOWN_CONTENTS)
        await self._store({path: content})

    async def put_many(self) -> None:
        dice = self.computer.person.dice
        await self._store({f"{uuid4().hex[:12]}.txt": dice.randbytes(900) for _ in range(20)})

    async def back_up(self) -> None:
        """Backs a folder up, in which something has changed since."""
        folder = self.computer.folder / "documents"
        folder.mkdir(exist_ok=True)
        dice = self.computer.person.dice
        changed = {f"backup/{dice.randrange(8)}.txt": dice.randbytes(3_000) for _ in range(3)}
        for path, content in changed.items():
            (folder / Path(path).name).write_bytes(content)
        with self._changing({path: digest_of(content) for path, content in changed.items()}):
            await self.computer.run("backup", folder, f"{self.space}:/{self.folder}/backup")

    async def move(self) -> None:
        known = self._not_backed_up()
        if not known:
            return
        path, new = self.computer.person.dice.choice(known), f"{uuid4().hex[:12]}.moved"
        (digest,) = self.expected[path]
        with self._changing({path: GONE, new: digest}):
            await self.computer.run(
                "mv", self._place(path), self._place(new), accepted=frozenset({"no_such_path"})
            )

    async def remove(self) -> None:
        known = self._not_backed_up()
        if not known:
            return
        path = self.computer.person.dice.choice(known)
        with self._changing({path: GONE}):
            await self.computer.run(
                "rm", self._place(path), accepted=frozenset({"no_such_path"})
            )  # fmt: skip

    async def get(self) -> None:
        known = self.known()
        if not known:
            return
        path = self.computer.person.dice.choice(known)
        out = self.computer.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        await self.computer.run("get", self._place(path), out / "file")
        (digest,) = self.expected[path]
        if digest_of((out / "file").read_bytes()) != digest:
            raise WrongContent(self._place(path))

    def _place(self, path: str) -> str:
        return f"{self.space}:/{self.folder}/{path}"

    async def _store(self, contents: dict[str, bytes]) -> None:
        folder = self.computer.folder / "files"
        for path, content in contents.items():
            (folder / path).write_bytes(content)
        with self._changing({path: digest_of(content) for path, content in contents.items()}):
            files = [folder / path for path in contents]
            await self.computer.run("put", *files, f"{self.space}:/{self.folder}/")

    @contextmanager
    def _changing(self, new: dict[str, str]) -> Iterator[None]:
        """Expects the new contents afterwards, and the former ones too if nobody knows."""
        former = {path: self.expected.get(path, frozenset({GONE})) for path in new}
        self.stored |= set(new.values()) - {GONE}
        try:
            yield
        except Unanswered:
            for path, digest in new.items():
                self.expected[path] = former[path] | {digest}
            raise
        self.expected |= {path: frozenset({digest}) for path, digest in new.items()}
