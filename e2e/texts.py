"""The console's own words, read from its catalogues, so that tests follow the language."""

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
        """`auth:login.title` → the sentence in this language."""
        namespace, _, path = key.partition(":")
        found: Any = _catalogue(self.language, namespace)
        for part in path.split("."):
            found = found[part]
        return str(found)


def server_texts(language: str, error: str) -> str:
    """The beginning of what the server says of an error, up to the first thing it fills in."""
    catalogue = json.loads((SERVER / f"{language}.json").read_text())
    return str(catalogue["errors"][error]).partition("{")[0].strip()
