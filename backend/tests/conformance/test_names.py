"""A test's name says situation and outcome, and is found once in its package."""

import re
from collections import Counter

from tests.conformance.proofs import PYTHON_TESTS, ROOT

# Words that only make sense after the name of the class.
POINTS_AT_ITS_CLASS = {"are", "it", "its", "is", "none", "of", "that", "them", "they"}
TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)


def test_names_are_unique_in_their_package_and_stand_alone() -> None:
    names = [
        (path.parent.relative_to(ROOT).as_posix(), name)
        for folder in PYTHON_TESTS
        for path in (ROOT / folder).rglob("test_*.py")
        if "node_modules" not in path.parts
        for name in TEST.findall(path.read_text("utf-8"))
    ]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert [name for name in names if not _stands_alone(name[1])] == []


def _stands_alone(name: str) -> bool:
    _, first, *rest = name.split("_")
    return first not in POINTS_AT_ITS_CLASS and len(rest) >= 2
