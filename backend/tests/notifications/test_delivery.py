"""Messages are sent exactly once, with the real engine in a real process that gets killed."""

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, User
from tests.fixtures.kill_points import Hold
from tests.fixtures.process import Service
from tests.fixtures.waiting import eventually

pytestmark = pytest.mark.timeout(240)


async def ask_for_code(service: Service, user: User) -> None:
    async with httpx.AsyncClient(base_url=service.address, timeout=30) as client:
        answer = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert answer.status_code == 200, answer.text


async def test_a_message_is_sent_and_only_its_id_is_kept(
    service: Service, make: Factory, platform: Connection, owner: Connection
) -> None:
    user = await make.user()
    await ask_for_code(service, user)

    async def arrived() -> bool:
        return bool(
            await platform.fetchval(
                "SELECT count(*) FROM messages WHERE sent_at > now() - interval '1 hour'"
            )
        )

    await eventually(arrived, "the message is sent")
    sent = await platform.fetch("SELECT recipient, code FROM sandbox_outbox")
    assert [row["recipient"] for row in sent] == [user.phone_number]
    assert await platform.fetchval("SELECT count(*) FROM messages WHERE sealed IS NOT NULL") == 0
    async with httpx.AsyncClient(base_url=service.address) as client:
        listed = await client.get("/api/sandbox/outbox", params={"to": user.phone_number})
        page = await client.get("/sandbox/outbox")
    assert listed.json()[0]["code"] == sent[0]["code"]
    code = sent[0]["code"]
    assert code in page.text
    inputs = await owner.fetch("SELECT inputs FROM dbos.workflow_input")
    assert inputs
    assert not [row for row in inputs if code in str(row["inputs"])]
    assert not [row for row in inputs if user.phone_number in str(row["inputs"])]
    assert code not in service.log
    assert user.email not in service.log
    assert service.stop() == 0


@pytest.mark.extended
@pytest.mark.parametrize(
    "event",
    ["INSERT ON sandbox_outbox", "UPDATE OF sent_at ON messages"],
    ids=["sending", "noting"],
)
async def test_killed_in_the_middle_it_is_sent_once(
    service: Service, make: Factory, platform: Connection, hold: Hold, event: str
) -> None:
    """`sending`: killed before the message is sent. `noting`: sent, but not yet recorded."""
    user = await make.user()
    await hold.at(event)
    await ask_for_code(service, user)
    await hold.kill(service)
    assert await platform.fetchval("SELECT count(*) FROM messages WHERE sent_at IS NOT NULL") == 0
    service.start()

    async def sent() -> bool:
        return bool(
            await platform.fetchval("SELECT count(*) FROM messages WHERE sent_at IS NOT NULL")
        )

    await eventually(sent, "the message is sent after the restart")
    assert await platform.fetchval("SELECT count(*) FROM sandbox_outbox") == 1
