"""The manifest of a folder of built files, signed with a key that is kept offline."""

import hashlib
import re
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    load_pem_private_key,
)

from client.delivery.platform_signatures import has_signature
from client.delivery.wheels import DeliveryFailed
from tessera_core import base64url
from tessera_core.release import (
    RELEASE_KEYS,
    Release,
    ReleaseFile,
    sign_release,
)
from tessera_core.version import __version__

MANIFEST = "manifest.json"
# The reader of the recovery kit runs in browsers: it is for no system of its own.
READER = "kit.html"

_FILE = re.compile(
    r"tess-(?P<version>[0-9.]+)-(?P<platform>[a-z]+)-(?P<machine>[a-z0-9]+)"
    r"(?P<suffix>\.exe|\.pyz|-setup\.exe|\.deb|\.pkg)?"
)
_INSTALLERS = {"-setup.exe", ".deb", ".pkg"}


def sandbox_key() -> Ed25519PrivateKey:
    """Everybody can make it: it is for trying things out, and no other client accepts it."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"tessera sandbox release").digest())


def load_key(path: Path, password: str) -> Ed25519PrivateKey:
    key = load_pem_private_key(path.read_bytes(), password.encode() or None)
    if not isinstance(key, Ed25519PrivateKey):
        raise DeliveryFailed(f"{path} is not an Ed25519 key.")
    public = base64url.encode(key.public_key().public_bytes_raw())
    if public not in RELEASE_KEYS:
        raise DeliveryFailed(
            f"{public} is not in RELEASE_KEYS (core/tessera_core/release.py): no client would"
            " accept it. Make a key with `tessera release init`."
        )
    return key


def sign_folder(folder: Path, key: Ed25519PrivateKey) -> Release:
    """Lists the files of this version; the manifest replaces the former one at once."""
    files = [found for path in sorted(folder.iterdir()) if (found := _describe(path))]
    release = Release(__version__, tuple(files))
    part = folder / f".{MANIFEST}.part"
    part.write_text(sign_release(release, key), encoding="utf-8")
    part.replace(folder / MANIFEST)
    return release


def _describe(path: Path) -> ReleaseFile | None:
    found = _FILE.fullmatch(path.name)
    is_reader = path.name == READER
    if not is_reader and (not found or found["version"] != __version__):
        return None
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = path.stat().st_size
    if found is None:
        return ReleaseFile(path.name, (), None, False, size, digest)
    return ReleaseFile(
        path.name,
        (found["platform"],),
        found["machine"],
        found["suffix"] == ".pyz",
        size,
        digest,
        found["suffix"] in _INSTALLERS,
        has_signature(path),
    )
