"""tessera backup: what the operator's backup command tells the service."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from tessera.bootstrap import command_settings, fail, with_resources
from tessera.kit import clock
from tessera.kit.workflows import Resources
from tessera.system.overview.queries import set_last_backup

backup = typer.Typer(no_args_is_help=True, help="Backups of the database.")


@backup.callback()
def _commands() -> None:
    """Without this, a single command would not need its name."""


@backup.command()
def finished(
    at: Annotated[
        datetime | None, typer.Option(help="In UTC, when the backup ended; otherwise now.")
    ] = None,
) -> None:
    """Reports a finished backup: its age is on the platform admin's page System. Call it at the end
    of the backup command, where that has succeeded."""
    moment = at.replace(tzinfo=UTC) if at else clock.now()
    if moment > clock.now():
        fail("The backup cannot have ended in the future.")

    async def work(resources: Resources) -> None:
        async with resources.database.platform.transaction() as connection:
            await set_last_backup(connection, moment)

    with command_settings() as settings:
        with_resources(settings, work)
    typer.echo(f"The last backup ended at {moment:%Y-%m-%d %H:%M} UTC, or later.")
