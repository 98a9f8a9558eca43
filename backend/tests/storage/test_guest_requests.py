"""Requests for files, as people outside use them, and as those try who may not."""

from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import pytest

from tessera import limits
from tessera.kit.database import Connection
from tessera.storage.requests.endpoints import PIECE_BYTES
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient, encoded
from tests.storage.packs import PackFile
from tests.storage.requests import FOLDER, TITLE, FileRequest, Sending

pytestmark = pytest.mark.usefixtures("buckets")


@pytest.fixture
async def request_made(leader: Device, space: SpaceClient) -> FileRequest:
    made = FileRequest(leader, space)
    created = await made.create()
    assert created.status_code == 200, created.text
    return made


@pytest.fixture
def sending(client: httpx.AsyncClient, request_made: FileRequest) -> Sending:
    return Sending(client, request_made)


class TestOpen:
    async def test_anyone_reads_the_keys_and_only_the_link_the_details(
        self, client: httpx.AsyncClient, request_made: FileRequest, sending: Sending
    ) -> None:
        seen = (await client.get(f"/api/requests/{request_made.id}")).json()
        assert seen == {
            "company": str(request_made.space.company),
            "publicKeys": encoded(request_made.keys.private.public.encode()),
            "state": "open",
        }
        opened = (await sending.open()).json()
        assert (opened["k"], opened["n"]) == (2, 3)
        assert opened["bytesLeft"] >= 10**6
        sending.token = encoded(bytes(32))
        assert error_of(await sending.open()) == (403, "request_token_wrong")

    async def test_wrong_tokens_are_limited_by_address_and_right_ones_are_not(
        self, sending: Sending
    ) -> None:
        for _ in range(limits.REQUEST_TOKENS.maximum + 2):
            assert (await sending.open()).status_code == 200
        right, sending.token = sending.token, encoded(bytes(32))
        for _ in range(limits.REQUEST_TOKENS.maximum):
            assert error_of(await sending.open())[0] == 403
        sending.token = right
        assert error_of(await sending.open())[0] == 429

    async def test_unknown_request_is_not_found(self, client: httpx.AsyncClient) -> None:
        answer = await client.get(f"/api/requests/{uuid4()}")
        assert error_of(answer) == (404, "request_not_found")

    async def test_request_of_a_disabled_company_appears_not_to_exist(
        self, sending: Sending, platform: Connection
    ) -> None:
        company = sending.request.device.user.company.id
        await platform.execute("UPDATE companies SET is_enabled = false WHERE id = $1", company)
        assert error_of(await sending.open()) == (404, "request_not_found")

    async def test_any_page_may_send_a_piece(self, client: httpx.AsyncClient) -> None:
        headers = {
            "Origin": "null",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type,tessera-upload-token",
        }
        answer = await client.options(f"/api/requests/pieces/{uuid4()}/A/0", headers=headers)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers


class TestSend:
    async def test_upload_counts_against_the_quota(self, sending: Sending) -> None:
        await sending.send()
        usage = await sending.request.device.ok("GET", "/usage")
        assert usage["used"] == sending.length

    async def test_upload_goes_on_after_an_interruption(self, sending: Sending) -> None:
        await sending.begin()
        assert (await sending.piece(1)).status_code == 204
        again = (await sending.begin()).json()
        assert again["packs"][0]["missing"] == [0, 2]
        assert error_of(await sending.finish()) == (409, "arrival_incomplete")
        assert (await sending.piece(1)).status_code == 204
        assert (await sending.piece(2)).status_code == 204
        for _ in range(2):
            assert (await sending.finish()).status_code == 204

    async def test_piece_larger_than_other_bodies_is_taken(
        self, client: httpx.AsyncClient, request_made: FileRequest
    ) -> None:
        large = Sending(client, FileRequest(request_made.device, request_made.space))
        await large.request.create(size=10**7)
        await Sending(client, large.request, content=bytes(range(256)) * 4096).send()

    async def test_other_bytes_than_announced_are_refused(self, sending: Sending) -> None:
        await sending.begin()
        good = sending.shards[0].encode()
        for content in (b"", good[:-1], good + b"\0", bytes(len(good)), bytes(2**21)):
            answer = await sending.piece(0, content)
            assert error_of(answer) == (422, "piece_wrong")
        missing = (await sending.begin()).json()["packs"][0]["missing"]
        assert missing == [0, 1, 2]

    async def test_more_than_the_request_takes_is_refused(
        self, client: httpx.AsyncClient, request_made: FileRequest, platform: Connection
    ) -> None:
        small = FileRequest(request_made.device, request_made.space)
        await small.create(size=1000)
        large = Sending(client, small, content=bytes(1024 * 1024))
        huge = {**large.described(), "length": 1_200_000}
        shard = 600_000 + 96
        huge["shards"] = [{**each, "size": shard} for each in huge["shards"]]
        answer = await large.call("packs", {"arrivalId": str(large.id), "packs": [huge]})
        assert error_of(answer) == (409, "request_full")
        assert await platform.fetchval("SELECT count(*) FROM packs") == 0

    async def test_quota_of_the_company_is_not_told(
        self, sending: Sending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "uploaded_bytes", 1)
        answer = await sending.begin()
        assert error_of(answer) == (409, "request_full")
        assert "renewsAt" not in answer.text

    async def test_number_of_uploads_is_limited(
        self, client: httpx.AsyncClient, sending: Sending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "arrivals", 1)
        await sending.begin()
        another = Sending(client, sending.request)
        assert error_of(await another.begin()) == (409, "too_many_arrivals")

    async def test_bytes_of_a_day_are_limited(
        self, sending: Sending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "request_megabytes", 1)
        await sending.begin()
        assert (await sending.piece(0)).status_code == 204
        assert error_of(await sending.piece(1)) == (429, "request_transfer_reached")

    async def test_pieces_that_never_come_use_up_nothing(
        self, sending: Sending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "request_megabytes", 1)
        await sending.begin()
        for _ in range(3):
            assert error_of(await sending.piece(0, b"")) == (422, "piece_wrong")
        assert (await sending.piece(0)).status_code == 204

    async def test_number_of_packs_is_limited(
        self, sending: Sending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Small ones would take every upload that the author may have under way."""
        monkeypatch.setitem(limits.CHANGED, "arrivals", 5)
        many = [{**sending.described(), "id": encoded(bytes([n]) * 16)} for n in range(6)]
        body = {"arrivalId": str(sending.id), "packs": many}
        assert error_of(await sending.call("packs", body)) == (409, "request_full")
        body["packs"] = many[1:]
        assert (await sending.call("packs", body)).status_code == 200

    async def test_calls_of_one_address_are_limited(
        self, client: httpx.AsyncClient, sending: Sending, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "guest_calls", 2)
        assert (await sending.open()).status_code == 200
        assert (await client.get(f"/api/requests/{sending.request.id}")).status_code == 200
        for answer in (await sending.begin(), await client.get(f"/api/shares/{uuid4()}")):
            assert error_of(answer)[0] == 429

    async def test_finished_upload_takes_nothing_more(
        self, client: httpx.AsyncClient, sending: Sending
    ) -> None:
        await sending.send()
        assert error_of(await sending.begin()) == (409, "arrival_exists")
        assert error_of(await sending.piece(0)) == (404, "pack_not_found")
        replaced = Sending(client, sending.request, id=sending.id)
        assert error_of(await replaced.finish()) == (409, "arrival_exists")

    async def test_request_that_is_over_takes_nothing(
        self, sending: Sending, platform: Connection
    ) -> None:
        await sending.upload()
        await platform.execute("UPDATE file_requests SET expires_at = now()")
        for answer in (await sending.begin(), await sending.piece(0), await sending.finish()):
            assert error_of(answer) == (410, "request_expired")
        await sending.request.device.ok("DELETE", f"/requests/{sending.request.id}")
        assert error_of(await sending.finish()) == (410, "request_ended")


class TestLies:
    @pytest.mark.parametrize("call", ["open", "packs", "arrivals", "x/y/z"])
    async def test_only_a_piece_may_be_larger_than_other_bodies(
        self, client: httpx.AsyncClient, call: str
    ) -> None:
        """A call that happens to lie below the same path would read it into memory first."""
        sent = 0

        async def parts() -> AsyncIterator[bytes]:
            nonlocal sent
            for _ in range(40):
                sent += 2**20
                yield bytes(2**20)

        path = f"/api/requests/pieces/{call}"
        answer = await client.post(path, content=parts())
        assert answer.status_code in {413, 422}
        assert sent < 2**22
        headers = {"Content-Length": str(PIECE_BYTES + 1)}
        assert error_of(await client.post(path, headers=headers)) == (413, "body_too_large")

    async def test_objects_of_another_request_are_out_of_reach(
        self, client: httpx.AsyncClient, sending: Sending
    ) -> None:
        await sending.begin()
        other = FileRequest(sending.request.device, sending.request.space)
        await other.create()
        thief = Sending(client, other, id=sending.id, pack=sending.pack)
        assert error_of(await thief.begin()) == (409, "arrival_exists")
        assert error_of(await thief.piece(0)) == (404, "pack_not_found")
        assert error_of(await thief.finish()) == (409, "arrival_exists")
        thief = Sending(client, other, pack=sending.pack)
        assert error_of(await thief.begin()) == (409, "pack_exists")

    async def test_pack_of_a_space_cannot_be_touched(
        self, client: httpx.AsyncClient, sending: Sending
    ) -> None:
        device, space = sending.request.device, sending.request.space
        pack = PackFile(space)
        assert (await pack.begin(device)).status_code == 200
        thief = Sending(client, sending.request, id=space.id, pack=pack.id)
        assert error_of(await thief.begin()) == (409, "arrival_exists")
        assert error_of(await thief.piece(0)) == (404, "pack_not_found")

    @pytest.mark.parametrize(
        "change",
        [
            {"generation": 1},
            {"k": 1, "n": 2},
            {"length": 0},
            {"length": 2**25},
            {"shards": []},
            {"id": "A"},
        ],
    )
    async def test_wrong_description_is_refused(
        self, sending: Sending, change: dict[str, object]
    ) -> None:
        body = {"arrivalId": str(sending.id), "packs": [{**sending.described(), **change}]}
        assert (await sending.call("packs", body)).status_code in {409, 422}

    @pytest.mark.parametrize(
        "change", [{"uploadKey": "AA"}, {"manifest": ""}, {"manifest": "A" * 2**20}, {"id": "x"}]
    )
    async def test_wrong_end_of_an_upload_is_refused(
        self, sending: Sending, change: dict[str, str]
    ) -> None:
        answer = await sending.call("arrivals", {**sending.finish_body(), **change})
        assert answer.status_code in {413, 422}

    async def test_neither_database_nor_logs_hold_anything_of_an_upload_in_plain(
        self, sending: Sending, platform: Connection, capfd: pytest.CaptureFixture[str]
    ) -> None:
        await sending.send()
        await sending.request.device.ok("GET", "/requests")
        tables = await platform.fetch(
            "SELECT relname FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'public'::regnamespace"
            " AND has_table_privilege(oid, 'SELECT')"
        )
        rows = [
            str(row[0])
            for (name,) in tables
            for row in await platform.fetch(f"SELECT t::text FROM {name} t")
        ]
        assert any(str(sending.id) in row for row in rows)
        shown = "\n".join([*rows, *capfd.readouterr()])
        keys, request_keys = sending.keys, sending.request.keys
        for secret in (
            sending.secret, keys.key, keys.chunk_id_key, keys.pack_key(sending.pack),
            request_keys.key, request_keys.access.token, request_keys.access.access_token,
            request_keys.private.kem_seed, TITLE.encode(), FOLDER.encode(), b"a.txt",
            sending.content,
        ):  # fmt: skip
            for form in (secret.hex(), encoded(secret), secret.decode("latin-1")):
                assert form not in shown
