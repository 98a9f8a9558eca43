"""Results on stdout, as text or as one JSON object; everything else goes to stderr."""

import inspect
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec

import typer

from tessera_client.commands.options import AsJson, Lang
from tessera_client.errors import EXPECTED, ClientError, to_client_error
from tessera_client.texts import visible_lines

Parameters = ParamSpec("Parameters")


@dataclass(frozen=True)
class Result:
    """What a command answers: `data` for scripts, `text` for people."""

    data: Mapping[str, object]
    text: str = ""
    exit_code: int = 0


@dataclass
class Output:
    """How this run of the program answers."""

    as_json: bool = field(default=False)

    def show(self, result: Result) -> None:
        if self.as_json:
            _write_json(result.data)
        elif result.text:
            sys.stdout.write(visible_lines(result.text).rstrip("\n") + "\n")
        sys.stdout.flush()

    def show_error(self, error: ClientError) -> None:
        if self.as_json:
            answer = {"error": error.code, "message": str(error), **error.details}
            _write_json(answer)
        sys.stderr.write(visible_lines(f"{error}\n"))


output = Output()


def _write_json(data: Mapping[str, object]) -> None:
    import msgspec  # noqa: PLC0415 - slow to import

    text = json.dumps(data, ensure_ascii=False, default=msgspec.to_builtins)
    sys.stdout.write(f"{text}\n")


def notice(text: str) -> None:
    sys.stderr.write(visible_lines(f"{text}\n"))


def answers(function: Callable[Parameters, Result]) -> Callable[Parameters, None]:
    """Shows a command's result, and turns errors into exit codes."""

    @wraps(function)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        output.as_json = bool(kwargs.pop("as_json"))
        kwargs.pop("_language")  # It was chosen before the command line was parsed.
        try:
            result = function(*args, **kwargs)
        except BrokenPipeError:
            raise
        except EXPECTED as error:
            failure = to_client_error(error)
            output.show_error(failure)
            raise typer.Exit(failure.exit_code) from None
        output.show(result)
        if result.exit_code:
            raise typer.Exit(result.exit_code)

    _add_option(run, "as_json", AsJson, default=False)
    _add_option(run, "_language", Lang, default=None)
    return run


def _add_option(
    function: Callable[..., None], name: str, annotation: object, *, default: object
) -> None:
    """Makes the command line see one more option of a command."""
    signature = inspect.signature(function)
    option = inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )
    parameters = [*signature.parameters.values(), option]
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {**function.__annotations__, name: annotation}
