"""Servers that speak the providers' protocols, each in its own process."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.fixtures.process import free_port

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".venv" / "emulators" / "bin"
AZURITE = Path(__file__).parent / "emulators/node_modules/azurite/dist/src/blob/main.js"


@contextmanager
def moto() -> Iterator[str]:
    port = free_port()
    with _running([str(PYTHON / "moto_server"), "-H", "127.0.0.1", "-p", str(port)], port) as url:
        yield url


@contextmanager
def azurite(folder: Path, accounts: dict[str, str]) -> Iterator[str]:
    port, node = free_port(), shutil.which("node") or "node"
    command = [node, str(AZURITE), "--inMemoryPersistence", "--blobPort", str(port), "--silent"]
    command += ["--disableTelemetry", "--skipApiVersionCheck"]
    known = ";".join(f"{name}:{key}" for name, key in accounts.items())
    with _running(command, port, folder=folder, AZURITE_ACCOUNTS=known) as url:
        yield url


@contextmanager
def google_storage(bucket: str) -> Iterator[str]:
    port = free_port()
    command = [str(PYTHON / "gcp-storage-emulator"), "start", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--in-memory", "--quiet", "--default-bucket", bucket]
    with _running(command, port) as url:
        yield url


@contextmanager
def _running(
    command: list[str], port: int, *, folder: Path | None = None, **environment: str
) -> Iterator[str]:
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, process)
        yield url
    finally:
        process.kill()
        process.wait()


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    with httpx.Client(trust_env=False) as http:
        while True:
            try:
                http.get(url)
                return
            except httpx.HTTPError:
                assert process.poll() is None, f"{process.args!r} ended; run make emulators"
                assert time.monotonic() < until, f"{process.args!r} does not answer"
                time.sleep(0.1)
