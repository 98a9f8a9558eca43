import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tessera
from tessera.errors import TesseraError
from tessera.kit.i18n import Language, catalogue, negotiate


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, f"{path}.{key}")
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from leaves(value, f"{path}[{number}]")
    else:
        yield path, tree


def names(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("language", [Language.TR, Language.AR])
def test_the_catalogues_hold_the_same_messages_with_the_same_values(language: Language) -> None:
    english, other = dict(leaves(catalogue(Language.EN))), dict(leaves(catalogue(language)))
    assert english.keys() == other.keys()
    assert {key for key in english if names(english[key]) != names(other[key])} == set()
    assert {key for key in english if english[key] == other[key]} == set()


def all_errors(kind: type[TesseraError] = TesseraError) -> Iterator[type[TesseraError]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from all_errors(subclass)


def test_every_error_has_its_sentence() -> None:
    importlib.import_module("tessera.main")
    missing = {error.code for error in all_errors()} - catalogue(Language.EN)["errors"].keys()
    assert missing == set()


def test_every_field_message_has_its_sentence() -> None:
    source = "\n".join(path.read_text() for path in Path(tessera.__file__).parent.rglob("*.py"))
    used = set(re.findall(r'FieldError\("(\w+)"\)', source))
    assert used <= catalogue(Language.EN)["fields"].keys()
    assert used


@pytest.mark.parametrize(
    ("header", "language"),
    [(None, "en"), ("ar", "ar"), ("tr;q=0.4,ar;q=0.6", "ar"), ("TR", "tr"), ("x" * 10_000, "en")],
)
def test_negotiation(header: str | None, language: str) -> None:
    assert negotiate(header) == language
