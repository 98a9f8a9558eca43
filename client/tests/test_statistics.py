"""The changes of a space, and its figures."""

from pathlib import Path

import pytest

from client.tests.conftest import Computer


@pytest.fixture
def files(leader: Computer, member: Computer, tmp_path: Path) -> None:
    """The leader stores a text twice and removes one; the member adds a copy of it."""
    text = b"the same sentence again and again. " * 1000
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(text)
    leader.ok("put", tmp_path / "a.txt", tmp_path / "b.txt", "Designs:/texts/")
    leader.ok("rm", "Designs:/texts/a.txt")
    member.ok("put", tmp_path / "a.txt", "Designs:/copy.txt")


@pytest.mark.usefixtures("files")
class TestHistory:
    def test_changes_are_listed_newest_first(self, leader: Computer) -> None:
        answer = leader.ok("history", "Designs")
        assert [(row["stored"], row["removed"]) for row in answer["changes"]] == [
            (1, 0), (0, 1), (2, 0)
        ]  # fmt: skip
        assert answer["changes"][2]["bytes"] == 70_000
        assert answer["isAll"]

    def test_changes_of_a_folder_only(self, leader: Computer) -> None:
        assert len(leader.ok("history", "Designs:/texts")["changes"]) == 2
        assert len(leader.ok("history", "Designs:/copy.txt")["changes"]) == 1
        assert leader.ok("history", "Designs:/text")["changes"] == []

    def test_a_limit_leaves_older_ones_out(self, leader: Computer) -> None:
        answer = leader.ok("history", "Designs", "--limit", "1")
        assert (len(answer["changes"]), answer["isAll"]) == (1, False)

    def test_state_after_a_change_is_restored(self, leader: Computer) -> None:
        first = leader.ok("history", "Designs")["changes"][-1]["change"]
        leader.ok("restore", "Designs:/texts", "--change", str(first))
        listed = leader.ok("ls", "Designs:/texts", "-r")["entries"]
        assert [entry["path"] for entry in listed] == ["texts/a.txt", "texts/b.txt"]


@pytest.mark.usefixtures("files")
def test_figures_say_what_repetition_and_compression_save(leader: Computer) -> None:
    answer = leader.ok("stats", "Designs")
    assert (answer["files"], answer["bytes"], answer["keptBytes"]) == (2, 70_000, 105_000)
    # The member does not rely on what others have stored: there are two packs with the text.
    assert answer["savedByDeduplication"] == 70_000
    assert 30_000 < answer["savedByCompression"] < 35_000
    assert 0 < answer["storedBytes"] < 5000
    assert [(row["files"], row["bytes"]) for row in answer["members"]] == [(1, 35_000)] * 2


def test_an_empty_space_has_no_changes_and_no_files(leader: Computer) -> None:
    assert leader.say("history", "Designs")[1] == "There are no changes.\n"
    answer = leader.ok("stats", "Designs")
    assert (answer["files"], answer["members"], answer["storedBytes"]) == (0, [], 0)
