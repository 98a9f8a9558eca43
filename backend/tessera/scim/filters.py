"""SCIM filters as conditions of SQL statements."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any

from scim2_models import ScimFilter
from scim2_models.path import (
    AttrPath,
    CompareOperator,
    Comparison,
    FilterVisitor,
    LogicalExpr,
    LogicalOperator,
    Not,
    Present,
    ValuePath,
)

from tessera.kit.schemas import normalize_email
from tessera.scim.errors import ScimFilterNotSupported

MAX_LENGTH = 2_000
MAX_TERMS = 50

_ORDER = {
    CompareOperator.gt: ">",
    CompareOperator.ge: ">=",
    CompareOperator.lt: "<",
    CompareOperator.le: "<=",
}


class Kind(Enum):
    EXACT = "exact"
    # Both sides as `normalize_email` folds them.
    FOLDED = "folded"
    TEXT = "text"
    BOOL = "bool"
    TIME = "time"


@dataclass(frozen=True)
class Column:
    expression: str
    kind: Kind


@dataclass
class Condition(FilterVisitor[str]):
    """Builds the text of a condition; `values` are its parameters, numbered from `first` on."""

    columns: Mapping[str, Column]
    first: int
    values: list[object] = field(default_factory=list)
    _terms: int = 0
    _prefix: str = ""

    def visit_comparison(self, node: Comparison) -> str:
        column = self._column(node.attr_path)
        if node.value is None:
            if node.op not in (CompareOperator.eq, CompareOperator.ne):
                raise ScimFilterNotSupported
            return f"({column.expression} IS {'' if node.op is CompareOperator.eq else 'NOT '}NULL)"
        compared = self._comparison(column, node.op, node.value)
        if node.op is CompareOperator.ne:
            return compared
        # Never unknown, which NOT would keep so. COALESCE would prevent the use of an index.
        return f"({compared} AND {column.expression} IS NOT NULL)"

    def _comparison(self, column: Column, op: CompareOperator, value: object) -> str:
        left, right = column.expression, self._value(column.kind, value)
        if column.kind is Kind.TEXT:
            left, right = f"fold_text({left})", f"fold_text({right})"
        match op:
            case CompareOperator.eq:
                return f"{left} = {right}"
            case CompareOperator.ne:
                return f"{left} IS DISTINCT FROM {right}"
        if column.kind is Kind.BOOL:
            raise ScimFilterNotSupported
        if op in _ORDER:
            return f"{left} {_ORDER[op]} {right}"
        if column.kind is Kind.TIME:
            raise ScimFilterNotSupported
        match op:
            case CompareOperator.co:
                return f"position({right} IN {left}) > 0"
            case CompareOperator.sw:
                return f"starts_with({left}, {right})"
        return f"right({left}, length({right})) = {right}"

    def _value(self, kind: Kind, value: object) -> str:
        self.values.append(_READERS[kind](value))
        return f"${self.first + len(self.values) - 1}::{_TYPES.get(kind, 'text')}"

    def visit_present(self, node: Present) -> str:
        return f"({self._column(node.attr_path).expression} IS NOT NULL)"

    def visit_not(self, node: Not) -> str:
        return f"(NOT {self.visit(node.expr)})"

    def visit_logical_expr(self, node: LogicalExpr) -> str:
        joined = " AND " if node.op is LogicalOperator.and_ else " OR "
        return f"({joined.join(self.visit(term) for term in node.terms)})"

    def visit_value_path(self, node: ValuePath) -> str:
        """Every such attribute has one value here that can be searched for."""
        self._prefix = f"{node.attr_path.attr.lower()}."
        text = self.visit(node.val_filter)
        self._prefix = ""
        return text

    def _column(self, path: AttrPath) -> Column:
        self._terms += 1
        name = path.attr.lower() + (f".{path.sub_attr.lower()}" if path.sub_attr else "")
        column = self.columns.get(self._prefix + name)
        if column is None or self._terms > MAX_TERMS:
            raise ScimFilterNotSupported
        return column


def _text(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ScimFilterNotSupported
    return value


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise ScimFilterNotSupported
    return value


def _time(value: object) -> datetime:
    try:
        time = datetime.fromisoformat(_text(value))
    except ValueError:
        raise ScimFilterNotSupported from None
    if time.tzinfo is None:
        raise ScimFilterNotSupported
    return time


_READERS: dict[Kind, Callable[[object], object]] = {
    Kind.EXACT: _text,
    Kind.FOLDED: lambda value: normalize_email(_text(value)),
    Kind.TEXT: _text,
    Kind.BOOL: _bool,
    Kind.TIME: _time,
}
_TYPES = {Kind.BOOL: "bool", Kind.TIME: "timestamptz"}


def check_length(text: object) -> None:
    """Before it is parsed."""
    if isinstance(text, str) and len(text) > MAX_LENGTH:
        raise ScimFilterNotSupported


def condition(
    given: ScimFilter[Any] | None, columns: Mapping[str, Column], first: int
) -> tuple[str, list[object]]:
    """Returns a condition and its parameters; "true" without a filter."""
    if given is None:
        return "true", []
    built = Condition(columns, first)
    return built.visit(given.ast), built.values
