import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from client.tests.service import PASSPHRASE, PASSWORD, Person, Service
from client.tests.transport import MemoryTransport
from tessera_client.cli import app
from tessera_client.commands import session
from tessera_client.texts import Language, set_language
from tessera_client.transfer import api, download, links
from tessera_client.ui import session as page_session
from tessera_client.vault import account, guest_requests, guest_shares, kit, vault
from tessera_core import kdf, recovery, words

READER = b"<!doctype html><title>the reader of the recovery kit</title>"


@dataclass(frozen=True)
class Computer:
    """Runs `tess` in this process, with its own state folder."""

    folder: Path

    def run(
        self, *arguments: str | Path, stdin: str | None = None, **environment: str
    ) -> tuple[int, dict[str, Any]]:
        result = CliRunner().invoke(
            app,
            [*map(str, arguments), "--json"],
            env={**self.variables(), **environment},
            input=stdin,
        )
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, json.loads(result.stdout)

    def say(self, *arguments: str | Path) -> tuple[int, str, str]:
        """Runs a command as people do: exit code, stdout and stderr."""
        result = CliRunner().invoke(
            app, [*map(str, arguments)], prog_name="tess", env=self.variables()
        )
        return result.exit_code, result.stdout, result.stderr

    def binary(self, *arguments: str | Path) -> bytes:
        """What a command writes to stdout."""
        invoke = CliRunner().invoke
        result = invoke(app, [*map(str, arguments)], prog_name="tess", env=self.variables())
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout_bytes

    def variables(self) -> dict[str, str]:
        return {
            "TESSERA_CLIENT_DIR": str(self.folder),
            "TESS_NO_KEYRING": "1",
            "TESS_PASSWORD": PASSWORD,
            "TESS_PASSPHRASE": PASSPHRASE,
        }

    def ok(self, *arguments: str | Path) -> dict[str, Any]:
        exit_code, answer = self.run(*arguments)
        assert exit_code == 0, answer
        return answer


@pytest.fixture(scope="session", autouse=True)
def commands_built_once() -> Iterator[None]:
    """Typer would describe all commands anew for each one that runs, which takes as long as it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(get_command))
        yield


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever language the system has, or a test has chosen."""
    monkeypatch.setenv("TESS_LANG", "en")
    yield
    set_language(Language.EN)


@pytest.fixture(autouse=True)
def cheap_argon2(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core's tests and the browser tests use the real one."""
    use_cheap_argon2(monkeypatch)


def use_cheap_argon2(patch: pytest.MonkeyPatch) -> None:
    def stretch(secret: bytes, salt: bytes) -> bytes:
        return hashlib.sha256(salt + secret).digest()

    for module in (kdf, recovery, words):
        patch.setattr(module, "stretch", stretch)


def connect(patch: pytest.MonkeyPatch, transport: MemoryTransport) -> None:
    """Makes every command talk to a service in memory. Nothing waits between attempts."""
    for module in (account, session, page_session, guest_shares, guest_requests):
        patch.setattr(module, "Api", partial(api.Api, transport=transport))
    for module in (vault, guest_shares):
        patch.setattr(module, "Warehouses", partial(links.Warehouses, transport=transport))
    # It is built with the console.
    patch.setattr(kit, "read_reader", lambda: READER)
    patch.setattr(api, "backoff", lambda _: 0)
    patch.setattr(links, "backoff", lambda _: 0)
    patch.setattr(download, "STALL_SECONDS", 0.2)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    made = Service()
    connect(monkeypatch, MemoryTransport(made.answer))
    return made


@pytest.fixture
def new_computer(service: Service, tmp_path: Path) -> Callable[[str, Person], Computer]:
    """A computer on which a person is logged in."""

    def make(name: str, person: Person) -> Computer:
        service.sign_in(tmp_path / name, person)
        return Computer(tmp_path / name)

    return make


@pytest.fixture
def leader(service: Service, new_computer: Callable[[str, Person], Computer]) -> Computer:
    """The leader's computer, with a space called Designs."""
    computer = new_computer("leader", service.leader)
    computer.ok("spaces", "create", "Designs")
    return computer


@pytest.fixture
def member(
    service: Service, leader: Computer, new_computer: Callable[[str, Person], Computer]
) -> Computer:
    """The computer of a member who was granted the space and trusts the leader."""
    computer = new_computer("member", service.member)
    words = computer.ok("words")["words"]
    leader.ok("grant", service.member.email, "Designs", "--words", words)
    computer.ok("trust", service.leader.email, "--words", leader.ok("words")["words"])
    return computer
