"""Folders that stay connected: taking them into the list, and out of it."""

from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.connected_folders import (
    ConnectedFolder,
    Kind,
    edited_connected,
    find_by_folder,
    find_held_keys,
    held_keys,
    remove_status,
)
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import Vault

Always = Annotated[bool, typer.Option("--always", help="options.stay_connected")]
Remove = Annotated[bool, typer.Option("--remove", help="options.disconnect")]


def connect(opened: Vault, connected: ConnectedFolder) -> Result:
    """Replaces what was said about the same folder before."""
    account = opened.account
    with edited_connected(account.folder, account.user, account.keys) as folders:
        former = find_by_folder(folders, connected.folder)
        if former and former.kind != connected.kind:
            raise ClientError.from_code("folder_connected_otherwise", path=connected.folder)
        if former:
            connected.id = former.id
            # To go on with a mount, nobody has to name its space again.
            connected.space = connected.space or former.space
            folders.remove(former)
        folders.append(connected)
    return Result(
        {"connected": connected}, translate("folders.connected", path=connected.folder)
    )  # fmt: skip


def pause(folder: Path) -> bool:
    """Keeps the service from mounting again what somebody has unmounted; returns whether it
    would have."""
    state = StateFolder.from_environment()
    keys = find_held_keys(state)
    if keys is None:
        return False
    with edited_connected(state, state.load_profile().user, keys) as folders:
        known = find_by_folder(folders, str(folder))
        if known is None or known.kind != "mount":
            return False
        known.paused = True
    return True


def disconnect(kind: Kind, folder: Path) -> Result:
    """No file changes, and what waits to be sent goes on waiting."""
    state = StateFolder.from_environment()
    user = state.load_profile().user
    with edited_connected(state, user, held_keys(state)) as folders:
        known = find_by_folder(folders, str(folder))
        if known is None or known.kind != kind:
            raise ClientError.from_code("folder_not_connected")
        folders.remove(known)
    remove_status(state, user, known.id)
    return Result({"removed": known}, translate("folders.removed", path=folder))
