"""The platform admin's page System."""

from datetime import datetime
from typing import Any

import asyncpg
import httpx
import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.i18n import Language, translate
from tessera.kit.processes import SLOT_LOCK, connection_name
from tessera.notifications.workflows import deliver_email, deliver_sms
from tessera_core.version import __version__
from tests.clouds import provider_types
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.factories.warehouses import Warehouses
from tests.fixtures.command_line import Command

NOBODY_LISTENS = "postgresql://tessera_app@127.0.0.1:1/tessera"


class Admin:
    def __init__(self, client: httpx.AsyncClient, headers: dict[str, str]) -> None:
        self._client = client
        self._headers = headers

    async def answer(self) -> httpx.Response:
        answer = await self._client.get("/api/admin/system", headers=self._headers)
        assert answer.status_code == 200, answer.text
        return answer

    async def read(self) -> dict[str, Any]:
        body: dict[str, Any] = (await self.answer()).json()
        return body

    async def queue(self, name: str) -> dict[str, Any]:
        [queue] = [each for each in (await self.read())["queues"] if each["name"] == name]
        return dict(queue)


@pytest.fixture
async def admin(client: httpx.AsyncClient, make: Factory, people: People) -> Admin:
    return Admin(client, await make.session(await people.admin()))


async def refuse(
    platform: Connection, company_id: int, channel: str, hours_ago: float, count: int = 1
) -> None:
    await platform.execute(
        "INSERT INTO messages (company_id, channel, failed_at)"
        " SELECT $1, $2, now() - make_interval(secs => $3 * 3600) FROM generate_series(1, $4)",
        company_id, channel, hours_ago, count,
    )  # fmt: skip


async def test_new_installation_has_nothing_to_report(admin: Admin) -> None:
    system = await admin.read()
    assert {queue["name"] for queue in system["queues"]} >= {"email", "sms"}
    assert {(queue["waiting"], queue["running"]) for queue in system["queues"]} == {(0, 0)}
    assert {queue["oldest"] for queue in system["queues"]} == {None}
    assert (system["failedWorkflows"], system["failingClouds"]) == (0, [])
    assert [(each["waiting"], each["refused"]) for each in system["messages"]] == [(0, 0), (0, 0)]
    assert (system["replica"], system["lastBackupAt"], system["processes"]) == (None, None, [])


class TestQueues:
    async def test_waiting_and_running_work_is_counted_and_the_oldest_named(
        self, app: FastAPI, admin: Admin, owner: Connection
    ) -> None:
        async with app.state.resources.database.without_tenant() as connection:
            for number in range(3):
                await deliver_email.enqueue(connection, 2, number, key=f"mail {number}")
            await deliver_sms.enqueue(connection, 2, 7, key="later", after=3600)
        await owner.execute(
            "UPDATE dbos.workflow_status SET status = 'PENDING', created_at = 1700000000000"
            " WHERE workflow_uuid = 'mail 1'"
        )
        queue = await admin.queue("email")
        assert (queue["waiting"], queue["running"]) == (2, 1)
        assert queue["oldest"] == {
            "workflow": "tessera.notifications.workflows.deliver_email",
            "since": "2023-11-14T22:13:20Z",
        }
        # Work that is not due yet does not wait.
        assert (await admin.queue("sms"))["oldest"] is None

    async def test_backlog_is_counted_up_to_the_limit(
        self, admin: Admin, app: FastAPI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera.system.overview.service._LIMIT", 3)
        async with app.state.resources.database.without_tenant() as connection:
            works = {f"mail {number}": (2, number) for number in range(5)}
            await deliver_email.enqueue_many(connection, works)
        assert (await admin.queue("email"))["waiting"] == 3
        assert (await admin.read())["messages"][0]["waiting"] == 3

    async def test_failed_workflows_are_counted_up_to_the_limit_that_the_answer_names(
        self, admin: Admin, app: FastAPI, owner: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera.system.overview.service._LIMIT", 3)
        async with app.state.resources.database.without_tenant() as connection:
            works = {f"mail {number}": (2, number) for number in range(5)}
            await deliver_email.enqueue_many(connection, works)
        await owner.execute("UPDATE dbos.workflow_status SET status = 'ERROR'")
        system = await admin.read()
        assert (system["failedWorkflows"], system["countedUpTo"]) == (3, 10_000)


def reason(cause: str) -> str:
    return translate(f"warehouses.failures.{cause}", Language.EN)


class TestClouds:
    async def test_failing_clouds_are_counted_by_cloud_and_cause(
        self, admin: Admin, people: People, warehouses: Warehouses
    ) -> None:
        first, second = (await people.team()).company.id, (await people.team()).company.id
        for company_id in (first, first, second):
            await warehouses.add(company_id, last_error="unreachable")
        await warehouses.add(second, last_error="wrong_key")
        await warehouses.add(second, status=2)
        azure = {"application_name": "tiles", "account_key": "demo", "path": "tessera"}
        await warehouses.add(second, azure, provider_types.AZURE, last_error="health_stale")
        clouds = (await admin.read())["failingClouds"]
        assert [tuple(cloud.values()) for cloud in clouds] == [
            ("AWS S3", "unreachable", reason("unreachable"), 3, 2),
            ("AWS S3", "wrong_key", reason("wrong_key"), 1, 1),
            ("Azure", "health_stale", reason("health_stale"), 1, 1),
        ]

    async def test_page_names_no_company_person_address_or_secret(
        self, admin: Admin, people: People, warehouses: Warehouses, platform: Connection
    ) -> None:
        team = await people.team()
        form = {
            "bucket_name": "canary-bucket",
            "account_key": "CANARYKEY",
            "secret": "canary-secret",
            "region": "eu-central-1",
            "path": "canary-path",
        }
        await warehouses.add(
            team.company.id, form, nick_name="canary-name", last_error="unreachable"
        )
        await refuse(platform, team.company.id, "sms", 1)
        text = (await admin.answer()).text
        assert '"unreachable"' in text
        hidden = (team.leader.email, str(team.company.uuid), "canary", "CANARY")
        assert [word for word in hidden if word in text] == []


class TestMessages:
    async def test_messages_refused_within_a_day_are_counted_by_channel(
        self, admin: Admin, people: People, platform: Connection
    ) -> None:
        company_id = (await people.team()).company.id
        await refuse(platform, company_id, "sms", 2, count=2)
        await refuse(platform, company_id, "sms", 1)
        await refuse(platform, company_id, "email", 25)
        mails, sms = (await admin.read())["messages"]
        assert (mails["channel"], mails["refused"], mails["lastRefusedAt"]) == ("email", 0, None)
        assert (sms["channel"], sms["refused"]) == ("sms", 3)
        newest = await platform.fetchval("SELECT max(failed_at) FROM messages WHERE channel='sms'")
        assert sms["lastRefusedAt"] == newest.isoformat().replace("+00:00", "Z")

    async def test_many_refused_emails_hide_no_refused_sms(
        self, admin: Admin, people: People, platform: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera.system.overview.service._LIMIT", 3)
        company_id = (await people.team()).company.id
        await refuse(platform, company_id, "sms", 2)
        await refuse(platform, company_id, "email", 1, count=5)
        mails, sms = (await admin.read())["messages"]
        assert (mails["refused"], sms["refused"]) == (3, 1)


class TestReplica:
    @pytest.mark.parametrize("changed_settings", [{"database_replica_url": NOBODY_LISTENS}])
    async def test_replica_that_cannot_be_reached_is_reported_as_away(self, admin: Admin) -> None:
        replica = (await admin.read())["replica"]
        assert replica == {"state": "away", "behindBytes": None, "behindSeconds": None}

    @pytest.mark.own_database
    async def test_primary_configured_as_replica_is_reported(
        self, admin: Admin, app: FastAPI
    ) -> None:
        database = app.state.resources.database
        database.replica = type("Stand-in", (), {"pool": database.app})()
        assert (await admin.read())["replica"]["state"] == "notReplica"


class TestBackup:
    async def test_reported_backup_is_shown_and_an_older_report_changes_nothing(
        self, admin: Admin, run_command: Command
    ) -> None:
        assert (await run_command("backup", "finished", "--at", "2026-05-02")).exit_code == 0
        assert (await run_command("backup", "finished", "--at", "2026-05-01")).exit_code == 0
        assert (await admin.read())["lastBackupAt"] == "2026-05-02T00:00:00Z"
        assert (await run_command("backup", "finished")).exit_code == 0
        assert (await admin.read())["lastBackupAt"] > "2026-06-01"

    async def test_backup_of_the_future_is_refused(
        self, admin: Admin, run_command: Command
    ) -> None:
        assert (await run_command("backup", "finished", "--at", "2999-01-01")).exit_code == 2
        assert (await admin.read())["lastBackupAt"] is None


class TestProcesses:
    async def test_processes_are_those_that_hold_a_slot(
        self, admin: Admin, urls: EmbeddedUrls
    ) -> None:
        commit = "0123456789abcdef0123456789abcdef01234567"
        holders = []
        for slot, name in enumerate([connection_name(commit), "tessera"]):
            settings = {"application_name": name}
            holder = await asyncpg.connect(urls.app, server_settings=settings)
            await holder.execute("SELECT pg_advisory_lock($1, $2)", SLOT_LOCK, slot)
            holders.append(holder)
        known, other = (await admin.read())["processes"]
        assert (known["slot"], known["commit"]) == (0, commit[:12])
        assert known["version"] == __version__
        assert known["startedAt"].endswith("Z")
        assert (known["isSilent"], other["isSilent"]) == (False, False)
        # For a while, another version runs beside this one.
        assert (other["slot"], other["version"], other["startedAt"]) == (1, None, None)
        for holder in holders:
            await holder.close()
        assert (await admin.read())["processes"] == []

    async def test_process_is_silent_once_others_would_take_its_work(
        self, admin: Admin, urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tessera.system.overview.service.ORPHANED_AFTER_SECONDS", -1)
        holder = await asyncpg.connect(urls.app)
        await holder.execute("SELECT pg_advisory_lock($1, 0)", SLOT_LOCK)
        [process] = (await admin.read())["processes"]
        assert process["isSilent"] is True
        await holder.close()

    @pytest.mark.extended
    async def test_running_process_tells_version_and_last_sign_of_life(
        self, service: object, admin: Admin
    ) -> None:
        [process] = (await admin.read())["processes"]
        assert process["version"] == __version__
        started, seen = (datetime.fromisoformat(process[each]) for each in ("startedAt", "seenAt"))
        assert started < seen
