import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

import tessera
from tessera.errors import TesseraError
from tessera.identity.sso.providers import ISSUER_CODES
from tessera.integrations.clouds import strategy_of
from tessera.kit.i18n import Language, catalogue, negotiate
from tessera.kit.responses import FIELD_CODES
from tessera.warehouses.alerts.service import URL_CODES
from tests.clouds import provider_types
from tests.clouds.google_api import pem


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
    english, other = (
        {key: text for key, text in leaves(catalogue(each)) if not key.startswith(".units.")}
        for each in (Language.EN, language)
    )
    assert english.keys() == other.keys()
    assert {key for key in english if names(english[key]) != names(other[key])} == set()
    assert {key for key in english if english[key] == other[key]} == set()


def all_errors(kind: type[TesseraError] = TesseraError) -> Iterator[type[TesseraError]]:
    for subclass in kind.__subclasses__():
        # A base of several errors has none of its own.
        if not subclass.__subclasses__():
            yield subclass
        yield from all_errors(subclass)


def test_every_error_has_its_sentence() -> None:
    importlib.import_module("tessera.main")
    missing = {error.code for error in all_errors()} - catalogue(Language.EN)["errors"].keys()
    assert missing == set()


def warehouse_codes() -> set[str]:
    small_key = pem(rsa.generate_private_key(65537, 1024))
    wrong = ("", "?", "é", "x\0", "x" * 9_000, "a/../b", small_key)
    return {
        code
        for strategy in map(strategy_of, provider_types.ALL)
        for field in strategy.provider.fields
        for value in wrong
        for code in strategy.check({field.name: value}).values()
        if code not in field.problems
    }


def field_codes() -> set[str]:
    """Every code that the service can send for a field of a form."""
    source = "\n".join(path.read_text() for path in Path(tessera.__file__).parent.rglob("*.py"))
    named = " ".join(re.findall(r"\bfields=\{(.*?)\}[,)]", source))
    return {
        "invalid",
        *FIELD_CODES.values(),
        *warehouse_codes(),
        *URL_CODES.values(),
        *ISSUER_CODES.values(),
        "issuer_configuration",
        *re.findall(r'FieldError\("(\w+)"\)', source),
        *re.findall(r':\s*"(\w+)"', named),
    }


@pytest.mark.parametrize("language", list(Language))
def test_every_field_code_has_its_sentence(language: Language) -> None:
    texts = catalogue(language)["fields"]
    assert len(field_codes()) > 25
    assert {code: texts.get(code) for code in field_codes() if not texts.get(code)} == {}


def test_every_field_sentence_is_used() -> None:
    assert catalogue(Language.EN)["fields"].keys() - field_codes() == set()


@pytest.mark.parametrize(
    ("header", "language"),
    [(None, "en"), ("ar", "ar"), ("tr;q=0.4,ar;q=0.6", "ar"), ("TR", "tr"), ("x" * 10_000, "en")],
)
def test_language_is_negotiated_from_the_header(header: str | None, language: str) -> None:
    assert negotiate(header) == language
