"""Which files of a folder are left out: patterns like those of .gitignore."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".tessignore"


@dataclass(frozen=True)
class Patterns:
    """Paths are relative to the folder that is stored."""

    exclude: Sequence[str] = ()
    include: Sequence[str] = ()
    """If there are any, other files are left out."""
    ignored: tuple[tuple[str, "GitIgnoreSpec"], ...] = ()
    """What the ignore files of the folders on the way say, the deepest first."""

    def below(self, folder: str, lines: Iterable[str]) -> "Patterns":
        """Adds what the ignore file of a folder says about everything in it."""
        return replace(self, ignored=((folder, _spec(tuple(lines))), *self.ignored))

    def leaves_out(self, path: str, *, is_folder: bool) -> bool:
        if not (self.exclude or self.include or self.ignored):
            return False
        shown = f"{path}/" if is_folder else path
        if self.exclude and _spec(tuple(self.exclude)).match_file(shown):
            return True
        for folder, spec in self.ignored:
            verdict = spec.check_file(shown[len(folder) :]).include
            if verdict is not None:
                return verdict
        return (
            not is_folder and bool(self.include) and not _spec(tuple(self.include)).match_file(path)
        )


@cache
def _spec(patterns: tuple[str, ...]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - slow to import, and rarely needed

    return GitIgnoreSpec.from_lines(patterns)


def exactly(path: str) -> str:
    """A pattern that stands for one path."""
    return "/" + re.sub(r"([*?\[\]\\!# ])", r"\\\1", path)
