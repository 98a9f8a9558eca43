"""tessera backup: base backups that Barman keeps, and what the page System says of backups."""

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from tessera.bootstrap import command_settings, fail, on_platform
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import PROGRAMS
from tessera.maintenance.base_backups import (
    Archive,
    BackupUnusable,
    rights_of,
    write_recovery,
)
from tessera.maintenance.queries import archived_wal
from tessera.maintenance.restored_copy import Server, try_backup
from tessera.system.overview.queries import set_last_backup

backup = typer.Typer(no_args_is_help=True, help="Backups of the database.")

Barman = Annotated[
    Path, typer.Option(envvar="BACKUP_BARMAN", help="Folder of the barman-cloud-* commands.")
]
Url = Annotated[
    str, typer.Option(envvar="BACKUP_ARCHIVE", help="Their archive, such as s3://BUCKET/FOLDER.")
]
ServerName = Annotated[
    str, typer.Option(envvar="BACKUP_SERVER", help="The server's name in the archive.")
]
Options = Annotated[
    str, typer.Option(envvar="BACKUP_OPTIONS", help="More options for each of them, in one word.")
]
Postgres = Annotated[
    Path,
    typer.Option(
        envvar="BACKUP_POSTGRES",
        help="Folder of PostgreSQL's programs; otherwise those that come with Tessera.",
        show_default=False,
    ),
]


@backup.command()
def finished(
    at: Annotated[
        datetime | None, typer.Option(help="In UTC, when the backup ended; otherwise now.")
    ] = None,
) -> None:
    """Reports a finished backup: its age is on the platform admin's page System and in the metrics.
    Call it at the end of the backup command, where that has succeeded."""
    moment = at.replace(tzinfo=UTC) if at else clock.now()
    if moment > clock.now():
        fail("The backup cannot have ended in the future.")
    with command_settings() as settings:
        on_platform(settings, lambda connection: set_last_backup(connection, moment))
    typer.echo(f"The last backup ended at {moment:%Y-%m-%d %H:%M} UTC, or later.")


@backup.command()
def check(
    room: Annotated[
        Path,
        typer.Argument(
            exists=True, file_okay=False, help="A folder with room for a copy of the database."
        ),
    ],
    *,
    barman: Barman,
    archive_url: Url,
    server: ServerName,
    options: Options = "",
    postgres: Postgres = PROGRAMS,
) -> None:
    """Restores the newest base backup with all WAL that was archived since, on a server that nobody
    reaches, and reads every page. Reports the backup as `finished` does if it is usable, and ends
    with 1 if it is not. The copy is removed."""
    with command_settings() as settings:
        archived = on_platform(settings, archived_wal)
        try:
            archive = Archive(barman, archive_url, server, shlex.split(options), rights_of(room))
            found = archive.last_backup()
            url = settings.database_platform_url
            state = try_backup(archive, found, Server(postgres, room), archived, url)
        except BackupUnusable as error:
            fail(str(error), code=1)

        async def report(connection: Connection) -> None:
            await set_last_backup(connection, found.ended_at)

        on_platform(settings, report)
    age = clock.now() - found.ended_at
    typer.echo(
        f"The backup {found.id} can be restored: it ended {age.total_seconds() / 3600:.1f} hours"
        f" ago, and {state.companies:,} companies are in it."
    )
    pages = "every page has its checksum" if state.has_checksums else "pages have no checksums"
    typer.echo(f"The archived WAL goes to {state.replayed_to}; {pages}.")
    if state.committed_at is not None:
        seconds = (clock.now() - state.committed_at).total_seconds()
        typer.echo(f"The last transaction in it is {seconds:,.0f} seconds old.")


@backup.command()
def restore(
    folder: Annotated[
        Path,
        typer.Argument(exists=True, file_okay=False, help="The empty data folder of a server."),
    ],
    *,
    barman: Barman,
    archive_url: Url,
    server: ServerName,
    options: Options = "",
    until: Annotated[
        datetime | None,
        typer.Option(help="In UTC; otherwise everything that was archived."),
    ] = None,
) -> None:
    """Fetches the newest base backup, or the newest that ended before a moment, and says in the
    folder's settings up to where PostgreSQL replays the archived WAL when it is started there."""
    moment = until.replace(tzinfo=UTC) if until else None
    try:
        archive = Archive(barman, archive_url, server, shlex.split(options), rights_of(folder))
        found = archive.last_backup(moment)
        archive.download(found, folder)
        write_recovery(folder, archive.restore_command, moment)
    except BackupUnusable as error:
        fail(str(error), code=1)
    typer.echo(
        f"The backup {found.id} is in {folder}. Start PostgreSQL {found.postgres_version} there: it"
        f" replays the WAL up to {moment or 'the end of the archive'}, and then takes connections."
    )
