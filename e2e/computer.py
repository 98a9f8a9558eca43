"""A computer with the client on it, for tests that run commands."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from typer.testing import CliRunner

from accounts import PASSWORD, Account
from server import Server
from tessera_client.cli import app


@dataclass(frozen=True)
class Answer:
    exit_code: int
    data: dict[str, Any]
    errors: str


@dataclass
class Computer:
    """Runs `tess` in this process, with its own state folder."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str | Path, **environment: str) -> Answer:
        runner = CliRunner()
        result = runner.invoke(
            app,
            [*map(str, arguments), "--json"],
            env={
                "TESSERA_CLIENT_DIR": str(self.folder),
                "TESS_NO_KEYRING": "1",
                "TESS_PASSWORD": PASSWORD,
                **self.environment,
                **environment,
            },
        )
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        lines = result.stdout.splitlines()
        assert len(lines) <= 1, result.stdout
        return Answer(result.exit_code, json.loads(lines[0]) if lines else {}, result.stderr)

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


def _codes(server: Server, account: Account) -> list[str]:
    """The codes that were sent to the account's phone, newest first."""
    address = f"{server.address}/api/sandbox/outbox"
    messages = httpx.get(address, params={"to": account.phone}).json()
    return [message["code"] for message in messages if message["code"]]
