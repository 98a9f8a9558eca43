"""Rules that every description of a provider keeps."""

import json
from pathlib import Path
from pkgutil import iter_modules

import pytest

from tessera_core import providers
from tessera_core.provider import Provider
from tessera_core.providers import DESCRIBED, connectable

PROVIDERS = list(DESCRIBED.values())
LOCALES = Path(__file__).parents[2] / "frontend/src/i18n/locales"

each_provider = pytest.mark.parametrize(
    "provider", PROVIDERS, ids=[provider.key for provider in PROVIDERS]
)


def test_no_two_providers_share_a_type() -> None:
    assert len(list(iter_modules(providers.__path__))) == len(PROVIDERS)


@pytest.mark.parametrize("fact", ["key", "name", "position"])
def test_no_two_providers_share(fact: str) -> None:
    values = [getattr(provider, fact) for provider in PROVIDERS]
    assert len(set(values)) == len(values)


@each_provider
def test_guide_has_the_same_parts_in_every_language(provider: Provider) -> None:
    guides = [provider.guide.en, provider.guide.tr, provider.guide.ar]
    assert len(provider.guide.en.steps) >= 3
    assert len({(len(guide.steps), len(guide.notes), bool(guide.warning)) for guide in guides}) == 1
    for guide in guides:
        assert all([*guide.steps, *guide.notes, guide.snippet, guide.permissions])


@each_provider
def test_guide_is_translated(provider: Provider) -> None:
    english = {*provider.guide.en.steps, provider.guide.en.permissions}
    for guide in (provider.guide.tr, provider.guide.ar):
        assert not english & {*guide.steps, guide.permissions}


@each_provider
def test_form_asks_for_every_required_field(provider: Provider) -> None:
    replaced = {name for group in provider.alternatives for name in group}
    unasked = [field.name for field in provider.fields if field.required and field.help is None]
    assert set(unasked) <= replaced


@pytest.mark.parametrize("language", ["en", "tr", "ar"])
def test_landing_page_names_every_cloud_that_can_be_connected(language: str) -> None:
    content = json.loads((LOCALES / language / "content.json").read_text(encoding="utf-8"))
    for text in (content["how"]["split"]["text"], content["questions"]["ownClouds"]["a"]):
        assert [provider.name for provider in connectable() if provider.name not in text] == []
