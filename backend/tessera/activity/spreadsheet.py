"""Exports activity for spreadsheets, which must not interpret a name as a formula."""

import csv
import io
from collections.abc import Sequence

import asyncpg

from tessera.kit.i18n import Language, translate

# Some spreadsheets also read the full-width forms.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_COLUMNS = ("at", "company_name", "actor_name", "action", "target", "details", "origin")


def activity_csv(rows: Sequence[asyncpg.Record], language: Language, *, with_company: bool) -> str:
    shown = [name for name in _COLUMNS if name != "company_name" or with_company]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([translate(f"activity.columns.{name}", language) for name in shown])
    for row in rows:
        writer.writerow([safe_cell(_text(row, name)) for name in shown])
    return file.getvalue()


def safe_cell(text: str) -> str:
    """A leading apostrophe makes a spreadsheet show the text instead of evaluating it."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _text(row: asyncpg.Record, name: str) -> str:
    if name == "at":
        return f"{row['at']:%Y-%m-%d %H:%M:%S}Z"
    if name == "details":
        return "" if row["details"] == "{}" else str(row["details"])
    return str(row[name])
