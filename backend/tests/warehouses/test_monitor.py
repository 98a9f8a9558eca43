import asyncio
import inspect
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI

from tessera.integrations.clouds import CloudError, ConnectionFailure
from tessera.kit import workflows as engine
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.warehouses import workflows
from tessera.warehouses.health import service as health_checks
from tessera.warehouses.health.monitor import check_due
from tests.factories.accounts import Company, Outbox
from tests.factories.people import People, Team
from tests.factories.warehouses import S3_FORM, Stored, Warehouses


class StandIns:
    """Clouds in memory, one per path; `failing` names those that are unreachable."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.failing: set[str] = set()
        self.busy = self.maximum = self.calls = 0

    def open(self, type: int, form: Mapping[str, str]) -> "StandIn":  # noqa: A002
        return StandIn(self, form["path"])


class StandIn:
    def __init__(self, all_: StandIns, path: str) -> None:
        self._all = all_
        self._path = path

    async def read(self, path: str) -> bytes | None:
        await self._answer()
        return self._all.files.get(self._path)

    async def write(self, path: str, content: bytes) -> None:
        await self._answer()
        self._all.files[self._path] = content

    async def _answer(self) -> None:
        every = self._all
        every.calls += 1
        every.busy += 1
        every.maximum = max(every.maximum, every.busy)
        await asyncio.sleep(0.01)
        every.busy -= 1
        if self._path in every.failing:
            raise CloudError(ConnectionFailure.UNREACHABLE)


@pytest.fixture
def clouds(monkeypatch: pytest.MonkeyPatch) -> StandIns:
    stand_ins = StandIns()
    monkeypatch.setattr(health_checks, "clouds", lambda _: stand_ins)
    return stand_ins


@pytest.fixture
def resources(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Resources:
    resources: Resources = app.state.resources
    monkeypatch.setattr(engine, "_resources", resources)
    return resources


@pytest.fixture
async def watched(warehouses: Warehouses, team: Team) -> Stored:
    return await warehouses.add(team.company.id, {**S3_FORM, "path": "watched"})


async def round_(resources: Resources, platform: Connection) -> None:
    """Runs a round as if the next interval had come."""
    await platform.execute("UPDATE warehouses SET next_check_at = now() - interval '1 second'")
    await check_due(resources, time.time(), 0, 1)


class TestRound:
    @pytest.mark.spec("9.22")
    async def test_monitor_checks_all_companies_and_the_platform_s_own(
        self,
        resources: Resources,
        clouds: StandIns,
        people: People,
        warehouses: Warehouses,
        platform: Connection,
    ) -> None:
        stored = [await warehouses.add(1, {**S3_FORM, "path": "shared"})]
        for number in range(3):
            team = await people.team()
            for part in range(2):
                form = {**S3_FORM, "path": f"{number}-{part}"}
                stored.append(await warehouses.add(team.company.id, form))
        await round_(resources, platform)
        rows = [await warehouses.row(each) for each in stored]
        assert {row["status"] for row in rows} == {2}
        assert all(row["last_check_at"] for row in rows)
        assert clouds.calls == 2 * len(stored)
        await round_(resources, platform)
        assert clouds.calls == 3 * len(stored), "a fresh file is read, and not written"

    async def test_what_is_not_due_is_left_alone(
        self, resources: Resources, clouds: StandIns, watched: Stored, platform: Connection
    ) -> None:
        await round_(resources, platform)
        calls = clouds.calls
        await check_due(resources, time.time(), 0, 1)
        assert clouds.calls == calls

    async def test_the_next_time_keeps_the_company_s_place(
        self, resources: Resources, clouds: StandIns, watched: Stored, warehouses: Warehouses,
        platform: Connection,
    ) -> None:  # fmt: skip
        places = set()
        for _ in range(2):
            await round_(resources, platform)
            row = await warehouses.row(watched)
            ahead = row["next_check_at"] - datetime.now(UTC)
            assert timedelta(seconds=149) <= ahead <= timedelta(seconds=450)
            places.add(round(row["next_check_at"].timestamp() % 300, 3))
        assert len(places) == 1

    async def test_places_are_spread_over_the_interval(self, platform: Connection) -> None:
        counted = await platform.fetch(
            "SELECT width_bucket(extract(epoch FROM next_warehouse_check(c, 300))::numeric % 300,"
            " 0, 300, 30) AS b, count(*) FROM generate_series(2, 3001) AS c GROUP BY 1"
        )
        assert len(counted) == 30
        assert all(80 <= row["count"] <= 120 for row in counted)

    async def test_parts_share_the_work(
        self, resources: Resources, clouds: StandIns, people: People, warehouses: Warehouses,
        platform: Connection,
    ) -> None:  # fmt: skip
        for number in range(6):
            team = await people.team()
            await warehouses.add(team.company.id, {**S3_FORM, "path": str(number)})
        await platform.execute("UPDATE warehouses SET next_check_at = now() - interval '1 second'")
        checked = []
        for part in range(3):
            await check_due(resources, time.time(), part, 3)
            checked.append(
                await platform.fetchval("SELECT count(*) FROM warehouses WHERE status = 2")
            )
        assert checked == [2, 4, 6]

    async def test_two_rounds_at_once_check_once(
        self, resources: Resources, clouds: StandIns, watched: Stored, platform: Connection
    ) -> None:
        await platform.execute("UPDATE warehouses SET next_check_at = now() - interval '1 second'")
        await asyncio.gather(*(check_due(resources, time.time(), 0, 1) for _ in range(4)))
        assert clouds.calls == 2

    async def test_a_round_that_was_cut_off_is_made_up_for(
        self, resources: Resources, clouds: StandIns, watched: Stored, platform: Connection
    ) -> None:
        """The lease of a dead process expires."""
        async with resources.database.tenant(watched.company_id) as connection:
            from tessera.warehouses.health import queries as health_queries

            taken = await health_queries.claim_due(
                connection, watched.company_id, time.time() + 1, lease_seconds=60
            )
            assert len(taken) == 1
        await check_due(resources, time.time(), 0, 1)
        assert clouds.calls == 0
        await platform.execute("UPDATE warehouses SET next_check_at = now() - interval '1 second'")
        await check_due(resources, time.time(), 0, 1)
        assert clouds.calls == 2

    async def test_problem_of_one_company_does_not_stop_the_round(
        self, resources: Resources, clouds: StandIns, watched: Stored, people: People,
        warehouses: Warehouses, platform: Connection,
    ) -> None:  # fmt: skip
        broken = await warehouses.add((await people.team()).company.id)
        await platform.execute(
            "UPDATE data_keys SET wrapped = '\\x00' WHERE company_id = $1", broken.company_id
        )
        await round_(resources, platform)
        assert (await warehouses.row(watched))["status"] == 2
        row = await warehouses.row(broken)
        assert (row["status"], row["last_check_at"]) == (0, None)

    async def test_warehouse_that_waits_for_its_own_check_is_left_to_it(
        self, resources: Resources, clouds: StandIns, watched: Stored, platform: Connection
    ) -> None:
        await platform.execute("UPDATE warehouses SET checking_since = now()")
        await round_(resources, platform)
        assert clouds.calls == 0
        await platform.execute(
            "UPDATE warehouses SET checking_since = now() - interval '11 minutes'"
        )
        await round_(resources, platform)
        assert clouds.calls == 2
        assert await platform.fetchval("SELECT checking_since FROM warehouses") is None


class TestBounds:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"monitor_concurrency": 3}

    async def test_so_many_clouds_at_once_and_not_more(
        self, resources: Resources, clouds: StandIns, people: People, warehouses: Warehouses,
        platform: Connection,
    ) -> None:  # fmt: skip
        for number in range(4):
            team = await people.team()
            for part in range(3):
                form = {**S3_FORM, "path": f"{number}-{part}"}
                await warehouses.add(team.company.id, form)
        await round_(resources, platform)
        assert clouds.maximum == 3


class TestChanges:
    async def transitions(self, platform: Connection) -> list[tuple[int, str | None]]:
        rows = await platform.fetch("SELECT status, error FROM warehouse_transitions ORDER BY id")
        return [(row["status"], row["error"]) for row in rows]

    async def test_transitions_are_kept_and_not_every_check(
        self, resources: Resources, clouds: StandIns, watched: Stored, platform: Connection
    ) -> None:
        for failing in ((), (), ("watched",), ("watched",), (), ()):
            clouds.failing = set(failing)
            await round_(resources, platform)
        assert await self.transitions(platform) == [(2, None), (0, "unreachable"), (2, None)]
        recorded = await platform.fetch(
            "SELECT details FROM activity WHERE action = 'warehouse.statusChanged' ORDER BY id"
        )
        assert len(recorded) == 2

    async def test_leader_gets_one_mail_per_transition_in_their_language(
        self, resources: Resources, clouds: StandIns, watched: Stored, team: Team, outbox: Outbox,
        platform: Connection,
    ) -> None:  # fmt: skip
        await platform.execute("UPDATE users SET language = 'tr' WHERE id = $1", team.leader.id)
        await round_(resources, platform)
        assert await outbox.messages() == [], "becoming Active for the first time is no news"
        clouds.failing = {"watched"}
        await round_(resources, platform)
        await round_(resources, platform)
        lost = await outbox.messages()
        assert [mail["to"] for mail in lost] == [team.leader.email]
        assert lost[0]["subject"] == "AWS S3 deposu artık Etkin değil"
        assert "ulaşılamıyor" in lost[0]["text"]
        assert lost[0]["link"] == "http://console.test/warehouses"
        clouds.failing = set()
        await round_(resources, platform)
        await round_(resources, platform)
        subjects = [mail["subject"] for mail in await outbox.messages()]
        assert subjects[1:] == ["AWS S3 deposu yeniden Etkin"]

    async def test_change_from_connected_to_not_connected_sends_no_mail(
        self, resources: Resources, clouds: StandIns, watched: Stored, outbox: Outbox,
        platform: Connection,
    ) -> None:  # fmt: skip
        await round_(resources, platform)
        clouds.files.clear()
        await round_(resources, platform)
        clouds.failing = {"watched"}
        await round_(resources, platform)
        assert len(await outbox.messages()) == 1
        states = [status for status, _ in await self.transitions(platform)]
        assert states == [2, 1, 0]

    async def test_admins_are_notified_about_the_platform_s_own(
        self, resources: Resources, clouds: StandIns, people: People, warehouses: Warehouses,
        outbox: Outbox, platform: Connection,
    ) -> None:  # fmt: skip
        admin = await people.admin()
        await warehouses.add(1, {**S3_FORM, "path": "shared"})
        await round_(resources, platform)
        clouds.failing = {"shared"}
        await round_(resources, platform)
        assert [mail["to"] for mail in await outbox.messages()] == [admin.email]


class TestPlanning:
    async def test_stretches_are_planned_once(
        self, resources: Resources, team: Team, warehouses: Warehouses, platform: Connection
    ) -> None:
        late = await warehouses.add(team.company.id)
        soon = await warehouses.add(team.company.id)
        later = await warehouses.add(team.company.id)
        for stored, seconds in ((late, -500), (soon, 35), (later, 200)):
            await platform.execute(
                "UPDATE warehouses SET next_check_at = now() + make_interval(secs => $2)"
                " WHERE id = $1",
                stored.id, seconds,
            )  # fmt: skip
        for _ in range(2):
            await inspect.unwrap(workflows.monitor_round)()
        async with resources.database.without_tenant() as connection:
            rows = await connection.fetch(
                "SELECT workflow_uuid, delay_until_epoch_ms FROM dbos.workflow_status"
                " WHERE name = $1 ORDER BY delay_until_epoch_ms",
                workflows.check_window.name,
            )
        # If a second passes between the two plans, late warehouses may get another stretch.
        assert len(rows) in {2, 3}
        assert rows[-1]["delay_until_epoch_ms"] / 1000 - time.time() > 15

    async def test_old_rows_are_swept(
        self, resources: Resources, watched: Stored, platform: Connection
    ) -> None:
        for days in (200, 120, 91, 40, 3):
            await platform.execute(
                "INSERT INTO warehouse_transitions (company_id, warehouse_id, at, status)"
                " VALUES ($1, $2, now() - make_interval(days => $3), 2)",
                watched.company_id, watched.id, days,
            )  # fmt: skip
        await inspect.unwrap(workflows.sweep_warehouses)()
        left = await platform.fetch(
            "SELECT extract(day FROM now() - at)::int AS days FROM warehouse_transitions ORDER BY 1"
        )
        assert [row["days"] for row in left] == [3, 40, 91]


async def test_deleting_a_company_deletes_keys_and_warehouses(
    warehouses: Warehouses, people: People, platform: Connection
) -> None:
    team = await people.team()
    company: Company = team.company
    await warehouses.add(company.id)
    await warehouses.add(1)
    await platform.execute(
        "INSERT INTO shared_warehouses (company_id, warehouse_id)"
        " SELECT $1, id FROM warehouses WHERE company_id = 1",
        company.id,
    )
    await platform.execute("DELETE FROM companies WHERE id = $1", company.id)
    for table in ("data_keys", "warehouses"):
        rows = await platform.fetch(f"SELECT company_id FROM {table}")
        assert [row["company_id"] for row in rows] == [1]
    assert await platform.fetchval("SELECT count(*) FROM shared_warehouses") == 0
