"""Restoring into folders that somebody has prepared, and names that a system cannot hold."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from client.tests.conftest import Computer
from tessera_client.transfer.download import ChunkReader
from tessera_client.vault import restore
from tessera_client.vault.disk_names import DiskPaths
from tessera_client.vault.restore import Restored, Restorer
from tessera_client.vault.target_folders import LinkInTheWay, PathFolder, TargetTree
from tessera_core.files import File, Folder, Item, Link

EMPTY = File(0, 10**18, False, ())


@pytest.fixture(params=["descriptors", "paths"])
def _both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows works by paths; this system can do both."""
    if request.param == "paths":
        monkeypatch.setattr(os, "supports_dir_fd", set())


def write(root: Path, *items: tuple[str, Item], overwrite: bool = False) -> Restored:
    reader = SimpleNamespace(plan=lambda _: None, note_compared=lambda: None, read_each=list)
    return Restorer(cast("ChunkReader", reader), {}, overwrite=overwrite).restore(items, root)


def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restore, "DiskPaths", lambda: DiskPaths("win32"))


@pytest.mark.usefixtures("_both_ways")
class TestLinksInTheWay:
    @pytest.mark.parametrize("path", ["link/evil", "a/link/evil", "a/b/link/c/d/evil"])
    def test_restore_writes_through_no_link_at_any_level(self, tmp_path: Path, path: str) -> None:
        outside, root = tmp_path / "outside", tmp_path / "root"
        before = path.split("/link/", maxsplit=1)[0] if "/link/" in path else ""
        (outside / "c" / "d").mkdir(parents=True)
        (root / before).mkdir(parents=True)
        (root / before / "link").symlink_to(outside)
        restored = write(root, (path, EMPTY), (f"{path}.d", Folder(0)))
        assert len(restored.failed) == 2
        assert not [found for found in outside.rglob("*") if "evil" in found.name]

    def test_a_link_that_was_restored_before_is_not_followed(self, tmp_path: Path) -> None:
        outside, root = tmp_path / "outside", tmp_path / "root"
        outside.mkdir()
        write(root, ("docs", Link(0, str(outside))))
        assert write(root, ("docs/evil", EMPTY)).failed
        assert not list(outside.iterdir())

    def test_a_link_at_the_file_s_own_place_is_replaced(self, tmp_path: Path) -> None:
        outside, root = tmp_path / "outside", tmp_path / "root"
        root.mkdir()
        outside.write_text("mine")
        (root / "file").symlink_to(outside)
        assert write(root, ("file", EMPTY)).kept == ["file"]
        assert write(root, ("file", EMPTY), overwrite=True).files == 1
        assert outside.read_text() == "mine"
        assert not (root / "file").is_symlink()

    def test_the_root_itself_must_not_be_a_link(self, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (tmp_path / "root").symlink_to(outside)
        assert write(tmp_path / "root", ("file", EMPTY)).failed
        assert not list(outside.iterdir())

    def test_a_folder_above_the_root_may_be_one(self, tmp_path: Path) -> None:
        (tmp_path / "disk").mkdir()
        (tmp_path / "Downloads").symlink_to(tmp_path / "disk")
        assert write(tmp_path / "Downloads" / "file", ("", EMPTY)).files == 1
        assert write(tmp_path / "Downloads" / "folder", ("a/b", EMPTY)).files == 1
        assert (tmp_path / "disk" / "folder" / "a" / "b").exists()


def test_a_folder_exchanged_for_a_link_during_the_restore_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link appears after the folder was opened, before the file is created in it."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    folder_of = TargetTree.folder

    def exchange(tree: TargetTree, *args: object) -> object:
        opened = folder_of(tree, *args)  # type: ignore[arg-type]
        (root / "a").rename(root / "moved")
        (root / "a").symlink_to(outside)
        return opened

    monkeypatch.setattr(TargetTree, "folder", exchange)
    assert write(root, ("a/evil", EMPTY)).files == 1
    assert (root / "moved" / "evil").exists()
    assert not list(outside.iterdir())


def test_a_junction_is_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "junction").mkdir()
    status = SimpleNamespace(st_mode=0o40777, st_reparse_tag=0xA0000003)
    folder = PathFolder(tmp_path)
    monkeypatch.setattr(Path, "lstat", lambda _: status)
    with pytest.raises(LinkInTheWay):
        folder.enter("junction")
    status.st_reparse_tag = 0x9000001A  # A folder of OneDrive.
    assert folder.enter("junction")


@pytest.mark.usefixtures("_both_ways")
class TestNames:
    NAMES = (
        "..\\evil",
        "C:evil",
        "\\\\host\\share",
        "aux.txt",
        "note.txt:stream",
        "dot.",
        "A",
        "a",
    )

    def test_windows_gets_substitutes_that_are_listed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        on_windows(monkeypatch)
        restored = write(tmp_path / "out", *((name, EMPTY) for name in self.NAMES))
        assert (restored.files, restored.failed) == (len(self.NAMES), [])
        written = {path.name for path in (tmp_path / "out").iterdir()}
        assert len(written) == len(self.NAMES)
        assert not any(set('\\:"') & {*name} or name.endswith(".") for name in written)
        names = {renamed.path: renamed.name for renamed in restored.renamed}
        assert {*names} == {*self.NAMES} - {"A"}
        assert {*names.values()} == written - {"A"}

    def test_this_system_keeps_them(self, tmp_path: Path) -> None:
        restored = write(tmp_path / "out", *((name, EMPTY) for name in self.NAMES))
        assert restored.renamed == []
        assert {path.name for path in (tmp_path / "out").iterdir()} == {*self.NAMES}

    def test_a_name_too_long_or_with_control_characters_is_written_all_the_same(
        self, tmp_path: Path
    ) -> None:
        restored = write(tmp_path / "out", ("x" * 300, EMPTY), ("line\nbreak", EMPTY))
        assert (restored.files, len(restored.renamed)) == (2, 2)


def test_get_lists_what_it_renamed(leader: Computer, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a\nb").write_text("content")
    leader.ok("put", folder, "Designs:/")
    answer = leader.ok("get", "Designs:/folder", tmp_path / "out")
    (renamed,) = answer["renamed"]
    assert renamed["path"] == "a\nb"
    assert (tmp_path / "out" / renamed["name"]).read_text() == "content"
    (tmp_path / "existing").mkdir()
    answer = leader.ok("get", "Designs:/folder/a\nb", tmp_path / "existing")
    assert answer["renamed"] == [{"path": "folder/a\nb", "name": renamed["name"]}]
    assert (tmp_path / "existing" / renamed["name"]).read_text() == "content"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_private_files_and_folders_stay_private(leader: Computer, tmp_path: Path) -> None:
    source = tmp_path / "home"
    (source / ".ssh" / "empty").mkdir(parents=True)
    (source / "shared").mkdir()
    (source / ".ssh" / "empty").chmod(0o700)
    (source / ".ssh").chmod(0o700)
    modes = {".ssh/id_ed25519": 0o600, ".ssh/run": 0o700, "shared/note": 0o644, "shared/go": 0o755}
    for name, mode in modes.items():
        (source / name).write_text(name)
        (source / name).chmod(mode)
    leader.ok("put", source, "Designs:/")
    assert leader.ok("put", source, "Designs:/")["stored"] == [], "nothing has changed"
    before = os.umask(0o022)
    try:
        leader.ok("get", "Designs:/home", tmp_path / "out")
    finally:
        os.umask(before)
    modes |= {".ssh": 0o700, ".ssh/empty": 0o700, "shared": 0o755}
    found = {name: (tmp_path / "out" / name).stat().st_mode & 0o777 for name in modes}
    assert found == modes


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_file_that_was_made_private_is_stored_so(leader: Computer, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("secret")
    file.chmod(0o644)
    leader.ok("put", file, "Designs:/")
    file.chmod(0o600)
    assert leader.ok("put", file, "Designs:/")["stored"] == ["key"]
    leader.ok("get", "Designs:/key", tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
