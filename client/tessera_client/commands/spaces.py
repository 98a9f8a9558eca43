"""Spaces: shared root folders."""

from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.prompts import vault
from tessera_client.errors import WrongUsage
from tessera_core.files import File


def spaces(
    action: Annotated[str | None, typer.Argument(help="create", metavar="[create]")] = None,
    name: Annotated[str | None, typer.Argument(help="Name of the new space.")] = None,
) -> Result:
    """List the spaces you can use, or create one (team leader).

    Example: tess spaces create Designs
    """
    if action is None:
        return _list()
    if action != "create" or not name:
        raise WrongUsage("Write: tess spaces, or: tess spaces create NAME", code="usage")
    with vault() as opened:
        space = opened.create_space(name)
    return Result({"id": str(space.id), "name": name}, f"Space {name} was created.")


def _list() -> Result:
    with vault() as opened:
        rows = []
        for space in opened.spaces():
            files = [item for _, item in space.tree.walk() if isinstance(item, File)]
            row = {
                "id": str(space.id),
                "name": space.name,
                "members": len(space.state.members),
                "files": len(files),
                "bytes": sum(item.size for item in files),
            }
            rows.append(row)
    lines = [f"{row['name']}  {row['files']} files, {row['members']} members" for row in rows]
    return Result({"spaces": rows}, "\n".join(lines) or "There are no spaces yet.")
