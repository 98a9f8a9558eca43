"""A variable is named after the thing it holds: no function has two participles for nouns."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.proofs import ROOT

PARTICIPLES = {
    "asked", "chosen", "each", "found", "given", "kept", "known", "made", "opened", "seen",
    "stored", "taken", "wanted",
}  # fmt: skip
FOLDERS = ("backend/tessera", "client/delivery", "client/tessera_client", "core/tessera_core")
# Where names are still to be gone through.
LATER = (
    "backend/tessera/api_tokens", "backend/tessera/audit", "backend/tessera/identity",
    "backend/tessera/kit", "backend/tessera/scim", "backend/tessera/storage/restores",
    "client/tessera_client/drive", "client/tessera_client/sync",
)  # fmt: skip


def test_variables_of_a_function_say_what_they_hold() -> None:
    vague = [
        f"{path.relative_to(ROOT)}: {line}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(LATER)
        for line in _vague_functions(path)
    ]
    assert vague == []


@pytest.mark.parametrize(
    ("code", "is_vague"),
    [
        ("found = 1", False),
        ("found = [each for each in ()]", True),
        ("for kept, made in (): pass", True),
        ("def inner(): made = found", False),
        ("x = self.found", False),
    ],
)
def test_two_participles_in_a_function_are_seen(code: str, is_vague: bool, tmp_path: Path) -> None:
    module = tmp_path / "a.py"
    module.write_text(f"def outer(found):\n    {code}\n", encoding="utf-8")
    assert bool([*_vague_functions(module)]) == is_vague


def _vague_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            words = PARTICIPLES & {*_variables(node)}
            if len(words) > 1:
                yield f"{node.name} has {', '.join(sorted(words))}"


def _variables(function: ast.AST) -> Iterator[str]:
    """Parameters too, without the functions inside."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _variables(node)
