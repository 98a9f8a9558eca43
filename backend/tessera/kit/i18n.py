"""Translated messages for errors, mails and SMS."""

import json
from collections.abc import Mapping
from contextvars import ContextVar
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


class Language(StrEnum):
    EN = "en"
    TR = "tr"
    AR = "ar"


_CODES = frozenset(language.value for language in Language)

current_language: ContextVar[Language] = ContextVar("current_language", default=Language.EN)


# Values that every text may name.
_shared_params: dict[str, str] = {"support": ""}


def set_shared_params(*, support: str) -> None:
    """Called once, when the service starts."""
    _shared_params["support"] = support


@cache
def catalogue(language: Language, prefix: str = "") -> Mapping[str, Any]:
    file = files("tessera.locales").joinpath(f"{prefix}{language}.json")
    loaded: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def translate(key: str, language: Language, **params: object) -> str:
    """`key` is a dotted path into the catalogue; an unknown key is returned as is."""
    found: Any = catalogue(language)
    for part in key.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return key
        found = found[part]
    return fill(str(found), params)


def fill(text: str, params: Mapping[str, object]) -> str:
    return text.format(**{**_shared_params, **params})


def negotiate(header: str | None) -> Language:
    """Returns the best supported language for an Accept-Language header; English if none fits."""
    best, best_weight = Language.EN, 0.0
    for part in (header or "")[:200].split(","):
        tag, _, parameters = part.partition(";")
        language = tag.strip().lower().split("-")[0]
        if language not in _CODES:
            continue
        try:
            weight = float(parameters.strip().removeprefix("q=")) if parameters.strip() else 1.0
        except ValueError:
            continue
        if weight > best_weight:
            best, best_weight = Language(language), weight
    return best
