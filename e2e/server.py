"""Runs the real server as a process, on a PostgreSQL that belongs to the test process."""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx

from client.delivery.signing import sandbox_key, sign_folder
from event_loop import EventLoopThread
from factory import Factory
from tessera.kit.embedded_postgres import EmbeddedPostgres, ensure_roles_and_database
from tessera.settings import Settings
from tessera_core.version import __version__
from tests.fixtures.process import free_port

START_SECONDS = 180
# PYTHONPATH: a second checkout can share the environment of the first.
_INHERITED = ("PATH", "HOME", "PYTHONPATH")


@dataclass(frozen=True)
class Server:
    address: str
    log: Path
    factory: Factory
    database: str
    """The superuser's address."""


@contextmanager
def running_server(**changes: object) -> Iterator[Server]:
    """Starts the server in sandbox mode, with the demo data. `changes` are settings."""
    folder = Path(tempfile.mkdtemp(prefix="tessera-e2e-"))
    folder.chmod(0o755)
    loop = EventLoopThread()
    postgres = EmbeddedPostgres(folder)
    try:
        settings = _settings(folder, postgres, free_port(), changes)
        if "releases_dir" not in changes:
            _publish_client(folder / "dist" / "client")
        loop.run(_prepare(postgres))
        with _process(folder, settings) as log:
            factory = loop.run(Factory.open(loop, settings))
            try:
                superuser = postgres.urls().superuser
                yield Server(settings.public_url, log, factory, superuser)
            finally:
                loop.run(factory.close())
    finally:
        postgres.stop()
        loop.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _settings(
    folder: Path, postgres: EmbeddedPostgres, port: int, changes: dict[str, object]
) -> Settings:
    urls = postgres.urls()
    values: dict[str, object] = {
        "data_dir": folder,
        "database_url": urls.app,
        "database_owner_url": urls.owner,
        "database_platform_url": urls.platform,
        "platform_key": b64encode(secrets.token_bytes(32)).decode(),
        "public_url": f"http://127.0.0.1:{port}",
        "code_resend_seconds": 2,
        "limits": "sms_per_origin=1000",
        **changes,
    }
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


def _publish_client(folder: Path) -> None:
    """Files for the download page; only test_walk.py runs the client from a file."""
    folder.mkdir(parents=True)
    archives = ("linux-x64.pyz", "macos-arm64.pyz", "macos-x64.pyz", "windows-x64.pyz")
    installers = ("linux-x64.deb", "macos-arm64.pkg", "windows-x64-setup.exe")
    for name in (*archives, *installers, "linux-x64"):
        (folder / f"tess-{__version__}-{name}").write_bytes(secrets.token_bytes(1_000_000))
    sign_folder(folder, sandbox_key())


async def _prepare(postgres: EmbeddedPostgres) -> None:
    """Creates roles and database; durability is off, since test data need not survive a crash."""
    superuser = postgres.url("postgres", "postgres")
    connection = await asyncpg.connect(superuser)
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        await connection.execute(f"ALTER SYSTEM SET {setting} = off")
    await connection.execute("SELECT pg_reload_conf()")
    await connection.close()
    await ensure_roles_and_database(superuser, "tessera")


@contextmanager
def _process(folder: Path, settings: Settings) -> Iterator[Path]:
    port = settings.public_url.rpartition(":")[2]
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tessera.cli", "serve", "--port", port],
            env=_environment(settings),
            cwd=folder,
            stdout=output,
            stderr=output,
        )
    try:
        _wait_until_ready(process, settings.public_url, log)
        yield log
    finally:
        # No data is kept, so there is no need for a graceful shutdown.
        process.kill()
        process.wait()


def _environment(settings: Settings) -> dict[str, str]:
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    for name in settings.model_fields_set:
        value = getattr(settings, name)
        secret = getattr(value, "get_secret_value", None)
        if isinstance(value, dict):
            value = [f"{key}={number}" for key, number in value.items()]
        text = ",".join(map(str, value)) if isinstance(value, list) else value
        environment[f"TESSERA_{name.upper()}"] = str(secret() if secret else text)
    return environment


def _wait_until_ready(process: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{address}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    raise AssertionError(f"the server did not start:\n{log.read_text()}")
