"""Logging in and out, locking, and what status shows."""

from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.service import ORIGIN, Service
from tessera_client.vault.profile import StateFolder
from tessera_core.key_envelopes import open_keys


@pytest.fixture
def computer(service: Service, tmp_path: Path) -> Computer:
    return Computer(tmp_path / "new")


def login(service: Service, *options: str) -> tuple[str, ...]:
    return ("login", ORIGIN, "--email", service.leader.email, "--device", "Laptop", *options)


class TestLogin:
    def test_two_steps_make_keys_that_only_the_user_key_opens(
        self, service: Service, computer: Computer
    ) -> None:
        exit_code, answer = computer.run(*login(service))
        assert (exit_code, answer["error"], answer["method"]) == (3, "code_required", "sms")
        assert computer.ok(*login(service, "--code", "123456"))["keysCreated"]
        assert service.leader.keys is not None
        bundle, _ = open_keys(
            service.leader.keys["envelope"],
            user_key=service.leader.user_key,
            uid=str(service.leader.uuid),
            cid=str(service.company),
        )
        stored = StateFolder(computer.folder, use_keyring=False).load_secrets()
        assert stored.private_keys == bundle.keys.encode()

    def test_a_wrong_password_and_a_wrong_code(self, service: Service, computer: Computer) -> None:
        exit_code, answer = computer.run(*login(service), TESS_PASSWORD="wrong")
        assert (exit_code, answer["error"]) == (1, "login_failed")
        exit_code, answer = computer.run(*login(service, "--code", "654321"))
        assert (exit_code, answer["error"]) == (1, "code_wrong")
        exit_code, answer = computer.run(*login(service), TESS_PASSWORD="")
        assert (exit_code, answer["error"]) == (3, "password_required")

    def test_a_changed_salt_needs_a_confirmation(
        self, service: Service, computer: Computer
    ) -> None:
        computer.ok(*login(service, "--code", "123456"))
        service.leader.salt = b"another salt of."
        exit_code, answer = computer.run(*login(service, "--code", "123456"))
        assert (exit_code, answer["error"]) == (3, "salt_changed")
        computer.ok(*login(service, "--code", "123456", "--new-salt"))

    def test_an_unknown_derivation_is_refused(self, service: Service, computer: Computer) -> None:
        service.kdf = 2
        assert computer.run(*login(service))[1]["error"] == "client_too_old"

    def test_an_address_without_tls_is_refused(self, computer: Computer) -> None:
        command = ("login", "http://tessera.example", "--email", "ada@example.com")
        exit_code, answer = computer.run(*command)
        assert (exit_code, answer["error"]) == (2, "bad_address")


class TestLogout:
    def test_removes_token_and_keys_and_keeps_the_pinned_salt(
        self, service: Service, leader: Computer
    ) -> None:
        leader.ok("logout")
        folder = StateFolder(leader.folder, use_keyring=False)
        assert folder.load_secrets().token is None
        assert folder.load_profile().salt
        assert leader.run("status")[0] == 3
        assert service.leader not in service.people


class TestLock:
    def test_the_next_command_needs_the_password(self, leader: Computer) -> None:
        leader.ok("lock")
        secrets = StateFolder(leader.folder, use_keyring=False).load_secrets()
        assert (secrets.user_key, secrets.private_keys) == (None, None)
        exit_code, answer = leader.run("words", TESS_PASSWORD="")
        assert (exit_code, answer["error"]) == (3, "locked")
        exit_code, answer = leader.run("words", TESS_PASSWORD="wrong")
        assert (exit_code, answer["error"]) == (1, "login_failed")
        assert leader.ok("words")["words"]


class TestStatus:
    def test_names_who_waits_and_who_should_be_removed(
        self, service: Service, leader: Computer, member: Computer
    ) -> None:
        third = service.join("third@tessera.test")
        service.sign_in(leader.folder.parent / "third", third)
        Computer(leader.folder.parent / "third").ok("words")
        service.member.is_active = False
        shown = leader.ok("status")
        assert shown["waiting"] == [third.email]
        assert any(service.member.email in warning for warning in shown["warnings"])
        assert any("recovery kit" in warning for warning in shown["warnings"])


def test_a_reached_quota_is_said(service: Service, leader: Computer, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("note")
    service.is_full = True
    exit_code, answer = leader.run("put", tmp_path / "note.txt", "Designs:/")
    assert (exit_code, answer["error"]) == (1, "quota_exceeded")
    service.is_full = False
    leader.ok("put", tmp_path / "note.txt", "Designs:/")
