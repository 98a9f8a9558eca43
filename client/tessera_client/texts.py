"""Texts in the user's language, from `locales`."""

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from tessera_core.plurals import plural_form


class Language(StrEnum):
    EN = "en"
    TR = "tr"
    AR = "ar"

    @property
    def direction(self) -> str:
        return "rtl" if self is Language.AR else "ltr"


class _Chosen:
    """The language of this run of the program. All threads share it."""

    language = Language.EN


def set_language(language: Language) -> None:
    _Chosen.language = language


def current_language() -> Language:
    return _Chosen.language


@cache
def catalogue(language: Language) -> Mapping[str, Any]:
    text = files("tessera_client").joinpath("locales", f"{language}.json").read_text("utf-8")
    loaded: Mapping[str, Any] = json.loads(text)
    return loaded


def translate(key: str, **values: object) -> str:
    """`key` is a dotted path into the catalogue; plural forms are chosen by the value `count`."""
    found = entry(key)
    if isinstance(found, Mapping):
        found = found[plural_form(int(str(values["count"])), current_language())]
    return str(found).format(**values)


def entry(key: str) -> Any:  # noqa: ANN401 - a text, or a part of the catalogue
    """What the catalogue holds at a dotted path."""
    found: Any = catalogue(current_language())
    for part in key.split("."):
        found = found[part]
    return found
