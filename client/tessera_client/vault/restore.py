"""Writes files of a space to this computer."""

import os
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_client.transfer.download import ChunkPlace, ChunkReader, Damaged
from tessera_client.vault.disk_names import DiskPaths, Renamed
from tessera_client.vault.scan import Problem
from tessera_client.vault.target_folders import (
    FOLDER_MODE,
    PRIVATE_FOLDER,
    TargetFolder,
    TargetTree,
    open_folder,
)
from tessera_core.chunks import CHUNK_BYTES, chunk_length
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File, Folder, Item, Link


@dataclass
class Restored:
    files: int = 0
    bytes: int = 0
    failed: list[Problem] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    """What this system cannot hold under its own name."""
    written: list[tuple[str, Item, Path]] = field(default_factory=list)
    """What was written, and where."""


class Restorer:
    """Restores items below a folder. Links are never followed."""

    def __init__(
        self,
        reader: ChunkReader,
        places: Mapping[bytes, Sequence[ChunkPlace]],
        on_written: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._reader = reader
        self._places = places
        self._on_written = on_written

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
        result, tree = Restored(), TargetTree(root)
        try:
            self._restore_all(listed, root, tree, result)
        finally:
            tree.close()
            self._reader.note_compared()
        return result

    def _restore_all(
        self, items: Sequence[tuple[str, Item]], root: Path, tree: TargetTree, result: Restored
    ) -> None:
        """Folders come first and links last; the order of names decides which one keeps a name."""
        paths = DiskPaths()
        for path, item in sorted(items, key=lambda each: (_RANKS[type(each[1])], each[0])):
            names = paths.find(path)
            try:
                self._write(names, item, root, tree)
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
                result.written.append((path, item, root.joinpath(*names)))
                if isinstance(item, File):
                    result.files += 1
                    result.bytes += item.size
        result.renamed = paths.renamed

    def _write(self, names: tuple[str, ...], item: Item, root: Path, tree: TargetTree) -> None:
        if isinstance(item, Folder):
            tree.folder(names, PRIVATE_FOLDER if item.private else FOLDER_MODE)
        elif names:
            self._replace(tree.folder(names[:-1]), names[-1], item)
        else:
            root.parent.mkdir(parents=True, exist_ok=True)
            folder = open_folder(root.parent, follow=True)
            try:
                self._replace(folder, root.name, item)
            finally:
                folder.close()

    def _replace(self, folder: TargetFolder, name: str, item: File | Link) -> None:
        """Completely or not at all."""
        part = f".{secrets.token_hex(8)}.tess"
        try:
            if isinstance(item, Link):
                folder.create_link(part, item.target)
            else:
                self._write_file(folder, part, item)
            folder.replace(part, name)
        finally:
            folder.remove(part)

    def _chunks(self, item: File) -> list[Sequence[ChunkPlace]]:
        """Finds a file's chunks before anything is written: together they must have its size."""
        chunks = [self._places.get(identifier, ()) for identifier in item.chunks]
        if not all(chunks):
            raise ClientError.from_code("chunk_missing")
        lengths = (chunk_length(item.size, number) for number in range(len(chunks)))
        fitting = [
            [place for place in places if place.chunk.length == length]
            for places, length in zip(chunks, lengths, strict=True)
        ]
        if not all(fitting):
            raise Malformed("the chunks do not have the file's size")
        return list(fitting)

    def _write_file(self, folder: TargetFolder, part: str, item: File) -> None:
        chunks = self._chunks(item)
        mode = 0o777 if item.executable else 0o666
        if item.private:
            mode &= 0o700
        with folder.create(part, mode, item.modified) as file:
            for places in chunks:
                chunk = self._reader.read_any(places)
                _write_sparse(file, chunk)
                self._on_written(len(chunk))
            file.truncate(item.size)


_RANKS = {Folder: 0, File: 1, Link: 2}
_ZEROS = bytes(CHUNK_BYTES)


def _write_sparse(file: BinaryIO, chunk: bytes) -> None:
    """Skips chunks of zeros, so that sparse files stay sparse."""
    if chunk == _ZEROS:
        file.seek(len(chunk), os.SEEK_CUR)
    else:
        file.write(chunk)
