import pytest

from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.limits import CHANGED
from tessera.storage.log import limits
from tessera_core.entries import Change
from tessera_core.grants import RECOVERY
from tests.security.attacker import error_of
from tests.storage.client import Device, SpaceClient

EXCEEDED = (429, "storage_rate_exceeded")


async def waiting(platform: Connection) -> int:
    """Grants whose entry did not follow."""
    count: int = await platform.fetchval(
        "SELECT count(*) FROM grants g WHERE NOT EXISTS (SELECT FROM log_entries e"
        " WHERE e.company_id = g.company_id AND e.space_id = g.space_id"
        " AND e.entry_id = g.entry_id)"
    )
    return count


class TestEntries:
    async def test_entries_of_one_member_do_not_use_up_anothers_limit(
        self, leader: Device, member: Device, space: SpaceClient, platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        await space.add(leader, member)
        monkeypatch.setitem(CHANGED, "log_entries", 2)
        for _ in range(2):
            await space.change(member)
        answer = await space.send(space.entry(Change(()), member), member)
        assert error_of(answer) == EXCEEDED
        assert int(answer.headers["Retry-After"]) > 86_000
        # The leader has two entries of his own besides the first one, so raise the limit for him.
        monkeypatch.setitem(CHANGED, "log_entries", 3)
        await space.change(leader)
        await platform.execute("UPDATE counters SET resets_at = now()")
        await space.change(member)

    async def test_an_entry_that_is_refused_does_not_count(
        self, leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The first generation was the leader's first.
        monkeypatch.setitem(CHANGED, "log_entries", 2)
        old = space.entry(Change(()), leader)
        await space.change(leader)
        for _ in range(3):
            assert error_of(await space.send(old, leader)) == (409, "log_moved_on")


class TestGrants:
    async def test_grants_are_limited_by_day(
        self, leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Two were stored for the first generation.
        monkeypatch.setitem(CHANGED, "grants", 3)
        grants = space.grants(RECOVERY)
        first, second = (space.entry(Change(()), leader) for _ in range(2))
        assert (await space.send_grants(first, grants, leader)).status_code == 204
        assert error_of(await space.send_grants(second, grants, leader)) == EXCEEDED

    async def test_grants_without_their_entry_are_limited_and_deleted_after_a_day(
        self, leader: Device, space: SpaceClient, platform: Connection, resources: Resources,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        # The two of the first generation have their entry, and do not count.
        monkeypatch.setitem(CHANGED, "waiting_grants", 1)
        monkeypatch.setattr(limits, "WAITING_PER_MEMBER", 0)
        grants = space.grants(RECOVERY)
        entries = [space.entry(Change(()), leader) for _ in range(3)]
        for entry in entries[:2]:
            assert (await space.send_grants(entry, grants, leader)).status_code == 204
        assert error_of(await space.send_grants(entries[2], grants, leader)) == EXCEEDED
        await limits.delete_orphan_grants(resources)
        assert await waiting(platform) == 2
        kept = await platform.fetchval("SELECT count(*) FROM grants") - 2

        await platform.execute("UPDATE waiting_grants SET created_at = now() - interval '2 days'")
        await limits.delete_orphan_grants(resources)
        assert await waiting(platform) == 0
        assert await platform.fetchval("SELECT count(*) FROM grants") == kept > 0
        assert (await space.send_grants(entries[2], grants, leader)).status_code == 204

    async def test_a_large_space_may_have_more(
        self, leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(CHANGED, "waiting_grants", 0)
        grants = space.grants(RECOVERY, leader.user.uuid)
        for status in (204, 204, 204, 429):
            entry = space.entry(Change(()), leader)
            assert (await space.send_grants(entry, grants, leader)).status_code == status
