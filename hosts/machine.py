"""A machine that runs the service with several processes."""

import asyncio
import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from hosts.network import Namespace

PROCESSES = 2
PORT = 8000
TESSERA = Path(__file__).parents[1] / ".venv" / "bin" / "tessera"
# Of Debian's package faketime, which preloads it.
FAKE_TIME = "/usr/lib/*/faketime/libfaketimeMT.so.1"
START_SECONDS = 120.0


@dataclass
class Machine:
    namespace: Namespace
    folder: Path
    """Of its own, but for the clouds."""
    environment: dict[str, str] = field(repr=False)
    log: Path
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def name(self) -> str:
        return f"machine {self.namespace.number}"

    @property
    def address(self) -> str:
        return f"{self.namespace.address}:{PORT}"

    async def start(self, clock: int = 0) -> None:
        """`clock` is by how many seconds it is wrong."""
        await asyncio.to_thread(self._start, clock)
        await self.wait_until_ready()

    def _start(self, clock: int) -> None:
        environment = dict(self.environment)
        if clock:
            library = next(Path("/").glob(FAKE_TIME.removeprefix("/")))
            wrong = {"LD_PRELOAD": str(library), "FAKETIME": f"{clock:+d}s"}
            environment |= {**wrong, "DONT_FAKE_MONOTONIC": "1"}
        host = self.namespace.address
        command = [str(TESSERA), "serve", "--host", host, "--port", str(PORT)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.namespace.command(*command),
                env=environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def wait_until_ready(self) -> None:
        async with asyncio.timeout(START_SECONDS), httpx.AsyncClient(trust_env=False) as http:
            while not await self._is_ready(http):
                assert self.process is not None
                assert self.process.poll() is None, self.log.read_text()[-4_000:]
                await asyncio.sleep(0.2)

    async def _is_ready(self, http: httpx.AsyncClient) -> bool:
        try:
            answer = await http.get(f"http://{self.address}/readyz", timeout=3)
        except httpx.TransportError:
            return False
        return answer.status_code == 200

    async def stop(self) -> int:
        """As an operator does. Returns its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self.process.wait, 60)

    def kill(self) -> None:
        """All its processes at once, as when the power fails."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
