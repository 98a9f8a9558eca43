"""The command line: `tess`."""

import atexit
import gc
import io
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from tessera_client.commands.given_secrets import take_secrets
from tessera_client.commands.language import choose_language
from tessera_client.commands.manual import Command, Program, explain
from tessera_client.commands.options import AsJson, Bandwidth, DryRun, Lang
from tessera_client.commands.output import Result, answers, notice, output
from tessera_client.errors import EXPECTED, ClientError, to_client_error
from tessera_client.texts import set_language, translate
from tessera_client.vault.profile import StateFolder
from tessera_core.version import __version__

LAST_ERROR = "last-error.txt"
# Typer answers Ctrl+C with it.
INTERRUPTED = 130

_COMMANDS = "tessera_client.commands"
# The commands in the order of the help, and where each is.
MODULES = {
    "login": f"{_COMMANDS}.session",
    "logout": f"{_COMMANDS}.session",
    "lock": f"{_COMMANDS}.session",
    "status": f"{_COMMANDS}.session",
    "config": f"{_COMMANDS}.network",
    "spaces": f"{_COMMANDS}.spaces",
    "words": f"{_COMMANDS}.people",
    "trust": f"{_COMMANDS}.people",
    "grant": f"{_COMMANDS}.people",
    "revoke": f"{_COMMANDS}.people",
    "handover": f"{_COMMANDS}.people",
    "device-lost": f"{_COMMANDS}.people",
    "put": f"{_COMMANDS}.files",
    "get": f"{_COMMANDS}.fetch",
    "share": f"{_COMMANDS}.shares",
    "shares": f"{_COMMANDS}.shares",
    "request": f"{_COMMANDS}.requests",
    "requests": f"{_COMMANDS}.requests",
    "ls": f"{_COMMANDS}.files",
    "rm": f"{_COMMANDS}.files",
    "mv": f"{_COMMANDS}.files",
    "versions": f"{_COMMANDS}.history",
    "history": f"{_COMMANDS}.history",
    "trash": f"{_COMMANDS}.history",
    "restore": f"{_COMMANDS}.history",
    "backup": f"{_COMMANDS}.backup",
    "push": f"{_COMMANDS}.backup",
    "sync": f"{_COMMANDS}.sync",
    "mount": f"{_COMMANDS}.mount",
    "unmount": f"{_COMMANDS}.mount",
    "serve": f"{_COMMANDS}.mount",
    "offline": f"{_COMMANDS}.offline",
    "service": f"{_COMMANDS}.service",
    "import": f"{_COMMANDS}.imports",
    "stats": f"{_COMMANDS}.statistics",
    "verify": f"{_COMMANDS}.maintenance",
    "settings": f"{_COMMANDS}.settings",
    "prune": f"{_COMMANDS}.maintenance",
    "set-aside": f"{_COMMANDS}.maintenance",
    "reopen": f"{_COMMANDS}.restores",
    "give-up": f"{_COMMANDS}.restores",
    "doctor": f"{_COMMANDS}.maintenance",
    "update": f"{_COMMANDS}.update",
    "recovery-kit": f"{_COMMANDS}.recovery",
    "recover": f"{_COMMANDS}.recovery",
    "rescue": f"{_COMMANDS}.rescue",
    "export": f"{_COMMANDS}.recovery",
    "ui": __name__,
}


class _Commands(Mapping[str, Any]):
    """Imports a command when it is needed: all of them take several times as long as any."""

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - Typer's
        return _load_command(name)


@cache
def _load_command(name: str) -> Any:  # noqa: ANN401 - Typer's
    # `import` is no name of a function.
    function_name = f"{name}_" if iskeyword(name) else name.replace("-", "_")
    function = getattr(import_module(MODULES[name]), function_name)
    alone = typer.Typer(add_completion=False)
    alone.command(name, cls=Command)(answers(function))
    return typer.main.get_command(alone)


class Tess(Program):
    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - Typer's
        super().__init__(**settings)
        self.commands = _Commands()  # type: ignore[assignment]

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        **options: Any,  # noqa: ANN401 - Typer's
    ) -> None:
        """Chooses the language first, so that also a wrong command line is answered in it."""
        take_secrets()
        arguments = sys.argv[1:] if args is None else list(args)
        set_language(choose_language(arguments))
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
    from tessera_client.transfer.network import use_network  # noqa: PLC0415 - slow

    use_network(lambda: StateFolder.from_environment().load_network())
    values: dict[str, object] = {}
    if as_json:
        values["as_json"] = True
    if bandwidth:
        values["bandwidth"] = bandwidth
    if dry_run:
        values["dry_run"] = True
    name = context.invoked_subcommand
    command = context.command.get_command(context, name)  # type: ignore[attr-defined]
    taken = {parameter.name for parameter in command.params} if command else values.keys()
    for option in values.keys() - taken:
        flag = f"--{option.replace('_', '-')}"
        raise typer.BadParameter(translate("usage.not_for_command", command=name, option=flag))
    context.default_map = {name: values}


def ui(
    stop: Annotated[bool, typer.Option("--stop", help="options.stop")] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="options.browser")] = True,
) -> Result:
    """Opens the user's files in the browser. It is here because commands and page are apart."""
    from tessera_client.ui.launch import open_page, stop_page  # noqa: PLC0415 - slow to import

    folder = StateFolder.from_environment()
    if stop:
        is_stopped = stop_page(folder)
        text = translate("results.stopped" if is_stopped else "results.not_running")
        return Result({"stopped": is_stopped}, text)
    if url := open_page(folder, notice, browser=browser):
        return Result({"url": url})
    return Result({"stopped": True}, translate("results.stopped"))


def main() -> None:
    # What a command reads stays until its end; looking for garbage in it takes a tenth of its time.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
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
