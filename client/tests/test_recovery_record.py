"""The service swaps, withholds or rolls back the company's recovery pair."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from client.tests.conftest import Computer
from client.tests.service import _HANDLERS, _SPACE, PASSPHRASE, Person, Problem, Service
from tessera_client.vault.kit import Kit, SpaceEnd
from tessera_client.vault.kit_sheet import kit_text
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.handovers import seal_recovery_handover
from tessera_core.recovery import code_from_text, seal_recovery
from tessera_core.recovery_records import RecoveryRecord, sign_record
from tessera_core.user_keys import PrivateKeys, PublicKeys


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("note")
    return path


def forged_record(service: Service, *, keys: PrivateKeys | None = None) -> str:
    """A record of a pair that the service knows, in the leader's name."""
    record = sign_record(
        PrivateKeys.generate(),
        keys or PrivateKeys.generate(),
        company=service.company,
        leader=service.leader.uuid,
        time=int(time.time() * 1000),
    )
    return base64url.encode(record.encode())


def keys_of(computer: Computer) -> PrivateKeys:
    stored = StateFolder(computer.folder, use_keyring=False).load_secrets().private_keys
    assert stored is not None
    return PrivateKeys.decode(stored)


def pair_of(computer: Computer) -> PrivateKeys:
    pairs = StateFolder(computer.folder, use_keyring=False).load_secrets().recovery_pairs
    return PrivateKeys.decode(pairs[-1])


class TestSwappedPair:
    def test_the_leader_makes_no_space_for_a_pair_of_the_services(
        self, service: Service, leader: Computer
    ) -> None:
        service.records = [forged_record(service)]
        spaces = len(service.spaces)
        exit_code, answer = leader.run("spaces", "create", "Secret")
        assert (exit_code, answer["error"]) == (5, "record_refused")
        assert len(service.spaces) == spaces

    @pytest.mark.parametrize("command", [("put", "note"), ("recovery-kit",), ("status",)])
    def test_swapped_recovery_pair_stops_every_command(
        self, service: Service, leader: Computer, note: Path, tmp_path: Path, command: tuple[str]
    ) -> None:
        service.records = [forged_record(service)]
        arguments: dict[str, tuple[str | Path, ...]] = {
            "put": ("put", note, "Designs:/"),
            "recovery-kit": ("recovery-kit", "--to", tmp_path / "kit.html", "--code", "123456"),
            "status": ("status",),
        }
        exit_code, answer = leader.run(*arguments[command[0]])
        assert (exit_code, answer["error"]) == (5, "record_refused")
        assert not (tmp_path / "kit.html").exists()

    def test_a_new_device_of_the_leader_notices_by_its_own_keys(
        self, service: Service, leader: Computer, new_computer: Callable[[str, Person], Computer]
    ) -> None:
        """Even if the service has kept the envelope of before the first pair."""
        service.records = [forged_record(service)]
        second = new_computer("second", service.leader)
        assert second.run("spaces", "create", "Secret")[0] == 5

    def test_a_member_takes_no_record_that_the_leader_did_not_sign(
        self, service: Service, member: Computer, note: Path
    ) -> None:
        """The member has not written yet, so that no record is pinned."""
        service.records = [forged_record(service)]
        exit_code, answer = member.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (3, "record_not_trusted")

    @pytest.mark.parametrize("by", ["leader", "member"])
    def test_missing_record_is_refused_where_there_was_one(
        self, service: Service, leader: Computer, member: Computer, note: Path, by: str
    ) -> None:
        computer = {"leader": leader, "member": member}[by]
        computer.ok("put", note, f"Designs:/{by}/")
        service.records = []
        exit_code, answer = computer.run("put", note, "Designs:/again/")
        assert (exit_code, answer["error"]) == (5, "record_refused")

    def test_missing_record_is_refused_where_there_are_spaces(
        self, service: Service, leader: Computer, new_computer: Callable[[str, Person], Computer]
    ) -> None:
        """A fresh leader's device must not make a second pair."""
        service.records, service.leader.keys = [], None
        fresh = new_computer("fresh", service.leader)
        assert fresh.run("spaces", "create", "Secret")[1]["error"] == "record_refused"
        assert service.records == []

    def test_former_record_is_refused(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        former = [*service.records]
        leader.ok("device-lost")
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        member.ok("put", note, "Designs:/")
        service.records = former
        exit_code, answer = member.run("put", note, "Designs:/again/")
        assert (exit_code, answer["error"]) == (5, "record_refused")

    def test_other_record_with_the_same_counter_is_refused(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        """Even one that the leader's stolen keys have signed."""
        service.records = [forged_record(service, keys=keys_of(leader))]
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (5, "record_refused")

    @pytest.mark.parametrize("record", ["", "AAAA"])
    def test_rubbish_instead_of_a_record_is_refused(
        self, service: Service, leader: Computer, note: Path, record: str
    ) -> None:
        service.records = [record]
        exit_code, answer = leader.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (5, "record_refused")

    def test_a_successor_that_the_leader_did_not_sign_is_shown(
        self, service: Service, leader: Computer
    ) -> None:
        """Whoever held the pair once can name another one in the leader's name."""
        record = sign_record(
            PrivateKeys.generate(), PrivateKeys.generate(), company=service.company,
            leader=service.leader.uuid, time=int(time.time() * 1000),
            before=RecoveryRecord.decode(base64url.decode(service.records[-1])),
            pair_before=pair_of(leader),
        )  # fmt: skip
        service.records = [*service.records, base64url.encode(record.encode())]
        status = leader.ok("status")
        assert status["record"] is None
        assert any("does not hold" in line for line in status["warnings"]), status["warnings"]


class TestReplacement:
    """Whoever held the private half holds it for ever."""

    def test_a_lost_device_of_the_leader_replaces_the_pair_everywhere(
        self, service: Service, leader: Computer, note: Path
    ) -> None:
        leader.ok("spaces", "create", "Another")
        former = pair_of(leader)
        leader.ok("device-lost")
        assert len(service.records) == 2
        newest = RecoveryRecord.decode(base64url.decode(service.records[-1]))
        assert newest.keys != former.public
        for log in service.spaces.values():
            assert log.state.recovery_keys == newest.keys
            assert former.public.sign in log.state.removed_keys
            assert (log.state.generation, log.state.awaiting_generation) == (2, False)
        leader.ok("put", note, "Designs:/")

    def test_the_kit_of_the_former_pair_is_said_to_be_outdated(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        kit = ("recovery-kit", "--code", "123456", "--confirmed", "--to")
        leader.ok(*kit, tmp_path / "kit.html")
        assert leader.ok("status")["warnings"] == []
        leader.ok("device-lost")
        (warning,) = leader.ok("status")["warnings"]
        assert "former recovery pair" in warning
        leader.ok(*kit, tmp_path / "new.html")
        assert leader.ok("status")["warnings"] == []

    def test_a_space_of_the_former_pair_is_read_only_until_it_has_the_new_one(
        self, service: Service, leader: Computer, member: Computer, note: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        member.ok("put", note, "Designs:/before/")

        def fail(*_: object) -> None:
            raise Problem(503, "unavailable")

        with monkeypatch.context() as patched:
            patched.setitem(_HANDLERS, f"POST {_SPACE}/log", fail)
            assert leader.run("device-lost")[0] == 1
        assert len(service.records) == 2
        member.ok("ls", "Designs:/")
        exit_code, answer = member.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (3, "record_not_trusted")
        leader.ok("device-lost")
        assert len(service.records) == 2, "the same command finishes what was interrupted"
        member.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
        member.ok("put", note, "Designs:/")

    def test_a_change_of_leadership_replaces_the_pair(
        self, service: Service, leader: Computer, member: Computer, note: Path
    ) -> None:
        service.leader.is_leader, service.member.is_leader = False, True
        words = member.ok("words")["words"]
        leader.ok("handover", service.member.email, "--words", words)
        former = pair_of(leader)
        member.ok("recover")
        newest = RecoveryRecord.decode(base64url.decode(service.records[-1]))
        assert (newest.counter, newest.leader) == (2, service.member.uuid)
        assert newest.keys != former.public
        member.ok("put", note, "Designs:/")
        member.ok("spaces", "create", "Mine")
        leader.ok("put", note, "Designs:/former/")
        member.ok("revoke", service.leader.email, "Designs")

    def test_an_interrupted_change_of_leadership_is_finished_by_the_same_command(
        self, service: Service, leader: Computer, member: Computer, note: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        """The service has dropped the handover with the new record, and nobody has a kit."""
        service.leader.is_leader, service.member.is_leader = False, True
        leader.ok("handover", service.member.email, "--words", member.ok("words")["words"])

        def fail(*_: object) -> None:
            raise Problem(503, "unavailable")

        with monkeypatch.context() as patched:
            patched.setitem(_HANDLERS, f"POST {_SPACE}/log", fail)
            assert member.run("recover")[0] == 1
        exit_code, answer = member.run("put", note, "Designs:/")
        assert (exit_code, answer["error"]) == (3, "recovery_outdated")
        assert member.ok("recover")["spaces"] == ["Designs"]
        assert len(service.records) == 2
        member.ok("put", note, "Designs:/")

    def test_a_handover_that_the_leader_did_not_sign_is_refused(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        """Anybody can seal a pair to the new leader's public keys."""
        service.leader.is_leader, service.member.is_leader = False, True
        assert service.member.keys is not None
        forged = seal_recovery_handover(
            PrivateKeys.generate(),
            PublicKeys.decode(base64url.decode(service.member.keys["publicKeys"])),
            PrivateKeys.generate(),
            company=service.company,
            sender=service.leader.uuid,
            recipient=service.member.uuid,
            counter=1,
        )
        service.handover = {"handover": base64url.encode(forged.encode())}
        exit_code, answer = member.run("recover")
        assert (exit_code, answer["error"]) == (5, "handover_refused")


class TestKit:
    def test_what_is_stored_is_opened_before_the_kit_is_written(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        """The service stores something else than it was given."""

        def swap(name: str, answer: Any) -> Any:
            if name == "GET /storage/recovery" and service.kits:
                wrong = seal_recovery(
                    PrivateKeys.generate(), PASSPHRASE, bytes(16),
                    company=service.company, counter=1, record=1,
                )  # fmt: skip
                return {**answer, "sealed": base64url.encode(wrong.encode())}
            return answer

        service.on_call = swap
        target = tmp_path / "kit.html"
        exit_code, answer = leader.run("recovery-kit", "--to", target, "--code", "123456")
        assert (exit_code, answer["error"]) == (1, "recovery_not_opened")
        assert not target.exists()

    def test_a_folder_that_does_not_exist_is_noticed_first(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        target = tmp_path / "no" / "kit.html"
        exit_code, answer = leader.run("recovery-kit", "--to", target, "--code", "123456")
        assert (exit_code, answer["error"]) == (2, "no_such_folder")
        assert service.kits == []

    def test_a_passphrase_of_the_services_is_not_used(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        target = tmp_path / "kit.html"
        exit_code, answer = leader.run(
            "recovery-kit", "--to", target, "--code", "123456", TESS_PASSPHRASE=""
        )
        assert (exit_code, answer["error"]) == (3, "secret_required")
        exit_code, answer = leader.run(
            "recovery-kit", "--to", target, "--code", "123456", TESS_PASSPHRASE="another one"
        )
        assert (exit_code, answer["error"]) == (2, "other_passphrase")

    def test_the_sheet_says_where_each_space_ended(
        self, service: Service, leader: Computer, note: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", note, "Designs:/")
        kit = leader.ok("recovery-kit", "--to", tmp_path / "kit.html", "--code", "123456")
        state = next(iter(service.spaces.values())).state
        sheet = (tmp_path / "kit-sheet.html").read_text()
        assert f"entry {state.sequence} of" in sheet
        assert state.head.hex()[:32] in sheet
        record = RecoveryRecord.decode(base64url.decode(service.records[0]))
        assert record.keys.fingerprint.hex()[:32] in sheet
        assert code_from_text(kit["recoveryCode"])

    def test_an_entry_of_a_time_that_no_calendar_has_stops_no_sheet(self) -> None:
        """The kit would be stored by then, and its code lost."""
        end = SpaceEnd("Designs", 7, bytes(32), 2**64 - 1, UUID(int=2))
        kit = Kit(UUID(int=1), "Acme", "ABCD", 1, 1, "0" * 32, (end,))
        assert "entry 7 of ?" in kit_text(kit)
