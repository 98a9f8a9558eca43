"""What happens to a process that loses its executor slot, as in a restart of the database."""

import asyncio

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.processes import SLOT_LOCK
from tessera.notifications.workflows import deliver_email
from tests.fixtures.process import Service
from tests.fixtures.waiting import eventually

pytestmark = [pytest.mark.extended, pytest.mark.timeout(300)]

HOLDER = (
    " FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
    f" WHERE d.datname = current_database() AND l.locktype = 'advisory' AND classid = {SLOT_LOCK}"
    " AND objid = 0"
)


async def cut_off(owner: Connection) -> int:
    pid: int = await owner.fetchval("SELECT l.pid" + HOLDER)
    assert await owner.fetchval("SELECT pg_terminate_backend($1, 5000)", pid)
    return pid


async def test_restarted_process_takes_its_slot_again_at_once(
    service: Service, owner: Connection
) -> None:
    before = await cut_off(owner)

    async def held_again() -> bool:
        return await owner.fetchval("SELECT l.pid" + HOLDER) not in {None, before}

    async with asyncio.timeout(10):
        await eventually(held_again, "the slot is held again")
    ready = await asyncio.to_thread(httpx.get, f"{service.address}/readyz", timeout=30)
    assert ready.status_code == 200, ready.text


async def test_process_leaves_when_another_took_its_slot(
    service: Service, owner: Connection
) -> None:
    await cut_off(owner)
    assert await owner.fetchval("SELECT pg_try_advisory_lock($1, 0)", SLOT_LOCK)

    async def ended() -> bool:
        return service.ended

    await eventually(ended, "the process has ended")
    assert "another process took the executor slot" in service.log
    # A supervisor starts it again, and it takes another slot.
    service.stop()
    await asyncio.to_thread(service.start)
    ready = await asyncio.to_thread(httpx.get, f"{service.address}/readyz", timeout=30)
    assert ready.status_code == 200, ready.text


async def test_process_does_the_work_that_it_took_without_an_answer(
    service: Service, owner: Connection
) -> None:
    """As after a failover in the middle of a commit: the work is its own, and it does not run."""
    await deliver_email.enqueue(owner, 1, 0, key="taken", after=3_600)
    await owner.execute(
        "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'slot-0'"
        " WHERE workflow_uuid = 'taken'"
    )

    async def done() -> bool:
        status = await owner.fetchval(
            "SELECT status FROM dbos.workflow_status WHERE workflow_uuid = 'taken'"
        )
        return bool(status == "SUCCESS")

    await eventually(done, "the work is done")
