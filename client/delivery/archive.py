"""The .pyz: one file that runs on every target with a plain Python and without network."""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from client.delivery.targets import Target
from client.delivery.wheels import DeliveryFailed

_BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
_INTERPRETER = b"#!/usr/bin/env python3\n"
_DATE = (1980, 1, 1, 0, 0, 0)


def write_archive(own: Path, wheels: Mapping[Target, list[Path]], to: Path) -> None:
    """The same wheels give the same bytes. `own` is the client's wheel."""
    chosen = {path.name: path for paths in wheels.values() for path in paths} | {own.name: own}
    for path in chosen.values():
        _require_plain(path)
    index = {
        "targets": {
            target.name: sorted([own.name, *(path.name for path in paths)])
            for target, paths in wheels.items()
        },
        "sha256": {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in sorted(chosen.items())
        },
    }
    with to.open("wb") as file:
        file.write(_INTERPRETER)
        with zipfile.ZipFile(file, "w") as pyz:
            _add(pyz, "__main__.py", _BOOTSTRAP.read_bytes(), zipfile.ZIP_DEFLATED)
            _add(pyz, "index.json", json.dumps(index, indent=1).encode(), zipfile.ZIP_DEFLATED)
            for name, path in sorted(chosen.items()):
                _add(pyz, f"wheels/{name}", path.read_bytes(), zipfile.ZIP_STORED)
    to.chmod(0o755)


def _require_plain(wheel: Path) -> None:
    """A wheel that needs an installer cannot only be unpacked."""
    with zipfile.ZipFile(wheel) as content:
        if any(name.split("/")[0].endswith(".data") for name in content.namelist()):
            raise DeliveryFailed(f"{wheel.name} has files that only an installer can place.")


def _add(pyz: zipfile.ZipFile, name: str, content: bytes, compression: int) -> None:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.external_attr = 0o644 << 16
    pyz.writestr(entry, content, compression)
