"""What a storage life leaves in the service: no name, no content and no key of anybody."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx
import pytest
from playwright.sync_api import Browser, expect

from accounts import PASSPHRASE
from computer import Computer
from device import Device, new_context
from event_loop import EventLoopThread
from server import Server, running_server
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.recovery import code_from_text
from tessera_core.requests import GuestAccess, RequestLink
from tessera_core.shares import ShareKeys, ShareLink
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
        kit = leader.with_code(
            server, company.leader, "recovery-kit", "--to", tmp_path / "kit.html"
        )
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


def keep_share(marks: Marks, link: str, password: str | None, salt: bytes, company: UUID) -> None:
    """Everything that is derived from a link, and the link's own secret."""
    parsed = ShareLink.parse(link)
    keys = ShareKeys.derive(parsed.secret, password, salt, company=company, share=parsed.share)
    secrets = (parsed.secret, keys.key, keys.access_token, keys.chunk_id_key)
    for secret in secrets:
        marks.keep("share", secret.hex())
        marks.keep("share", base64url.encode(secret[:30]))


@pytest.mark.extended
@pytest.mark.timeout(300)
def test_shares_leave_no_name_no_key_and_no_content(
    tmp_path: Path, loop: EventLoopThread, browser: Browser
) -> None:
    marks = Marks()
    folder = tmp_path / marks.new("folder")
    folder.mkdir()
    file = folder / f"{marks.new('file')}.txt"
    file.write_text(marks.new("content", 64) * 1000)
    with running_server(log_level="debug") as server:
        company = server.factory.company(warehouses=True)
        leader = Computer(tmp_path / "leader")
        leader.login(server, company.leader)
        leader.ok("spaces", "create", "Designs")
        leader.ok("put", folder, "Designs:/")
        opened = leader.ok("share", f"Designs:/{folder.name}")
        locked = leader.ok("share", f"Designs:/{folder.name}", "--password")
        marks.keep("password", locked["password"])
        for made in (opened, locked):
            seen = httpx.get(f"{server.address}/api/shares/{made['id']}").json()
            salt = base64url.decode(seen["salt"])
            keep_share(marks, made["link"], made["password"], salt, UUID(seen["company"]))
        context = new_context(browser, server.address, Device())
        page = context.new_page()
        for made, through_service in ((opened, False), (locked, True)):
            if through_service:
                page.route("**/sandbox/objects/**", lambda route: route.abort())
            page.goto(made["link"])
            if made["password"]:
                page.locator("[name=password]").fill(made["password"])
            page.locator("[data-action=open]").click()
            expect(page.locator(".preview pre")).to_contain_text("canarycontent")
            with page.expect_download():
                page.locator("[data-action=download-all]").click()
        context.close()
        leader.ok("get", opened["link"], "--to", tmp_path / "received")
        leader.ok("shares", "--end", locked["id"])

        assert loop.run(search(server, marks)) == []
        assert search_files(server.log.parent / "clouds", marks) == []
        assert marks.found_in(server.log.read_text(), "the log") == []
        # What the service does know is found, which proves that the search works.
        known = Marks()
        known.keep("id", opened["id"])
        assert loop.run(search(server, known))
        assert "/api/shares/{share_id}/piece" in server.log.read_text()


@pytest.mark.extended
@pytest.mark.timeout(300)
def test_requests_leave_no_title_no_name_no_key_and_no_content(
    tmp_path: Path, loop: EventLoopThread, browser: Browser
) -> None:
    marks = Marks()
    title, folder, content = marks.new("title"), marks.new("folder"), marks.new("content", 64)
    file = tmp_path / f"{marks.new('file')}.txt"
    file.write_text(content * 1000)
    with running_server(log_level="debug") as server:
        company = server.factory.company(warehouses=True)
        leader = Computer(tmp_path / "leader")
        leader.login(server, company.leader)
        leader.ok("spaces", "create", "Designs")
        made = leader.ok("request", title, "--to", f"Designs:/{folder}")
        token = RequestLink.parse(made["link"]).token
        access = GuestAccess(UUID(int=0), UUID(made["id"]), token).access_token
        for secret in (token, access):
            marks.keep("request", secret.hex())
            marks.keep("request", base64url.encode(secret[: len(secret) // 3 * 3]))
        context = new_context(browser, server.address, Device())
        page = context.new_page()
        page.goto(made["link"])
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        page.locator("[name=files]").set_input_files(file)
        page.locator("[data-action=send]").click()
        expect(page.locator("[data-result=sent]")).to_be_visible()
        context.close()
        Computer(tmp_path / "guest").ok("put", file, made["link"])

        def is_secret() -> None:
            assert loop.run(search(server, marks)) == []
            assert search_files(server.log.parent / "clouds", marks) == []
            assert marks.found_in(server.log.read_text(), "the log") == []

        is_secret()
        [request] = leader.ok("requests")["requests"]
        first, second = request["arrivals"]
        leader.ok("requests", "--accept", first["id"])
        leader.ok("requests", "--refuse", second["id"])
        is_secret()
        # What the service does know is found, which proves that the search works.
        known = Marks()
        known.keep("id", made["id"])
        assert loop.run(search(server, known))
        assert "/api/requests/pieces/" in server.log.read_text()
