"""Which names are written to disk. The rules of every system are tested on each."""

import random
import unicodedata
from pathlib import PureWindowsPath

import pytest

from tessera_client.vault.disk_names import (
    MAX_NAME_BYTES,
    DiskPaths,
    Renamed,
    disk_name,
    free_disk_name,
    numbered_disk_name,
)

SYSTEMS = ["linux", "darwin", "win32"]

ORDINARY = [
    "report.pdf",
    ".profile",
    "Şubat – مرحبا.txt",
    "a b",
    " leading",
    "console.log",
    "COM10",
    "command.com",
    "nul-values.csv",
    "~$draft.docx",
    "a~b",
    "\u200fعربي\u200f.txt",
    "x" * MAX_NAME_BYTES,
]

UNUSABLE_EVERYWHERE = [
    "",
    ".",
    "..",
    "a/b",
    "../../etc/passwd",
    "a\0b",
    "a\nb",
    "a\x1b[31mb",
    "a\x7fb",
    "a\x9bb",
    "a\ud800b",
    "x" * (MAX_NAME_BYTES + 1),
    "ş" * MAX_NAME_BYTES + ".txt",
]

UNUSABLE_ON_WINDOWS = [
    "..\\..\\evil.exe",
    "\\\\host\\share\\evil",
    "C:",
    "C:evil.exe",
    "C:\\evil.exe",
    "note.txt:hidden",
    "note.txt::$DATA",
    "...",
    "trailing.",
    "trailing ",
    "trailing. .",
    ".. ",
    "con",
    "CON.txt",
    "con.tar.gz",
    "NUL ",
    "nul .txt",
    "Aux.",
    "COM1",
    "com0.log",
    "LPT9.x",
    "COM\u00b9",
    "lpt\u00b3.txt",
    "CONIN$",
    "conout$.txt",
    'a"b',
    "a<b>c",
    "a|b",
    "a?b",
    "a*b",
    "LONGNA~1.TXT",
]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_names_are_not_changed(name: str, system: str) -> None:
    assert disk_name(name, system) == name


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", UNUSABLE_EVERYWHERE)
def test_names_that_no_system_holds_get_a_substitute(name: str, system: str) -> None:
    check_substitute(name, disk_name(name, system))


@pytest.mark.parametrize("name", UNUSABLE_ON_WINDOWS)
def test_names_with_a_meaning_on_windows_get_a_substitute_there(name: str) -> None:
    check_substitute(name, disk_name(name, "win32"))


@pytest.mark.parametrize(
    "name", [name for name in UNUSABLE_ON_WINDOWS if "/" not in name and name != ".."]
)
def test_other_systems_keep_what_they_can_hold(name: str) -> None:
    assert disk_name(name, "linux") == name


def check_substitute(name: str, substitute: str) -> None:
    assert substitute != name
    assert is_harmless_on_windows(substitute), substitute
    for system in SYSTEMS:
        assert disk_name(substitute, system) == substitute


def is_harmless_on_windows(name: str) -> bool:
    """Written without the function's own tables."""
    path = PureWindowsPath("D:\\folder") / name
    stem = name.split(".", maxsplit=1)[0].rstrip(" ").upper()
    devices = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}
    devices |= {f"{kind}{digit}" for kind in ("COM", "LPT") for digit in "0123456789¹²³"}
    return (
        path.parts == ("D:\\", "folder", name)
        and name not in {"", ".", ".."}
        and name == name.rstrip(". ")
        and ":" not in name
        and stem not in devices
        and not any(unicodedata.category(character) in {"Cc", "Cs"} for character in name)
        and len(name.encode()) <= MAX_NAME_BYTES
    )


def test_the_extension_stays_and_different_names_get_different_substitutes() -> None:
    one, other = disk_name("a:b.pdf", "win32"), disk_name("a?b.pdf", "win32")
    assert one != other
    assert one.startswith("a_b-")
    assert one.endswith(".pdf")
    assert disk_name("x" * 300 + ".pdf").endswith(".pdf")
    assert one == disk_name("a:b.pdf", "win32"), "always the same one"


@pytest.mark.parametrize("system", SYSTEMS)
def test_random_names_are_safe_and_stable(system: str) -> None:
    """No mixture of the risky characters escapes, and a second pass changes nothing."""
    chosen = random.Random(1)
    characters = "cOnAuXpRlTm01$~. :\\/\n\t\x00\x85\u00b9\u0130\u017fşA\u0301\u202e(2)-"
    for _ in range(5000):
        name = "".join(chosen.choices(characters, k=chosen.randrange(12)))
        written = disk_name(name, system)
        assert disk_name(written, system) == written, name
        assert "/" not in written
        assert written not in {"", ".", ".."}
        assert system != "win32" or is_harmless_on_windows(written), name


class TestSiblings:
    NAMES = ("Plan.txt", "plan.txt", "PLAN.TXT", "caf\u00e9", "cafe\u0301", "Cafe\u0301")

    @pytest.mark.parametrize("system", ["darwin", "win32"])
    def test_names_that_are_one_on_the_system_are_told_apart(self, system: str) -> None:
        paths = DiskPaths(system)
        written = [paths.find(f"folder/{name}")[-1] for name in self.NAMES]
        folded = {unicodedata.normalize("NFC", name).casefold() for name in written}
        assert len(folded) == len(self.NAMES)
        assert written[:3] == ["Plan.txt", "plan (2).txt", "PLAN (3).TXT"]
        assert paths.renamed[0] == Renamed("folder/plan.txt", "plan (2).txt")

    def test_names_that_differ_in_case_stay_apart_on_linux(self) -> None:
        paths = DiskPaths("linux")
        assert [paths.find(name) for name in self.NAMES] == [(name,) for name in self.NAMES]
        assert paths.renamed == []

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_a_name_that_equals_a_substitute_does_not_replace_it(self, system: str) -> None:
        paths = DiskPaths(system)
        substitute = paths.find("a\nb")
        assert paths.find(substitute[0]) != substitute

    def test_everything_in_a_renamed_folder_is_in_one_folder(self) -> None:
        paths = DiskPaths("win32")
        (folder, one), (same, other) = paths.find("aux/one"), paths.find("aux/other")
        assert (folder, one, other) == (same, "one", "other")
        assert paths.renamed == [Renamed("aux", folder)], "it is listed once"
        assert paths.find("") == ()

    def test_thousands_of_equal_names_are_quick_and_different(self) -> None:
        taken: set[str] = set()
        for _ in range(3000):
            free_disk_name("Designs", taken, "win32")
        assert len(taken) == 3000

    def test_a_numbered_copy_fits_too(self) -> None:
        assert numbered_disk_name("report.pdf", 2) == "report (2).pdf"
        assert len(numbered_disk_name("x" * 255, 2).encode()) <= MAX_NAME_BYTES
        assert is_harmless_on_windows(numbered_disk_name("con.txt", 2, "win32"))
