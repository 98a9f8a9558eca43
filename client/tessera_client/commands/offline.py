"""Folders that the drive always keeps on this computer."""

from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.paths import parse_place
from tessera_client.commands.prompts import vault
from tessera_client.drive.kept_folders import describe_kept
from tessera_client.drive.opening import cache_folder
from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.vault import Vault
from tessera_core.files import Folder


def offline(
    place: Annotated[
        str | None, typer.Argument(help="options.place", metavar="[SPACE:/PATH]")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="options.offline_remove")] = False,
) -> Result:
    """Keeps a folder of a space on this computer; without one, says what is kept."""
    with vault() as opened:
        if place:
            _change(opened, place, remove=remove)
        spaces = opened.spaces()
        folders = [
            folder
            for space in spaces
            for folder in describe_kept(opened.index, space, cache_folder(opened))
        ]
    text = "\n".join(folder.as_text() for folder in folders) or translate("offline.none")
    return Result({"folders": folders}, text)


def _change(opened: Vault, text: str, *, remove: bool) -> None:
    place = parse_place(text)
    space = opened.find(place.space)
    folders = opened.index.kept_folders(space.id)
    if remove and place.path not in folders:
        raise ClientError(translate("errors.not_kept", place=place), code="no_such_path")
    current = space.tree.current(place.path)
    is_folder = not place.path or (current and isinstance(current.item, Folder))
    if not remove and not is_folder and not any(space.tree.walk(place.path)):
        raise ClientError(translate("errors.not_at", place=place), code="no_such_path")
    others = [folder for folder in folders if folder != place.path]
    opened.index.keep_folders(space.id, others if remove else [*others, place.path])
