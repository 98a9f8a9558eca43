"""The call that waits until a log has new entries."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from tessera import limits
from tessera.authz.context import Identity
from tessera.kit.announcements import CHANNEL
from tessera.kit.database import Connection, connect
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.storage.log import following as following_calls
from tests.fixtures.process import Service
from tests.storage.client import Device, SpaceClient


@pytest.fixture(autouse=True)
async def listening(resources: Resources, settings: Settings) -> AsyncIterator[Connection]:
    """As the workflow engine does, which these tests do without."""
    connection = await connect(settings.database_url)
    await resources.announcements.listen(connection)
    yield connection
    await connection.close()


def following(*spaces: SpaceClient, behind: int = 0, seconds: int = 50) -> dict[str, Any]:
    known = [
        {"id": str(space.id), "sequence": space.state.sequence - behind} for space in spaces
    ]  # fmt: skip
    return {"spaces": known, "seconds": seconds}


async def next_change(device: Device, *spaces: SpaceClient) -> dict[str, Any]:
    """Asks again after an empty answer, as the client does: what is announced may have happened
    before the call."""
    while not (answer := await device.ok("POST", "/changes", following(*spaces)))["changed"]:
        pass
    return dict(answer)


async def test_device_that_is_behind_is_answered_at_once(
    leader: Device, space: SpaceClient
) -> None:
    answer = await leader.ok("POST", "/changes", following(space, behind=1))
    assert answer == {"changed": [str(space.id)]}


async def test_device_is_answered_when_something_is_appended(
    leader: Device, space: SpaceClient
) -> None:
    held = asyncio.create_task(next_change(leader, space))
    await asyncio.sleep(0.3)
    assert not held.done()
    await space.change(leader)
    assert await asyncio.wait_for(held, 10) == {"changed": [str(space.id)]}


async def test_thousands_who_are_told_at_once_do_not_ask_the_database(
    leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, changed = list[UUID](), following_calls._changed

    async def look(identity: Identity, known: Mapping[UUID, int]) -> list[UUID]:
        looks.extend(known)
        return await changed(identity, known)

    monkeypatch.setattr(following_calls, "_changed", look)
    held = [asyncio.create_task(next_change(leader, space)) for _ in range(5)]
    await asyncio.sleep(0.5)
    before = len(looks)
    assert before >= 5
    await space.change(leader)
    answers = await asyncio.wait_for(asyncio.gather(*held), 10)
    assert answers == [{"changed": [str(space.id)]}] * 5
    assert len(looks) == before


@pytest.mark.parametrize("number", ["", " 1"])
async def test_announcement_of_what_is_known_tells_nothing(
    leader: Device, space: SpaceClient, listening: Connection, number: str
) -> None:
    """The first is as 0.8.0 announces, the second comes late."""
    await space.change(leader)
    held = asyncio.create_task(leader.ok("POST", "/changes", following(space)))
    await asyncio.sleep(0.3)
    await listening.execute("SELECT pg_notify($1, $2)", CHANNEL, f"{space.id}{number}")
    assert await asyncio.wait_for(held, 10) == {"changed": []}


async def test_nothing_happens_until_the_time_is_over(leader: Device, space: SpaceClient) -> None:
    assert await leader.ok("POST", "/changes", following(space, seconds=1)) == {"changed": []}


async def test_space_of_others_looks_like_one_that_does_not_exist(
    member: Device, space: SpaceClient
) -> None:
    foreign = following(space)
    foreign["spaces"].append({"id": str(uuid4()), "sequence": 1})
    answer = await member.ok("POST", "/changes", foreign)
    assert answer == {"changed": [each["id"] for each in foreign["spaces"]]}


async def test_too_many_waiting_calls_are_answered_at_once(
    leader: Device, space: SpaceClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits.CHANGED, "held_calls", 0)
    answer = await asyncio.wait_for(leader.ok("POST", "/changes", following(space)), 10)
    assert answer == {"changed": []}


async def test_waiting_call_holds_no_connection(leader: Device, space: SpaceClient) -> None:
    held = [asyncio.create_task(next_change(leader, space)) for _ in range(15)]
    await asyncio.sleep(0.5)
    for _ in range(3):
        await leader.ok("GET", "/spaces")
    await space.change(leader)
    answers = await asyncio.wait_for(asyncio.gather(*held), 20)
    assert all(answer["changed"] for answer in answers)


@pytest.mark.extended
@pytest.mark.timeout(300)
async def test_process_that_stops_answers_the_calls_it_holds(
    leader: Device, space: SpaceClient, service: Service
) -> None:
    held = asyncio.create_task(
        asyncio.to_thread(
            httpx.post,
            f"{service.address}/api/storage/changes",
            json=following(space),
            headers=leader.headers,
            timeout=60,
        )
    )
    metrics = f"{service.address}/metrics"
    while "tessera_held_calls 1.0" not in (await asyncio.to_thread(httpx.get, metrics)).text:
        assert not held.done(), held.result().text
    # It ends 15 s later at most, and the call would be held for 50.
    assert await asyncio.to_thread(service.stop) == 0
    answer = await held
    assert (answer.status_code, answer.json()) == (200, {"changed": []})
