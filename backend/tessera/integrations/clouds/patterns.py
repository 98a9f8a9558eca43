"""Checks of fields by their shape."""

import re

from tessera.integrations.clouds.strategy import Check


def shaped(pattern: str, code: str, *, without: str = r"(?!)") -> Check:
    """Wrong, with `code`, unless all of the value matches `pattern` and none of it `without`."""
    wanted, unwanted = re.compile(pattern), re.compile(without)

    def check(value: str) -> str | None:
        return None if wanted.fullmatch(value) and not unwanted.search(value) else code

    return check
