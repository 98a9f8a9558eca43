"""Files of a space in a ZIP."""

import stat
import struct
import unicodedata
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from zipfile import ZipFile

import pytest

from tessera_client.transfer.download import ChunkReader, Damaged
from tessera_client.vault.archive import write_archive
from tessera_client.vault.disk_names import disk_name
from tessera_client.vault.restore import Restored, Restorer
from tessera_core.files import File, Folder, Item, Link

TIME = 1_700_000_001
EMPTY = File(0, TIME * 10**9, False, ())


class _FewChunks(Restorer):
    """Knows the content of files by their first chunk's id; one of them cannot be read to its
    end."""

    def write_content(self, item: File, file: object) -> None:
        if item.chunks:
            file.write(b"begin")  # type: ignore[attr-defined]
            raise Damaged(bytes(16), 1, 2)


def pack(target: Path, *items: tuple[str, Item]) -> Restored:
    reader = SimpleNamespace(plan=lambda _: None, note_compared=lambda: None)
    return write_archive(_FewChunks(cast("ChunkReader", reader), {}), items, target)


def names(target: Path) -> list[str]:
    with ZipFile(target) as archive:
        assert archive.testzip() is None
        return archive.namelist()


@pytest.mark.parametrize(
    "path",
    ["../evil", "..\\evil", "C:evil", "\\\\host\\evil", "/evil", "aux", "dot.", "a\0b", "a\nb",
     "x:stream", "LONGNA~1.TXT", "a/../../evil", "\udc80"],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder_on_any_system(tmp_path: Path, path: str) -> None:
    target = tmp_path / "a.zip"
    pack(target, (path, EMPTY))
    for name in names(target):
        assert all(disk_name(part, "win32") == part for part in name.split("/"))


def test_names_differ_where_cases_and_accents_are_one(tmp_path: Path) -> None:
    spellings = ["É.txt", "é.txt", unicodedata.normalize("NFD", "é.txt")]
    target = tmp_path / "a.zip"
    result = pack(target, *((f"f/{name}", EMPTY) for name in spellings), ("F/x", EMPTY))
    written = names(target)
    folded = {unicodedata.normalize("NFC", name).casefold() for name in written}
    assert len(folded) == len(written) == 4
    assert len(result.renamed) == 3


def test_times_modes_links_and_empty_folders_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "a.zip"
    pack(
        target,
        ("empty", Folder(TIME * 10**9)),
        ("run.sh", File(0, TIME * 10**9, True, (), private=True)),
        ("link", Link(TIME * 10**9, "run.sh")),
    )
    with ZipFile(target) as archive:
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        assert modes == {
            "empty/": stat.S_IFDIR | 0o755,
            "run.sh": stat.S_IFREG | 0o700,
            "link": stat.S_IFLNK | 0o777,
        }
        assert archive.read("link") == b"run.sh"
        for entry in archive.infolist():
            assert struct.unpack("<HHBi", entry.extra) == (0x5455, 5, 1, TIME)


@pytest.mark.parametrize("modified", [-(2**63), -1, 0, 2**62, 2**63 - 1])
def test_any_time_that_a_member_stored_is_written(tmp_path: Path, modified: int) -> None:
    target = tmp_path / "a.zip"
    pack(target, ("a", File(0, modified, False, ())))
    with ZipFile(target) as archive:
        assert 1980 <= archive.infolist()[0].date_time[0] <= 2107


def test_an_unreadable_file_is_named_and_not_there_in_part(tmp_path: Path) -> None:
    target = tmp_path / "a.zip"
    broken = File(5, 0, False, (bytes(32),))
    result = pack(target, ("a.txt", EMPTY), ("b\n.txt", broken), ("Not downloaded.txt", EMPTY))
    assert [problem.path for problem in result.failed] == ["b\n.txt"]
    assert result.files == 2
    assert names(target) == ["Not downloaded.txt", "a.txt", "Not downloaded (2).txt"]
    with ZipFile(target) as archive:
        report = archive.read("Not downloaded (2).txt").decode()
    assert report.startswith("b\\x0a.txt: ")
    assert report.count("\n") == 1


def test_a_full_disk_ends_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not a file that could not be read: the ZIP must not count as complete."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", fail)
    with pytest.raises(OSError, match="No space left"):
        pack(tmp_path / "a.zip", ("a.txt", EMPTY))
