"""Stripe's form encoding: items[0][price]=x is {"items": [{"price": "x"}]}."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl

from tessera.sandbox.stripe.failures import StripeFailure

_KEY = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
_DEEPEST = 8
_MAX_FIELDS = 500


def read_form(text: str) -> dict[str, Any]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise StripeFailure("Too many parameters.") from None
    return nest(pairs)


def nest(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in pairs:
        match = _KEY.fullmatch(name)
        if match is None:
            raise StripeFailure(f"Invalid parameter name: {name[:60]}", param=name[:60])
        path = [match[1], *re.findall(r"\[([^\[\]]*)\]", match[2])]
        if len(path) > _DEEPEST:
            raise StripeFailure("Parameters are nested too deeply.", param=path[0])
        _put(tree, path, value)
    return {name: _lists(value) for name, value in tree.items()}


def _put(tree: dict[str, Any], path: list[str], value: str) -> None:
    here = tree
    for part in path[:-1]:
        here = here.setdefault(_index(part, here), {})
        if not isinstance(here, dict):
            raise StripeFailure("A parameter was given both as a value and as an object.")
    here[_index(path[-1], here)] = value


def _index(part: str, here: dict[str, Any]) -> str:
    """expand[]=a&expand[]=b: each empty index is the next one."""
    return part or str(len(here))


def _lists(value: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, dict):
        return value
    if value and all(key.isdigit() for key in value):
        return [_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _lists(inner) for key, inner in value.items()}


def flag(data: dict[str, Any], name: str) -> bool | None:
    if name not in data:
        return None
    if data[name] not in {"true", "false"}:
        raise StripeFailure(f"Invalid boolean: {name}", param=name)
    return bool(data[name] == "true")


def number(data: dict[str, Any], name: str) -> int | None:
    if name not in data:
        return None
    text = data[name]
    if not isinstance(text, str) or not re.fullmatch(r"-?\d{1,12}", text):
        raise StripeFailure(f"Invalid integer: {name}", param=name)
    return int(text)


def text(data: dict[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value:
        raise StripeFailure(
            f"Missing required param: {name}.", code="parameter_missing", param=name
        )
    return value
