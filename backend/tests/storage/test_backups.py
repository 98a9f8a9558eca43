"""Times of backups that devices report, and mails when there was none for days."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from tessera import limits
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage.backups import queries, service
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.storage.client import Device

BACKUP, OTHER = "0123456789abcdef", "fedcba9876543210"
Pass = Callable[[float], Awaitable[None]]


@pytest.fixture
async def laptop(client: httpx.AsyncClient, make: Factory, team: Team) -> Device:
    return Device(client, team.member, await make.session(team.member, client="Laptop"))


@pytest.fixture
def days_pass(platform: Connection) -> Pass:
    async def days_pass(days: float) -> None:
        await platform.execute(
            "UPDATE device_backups SET ran_at = ran_at - $1 * interval '1 hour'", days * 24
        )

    return days_pass


async def report(
    device: Device, backup: str = BACKUP, *, days: int = 3, is_completed: bool = True
) -> None:
    await device.ok("PUT", f"/backups/{backup}", {"days": days, "isCompleted": is_completed})


async def remind(resources: Resources, team: Team) -> None:
    await service.remind(resources, team.company.id)


async def subjects(outbox: Outbox) -> list[str]:
    return [mail["subject"] for mail in await outbox.messages()]


class TestReminders:
    async def test_user_is_mailed_once_until_a_backup_completes_again(
        self, laptop: Device, team: Team, resources: Resources, outbox: Outbox, days_pass: Pass
    ) -> None:
        await report(laptop)
        await days_pass(2.9)
        await remind(resources, team)
        assert await outbox.messages() == []
        await days_pass(0.2)
        for _ in range(3):
            await remind(resources, team)
        (mail,) = await outbox.messages()
        assert (mail["to"], mail["subject"]) == (
            team.member.email,
            "No backup for 3 days from Laptop",
        )
        # Another number of days is no backup.
        await report(laptop, days=1, is_completed=False)
        await days_pass(5)
        await remind(resources, team)
        assert len(await outbox.messages()) == 1
        await report(laptop)
        await days_pass(4)
        await remind(resources, team)
        assert len(await outbox.messages()) == 2

    async def test_two_rounds_at_once_and_a_round_that_fails_send_one_mail(
        self, laptop: Device, team: Team, resources: Resources, outbox: Outbox, days_pass: Pass,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        async def fail(*_: object) -> None:
            raise ConnectionError

        await report(laptop)
        await days_pass(4)
        with monkeypatch.context() as patch:
            patch.setattr(service, "enqueue_emails", fail)
            with pytest.raises(ConnectionError):
                await remind(resources, team)
        await asyncio.gather(*(remind(resources, team) for _ in range(4)))
        assert len(await outbox.messages()) == 1

    async def test_overdue_backups_of_a_device_share_a_mail(
        self, laptop: Device, make: Factory, team: Team, resources: Resources, outbox: Outbox,
        days_pass: Pass,
    ) -> None:  # fmt: skip
        desktop = Device(
            laptop.http, team.member, await make.session(team.member, client="Desktop")
        )
        await report(laptop)
        await report(laptop, OTHER, days=90)
        await report(desktop, "0" * 16, days=5)
        await days_pass(95)
        await remind(resources, team)
        assert await subjects(outbox) == [
            "No backup for 95 days from Laptop",
            "No backup for 95 days from Desktop",
        ]

    async def test_a_backup_follows_its_device_into_a_new_session(
        self, laptop: Device, make: Factory, team: Team, resources: Resources, outbox: Outbox,
        days_pass: Pass,
    ) -> None:  # fmt: skip
        await report(laptop)
        await laptop.http.post("/api/auth/logout", headers=laptop.headers)
        await days_pass(4)
        await remind(resources, team)
        assert await outbox.messages() == []
        laptop.headers = await make.session(team.member, client="Laptop 2")
        await report(laptop)
        await days_pass(4)
        await remind(resources, team)
        assert await subjects(outbox) == ["No backup for 4 days from Laptop 2"]

    async def test_an_expired_session_does_not_stop_the_mail(
        self, laptop: Device, team: Team, resources: Resources, outbox: Outbox, days_pass: Pass,
        platform: Connection,
    ) -> None:  # fmt: skip
        await report(laptop)
        await platform.execute(
            "UPDATE sessions SET expires_at = now() - interval '1 day',"
            " last_seen_at = now() - interval '30 days'"
        )
        await days_pass(40)
        assert team.company.id in await queries.companies_to_remind(platform)
        await remind(resources, team)
        assert len(await outbox.messages()) == 1

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE users SET is_active = false WHERE company_id = $1 AND role = 'teamMember'",
            "UPDATE companies SET is_enabled = false WHERE id = $1",
            "UPDATE companies SET deactivated_for_debt_at = now() WHERE id = $1",
            "UPDATE sessions SET ended_at = now() WHERE company_id = $1",
            "DELETE FROM users WHERE company_id = $1 AND role = 'teamMember'",
        ],
    )
    async def test_nobody_without_access_is_mailed(
        self, statement: str, laptop: Device, team: Team, resources: Resources, outbox: Outbox,
        days_pass: Pass, platform: Connection,
    ) -> None:  # fmt: skip
        await report(laptop)
        await days_pass(4)
        await platform.execute(statement, team.company.id)
        await remind(resources, team)
        assert await outbox.messages() == []

    async def test_a_removed_backup_reminds_of_nothing(
        self, laptop: Device, team: Team, resources: Resources, outbox: Outbox, days_pass: Pass
    ) -> None:
        await report(laptop)
        await days_pass(4)
        for _ in range(2):
            await laptop.ok("DELETE", f"/backups/{BACKUP}")
        await remind(resources, team)
        assert await outbox.messages() == []

    async def test_days_are_counted_alike_in_every_time_zone(
        self, laptop: Device, team: Team, resources: Resources, days_pass: Pass
    ) -> None:
        await report(laptop, days=90)
        await days_pass(89.99)
        async with resources.database.tenant(team.company.id) as connection:
            for zone in ("UTC", "Pacific/Kiritimati", "America/New_York"):
                await connection.execute(f"SET LOCAL TimeZone = '{zone}'")
                assert await queries.take_overdue(connection, team.company.id) == []
        await days_pass(0.02)
        async with resources.database.tenant(team.company.id) as connection:
            await connection.execute("SET LOCAL TimeZone = 'America/New_York'")
            (reminder,) = await queries.take_overdue(connection, team.company.id)
        assert reminder.days == 90


class TestReports:
    async def test_overdue_devices_are_shown_to_their_user_alone(
        self, laptop: Device, leader: Device, team: Team, days_pass: Pass, people: People,
        make: Factory,
    ) -> None:  # fmt: skip
        await report(laptop)
        assert await laptop.ok("GET", "/backups/overdue") == {"devices": []}
        await days_pass(5)
        overdue = {"devices": [{"name": "Laptop", "days": 5}]}
        assert await laptop.ok("GET", "/backups/overdue") == overdue
        assert await leader.ok("GET", "/backups/overdue") == {"devices": []}
        stranger = (await people.team()).member
        other = Device(laptop.http, stranger, await make.session(stranger, client="Other"))
        # The same id of somebody else is another backup.
        await report(other)
        await other.ok("DELETE", f"/backups/{BACKUP}")
        await leader.ok("DELETE", f"/backups/{BACKUP}")
        assert await laptop.ok("GET", "/backups/overdue") == overdue

    @pytest.mark.parametrize(
        ("backup", "body"),
        [
            (BACKUP, {"days": 0, "isCompleted": True}),
            (BACKUP, {"days": 91, "isCompleted": True}),
            (BACKUP, {"days": None, "isCompleted": True}),
            (BACKUP, {"days": 3}),
            ("Documents", {"days": 3, "isCompleted": True}),
            (BACKUP.upper(), {"days": 3, "isCompleted": True}),
        ],
    )
    async def test_a_malformed_report_is_refused(
        self, backup: str, body: object, laptop: Device
    ) -> None:
        assert (await laptop.call("PUT", f"/backups/{backup}", body)).status_code == 422

    async def test_backups_of_a_device_and_reports_of_an_account_are_limited(
        self, laptop: Device, make: Factory, team: Team, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "backups", 2)
        monkeypatch.setitem(limits.CHANGED, "backup_reports", 5)
        await report(laptop)
        await report(laptop, OTHER)
        body = {"days": 3, "isCompleted": True}
        refused = await laptop.call("PUT", f"/backups/{'a' * 16}", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "too_many_backups")
        await report(laptop)
        desktop = Device(laptop.http, team.member, await make.session(team.member, client="PC"))
        await report(desktop, "a" * 16)
        assert (await laptop.call("PUT", f"/backups/{BACKUP}", body)).status_code == 429
