"""The console's texts, read from its catalogues, so that tests work in every language."""

import json
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
LOCALES = HERE / "frontend" / "src" / "i18n" / "locales"
SERVER = HERE / "backend" / "tessera" / "locales"


@cache
def _catalogue(language: str, namespace: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((LOCALES / language / f"{namespace}.json").read_text())
    return loaded


class Texts:
    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str) -> str:
        """Returns the text of a key such as `auth:login.title` in this language."""
        namespace, _, path = key.partition(":")
        found: Any = _catalogue(self.language, namespace)
        for part in path.split("."):
            found = found[part]
        return str(found)


def server_texts(language: str, error: str) -> str:
    """The server's message for an error, up to the first placeholder."""
    catalogue = json.loads((SERVER / f"{language}.json").read_text())
    return str(catalogue["errors"][error]).partition("{")[0].strip()
