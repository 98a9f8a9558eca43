"""A service that lies while `tess` logs in with a company account: it learns no password, opens no
key and brings nobody into another account."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import ORIGIN, PASSWORD, Person, Service
from tessera_client.vault.profile import StateFolder
from tessera_core.envelopes import new_key, seal_user_key
from tessera_core.kdf import derive, salt_to_text

HANDLE = f"2-{'H' * 43}"
OTHER_SALT = b"another salt of."


@dataclass
class LyingCompany:
    """Confirms every login at once, whatever the provider says."""

    service: Service
    shown_email: str
    # Whose session and key are handed out, and the salt that is told.
    opened: Person
    salt: bytes
    sealed_user_key: str | None = None
    sent: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def answer(self, path: str, body: dict[str, Any]) -> httpx.Response:
        self.sent.append((path, body))
        if path == "":
            started = {"handle": HANDLE, "deviceCode": "BCDF-GHJK", "expiresIn": 5, "interval": 1}
            return httpx.Response(200, json=started)
        if path == "/state":
            salt = salt_to_text(self.salt)
            return httpx.Response(
                200, json={"confirmed": True, "emailAddress": self.shown_email, "salt": salt}
            )
        session = json.loads(self.service.open_session(self.opened).content)
        if self.sealed_user_key:
            session["sealedUserKey"] = self.sealed_user_key
        return httpx.Response(200, json=session)

    def open_account_of(self, other: Person) -> None:
        """Of somebody with another password."""
        self.opened = other
        self.sealed_user_key = seal_user_key(
            other.user_key,
            wrap_key=derive("another password", other.salt).wrap_key,
            uid=str(other.uuid),
            cid=str(self.service.company),
            salt=other.salt,
        )

    @property
    def has_finished(self) -> bool:
        """Whether it got the secret that is derived from the password."""
        return any(path == "/finish" for path, _ in self.sent)


def lying_company(service: Service, victim: Person) -> LyingCompany:
    company = LyingCompany(service, victim.email, victim, victim.salt)
    service.answer_company_login = company.answer
    return company


def log_in(computer: Computer, victim: Person) -> tuple[int, str]:
    command = ("login", ORIGIN, "--email", victim.email, "--device", "Laptop", "--no-browser")
    exit_code, answer = computer.run(*command)
    return exit_code, answer.get("error", "")


@pytest.fixture
def company(service: Service) -> LyingCompany:
    return lying_company(service, service.leader)


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path / "new")


def test_login_that_somebody_else_confirmed_is_not_finished(
    service: Service, company: LyingCompany, computer: Computer
) -> None:
    """This computer would work for their account."""
    company.shown_email = "attacker@tessera.test"
    assert log_in(computer, service.leader) == (1, "company_login_of_other")
    assert not company.has_finished


def test_session_of_another_account_is_refused(
    service: Service, company: LyingCompany, computer: Computer
) -> None:
    company.open_account_of(service.member)
    assert log_in(computer, service.leader) == (5, "user_key_refused")
    assert not StateFolder(computer.folder, use_keyring=False).has_profile()


def test_key_that_the_service_has_chosen_is_refused(
    service: Service, company: LyingCompany, computer: Computer
) -> None:
    """Sealed with all that the service knows: the secret that it gets."""
    leader = service.leader
    known = derive(derive(PASSWORD, leader.salt).auth, leader.salt)
    company.sealed_user_key = seal_user_key(
        new_key(),
        wrap_key=known.wrap_key,
        uid=str(leader.uuid),
        cid=str(service.company),
        salt=leader.salt,
    )
    assert log_in(computer, leader) == (5, "user_key_refused")
    assert not StateFolder(computer.folder, use_keyring=False).has_profile()


def test_salt_that_changed_is_told_before_anything_is_sent(
    service: Service, company: LyingCompany, leader: Computer
) -> None:
    """With a salt of its choice a service could try passwords that it has derived before."""
    company.salt = OTHER_SALT
    before = StateFolder(leader.folder, use_keyring=False).load_profile()
    assert log_in(leader, service.leader) == (3, "salt_changed")
    assert not company.has_finished
    assert StateFolder(leader.folder, use_keyring=False).load_profile() == before


def test_nothing_that_opens_keys_is_sent(
    service: Service, company: LyingCompany, computer: Computer
) -> None:
    assert log_in(computer, service.leader) == (0, "")
    derived = derive(PASSWORD, service.leader.salt)
    (finished,) = (body for path, body in company.sent if path == "/finish")
    assert finished.keys() == {"handle", "verifier", "code", "password"}
    assert finished["password"] == derived.auth
    sent = str(company.sent)
    for secret in (PASSWORD, str(derived.wrap_key), derived.wrap_key.hex()):
        assert secret not in sent
