"""The commands that show a drive."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from client.tests.conftest import Computer


class TestMount:
    def test_folder_that_does_not_exist_is_named(self, leader: Computer, tmp_path: Path) -> None:
        exit_code, answer = leader.run("mount", "Designs", tmp_path / "missing")
        assert (exit_code, answer["error"]) == (2, "mount_no_folder")

    def test_folder_with_files_in_it_is_not_hidden(self, leader: Computer, tmp_path: Path) -> None:
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "file").touch()
        exit_code, answer = leader.run("mount", "Designs", tmp_path / "full")
        assert (exit_code, answer["error"]) == (2, "mount_not_empty")

    def test_space_that_does_not_exist_is_named(self, leader: Computer, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        exit_code, answer = leader.run("mount", "Unknown", tmp_path / "folder")
        assert (exit_code, answer["error"]) == (1, "space_not_found")

    def test_too_many_arguments_are_wrong_usage(self, leader: Computer, tmp_path: Path) -> None:
        exit_code, answer = leader.run("mount", "Designs", tmp_path, tmp_path)
        assert (exit_code, answer["error"]) == (2, "mount_usage")


class TestUnmount:
    @pytest.mark.parametrize(("status", "error"), [(1, "not_mounted"), (None, "no_fuse")])
    def test_reason_is_named(
        self, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *,
        status: int | None, error: str,
    ) -> None:  # fmt: skip
        def run(*_: object, **__: object) -> SimpleNamespace:
            if status is None:
                raise FileNotFoundError
            return SimpleNamespace(returncode=status)

        monkeypatch.setattr("subprocess.run", run)
        exit_code, answer = leader.run("unmount", tmp_path)
        assert (exit_code, answer["error"]) == (1, error)


def test_serving_an_unknown_protocol_is_wrong_usage(leader: Computer) -> None:
    assert leader.say("serve", "ftp")[0] == 2
