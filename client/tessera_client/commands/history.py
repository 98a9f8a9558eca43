"""Earlier versions of files."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.files import Bandwidth, fetch
from tessera_client.commands.output import Result
from tessera_client.commands.paths import Place, parse_place
from tessera_client.commands.prompts import vault
from tessera_client.errors import ClientError, WrongUsage
from tessera_client.texts import translate, visible
from tessera_client.vault.changes import START_OVER, writing
from tessera_client.vault.members import list_members
from tessera_core.changes import Put, Remove, Version
from tessera_core.files import File
from tessera_core.tree import Tree


def versions(place: Place) -> Result:
    """Lists the versions of a file, also of a removed one."""
    parsed = parse_place(place)
    with vault() as opened:
        history = opened.find(parsed.space).tree.versions.get(parsed.path, [])
        names = {member.user: member.name for member in list_members(opened.account)}
    if not history:
        raise ClientError(translate("errors.never_at", place=place), code="no_such_path")
    rows = [
        {
            "change": version.sequence,
            "time": _iso_time(version.time),
            "author": names.get(version.author, str(version.author)),
            "size": version.item.size if isinstance(version.item, File) else None,
            "isRemoved": version.item is None,
            "isConflict": version.conflict,
        }
        for version in history
    ]
    removed, conflict = (translate(f"results.version_{key}") for key in ("removed", "conflict"))
    lines = [
        "  ".join(
            (
                f"{row['change']:>6}",
                str(row["time"]),
                removed if row["isRemoved"] else str(row["size"]),
                visible(row["author"]),
                *([conflict] if row["isConflict"] else ()),
            )
        )
        for row in rows
    ]
    return Result({"versions": rows}, "\n".join(lines))


def restore(
    place: Place,
    at: Annotated[str | None, typer.Option(help="options.at")] = None,
    change: Annotated[int | None, typer.Option(help="options.change")] = None,
    to: Annotated[Path | None, typer.Option(help="options.restore_to")] = None,
    bandwidth: Bandwidth = None,
) -> Result:
    """Brings back a file or folder as it was at a time, or after a change.

    Two versions may have the same time: whoever writes an entry also says when it was.
    """
    if (at is None) == (change is None):
        raise WrongUsage(translate("errors.restore_usage"), code="usage")
    parsed = parse_place(place)
    moment = None if at is None else _parse_time(at)

    def is_kept(version: Version) -> bool:
        if moment is not None:
            return version.time <= moment
        return change is not None and version.sequence <= change

    with vault(bandwidth) as opened:
        space = opened.find(parsed.space)
        then = _state_at(space.tree, parsed.path, is_kept)
        if to is not None:
            items = sorted(
                ((path, version.item) for path, version in then.items() if version.item),
                key=lambda each: each[0].encode(),
            )
            return fetch(space, parsed, items, to)
        if not any(version.item for version in then.values()):
            raise ClientError(translate("errors.not_then", place=place), code="no_such_path")
        changed = []
        try:
            with writing(opened, space) as writer:
                for path, version in then.items():
                    current = space.tree.current(path)
                    base = current.sequence if current else 0
                    if version.item and not (current and current.item == version.item):
                        writer.reuse(version.item)
                        writer.add(Put(path, base, version.item))
                        changed.append(path)
                    elif version.item is None and current:
                        writer.add(Remove(path, base))
                        changed.append(path)
                writer.commit()
        except START_OVER:
            raise ClientError(translate("errors.space_changed"), code="space_busy") from None
    return Result({"restored": changed}, translate("results.restored", count=len(changed)))


def _state_at(tree: Tree, path: str, is_kept: Callable[[Version], bool]) -> dict[str, Version]:
    """The version of each path at and below a path that was current then."""
    prefix = f"{path}/" if path else ""
    state = {}
    for below, versions in tree.versions.items():
        if below == path or below.startswith(prefix):
            before = [version for version in versions if is_kept(version)]
            state[below] = (
                before[-1] if before else replace(versions[0], time=0, item=None, conflict=False)
            )
    return state


def _parse_time(text: str) -> int:
    """Milliseconds; a time without a zone is this computer's."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUsage.from_code("bad_time", text=text) from None
    return int(moment.astimezone(UTC).timestamp() * 1000)


def _iso_time(milliseconds: int) -> str | None:
    """None for times that no calendar has; a member can store any number."""
    try:
        moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
