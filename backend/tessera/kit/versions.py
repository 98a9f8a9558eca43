"""Versions of the client program: numbers with dots between them."""

import re

_PATTERN = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){0,3}", re.ASCII)


def is_version(text: str) -> bool:
    return _PATTERN.fullmatch(text) is not None


def is_older(version: str | None, than: str) -> bool:
    """A version that cannot be read is older than any."""
    if version is None or not is_version(version):
        return True
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> list[int]:
    """Without zeros at the end: 1.2 and 1.2.0 are the same."""
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers
