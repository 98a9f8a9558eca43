"""The command line: `tess`."""

import io
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from tessera_client.commands import (
    backup,
    fetch,
    files,
    history,
    imports,
    maintenance,
    mount,
    network,
    people,
    recovery,
    rescue,
    session,
    settings,
    spaces,
    statistics,
    update,
)
from tessera_client.commands.files import Bandwidth, DryRun
from tessera_client.commands.given_secrets import take_secrets
from tessera_client.commands.language import choose_language
from tessera_client.commands.manual import Command, Program, explain
from tessera_client.commands.output import AsJson, Lang, Result, answers, notice, output
from tessera_client.errors import EXPECTED, ClientError, to_client_error
from tessera_client.texts import set_language, translate
from tessera_client.transfer.network import use_network
from tessera_client.ui.launch import open_page, stop_page
from tessera_client.vault.profile import StateFolder
from tessera_core.version import __version__

LAST_ERROR = "last-error.txt"
# Typer answers Ctrl+C with it.
INTERRUPTED = 130


class Tess(Program):
    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        **options: Any,  # noqa: ANN401 - Typer's
    ) -> None:
        """Chooses the language first, so that also a wrong command line is answered in it."""
        take_secrets()
        arguments = sys.argv[1:] if args is None else list(args)
        set_language(choose_language(arguments))
        use_network(lambda: StateFolder.from_environment().load_network())
        try:
            exit_code = super().main(args, **{**options, "standalone_mode": False})
            if exit_code == INTERRUPTED:
                typer.echo(translate("usage.interrupted"), err=True)
        except TyperException as error:
            typer.echo(explain(error), err=True)
            exit_code = error.exit_code
        except typer.Abort:
            typer.echo(translate("usage.interrupted"), err=True)
            exit_code = 1
        sys.exit(exit_code)


app = typer.Typer(
    name="tess",
    cls=Tess,
    no_args_is_help=True,
    invoke_without_command=True,
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
    _language: Lang = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="options.version"),
    ] = False,
) -> None:
    """The options may stand before the command or after it."""
    if context.invoked_subcommand is None:
        context.fail(translate("usage.no_command"))
    given: dict[str, object] = {}
    if as_json:
        given["as_json"] = True
    if bandwidth:
        given["bandwidth"] = bandwidth
    if dry_run:
        given["dry_run"] = True
    name = context.invoked_subcommand
    command = context.command.get_command(context, name)  # type: ignore[attr-defined]
    taken = {parameter.name for parameter in command.params} if command else given.keys()
    for option in given.keys() - taken:
        flag = f"--{option.replace('_', '-')}"
        raise typer.BadParameter(translate("usage.not_for_command", command=name, option=flag))
    context.default_map = {name: given}


def ui(
    stop: Annotated[bool, typer.Option("--stop", help="options.stop")] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="options.browser")] = True,
) -> Result:
    """Opens the user's files in the browser. It is here because commands and page are apart."""
    folder = StateFolder.from_environment()
    if stop:
        is_stopped = stop_page(folder)
        text = translate("results.stopped" if is_stopped else "results.not_running")
        return Result({"stopped": is_stopped}, text)
    if url := open_page(folder, notice, browser=browser):
        return Result({"url": url})
    return Result({"stopped": True}, translate("results.stopped"))


for function in (
    session.login,
    session.logout,
    session.lock,
    session.status,
    network.config,
    spaces.spaces,
    people.words,
    people.trust,
    people.grant,
    people.revoke,
    people.handover,
    people.device_lost,
    files.put,
    fetch.get,
    files.ls,
    files.rm,
    files.mv,
    history.versions,
    history.history,
    history.trash,
    history.restore,
    backup.backup,
    backup.push,
    mount.mount,
    mount.unmount,
    mount.serve,
    imports.import_,
    statistics.stats,
    maintenance.verify,
    settings.settings,
    maintenance.prune,
    maintenance.set_aside,
    maintenance.doctor,
    update.update,
    recovery.recovery_kit,
    recovery.recover,
    rescue.rescue,
    recovery.export,
    ui,
):
    # `import` is no name of a function.
    app.command(function.__name__.strip("_").replace("_", "-"), cls=Command)(answers(function))


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Not every terminal can show every language and file name.
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="tess")
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        if os.environ.get("TESS_DEBUG") == "1":
            raise
        is_expected = isinstance(error, EXPECTED)
        output.show_error(to_client_error(error) if is_expected else _unexpected(error))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _unexpected(error: Exception) -> ClientError:
    """One sentence instead of a traceback, which is kept for whoever looks into it."""
    folder = StateFolder.from_environment()
    with suppress(OSError):
        folder.write(LAST_ERROR, "".join(traceback.format_exception(error)))
    return ClientError.from_code(
        "unexpected", name=type(error).__name__, path=folder.path / LAST_ERROR
    )
