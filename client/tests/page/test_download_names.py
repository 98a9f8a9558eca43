"""The name under which the page saves what somebody else has named."""

from functools import partial
from pathlib import Path

import pytest

from client.tests.page.browser import Browser
from tessera_client.ui import transfers
from tessera_client.vault.disk_names import disk_name, numbered_disk_name


@pytest.mark.parametrize("name", ["..\\evil.exe", "C:evil.exe", "\\\\host\\evil", "aux", "dot."])
def test_a_single_file_stays_in_the_folder_on_windows(
    leader: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for function in (disk_name, numbered_disk_name):
        on_windows = partial(function, system="win32")
        monkeypatch.setattr(transfers, function.__name__, on_windows)
    space = leader.shown()["spaces"][0]["id"]
    leader.upload(space, name, b"content")
    for _ in range(2):
        leader.post("downloads", space=space, path=name)
        leader.wait("done", name)
    first, second = (path.name for path in sorted((tmp_path / "Downloads").iterdir()))
    for written in (first, second):
        assert disk_name(written, "win32") == written
    targets = {Path(item["target"]).name for item in leader.shown()["transfers"] if item["target"]}
    assert targets == {first, second}


def test_a_folder_names_what_it_saved_under_another_name(leader: Browser, tmp_path: Path) -> None:
    space = leader.shown()["spaces"][0]["id"]
    leader.upload(space, "folder/a\tb", b"content")
    leader.post("downloads", space=space, path="folder")
    (renamed,) = leader.wait("done", "folder")["renamed"]
    assert renamed["path"] == "a\tb"
    assert (tmp_path / "Downloads" / "folder" / renamed["name"]).read_bytes() == b"content"
