"""The providers' descriptions, in the reader's language."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from tessera.kit.i18n import Language
from tessera.warehouses.schemas import ProviderRead
from tessera_core.provider import Provider, Translated
from tessera_core.providers import DESCRIBED


def list_providers(language: Language) -> list[ProviderRead]:
    return [
        ProviderRead.model_validate({**_translate(provider, language), "section": provider.section})
        for provider in map(_without_unasked, DESCRIBED.values())
    ]


def _without_unasked(provider: Provider) -> Provider:
    return replace(provider, fields=tuple(field for field in provider.fields if field.help))


def _translate(part: Any, language: Language) -> Any:  # noqa: ANN401 - a tree of any shape
    if isinstance(part, Translated):
        return _translate(part.read(language), language)
    if is_dataclass(part):
        return {
            field.name: _translate(getattr(part, field.name), language) for field in fields(part)
        }
    if isinstance(part, tuple):
        return [_translate(each, language) for each in part]
    return part
