"""Rescue from copies of clouds, some of which are damaged or lie."""

import os
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from client.tests.conftest import Computer
from client.tests.copies import (
    CODE,
    COMPANY,
    LEADER,
    MEMBER,
    MEMBER_KEYS,
    PAIR,
    Space,
    large_change,
    with_grants,
    write_copies,
    write_log,
    write_object,
    write_segment,
    write_shard,
)
from client.tests.service import PASSPHRASE
from tessera_client.commands.rescue import REPORT_NAME
from tessera_client.transfer.download import Damaged
from tessera_client.vault.rescue.copies import StoredFile
from tessera_core.changes import ChangeBody, Move, PackContents
from tessera_core.chunks import chunk_id
from tessera_core.entries import Change, FormatChanged, Rewound, SetAside
from tessera_core.erasure import MAX_SHARDS
from tessera_core.files import MAX_DEPTH, File
from tessera_core.grants import RECOVERY, Grant, seal_grant
from tessera_core.histories import MAX_FORKS
from tessera_core.keyring import Keyring
from tessera_core.objects import RecoveryObject
from tessera_core.packs import PackName
from tessera_core.recovery import SealedRecovery, code_to_text, seal_recovery
from tessera_core.shards import Shard, split_pack
from tessera_core.user_keys import PrivateKeys

Answer = dict[str, Any]
SECRETS = {"TESS_PASSPHRASE": PASSPHRASE, "TESS_RECOVERY_CODE": code_to_text(CODE)}


def rescue(folders: Sequence[Path], out: Path, *options: str) -> tuple[int, Answer]:
    """On a computer that never logged in."""
    computer = Computer(out.parent / "fresh")
    return computer.run("rescue", *folders, "--to", out, *options, **SECRETS)


def restored(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != REPORT_NAME
    }


def codes(report: Answer) -> list[str]:
    return sorted({finding["code"] for finding in report["findings"]})


def faults(answer: Answer) -> list[dict[str, int]]:
    return [cloud["faults"] for cloud in answer["clouds"]]


@pytest.fixture
def space() -> Space:
    """Six entries: genesis, generation, name, member, and a file of each of the two."""
    made = Space()
    made.add_member()
    made.put("plan.txt", b"the plan")
    made.put("note.txt", b"a note", MEMBER)
    return made


CONTENT = {"plan.txt": b"the plan", "note.txt": b"a note"}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def folders(space: Space, tmp_path: Path) -> list[Path]:
    return write_copies(tmp_path / "copies", [space])


def shards_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("packs/*/*"))


def segments_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("log/*/*"))


class TestCopies:
    def test_everything_is_restored_and_nothing_is_wrong(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["complete"], answer["files"]) == (0, True, 2)
        assert restored(out) == {f"Designs/{path}": content for path, content in CONTENT.items()}
        (found,) = answer["spaces"]
        assert (found["id"], found["name"]) == (str(space.id), "Designs")
        assert found["readTo"]["sequence"] == 6
        assert found["readTo"]["hash"] == space.hash.hex()
        assert found["findings"] == []
        assert faults(answer) == [{}, {}, {}]

    @pytest.mark.parametrize("missing", [0, 1, 2])
    def test_rescue_works_with_one_copy_missing(
        self, folders: list[Path], out: Path, missing: int
    ) -> None:
        del folders[missing]
        assert rescue(folders, out)[0] == 0
        assert restored(out / "Designs") == CONTENT

    def test_objects_lie_at_any_depth_of_one_folder(self, folders: list[Path], out: Path) -> None:
        exit_code, answer = rescue([folders[0].parent], out)
        assert (exit_code, len(answer["clouds"])) == (0, 1)
        assert restored(out / "Designs") == CONTENT

    def test_a_folder_within_another_counts_once(self, folders: list[Path], out: Path) -> None:
        exit_code, answer = rescue([folders[0].parent, folders[0], folders[0]], out)
        objects = [cloud["objects"] for cloud in answer["clouds"]]
        assert (exit_code, objects) == (0, [8, 4])

    def test_rubbish_among_the_copies_stops_nothing(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        root = folders[0] / "vault" / ".tessera" / "v1"
        recovery = root / str(COMPANY) / "recovery"
        (recovery / "0000000009-00000000000000aa").symlink_to("nowhere")
        (recovery / "0000000008-00000000000000aa").mkdir()
        (recovery / "0000000007-00000000000000aa").write_bytes(b"rubbish")
        odd = folders[0] / os.fsdecode(b"\xff\x1b[2J") / ".tessera/v1" / str(COMPANY) / "recovery"
        odd.mkdir(parents=True)
        (odd / "0000000006-00000000000000aa").write_bytes(b"")
        (root / "health-1.json").write_text("{}")
        (root / "packs").mkdir()
        (root / str(COMPANY) / "log" / str(space.id) / "7-8").write_bytes(b"")
        exit_code, answer = rescue(folders, out)
        assert exit_code == 0
        assert faults(answer) == [{"unreadable": 2, "recoveryDamaged": 2}, {}, {}]

    def test_links_are_not_followed(self, folders: list[Path], out: Path, tmp_path: Path) -> None:
        """Whoever prepared a copy must not choose what else of this computer is read."""
        for number in (0, 1):
            for path in shards_in(folders[number]):
                outside = tmp_path / "outside" / path.name
                outside.parent.mkdir(exist_ok=True)
                path.rename(outside)
                path.symlink_to(outside)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["files"]) == (4, 0)
        assert [each.get("unreadable") for each in faults(answer)] == [2, 2, None]

    def test_oversized_objects_are_never_read(
        self, folders: list[Path], out: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        huge = [shards_in(folders[0])[0], segments_in(folders[0])[0]]
        huge.append(next(folders[0].rglob("recovery/*")))
        for path in huge:
            with path.open("r+b") as file:
                file.truncate(6 * 1024**3)
        sizes = []
        original = StoredFile.read

        def read(file: StoredFile, limit: int, size: int | None = None) -> bytes:
            content = original(file, limit, size)
            sizes.append(len(content))
            return content

        monkeypatch.setattr(StoredFile, "read", read)
        exit_code, answer = rescue(folders, out)
        assert exit_code == 0
        assert restored(out / "Designs") == CONTENT
        assert max(sizes) < 1024**2
        found = {"pieceDamaged": 1, "segmentDamaged": 1, "recoveryDamaged": 1}
        assert faults(answer) == [found, {}, {}]

    def test_the_newest_recovery_file_that_opens_counts(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        other = seal_recovery(
            PrivateKeys.generate(), PASSPHRASE, bytes(16), company=COMPANY, counter=9, record=2
        )
        write_object(folders[0], RecoveryObject(COMPANY, 9, bytes(8)), other.encode())
        old = seal_recovery(
            PrivateKeys.generate(), PASSPHRASE, CODE, company=COMPANY, counter=0, record=1
        )
        write_object(folders[0], RecoveryObject(COMPANY, 0, bytes(8)), old.encode())
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["kits"]) == (0, [1])

    def test_many_false_recovery_files_do_not_make_it_endless(
        self, folders: list[Path], out: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(200):
            false = seal_recovery(
                PAIR, PASSPHRASE, bytes(16), company=COMPANY, counter=100 + number, record=1
            )
            name = RecoveryObject(COMPANY, 100 + number, bytes(8))
            write_object(folders[0], name, false.encode())
        attempts = 0
        original = SealedRecovery.open

        def count(half: SealedRecovery, passphrase: str, code: bytes) -> PrivateKeys:
            nonlocal attempts
            attempts += 1
            return original(half, passphrase, code)

        monkeypatch.setattr(SealedRecovery, "open", count)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["kits"], attempts) == (0, [1], 65)

    def test_rescue_without_a_recovery_file_is_refused(
        self, folders: list[Path], out: Path
    ) -> None:
        for folder in folders:
            next(folder.rglob("recovery/*")).unlink()
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["error"]) == (1, "recovery_file_missing")


class TestPieces:
    @pytest.mark.parametrize("damage", ["flipped", "truncated", "emptied", "deleted"])
    def test_damage_is_corrected_and_said(
        self, folders: list[Path], out: Path, damage: str
    ) -> None:
        for path in shards_in(folders[0]):
            content = path.read_bytes()
            match damage:
                case "flipped":
                    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
                case "truncated":
                    path.write_bytes(content[:-1])
                case "emptied":
                    path.write_bytes(b"")
                case "deleted":
                    path.unlink()
        exit_code, answer = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)
        if damage == "deleted":
            assert (answer["corrected"], faults(answer)[0]) == (0, {})
        else:
            assert (answer["corrected"], faults(answer)[0]) == (2, {"pieceDamaged": 2})
            assert "1 of 3 copies is damaged" in answer["summary"]

    def test_a_cloud_whose_pieces_all_lie_is_named(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        for pack in space.packs:
            lie = forged(pack.shards[1])
            write_shard(folders[1], replace(pack, shards=[lie] * 3), 1)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)
        assert faults(answer) == [{}, {"pieceWrong": 2}, {}]

    def test_a_cloud_that_lies_about_every_piece_hides_none(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        """It also offers pieces that other clouds hold."""
        for pack in space.packs:
            for index in range(3):
                lie = [forged(shard) for shard in pack.shards]
                write_shard(folders[0], replace(pack, shards=lie), index)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)
        assert set(faults(answer)[0]) == {"pieceWrong"}
        assert faults(answer)[1:] == [{}, {}]

    def test_among_many_clouds_too(self, tmp_path: Path, out: Path) -> None:
        """More combinations of pieces than are tried hold a false one."""
        space = Space(clouds=10)
        pack = space.put("plan.txt", bytes(range(256)) * 40)
        folders = write_copies(tmp_path / "copies", [space])
        for index in range(10):
            lie = [forged(shard) for shard in pack.shards]
            write_shard(folders[0], replace(pack, shards=lie), index)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["files"]) == (0, 1)
        assert set(faults(answer)[0]) == {"pieceWrong"}
        assert not any(faults(answer)[1:])

    def test_however_many_pieces_a_cloud_offers_few_are_read(
        self, space: Space, folders: list[Path], out: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pack = space.packs[0]
        lie = replace(pack, shards=[forged(shard) for shard in pack.shards])
        for number in range(50):
            write_shard(folders[0] / f"{number}", lie, 0)
        read: list[Path] = []
        original = StoredFile.read

        def note(file: StoredFile, limit: int, size: int | None = None) -> bytes:
            read.append(file.path)
            return original(file, limit, size)

        monkeypatch.setattr(StoredFile, "read", note)
        exit_code, _ = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)
        name = f"{pack.record.pack.hex()}.0"
        assert sum(path.name == name for path in read) == MAX_SHARDS

    def test_pieces_swapped_by_name_are_right(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        for pack in space.packs:
            swapped = [pack.shards[1], pack.shards[0], pack.shards[2]]
            for index in (0, 1):
                write_shard(folders[index], replace(pack, shards=swapped), index)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, faults(answer)) == (0, [{}, {}, {}])

    def test_pack_swapped_in_all_clouds_is_refused_in_sensible_words(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        """It used to say: Only 3 of 2 needed pieces."""
        first = space.packs[0]
        for index, folder in enumerate(folders):
            name = PackName(space.id, 1, first.record.pack)
            content = bytes(range(1, 256)) * 9
            coding = first.record.coding
            lie = split_pack(content[: coding.length].ljust(coding.length), name, coding)
            write_shard(folder, replace(first, shards=lie), index)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (4, {"note.txt": b"a note"})
        (failed,) = answer["failed"]
        assert failed == {
            "path": "Designs/plan.txt",
            "message": "Enough pieces can be read, but they do not give what the log describes.",
        }

    def test_the_service_is_spoken_of_in_the_same_words(self) -> None:
        assert str(Damaged(b"", 3, 2)).startswith("Enough pieces")
        assert str(Damaged(b"", 1, 2)) == "Only 1 of 2 needed pieces could be read."

    def test_file_with_too_few_pieces_is_named(self, folders: list[Path], out: Path) -> None:
        exit_code, answer = rescue(folders[:1], out)
        assert exit_code == 4
        messages = {failed["message"] for failed in answer["failed"]}
        assert messages == {"Only 1 of 2 needed pieces are in the copies."}

    def test_bad_file_does_not_hide_another(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        first = space.packs[0].record.pack.hex()
        for folder in folders[:2]:
            next(folder.rglob(f"{first}.*")).unlink()
        exit_code, _ = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (4, {"note.txt": b"a note"})


def forged(shard: Shard) -> Shard:
    """Other content, with the right checksum."""
    other = split_pack(
        random.Random(1).randbytes(shard.trailer.coding.length),
        shard.trailer.name,
        shard.trailer.coding,
    )
    return other[shard.trailer.index]


class TestLogs:
    def test_a_gap_is_said(self, space: Space, tmp_path: Path, out: Path) -> None:
        folders = write_copies(tmp_path / "copies", [space], cut=[4, 5])
        for folder in folders:
            segments_in(folder)[1].unlink()
        exit_code, answer = rescue(folders, out)
        (found,) = answer["spaces"]
        assert (exit_code, found["readTo"]["sequence"]) == (4, 4)
        assert found["findings"][0]["code"] == "gap"
        assert "Entries 5 to 5 are missing" in found["findings"][0]["message"]

    def test_log_without_its_beginning_is_worth_nothing(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        folders = write_copies(tmp_path / "copies", [space], cut=[2])
        for folder in folders:
            segments_in(folder)[0].unlink()
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["files"]) == (4, 0)
        assert codes(answer["spaces"][0]) == ["gap", "log_missing", "unnamed_packs"]

    def test_a_newer_format_needs_a_newer_program(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        space.append(FormatChanged(2), signer=space.leader_keys)
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        assert codes(answer["spaces"][0]) == ["newer_format"]
        assert faults(answer) == [{}, {}, {}]

    @pytest.mark.parametrize("damage", ["flipped", "truncated", "version"])
    def test_a_refused_newest_segment_is_said(
        self, space: Space, tmp_path: Path, out: Path, damage: str
    ) -> None:
        folders = write_copies(tmp_path / "copies", [space], cut=[5])
        for folder in folders:
            path = segments_in(folder)[1]
            content = path.read_bytes()
            match damage:
                case "flipped":
                    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
                case "truncated":
                    path.write_bytes(content[:200])
                case "version":
                    path.write_bytes(content[:8] + b"\x02" + content[9:])
        exit_code, answer = rescue(folders, out)
        (found,) = answer["spaces"]
        assert (exit_code, codes(found)) == (4, ["segment_refused", "unnamed_packs"])
        assert restored(out / "Designs") == {"plan.txt": b"the plan"}
        assert faults(answer) == [{"segmentDamaged": 1}] * 3

    def test_a_segment_damaged_in_one_cloud_loses_nothing(
        self, folders: list[Path], out: Path
    ) -> None:
        path = segments_in(folders[0])[0]
        path.write_bytes(path.read_bytes()[:-1])
        exit_code, answer = rescue(folders, out)
        assert (exit_code, faults(answer)[0]) == (0, {"segmentDamaged": 1})

    def test_a_missing_newest_segment_leaves_packs_that_no_log_names(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        folders = write_copies(tmp_path / "copies", [space], cut=[5])
        for folder in folders:
            segments_in(folder)[1].unlink()
        exit_code, answer = rescue(folders, out)
        (found,) = answer["spaces"]
        # Uploads that were not finished look the same.
        assert (exit_code, codes(found)) == (0, ["unnamed_packs"])
        assert found["findings"][0]["count"] == 1
        pin = f"Designs:6:{space.hash.hex()[:16]}"
        exit_code, answer = rescue(folders, out, "--expect", pin)
        assert exit_code == 4
        assert codes(answer) == ["expected_missing"]

    def test_a_space_without_a_log_is_named(self, space: Space, tmp_path: Path, out: Path) -> None:
        other = Space(name="Other")
        other.put("a", b"a")
        folders = write_copies(tmp_path / "copies", [space, other])
        for folder in folders:
            for path in folder.rglob(f"log/{other.id}/*"):
                path.unlink()
        exit_code, answer = rescue(folders, out)
        assert exit_code == 4
        assert restored(out) == {f"Designs/{path}": content for path, content in CONTENT.items()}
        absent = next(each for each in answer["spaces"] if each["id"] == str(other.id))
        assert (absent["folder"], codes(absent)) == (None, ["only_packs"])

    @pytest.mark.parametrize("clouds", [1, 3])
    def test_segments_under_another_spaces_name_are_called_that(
        self, space: Space, tmp_path: Path, out: Path, clouds: int
    ) -> None:
        other = Space(name="Other")
        other.put("a", b"a")
        folders = write_copies(tmp_path / "copies", [space, other])
        for folder in folders[:clouds]:
            for path in segments_in(folder):
                path.unlink()
            write_segment(folder, space.entries, space=other.id)
            write_segment(folder, other.entries, space=space.id)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["files"]) == (0, 3)
        assert restored(out / "Other") == {"a": b"a"}
        assert [found["otherHistories"] for found in answer["spaces"]] == [[], []]
        assert faults(answer)[0] == {"segmentMisplaced": 2}

    def test_the_log_of_another_pair_is_refused(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        foreign = Space(name="Foreign", pair=PrivateKeys.generate())
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space, foreign]), out)
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        refused = next(each for each in answer["spaces"] if each["id"] == str(foreign.id))
        assert codes(refused) == ["log_not_trusted"]

    def test_spaces_of_one_name_do_not_mix(self, tmp_path: Path, out: Path) -> None:
        spaces = [Space(name="../Same"), Space(name="../Same")]
        for number, space in enumerate(spaces):
            space.put("a", bytes([number]))
        exit_code, _ = rescue(write_copies(tmp_path / "copies", spaces), out)
        folders = [path for path in out.iterdir() if path.is_dir()]
        assert (exit_code, len(folders)) == (0, 2)
        assert sorted(restored(out).values()) == [b"\0", b"\1"]


ORDERS = pytest.mark.parametrize("order", [[0, 1, 2], [1, 0, 2], [2, 1, 0]])


class TestLyingCloud:
    """One cloud of three lies, whatever folder is named first."""

    @ORDERS
    def test_a_longer_log_of_its_own_making(
        self, space: Space, folders: list[Path], out: Path, order: list[int]
    ) -> None:
        forged = Space(id=space.id, name="Forged", pair=PrivateKeys.generate())
        for number in range(20):
            forged.put(f"{number}", b"forged")
        write_log(folders[0], forged)
        exit_code, answer = rescue([folders[at] for at in order], out)
        assert (exit_code, restored(out)) == (
            0, {f"Designs/{path}": content for path, content in CONTENT.items()}
        )  # fmt: skip
        assert faults(answer)[order.index(0)] == {"logForged": 1}

    @ORDERS
    @pytest.mark.parametrize("lie", ["junk", "dropped", "higher"])
    def test_other_grants_in_one_cloud_change_nothing(
        self, space: Space, folders: list[Path], out: Path, order: list[int], lie: str
    ) -> None:
        segments_in(folders[0])[0].unlink()
        ring = Keyring.create()
        own = {"company": COMPANY, "space": space.id, "member": RECOVERY}
        grants: tuple[Grant, ...] = {
            "junk": (seal_grant(ring, PAIR.public, **own), space.entries[1].grants[0]),
            "dropped": (),
            "higher": (*space.entries[1].grants, seal_grant(ring.next(), PAIR.public, **own)),
        }[lie]
        write_segment(folders[0], with_grants(space.entries, 2, *grants))
        exit_code, answer = rescue([folders[at] for at in order], out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)
        assert faults(answer)[order.index(0)] == {"grantsWrong": 1}

    def test_an_entry_that_nobody_signed(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        lie = space.fork()
        lie.append(Change(()), LEADER, body=bytes(272), signer=MEMBER_KEYS)
        write_segment(folders[0], lie.entries[-1:])
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["spaces"][0]["otherHistories"]) == (0, [])
        assert faults(answer)[0] == {"entryForged": 1}

    def test_grants_of_an_export_are_enough(
        self, space: Space, folders: list[Path], out: Path
    ) -> None:
        """It holds the grant to recovery alone; the commitment proves what is in it."""
        for folder in folders:
            segments_in(folder)[0].unlink()
            write_segment(folder, with_grants(space.entries, 2, space.entries[1].grants[-1]))
        exit_code, answer = rescue(folders, out)
        assert (exit_code, faults(answer)) == (0, [{}, {}, {}])
        assert restored(out / "Designs") == CONTENT


class TestHistories:
    def test_a_removed_members_longer_history_loses_against_the_leaders(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        fork = space.fork()
        for number in range(10):
            fork.put(f"hostile{number}", b"x", MEMBER)
        space.remove_member()
        space.put("plan.txt", b"the new plan")
        folders = write_copies(tmp_path / "copies", [space])
        for number in range(3):
            write_log(folders[number], fork)
            for pack in fork.packs:
                write_shard(folders[number], pack, number)
        exit_code, answer = rescue(folders, out)
        assert exit_code == 0
        assert restored(out / "Designs") == {**CONTENT, "plan.txt": b"the new plan"}
        (other,) = answer["spaces"][0]["otherHistories"]
        assert other["folder"] == "Designs (other history 2)"
        assert other["findings"][0]["leftAfter"] == 6
        beside = restored(out / other["folder"])
        assert beside == {f"hostile{number}": b"x" for number in range(10)} | {
            "plan.txt": b"the plan"
        }

    def test_the_one_that_more_clouds_hold(self, space: Space, tmp_path: Path, out: Path) -> None:
        fork = space.fork()
        for number in range(9):
            fork.put(f"hostile{number}", b"x", MEMBER)
        space.put("more.txt", b"more", MEMBER)
        folders = write_copies(tmp_path / "copies", [space])
        write_log(folders[0], fork)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (4, {**CONTENT, "more.txt": b"more"})
        (other,) = answer["spaces"][0]["otherHistories"]
        assert len(other["failed"]) == 9, "its packs are nowhere"

    def test_longest_history_wins_between_equal_copies(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        fork = space.fork()
        fork.put("short.txt", b"s", MEMBER)
        for number in range(2):
            space.put(f"long{number}.txt", b"l", MEMBER)
        folders = write_copies(tmp_path / "copies", [fork, space])
        exit_code, _ = rescue(folders, out)
        assert exit_code == 0
        assert restored(out / "Designs").keys() == {*CONTENT, "long0.txt", "long1.txt"}

    def test_what_the_kit_says_comes_first(self, space: Space, tmp_path: Path, out: Path) -> None:
        fork = space.fork()
        space.remove_member()
        fork.put("expected.txt", b"e", MEMBER)
        folders = write_copies(tmp_path / "copies", [space, fork])
        pin = f"Designs:{fork.state.sequence}:{fork.hash.hex()[:16]}"
        exit_code, _ = rescue(folders, out, "--expect", pin)
        assert (exit_code, restored(out / "Designs")) == (0, {**CONTENT, "expected.txt": b"e"})

    def test_an_abandoned_history_comes_behind(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        """The leader has given it up after a restore of the service."""
        abandoned = space.fork()
        for number in range(4):
            abandoned.put(f"abandoned{number}", b"a")
        state = abandoned.state
        space.append(Rewound(state.sequence, state.head, state.time))
        space.generation()
        folders = write_copies(tmp_path / "copies", [abandoned, space])
        exit_code, _ = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)
        assert len(restored(out / "Designs (other history 2)")) == 4

    @pytest.mark.parametrize("value", ["x", "Designs:1:abcd", f"Designs:-1:{'ab' * 8}"])
    def test_mistyped_expectation_is_refused(self, out: Path, tmp_path: Path, value: str) -> None:
        exit_code, answer = rescue([tmp_path], out, "--expect", value)
        assert (exit_code, answer["error"]) == (2, "expected_malformed")

    def test_an_expected_space_that_is_nowhere(self, folders: list[Path], out: Path) -> None:
        exit_code, answer = rescue(folders, out, "--expect", f"Lost: a:3:{'ab' * 8}")
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        (finding,) = answer["findings"]
        assert (finding["code"], finding["space"]) == ("expected_missing", "Lost: a")

    def test_the_first_64_forks_are_followed_and_the_others_named(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        folders = write_copies(tmp_path / "copies", [space])
        last = space.fork()
        last.put("true.txt", b"true")
        for folder in folders:
            write_segment(folder, last.entries[-1:])
        for pack in last.packs[-1:]:
            for number, folder in enumerate(folders):
                write_shard(folder, pack, number)
        for _ in range(MAX_FORKS + 3):
            fork = space.fork()
            fork.change([fork.file("empty", b"")], (), MEMBER)
            write_segment(folders[0], fork.entries[-1:])
        exit_code, answer = rescue(folders, out)
        (found,) = answer["spaces"]
        assert (exit_code, len(found["otherHistories"])) == (4, MAX_FORKS)
        unfollowed = [x for x in found["findings"] if x["code"] == "not_followed"]
        assert [each["sequence"] for each in unfollowed] == [7, 7, 7]
        assert restored(out / "Designs") == {**CONTENT, "true.txt": b"true"}


class TestGenerations:
    def test_a_pair_that_was_replaced_reads_up_to_its_replacement(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        space.replace_pair(PrivateKeys.generate())
        space.put("later.txt", b"later")
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        (found,) = answer["spaces"]
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        assert found["readTo"]["sequence"] == 6
        assert codes(found) == ["pair_replaced"]

    def test_a_pair_that_was_replaced_twice(self, space: Space, tmp_path: Path, out: Path) -> None:
        for _ in range(2):
            space.replace_pair(PrivateKeys.generate())
            space.put("later.txt", b"later")
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        assert codes(answer["spaces"][0]) == ["pair_replaced"]

    def test_a_replacement_with_nothing_behind_it(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        space.replace_pair(PrivateKeys.generate())
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)
        assert codes(answer["spaces"][0]) == ["pair_replaced"]

    def test_the_pair_that_replaced_another_reads_everything(
        self, tmp_path: Path, out: Path
    ) -> None:
        space = Space(pair=PrivateKeys.generate())
        space.put("before.txt", b"b")
        left = space.fork()
        space.replace_pair(PAIR)
        left.put("nobody's.txt", b"n")
        folders = write_copies(tmp_path / "copies", [space])
        write_log(folders[0], left)
        exit_code, answer = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (0, {"before.txt": b"b"})
        assert faults(answer)[0] == {"logForged": 1}, "this pair never signed it"

    def test_a_grant_that_does_not_open_leaves_the_generations_before_it(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        junk = seal_grant(
            Keyring.create().next(), PAIR.public, company=COMPANY, space=space.id, member=RECOVERY
        )
        space.generation(recovery_grant=junk)
        space.put("later.txt", b"later")
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        (found,) = answer["spaces"]
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        assert codes(found) == ["generation_lost"]
        assert found["findings"][0]["sequences"] == [8]

    def test_no_grant_at_all(self, tmp_path: Path, out: Path, space: Space) -> None:
        other = Space(name="Other")
        folders = write_copies(tmp_path / "copies", [space])
        for folder in folders:
            write_segment(folder, with_grants(other.entries, 2))
        exit_code, answer = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        refused = next(each for each in answer["spaces"] if each["id"] == str(other.id))
        assert codes(refused) == ["grant_refused"]


class TestBodies:
    @pytest.mark.parametrize("kind", ["random", "malformed", "relisted", "deep", "dots"])
    def test_a_members_nonsense_is_set_aside(
        self, space: Space, tmp_path: Path, out: Path, kind: str
    ) -> None:
        match kind:
            case "random":
                space.garbage()
            case "malformed":
                space.raw_change(b"\x01nonsense", (), MEMBER)
            case "relisted":
                # Contents of somebody else's pack: its chunks could not be found any more.
                known = space.packs[0].contents
                lie = PackContents(
                    known.pack, (msgspec.structs.replace(known.chunks[0], id=bytes(32)),)
                )
                space.raw_change(ChangeBody((lie,), ()).encode(), (), MEMBER)
            case "deep":
                path = "/".join(["d"] * 99) + "/d/d"
                raw = ChangeBody((), (space.file("d", b""),)).encode()
                encoded = len(path).to_bytes(2, "big") + path.encode()
                space.raw_change(raw.replace(b"\x00\x01d", encoded), (), MEMBER)
            case "dots":
                raw = ChangeBody((), (space.file("d", b""),)).encode()
                space.raw_change(raw.replace(b"\x00\x01d", b"\x00\x02.."), (), MEMBER)
        sequence = space.state.sequence
        space.put("later.txt", b"later")
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        (found,) = answer["spaces"]
        assert (exit_code, restored(out / "Designs")) == (0, {**CONTENT, "later.txt": b"later"})
        (finding,) = found["findings"]
        assert (finding["code"], finding["sequence"]) == ("set_aside", sequence)
        assert (finding["author"], bool(finding["reason"])) == (str(MEMBER), True)

    def test_a_missing_body_is_said_and_later_ones_apply(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        space.change(large_change(space), (), MEMBER, stored=True)
        lost = space.packs[-1].record.pack.hex()
        space.put("later.txt", b"later")
        other = Space(name="Other")
        other.put("a", b"a")
        folders = write_copies(tmp_path / "copies", [space, other])
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["files"]) == (0, 704)
        for folder in folders[:2]:
            next(folder.rglob(f"{lost}.*")).unlink()
        again = out.with_name("again")
        exit_code, answer = rescue(folders, again)
        assert exit_code == 4
        assert restored(again / "Designs") == {**CONTENT, "later.txt": b"later"}
        assert restored(again / "Other") == {"a": b"a"}
        found = next(each for each in answer["spaces"] if each["id"] == str(space.id))
        (finding,) = found["findings"]
        assert (finding["code"], finding["sequence"]) == ("body_missing", 7)
        assert finding["author"] == str(MEMBER)

    def test_what_the_leader_set_aside_is_left_out(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        space.append(SetAside((6,)))
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (exit_code, restored(out / "Designs")) == (0, {"plan.txt": b"the plan"})
        assert codes(answer["spaces"][0]) == ["set_aside_by_leader"]

    def test_deepest_path_is_restored(self, space: Space, tmp_path: Path, out: Path) -> None:
        path = "/".join(["d"] * MAX_DEPTH)
        space.put(path, b"deep")
        exit_code, _ = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (exit_code, restored(out / "Designs")[path]) == (0, b"deep")

    def test_a_checkpoint_that_is_set_aside_is_skipped(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        space.checkpoint()
        space.put("later.txt", b"later")
        space.checkpoint(content=b"\x01rubbish")
        space.put("last.txt", b"last")
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert exit_code == 0
        assert restored(out / "Designs") == {
            **CONTENT, "later.txt": b"later", "last.txt": b"last"
        }  # fmt: skip
        assert codes(answer["spaces"][0]) == ["set_aside"]

    def test_a_checkpoint_stands_for_the_bodies_before_it(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        space.change(large_change(space), (), MEMBER, stored=True)
        lost = space.packs.pop()
        space.checkpoint()
        folders = write_copies(tmp_path / "copies", [space])
        assert not list(folders[0].rglob(f"{lost.record.pack.hex()}.*"))
        exit_code, answer = rescue(folders, out)
        assert (exit_code, answer["spaces"][0]["findings"]) == (0, [])
        assert answer["files"] == 702


class TestContents:
    @pytest.mark.parametrize("lost", [0, 1])
    def test_a_chunk_that_two_packs_claim_is_tried_in_each(
        self, space: Space, tmp_path: Path, out: Path, lost: int
    ) -> None:
        """One pack of it is lost."""
        copy_of = space.pack([b"the plan"])
        space.change([], [copy_of], MEMBER)
        folders = write_copies(tmp_path / "copies", [space])
        for folder in folders:
            for path in folder.rglob(f"{[space.packs[0], copy_of][lost].record.pack.hex()}.*"):
                path.unlink()
        exit_code, _ = rescue(folders, out)
        assert (exit_code, restored(out / "Designs")) == (0, CONTENT)

    @pytest.mark.parametrize("claimed", ["before", "after", "moved"])
    def test_a_pack_that_claims_others_chunks_hides_nothing(
        self, tmp_path: Path, out: Path, claimed: str
    ) -> None:
        """A member's own pack holds something else under the chunk's id."""
        space = Space()
        space.add_member()
        if claimed == "after":
            space.put("plan.txt", b"the plan")
        known = chunk_id(space.keyring.chunk_id_key, b"the plan")
        space.change([], [space.pack([b"the lie!"], [known])], MEMBER)
        if claimed != "after":
            space.put("plan.txt", b"the plan")
        if claimed == "moved":
            space.change([Move("plan.txt", "moved.txt")], (), MEMBER)
        exit_code, _ = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (exit_code, [*restored(out / "Designs").values()]) == (0, [b"the plan"])

    def test_a_file_that_claims_more_than_is_there_is_not_written(
        self, space: Space, tmp_path: Path, out: Path
    ) -> None:
        identifier = space.packs[0].contents.chunks[0].id
        put = space.file("huge.bin", b"")
        huge = replace(put, item=File(2 * 1024**2, 0, False, (identifier, identifier)))
        space.change([huge], (), MEMBER)
        exit_code, answer = rescue(write_copies(tmp_path / "copies", [space]), out)
        assert (exit_code, restored(out / "Designs")) == (4, CONTENT)
        assert [each["path"] for each in answer["failed"]] == ["Designs/huge.bin"]


class TestText:
    @pytest.mark.parametrize("language", ["en", "tr", "ar"])
    def test_the_report_in_words(
        self,
        space: Space,
        tmp_path: Path,
        out: Path,
        language: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        for name, value in SECRETS.items():
            monkeypatch.setenv(name, value)
        fork = space.fork()
        fork.garbage()
        fork.put("fork.txt", b"f", MEMBER)
        space.remove_member()
        folders = write_copies(tmp_path / "copies", [space], cut=[6])
        write_log(folders[2], fork)
        path = shards_in(folders[0])[0]
        path.write_bytes(path.read_bytes()[:-1])
        exit_code, said, _ = Computer(tmp_path / "fresh").say(
            "rescue", *folders, "--to", out, "--lang", language
        )
        assert exit_code == 4, "a piece of the other history is nowhere"
        assert str(space.id) in said
        assert space.hash.hex()[:16] in said
        assert str(MEMBER) in said
        assert str(folders[0]) in said
        assert "{" not in said
