"""What the command line uses of Typer that is not public. A test names each of them.

Typer converts values with pydantic, whose import takes as long as the rest of the start-up. Texts
and paths are converted here instead, so that pydantic is imported for other types only.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from typer import completion

Context: TypeAlias = Any
AnyCommand: TypeAlias = Any
AnyParameter: TypeAlias = Any

# Classes of errors, which are known by their names.
NO_ARGUMENTS, MISSING_PARAMETER, NO_SUCH_OPTION = (
    "NoArgsIsHelpError",
    "MissingParameter",
    "NoSuchOption",
)
install_completion: Callable[[], tuple[str, Path]] = completion.install  # type: ignore[attr-defined]
# Parameters that Typer adds, with its own English help.
INSTALL_COMPLETION = "install_completion"
ADDED_OPTIONS = {"help", INSTALL_COMPLETION, "show_completion"}

_PLAIN: dict[object, Callable[[str], object]] = {str: str, Path: Path}
_PLAIN_LISTS: dict[object, Callable[[str], object]] = {list[str]: str, list[Path]: Path}


def convert_without_pydantic(parameters: list[AnyParameter]) -> list[AnyParameter]:
    for parameter in parameters:
        get = parameter.get_runtime_param
        if not isinstance(getattr(get, "__self__", None), _PlainConversion):
            parameter.get_runtime_param = _PlainConversion(get).get
    return parameters


class _PlainConversion:
    def __init__(self, get_other: Callable[[], Any]) -> None:
        self._get_other = get_other

    def get(self) -> "_PlainConversion":
        return self

    def coerce(self, value: Any, param: AnyParameter, ctx: Context) -> Any:  # noqa: ANN401
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if kind in _PLAIN and isinstance(value, str):
            return _PLAIN[kind](value)
        if kind in _PLAIN_LISTS and isinstance(value, list | tuple):
            return [_PLAIN_LISTS[kind](item) for item in value]
        return self._get_other().coerce(value, param=param, ctx=ctx)
