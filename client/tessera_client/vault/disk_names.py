"""Names on disk: every name that comes from a space and is written to this computer passes here.

Nothing is refused: what the system cannot hold, or would understand as something else, is written
under a substitute.
"""

import hashlib
import re
import sys
import unicodedata
from collections import defaultdict
from itertools import dropwhile
from pathlib import PurePosixPath

import msgspec

MAX_NAME_BYTES = 255

_MARK_DIGITS = 8
_MAX_SUFFIX_BYTES = 16
_MAX_NUMBER = 9

# Control characters, also the ones after DEL, and halves of surrogate pairs. Direction marks stay:
# they belong to many Arabic names, and are made visible where names are shown.
_CONTROL = r"\x00-\x1f\x7f-\x9f\ud800-\udfff"
_UNUSABLE = re.compile(f"[{_CONTROL}/]")
# A colon stands for a drive or an alternate stream.
_UNUSABLE_ON_WINDOWS = re.compile(rf'[{_CONTROL}/\\<>:"|?*]')
_DEVICE = re.compile(
    r"(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\..*)?",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
# LONGNA~1.TXT is another name of a file that Windows has stored as longname.txt.
_SHORT_NAME = re.compile(r"[^.]{1,7}~[0-9]{1,6}(\.[^.]{0,3})?", re.DOTALL)


class Renamed(msgspec.Struct, frozen=True):
    """An item of a space that is written under another name."""

    path: str
    name: str


def disk_name(name: str, system: str = sys.platform) -> str:
    """Returns the name if the system can hold it, else a substitute that depends on it alone."""
    is_windows = _is_windows(system)
    usable = (_UNUSABLE_ON_WINDOWS if is_windows else _UNUSABLE).sub("_", name)
    if is_windows:
        usable = usable.rstrip(". ")
        if _DEVICE.fullmatch(usable):
            usable = f"_{usable}"
        elif _SHORT_NAME.fullmatch(usable):
            usable = usable.replace("~", "_")
    if usable in {"", ".", ".."}:
        usable = "_"
    if usable == name and len(name.encode()) <= MAX_NAME_BYTES:
        return name
    return _marked(usable, name)


def free_disk_name(name: str, taken: set[str], system: str = sys.platform) -> str:
    """Like `disk_name`, but different from the names that are taken, and takes it.

    Where the system does not tell two names apart, the second one gets a number.
    """
    candidate, number = disk_name(name, system), 1
    while folded_name(candidate, system) in taken:
        number += 1
        if number <= _MAX_NUMBER:
            candidate = numbered_disk_name(name, number, system)
        else:
            # Trying one number after another would take too long among thousands of names.
            candidate = _marked(disk_name(name, system), f"{len(taken) + number}/{name}")
    taken.add(folded_name(candidate, system))
    return candidate


def numbered_disk_name(name: str, number: int, system: str = sys.platform) -> str:
    """The file name of another copy: report.pdf becomes report (2).pdf."""
    stem, suffix = split_name(disk_name(name, system))
    return disk_name(f"{stem} ({number}){suffix}", system)


class DiskPaths:
    """Where the items of one space are written below a folder."""

    def __init__(self, system: str = sys.platform) -> None:
        self.renamed: list[Renamed] = []
        self._system = system
        self._found: dict[str, tuple[str, ...]] = {"": ()}
        self._taken: dict[str, set[str]] = defaultdict(set)

    def find(self, path: str) -> tuple[str, ...]:
        """The names of the folders that lead to an item, and its own; none for an empty path."""
        parts = self._found.get(path)
        if parts is None:
            parent, _, name = path.rpartition("/")
            above = self.find(parent)
            free_name = free_disk_name(name, self._taken[parent], self._system)
            if free_name != name:
                self.renamed.append(Renamed(path, free_name))
            parts = self._found[path] = (*above, free_name)
        return parts


def _is_windows(system: str) -> bool:
    return system in {"win32", "cygwin", "msys"}


def folded_name(name: str, system: str) -> str:
    """Equal for names that are one on a system; macOS and Windows do not tell cases apart."""
    if system != "darwin" and not _is_windows(system):
        return name
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def _marked(usable: str, original: str) -> str:
    """Adds a short hash, so that substitutes of different names differ, and shortens."""
    digest = hashlib.sha256(original.encode(errors="surrogatepass")).hexdigest()
    stem, suffix = split_name(usable)
    mark = f"-{digest[:_MARK_DIGITS]}{suffix}"
    limit = MAX_NAME_BYTES - len(mark.encode())
    return stem.encode()[:limit].decode(errors="ignore") + mark


def split_name(name: str) -> tuple[str, str]:
    suffix = PurePosixPath(name).suffix
    if len(suffix.encode()) > _MAX_SUFFIX_BYTES:
        suffix = ""
    return name.removesuffix(suffix), suffix


def stays_inside(path: str, target: str) -> bool:
    """A colleague's link must not lead a program to other files of this computer.

    Steps up come first: after another link they would lead elsewhere than they seem to."""
    names = target.split("/")
    if not names[0] or not {"\\", ":"}.isdisjoint(target):
        return False
    below = list(dropwhile("..".__eq__, names))
    return ".." not in below and len(names) - len(below) <= path.count("/")
