"""The command line: `tess`."""

from typing import Annotated

import typer

from tessera_client.commands import (
    backup,
    care,
    files,
    history,
    people,
    recovery,
    session,
    spaces,
    update,
)
from tessera_client.commands.files import Bandwidth, DryRun
from tessera_client.commands.output import AsJson, answers
from tessera_client.ui.command import ui
from tessera_client.version import __version__

app = typer.Typer(
    name="tess",
    help="Encrypts files on this computer and stores them over several clouds.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"tess {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    as_json: AsJson = False,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """The options may stand before the command or after it."""
    given: dict[str, object] = {}
    if as_json:
        given["as_json"] = True
    if bandwidth:
        given["bandwidth"] = bandwidth
    if dry_run:
        given["dry_run"] = True
    name = context.invoked_subcommand or ""
    command = context.command.get_command(context, name)  # type: ignore[attr-defined]
    known = {parameter.name for parameter in command.params} if command else given.keys()
    for option in given.keys() - known:
        raise typer.BadParameter(f"tess {name} has no --{option.replace('_', '-')}.")
    context.default_map = {name: given}


for function in (
    session.login,
    session.logout,
    session.lock,
    session.status,
    spaces.spaces,
    people.words,
    people.trust,
    people.grant,
    people.revoke,
    people.device_lost,
    files.put,
    files.get,
    files.ls,
    files.rm,
    files.mv,
    history.versions,
    history.restore,
    backup.backup,
    care.verify,
    care.prune,
    care.doctor,
    update.update,
    recovery.recovery_kit,
    recovery.recover,
    recovery.rescue,
    recovery.export,
    ui,
):
    app.command()(answers(function))


def main() -> None:
    app()
