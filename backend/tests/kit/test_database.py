import asyncio

import pytest

from tessera.kit.database import Pool
from tessera.kit.embedded_postgres import EmbeddedUrls


@pytest.fixture
async def pool(urls: EmbeddedUrls):  # type: ignore[no-untyped-def]  # noqa: ANN201
    pool = Pool(urls.app, 2, 500)
    await pool.open()
    yield pool
    await pool.close()


async def test_those_who_wait_are_served_in_order(pool: Pool) -> None:
    """With both connections taken, twelve waiting callers are served one after the other."""
    first, second = await pool.acquire(), await pool.acquire()
    served: list[int] = []

    async def client(number: int) -> None:
        connection = await pool.acquire()
        served.append(number)
        await pool.release(connection)

    tasks = []
    for number in range(12):
        tasks.append(asyncio.create_task(client(number)))
        await asyncio.sleep(0)
    assert served == []
    await pool.release(first)
    await asyncio.gather(*tasks)
    await pool.release(second)
    assert served == list(range(12))


async def test_a_slow_statement_is_stopped(pool: Pool) -> None:
    with pytest.raises(Exception, match="statement timeout"):
        async with pool.transaction() as connection:
            await connection.execute("SELECT pg_sleep(5)")
    async with pool.transaction() as connection:
        assert await connection.fetchval("SELECT 1") == 1


async def test_an_error_rolls_back_and_frees_the_connection(pool: Pool) -> None:
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            async with pool.transaction():
                raise ZeroDivisionError
    assert pool.in_use == 0
