"""Exports activity for spreadsheets, which must not interpret a name as a formula."""

import csv
import io
from collections.abc import Iterable

from tessera.activity.queries import Activity
from tessera.activity.wording import action_text, change_texts
from tessera.kit.i18n import Language, translate

# Some spreadsheets also read the full-width forms.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_COLUMNS = ("at", "company_name", "actor_name", "action", "target", "details", "origin")


class ActivityCsv:
    def __init__(self, language: Language, *, with_company: bool) -> None:
        self._language = language
        self._shown = [name for name in _COLUMNS if name != "company_name" or with_company]

    def head(self) -> bytes:
        """The columns' names, after the mark by which spreadsheets recognise UTF-8."""
        names = [translate(f"activity.columns.{name}", self._language) for name in self._shown]
        return _lines([names]).encode("utf-8-sig")

    def rows(self, rows: Iterable[Activity]) -> bytes:
        return _lines(
            [safe_cell(_text(row, name, self._language)) for name in self._shown] for row in rows
        ).encode()


def _lines(rows: Iterable[list[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\r\n").writerows(rows)
    return file.getvalue()


def safe_cell(text: str) -> str:
    """A leading apostrophe makes a spreadsheet show the text instead of evaluating it."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _text(row: Activity, name: str, language: Language) -> str:
    if name == "at":
        return f"{row.at:%Y-%m-%d %H:%M:%S}Z"
    if name == "action":
        return action_text(row.action, row.read_details(), language)
    if name == "details":
        details = row.read_details()
        return "\n".join(change_texts(row.action, row.target, details, language))
    return str(getattr(row, name))
