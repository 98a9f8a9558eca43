"""Which files of a folder are left out: patterns like those of .gitignore."""

import os
import re
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from tessera_client.errors import ClientError, WrongUsage

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".tessignore"
MAX_IGNORE_BYTES = 64 * 1024
MAX_IGNORE_LINES = 1000
# Each tries every folder on the way again.
MAX_DOUBLE_STARS = 3

_STAR = "[^/]*"
# Neither its end nor a backslash's next character begins a group or ends a name.
_NOT_PLAIN = re.compile(r"\\.|\[\^/\]")


class UnusableIgnoreFile(ClientError):
    """Nobody reads it; the other files go on."""


def read_ignore_file(place: str | os.PathLike[str]) -> list[str]:
    """In a folder that others write to as well, it can be anything."""
    is_file = stat.S_ISREG(os.lstat(place).st_mode)
    content = _read_start(place) if is_file else None
    lines = (content or b"").decode(errors="replace").splitlines()
    if (
        content is None
        or len(content) > MAX_IGNORE_BYTES
        or len(lines) > MAX_IGNORE_LINES
        or not _are_patterns(lines)
    ):
        raise UnusableIgnoreFile.from_code("ignore_file_unusable")
    return lines


def _are_patterns(lines: Sequence[str]) -> bool:
    try:
        _spec(tuple(lines))
    except WrongUsage:
        return False
    return all(line.count("**") <= MAX_DOUBLE_STARS for line in lines)


def _read_start(place: str | os.PathLike[str]) -> bytes | None:
    """Something else may be there by now."""
    flags = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(place, os.O_RDONLY | flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        return file.read(MAX_IGNORE_BYTES + 1)


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
    # Slow to import, and rarely needed.
    from pathspec import GitIgnoreSpec, RegexPattern  # noqa: PLC0415
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415

    def parse(line: str) -> RegexPattern:
        regex, include = GitIgnoreSpecPattern.pattern_to_regex(line)
        if regex is None:
            return RegexPattern(None)
        return RegexPattern(re.compile(_without_backtracking(regex)), include)

    try:
        return GitIgnoreSpec.from_lines(patterns, parse)
    except ValueError:
        raise WrongUsage.from_code("bad_pattern", pattern=", ".join(patterns)) from None


def _without_backtracking(regex: str) -> str:
    """What stands between two stars is taken where it comes first, and nowhere else: a later place
    matches nothing more. Otherwise a name takes as long as its length to the power of the stars."""
    first, *parts = re.sub(rf"(?:{re.escape(_STAR)})+", lambda _: _STAR, regex).split(_STAR)
    faster = first
    for number, part in enumerate(parts, 1):
        is_between = number < len(parts) and not {"/", "("} & set(_NOT_PLAIN.sub("", part))
        faster += f"(?>{_STAR}?{part})" if is_between else _STAR + part
    return faster


def exactly(path: str) -> str:
    """A pattern that stands for one path."""
    return "/" + re.sub(r"([*?\[\]\\!# ])", r"\\\1", path)
