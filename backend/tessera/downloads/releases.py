"""The folder of published installers, as listed in its manifest."""

import hashlib
import stat
from dataclasses import dataclass
from functools import lru_cache
from os import stat_result
from pathlib import Path
from typing import Annotated

import structlog
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from tessera.downloads.errors import ReleasesNotReadable
from tessera.downloads.schemas import Platform
from tessera.settings import Settings

log = structlog.get_logger()

MANIFEST = "manifest.json"

# A bare name without separator or leading dot, so it cannot point outside the folder.
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
Version = Annotated[str, StringConstraints(pattern=r"^[0-9]+(\.[0-9]+){1,3}$")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Published(BaseModel):
    model_config = ConfigDict(extra="forbid")

    file: FileName
    sha256: Sha256


class Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: Version
    sample: bool = False
    installers: dict[Platform, Published]


@dataclass(frozen=True)
class Installer:
    """A file that exists and matches the published checksum."""

    path: Path
    file_name: str
    sha256: str
    facts: stat_result

    @property
    def size(self) -> int:
        return self.facts.st_size


@dataclass(frozen=True)
class Release:
    version: str
    sample: bool
    installers: dict[Platform, Installer]


def current_release(settings: Settings) -> Release | None:
    """Reads and hashes files: run it in a thread. None if nothing is published."""
    folder = settings.releases_folder
    manifest = _read_manifest(folder)
    if manifest is None:
        return None
    if manifest.sample and not settings.sandbox:
        log.error("the releases folder holds the sandbox's samples", folder=str(folder))
        raise ReleasesNotReadable
    found = {
        platform: installer
        for platform, published in manifest.installers.items()
        if (installer := _find(folder, published)) is not None
    }
    return Release(manifest.version, manifest.sample, found)


def _read_manifest(folder: Path) -> Manifest | None:
    try:
        text = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        log.error("the releases manifest cannot be read", error=type(error).__name__)
        raise ReleasesNotReadable from None
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        log.error("the releases manifest is malformed", problems=error.error_count())
        raise ReleasesNotReadable from None


def _find(folder: Path, published: Published) -> Installer | None:
    path = folder / published.file
    try:
        facts = path.lstat()
        # No symbolic links either: only files in this folder are served.
        if not stat.S_ISREG(facts.st_mode):
            log.error("an installer is no plain file", file=published.file)
            return None
        digest = _sha256(path, facts.st_mtime_ns, facts.st_size, facts.st_ino)
    except OSError as error:
        log.error("an installer is missing", file=published.file, error=type(error).__name__)
        return None
    if digest != published.sha256:
        log.error("an installer differs from what was published", file=published.file)
        return None
    return Installer(path, published.file, digest, facts)


@lru_cache(maxsize=16)
def _sha256(path: Path, _changed: int, _size: int, _inode: int) -> str:
    """Cached, so that each state of the file is hashed once, not once per request."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
