"""Whether a file carries the signature that Windows or macOS looks for. Whose it is, they check."""

import struct
import zlib
from pathlib import Path

_PE_SIGNATURE_ENTRY = 4
_PE_ENTRIES_AT = {0x10B: 96, 0x20B: 112}
_MAX_TABLE_BYTES = 1024 * 1024


def has_signature(path: Path) -> bool:
    match path.suffix:
        case ".exe":
            return _has_authenticode(path)
        case ".pkg":
            return _has_package_signature(path)
    return False


def _has_authenticode(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(4096)
    try:
        (start,) = struct.unpack_from("<I", head, 0x3C)
        optional = start + 24
        (kind,) = struct.unpack_from("<H", head, optional)
        entry = optional + _PE_ENTRIES_AT[kind] + 8 * _PE_SIGNATURE_ENTRY
        _, size = struct.unpack_from("<II", head, entry)
    except (struct.error, KeyError):
        return False
    return head[:2] == b"MZ" and head[start : start + 4] == b"PE\0\0" and bool(size)


def _has_package_signature(path: Path) -> bool:
    """A .pkg is a xar archive, whose table of contents names its signatures."""
    with path.open("rb") as file:
        head = file.read(28)
        if not head.startswith(b"xar!"):
            return False
        try:
            _, header_size, _, length = struct.unpack_from(">4sHHQ", head)
            file.seek(header_size)
            packed = file.read(min(length, _MAX_TABLE_BYTES))
            table = zlib.decompressobj().decompress(packed, _MAX_TABLE_BYTES)
        except (struct.error, zlib.error):
            return False
    return b"<signature " in table
