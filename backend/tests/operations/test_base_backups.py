"""The samples of deploy/backup, and `tessera backup check`, against an S3 emulator."""

import asyncio
import gzip
import io
import shutil
import tarfile
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest
from typer.testing import CliRunner, Result

from restore_drill.archived_postgres import (
    USER,
    ArchivedPostgres,
    ObjectStorage,
    object_storage,
)
from tessera.cli import app
from tessera.kit.migrations import migrate
from tests.fixtures.database import settings_for
from tests.fixtures.waiting import eventually

pytestmark = [pytest.mark.extended, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="tessera-backups-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
async def primary(folder: Path) -> AsyncIterator[ArchivedPostgres]:
    """With a base backup, and three segments archived since."""
    with object_storage() as storage:
        primary = ArchivedPostgres(folder, storage)
        try:
            await primary.create()
            await migrate(settings_for(primary.urls()))
            await asyncio.to_thread(primary.back_up)
            for _ in range(3):
                await write(primary)
                await primary.archive_all()
            yield primary
        finally:
            primary.kill()


async def write(primary: ArchivedPostgres) -> None:
    connection = await asyncpg.connect(primary.urls().superuser)
    await connection.execute("CREATE TABLE IF NOT EXISTS written (at timestamptz)")
    await connection.execute("INSERT INTO written VALUES (clock_timestamp())")
    await connection.close()


@pytest.fixture
def room(folder: Path, primary: ArchivedPostgres) -> Iterator[Path]:
    room = folder / "room"
    room.mkdir()
    shutil.chown(room, USER or room.owner())
    yield room
    # Every copy was removed.
    room.rmdir()


async def tessera_backup(primary: ArchivedPostgres, *words: str) -> Result:
    environment = {
        **primary.environment,
        "TESSERA_DATABASE_URL": primary.urls().app,
        "TESSERA_DATABASE_PLATFORM_URL": primary.urls().platform,
        "TESSERA_DATABASE_OWNER_URL": primary.urls().owner,
        "TESSERA_LOG_LEVEL": "critical",
    }
    command = ["backup", *words]
    return await asyncio.to_thread(
        CliRunner().invoke, app, command, env=environment, catch_exceptions=False
    )


async def reported(primary: ArchivedPostgres) -> bool:
    connection = await asyncpg.connect(primary.urls().superuser)
    try:
        return bool(await connection.fetchval("SELECT count(*) FROM last_backup"))
    finally:
        await connection.execute("DELETE FROM last_backup")
        await connection.close()


@contextmanager
def changed(storage: ObjectStorage, key: str, content: bytes | None) -> Iterator[None]:
    """The object has other contents meanwhile, or is gone."""
    kept = storage.read(key)
    if content is None:
        storage.delete(key)
    else:
        storage.write(key, content)
    try:
        yield
    finally:
        storage.write(key, kept)


async def test_usable_backup_is_reported(primary: ArchivedPostgres, room: Path) -> None:
    answer = await tessera_backup(primary, "check", str(room))
    assert answer.exit_code == 0, answer.output
    assert "every page has its checksum" in answer.output
    assert await reported(primary)


async def refused(primary: ArchivedPostgres, room: Path) -> str:
    answer = await tessera_backup(primary, "check", str(room))
    assert answer.exit_code == 1, answer.output
    assert not await reported(primary)
    return answer.output


def segment(storage: ObjectStorage) -> str:
    """One of those after the base backup, and not the last one."""
    segments = [key for key in storage.objects("/wals/") if ".backup" not in key]
    return sorted(segments)[-2]


async def test_missing_segment_is_found(primary: ArchivedPostgres, room: Path) -> None:
    with changed(primary.storage, segment(primary.storage), None):
        assert "one in between is missing or damaged" in await refused(primary, room)


async def test_segment_with_another_content_is_found(primary: ArchivedPostgres, room: Path) -> None:
    key = segment(primary.storage)
    log = bytearray(gzip.decompress(primary.storage.read(key)))
    # In the second page's header, which each page repeats.
    log[8192:8224] = bytes(32)
    log[40:72] = bytes(32)
    with changed(primary.storage, key, gzip.compress(log)):
        assert "one in between is missing or damaged" in await refused(primary, room)


def base(storage: ObjectStorage) -> str:
    [key] = storage.objects("data.tar")
    return key


async def test_base_backup_that_ends_too_early_is_found(
    primary: ArchivedPostgres, room: Path
) -> None:
    key = base(primary.storage)
    with changed(primary.storage, key, primary.storage.read(key)[:-5_000]):
        assert "barman-cloud-restore ended with" in await refused(primary, room)


async def test_page_with_a_wrong_checksum_is_found(primary: ArchivedPostgres, room: Path) -> None:
    """In a database that nothing reads when PostgreSQL starts."""
    key = base(primary.storage)
    content = bytearray(gzip.decompress(primary.storage.read(key)))
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        page = next(
            each.offset_data
            for each in tar
            if "base/4/" in each.name and each.size >= 16_384 and each.name[-1].isdigit()
        )
    content[page + 8_000] ^= 1
    with changed(primary.storage, key, gzip.compress(content)):
        assert "pg_checksums ended with 1" in await refused(primary, room)


async def test_backup_that_failed_is_none(primary: ArchivedPostgres, room: Path) -> None:
    [key] = primary.storage.objects("backup.info")
    failed = primary.storage.read(key).replace(b"status=DONE", b"status=FAILED")
    with changed(primary.storage, key, failed):
        assert "There is no complete base backup" in await refused(primary, room)


async def written(connection: "asyncpg.Connection[asyncpg.Record]") -> list[datetime]:
    rows = await connection.fetch("SELECT at FROM written ORDER BY at")
    return [row["at"] for row in rows]


async def test_database_comes_back_as_it_was_at_a_moment(primary: ArchivedPostgres) -> None:
    connection = await asyncpg.connect(primary.urls().superuser)
    await write(primary)
    before = await written(connection)
    await asyncio.sleep(1.1)
    moment = await connection.fetchval("SELECT date_trunc('second', clock_timestamp())")
    await asyncio.sleep(1.1)
    await connection.execute("DELETE FROM written")
    await write(primary)
    await connection.close()
    await primary.archive_all()
    await asyncio.to_thread(primary.lose_disk)
    primary.make_folder()
    until = f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"
    early = await tessera_backup(
        primary, "restore", str(primary.data), "--until", "2026-01-01T00:00:00"
    )
    assert (early.exit_code, early.output) == (
        1, "There is no complete base backup that ended before 2026-01-01 00:00:00 UTC.\n"
    )  # fmt: skip
    answer = await tessera_backup(primary, "restore", str(primary.data), "--until", until)
    assert answer.exit_code == 0, answer.output
    await asyncio.to_thread(primary.start)
    connection = await asyncpg.connect(primary.urls().superuser)
    promoted = "SELECT NOT pg_is_in_recovery()"
    await eventually(lambda: connection.fetchval(promoted), "the server is promoted")
    assert await written(connection) == before
    await connection.close()
