"""Writes files of a space to this computer."""

import os
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_client.transfer.download import ChunkPlace, ChunkReader, Damaged
from tessera_client.vault.scan import Problem
from tessera_core.chunks import CHUNK_BYTES, chunk_length
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File, Folder, Item, Link

_RESERVED = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{name}{n}" for name in ("COM", "LPT") for n in range(10)),
}


@dataclass
class Restored:
    files: int = 0
    bytes: int = 0
    failed: list[Problem] = field(default_factory=list)


class Restorer:
    """Restores items below a folder. Links come last and are never followed."""

    def __init__(
        self,
        reader: ChunkReader,
        places: Mapping[bytes, Sequence[ChunkPlace]],
        on_written: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._reader = reader
        self._places = places
        self._on_written = on_written
        self._folded: dict[str, str] = {}

    def restore(self, items: Iterable[tuple[str, Item]], root: Path) -> Restored:
        """Writes each item to its path below the root; an empty path is the root itself."""
        listed = list(items)
        self._reader.plan(
            [
                self._places[chunk][0]
                for _, item in listed
                if isinstance(item, File)
                for chunk in item.chunks
                if chunk in self._places
            ]
        )
        result = Restored()
        try:
            self._restore_all(listed, root, result)
        finally:
            self._reader.note_compared()
        return result

    def _restore_all(self, items: Sequence[tuple[str, Item]], root: Path, result: Restored) -> None:
        for path, item in sorted(items, key=lambda each: isinstance(each[1], Link)):
            try:
                self._write(path, item, root)
            except OSError as error:
                result.failed.append(Problem(path, describe(error)))
            except (Malformed, NotAuthentic):
                result.failed.append(Problem(path, translate("errors.content_damaged")))
            except (Damaged, NotEnoughShards) as error:
                result.failed.append(Problem(path, str(error)))
            except ClientError as error:
                if error.exit_code != 1:
                    raise
                result.failed.append(Problem(path, str(error)))
            else:
                if isinstance(item, File):
                    result.files += 1
                    result.bytes += item.size

    def _write(self, path: str, item: Item, root: Path) -> None:
        target = root
        for name in path.split("/") if path else ():
            _check_name(name)
            if target.is_symlink():
                raise ClientError(translate("errors.link_in_the_way"), code="link_in_the_way")
            target /= name
        self._check_clash(target)
        if isinstance(item, Folder):
            target.mkdir(parents=True, exist_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{secrets.token_hex(8)}.tess")
        try:
            if isinstance(item, Link):
                part.symlink_to(item.target)
            else:
                self._write_file(part, item)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def _chunks(self, item: File) -> list[Sequence[ChunkPlace]]:
        """Finds a file's chunks before anything is written: together they must have its size."""
        chunks = [self._places.get(identifier, ()) for identifier in item.chunks]
        if not all(chunks):
            raise ClientError(translate("errors.chunk_missing"), code="chunk_missing")
        lengths = (chunk_length(item.size, number) for number in range(len(chunks)))
        fitting = [
            [place for place in places if place.length == length]
            for places, length in zip(chunks, lengths, strict=True)
        ]
        if not all(fitting):
            raise Malformed("the chunks do not have the file's size")
        return list(fitting)

    def _write_file(self, part: Path, item: File) -> None:
        chunks = self._chunks(item)
        mode = 0o777 if item.executable else 0o666
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
        with os.fdopen(descriptor, "wb") as file:
            for places in chunks:
                chunk = self._reader.read_any(places)
                _write_sparse(file, chunk)
                self._on_written(len(chunk))
            file.truncate(item.size)
        os.utime(part, ns=(item.modified, item.modified))

    def _check_clash(self, target: Path) -> None:
        """Two names that differ only in case are one on some systems."""
        if sys.platform not in {"darwin", "win32"}:
            return
        folded = str(target).casefold()
        if self._folded.setdefault(folded, str(target)) != str(target):
            raise ClientError(translate("errors.name_clash"), code="name_clash")


_BINARY = getattr(os, "O_BINARY", 0)
_ZEROS = bytes(CHUNK_BYTES)


def _write_sparse(file: BinaryIO, chunk: bytes) -> None:
    """Skips chunks of zeros, so that sparse files stay sparse."""
    if chunk == _ZEROS:
        file.seek(len(chunk), os.SEEK_CUR)
    else:
        file.write(chunk)


def _check_name(name: str) -> None:
    """Refuses names that mean something else on this system."""
    if sys.platform == "win32":
        stem = name.split(".", maxsplit=1)[0].upper()
        bad = set('<>:"/\\|?*') & {*name} or name.endswith((" ", ".")) or stem in _RESERVED
        if bad or min(name) < " ":
            raise ClientError(translate("errors.name_not_possible"), code="name_not_possible")
    elif "/" in name:
        raise ClientError(translate("errors.name_not_possible"), code="name_not_possible")
