"""The client's own releases, as the service publishes them."""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from tessera_client.errors import Refused
from tessera_client.transfer.api import Api
from tessera_client.transfer.network import LOOPBACK
from tessera_core.release import (
    RELEASE_KEYS,
    SANDBOX_KEY,
    Release,
    open_release,
    version_order,
)
from tessera_core.version import __version__

# Beside the program in what an installer puts on a computer: the end of the installer's name.
INSTALLED_BY = "installed-by"


def latest_release(api: Api) -> Release:
    """Verifies the published release: its signature, and that it is not older than this client.

    The sandbox's key is accepted only from a service on this computer.
    """
    is_local = urlsplit(api.origin).hostname in LOOPBACK
    trusted = RELEASE_KEYS | {SANDBOX_KEY} if is_local else RELEASE_KEYS
    release = open_release(api.get("/downloads/manifest", str), trusted)
    if release.order < version_order(__version__):
        raise Refused.from_code("older_release", offered=release.version, own=__version__)
    return release


def installed_by() -> str | None:
    """What installed this program, such as "linux-x64.deb". Only a newer one of it may replace it.

    None for a program that is one file, or a part of a Python.
    """
    if not getattr(sys, "frozen", False):
        return None
    try:
        marker = Path(sys.executable).resolve().with_name(INSTALLED_BY)
        return marker.read_text(encoding="utf-8").strip()
    except OSError:
        return None


def newer_installer(release: Release) -> str | None:
    """The file of the release that replaces this program, if an installer has put it here."""
    name = f"tess-{release.version}-{installed_by()}"
    return next((file.name for file in release.files if file.name == name), None)
