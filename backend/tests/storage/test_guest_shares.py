"""Shares, as people outside open them, and as those try who may not."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI
from opendal.file import AsyncFile
from starlette.types import Message

from tessera import limits
from tessera.integrations.clouds.operators import PART_BYTES, OperatorCloud
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.storage.packs.schemas import LinksRead
from tessera.storage.shares import endpoints, guests
from tessera_core import base64url
from tessera_core.shards import Shard, recover_pack
from tests.security.attacker import error_of
from tests.storage.client import Device, encoded
from tests.storage.shares import ShareFile, open_as_guest, read_piece, ticket

pytestmark = pytest.mark.usefixtures("buckets")


@pytest.fixture
async def share(member: Device) -> ShareFile:
    share = ShareFile(member)
    await share.store()
    return share


class TestOpen:
    async def test_guest_reads_the_file_with_the_link_alone(
        self, client: httpx.AsyncClient, share: ShareFile
    ) -> None:
        seen = (await client.get(f"/api/shares/{share.id}")).json()
        company = str(share.device.user.company.uuid)
        assert seen == {"company": company, "salt": encoded(bytes(16)), "state": "open"}
        opened = await open_as_guest(client, share)
        assert opened.json()["downloadsLeft"] == 4
        sealed = base64url.decode(opened.json()["manifest"])
        manifest = share.keys.open_manifest(sealed, share.hash)
        [record] = manifest.records
        answer = await client.post(
            f"/api/shares/{share.id}/links",
            json={"ticket": ticket(opened), "packs": [encoded(record.pack)]},
        )
        LinksRead.model_validate(answer.json())
        found = [
            Shard.decode((await client.get(shard["link"]["url"])).content)
            for shard in answer.json()["packs"][0]["shards"][1:]
        ]
        assert recover_pack(found, share.keys.pack_name(record.pack), record)

    async def test_download_is_counted_and_recorded_without_a_name(
        self, client: httpx.AsyncClient, share: ShareFile, platform: Connection
    ) -> None:
        await open_as_guest(client, share)
        [share_row] = await platform.fetch("SELECT downloads, last_download_at FROM shares")
        assert share_row["downloads"] == 1
        assert share_row["last_download_at"] is not None
        [row] = await platform.fetch("SELECT * FROM activity WHERE action = 'share.downloaded'")
        assert (row["actor_name"], row["target"], row["details"]) == ("", "", "{}")

    async def test_last_download_ends_the_share_and_its_ticket_goes_on(
        self, client: httpx.AsyncClient, member: Device
    ) -> None:
        share = ShareFile(member)
        await share.store(downloads=1)
        opened = await open_as_guest(client, share)
        assert error_of(await open_as_guest(client, share)) == (410, "share_used")
        assert (await read_piece(client, share, 0, ticket(opened))).status_code == 200
        await member.ok("DELETE", f"/shares/{share.id}")
        answer = await read_piece(client, share, 0, ticket(opened))
        assert error_of(answer) == (410, "share_ended")

    async def test_two_guests_cannot_share_the_last_download(
        self, client: httpx.AsyncClient, member: Device
    ) -> None:
        share = ShareFile(member)
        await share.store(downloads=1)
        answers = await asyncio.gather(*(open_as_guest(client, share) for _ in range(4)))
        assert sorted(answer.status_code for answer in answers) == [200, 410, 410, 410]

    async def test_expired_share_is_refused_also_with_a_ticket(
        self, client: httpx.AsyncClient, share: ShareFile, platform: Connection
    ) -> None:
        opened = await open_as_guest(client, share)
        await platform.execute("UPDATE shares SET expires_at = now()")
        assert error_of(await open_as_guest(client, share)) == (410, "share_expired")
        assert error_of(await read_piece(client, share, 0, ticket(opened))) == (
            410, "share_expired",
        )  # fmt: skip
        assert (await client.get(f"/api/shares/{share.id}")).json()["state"] == "expired"

    async def test_share_of_a_disabled_company_appears_not_to_exist(
        self, client: httpx.AsyncClient, share: ShareFile, platform: Connection
    ) -> None:
        await platform.execute(
            "UPDATE companies SET is_enabled = false WHERE id = $1", share.device.user.company.id
        )
        assert error_of(await open_as_guest(client, share)) == (404, "share_not_found")

    async def test_any_page_may_make_the_calls_of_guests_and_no_others(
        self, client: httpx.AsyncClient, share: ShareFile
    ) -> None:
        origin = {"Origin": "null", "Access-Control-Request-Method": "POST"}
        asked = {**origin, "Access-Control-Request-Headers": "content-type"}
        answer = await client.options(f"/api/shares/{share.id}/links", headers=asked)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers
        answer = await client.get(f"/api/shares/{share.id}", headers={"Origin": "null"})
        assert answer.headers["access-control-allow-origin"] == "*"
        answer = await client.options("/api/storage/shares", headers=asked)
        assert "access-control-allow-origin" not in answer.headers


class TestGuesses:
    async def test_wrong_token_gets_nothing_and_is_limited_by_address(
        self, client: httpx.AsyncClient, share: ShareFile, platform: Connection
    ) -> None:
        for _ in range(limits.SHARE_TOKENS.maximum):
            answer = await open_as_guest(client, share, bytes(32))
            assert error_of(answer) == (403, "share_token_wrong")
        assert error_of(await open_as_guest(client, share))[0] == 429
        assert await platform.fetchval("SELECT downloads FROM shares") == 0

    async def test_right_tokens_are_not_limited_by_address(
        self, client: httpx.AsyncClient, member: Device
    ) -> None:
        share = ShareFile(member)
        await share.store(downloads=20)
        for _ in range(limits.SHARE_TOKENS.maximum + 2):
            assert (await open_as_guest(client, share)).status_code == 200

    async def test_share_ends_after_100_wrong_tokens_from_anywhere(
        self, client: httpx.AsyncClient, share: ShareFile, platform: Connection
    ) -> None:
        await platform.execute("UPDATE shares SET wrong_tokens = 99")
        assert error_of(await open_as_guest(client, share, bytes(32)))[1] == "share_token_wrong"
        assert error_of(await open_as_guest(client, share)) == (410, "share_guessed")
        assert await platform.fetchval("SELECT manifest FROM shares") is None

    async def test_guessed_id_is_not_found_and_counted(self, client: httpx.AsyncClient) -> None:
        body = {"token": encoded(bytes(32))}
        codes = [
            error_of(await client.post(f"/api/shares/{uuid4()}/open", json=body))
            for _ in range(limits.SHARE_TOKENS.maximum + 1)
        ]
        assert codes[0] == (404, "share_not_found")
        assert codes[-1][0] == 429

    async def test_database_holds_neither_token_nor_secret(
        self, share: ShareFile, platform: Connection
    ) -> None:
        [row] = await platform.fetch("SELECT * FROM shares")
        stored = b"".join(value for value in row.values() if isinstance(value, bytes))
        for secret in (share.secret, share.keys.key, share.keys.access_token, b"a.txt"):
            assert secret not in stored

    async def test_neither_database_nor_logs_hold_a_name_a_key_or_content(
        self,
        client: httpx.AsyncClient,
        member: Device,
        platform: Connection,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        share = ShareFile(member, b"canary-content-2026")
        await share.store()
        opened = await open_as_guest(client, share)
        await open_as_guest(client, share, bytes(32))
        await read_piece(client, share, 0, ticket(opened))
        await member.ok("GET", "/shares")
        await member.ok("DELETE", f"/shares/{share.id}")
        tables = await platform.fetch(
            "SELECT relname FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'public'::regnamespace"
            " AND has_table_privilege(oid, 'SELECT')"
        )
        found = [
            str(row[0])
            for (name,) in tables
            for row in await platform.fetch(f"SELECT t::text FROM {name} t")
        ]
        assert any(str(share.id) in row for row in found)
        logs = "".join(capfd.readouterr())
        keys = share.keys
        secrets = (
            share.secret, keys.key, keys.access_token, keys.chunk_id_key,
            keys.pack_key(share.pack), b"a.txt", share.content,
        )  # fmt: skip
        shown = "\n".join([*found, logs])
        for secret in secrets:
            for form in (secret.hex(), encoded(secret), secret.decode("latin-1")):
                assert form not in shown


class TestPieces:
    async def test_piece_through_the_service_is_the_object_of_the_cloud(
        self, client: httpx.AsyncClient, share: ShareFile
    ) -> None:
        opened = await open_as_guest(client, share)
        for index, shard in enumerate(share.shards):
            answer = await read_piece(client, share, index, ticket(opened))
            assert answer.content == shard.encode()
            assert answer.headers["content-length"] == str(len(answer.content))

    @pytest.mark.parametrize(
        "forge",
        [
            lambda _: "",
            lambda _: "1",
            lambda good: f"{int(good.split('.')[0]) + 1}.{good.split('.')[1]}",
            lambda good: good[:-1],
            lambda good: f"{good} ",
            lambda good: "٣." + good.split(".")[1],
        ],
    )
    async def test_forged_ticket_is_refused(
        self, client: httpx.AsyncClient, share: ShareFile, forge: Callable[[str], str]
    ) -> None:
        good = (await open_as_guest(client, share)).json()["ticket"]
        answer = await read_piece(client, share, 0, forge(good))
        assert error_of(answer) == (403, "share_ticket_expired")

    async def test_ticket_of_another_share_is_refused(
        self, client: httpx.AsyncClient, share: ShareFile, member: Device
    ) -> None:
        other = ShareFile(member)
        await other.store()
        opened = await open_as_guest(client, other)
        answer = await read_piece(client, share, 0, ticket(opened))
        assert error_of(answer) == (403, "share_ticket_expired")

    async def test_packs_of_another_share_appear_not_to_exist(
        self, client: httpx.AsyncClient, share: ShareFile, member: Device
    ) -> None:
        other = ShareFile(member)
        await other.store()
        opened = await open_as_guest(client, share)
        answer = await client.post(
            f"/api/shares/{share.id}/links",
            json={"ticket": ticket(opened), "packs": [encoded(other.pack)]},
        )
        assert error_of(answer) == (404, "pack_not_found")

    async def test_ticket_lasts_four_hours(
        self, client: httpx.AsyncClient, share: ShareFile, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = await open_as_guest(client, share)
        later = clock.now() + timedelta(hours=4, seconds=1)
        monkeypatch.setattr(clock, "now", lambda: later)
        answer = await read_piece(client, share, 0, ticket(opened))
        assert error_of(answer) == (403, "share_ticket_expired")

    async def test_ticket_does_not_outlast_the_share(
        self,
        client: httpx.AsyncClient,
        member: Device,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Also if the share was used up before it expired."""
        share = ShareFile(member)
        await share.store(downloads=1)
        await platform.execute("UPDATE shares SET expires_at = now() + interval '1 minute'")
        opened = await open_as_guest(client, share)
        later = clock.now() + timedelta(minutes=2)
        monkeypatch.setattr(clock, "now", lambda: later)
        answer = await read_piece(client, share, 0, ticket(opened))
        assert error_of(answer) == (403, "share_ticket_expired")

    async def test_links_are_limited_per_company(
        self, client: httpx.AsyncClient, share: ShareFile, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Some clouds are called for each of them."""
        monkeypatch.setitem(limits.CHANGED, "share_links", 2)
        body = {
            "ticket": ticket(await open_as_guest(client, share)),
            "packs": [encoded(share.pack)] * 2,
        }
        path = f"/api/shares/{share.id}/links"
        assert (await client.post(path, json=body)).status_code == 200
        answer = await client.post(path, json=body)
        assert error_of(answer) == (429, "share_transfer_reached")

    async def test_bytes_through_the_service_are_limited_per_company(
        self, client: httpx.AsyncClient, share: ShareFile, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = await open_as_guest(client, share)
        monkeypatch.setitem(limits.CHANGED, "share_megabytes", 1)
        assert (await read_piece(client, share, 0, ticket(opened))).status_code == 200
        answer = await read_piece(client, share, 1, ticket(opened))
        assert error_of(answer) == (429, "share_transfer_reached")

    async def test_one_share_leaves_bytes_to_the_others(
        self,
        client: httpx.AsyncClient,
        member: Device,
        share: ShareFile,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        other = ShareFile(member)
        await other.store()
        monkeypatch.setitem(limits.CHANGED, "one_share_megabytes", 1)
        greedy = ticket(await open_as_guest(client, share))
        assert (await read_piece(client, share, 0, greedy)).status_code == 200
        # What is refused is not counted against the company either.
        monkeypatch.setitem(limits.CHANGED, "share_megabytes", 2)
        for index in (0, 1):
            answer = await read_piece(client, share, index, greedy)
            assert error_of(answer) == (429, "share_transfer_reached")
        opened = ticket(await open_as_guest(client, other))
        assert (await read_piece(client, other, 0, opened)).status_code == 200

    async def test_cloud_that_is_gone_is_said_so(
        self, client: httpx.AsyncClient, share: ShareFile, buckets: list[Path]
    ) -> None:
        opened = await open_as_guest(client, share)
        for folder in buckets:
            for path in folder.rglob("packs/*/*.0"):
                path.unlink()
        answer = await read_piece(client, share, 0, ticket(opened))
        assert error_of(answer) == (502, "piece_unavailable")
        assert (await read_piece(client, share, 1, ticket(opened))).status_code == 200

    async def test_slow_guest_loses_the_turn(
        self,
        app: FastAPI,
        client: httpx.AsyncClient,
        share: ShareFile,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(endpoints, "PIECE_SECONDS", 0.2)
        opened = await open_as_guest(client, share)
        async with asyncio.timeout(10):
            await asyncio.gather(
                *(_never_read(app, share, ticket(opened)) for _ in range(guests.RELAYS_AT_ONCE))
            )
            answer = await read_piece(client, share, 0, ticket(opened))
        assert answer.content == share.shards[0].encode()

    async def test_no_more_is_read_than_was_announced(
        self,
        client: httpx.AsyncClient,
        share: ShareFile,
        buckets: list[Path],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Whoever has the warehouse may put anything there."""
        opened = await open_as_guest(client, share)
        for folder in buckets:
            for path in folder.rglob("packs/*/*.0"):
                path.write_bytes(bytes(8 * PART_BYTES))
        read = []
        parts = OperatorCloud._parts

        async def counted(
            cloud: OperatorCloud, file: AsyncFile, part: bytes
        ) -> AsyncGenerator[bytes, None]:
            async for each in parts(cloud, file, part):
                read.append(len(each))
                yield each

        monkeypatch.setattr(OperatorCloud, "_parts", counted)
        size = len(share.shards[0].encode())
        answer = await read_piece(client, share, 0, ticket(opened))
        assert answer.content == bytes(size)
        assert sum(read) < size + PART_BYTES


async def _never_read(app: FastAPI, share: ShareFile, shown: str) -> None:
    """A guest who asks for a piece, and then reads nothing of it."""
    body = json.dumps({"ticket": shown, "pack": encoded(share.pack), "index": 0}).encode()
    path = f"/api/shares/{share.id}/piece"
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
        "scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "",
        "query_string": b"", "headers": [(b"content-type", b"application/json")],
        "client": ("192.0.2.1", 1), "server": ("testserver", 80), "state": {},
    }  # fmt: skip
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else await asyncio.Future()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Future()

    await app(scope, receive, send)
