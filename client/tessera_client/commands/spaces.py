"""Spaces: shared root folders."""

from typing import Annotated

import typer

from tessera_client.commands.output import Result
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, WrongUsage
from tessera_client.texts import translate, visible


def spaces(
    action: Annotated[str | None, typer.Argument(help="options.create", metavar="[create]")] = None,
    name: Annotated[str | None, typer.Argument(help="options.new_space")] = None,
) -> Result:
    """Lists the spaces that the user can use, or creates one."""
    if action is None:
        return _list()
    if action != "create" or not name:
        raise WrongUsage(translate("errors.spaces_usage"), code="usage")
    with vault() as opened:
        space = opened.create_space(name)
    return Result(
        {"id": str(space.id), "name": name}, translate("results.space_created", name=name)
    )


def _list() -> Result:
    with vault() as opened:
        rows = []
        for space in opened.spaces():
            sizes = [entry.size for entry in space.contents.walk() if entry.size is not None]
            row = {
                "id": str(space.id),
                "name": space.name,
                "members": len(space.state.members),
                "files": len(sizes),
                "bytes": sum(sizes),
            }
            rows.append(row)
        closed = opened.closed
    if closed and not rows:
        raise closed[0].error
    lines = [
        f"{visible(row['name'])}  {translate('results.files', count=row['files'])},"
        f" {translate('results.members', count=row['members'])}"
        for row in rows
    ]
    lines += [f"{space.id}: {space.error}" for space in closed]
    data = {"spaces": rows, "closed": [space.as_json() for space in closed]}
    code = max((PARTLY_DONE, *(space.error.exit_code for space in closed))) if closed else 0
    return Result(data, "\n".join(lines) or translate("results.no_spaces"), code)
