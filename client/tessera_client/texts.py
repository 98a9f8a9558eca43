"""Texts in the user's language, from `locales`."""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pkgutil import get_data
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
    # Half of what `importlib.resources` takes, which imports more.
    loaded: Mapping[str, Any] = json.loads(get_data(__name__, f"locales/{language}.json") or b"")
    return loaded


def translate(key: str, **values: object) -> str:
    """`key` is a dotted path into the catalogue; plural forms are chosen by the value `count`, and
    a form that is the same as `other` is left out.

    The values may come from anybody: names, messages of the service. They are made visible.
    """
    found = entry(key)
    if isinstance(found, Mapping):
        form = plural_form(int(str(values["count"])), current_language())
        found = found.get(form, found["other"])
    shown = {
        name: value if isinstance(value, int | float) else visible(str(value))
        for name, value in values.items()
    }
    return str(found).format(**shown)


def show_bytes(size: int) -> str:
    return translate("units.bytes", count=size)


# Control characters, which terminals obey; marks that change the direction or have no width; line
# and paragraph separators; halves of surrogate pairs. Joiners, in Persian words and emoji, stay.
_INVISIBLE = (
    r"\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
# ASCII that is kept in its order within a line of the other direction cannot hide anything.
_ISOLATED = r"\u2066[\x20-\x7e]*\u2069"
_HIDDEN = re.compile(f"{_ISOLATED}|[{_INVISIBLE}]")
_HIDDEN_IN_LINES = re.compile(rf"(?![\n\u2066-\u2069])[{_INVISIBLE}]")


def visible(value: object) -> str:
    """Shows what a terminal would obey or hide as escapes such as \\x1b and \\u202e."""
    return _HIDDEN.sub(_escape, str(value))


def visible_lines(text: str) -> str:
    """The same for whole texts, whose line breaks and isolates are the program's own."""
    return _HIDDEN_IN_LINES.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    if len(match[0]) > 1:
        return match[0]
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def entry(key: str) -> Any:  # noqa: ANN401 - a text, or a part of the catalogue
    """What the catalogue holds at a dotted path."""
    found: Any = catalogue(current_language())
    for part in key.split("."):
        found = found[part]
    return found
