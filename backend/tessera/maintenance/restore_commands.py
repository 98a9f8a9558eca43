"""tessera restore: what an operator does after the database was restored from a backup."""

import typer

from tessera.bootstrap import command_settings, with_resources
from tessera.storage.restores import service

restore = typer.Typer(no_args_is_help=True, help="After a restore of the database.")


@restore.command("begin")
def begin() -> None:
    """Marks the storage of all companies. Run it after the database was restored from a backup, and
    before the service is started: nothing is deleted, and nothing new is stored, until each team
    leader has closed the restore."""
    with command_settings() as settings:
        companies = with_resources(settings, service.begin_all)
    typer.echo(
        f"{companies} companies are marked. The service reads their warehouses when it runs; their"
        " team leaders get a mail."
    )


@restore.command("list")
def list_restores() -> None:
    """Lists the companies that were marked: what came back, and who has not closed the restore."""
    with command_settings() as settings:
        rows = with_resources(settings, service.list_all)
    for row in rows:
        state = "closed" if row.closed_at else "read" if row.read_at else "being read"
        typer.echo(f"{row.uuid}  {state:<10}  {row.entries:>8} entries came back  {row.name}")
    if not rows:
        typer.echo("No company is marked.")
