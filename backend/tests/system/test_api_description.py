"""The OpenAPI description in the language of the request."""

import gzip
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.kit import api_description
from tessera.kit.i18n import Language, catalogue
from tessera.main import create_app
from tessera.settings import Settings

TRANSLATED = [Language.TR, Language.AR]
# Names, placeholders, codes and numbers, which no language changes. The decimal sign differs.
FIXED = re.compile(
    r"`[^`]*`|\d+(?![.,]00)|[$~+]|\b(?:AUTH|JSON|URL|Range|WebAuthn|null|true|false)\b"
)


@cache
def english() -> dict[str, Any]:
    settings = Settings(platform_key="A" * 43 + "=", _env_file=None)
    described: dict[str, Any] = create_app(settings).openapi()
    return described


_descriptions: list[dict[str, Any]] = []


@pytest.fixture
def client(client: httpx.AsyncClient, app: FastAPI) -> httpx.AsyncClient:
    """Every test has an app of its own, which takes seconds to describe."""
    if not _descriptions:
        _descriptions.append(app.openapi())
    [app.openapi_schema] = _descriptions
    return client


def texts(part: Any) -> Iterator[str]:
    """The texts of a description that people read, each in one line."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key in {"summary", "description"} and isinstance(value, str):
                yield " ".join(value.split())
            else:
                yield from texts(value)
    elif isinstance(part, list):
        for item in part:
            yield from texts(item)


def without_texts(part: Any) -> Any:
    if isinstance(part, list):
        return [without_texts(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: without_texts(value)
        for key, value in part.items()
        if key not in {"summary", "description"} or not isinstance(value, str)
    }


def fixed(text: str) -> list[str]:
    return sorted(FIXED.findall(text.replace("Null", "null").replace("False", "false")))


@pytest.mark.parametrize("language", TRANSLATED)
class TestCatalogue:
    def test_translates_every_text_and_nothing_else(self, language: Language) -> None:
        described, translated = set(texts(english())), catalogue(language, "api.").keys()
        assert len(described) > 250
        assert (described - translated, translated - described) == (set(), set())

    def test_keeps_names_codes_and_numbers(self, language: Language) -> None:
        different = {
            text: translation
            for text, translation in catalogue(language, "api.").items()
            if fixed(text) != fixed(translation)
        }
        assert different == {}

    def test_catalogue_is_sorted_by_the_english_text(self, language: Language) -> None:
        keys = list(catalogue(language, "api."))
        assert keys == sorted(keys)

    def test_catalogue_is_written_in_its_language(self, language: Language) -> None:
        translations = catalogue(language, "api.")
        assert {text for text, translation in translations.items() if text == translation} == set()
        if language is Language.AR:
            assert [text for text in translations.values() if not re.search("[ء-ي]", text)] == []


@pytest.mark.parametrize("language", TRANSLATED)
async def test_description_is_translated_and_otherwise_the_same(
    client: httpx.AsyncClient, language: Language
) -> None:
    plain = (await client.get("/api/openapi.json")).json()
    answer = await client.get("/api/openapi.json", headers={"Accept-Language": language})
    translations = catalogue(language, "api.")
    assert answer.headers["content-language"] == language
    assert "Accept-Language" in answer.headers["vary"]
    assert set(texts(answer.json())) == {translations[text] for text in texts(plain)}
    assert without_texts(answer.json()) == without_texts(plain)


@pytest.mark.parametrize("accepted", ["fr, *;q=0.5", "en"])
async def test_description_is_english_by_default(client: httpx.AsyncClient, accepted: str) -> None:
    answer = await client.get("/api/openapi.json", headers={"Accept-Language": accepted})
    assert answer.headers["content-language"] == "en"
    assert set(texts(answer.json())) == set(texts(english()))


async def test_description_is_compressed_on_request_only(client: httpx.AsyncClient) -> None:
    packed = await client.get("/api/openapi.json", headers={"Accept-Encoding": "gzip"})
    plain = await client.get("/api/openapi.json", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) * 5 < len(plain.content)
    assert "Accept-Encoding" in packed.headers["vary"]


async def test_description_is_translated_once_per_language(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Accept-Language": "tr"}
    first = await client.get("/api/openapi.json", headers=headers)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(api_description, "_translated", refuse)
    monkeypatch.setattr(gzip, "compress", refuse)
    assert (await client.get("/api/openapi.json", headers=headers)).content == first.content
