"""What a rescue lists, which part of it is restored, and the report that can be sent."""

from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.copies import COMPANY, Space, write_copies
from client.tests.test_rescue import SECRETS, Answer, codes, rescue, restored
from tessera_client.commands.rescue import REPORT_NAME
from tessera_core.objects import ShardObject


@pytest.fixture
def spaces() -> list[Space]:
    designs, books = Space(name="Designs"), Space(name="Books")
    designs.put("2026/plan.txt", b"the plan")
    designs.put("2026/deep/note.txt", b"a note")
    designs.put("20261.txt", b"beside it")
    books.put("ledger.csv", b"1;2;3")
    return [designs, books]


@pytest.fixture
def folders(spaces: list[Space], tmp_path: Path) -> list[Path]:
    return write_copies(tmp_path / "copies", spaces)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def lose(folders: list[Path], space: Space, pack: int) -> None:
    """Leaves one of three pieces."""
    for index in (0, 1):
        name = ShardObject(COMPANY, space.packs[pack].record.pack, index)
        (folders[index] / "vault" / str(name)).unlink()


def list_copies(folders: list[Path], tmp_path: Path, *options: str) -> tuple[int, Answer]:
    return Computer(tmp_path / "fresh").run("rescue", *folders, "--list", *options, **SECRETS)


def by_name(answer: Answer) -> dict[str, dict[str, Any]]:
    return {space["name"]: space for space in answer["spaces"]}


class TestPartsMissing:
    def test_a_space_and_a_file_that_lack_pieces_stop_nothing_else(
        self, spaces: list[Space], folders: list[Path], out: Path
    ) -> None:
        designs, books = spaces
        lose(folders, designs, 0)
        lose(folders, books, 0)
        exit_code, answer = rescue(folders, out)
        assert exit_code == 4
        assert restored(out) == {
            "Designs/2026/deep/note.txt": b"a note",
            "Designs/20261.txt": b"beside it",
        }
        assert [problem["path"] for problem in answer["failed"]] == (
            ["Designs/2026/plan.txt", "Books/ledger.csv"]
            if designs.id < books.id
            else ["Books/ledger.csv", "Designs/2026/plan.txt"]
        )
        assert "Only 1 of 2 needed pieces" in answer["failed"][0]["message"]


class TestList:
    def test_says_what_is_there_and_writes_nothing(
        self, spaces: list[Space], folders: list[Path], tmp_path: Path
    ) -> None:
        exit_code, answer = list_copies(folders, tmp_path)
        assert (exit_code, answer["complete"]) == (0, True)
        designs = by_name(answer)["Designs"]
        listed = {file["path"]: file["size"] for file in designs["listed"]}
        assert listed == {"2026/plan.txt": 8, "2026/deep/note.txt": 6, "20261.txt": 9}
        assert (designs["files"], designs["bytes"]) == (3, 23)
        assert designs["readTo"]["sequence"] == spaces[0].state.sequence
        assert {path.name for path in tmp_path.iterdir()} <= {"copies", "fresh"}

    def test_names_files_whose_pieces_are_missing(
        self, spaces: list[Space], folders: list[Path], tmp_path: Path
    ) -> None:
        lose(folders, spaces[0], 1)
        exit_code, answer = list_copies(folders, tmp_path)
        designs = by_name(answer)["Designs"]
        assert (exit_code, designs["files"]) == (4, 2)
        assert [problem["path"] for problem in designs["failed"]] == ["2026/deep/note.txt"]

    def test_a_piece_that_was_copied_in_part_does_not_count(
        self, spaces: list[Space], folders: list[Path], tmp_path: Path
    ) -> None:
        (piece,) = folders[0].rglob(f"packs/*/{spaces[1].packs[0].record.pack.hex()}*")
        piece.write_bytes(piece.read_bytes()[:-1])
        exit_code, _ = list_copies(folders[:2], tmp_path)
        assert exit_code == 4
        assert list_copies(folders, tmp_path)[0] == 0

    def test_the_list_is_readable_for_people(
        self, folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TESS_RECOVERY_CODE", SECRETS["TESS_RECOVERY_CODE"])
        _, said, _ = Computer(tmp_path / "fresh").say("rescue", *folders, "--list")
        assert "4 files can be restored (28 bytes)" in said
        assert any(line.split()[0::2] == ["8", "2026/plan.txt"] for line in said.splitlines()[3:])


class TestSelection:
    @pytest.mark.parametrize(
        ("wanted", "paths"),
        [
            (["Books"], {"Books/ledger.csv"}),
            (["Designs:/2026"], {"Designs/2026/plan.txt", "Designs/2026/deep/note.txt"}),
            (
                ["Designs:/2026/deep/", "Designs:/20261.txt", "Books:/"],
                {"Designs/2026/deep/note.txt", "Designs/20261.txt", "Books/ledger.csv"},
            ),
        ],
    )
    def test_only_what_is_named_is_restored(
        self, folders: list[Path], out: Path, wanted: list[str], paths: set[str]
    ) -> None:
        options = [text for place in wanted for text in ("--space", place)]
        exit_code, answer = rescue(folders, out, *options)
        assert (exit_code, {*restored(out)}) == (0, paths)
        assert by_name(answer).keys() == {place.partition(":")[0] for place in wanted}

    def test_a_space_is_named_by_its_id_too(
        self, spaces: list[Space], folders: list[Path], out: Path
    ) -> None:
        assert rescue(folders, out, "--space", str(spaces[1].id))[0] == 0
        assert restored(out).keys() == {"Books/ledger.csv"}

    def test_what_is_not_there_is_named_and_the_rest_restored(
        self, folders: list[Path], out: Path
    ) -> None:
        options = ("--space", "Books", "--space", "Other", "--space", "Designs:/1999")
        exit_code, answer = rescue(folders, out, *options)
        assert (exit_code, codes(answer)) == (4, ["not_found"])
        assert [finding["place"] for finding in answer["findings"]] == ["Other:/", "Designs:/1999"]
        assert restored(out).keys() == {"Books/ledger.csv"}

    def test_losses_of_other_spaces_do_not_count(
        self, spaces: list[Space], folders: list[Path], out: Path
    ) -> None:
        lose(folders, spaces[0], 0)
        assert rescue(folders, out, "--space", "Books")[0] == 0


class TestReport:
    def test_holds_what_was_found_and_neither_names_nor_secrets(
        self, spaces: list[Space], folders: list[Path], out: Path
    ) -> None:
        lose(folders, spaces[0], 0)
        (piece,) = folders[2].rglob(f"packs/*/{spaces[0].packs[0].record.pack.hex()}*")
        piece.write_bytes(b"x")
        _, answer = rescue(folders, out, "--space", "Designs", "--space", "Other")
        text = (out / REPORT_NAME).read_text()
        assert text == answer["report"]
        assert "1 file could not be restored: Only 0 of 2 needed pieces" in text
        assert "Copy 3\n    - 1 damaged piece\n" in text
        assert f"({spaces[0].id}): 2 files (15 bytes)" in text
        secrets = [*SECRETS.values(), "Designs", "Other", "plan", "note", str(out.parent)]
        assert [secret for secret in secrets if secret in text] == []

    def test_holds_names_if_asked(
        self, spaces: list[Space], folders: list[Path], out: Path
    ) -> None:
        lose(folders, spaces[0], 0)
        _, answer = rescue(folders, out, "--names")
        text = (out / REPORT_NAME).read_text()
        assert "Failed: 2026/plan.txt: Only 1 of 2" in text
        assert text == answer["report"]
        assert [secret for secret in SECRETS.values() if secret in text] == []

    def test_a_space_of_that_name_is_kept_apart(self, tmp_path: Path, out: Path) -> None:
        space = Space(name=REPORT_NAME)
        space.put("a", b"a")
        rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (out / REPORT_NAME).is_file()
        assert (out / "rescue-report (2).txt" / "a").read_bytes() == b"a"


class TestUsage:
    def test_a_folder_or_the_list_is_wanted(
        self, folders: list[Path], out: Path, tmp_path: Path
    ) -> None:
        exit_code, answer = Computer(tmp_path / "fresh").run("rescue", *folders, **SECRETS)
        assert (exit_code, answer["error"]) == (2, "rescue_usage")
        assert rescue(folders, out, "--list")[1]["error"] == "rescue_usage"

    def test_a_target_that_is_a_file_is_refused_before_anything_is_asked(
        self, folders: list[Path], out: Path, tmp_path: Path
    ) -> None:
        out.write_text("a file")
        exit_code, answer = Computer(tmp_path / "fresh").run("rescue", *folders, "--to", out)
        assert (exit_code, answer["error"]) == (2, "no_such_folder")
