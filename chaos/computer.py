"""A computer on which a person uses `tess`. Some runs of the program are killed."""

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chaos.person import Person, Unanswered
from tests.fixtures.process import OtherVersion

PASSWORD = "three-Tiles-of-2026"
TIMEOUT_SECONDS = 180.0
KILLED_SHARE = 0.2
# By an exit code of the program's contract.
DONE, REFUSED = 0, 5


class ProgramError(Exception):
    """The program crashed, or reported a defect or an attack where there was none."""


@dataclass
class Computer:
    person: Person
    address: str
    email: str
    phone: str
    folder: Path
    # Of the company; only its leader knows it.
    passphrase: str = ""
    # The client of another version, which runs instead of this one's.
    version: OtherVersion | None = None
    # Only while faults are injected.
    may_be_killed: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    # Errors and notices of each run that had any.
    said: list[str] = field(default_factory=list)

    async def log_in(self) -> None:
        await self.with_code("login", self.address, "--email", self.email, "--device", "Laptop")

    async def run(
        self, *arguments: str | Path, accepted: frozenset[str] = frozenset()
    ) -> dict[str, Any]:
        """Repeats the command until it succeeds. `accepted` are error codes which say that an
        earlier, interrupted run has done it."""
        give_up = time.monotonic() + TIMEOUT_SECONDS
        is_repeated = False
        while self.person.deployment.may_retry(give_up):
            exit_code, answer = await self._try(*arguments)
            if exit_code == DONE or (is_repeated and answer.get("error") in accepted):
                return answer
            is_repeated = True
            await asyncio.sleep(self.person.dice.uniform(0.2, 1.5))
        raise Unanswered(f"tess {arguments[0]}")

    async def with_code(
        self, *arguments: str | Path, accepted: frozenset[str] = frozenset()
    ) -> dict[str, Any]:
        """Runs a command that asks for a code by SMS."""
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while self.person.deployment.may_retry(give_up):
            known = await self.person.sent(self.phone)
            exit_code, answer = await self._try(*arguments)
            if answer.get("error") == "code_required":
                code = await self.person.newly_sent(self.phone, "", known)
                exit_code, answer = await self._try(*arguments, "--code", code)
            if exit_code == DONE or answer.get("error") in accepted:
                return answer
            await asyncio.sleep(self.person.dice.uniform(0.2, 1.5))
        raise Unanswered(f"tess {arguments[0]}")

    async def _try(self, *arguments: str | Path) -> tuple[int | None, dict[str, Any]]:
        """Returns no exit code if the program was killed."""
        dice = self.person.dice
        is_killed = self.may_be_killed and dice.random() < KILLED_SHARE
        python = self.version.python if self.version else sys.executable
        process = await asyncio.create_subprocess_exec(
            *(python, "-m", "tessera_client", *map(str, arguments), "--json"),
            env=self._environment(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        self.counts["runs of tess"] += 1
        begun = time.monotonic()
        try:
            output, errors = await asyncio.wait_for(
                process.communicate(), dice.uniform(0.3, 4) if is_killed else TIMEOUT_SECONDS
            )
        except TimeoutError:
            # It may have ended at this moment.
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            self.counts["runs of tess killed"] += 1
            self._log(arguments, begun, "killed")
            return None, {}
        if not output.strip() or process.returncode == REFUSED:
            command = " ".join(map(str, arguments))
            text = (output + errors).decode(errors="replace")[-2_000:]
            raise ProgramError(f"tess {command} ended with {process.returncode}: {text}")
        answer = json.loads(output)
        if errors.strip():
            self.said.append(errors.decode().strip())
        self._log(arguments, begun, f"{process.returncode} {answer.get('error', '')}")
        return process.returncode, answer

    def _log(self, arguments: Sequence[str | Path], begun: float, end: str) -> None:
        """For whoever looks into a finding; the folder of such a run is kept."""
        with (self.folder / "tess.log").open("a") as log:
            now, seconds = datetime.now(UTC), time.monotonic() - begun
            log.write(f"{now:%H:%M:%S} {seconds:.1f} s {' '.join(map(str, arguments))}: {end}\n")

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        return {
            **kept,
            **(self.version.environment if self.version else {}),
            "HOME": str(self.folder),
            "TESSERA_CLIENT_DIR": str(self.folder / "state"),
            "TESS_NO_KEYRING": "1",
            "TESS_PASSWORD": PASSWORD,
            "TESS_PASSPHRASE": self.passphrase,
        }
