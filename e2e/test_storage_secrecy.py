"""What a storage life leaves in the service: no name, no content and no key of a member's."""

from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from accounts import PASSPHRASE
from computer import Computer
from event_loop import EventLoopThread
from server import Server, running_server
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.recovery import code_from_text
from tests.security.canary import Marks, search_database, search_files


@pytest.fixture
def loop() -> Iterator[EventLoopThread]:
    loop = EventLoopThread()
    yield loop
    loop.stop()


def keep_keys(marks: Marks, computer: Computer) -> None:
    """What the computer stores and never sends."""
    secrets = StateFolder(computer.folder, use_keyring=False).load_secrets()
    for name, key in (("user key", secrets.user_key), ("private keys", secrets.private_keys)):
        assert key is not None
        marks.keep(name, key[:32].hex())
        marks.keep(name, base64url.encode(key[:30]))


async def search(server: Server, marks: Marks) -> list[str]:
    connection = await asyncpg.connect(server.database)
    try:
        return await search_database(connection, marks)
    finally:
        await connection.close()


@pytest.mark.extended
@pytest.mark.timeout(900)
def test_tables_logs_and_clouds_hold_no_name_and_no_plaintext(
    tmp_path: Path, loop: EventLoopThread
) -> None:
    marks = Marks()
    marks.keep("passphrase", PASSPHRASE)
    space, renamed = marks.new("space"), marks.new("renamed")
    folder = tmp_path / marks.new("folder")
    folder.mkdir()
    (folder / f"{marks.new('file')}.txt").write_text(marks.new("content", 64) * 1000)
    note = folder / "note.txt"
    note.write_text(marks.new("note", 64))
    with running_server(log_level="debug") as server:
        company = server.factory.company(warehouses=True)
        leader, member = Computer(tmp_path / "leader"), Computer(tmp_path / "member")
        leader.login(server, company.leader)
        member.login(server, company.member)
        leader.ok("spaces", "create", space)
        leader.ok("put", folder, f"{space}:/")
        words = member.ok("words")["words"]
        leader.ok("grant", company.member.email, space, "--words", words)
        member.ok("trust", company.leader.email, "--words", leader.ok("words")["words"])
        member.ok("get", f"{space}:/{folder.name}", tmp_path / "restored")
        member.ok("mv", f"{space}:/{folder.name}", f"{space}:/{renamed}")
        kit = leader.with_code(server, company.leader, "recovery-kit", "--to", tmp_path / "kit.txt")
        marks.keep("recovery code", kit["recoveryCode"])
        marks.keep("recovery code", code_from_text(kit["recoveryCode"]).hex())
        keep_keys(marks, leader)
        keep_keys(marks, member)
        leader.ok("device-lost")
        keep_keys(marks, leader)
        leader.ok("rm", f"{space}:/{renamed}/note.txt")

        assert loop.run(search(server, marks)) == []
        assert search_files(server.log.parent / "clouds", marks) == []
        assert marks.found_in(server.log.read_text(), "the log") == []
        # What the service does know is found, which proves that the search works.
        known = Marks()
        known.keep("email", company.member.email)
        assert loop.run(search(server, known))
        assert "/api/storage/uploads" in server.log.read_text()
