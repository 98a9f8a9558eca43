"""What a user has chosen on the page; kept over restarts."""

from collections.abc import Mapping
from contextlib import suppress

import msgspec

from tessera_client.texts import Language
from tessera_client.ui.schemas import Settings
from tessera_client.vault.profile import SETTINGS, StateFolder


def load_settings(folder: StateFolder) -> Settings:
    """A missing or damaged file counts as empty."""
    try:
        settings = msgspec.json.decode((folder.path / SETTINGS).read_bytes(), type=Settings)
    except (OSError, ValueError):
        settings = Settings()
    with suppress(ValueError):
        settings.language = Language(folder.load_language() or "")
    return settings


def change_settings(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Takes over the values that are given, and keeps the others."""
    return msgspec.convert({**msgspec.to_builtins(settings), **values}, Settings, strict=False)


def save_settings(settings: Settings, folder: StateFolder) -> None:
    values = msgspec.structs.replace(settings, language=None)
    folder.write(SETTINGS, msgspec.json.encode(values).decode())
    if settings.language:
        folder.save_language(settings.language)
