"""The sentences of docs/conformance.md and the tests that prove them, for `make conformance`.

A test names the sentences it proves: in Python with `@pytest.mark.spec("4.12")` on a function or a
class, in TypeScript with a comment `// Specification: 4.12, 5.3` above `it` or `describe`.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs/conformance.md"
PYTHON_TESTS = ("backend/tests", "client/tests", "core/tests", "e2e")
CONSOLE_TESTS = "frontend/src"

SENTENCE = re.compile(r"^\| (?P<id>\d+\.\d+) \| (?P<text>.+?) \|", re.MULTILINE)
MARKED = re.compile(r"^[ \t]*// Specification: (?P<ids>[\d., ]+)\n", re.MULTILINE)
TITLE = re.compile(
    r"\s*(?:it|describe)(?:\.each(?:.*?)\))?\(\s*(?P<quote>['\"`])(?P<title>(?:\\.|(?!(?P=quote)).)*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Proof:
    sentence: str
    file: str
    name: str


def sentences() -> list[tuple[str, str]]:
    """Number and text of every sentence."""
    return [(row["id"], row["text"]) for row in SENTENCE.finditer(DOCUMENT.read_text("utf-8"))]


def proofs() -> list[Proof]:
    found: list[Proof] = []
    for folder in PYTHON_TESTS:
        for path in sorted((ROOT / folder).rglob("test_*.py")):
            if "node_modules" not in path.parts:
                found += _python_proofs(path)
    for path in sorted((ROOT / CONSOLE_TESTS).rglob("*.test.ts*")):
        found += _console_proofs(path)
    return found


def _python_proofs(path: Path) -> Iterator[Proof]:
    file, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    if "mark.spec(" not in text:
        return
    for parent, node in _definitions(ast.parse(text), ""):
        name = f"{parent}{node.name}"
        for id_ in _marks(node):
            yield Proof(id_, file, name)


def _definitions(
    tree: ast.Module | ast.ClassDef, parent: str
) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield parent, node
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node, f"{node.name}.")


def _marks(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        for call in ast.walk(decorator):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.spec":
                for argument in call.args:
                    yield str(ast.literal_eval(argument))


def _console_proofs(path: Path) -> Iterator[Proof]:
    text = path.read_text(encoding="utf-8")
    file = path.relative_to(ROOT).as_posix()
    for marked in MARKED.finditer(text):
        title = TITLE.match(text, marked.end())
        if title is None:
            raise ValueError(f"{file}: no test follows {marked.group().strip()!r}")
        for id_ in marked["ids"].split(","):
            yield Proof(id_.strip(), file, title["title"].replace("\\'", "'"))


if __name__ == "__main__":
    PROOFS = proofs()
    for number, text in sentences():
        print(number, text)  # noqa: T201
        for proof in PROOFS:
            if proof.sentence == number:
                print(f"      {proof.file} {proof.name}")  # noqa: T201
