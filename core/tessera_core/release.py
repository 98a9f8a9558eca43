"""The signed list of a release's files. Updates of the client are trusted by it alone."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tessera_core import base64url
from tessera_core.errors import Malformed, NotAuthentic

# Public keys, base64url. Their private halves are kept offline (docs/operations.md).
RELEASE_KEYS: frozenset[str] = frozenset()
# Its private half is in this repository: only a client on its service's own computer accepts it.
SANDBOX_KEY = "N2T5PLyaFWIPdHfNsNdPuhg-T1QBXLW74RtPh4dss9Y"

# In the folder of built files while they are being built: how many steps are done.
PROGRESS = "progress.json"
PLATFORMS = ("macos", "windows", "linux")

_LABEL = b"tessera-release+1\n"
_MAX_LENGTH = 64 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_VERSION = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){1,3}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MACHINES = {"x64", "arm64", None}


@dataclass(frozen=True)
class ReleaseFile:
    """`machine` is None for a file that runs on every processor."""

    name: str
    platforms: tuple[str, ...]
    machine: str | None
    needs_python: bool
    size: int
    sha256: str
    is_installer: bool = False
    is_signed: bool = False
    """Whether it has the signature that its system looks for; nobody checked here whose it is."""


@dataclass(frozen=True)
class Release:
    version: str
    files: tuple[ReleaseFile, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """Newer releases compare higher."""
        return version_order(self.version)


def version_order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def sign_release(release: Release, key: Ed25519PrivateKey) -> str:
    files = [
        {
            "name": file.name,
            "platforms": list(file.platforms),
            "machine": file.machine,
            "needsPython": file.needs_python,
            "size": file.size,
            "sha256": file.sha256,
            "isInstaller": file.is_installer,
            "isSigned": file.is_signed,
        }
        for file in release.files
    ]
    payload = json.dumps({"version": release.version, "files": files})
    manifest = {
        "release": payload,
        "key": base64url.encode(key.public_key().public_bytes_raw()),
        "signature": base64url.encode(key.sign(_LABEL + payload.encode())),
    }
    return json.dumps(manifest, indent=1) + "\n"


def open_release(manifest: str, trusted: Collection[str]) -> Release:
    """Checks the signature before anything inside is read."""
    if len(manifest) > _MAX_LENGTH:
        raise Malformed("the list of the release's files is too long")
    try:
        outer = json.loads(manifest)
        payload, key, signature = outer["release"], outer["key"], outer["signature"]
        message, raw_signature = _LABEL + payload.encode(), base64url.decode(signature)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Malformed("this is no list of a release's files") from None
    if key not in trusted:
        raise NotAuthentic("the release is signed with a key that is not trusted here")
    try:
        Ed25519PublicKey.from_public_bytes(base64url.decode(key)).verify(raw_signature, message)
    except InvalidSignature:
        raise NotAuthentic("the release's signature is wrong") from None
    try:
        return _read(json.loads(payload))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Malformed("the list of the release's files is malformed") from None


def _read(data: Any) -> Release:  # noqa: ANN401 - parsed JSON
    if not _VERSION.fullmatch(data["version"]):
        raise Malformed("the version is malformed")
    return Release(data["version"], tuple(_read_file(each) for each in data["files"]))


def _read_file(data: Any) -> ReleaseFile:  # noqa: ANN401 - parsed JSON
    file = ReleaseFile(
        data["name"],
        tuple(data["platforms"]),
        data["machine"],
        data["needsPython"],
        data["size"],
        data["sha256"],
        data.get("isInstaller", False),
        data.get("isSigned", False),
    )
    if (
        not _NAME.fullmatch(file.name)
        or not _SHA256.fullmatch(file.sha256)
        or not {*file.platforms} <= {*PLATFORMS}
        or file.machine not in _MACHINES
        or {type(file.needs_python), type(file.is_installer), type(file.is_signed)} != {bool}
        or type(file.size) is not int
        or file.size < 0
    ):
        raise Malformed("a file of the release is malformed")
    return file
