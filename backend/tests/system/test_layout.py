"""Where SQL and the driver's records may occur."""

import re
from pathlib import Path

import tessera

ROOT = Path(tessera.__file__).parent
STATEMENT = re.compile(r"\.(fetch|fetchrow|fetchval|execute|executemany)\(")
# The stores of the sandbox, whose modules hold nothing else.
STORES = {"integrations/outbox.py", "sandbox/stripe/store.py"}


def test_statements_stand_in_queries_modules() -> None:
    found = {
        name
        for name, text in _modules().items()
        if STATEMENT.search(text)
        and not name.endswith("queries.py")
        and not name.startswith("kit/")
    }
    assert found == STORES


def test_records_of_the_driver_stay_in_queries_modules() -> None:
    found = {
        name
        for name, text in _modules().items()
        if "asyncpg.Record" in text and not name.startswith("kit/")
    }
    assert found == set()


def _modules() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in ROOT.rglob("*.py")
    }
