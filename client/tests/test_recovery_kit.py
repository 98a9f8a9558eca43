"""Making a recovery kit: where it is written, who has its code, and what its sheet says."""

import errno
import hashlib
import os
import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from client.tests.conftest import READER, Computer
from client.tests.service import PASSPHRASE, Service
from client.tests.test_update import CONTENT, FILE, key, manifest
from tessera_client.commands import recovery
from tessera_client.errors import ClientError
from tessera_client.vault import kit as kit_module
from tessera_client.vault.kit import Kit, SpaceEnd
from tessera_client.vault.kit_sheet import square_texts
from tessera_client.vault.profile import create_private
from tessera_core.recovery import code_to_text, new_code
from tessera_core.version import __version__

__all__ = ["key"]

MAKE = ("recovery-kit", "--code", "123456", "--to")


def warnings_about_kit(leader: Computer) -> list[str]:
    return [text for text in leader.ok("status")["warnings"] if "recovery kit" in text]


class TestTarget:
    def test_target_that_cannot_be_written_is_refused_before_anything(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        (tmp_path / "old.html").write_text("another kit")
        (tmp_path / "link.html").symlink_to("nowhere")
        (tmp_path / "my-sheet.html").write_text("another sheet")
        targets = {
            tmp_path / "none" / "kit.html": "no_such_folder",
            tmp_path / "old.html" / "kit.html": "no_such_folder",
            tmp_path: "path_is_folder",
            tmp_path / "old.html": "file_exists",
            tmp_path / "link.html": "file_exists",
            tmp_path / "my.html": "file_exists",
            # Nobody can make a file there, not even the superuser.
            Path("/proc/kit.html"): "system_error",
        }
        for target, code in targets.items():
            for command in (("recovery-kit", "--to"), MAKE):
                assert leader.run(*command, target)[1]["error"] == code
        assert service.kits == []

    def test_a_full_disk_is_noticed_before_anything(
        self, service: Service, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", fail)
        exit_code, answer = leader.run(*MAKE, tmp_path / "kit.html")
        assert (exit_code, answer["message"]) == (1, "No space left on device.")
        assert service.kits == []

    @pytest.mark.parametrize("failing", ["kit-sheet.html", "kit.html"])
    def test_a_disk_that_fills_up_afterwards_does_not_lose_the_code(
        self, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
    ) -> None:
        def fail(path: Path, content: bytes) -> None:
            if path.name == failing:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            create_private(path, content)

        monkeypatch.setattr(recovery, "create_private", fail)
        exit_code, answer = leader.run(*MAKE, tmp_path / "kit.html")
        assert (exit_code, answer["error"]) == (1, "kit_not_written")
        assert failing in answer["message"]
        assert answer["message"].endswith(answer["recoveryCode"])
        exit_code, answer = leader.run(
            "recovery-kit", "--confirm", TESS_RECOVERY_CODE=answer["recoveryCode"]
        )
        assert (exit_code, answer["confirmed"]) == (0, True)

    def test_what_the_sheet_needs_is_asked_for_before_the_kit_is_stored(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        service.on_call = lambda name, answer: (
            {"odd": True} if name == "GET /storage/health" else answer
        )
        exit_code, _ = leader.run(*MAKE, tmp_path / "kit.html")
        assert (exit_code, service.kits) == (1, [])
        assert not (tmp_path / "kit.html").exists()


class TestConfirmation:
    def test_without_a_terminal_the_kit_works_and_status_goes_on_warning(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        made = leader.ok(*MAKE, tmp_path / "kit.html")
        assert made["confirmed"] is False
        (warning,) = warnings_about_kit(leader)
        assert "tess recovery-kit --confirm" in warning
        assert leader.ok("status")["kitConfirmed"] is False

        wrong = code_to_text(new_code())
        exit_code, answer = leader.run("recovery-kit", "--confirm", TESS_RECOVERY_CODE=wrong)
        assert (exit_code, answer["error"]) == (1, "recovery_not_opened")
        code = made["recoveryCode"]
        exit_code, answer = leader.run(
            "recovery-kit", "--confirm", TESS_RECOVERY_CODE=code, TESS_PASSPHRASE="another one"
        )
        assert (exit_code, answer["error"]) == (1, "recovery_not_opened")
        assert len(warnings_about_kit(leader)) == 1

        exit_code, answer = leader.run("recovery-kit", "--confirm", TESS_RECOVERY_CODE=code)
        assert (exit_code, answer["confirmed"]) == (0, True)
        assert warnings_about_kit(leader) == []
        assert leader.ok("status")["kitConfirmed"] is True
        leader.ok(*MAKE, tmp_path / "next.html")
        assert len(warnings_about_kit(leader)) == 1, "nobody has seen the next one's code"

    def test_a_script_may_confirm_at_once(self, leader: Computer, tmp_path: Path) -> None:
        assert leader.ok(*MAKE, tmp_path / "kit.html", "--confirmed")["confirmed"] is True
        assert warnings_about_kit(leader) == []

    @pytest.mark.parametrize(("mistakes", "confirmed"), [(0, True), (2, True), (3, False)])
    def test_on_a_terminal_two_groups_of_the_written_code_are_asked(
        self,
        leader: Computer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        mistakes: int,
        confirmed: bool,
    ) -> None:
        sheet, asked = tmp_path / "kit-sheet.html", list[int]()

        def answer(question: str) -> str:
            asked.append(int(question.split()[1]))
            code = re.findall(r'<code dir="ltr">(.+)</code>', sheet.read_text())[0]
            group = code.split("-")[asked[-1] - 1]
            return "0000" if len(asked) <= 2 * mistakes else group.lower()

        monkeypatch.setattr(recovery, "is_interactive", lambda: True)
        monkeypatch.setattr(recovery, "ask", answer)
        exit_code, said, shown = leader.say(*MAKE, tmp_path / "kit.html")
        assert exit_code == 0
        assert len(asked) == 2 * min(mistakes + 1, 3)
        assert asked[0] < asked[1]
        assert "File recovery code: " in shown
        assert ("is confirmed" in said) is confirmed
        assert (warnings_about_kit(leader) == []) is confirmed

    def test_a_file_or_confirm_is_wanted(self, leader: Computer, tmp_path: Path) -> None:
        assert leader.run("recovery-kit")[1]["error"] == "kit_usage"
        both = leader.run("recovery-kit", "--confirm", "--to", tmp_path / "kit.html")
        assert both[1]["error"] == "kit_usage"

    def test_nothing_is_confirmed_without_a_kit(self, leader: Computer) -> None:
        code = code_to_text(new_code())
        exit_code, answer = leader.run("recovery-kit", "--confirm", TESS_RECOVERY_CODE=code)
        assert (exit_code, answer["error"]) == (1, "kit_missing")


class TestSheet:
    def test_says_what_to_copy_and_how_to_get_the_client_without_the_service(
        self,
        service: Service,
        leader: Computer,
        key: Ed25519PrivateKey,
        tmp_path: Path,
    ) -> None:
        note = tmp_path / "note.txt"
        note.write_text("note")
        leader.ok("put", note, "Designs:/")
        service.manifest = manifest("9.0.0", key)
        leader.ok(*MAKE, tmp_path / "kit.html")
        sheet = (tmp_path / "kit-sheet.html").read_text()
        assert f".tessera/v1/{service.company}" in sheet
        for cloud in ("Cloud 0 (Dropbox)", "Cloud 1 (Dropbox)", "Cloud 2 (Dropbox)"):
            assert cloud in sheet
        assert "2 of 3 are enough" in " ".join(sheet.split())
        assert "version 9.0.0" in sheet
        digest = hashlib.sha256(CONTENT).hexdigest()
        assert f"{FILE.name}  SHA-256 {digest} (Python 3.11+)" in sheet
        assert ".deb" not in sheet
        for name in ("FILE", "kit.html"):
            assert f"sha256sum {name}" in sheet
        assert PASSPHRASE not in sheet

    def test_without_a_signed_release_only_the_version_is_named(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        leader.ok(*MAKE, tmp_path / "kit.html")
        sheet = (tmp_path / "kit-sheet.html").read_text()
        assert f"version {__version__}" in sheet
        assert "sha256sum FILE" not in sheet

    def test_the_reader_is_the_same_for_everybody_and_the_sheet_tells_how_to_check_it(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        made = leader.ok(*MAKE, tmp_path / "kit.html")
        assert made["sheet"] == str(tmp_path / "kit-sheet.html")
        assert (tmp_path / "kit.html").read_bytes() == READER
        sheet = (tmp_path / "kit-sheet.html").read_text()
        assert f"SHA-256 {hashlib.sha256(READER).hexdigest()[:32]}<" in sheet
        assert "Disconnect the computer" in sheet
        assert made["recoveryCode"] in sheet

    def test_the_squares_have_the_code_and_the_state_of_each_space(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        leader.ok("spaces", "create", "Contracts")
        made = leader.ok(*MAKE, tmp_path / "kit.html")
        assert (tmp_path / "kit-sheet.html").read_text().count("<svg") == 1
        states = [space.state for space in service.spaces.values()]
        ends = tuple(
            SpaceEnd("", state.sequence, state.head, state.time, state.space) for state in states
        )
        kit = Kit(service.company, "Acme", made["recoveryCode"], 1, 1, "0" * 32, ends * 4)
        first, second = square_texts(kit)
        assert first.startswith(f"TESSERA-KIT:1:C.{made['recoveryCode']}:S.")
        assert [first.count(":S."), second.count(":S.")] == [5, 3]
        end = ends[0]
        expected = f":S.{end.id.hex}.{end.sequence}.{end.hash.hex()[:32]}".upper()
        assert expected in first

    def test_a_program_without_the_reader_makes_no_kit(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(kit_module, "_READER", tmp_path / "none.html")
        with pytest.raises(ClientError, match="without the recovery kit"):
            kit_module.read_reader()
