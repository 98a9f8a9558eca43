import time
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from tessera.kit.database import Connection
from tessera.notifications.workflows import deliver_email


@pytest.fixture
async def here(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client on the same machine."""
    local = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=local, base_url="http://x") as http:
        yield http


def value(metric: str, answer: httpx.Response) -> float:
    [line] = [line for line in answer.text.splitlines() if line.startswith(f"{metric} ")]
    return float(line.partition(" ")[2])


class TestWhoMayRead:
    @pytest.mark.parametrize("changed_settings", [{"metrics_token": "let me in"}])
    async def test_metrics_are_read_by_the_holder_of_the_token(
        self, client: httpx.AsyncClient
    ) -> None:
        assert (await client.get("/metrics")).status_code == 403
        answer = await client.get("/metrics", headers={"Authorization": "Bearer let me in"})
        assert answer.status_code == 200

    async def test_metrics_without_a_token_are_read_on_this_machine_only(
        self, client: httpx.AsyncClient, here: httpx.AsyncClient
    ) -> None:
        assert (await client.get("/metrics")).status_code == 403
        assert (await here.get("/metrics")).status_code == 200
        proxied = await here.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"})
        assert proxied.status_code == 403


class TestWhatTheyTell:
    async def test_requests_by_the_path_as_declared(self, here: httpx.AsyncClient) -> None:
        await here.delete("/api/invite/a-secret-key")
        text = (await here.get("/metrics")).text
        assert 'tessera_requests_total{method="DELETE",route="/api/invite/{key}"' in text
        assert "a-secret-key" not in text

    async def test_the_work_that_waits(self, app: FastAPI, here: httpx.AsyncClient) -> None:
        async with app.state.resources.database.without_tenant() as connection:
            await deliver_email.enqueue(connection, 2, 7, key="a mail")
        text = (await here.get("/metrics")).text
        assert 'tessera_work_waiting{queue="email"} 1.0' in text
        assert 'tessera_work_oldest_seconds{queue="email"}' in text
        assert "tessera_work_failed 0.0" in text

    async def test_age_of_the_last_backup_and_infinity_before_the_first(
        self, here: httpx.AsyncClient, platform: Connection
    ) -> None:
        assert "tessera_backup_age_seconds +Inf" in (await here.get("/metrics")).text
        await platform.execute(
            "INSERT INTO last_backup (finished_at) VALUES (now() - interval '1 hour')"
        )
        assert 3600 <= value("tessera_backup_age_seconds", await here.get("/metrics")) < 7200

    async def test_age_of_the_last_archived_segment(
        self, here: httpx.AsyncClient, platform: Connection
    ) -> None:
        """Before there is one, since when they are counted."""
        begun = time.monotonic()
        await platform.execute("SELECT pg_stat_reset_shared('archiver')")
        answer = await here.get("/metrics")
        age = value("tessera_wal_archive_age_seconds", answer)
        assert 0 <= age <= time.monotonic() - begun
        assert value("tessera_wal_archive_failures", answer) == 0

    @pytest.mark.own_database
    async def test_the_rest_when_the_database_is_away(
        self, app: FastAPI, here: httpx.AsyncClient
    ) -> None:
        await app.state.resources.database.app.close()
        answer = await here.get("/metrics")
        assert answer.status_code == 200
        assert "tessera_requests_total" in answer.text
        assert "tessera_work_waiting" not in answer.text
