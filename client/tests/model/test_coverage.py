"""Every case that a test checks by itself can also happen in the model."""

import ast
from pathlib import Path

from client.tests.model import test_model  # noqa: F401 - adds all moves
from client.tests.model.registry import MOVES

FILES = (
    "test_lies",
    "test_login_lies",
    "test_hostile_member",
    "test_recovery_record",
    "test_membership",
)
TESTS = Path(__file__).parents[1]


def written_tests() -> set[str]:
    return {
        f"{file}.{node.name}"
        for file in FILES
        for node in ast.walk(ast.parse((TESTS / f"{file}.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_case_is_reached_by_a_move() -> None:
    covered = {name for made in MOVES.values() for name in made.covers}
    assert covered == written_tests()
