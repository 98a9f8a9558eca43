"""The client's own releases, as the service publishes them."""

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
