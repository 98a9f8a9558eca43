"""Names and modes of what the page saves."""

import os
from functools import partial
from pathlib import Path

import pytest

from client.tests.page.browser import Browser, space_of
from tessera_client.ui import transfers
from tessera_client.vault.disk_names import disk_name, numbered_disk_name


@pytest.mark.parametrize("name", ["..\\evil.exe", "C:evil.exe", "\\\\host\\evil", "aux", "dot."])
def test_a_single_file_stays_in_the_folder_on_windows(
    leader: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for function in (disk_name, numbered_disk_name):
        on_windows = partial(function, system="win32")
        monkeypatch.setattr(transfers, function.__name__, on_windows)
    space = space_of(leader)
    leader.upload(space, name, b"content")
    for _ in range(2):
        leader.post("downloads", space=space, paths=[name])
        leader.wait("done", name)
    first, second = (path.name for path in sorted((tmp_path / "Downloads").iterdir()))
    for written in (first, second):
        assert disk_name(written, "win32") == written
    targets = {Path(item["target"]).name for item in leader.shown()["transfers"] if item["target"]}
    assert targets == {first, second}


def test_a_folder_names_what_it_saved_under_another_name(leader: Browser, tmp_path: Path) -> None:
    space = space_of(leader)
    leader.upload(space, "folder/a\tb", b"content")
    leader.post("downloads", space=space, paths=["folder"])
    (renamed,) = leader.wait("done", "folder")["renamed"]
    assert renamed["path"] == "a\tb"
    assert (tmp_path / "Downloads" / "folder" / renamed["name"]).read_bytes() == b"content"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_an_upload_is_not_private_only_because_its_copy_is(leader: Browser, tmp_path: Path) -> None:
    space = space_of(leader)
    leader.upload(space, "note", b"content")
    before = os.umask(0o022)
    try:
        leader.post("downloads", space=space, paths=["note"])
        leader.wait("done", "note")
    finally:
        os.umask(before)
    assert (tmp_path / "Downloads" / "note").stat().st_mode & 0o777 == 0o644
