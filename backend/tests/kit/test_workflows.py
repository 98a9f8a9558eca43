from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest
import sqlalchemy
from dbos._utils import retriable_postgres_exception

from tessera.kit import workflows
from tessera.kit.database import DatabaseAway
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.engine import POOL_OPTIONS
from tessera.kit.migrations import engine_url


@pytest.mark.parametrize("host", ["/nowhere", "no-such-host.invalid"])
def test_the_engine_waits_for_a_database_that_cannot_be_reached(host: str) -> None:
    engine = sqlalchemy.create_engine(f"postgresql+psycopg://tessera@/tessera?host={host}")
    with pytest.raises(sqlalchemy.exc.OperationalError) as caught:
        engine.connect()
    assert retriable_postgres_exception(caught.value)


def test_waiting_for_a_connection_of_the_engine_outlives_a_clock_that_is_set(
    urls: EmbeddedUrls, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = sqlalchemy.create_engine(
        engine_url(urls.app), pool_size=1, max_overflow=0, **POOL_OPTIONS
    )
    held = engine.connect()
    moments = iter([0.0])
    monkeypatch.setattr(sqlalchemy.util.queue, "_time", lambda: next(moments, 3_600.0))
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(engine.connect)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.5)
        held.close()
        waiting.result(timeout=30).close()
    engine.dispose()


@pytest.mark.parametrize(
    "failure", [DatabaseAway(), asyncpg.ConnectionDoesNotExistError(), asyncpg.AdminShutdownError()]
)
async def test_a_step_waits_for_a_database_that_is_away(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflows, "OUTAGE_RETRY_SECONDS", 0)
    failures = [failure] * 3

    @workflows.step(attempts=1)
    async def work(number: int) -> int:
        if failures:
            raise failures.pop()
        return number

    assert await work(7) == 7
    assert failures == []


async def test_a_step_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workflows, "OUTAGE_SECONDS", -1)

    @workflows.step(attempts=1)
    async def work() -> None:
        raise DatabaseAway

    with pytest.raises(DatabaseAway):
        await work()
