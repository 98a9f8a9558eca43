"""Help, laid out like a manual page, and what is said about a wrong command line.

The `help` of an option or argument names its text; the texts of a command are found by its name.
"""

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.exceptions import TyperException

from tessera_client.commands.typer_internals import (
    ADDED_OPTIONS,
    INSTALL_COMPLETION,
    MISSING_PARAMETER,
    NO_ARGUMENTS,
    NO_SUCH_OPTION,
    AnyCommand,
    AnyParameter,
    Context,
    convert_without_pydantic,
    install_completion,
)
from tessera_client.texts import entry, translate

Parameter = TyperArgument | TyperOption

_INDENT = " " * 4
_MAX_WIDTH = 88
# How much of a mistyped command has to be right.
_SIMILAR = 0.6


class Command(TyperCommand):
    """One command of the program."""

    def get_params(self, ctx: Context) -> list[AnyParameter]:
        return convert_without_pydantic(super().get_params(ctx))

    def get_help(self, ctx: Context) -> str:
        return _page(self, ctx)

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 - Typer's signature
        return _summary(self.name or "")


class Program(TyperGroup):
    """The program with all its commands."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - Typer's
        super().__init__(**settings)
        for parameter in self.params:
            if parameter.name == INSTALL_COMPLETION:
                parameter.callback = _install_completion

    def get_params(self, ctx: Context) -> list[AnyParameter]:
        return convert_without_pydantic(super().get_params(ctx))

    def get_help(self, ctx: Context) -> str:
        return _page(self, ctx)

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, AnyCommand, list[str]]:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            message = translate("usage.no_such_command", name=args[0])
            similar = get_close_matches(args[0], self.commands, cutoff=_SIMILAR)
            ctx.fail("\n".join([message, *_suggest(f"tess {name}" for name in similar)]))
        return super().resolve_command(ctx, args)


def _install_completion(context: Context, _: Context, is_asked: bool) -> None:
    """As Typer does it, but in the user's language."""
    if is_asked and not context.resilient_parsing:
        shell, path = install_completion()
        typer.echo(translate("results.completion_installed", shell=shell, path=path))
        raise typer.Exit


def explain(error: TyperException) -> str:
    """What is wrong with a command line, and where to read on."""
    context: Context = getattr(error, "ctx", None)
    if type(error).__name__ == NO_ARGUMENTS:
        return error.message
    lines = [_mistake(error, context)]
    if context is not None:
        lines += [
            translate("usage.synopsis", usage=_synopsis(context.command, context)),
            translate("usage.more", command=f"{context.command_path} --help"),
        ]
    return "\n".join(lines)


def _mistake(error: TyperException, context: Context) -> str:
    """Typer's own messages are English; its classes of errors are not public."""
    kind, option = type(error).__name__, getattr(error, "option_name", None)
    if parameter := getattr(error, "param", None):
        key = "usage.missing" if kind == MISSING_PARAMETER else "usage.bad_value"
        return translate(key, name=_label(parameter))
    if option:
        key = "usage.no_such_option" if kind == NO_SUCH_OPTION else "usage.bad_option"
        similar = getattr(error, "possibilities", None) or ()
        return "\n".join([translate(key, name=option), *_suggest(similar)])
    if context is not None and isinstance(context.command, Command):
        return translate("usage.too_many")
    return error.message


def _suggest(names: Iterable[str]) -> list[str]:
    joined = ", ".join(names)
    return [translate("usage.did_you_mean", names=joined)] if joined else []


def _page(command: AnyCommand, context: Context) -> str:
    sections = manual_sections(command, context).items()
    return "\n\n".join(_section(title, body) for title, body in sections)


def manual_sections(command: AnyCommand, context: Context) -> dict[str, list[str]]:
    """The paragraphs of each section. A term's explanation is the next line, indented."""
    is_program = isinstance(command, Program)
    texts: Mapping[str, Any] = entry("program" if is_program else f"commands.{command.name}")
    parameters = command.get_params(context)
    arguments = [item for item in parameters if isinstance(item, TyperArgument)]
    options = [item for item in parameters if isinstance(item, TyperOption)]
    sections = {
        "name": [f"{context.command_path} - {texts['summary']}"],
        "synopsis": [_synopsis(command, context)],
        "description": [texts["description"]],
        "arguments": _terms({_label(item): _help(item) for item in arguments}),
    }
    if isinstance(command, Program):
        sections["commands"] = _terms({name: _summary(name) for name in command.commands})
    sections["options"] = _terms({_label(item): _help(item) for item in options})
    if is_program:
        sections["environment"] = _terms(entry("program.environment"))
        sections["exit_status"] = _terms(entry("program.exit_status"))
    sections["examples"] = _terms(texts["examples"])
    return {title: body for title, body in sections.items() if body}


def _summary(command: str) -> str:
    return translate(f"commands.{command}.summary")


def _section(title: str, paragraphs: Sequence[str]) -> str:
    heading = typer.style(translate(f"manual.{title}"), bold=True)
    return "\n".join([heading, *(_wrap(paragraph) for paragraph in paragraphs)])


def _terms(terms: Mapping[str, str]) -> list[str]:
    return [f"{term}\n{_INDENT}{text}" for term, text in terms.items()]


def _wrap(text: str) -> str:
    """Indents and wraps each line on its own; lines that are indented further stay so."""
    width = min(shutil.get_terminal_size().columns, _MAX_WIDTH)
    lines = []
    for line in text.split("\n"):
        further = _INDENT + " " * (len(line) - len(line.lstrip()))
        lines.append(
            textwrap.fill(
                line.strip(),
                width,
                initial_indent=further,
                subsequent_indent=further,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
    return "\n".join(lines)


def _synopsis(command: AnyCommand, context: Context) -> str:
    pieces = [context.command_path, "[OPTIONS]"]
    for parameter in command.get_params(context):
        if isinstance(parameter, TyperArgument):
            label = _label(parameter)
            pieces.append(label if parameter.required or label[0] == "[" else f"[{label}]")
        elif isinstance(parameter, TyperOption) and parameter.required:
            pieces.append(_label(parameter))
    if isinstance(command, Program):
        pieces.append("COMMAND ...")
    return " ".join(pieces)


def _label(parameter: Parameter) -> str:
    metavar = parameter.metavar or str(parameter.name).upper()
    if isinstance(parameter, TyperArgument):
        return metavar
    names = ", ".join(sorted([*parameter.opts, *parameter.secondary_opts], key=len))
    return names if parameter.is_flag else f"{names} {metavar}"


def _help(parameter: Parameter) -> str:
    if parameter.name in ADDED_OPTIONS:
        return translate(f"options.{parameter.name}")
    return translate(str(parameter.help))
