"""The independent reader's fourth part: changes, checkpoints, and what they make of the files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from core.tests.independent_keys import MIB, Fields, need
from core.tests.independent_packs import PackRecord

Contents = dict[bytes, list[tuple[bytes, int, int]]]


@dataclass
class Version:
    sequence: int
    operation: int
    item: dict[str, Any] | None
    conflict: bool


@dataclass
class Files:
    name: str = ""
    versions: dict[str, list[Version]] = field(default_factory=dict)
    contents: Contents = field(default_factory=dict)
    """The chunks of each pack, with their lengths and how much of them is stored."""
    moved: int = 0

    def change(self, content: bytes, sequence: int, added: Sequence[PackRecord] = ()) -> "Files":
        """Returns the files after a change; a refused one has not touched these."""
        contents, operations = read_change(content, {record.pack: record for record in added})
        versions = {path: [*each] for path, each in self.versions.items()}
        after = Files(self.name, versions, self.contents | contents)
        for at, (code, fields) in enumerate(operations):
            after._apply(code, fields, sequence, at)
        return after

    def current(self, path: str) -> Version | None:
        versions = self.versions.get(path)
        return versions[-1] if versions and versions[-1].item else None

    def below(self, path: str, *, itself: bool = True) -> list[str]:
        found = [
            each
            for each in self.versions
            if (each.startswith(f"{path}/") or (itself and each == path)) and self.current(each)
        ]
        return sorted(found, key=lambda each: [part.encode() for part in each.split("/")])

    def places(self, chunk: bytes) -> list[tuple[bytes, int, int, int, int]]:
        """Every place where a chunk is said to be: pack, position, offset, length, stored."""
        found = []
        for pack, chunks in self.contents.items():
            offset = 0
            for position, (identifier, size, stored) in enumerate(chunks):
                if identifier == chunk:
                    found.append((pack, position, offset, size, stored))
                offset += stored + 16
        return found

    def _apply(self, code: int, fields: tuple[Any, ...], sequence: int, operation: int) -> None:
        def add(path: str, item: dict[str, Any] | None, *, conflict: bool = False) -> None:
            version = Version(sequence, operation, item, conflict)
            self.versions.setdefault(path, []).append(version)

        def put(path: str, item: dict[str, Any], *, conflict: bool = False) -> None:
            parts = path.split("/")
            for count in range(1, len(parts)):
                above = self.current("/".join(parts[:count]))
                if above and above.item and above.item["type"] != 2:
                    add("/".join(parts[:count]), None)
            if item["type"] != 2:
                for each in self.below(path, itself=False):
                    add(each, None)
            add(path, item, conflict=conflict)

        if code == 4:
            self.name = fields[0]
            return
        path = fields[0]
        if code == 3:
            moved = [(each, self.current(each)) for each in self.below(path)]
            self.moved += len(moved)
            need(self.moved <= 200_000, "too many items moved")
            for each, _ in moved:
                add(each, None)
            for each, version in moved:
                if version and version.item:
                    put(check_path(fields[1] + each[len(path) :]), version.item)
            return
        now = self.current(path)
        conflict = (now.sequence if now else 0) != fields[1]
        if code == 1:
            put(path, fields[2], conflict=conflict)
        else:
            for each in self.below(path):
                add(each, None, conflict=conflict and each == path)


def read_change(
    content: bytes, added: Mapping[bytes, PackRecord]
) -> tuple[Contents, list[tuple[int, tuple[Any, ...]]]]:
    need(len(content) <= 67_108_864, "the size of a change")
    fields = Fields(content)
    need(fields.number(1) == 1, "the version")
    contents = read_contents(fields, added)
    count = fields.number(4)
    need(count <= 20_000, "the number of operations")
    operations = [read_operation(fields) for _ in range(count)]
    fields.end()
    return contents, operations


def read_contents(fields: Fields, known: Mapping[bytes, PackRecord]) -> Contents:
    contents: Contents = {}
    for _ in range(fields.number(4)):
        pack = fields.take(16)
        need(pack in known and pack not in contents, "a pack that must not be described")
        chunks = []
        for _ in range(fields.number(4)):
            identifier, size, stored = fields.take(32), fields.number(4), fields.number(4)
            need(1 <= stored <= size <= MIB, "a chunk's length")
            chunks.append((identifier, size, stored))
        room = sum(stored + 16 + 40 for _, _, stored in chunks) + 40
        need(chunks and room <= known[pack].length, "the room in a pack")
        contents[pack] = chunks
    return contents


def read_operation(fields: Fields) -> tuple[int, tuple[Any, ...]]:
    code = fields.number(1)
    if code == 1:
        path, base, item = read_path(fields), fields.number(8), read_item(fields)
        need(item, "a put of nothing")
        return code, (path, base, item)
    if code == 2:
        return code, (read_path(fields), fields.number(8))
    if code == 3:
        old, new = read_path(fields), read_path(fields)
        need(new != old and not new.startswith(f"{old}/"), "a move into itself")
        return code, (old, new)
    need(code == 4, "the operation")
    name = fields.text(255)
    need("\0" not in name, "the space's name")
    return code, (name,)


def read_path(fields: Fields) -> str:
    return check_path(fields.text(4096))


def check_path(path: str) -> str:
    names = path.split("/")
    need(len(names) <= 100 and len(path.encode()) <= 4096, "the path's length")
    for name in names:
        need(name not in ("", ".", "..") and "\0" not in name, "a name")
        need(len(name.encode()) <= 255, "a name's length")
    return path


def read_item(fields: Fields) -> dict[str, Any] | None:
    kind = fields.number(1)
    need(kind <= 3, "the type")
    if kind == 0:
        return None
    if kind == 1:
        size, modified, flags = fields.number(8), fields.signed(), fields.number(1)
        need(flags <= 3, "flags")
        count = -(-size // MIB)
        need(count * 32 <= len(fields.data) - fields.at, "more chunks than bytes")
        chunks = [fields.take(32) for _ in range(count)]
        flagged = {"executable": bool(flags & 1), "private": bool(flags & 2)}
        return {"type": 1, "size": size, "modified": modified, "chunks": chunks} | flagged
    item: dict[str, Any] = {"type": kind, "modified": fields.signed()}
    if kind == 2:
        flags = fields.number(1)
        need(flags in (0, 2), "flags")
        return item | {"private": flags == 2}
    target = fields.text(4096)
    need("\0" not in target, "a link's target")
    return item | {"target": target}


def read_checkpoint(content: bytes, sequence: int, before: Mapping[bytes, PackRecord]) -> Files:
    """`before` are the packs that entries before the checkpoint added."""
    fields = Fields(content)
    need(fields.number(1) == 1, "the version")
    size = fields.number(2)
    need(size <= 255, "the name")
    try:
        name = fields.take(size).decode("utf-8")
    except UnicodeDecodeError:
        need(False, "not UTF-8")
    need("\0" not in name, "the name")
    files, order = Files(name, contents=read_contents(fields, before)), []
    for _ in range(fields.number(4)):
        path, made, operation = read_path(fields), fields.number(8), fields.number(4)
        fields.take(8 + 16)
        conflict = fields.number(1)
        need(conflict <= 1 and 1 <= made < sequence, "a version")
        version = Version(made, operation, read_item(fields), bool(conflict))
        files.versions.setdefault(path, []).append(version)
        order.append((path.encode(), made, operation))
    fields.end()
    need(all(one <= other for one, other in pairwise(order)), "the order of versions")
    for path in files.versions:
        parts = path.split("/") if files.current(path) else []
        for count in range(1, len(parts)):
            above = files.current("/".join(parts[:count]))
            need(not above or (above.item or {})["type"] == 2, "something below a file")
    return files
