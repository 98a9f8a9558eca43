"""Results on stdout, as text or as one JSON object; everything else goes to stderr."""

import inspect
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Annotated, ParamSpec

import typer

from tessera_client.errors import ClientError
from tessera_client.texts import Language, translate, visible_lines
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards

Parameters = ParamSpec("Parameters")

AsJson = Annotated[bool, typer.Option("--json", help="options.json")]

Lang = Annotated[
    Language | None, typer.Option("--lang", help="options.language", metavar="en|tr|ar")
]

REFUSED = 5


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
            sys.stdout.write(json.dumps(result.data, ensure_ascii=False) + "\n")
        elif result.text:
            sys.stdout.write(visible_lines(result.text).rstrip("\n") + "\n")
        sys.stdout.flush()

    def show_error(self, error: ClientError) -> None:
        if self.as_json:
            answer = {"error": error.code, "message": str(error), **error.details}
            sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stderr.write(visible_lines(f"{error}\n"))


output = Output()


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
        except ClientError as error:
            output.show_error(error)
            raise typer.Exit(error.exit_code) from None
        except NotEnoughShards as error:
            failure = ClientError(str(error), code="not_enough_pieces")
            output.show_error(failure)
            raise typer.Exit(failure.exit_code) from None
        except (Malformed, NotAuthentic) as error:
            output.show_error(
                ClientError(translate("errors.not_authentic", reason=error), code="not_authentic")
            )
            raise typer.Exit(REFUSED) from None
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
