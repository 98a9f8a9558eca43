"""Shares, as members make them and the team leader sees them."""

from pathlib import Path

import httpx
import pytest

from tessera import limits
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage.deletion import queries as deletion_queries
from tessera.storage.deletion import service as deletion
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People
from tests.factories.warehouses import Warehouses
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient
from tests.storage.packs import PackFile, add_warehouses
from tests.storage.shares import ShareFile, open_as_guest
from tests.storage.test_deletion import shards

pytestmark = pytest.mark.usefixtures("buckets")


async def listed(device: Device) -> list[dict[str, object]]:
    return (await device.ok("GET", "/shares"))["shares"]  # type: ignore[no-any-return]


async def delete_ended(resources: Resources, platform: Connection) -> None:
    for company_id in await deletion_queries.companies_with_ended_shares(platform):
        await deletion.delete_due_packs(resources, company_id)


class TestCreate:
    async def test_share_is_listed_for_its_author_and_the_leader_once_it_is_published(
        self, leader: Device, member: Device, make: Factory, people: People
    ) -> None:
        share = ShareFile(member)
        assert (await share.create()).status_code == 200
        await share.upload()
        assert await listed(leader) == []
        assert (await share.publish()).status_code == 204
        [seen] = await listed(leader)
        assert seen["authorName"] == "Omar Haddad"
        assert (seen["state"], seen["downloads"], seen["maxDownloads"]) == ("open", 0, 5)
        assert seen["bytes"] == share.shards[0].trailer.coding.length
        assert await listed(member) == [seen]
        colleague = await people.person(member.user.company)
        other = Device(member.http, colleague, await make.session(colleague))
        assert await listed(other) == []

    async def test_packs_of_a_share_count_against_the_quota(self, member: Device) -> None:
        share = ShareFile(member)
        await share.store()
        usage = await member.ok("GET", "/usage")
        assert usage["used"] == share.shards[0].trailer.coding.length

    async def test_share_is_not_published_before_its_pieces_are_stored(
        self, member: Device
    ) -> None:
        share = ShareFile(member)
        await share.create()
        share.seal()
        await member.ok("POST", "/uploads", share.uploads_body())
        assert error_of(await share.publish()) == (409, "share_incomplete")

    async def test_published_share_takes_neither_packs_nor_another_manifest(
        self, member: Device
    ) -> None:
        share = ShareFile(member)
        await share.store()
        assert error_of(await share.publish()) == (409, "share_exists")
        answer = await member.call("POST", "/uploads", share.uploads_body())
        assert error_of(answer) == (404, "space_not_found")

    async def test_share_of_somebody_else_takes_nothing(
        self, leader: Device, member: Device
    ) -> None:
        share = ShareFile(member)
        await share.create()
        share.seal()
        answer = await leader.call("POST", "/uploads", share.uploads_body())
        assert error_of(answer) == (404, "space_not_found")
        share.device = leader
        assert error_of(await share.publish()) == (404, "share_not_found")

    async def test_id_is_used_once_in_all_companies(
        self, member: Device, people: People, make: Factory, warehouses: Warehouses
    ) -> None:
        share = ShareFile(member)
        await share.create()
        foreign = await people.team(warehouses=True)
        await add_warehouses(warehouses, foreign.company.id)
        stranger = Device(member.http, foreign.member, await make.session(foreign.member))
        again = ShareFile(stranger, id=share.id)
        for same in (share, again):
            assert error_of(await same.create()) == (409, "share_exists")

    async def test_pack_of_a_share_cannot_enter_a_log(
        self, leader: Device, space: SpaceClient
    ) -> None:
        share = ShareFile(leader)
        await share.store()
        pack = PackFile(space, id=share.pack)
        assert error_of(await pack.commit(leader))[0] in {409, 422}
        assert error_of(await pack.begin(leader)) == (409, "pack_exists")

    async def test_number_of_open_shares_is_limited(
        self, member: Device, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "shares", 1)
        await ShareFile(member).create()
        assert error_of(await ShareFile(member).create()) == (409, "too_many_shares")

    async def test_member_who_creates_many_shares_blocks_nobody_else(
        self, leader: Device, member: Device, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "member_shares", 1)
        await ShareFile(member).create()
        assert error_of(await ShareFile(member).create()) == (409, "too_many_own_shares")
        assert (await ShareFile(leader).create()).status_code == 200

    async def test_share_that_was_not_published_within_a_day_is_not_open(
        self, member: Device, platform: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "shares", 1)
        late = ShareFile(member)
        await late.create(days=30)
        await late.upload()
        await platform.execute("UPDATE shares SET expires_at = expires_at - interval '1 day'")
        assert (await ShareFile(member).create()).status_code == 200
        # Its packs may be gone.
        assert error_of(await late.publish()) == (410, "share_ended")
        again = await member.call("POST", "/uploads", late.uploads_body())
        assert again.status_code == 404


class TestPolicy:
    async def test_leader_forbids_shares_and_limits_their_days(
        self, leader: Device, member: Device
    ) -> None:
        assert await member.ok("GET", "/share-policy") == {"isAllowed": True, "maxDays": 30}
        assert error_of(await ShareFile(member).create(days=31)) == (422, "share_too_long")
        await leader.ok("PUT", "/share-policy", {"isAllowed": True, "maxDays": 3})
        assert error_of(await ShareFile(member).create(days=4)) == (422, "share_too_long")
        assert (await ShareFile(member).create(days=3)).status_code == 200
        await leader.ok("PUT", "/share-policy", {"isAllowed": False, "maxDays": 3})
        assert error_of(await ShareFile(member).create(days=1)) == (403, "shares_forbidden")

    async def test_change_is_recorded_once(self, leader: Device, platform: Connection) -> None:
        for _ in range(2):
            await leader.ok("PUT", "/share-policy", {"isAllowed": False, "maxDays": 30})
        count = await platform.fetchval(
            "SELECT count(*) FROM activity WHERE action = 'sharePolicy.changed'"
        )
        assert count == 1


class TestEnd:
    async def test_leader_ends_a_share_its_author_is_mailed_and_its_packs_are_deleted(
        self, leader: Device, member: Device, outbox: Outbox, buckets: list[Path],
        client: httpx.AsyncClient, resources: Resources, platform: Connection,
    ) -> None:  # fmt: skip
        share = ShareFile(member)
        await share.store()
        assert len(shards(buckets)) == 3
        await leader.ok("DELETE", f"/shares/{share.id}")
        mail = await outbox.newest(member.user.email)
        assert mail["subject"] == "Your share link was ended"
        await delete_ended(resources, platform)
        assert shards(buckets) == []
        assert error_of(await open_as_guest(client, share)) == (410, "share_ended")
        assert [each["state"] for each in await listed(member)] == ["ended"]

    async def test_author_ends_the_own_share_twice_without_a_mail(
        self, member: Device, outbox: Outbox
    ) -> None:
        share = ShareFile(member)
        await share.store()
        for _ in range(2):
            await member.ok("DELETE", f"/shares/{share.id}")
        assert await outbox.messages() == []

    async def test_colleague_cannot_end_a_share(
        self, member: Device, people: People, make: Factory
    ) -> None:
        share = ShareFile(member)
        await share.store()
        colleague = await people.person(member.user.company)
        other = Device(member.http, colleague, await make.session(colleague))
        answer = await other.call("DELETE", f"/shares/{share.id}")
        assert error_of(answer) == (404, "share_not_found")

    async def test_expired_share_is_deleted_and_forgotten_after_90_days(
        self, member: Device, buckets: list[Path], resources: Resources, platform: Connection
    ) -> None:
        share = ShareFile(member)
        await share.store()
        await delete_ended(resources, platform)
        assert len(shards(buckets)) == 3
        await platform.execute("UPDATE shares SET expires_at = now()")
        await delete_ended(resources, platform)
        assert shards(buckets) == []
        assert await platform.fetchval("SELECT manifest FROM shares") is None
        assert await platform.fetchval("SELECT count(*) FROM packs") == 0
        assert [each["state"] for each in await listed(member)] == ["expired"]
        await platform.execute("UPDATE shares SET expires_at = now() - interval '91 days'")
        await delete_ended(resources, platform)
        assert await listed(member) == []
        assert (await share.create()).status_code == 200

    async def test_share_that_was_never_published_is_deleted_after_a_day(
        self, member: Device, buckets: list[Path], resources: Resources, platform: Connection
    ) -> None:
        share = ShareFile(member)
        await share.create()
        await share.upload()
        await delete_ended(resources, platform)
        assert len(shards(buckets)) == 3
        await platform.execute("UPDATE shares SET expires_at = now() - interval '1 hour'")
        await delete_ended(resources, platform)
        assert shards(buckets) == []

    async def test_used_share_is_deleted_when_its_tickets_have_expired(
        self, member: Device, buckets: list[Path], resources: Resources, platform: Connection,
        client: httpx.AsyncClient,
    ) -> None:  # fmt: skip
        share = ShareFile(member)
        await share.store(downloads=1)
        assert (await open_as_guest(client, share)).status_code == 200
        for hours, left in ((3, 3), (5, 0)):
            await platform.execute(
                "UPDATE shares SET ended_at = now() - make_interval(hours => $1)", hours
            )
            await delete_ended(resources, platform)
            assert len(shards(buckets)) == left
