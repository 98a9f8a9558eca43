"""How long jobs tell how far they are: a label and a size, then each part that is done."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeAlias

Advance: TypeAlias = Callable[[int], None]
ShowProgress: TypeAlias = Callable[[str, int], AbstractContextManager[Advance]]
