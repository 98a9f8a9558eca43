"""The recovery kit, and restoring from copies of warehouses without the service."""

import random
import stat
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import PASSPHRASE, Person, Service
from tessera_core import base64url
from tessera_core.entries import Entry
from tessera_core.objects import RecoveryObject, SegmentObject, ShardObject
from tessera_core.recovery import SealedRecovery, code_to_text, new_code
from tessera_core.segments import Segment, SegmentEntry


def copy_warehouses(service: Service, target: Path) -> list[Path]:
    """What a tool copies from the three warehouses, with the objects that the service writes."""
    folders = [target / f"cloud{index}" / "path" for index in range(3)]
    for (warehouse, pack), content in service.objects.items():
        name = ShardObject(service.company, base64url.decode(pack), warehouse)
        write(folders[warehouse] / str(name), content)
    sealed = base64url.decode(service.kits[-1])
    for folder in folders:
        counter = SealedRecovery.decode(sealed).counter
        write(folder / str(RecoveryObject(service.company, counter, bytes(8))), sealed)
        for space, log in service.spaces.items():
            entries = [Entry.decode(base64url.decode(text)) for text in log.entries]
            segment = Segment(
                tuple(
                    SegmentEntry(entry, log.granted.get(entry.head.sequence, ()))
                    for entry in entries
                )
            )
            stored = SegmentObject(service.company, space, segment.first, segment.last, bytes(8))
            write(folder / str(stored), segment.encode())
    return folders


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    root = tmp_path / "Photos"
    write(root / "large.bin", random.Random(1).randbytes(2_500_000))
    write(root / "deep" / "note.txt", b"hello")
    return root


@pytest.fixture
def code(leader: Computer, files: Path, tmp_path: Path) -> str:
    """A company with files and a recovery kit."""
    leader.ok("put", files, "Designs:/2026/")
    command = ("recovery-kit", "--to", tmp_path / "kit.html")
    exit_code, asked = leader.run(*command)
    assert (exit_code, asked["error"]) == (3, "code_required")
    kit = leader.ok(*command, "--code", "123456")
    page = tmp_path / "kit-sheet.html"
    assert kit["recoveryCode"] in page.read_text()
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    return str(kit["recoveryCode"])


def rescue(
    folders: list[Path], out: Path, code: str, passphrase: str = PASSPHRASE
) -> tuple[int, dict[str, object]]:
    """On a computer that never logged in."""
    return Computer(out.parent / "fresh").run(
        "rescue", *folders, "--to", out, TESS_PASSPHRASE=passphrase, TESS_RECOVERY_CODE=code
    )


def restored(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


class TestRescue:
    @pytest.mark.parametrize("missing", [0, 1, 2])
    def test_any_two_of_three_copies_give_everything(
        self, service: Service, code: str, files: Path, tmp_path: Path, missing: int
    ) -> None:
        folders = copy_warehouses(service, tmp_path / "copies")
        del folders[missing]
        exit_code, answer = rescue(folders, tmp_path / "out", code)
        assert (exit_code, answer["files"]) == (0, 2)
        assert restored(tmp_path / "out" / "Designs" / "2026" / "Photos") == restored(files)

    def test_rescue_from_one_copy_says_what_is_missing(
        self, service: Service, code: str, tmp_path: Path
    ) -> None:
        folders = copy_warehouses(service, tmp_path / "copies")
        exit_code, answer = rescue(folders[:1], tmp_path / "out", code)
        assert exit_code == 4
        assert len(answer["failed"]) == 2  # type: ignore[arg-type]

    def test_damaged_pieces_are_left_aside(
        self, service: Service, code: str, files: Path, tmp_path: Path
    ) -> None:
        folders = copy_warehouses(service, tmp_path / "copies")
        for path in folders[0].rglob("packs/*/*"):
            path.write_bytes(path.read_bytes()[:-1] + b"x")
        for path in folders[1].rglob("log/*/*"):
            path.write_bytes(path.read_bytes()[:100])
        assert rescue(folders, tmp_path / "out", code)[0] == 0
        assert restored(tmp_path / "out" / "Designs" / "2026" / "Photos") == restored(files)

    def test_rescue_with_wrong_secrets_is_refused(
        self, service: Service, code: str, tmp_path: Path
    ) -> None:
        folders = copy_warehouses(service, tmp_path / "copies")
        for wrong, passphrase in ((code_to_text(new_code()), PASSPHRASE), (code, "another one")):
            exit_code, answer = rescue(folders, tmp_path / "out", wrong, passphrase)
            assert (exit_code, answer["error"]) == (1, "recovery_not_opened")
        exit_code, answer = rescue(folders, tmp_path / "out", "1234")
        assert (exit_code, answer["error"]) == (2, "code_malformed")


class TestExport:
    def test_a_copy_through_links_can_be_rescued(
        self, service: Service, leader: Computer, code: str, files: Path, tmp_path: Path
    ) -> None:
        leader.ok("export", tmp_path / "export")
        exit_code, _ = rescue([tmp_path / "export"], tmp_path / "out", code)
        assert exit_code == 0
        assert restored(tmp_path / "out" / "Designs" / "2026" / "Photos") == restored(files)

    def test_a_second_export_reads_only_what_is_new(
        self, service: Service, leader: Computer, code: str, tmp_path: Path
    ) -> None:
        leader.ok("export", tmp_path / "export")
        asked: list[str] = []

        def note(request: httpx.Request, _: int) -> None:
            asked.append(request.url.path)

        service.on_object = note
        leader.ok("export", tmp_path / "export")
        assert asked == []

    def test_space_that_the_service_hides_is_missed(
        self, service: Service, leader: Computer, code: str, tmp_path: Path
    ) -> None:
        (hidden,) = service.spaces
        service.on_call = lambda name, answer: [] if name == "GET /storage/spaces" else answer
        exit_code, answer = leader.run("export", tmp_path / "export")
        assert (exit_code, answer["spaces"]) == (5, 0)
        assert [problem["path"] for problem in answer["failed"]] == [str(hidden)]

    def test_needs_a_recovery_kit(self, leader: Computer, tmp_path: Path) -> None:
        exit_code, answer = leader.run("export", tmp_path / "export")
        assert (exit_code, answer["error"]) == (1, "kit_missing")


class TestRecover:
    def test_a_leader_who_lost_all_keys_takes_over_with_the_kit(
        self,
        service: Service,
        member: Computer,
        code: str,
        files: Path,
        tmp_path: Path,
        new_computer: Callable[[str, Person], Computer],
    ) -> None:
        """As after a password reset: the service has no envelope, this computer has no keys."""
        assert service.leader.keys is not None
        service.leader.keys["envelope"] = None
        fresh = new_computer("fresh", service.leader)
        exit_code, answer = fresh.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "keys_replaced")
        secrets = {"TESS_PASSPHRASE": PASSPHRASE, "TESS_RECOVERY_CODE": code}
        service.verified = False
        assert fresh.run("recover", **secrets)[1]["error"] == "code_required"
        exit_code, answer = fresh.run("recover", "--code", "123456", **secrets)
        assert (exit_code, answer["spaces"]) == (0, ["Designs"])
        fresh.ok("get", "Designs:/2026/Photos", tmp_path / "out")
        assert restored(tmp_path / "out") == restored(files)
        (log,) = service.spaces.values()
        assert log.state.generation == 2, "what the lost keys know opens nothing new"
        # The member sees the change of keys, signed by recovery, and reads; whoever has the kit
        # could have made it, so writing waits for the new words.
        member.ok("ls", "Designs:/2026/Photos")
        put = ("put", files / "deep" / "note.txt", "Designs:/after/")
        exit_code, answer = member.run(*put)
        assert (exit_code, answer["error"]) == (3, "leader_not_trusted")
        member.ok("trust", service.leader.email, "--words", fresh.ok("words")["words"])
        member.ok(*put)
        fresh.ok("get", "Designs:/after/note.txt", tmp_path / "note.txt")
        fresh.ok("spaces", "create", "Another")

    def test_recover_with_wrong_secrets_is_refused(self, leader: Computer, code: str) -> None:
        exit_code, answer = leader.run(
            "recover", TESS_PASSPHRASE="another one", TESS_RECOVERY_CODE=code
        )
        assert (exit_code, answer["error"]) == (1, "recovery_not_opened")
