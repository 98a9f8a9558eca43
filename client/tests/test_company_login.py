"""Logging in with a company account: the browser's part, and who would like to play it."""

import hashlib
import socket
import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import ORIGIN, Person, Service
from tessera_client.vault.loopback import Loopback
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.kdf import derive, salt_to_text

PASSWORD = "mosaic-Tile-2026"
CODE = "C" * 43
HANDLE = f"2-{'H' * 43}"


class Company:
    """The service's part, as `backend/tests/identity/test_sso_client.py` tests it."""

    def __init__(self, service: Service, person: Person) -> None:
        self._service = service
        self.person = person
        self.started: list[dict[str, Any]] = []
        self.finished: list[dict[str, Any]] = []
        self.answer: dict[str, Any] = {
            "handle": HANDLE, "deviceCode": "BCDF-GHJK", "expiresIn": 20, "interval": 1,
        }  # fmt: skip
        self.waits = 0
        self.refusal = ""
        service.answer_company_login = self._answer

    def _answer(self, path: str, body: dict[str, Any]) -> httpx.Response:
        if path == "":
            self.started.append(body)
            return httpx.Response(200, json=self.answer)
        refusal = self.refusal or ("" if self._is_proved(body) else "sso_login_expired")
        if refusal:
            return httpx.Response(409, json={"code": refusal, "message": "No."})
        if path == "/state":
            return httpx.Response(200, json=self._state())
        self.finished.append(body)
        if body["password"] != derive(PASSWORD, self.person.salt).auth:
            return httpx.Response(401, json={"code": "login_failed", "message": "Wrong."})
        return self._service.open_session(self.person)

    def _state(self) -> dict[str, Any]:
        if self.waits:
            self.waits -= 1
            return {"confirmed": False}
        salt = salt_to_text(self.person.salt)
        return {"confirmed": True, "emailAddress": self.person.email, "salt": salt}

    def _is_proved(self, body: dict[str, Any]) -> bool:
        last = self.started[-1]
        challenge = base64url.encode(hashlib.sha256(body["verifier"].encode()).digest())
        code = CODE if last["redirect"] else None
        return bool(last["challenge"] == challenge and body["code"] == code)


class Browser:
    """Confirms as soon as it is opened, on the same computer."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self.opened: list[str] = []
        self.answers: list[dict[str, str]] = [{"code": CODE}]
        self.statuses: list[int] = []
        self.pages: list[httpx.Response] = []
        self.is_there = True

    def open(self, address: str) -> bool:
        if not self.is_there:
            return False
        self.opened.append(address)
        redirect = self._company.started[-1]["redirect"]
        threading.Thread(target=self._come_back, args=(redirect,)).start()
        return True

    def _come_back(self, redirect: dict[str, Any]) -> None:
        for answer in self.answers:
            query = urlencode({"state": redirect["state"], **answer})
            page = httpx.get(f"http://127.0.0.1:{redirect['port']}/?{query}", trust_env=False)
            self.statuses.append(page.status_code)
            self.pages.append(page)


@pytest.fixture
def company(service: Service) -> Company:
    return Company(service, service.leader)


@pytest.fixture
def browser(company: Company, monkeypatch: pytest.MonkeyPatch) -> Browser:
    made = Browser(company)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", made.open)
    return made


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path / "new")


def login(company: Company, *options: str) -> tuple[str, ...]:
    return ("login", ORIGIN, "--email", company.person.email, "--device", "Laptop", *options)


def test_browser_confirms_and_only_the_password_is_asked_for(
    company: Company, browser: Browser, computer: Computer
) -> None:
    assert computer.ok(*login(company))["keysCreated"]
    [started], [address] = company.started, browser.opened
    parts = urlsplit(address)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{ORIGIN}/login/company"
    assert parse_qs(parts.query) == {"client": [HANDLE], "email": [company.person.email]}
    # What only the program knows is not on the browser's command line.
    verifier = company.finished[0]["verifier"]
    assert verifier not in str(started)
    assert started["redirect"]["state"] not in address
    assert started["client"]["name"] == "Laptop"
    assert PASSWORD not in str(company.started) + str(company.finished)
    [page] = browser.pages
    assert "close this tab" in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    stored = StateFolder(computer.folder, use_keyring=False)
    assert stored.load_profile().email == company.person.email
    assert stored.load_profile().device == "Laptop"
    # From then on the salt is pinned, as with password and code.
    company.person.salt = b"another salt of."
    exit_code, answer = computer.run(*login(company))
    assert (exit_code, answer["error"]) == (3, "salt_changed")


def test_another_user_of_the_computer_cannot_answer_in_the_browsers_place(
    company: Company, browser: Browser, computer: Computer
) -> None:
    browser.answers = [
        {"code": "E" * 43, "state": "made up"},
        {"code": "E" * 43, "state": ""},
        {"error": "access_denied", "state": "é"},
        {"code": CODE},
    ]
    computer.ok(*login(company))
    assert browser.statuses == [404, 404, 404, 200]
    assert company.finished[0]["code"] == CODE


def test_connection_that_says_nothing_holds_nothing_up() -> None:
    with Loopback() as loopback, socket.create_connection(("127.0.0.1", loopback.port)):
        for path in ("/other", "/"):
            url = f"http://127.0.0.1:{loopback.port}{path}"
            query = {"code": CODE, "state": loopback.state}
            httpx.get(url, params=query, trust_env=False)
        assert loopback.wait(5) == CODE
        again = httpx.get(url, params=query, trust_env=False)
        assert again.status_code == 404
        with pytest.raises(TimeoutError):
            loopback.wait(0.1)


def test_code_of_another_login_is_refused(
    company: Company, browser: Browser, computer: Computer
) -> None:
    browser.answers = [{"code": "D" * 43}]
    exit_code, answer = computer.run(*login(company))
    assert (exit_code, answer["error"]) == (3, "company_login_expired")


def test_refusal_in_the_browser_is_said(
    company: Company, browser: Browser, computer: Computer
) -> None:
    browser.answers = [{"error": "access_denied"}]
    exit_code, answer = computer.run(*login(company))
    assert (exit_code, answer["error"]) == (1, "company_login_refused")
    company.refusal = "sso_client_login_refused"
    exit_code, answer = computer.run(*login(company, "--no-browser"))
    assert (exit_code, answer["error"]) == (1, "company_login_refused")


@pytest.mark.parametrize("is_asked", [True, False])
def test_without_a_browser_a_code_is_shown_and_the_state_asked_for(
    company: Company, browser: Browser, computer: Computer, is_asked: bool
) -> None:
    """Also if one does not open."""
    browser.is_there = False
    company.waits = 1
    exit_code, _, shown = computer.say(*login(company, *["--no-browser"] * is_asked))
    assert exit_code == 0, shown
    assert company.started[-1]["redirect"] is None
    assert "BCDF-GHJK" in shown
    assert f"{ORIGIN}/login/company?device=&email=" in shown
    assert HANDLE not in shown
    assert "Never type one that somebody else gave you" in " ".join(shown.split())


def test_waiting_for_a_browser_ends(
    company: Company, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    company.answer |= {"expiresIn": 1}
    company.waits = 10**9
    monkeypatch.setattr("tessera_client.vault.company_login.time.sleep", lambda _: None)
    exit_code, answer = computer.run(*login(company, "--no-browser"))
    assert (exit_code, answer["error"]) == (3, "company_login_expired")


def test_wrong_password_is_said(company: Company, browser: Browser, computer: Computer) -> None:
    exit_code, answer = computer.run(*login(company), TESS_PASSWORD="wrong")
    assert (exit_code, answer["error"]) == (1, "login_failed")


def test_password_and_code_go_on_working(
    company: Company, browser: Browser, computer: Computer
) -> None:
    exit_code, answer = computer.run(*login(company, "--no-sso"))
    assert (exit_code, answer["error"]) == (3, "code_required")
    computer.ok(*login(company, "--code", "123456"))
    assert company.started == []


@pytest.mark.parametrize(
    "changed",
    [
        {"handle": "x&redirect=https://evil.test"}, {"deviceCode": "call 0900"},
        {"expiresIn": 10**9}, {"interval": 0}, {"handle": None},
    ],
)  # fmt: skip
def test_malformed_start_is_refused(
    company: Company, browser: Browser, computer: Computer, changed: dict[str, Any]
) -> None:
    company.answer |= changed
    exit_code, answer = computer.run(*login(company))
    assert (exit_code, answer["error"]) == (1, "service_answer_malformed")
    assert browser.opened == []
