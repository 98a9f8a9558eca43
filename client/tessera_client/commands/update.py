"""Whether there is a newer client, and whether a downloaded one is genuine."""

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.errors import Refused
from tessera_client.texts import translate
from tessera_client.vault.account import open_account
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.releases import latest_release, newer_installer
from tessera_core.release import Release, version_order
from tessera_core.version import __version__


def update(
    verify: Annotated[Path | None, typer.Option(help="options.verify_file", metavar="FILE")] = None,
) -> Result:
    """Checks for a newer version, or that a downloaded file is genuine."""
    api = open_account(StateFolder.from_environment()).api
    release = latest_release(api)
    is_newer = release.order > version_order(__version__)
    data: dict[str, object] = {
        "version": __version__,
        "latest": release.version,
        "isNewer": is_newer,
    }
    if verify is not None:
        name = _verified_name(release, verify)
        return Result({**data, "file": name}, translate("results.genuine", path=verify, name=name))
    if is_newer:
        text = _newer(release, f"{api.origin}/download")
    else:
        text = translate("results.newest_version", version=__version__)
    return Result(data, text)


def _newer(release: Release, url: str) -> str:
    text = translate("results.newer_version", version=release.version, url=url)
    name = newer_installer(release)
    if name is None:
        return text
    key = "results.install_package" if name.endswith(".deb") else "results.open_installer"
    return f"{text}\n{translate(key, name=name)}"


def _verified_name(release: Release, path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    for file_of_release in release.files:
        if file_of_release.sha256 == digest:
            return file_of_release.name
    raise Refused.from_code("not_genuine", path=path, version=release.version)
