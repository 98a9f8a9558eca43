"""Earlier versions of files."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from tessera_client.commands.fetch import FetchOptions, Overwrite, fetch
from tessera_client.commands.options import Bandwidth, DryRun
from tessera_client.commands.output import Result
from tessera_client.commands.paths import Place, parse_place
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, ClientError, WrongUsage
from tessera_client.texts import show_bytes, translate, visible
from tessera_client.vault.history import (
    apply_changes,
    list_moments,
    plan_restore,
    plan_undelete,
    state_at,
)
from tessera_client.vault.members import list_members
from tessera_client.vault.retention import all_days
from tessera_client.vault.trash import list_removed
from tessera_core.changes import Version
from tessera_core.files import File, Item


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
                f"{version.sequence:>6}",
                str(row["time"]),
                _show_size(version.item) if version.item else removed,
                visible(row["author"]),
                *([conflict] if version.conflict else ()),
            )
        )
        for version, row in zip(history, rows, strict=True)
    ]
    return Result({"versions": rows}, "\n".join(lines))


def history(
    place: Annotated[str, typer.Argument(help="options.history_place", metavar="SPACE[:/PATH]")],
    limit: Annotated[int, typer.Option(min=1, help="options.limit", metavar="NUMBER")] = 50,
) -> Result:
    """Lists the changes of a space or of a folder in it, the newest first."""
    parsed = parse_place(place if ":" in place else f"{place}:/")
    with vault() as opened:
        moments = list_moments(opened.find(parsed.space).tree, parsed.path)
        names = {member.user: member.name for member in list_members(opened.account)}
    rows = [
        {
            "change": moment.sequence,
            "time": _iso_time(moment.time),
            "author": names.get(moment.author, str(moment.author)),
            "stored": moment.stored,
            "removed": moment.removed,
            "bytes": moment.bytes,
        }
        for moment in moments[:limit]
    ]
    lines = [
        f"{row['change']:>6}  {row['time']}  +{row['stored']} -{row['removed']}"
        f"  {show_bytes(int(str(row['bytes'])))}  {visible(row['author'])}"
        for row in rows
    ]
    data = {"changes": rows, "isAll": len(moments) <= limit}
    return Result(data, "\n".join(lines or [translate("results.no_changes")]))


def trash(
    place: Annotated[str, typer.Argument(help="options.trash_place", metavar="SPACE[:/PATH]")],
) -> Result:
    """Lists what was removed from a space and is still kept."""
    parsed = parse_place(place if ":" in place else f"{place}:/")
    with vault() as opened:
        space = opened.find(parsed.space)
        removed = list_removed(space.tree, parsed.path)
        retention = all_days(space.state.settings.keep) * 24 * 3600 * 1000
        names = {member.user: member.name for member in list_members(opened.account)}
    rows = [
        {
            "path": entry.path,
            "size": entry.item.size if isinstance(entry.item, File) else None,
            "removedAt": _iso_time(entry.time),
            "author": names.get(entry.author, str(entry.author)),
            "keptUntil": _iso_time(entry.time + retention),
        }
        for entry in removed
    ]
    lines = [
        translate(
            "results.trash_row",
            path=row["path"],
            time=row["removedAt"],
            author=row["author"],
            until=str(row["keptUntil"])[:10],
            size=_show_size(entry.item),
        )
        for entry, row in zip(removed, rows, strict=True)
    ]
    return Result({"removed": rows}, "\n".join(lines or [translate("results.trash_empty")]))


def restore(
    place: Place,
    at: Annotated[str | None, typer.Option(help="options.at")] = None,
    change: Annotated[int | None, typer.Option(help="options.change")] = None,
    to: Annotated[str | None, typer.Option(help="options.restore_to", metavar="OUT")] = None,
    overwrite: Overwrite = False,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Brings back a file or folder as it was at a time, or after a change; else what was removed.

    Two versions may have the same time: whoever writes an entry also says when it was.
    """
    if at is not None and change is not None:
        raise WrongUsage(translate("errors.restore_usage"), code="usage")
    parsed = parse_place(place)
    moment = None if at is None else _parse_time(at)
    from_trash = moment is None and change is None

    def is_kept(version: Version) -> bool:
        if moment is not None:
            return version.time <= moment
        return change is not None and version.sequence <= change

    with vault(bandwidth) as opened:
        space = opened.find(parsed.space)
        then: dict[str, Item | None] = (
            {entry.path: entry.item for entry in list_removed(space.tree, parsed.path)}
            if from_trash
            else state_at(space.tree, parsed.path, is_kept)
        )
        items = [(path, item) for path, item in then.items() if item]
        if to is not None:
            items.sort(key=lambda entry: entry[0].encode())
            return fetch(space, parsed, items, to, FetchOptions(overwrite, dry_run=dry_run))
        if not items:
            key = "errors.not_in_trash" if from_trash else "errors.not_then"
            raise ClientError(translate(key, place=parsed), code="no_such_path")
        if from_trash:
            changes, blocked = plan_undelete(space.tree, parsed.path)
        else:
            changes, blocked = plan_restore(space.tree, then)
        if not dry_run:
            apply_changes(opened, space, changes)
    changed = [entry.path for entry in changes]
    lines = [*map(visible, changed)] if dry_run else []
    key = "results.would_be_restored" if dry_run else "results.restored"
    lines.append(translate(key, count=len(changed)))
    lines += [translate("results.not_restored", path=path) for path in blocked]
    data = {"restored": changed, "notRestored": blocked, "dryRun": dry_run}
    return Result(data, "\n".join(lines), PARTLY_DONE if blocked else 0)


def _show_size(item: Item) -> str:
    return show_bytes(item.size) if isinstance(item, File) else "-"


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
