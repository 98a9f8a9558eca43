"""What a user has chosen on the page; kept over restarts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tessera_client.texts import Language
from tessera_client.vault.profile import StateFolder

_FILE = "settings.json"
_THEMES = ("system", "light", "dark")


@dataclass(frozen=True)
class Settings:
    bandwidth: int | None = None
    """Most bytes per second."""
    lock_after: int | None = None
    """Minutes without a call of the page."""
    theme: str | None = None
    language: str | None = None
    """Kept apart from the others: the commands speak it too."""

    @classmethod
    def load(cls, folder: StateFolder) -> "Settings":
        """A missing or damaged file counts as empty."""
        language = folder.load_language()
        start = cls(language=language if language in {*Language} else None)
        try:
            return start.changed(json.loads((folder.path / _FILE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return start

    def changed(self, values: dict[str, Any]) -> "Settings":
        """Takes over the values that are given, and keeps the others."""
        values = {**self.as_json(), **values}
        return Settings(
            _positive(values["bandwidth"]),
            _positive(values["lockAfter"]),
            _one_of(_THEMES, values["theme"]),
            _one_of([*Language], values["language"]),
        )

    def save(self, folder: StateFolder) -> None:
        values = self.as_json()
        del values["language"]
        folder.write(_FILE, json.dumps(values))
        if self.language:
            folder.save_language(self.language)

    def as_json(self) -> dict[str, object]:
        return {
            "bandwidth": self.bandwidth,
            "lockAfter": self.lock_after,
            "theme": self.theme,
            "language": self.language,
        }


def _positive(value: object) -> int | None:
    if value is None:
        return None
    number = int(str(value))
    if number < 1:
        raise ValueError("not positive")
    return number


def _one_of(choices: Sequence[str], value: object) -> str | None:
    if value is not None and value not in choices:
        raise ValueError("not offered")
    return str(value) if value else None
