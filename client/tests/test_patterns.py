"""Patterns that leave files out, also those that a colleague has written."""

import os
import random
from pathlib import Path

import pytest
from pathspec import GitIgnoreSpec

from tessera_client.errors import WrongUsage
from tessera_client.vault.patterns import Patterns, UnusableIgnoreFile, read_ignore_file
from tessera_client.vault.scan import FileChanged, LocalFile, read_chunks

ALPHABET = ("*", "**/", "?", "[ab]", "/", "\\*", ".", "a", "b")


@pytest.mark.parametrize(
    "pattern",
    ["*a" * 20 + "*b", "*" * 200 + "b", "*?a" * 20 + "*b", "*[ab]" * 20 + "*c", "**/a/**/a/**/a*b"],
)
def test_many_stars_do_not_take_longer_with_a_long_name(pattern: str) -> None:
    patterns = Patterns().below("", [pattern])
    assert not patterns.leaves_out("a" * 250, is_folder=False)
    assert not patterns.leaves_out("/".join("a" * 100), is_folder=False)


def test_random_patterns_mean_what_git_makes_of_them() -> None:
    dice = random.Random(7)
    for _ in range(2000):
        pattern = "".join(dice.choices(ALPHABET, k=dice.randint(1, 7)))
        path = "".join(dice.choices("aab/.*", k=dice.randint(1, 8))).strip("/") or "a"
        try:
            expected = GitIgnoreSpec.from_lines([pattern]).match_file(path)
        except ValueError:
            with pytest.raises(WrongUsage):
                Patterns().below("", [pattern])
        else:
            left_out = Patterns().below("", [pattern]).leaves_out(path, is_folder=False)
            assert left_out == expected, (pattern, path)


def test_ignore_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "patterns").write_text("*.log\n!keep.log\n")
    assert read_ignore_file(tmp_path / "patterns") == ["*.log", "!keep.log"]


@pytest.mark.parametrize("content", ["a" * 65_537, "a\n" * 1001, "a/**/b/**/c/**/d/**/e", "a\\/"])
def test_ignore_file_that_is_too_much_is_not_used(tmp_path: Path, content: str) -> None:
    (tmp_path / "patterns").write_text(content)
    with pytest.raises(UnusableIgnoreFile):
        read_ignore_file(tmp_path / "patterns")


def test_link_in_place_of_an_ignore_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("*.log")
    (tmp_path / "patterns").symlink_to("other")
    with pytest.raises(UnusableIgnoreFile):
        read_ignore_file(tmp_path / "patterns")


@pytest.mark.parametrize("kind", ["link", "file", "pipe"])
def test_file_that_took_the_place_of_the_scanned_one_is_not_read(tmp_path: Path, kind: str) -> None:
    private, shared = tmp_path / "private", tmp_path / "shared"
    private.write_text("secret")
    shared.write_text("public")
    os.utime(shared, ns=(0, private.stat().st_mtime_ns))
    scanned = LocalFile(str(shared), "shared", shared.lstat())
    shared.unlink()
    match kind:
        case "link":
            shared.symlink_to(private)
        case "file":
            shared.hardlink_to(private)
        case "pipe":
            os.mkfifo(shared)
    with pytest.raises(FileChanged):
        list(read_chunks(scanned))
