"""Where SQL and the driver's records may occur, and what features may use of each other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "tessera"
STATEMENT = re.compile(r"\.(fetch|fetchrow|fetchval|execute|executemany)\(")
# What functions, parentheses and parameters (`g`) return is stated in the statement itself.
ANY_COLUMN = re.compile(
    r"(?:SELECT|RETURNING) \*(?!(?:, [a-z()]+(?: AS \w+)?)? FROM (?:\w+)?\().{0,20}|\b[a-fh-z]\.\*"
)
# The stores of the sandbox, whose modules hold nothing else.
STORES = {"integrations/outbox.py", "sandbox/stripe/store.py"}
# What is above or below all features.
SHARED = {"authz", "integrations", "kit", "maintenance", "sandbox"}


def test_statements_stand_in_queries_modules() -> None:
    found = {
        name
        for name, text in _modules().items()
        if STATEMENT.search(text)
        and not name.endswith("queries.py")
        and not name.startswith("kit/")
    }
    assert found == STORES


def test_statements_name_the_columns_of_tables() -> None:
    """A column that a later version adds changes the result of `*`: PostgreSQL then refuses what
    was prepared before, in the middle of the running service's calls."""
    found = {
        f"{name}: {match.group()}"
        for name, text in _modules().items()
        if name.endswith("queries.py") or name in STORES
        for match in ANY_COLUMN.finditer(text)
    }
    assert found == set()


def test_records_of_the_driver_stay_in_queries_modules() -> None:
    found = {
        name
        for name, text in _modules().items()
        if "asyncpg.Record" in text and not name.startswith("kit/")
    }
    assert found == set()


@pytest.mark.parametrize("private", ["queries", "endpoints"])
def test_feature_imports_no_other_features_private_modules(private: str) -> None:
    found = {
        f"{name}: {imported}"
        for name, text in _modules().items()
        if private in text
        for imported in _imports(text)
        if (feature := imported.split(".")[1]) != name.partition("/")[0]
        and "/" in name
        and not {feature, name.partition("/")[0]} & SHARED
        and any(part.endswith(private) for part in imported.split("."))
    }
    assert found == set()


def _imports(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tessera."):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _modules() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in ROOT.rglob("*.py")
    }
