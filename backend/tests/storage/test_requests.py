"""Requests for files, as members make them and take in what was sent."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tessera import limits
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage.deletion import queries as deletion_queries
from tessera.storage.deletion import service as deletion
from tessera_core import base64url
from tessera_core.shards import Shard, recover_pack
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient, encoded
from tests.storage.requests import FOLDER, TITLE, FileRequest, Sending
from tests.storage.test_deletion import shards

pytestmark = pytest.mark.usefixtures("buckets")


@pytest.fixture
async def request_made(leader: Device, member: Device, space: SpaceClient) -> FileRequest:
    await space.add(leader, member)
    made = FileRequest(member, space)
    created = await made.create()
    assert created.status_code == 200, created.text
    return made


async def listed(device: Device) -> list[dict[str, Any]]:
    return (await device.ok("GET", "/requests"))["requests"]  # type: ignore[no-any-return]


async def delete_over(resources: Resources, platform: Connection) -> None:
    for company_id in await deletion_queries.companies_with_ended_requests(platform):
        await deletion.delete_due_packs(resources, company_id)


class TestCreate:
    async def test_request_is_listed_for_the_members_of_its_space_and_the_leader(
        self, request_made: FileRequest, leader: Device, member: Device, people: People,
        make: Factory,
    ) -> None:  # fmt: skip
        [seen] = await listed(leader)
        assert (seen["state"], seen["accepted"], seen["arrivals"]) == ("open", 0, [])
        assert seen["authorName"] == "Omar Haddad"
        keys = request_made.keys
        details = keys.access.open_details(base64url.decode(seen["details"]), keys.private.public)
        assert (details.title, details.max_files) == (TITLE, 100)
        assert keys.open_folder(base64url.decode(seen["folder"])) == FOLDER
        assert await listed(member) == [seen]
        colleague = await people.person(member.user.company)
        other = Device(member.http, colleague, await make.session(colleague))
        assert await listed(other) == []

    async def test_who_is_not_a_member_of_the_space_cannot_make_one(
        self, member: Device, space: SpaceClient
    ) -> None:
        assert error_of(await FileRequest(member, space).create()) == (404, "space_not_found")

    async def test_former_generation_is_refused(self, leader: Device, space: SpaceClient) -> None:
        assert (await space.generation(leader)).status_code == 200
        former = FileRequest(leader, space, generation=1)
        assert error_of(await former.create()) == (409, "pack_generation_stale")

    async def test_id_is_used_once(self, request_made: FileRequest) -> None:
        assert error_of(await request_made.create()) == (409, "request_exists")

    async def test_number_of_open_requests_is_limited(
        self, request_made: FileRequest, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "member_requests", 1)
        another = FileRequest(request_made.device, request_made.space)
        assert error_of(await another.create()) == (409, "too_many_own_requests")
        monkeypatch.delitem(limits.CHANGED, "member_requests")
        monkeypatch.setitem(limits.CHANGED, "requests", 1)
        another = FileRequest(request_made.device, request_made.space)
        assert error_of(await another.create()) == (409, "too_many_request_links")

    async def test_leader_forbids_requests_and_limits_their_days(
        self, leader: Device, space: SpaceClient, platform: Connection
    ) -> None:
        assert await leader.ok("GET", "/request-policy") == {"isAllowed": True, "maxDays": 30}
        new = FileRequest(leader, space)
        assert error_of(await new.create(days=31)) == (422, "request_too_long")
        for _ in range(2):
            await leader.ok("PUT", "/request-policy", {"isAllowed": False, "maxDays": 3})
        assert error_of(await new.create(days=1)) == (403, "requests_forbidden")
        count = await platform.fetchval(
            "SELECT count(*) FROM activity WHERE action = 'requestPolicy.changed'"
        )
        assert count == 1


class TestArrivals:
    async def test_member_opens_what_a_guest_sent_and_accepts_it(
        self, client: httpx.AsyncClient, request_made: FileRequest, leader: Device, member: Device,
        buckets: list[Path], resources: Resources, platform: Connection,
    ) -> None:  # fmt: skip
        sending = Sending(client, request_made)
        await sending.send()
        [seen] = await listed(leader)
        [arrival] = seen["arrivals"]
        assert (arrival["id"], arrival["bytes"]) == (str(sending.id), sending.length)
        contents = await leader.ok("GET", f"/arrivals/{sending.id}")
        received = request_made.keys.open_upload(
            sending.id,
            base64url.decode(contents["uploadKey"]),
            base64url.decode(contents["manifest"]),
        )
        [record] = received.manifest.records
        body = {"packs": [encoded(record.pack)]}
        answer = await leader.ok("POST", f"/arrivals/{sending.id}/links", body)
        found = [
            Shard.decode((await client.get(shard["link"]["url"])).content)
            for shard in answer["packs"][0]["shards"][1:]
        ]
        assert recover_pack(found, received.keys.pack_name(record.pack), record)
        await member.ok("PUT", f"/arrivals/{sending.id}/decision", {"isAccepted": True})
        await delete_over(resources, platform)
        assert shards(buckets) == []
        [seen] = await listed(leader)
        assert (seen["accepted"], seen["arrivals"]) == (1, [])
        assert seen["receivedBytes"] == sending.length
        answer = await leader.call("GET", f"/arrivals/{sending.id}")
        assert error_of(answer) == (404, "arrival_not_found")

    async def test_author_is_mailed_once_an_hour(
        self, client: httpx.AsyncClient, request_made: FileRequest, outbox: Outbox
    ) -> None:
        for _ in range(2):
            await Sending(client, request_made).send()
        subjects = [mail["subject"] for mail in await outbox.messages()]
        assert subjects.count("Files have arrived for you") == 1

    async def test_colleague_without_the_space_gets_nothing(
        self, client: httpx.AsyncClient, request_made: FileRequest, people: People, make: Factory
    ) -> None:
        sending = Sending(client, request_made)
        await sending.send()
        colleague = await people.person(request_made.device.user.company)
        other = Device(client, colleague, await make.session(colleague))
        place = f"/arrivals/{sending.id}"
        packs = {"packs": [encoded(sending.pack)]}
        for answer in (
            await other.call("GET", place),
            await other.call("POST", f"{place}/links", packs),
            await other.call("PUT", f"{place}/decision", {"isAccepted": False}),
            await other.call("DELETE", f"/requests/{request_made.id}"),
        ):
            assert answer.status_code == 404

    async def test_unfinished_upload_is_not_seen_and_deleted_after_a_day(
        self, client: httpx.AsyncClient, request_made: FileRequest, member: Device,
        buckets: list[Path], resources: Resources, platform: Connection,
    ) -> None:  # fmt: skip
        sending = Sending(client, request_made)
        await sending.upload()
        assert (await listed(member))[0]["arrivals"] == []
        answer = await member.call("GET", f"/arrivals/{sending.id}")
        assert error_of(answer) == (404, "arrival_not_found")
        await delete_over(resources, platform)
        assert len(shards(buckets)) == 3
        await platform.execute("UPDATE arrivals SET created_at = now() - interval '25 hours'")
        await delete_over(resources, platform)
        assert shards(buckets) == []

    async def test_expired_request_keeps_what_came_for_30_days(
        self, client: httpx.AsyncClient, request_made: FileRequest, member: Device,
        buckets: list[Path], resources: Resources, platform: Connection,
    ) -> None:  # fmt: skip
        await Sending(client, request_made).send()
        await platform.execute("UPDATE file_requests SET expires_at = now()")
        await delete_over(resources, platform)
        assert len(shards(buckets)) == 3
        assert len((await listed(member))[0]["arrivals"]) == 1
        await platform.execute("UPDATE arrivals SET arrived_at = now() - interval '31 days'")
        await delete_over(resources, platform)
        assert shards(buckets) == []
        assert (await listed(member))[0]["arrivals"] == []
        await platform.execute("UPDATE file_requests SET expires_at = now() - interval '91 days'")
        await delete_over(resources, platform)
        assert await listed(member) == []

    async def test_pack_of_an_arrival_cannot_be_read_as_a_spaces(
        self, client: httpx.AsyncClient, request_made: FileRequest, member: Device
    ) -> None:
        sending = Sending(client, request_made)
        await sending.send()
        body = {"spaceId": str(request_made.space.id), "packs": [encoded(sending.pack)]}
        assert error_of(await member.call("POST", "/links", body)) == (404, "pack_not_found")


class TestEnd:
    async def test_leader_ends_a_request_its_author_is_mailed_and_what_waits_is_deleted(
        self, client: httpx.AsyncClient, request_made: FileRequest, leader: Device, member: Device,
        outbox: Outbox, buckets: list[Path], resources: Resources, platform: Connection,
    ) -> None:  # fmt: skip
        sending = Sending(client, request_made)
        await sending.send()
        for _ in range(2):
            await leader.ok("DELETE", f"/requests/{request_made.id}")
        subjects = [mail["subject"] for mail in await outbox.messages()]
        assert subjects.count("Your request for files was ended") == 1
        await delete_over(resources, platform)
        assert shards(buckets) == []
        assert [row["state"] for row in await listed(member)] == ["ended"]
        answer = await member.call("GET", f"/arrivals/{sending.id}")
        assert error_of(answer) == (404, "arrival_not_found")

    async def test_new_generation_ends_the_request_and_keeps_what_came(
        self, client: httpx.AsyncClient, request_made: FileRequest, leader: Device, member: Device
    ) -> None:
        sending = Sending(client, request_made)
        await sending.send()
        another = Sending(client, request_made)
        assert (await request_made.space.generation(leader)).status_code == 200
        assert error_of(await another.begin()) == (410, "request_ended")
        [seen] = await listed(member)
        assert (seen["state"], len(seen["arrivals"])) == ("superseded", 1)
        assert await member.ok("GET", f"/arrivals/{sending.id}")
