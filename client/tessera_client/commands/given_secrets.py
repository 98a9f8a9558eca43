"""Passwords that scripts hand over in the environment."""

import os

VARIABLES = ("TESS_PASSWORD", "TESS_PASSPHRASE", "TESS_RECOVERY_CODE", "TESS_SHARE_PASSWORD")

_given: dict[str, str] = {}


def take_secrets() -> None:
    """Takes them out of the environment, which everything inherits that the program starts."""
    _given.clear()
    for variable in VARIABLES:
        if (value := os.environ.pop(variable, None)) is not None:
            _given[variable] = value


def given_secret(variable: str) -> str | None:
    return _given.get(variable)
