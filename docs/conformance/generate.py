"""Writes docs/conformance.md: each sentence of the specification and the tests that prove it.

The sentences are in specification.toml. A test names those it proves: in Python with
`@pytest.mark.spec("4.12")` on a function or a class, in TypeScript with a comment
`// Specification: 4.12, 5.3` above `it` or `describe`. Run with `make conformance`.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPECIFICATION = Path(__file__).with_name("specification.toml")
DOCUMENT = ROOT / "docs/conformance.md"
PYTHON_TESTS = ("backend/tests", "client/tests", "core/tests", "e2e")
CONSOLE_TESTS = "frontend/src"

INTRODUCTION = """\
# Conformance to the specification

Written by `make conformance`; do not edit. The customer's specification was split into {sentences}
sentences that state a requirement. Each has at least one test, {tests} in all: {held} sentences are
met as written, {different} with a difference that was decided on and is stated below the sentence.
`backend/tests/conformance` fails when this page is stale, a test names an unknown sentence, or a
sentence has no test. Sentences that only say what the specification does not show are left out.
"""

MARKED = re.compile(r"^[ \t]*// Specification: (?P<ids>[\d., ]+)\n", re.MULTILINE)
TITLE = re.compile(
    r"\s*(?:it|describe)(?:\.each(?:.*?)\))?\(\s*(?P<quote>['\"`])(?P<title>(?:\\.|(?!(?P=quote)).)*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Sentence:
    id: str
    text: str
    difference: str


@dataclass(frozen=True)
class Proof:
    sentence: str
    file: str
    name: str


def sections() -> dict[str, list[Sentence]]:
    data = tomllib.loads(SPECIFICATION.read_text(encoding="utf-8"))
    differences = data.pop("differences")
    return {
        title: [Sentence(id_, text, differences.get(id_, "")) for id_, text in rows.items()]
        for title, rows in data.items()
    }


def proofs() -> list[Proof]:
    found: list[Proof] = []
    for folder in PYTHON_TESTS:
        for path in sorted((ROOT / folder).rglob("test_*.py")):
            if "node_modules" not in path.parts:
                found += _python_proofs(path)
    for path in sorted((ROOT / CONSOLE_TESTS).rglob("*.test.ts*")):
        found += _console_proofs(path)
    return found


def document() -> str:
    by_sentence: defaultdict[str, list[Proof]] = defaultdict(list)
    for proof in proofs():
        by_sentence[proof.sentence].append(proof)
    every = [sentence for rows in sections().values() for sentence in rows]
    different = sum(bool(sentence.difference) for sentence in every)
    tests = {(proof.file, proof.name) for found in by_sentence.values() for proof in found}
    parts = [
        INTRODUCTION.format(
            sentences=len(every),
            tests=len(tests),
            held=len(every) - different,
            different=different,
        )
    ]
    for title, rows in sections().items():
        parts.append(f"\n## {title}\n\n| | sentence | proved by |\n|---|---|---|\n")
        parts += [_row(sentence, by_sentence[sentence.id]) for sentence in rows]
    return "".join(parts)


def _row(sentence: Sentence, found: list[Proof]) -> str:
    tests = "<br>".join(
        f"[{Path(proof.file).name}](../{proof.file}) {_cell(proof.name)}" for proof in found
    )
    difference = f"<br>*{_cell(sentence.difference)}*" if sentence.difference else ""
    return f"| {sentence.id} | {_cell(sentence.text)}{difference} | {tests} |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def _python_proofs(path: Path) -> Iterator[Proof]:
    file = path.relative_to(ROOT).as_posix()
    for parent, node in _definitions(ast.parse(path.read_text(encoding="utf-8")), ""):
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
    DOCUMENT.write_text(document(), encoding="utf-8")
