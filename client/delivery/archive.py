"""The .pyz: one file for a system that runs with a plain Python and without network."""

import hashlib
import json
import lzma
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from client.delivery.targets import Target
from client.delivery.wheels import DeliveryFailed

_BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
_INTERPRETER = b"#!/usr/bin/env python3\n"
_DATE = (1980, 1, 1, 0, 0, 0)
# Long enough to reach from the module of one Python to the same module of another: a second one
# takes a fifth of the first.
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 3, "dict_size": 64 * 1024 * 1024}]
_PYTHON = re.compile(r"cpython-\d+|cp\d+")
# Whoever downloads one waits for it; a dependency that makes them larger is a decision.
MAX_BYTES = 40_000_000


def write_archive(own: Path, wheels: Mapping[Target, list[Path]], to: Path) -> None:
    """The same wheels give the same bytes. `own` is the client's wheel."""
    contents: dict[str, bytes] = {}
    names: dict[str, str] = {}
    targets: dict[str, dict[str, str]] = {}
    for target, paths in wheels.items():
        files = targets[target.name] = {}
        for path in sorted([own, *paths]):
            for name, content in _files(path):
                digest = hashlib.sha256(content).hexdigest()
                files[name] = digest
                contents[digest] = content
                names.setdefault(digest, name)
    # What is alike comes one after another.
    order = sorted(contents, key=lambda digest: (_PYTHON.sub("", names[digest]), names[digest]))
    numbers = {digest: number for number, digest in enumerate(order)}
    index = {
        "targets": {
            target: {name: numbers[digest] for name, digest in sorted(files.items())}
            for target, files in targets.items()
        },
        "files": [[digest, len(contents[digest])] for digest in order],
    }
    compressor = lzma.LZMACompressor(filters=_FILTERS)
    blocks = [compressor.compress(contents[digest]) for digest in order]
    packed = b"".join([*blocks, compressor.flush()])
    with to.open("wb") as file:
        file.write(_INTERPRETER)
        with zipfile.ZipFile(file, "w") as pyz:
            _add(pyz, "__main__.py", _BOOTSTRAP.read_bytes(), zipfile.ZIP_DEFLATED)
            _add(pyz, "index.json", json.dumps(index).encode(), zipfile.ZIP_DEFLATED)
            _add(pyz, "files.xz", packed, zipfile.ZIP_STORED)
    to.chmod(0o755)
    if to.stat().st_size > MAX_BYTES:
        raise DeliveryFailed(f"{to} has more than {MAX_BYTES:,} bytes.")


def _files(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as content:
        for name in content.namelist():
            if ".data/data/share/man/" in name:  # Of a command that a library brings.
                continue
            if name.split("/")[0].endswith(".data"):
                raise DeliveryFailed(f"{wheel.name} has files that only an installer can place.")
            if not name.endswith("/"):
                yield name, content.read(name)


def _add(pyz: zipfile.ZipFile, name: str, content: bytes, compression: int) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.external_attr = 0o644 << 16
    pyz.writestr(entry, content, compression)
