"""Sample installers, so that the sandbox's download page can be tried."""

import hashlib
import json

from tessera.downloads.releases import MANIFEST
from tessera.downloads.schemas import Platform
from tessera.settings import Settings

VERSION = "0.7.7"

_NAMES = {
    Platform.MACOS: f"Tessera-{VERSION}-sandbox-sample.dmg",
    Platform.WINDOWS: f"Tessera-{VERSION}-sandbox-sample.exe",
}
_SENTENCE = "This is a sample of the Tessera sandbox. It is no installer and installs nothing.\n"


def add_sample_releases(settings: Settings) -> bool:
    """False if a manifest already exists, or if the operator configured a folder."""
    folder = settings.releases_folder
    if settings.releases_dir or (folder / MANIFEST).exists():
        return False
    folder.mkdir(parents=True, exist_ok=True)
    installers = {}
    for platform, name in _NAMES.items():
        content = _SENTENCE.encode() + f"{platform.value} {VERSION}\n".encode() * 4096
        (folder / name).write_bytes(content)
        installers[platform.value] = {"file": name, "sha256": hashlib.sha256(content).hexdigest()}
    manifest = {"version": VERSION, "sample": True, "installers": installers}
    # Written last, so that a manifest always has its files.
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    return True
