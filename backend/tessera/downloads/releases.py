"""The folder of published files, as listed in its signed manifest."""

import hashlib
import stat
import time
from dataclasses import dataclass
from functools import lru_cache
from os import stat_result
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from tessera.downloads.errors import ReleasesNotReadable
from tessera.settings import Settings
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.release import (
    PROGRESS,
    RELEASE_KEYS,
    SANDBOX_KEY,
    Release,
    ReleaseFile,
    open_release,
)

log = structlog.get_logger()

MANIFEST = "manifest.json"
# A build reports more often, on a slow network too; an older report is of one that was stopped.
BUILD_SECONDS = 600


@dataclass(frozen=True)
class StoredFile:
    """A file that exists and is what the manifest says."""

    path: Path
    listed: ReleaseFile
    facts: stat_result


class BuildProgress(Struct, frozen=True):
    done: int
    total: int


@dataclass(frozen=True)
class Published:
    """A release with those of its files that can be served."""

    release: Release
    stored: dict[str, StoredFile]


def read_manifest(settings: Settings) -> str | None:
    """The signed text; None if nothing is published."""
    try:
        return (settings.releases_folder / MANIFEST).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        log.error("the releases manifest cannot be read", error=type(error).__name__)
        raise ReleasesNotReadable from None


def current_release(settings: Settings) -> Published | None:
    """Reads and hashes files: run it in a thread. None if nothing is published."""
    manifest = read_manifest(settings)
    if manifest is None:
        return None
    if not settings.sandbox and not RELEASE_KEYS:
        log.error("nothing is published without a release key: run `tessera release init`")
        raise ReleasesNotReadable
    try:
        release = open_release(manifest, {SANDBOX_KEY} if settings.sandbox else RELEASE_KEYS)
    except (Malformed, NotAuthentic) as error:
        log.error("the releases manifest is refused", reason=str(error))
        raise ReleasesNotReadable from None
    found = (_find(settings.releases_folder, listed) for listed in release.files)
    return Published(release, {file.listed.name: file for file in found if file is not None})


def build_progress(settings: Settings) -> BuildProgress | None:
    """How far the sandbox's first build is; None if none is running."""
    path = settings.releases_folder / PROGRESS
    try:
        if not settings.sandbox or time.time() - path.stat().st_mtime > BUILD_SECONDS:
            return None
        return msgspec.json.decode(path.read_bytes(), type=BuildProgress)
    except (OSError, msgspec.DecodeError):
        return None


def _find(folder: Path, listed: ReleaseFile) -> StoredFile | None:
    path = folder / listed.name
    try:
        facts = path.lstat()
        # No symbolic links either: only files in this folder are served.
        if not stat.S_ISREG(facts.st_mode):
            log.error("a published file is no plain file", file=listed.name)
            return None
        digest = _sha256(path, facts.st_mtime_ns, facts.st_size, facts.st_ino)
    except OSError as error:
        log.error("a published file is missing", file=listed.name, error=type(error).__name__)
        return None
    if digest != listed.sha256:
        log.error("a file differs from what was published", file=listed.name)
        return None
    return StoredFile(path, listed, facts)


@lru_cache(maxsize=64)
def _sha256(path: Path, _changed: int, _size: int, _inode: int) -> str:
    """Cached, so that each state of the file is hashed once, not once per request."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
