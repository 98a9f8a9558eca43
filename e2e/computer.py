"""A computer with the client on it, for tests that run commands."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from typer.testing import CliRunner

from accounts import PASSPHRASE, PASSWORD, Account
from server import Server
from tessera_client.cli import app


@dataclass(frozen=True)
class Answer:
    exit_code: int
    data: dict[str, Any]
    errors: str


@dataclass
class Computer:
    """Runs `tess` with its own state folder: in this process, or as a `program`."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    program: tuple[str, ...] = ()

    def run(self, *arguments: str | Path, **environment: str) -> Answer:
        words = [*map(str, arguments), "--json"]
        run = self._run_program if self.program else _run_here
        exit_code, output, errors = run(words, self._variables(environment))
        lines = output.splitlines()
        assert len(lines) <= 1, output
        return Answer(exit_code, json.loads(lines[0]) if lines else {}, errors)

    def kill_when(self, reached: Callable[[], bool], *arguments: str | Path) -> None:
        """Starts the program and kills it at a moment; it may have ended before."""
        command = [*self.program, *map(str, arguments), "--json"]
        with subprocess.Popen(
            command,
            env=_plain(self._variables({})),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            while not reached() and process.poll() is None:
                time.sleep(0.001)
            process.kill()

    @contextmanager
    def started(self, *command: str) -> Iterator[subprocess.Popen[str]]:
        """Runs a program that somebody watches."""
        with subprocess.Popen(
            command,
            env=_plain(self._variables({})),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def _variables(self, environment: dict[str, str]) -> dict[str, str]:
        return {
            "TESSERA_CLIENT_DIR": str(self.folder),
            "TESS_NO_KEYRING": "1",
            "TESS_PASSWORD": PASSWORD,
            "TESS_PASSPHRASE": PASSPHRASE,
            **self.environment,
            **environment,
        }

    def _run_program(self, words: list[str], variables: dict[str, str]) -> tuple[int, str, str]:
        done = subprocess.run(
            [*self.program, *words],
            env=_plain(variables),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def ok(self, *arguments: str | Path, **environment: str) -> dict[str, Any]:
        answer = self.run(*arguments, **environment)
        assert answer.exit_code == 0, (answer.data, answer.errors)
        return answer.data

    def login(self, server: Server, account: Account) -> dict[str, Any]:
        command = ("login", server.address, "--email", account.email, "--device", "Laptop")
        return self.with_code(server, account, *command)

    def with_code(self, server: Server, account: Account, *command: str | Path) -> dict[str, Any]:
        """Both steps: the first exits with 3 after a code was sent, the second enters it."""
        before = len(_codes(server, account))
        asked = self.run(*command)
        assert (asked.exit_code, asked.data["error"]) == (3, "code_required"), asked
        deadline = time.monotonic() + 30
        while len(codes := _codes(server, account)) == before:
            assert time.monotonic() < deadline, "no code arrived"
            time.sleep(0.05)
        return self.ok(*command, "--code", codes[0])


def _plain(variables: dict[str, str]) -> dict[str, str]:
    """Nothing of this process's environment is inherited but the search path."""
    return {"PATH": os.environ["PATH"], **variables}


def _run_here(words: list[str], variables: dict[str, str]) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, words, env=variables)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def _codes(server: Server, account: Account) -> list[str]:
    """The codes that were sent to the account's phone, newest first."""
    address = f"{server.address}/api/sandbox/outbox"
    messages = httpx.get(address, params={"to": account.phone}).json()
    return [message["code"] for message in messages if message["code"]]
