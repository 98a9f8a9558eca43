"""What a user has chosen on the page; kept over restarts."""

import json
from dataclasses import dataclass
from typing import Any

from tessera_client.vault.profile import StateFolder

_FILE = "settings.json"


@dataclass(frozen=True)
class Settings:
    bandwidth: int | None = None
    """Most bytes per second."""
    lock_after: int | None = None
    """Minutes without a call of the page."""

    @classmethod
    def load(cls, folder: StateFolder) -> "Settings":
        """A missing or damaged file counts as empty."""
        try:
            return cls().changed(json.loads((folder.path / _FILE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()

    def changed(self, values: dict[str, Any]) -> "Settings":
        """Takes over the values that are given, and keeps the others."""
        values = {**self.as_json(), **values}
        return Settings(_positive(values["bandwidth"]), _positive(values["lockAfter"]))

    def save(self, folder: StateFolder) -> None:
        folder.write(_FILE, json.dumps(self.as_json()))

    def as_json(self) -> dict[str, object]:
        return {"bandwidth": self.bandwidth, "lockAfter": self.lock_after}


def _positive(value: object) -> int | None:
    if value is None:
        return None
    number = int(str(value))
    if number < 1:
        raise ValueError("not positive")
    return number
