"""The real server as a process of its own, on an empty database with the demo data."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx


@dataclass(frozen=True)
class Server:
    address: str
    log: Path


def free_ports() -> int:
    """A port whose successor is free too: the card form listens there. Both are below those that
    the system gives to outgoing connections, which could take them before the server does."""
    while True:
        port = random.randrange(20_000, 32_000, 2)
        with socket.socket() as first, socket.socket() as second:
            try:
                first.bind(("127.0.0.1", port))
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


@contextmanager
def running_server(**settings: str) -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="tessera-e2e-"))
    folder.chmod(0o755)
    port = free_ports()
    log = folder / "server.log"
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment |= {
        "TESSERA_DATA_DIR": str(folder / "var"),
        "TESSERA_CODE_RESEND_SECONDS": "2",
        "TESSERA_SMS_PER_ORIGIN_PER_DAY": "1000",
        **settings,
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tessera.cli", "serve", "--port", str(port)],
            env=environment,
            cwd=folder,
            stdout=output,
            stderr=output,
        )
    address = f"http://127.0.0.1:{port}"
    for _ in range(2400):
        try:
            if httpx.get(f"{address}/readyz").status_code == 200:
                break
        except httpx.TransportError:
            pass
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    try:
        yield Server(address, log)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)
