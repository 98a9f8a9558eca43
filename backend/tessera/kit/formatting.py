"""Dates, amounts and counted things as each language writes them. Digits are Latin everywhere, as
in the console: people compare them with card statements."""

from datetime import datetime

from tessera.kit.i18n import Language, catalogue
from tessera_core.plurals import plural_form

_SYMBOLS = {"usd": "$", "eur": "€", "gbp": "£"}
_SYMBOLS_ARABIC = {"usd": "US$", "eur": "€", "gbp": "UK£"}
# Keep an amount together between words that run from right to left.
_ISOLATE, _END_ISOLATE = "\u2066", "\u2069"


def format_date(moment: datetime, language: Language) -> str:
    words = catalogue(language)["dates"]
    text: str = words["long"].format(
        day=moment.day, month=words["months"][moment.month - 1], year=moment.year
    )
    return text


def format_money(cents: int, currency: str, language: Language) -> str:
    """Whole amounts have no decimals, as in the console."""
    number = f"{cents / 100:,.{0 if cents % 100 == 0 else 2}f}"
    code = currency.lower()
    if language is Language.AR:
        symbol = _SYMBOLS_ARABIC.get(code, code.upper())
        return f"{_ISOLATE}{number} {symbol}{_END_ISOLATE}"
    if language is Language.TR:
        number = number.translate(str.maketrans(",.", ".,"))
    return f"{_SYMBOLS.get(code, f'{code.upper()} ')}{number}"


def format_count(unit: str, count: int, language: Language) -> str:
    """`unit` names an entry under `units` in the catalogues."""
    forms = catalogue(language)["units"][unit]
    text: str = forms[plural_form(count, language)].format(count=count)
    return text
