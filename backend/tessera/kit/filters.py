"""Filters of lists: the fields that a list can be filtered and sorted by, and their conditions."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from tessera.errors import TesseraError


class FilterNotUnderstood(TesseraError, status=422): ...


class Kind(StrEnum):
    TEXT = "text"
    TIME = "time"
    NUMBER = "number"


@dataclass(frozen=True)
class Field:
    """`sql` of a text field is its folded form (`fold_text`), without case and diacritics.
    `sortable` means that an index provides the order, possibly of another column, `sort_by`.
    `join` is added to the list's source where the field is used. A field with `choices` takes no
    other values, and has the condition of each."""

    sql: str
    kind: Kind = Kind.TEXT
    sortable: bool = True
    sort_by: str = ""
    join: str = ""
    choices: Mapping[str, str] | None = None

    @property
    def text(self) -> str:
        if self.kind is Kind.TEXT:
            return self.sql
        if self.kind is Kind.NUMBER:
            return f"{self.sql}::text"
        return f"to_char({self.sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD')"


def unindexed(column: str) -> Field:
    """A text column without a stored folded form."""
    return Field(f'(fold_text({column}) COLLATE "C")', sortable=False)


class Operator(StrEnum):
    CONTAINS = "contains"
    STARTS_WITH = "startsWith"
    ENDS_WITH = "endsWith"
    MATCHES = "matches"
    GREATER_THAN = "greaterThan"
    LESS_THAN = "lessThan"


@dataclass(frozen=True)
class Filter:
    field: str
    operator: Operator
    value: str


def parse_filter(text: str) -> Filter:
    name, _, rest = text.partition(":")
    operator, colon, value = rest.partition(":")
    if not colon or operator not in set(Operator) or len(value) > 200 or not is_storable(value):
        raise FilterNotUnderstood(fields={"filter": "invalid"})
    return Filter(name, Operator(operator), value)


def is_storable(text: str) -> bool:
    """PostgreSQL cannot store a zero byte or half of a surrogate pair."""
    return not any(unicodedata.category(character) in {"Cc", "Cs"} for character in text)


_COMPARISONS = {Operator.GREATER_THAN: ">", Operator.LESS_THAN: "<", Operator.MATCHES: "="}


def condition(field: Field | None, data: Filter, parameter: Callable[[object], str]) -> str:
    """Returns SQL for the filter. `parameter` adds a value to the statement and returns its
    placeholder; `field` is None if the list has no such field."""
    if field is None:
        raise FilterNotUnderstood(fields={"filter": "invalid"})
    if field.choices is not None:
        return _choice(field.choices, data)
    if data.operator in {Operator.GREATER_THAN, Operator.LESS_THAN} or (
        data.operator is Operator.MATCHES and field.kind is Kind.NUMBER
    ):
        compared = f"{field.sql} {_COMPARISONS[data.operator]}"
        if field.kind is Kind.TIME:
            return f"{compared} {parameter(_time(data.value))}"
        if field.kind is Kind.NUMBER:
            return f"{compared} {parameter(_number(data.value))}::bigint"
        return f"{compared} fold_text({parameter(data.value)}::text)"
    return _text_condition(field.text, data, parameter)


def _choice(choices: Mapping[str, str], data: Filter) -> str:
    if data.operator is not Operator.MATCHES or data.value not in choices:
        raise FilterNotUnderstood(fields={"filter": "invalid"})
    return choices[data.value]


def _text_condition(text: str, data: Filter, parameter: Callable[[object], str]) -> str:
    term = f"fold_text({parameter(data.value)}::text)"
    match data.operator:
        case Operator.CONTAINS:
            return f"position({term} IN {text}) > 0"
        case Operator.STARTS_WITH:
            return f"starts_with({text}, {term})"
        case Operator.ENDS_WITH:
            return f"right({text}, length({term})) = {term}"
        case _:
            return f"{text} = {term}"


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise FilterNotUnderstood(fields={"filter": "invalid"})
    return int(text)


def _time(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        # Without a time zone the value is in the platform's: UTC.
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise FilterNotUnderstood(fields={"filter": "invalid"}) from None
