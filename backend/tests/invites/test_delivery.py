"""Many invitations at once, with the real queue."""

import asyncio

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.fixtures.process import Service


@pytest.mark.extended
async def test_every_invitation_of_a_list_is_mailed_and_counted(
    service: Service, make: Factory, people: People, platform: Connection
) -> None:
    team = await people.team()
    await platform.execute("DELETE FROM invites")
    headers = await make.session(team.leader)
    addresses = {f"person{number}@x.test" for number in range(40)}
    async with httpx.AsyncClient(base_url=service.address, timeout=60) as client:
        body = [{"email_address": address} for address in addresses]
        answer = await client.post("/api/invite/users/", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        progress = {"total": 40, "sent": 0, "failed": 0}
        for _ in range(300):
            asked = await client.get("/api/invites/progress", headers=headers)
            progress = asked.json()
            if progress["sent"] == 40:
                break
            await asyncio.sleep(0.2)
    assert progress == {"total": 40, "sent": 40, "failed": 0}
    sent = await platform.fetch("SELECT recipient, link FROM sandbox_outbox")
    assert {row["recipient"] for row in sent} == addresses
    assert len({row["link"] for row in sent}) == 40
