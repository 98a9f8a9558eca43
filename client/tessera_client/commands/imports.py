"""Moving in from other programs."""

from typing import Annotated

import typer

from tessera_client.commands.files import check_folder, put_result
from tessera_client.commands.options import Bandwidth, DryRun
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import Place, parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, WrongUsage
from tessera_client.texts import translate
from tessera_client.vault.put import PutOptions


def import_(
    kind: Annotated[str, typer.Argument(help="options.import_kind", metavar="rclone|restic")],
    source: Annotated[str, typer.Argument(help="options.import_source", metavar="SOURCE")],
    target: Place,
    snapshot: Annotated[
        str | None, typer.Option(help="options.import_snapshot", metavar="ID")
    ] = None,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Moves files in from an rclone remote or a restic repository, and compares afterwards."""
    # Running programs is slow to import, and only needed here.
    from tessera_client.vault.import_sources import (  # noqa: PLC0415
        RcloneRemote,
        ResticSnapshot,
        Source,
    )
    from tessera_client.vault.imports import import_files  # noqa: PLC0415

    place = parse_place(target)
    import_source: Source
    match kind, snapshot:
        case "rclone", None:
            import_source = RcloneRemote(source)
        case "restic", _:
            import_source = ResticSnapshot(source, snapshot or "latest")
        case _:
            raise WrongUsage(translate("errors.import_usage"), code="usage")
    with vault(bandwidth) as opened:
        space, options = opened.find(place.space), PutOptions(dry_run=dry_run)
        check_folder(space, place)
        summary = import_files(opened, space, (import_source, place.path), options, progress)
    for text in summary.notices:
        notice(text)
    result = put_result(summary, space.name, dry_run=dry_run)
    if dry_run:
        return result
    lines = [result.text, translate("results.compared", count=summary.compared)]
    lines += [
        translate("results.difference", path=problem.path, reason=problem.message)
        for problem in summary.differences
    ]
    data = {**result.data, "compared": summary.compared, "differences": summary.differences}
    code = PARTLY_DONE if summary.differences else result.exit_code
    return Result(data, "\n".join(lines), code)
