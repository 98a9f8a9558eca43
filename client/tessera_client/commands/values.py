"""Converts command-line values.

Typer converts them with pydantic, whose import takes as long as the rest of the start-up. Texts and
paths are converted here instead, so that pydantic is imported for other types only.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

# Typer's classes of parameters, contexts and conversions are not public.
Parameter: TypeAlias = Any
Context: TypeAlias = Any
Conversion: TypeAlias = Any

_PLAIN: dict[object, Callable[[str], object]] = {str: str, Path: Path}
_PLAIN_LISTS: dict[object, Callable[[str], object]] = {list[str]: str, list[Path]: Path}


def convert_plainly(parameters: list[Parameter]) -> list[Parameter]:
    for parameter in parameters:
        get = parameter.get_runtime_param
        if not isinstance(getattr(get, "__self__", None), _PlainConversion):
            parameter.get_runtime_param = _PlainConversion(get).get
    return parameters


class _PlainConversion:
    def __init__(self, get_other: Callable[[], Conversion]) -> None:
        self._get_other = get_other

    def get(self) -> "_PlainConversion":
        return self

    def coerce(self, value: Any, param: Parameter, ctx: Context) -> Any:  # noqa: ANN401
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if kind in _PLAIN and isinstance(value, str):
            return _PLAIN[kind](value)
        if kind in _PLAIN_LISTS and isinstance(value, list | tuple):
            return [_PLAIN_LISTS[kind](each) for each in value]
        return self._get_other().coerce(value, param=param, ctx=ctx)
