"""Checks fields by pattern."""

import re

from tessera.integrations.clouds.strategy import Check


def shaped(pattern: str, code: str, *, without: str = r"(?!)") -> Check:
    """Returns a check that fails with `code` unless the value fully matches `pattern` and contains
    no match of `without`."""
    wanted, unwanted = re.compile(pattern), re.compile(without)

    def check(value: str) -> str | None:
        return None if wanted.fullmatch(value) and not unwanted.search(value) else code

    return check
