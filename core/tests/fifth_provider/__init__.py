"""An invented provider. Its description is the file beside this one, as it would stand among the
others; nothing else has to know it."""

import sys

import pytest

from tessera_core import providers

TYPE = 77


def describe(patch: pytest.MonkeyPatch) -> None:
    """Adds the description for the time of a test."""
    patch.setattr(providers, "__path__", [*providers.__path__, *__path__])
    patch.delitem(sys.modules, f"{providers.__name__}.attic", raising=False)
    patch.setitem(providers.DESCRIBED, TYPE, providers.load()[TYPE])
