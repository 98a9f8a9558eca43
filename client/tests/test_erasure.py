"""What a computer forgets when the service says that it was removed, and what it never forgets."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from client.tests.conftest import Computer
from client.tests.service import ORIGIN, Problem, Service
from tessera_client.commands.ending import ending_when_locked
from tessera_client.drive.first_blocks import SCHEMA
from tessera_client.errors import ComputerRemoved
from tessera_client.vault import erasure
from tessera_client.vault.erasure import find_removal
from tessera_client.vault.profile import Secrets, StateFolder
from tessera_client.vault.vault import open_vault

LOGIN = ("login", ORIGIN, "--email", "leader@tessera.test", "--code", "123456")


@pytest.fixture(autouse=True)
def notified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts = list[str]()
    monkeypatch.setattr(erasure, "notify", texts.append)
    return texts


def state_of(computer: Computer) -> StateFolder:
    return StateFolder(computer.folder, use_keyring=False)


def own_folder(computer: Computer) -> Path:
    state = state_of(computer)
    return state.user_folder(state.load_profile().user)


def _keys(state: StateFolder) -> tuple[bytes | None, bytes | None]:
    secrets = state.load_secrets()
    return secrets.user_key, secrets.private_keys


def end_session(service: Service) -> None:
    service.ended.add(service.leader.token)


class TestRemoval:
    def test_keys_cache_and_index_go_with_the_next_call(
        self, service: Service, leader: Computer, notified: list[str]
    ) -> None:
        leader.ok("ls", "Designs:/")
        own = own_folder(leader)
        cache = own / "drive" / "cache"
        cache.mkdir(parents=True)
        (cache / "00").write_bytes(b"sealed")
        pins = (own / "pins.json").read_bytes()
        end_session(service)
        exit_code, answer = leader.run("ls", "Designs:/")
        assert (exit_code, answer["error"]) == (3, "computer_removed")
        state = state_of(leader)
        assert state.load_secrets() == Secrets()
        assert not cache.exists()
        assert not list(own.glob("index.sqlite*"))
        assert (own / "pins.json").read_bytes() == pins, (
            "no answer makes it forget what it has seen"
        )
        assert len(notified) == 1
        assert leader.run("ls", "Designs:/")[1]["error"] == "not_logged_in"

    def test_session_that_expired_takes_nothing(self, service: Service, leader: Computer) -> None:
        leader.ok("ls", "Designs:/")
        state = state_of(leader)
        state.save_secrets(Secrets("expired", *_keys(state)))
        assert leader.run("ls", "Designs:/")[1]["error"] == "not_logged_in"
        assert state.load_secrets().user_key
        assert (own_folder(leader) / "index.sqlite").exists()

    @pytest.mark.parametrize(
        ("status", "code"), [(403, "session_ended"), (500, "session_ended"), (401, "x")]
    )
    def test_other_answers_do_not_count(
        self, service: Service, leader: Computer, monkeypatch: pytest.MonkeyPatch,
        status: int, code: str,
    ) -> None:  # fmt: skip
        leader.ok("ls", "Designs:/")

        def refuse(*_: object) -> None:
            raise Problem(status, code)

        monkeypatch.setattr(service, "_dispatch", refuse)
        assert leader.run("ls", "Designs:/")[0] != 0
        assert state_of(leader).load_secrets().user_key

    def test_answer_about_an_earlier_login_does_not_end_the_present_one(
        self, service: Service, leader: Computer
    ) -> None:
        state = state_of(leader)
        with open_vault(state) as vault:
            _ = vault.account.keys
            end_session(service)
            state.save_secrets(Secrets("a later login", *_keys(state)))
            with pytest.raises(ComputerRemoved):
                vault.spaces()
        assert state.load_secrets().token == "a later login"

    def test_own_logout_is_no_removal(self, service: Service, leader: Computer) -> None:
        state = state_of(leader)
        with open_vault(state) as vault:
            _ = vault.account.keys
            leader.ok("logout")
            end_session(service)
            with pytest.raises(ComputerRemoved):
                vault.spaces()
        assert find_removal(state, state.load_profile().user) is None
        assert (own_folder(leader) / "index.sqlite").exists()


class TestLie:
    """A service that pretends a removal must not destroy the only copy of somebody's work."""

    def test_login_after_it_says_what_is_still_here(
        self, service: Service, leader: Computer
    ) -> None:
        leader.ok("ls", "Designs:/")
        staging = own_folder(leader) / "drive" / "space" / "staging"
        staging.mkdir(parents=True)
        (staging / "00").write_bytes(b"sealed")
        with closing(sqlite3.connect(staging.parent / "journal.sqlite")) as database, database:
            database.executescript(SCHEMA)
            database.executemany("INSERT INTO first_blocks VALUES (?, '')", [("00",), ("01",)])
        end_session(service)
        leader.run("ls", "Designs:/")
        (problem,) = leader.ok("service", "status")["problems"]
        assert "2 files that were not sent" in problem
        service.ended.clear()
        exit_code, said, _ = leader.say(*LOGIN)
        assert exit_code == 0
        assert "2 files that were not sent are still here" in said
        assert leader.ok("service", "status")["problems"] == []


class TestEnding:
    def test_lock_logout_and_removal_end_what_runs(
        self, service: Service, leader: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera_client.commands.ending.LOOK_SECONDS", 0.01)
        state = state_of(leader)
        for command in (("lock",), ("ls", "Designs:/"), ("logout",)):
            service.ended.clear()
            service.sign_in(leader.folder, service.leader)
            leader.ok("ls", "Designs:/")
            if command[0] == "ls":
                end_session(service)
            ended = Event()
            with ending_when_locked(state, ended.set):
                leader.run(*command)
                assert ended.wait(20)

    def test_new_login_ends_nothing(
        self, service: Service, leader: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera_client.commands.ending.LOOK_SECONDS", 0.01)
        ended = Event()
        with ending_when_locked(state_of(leader), ended.set):
            leader.ok(*LOGIN)
            leader.ok("ls", "Designs:/")
        assert not ended.is_set()
