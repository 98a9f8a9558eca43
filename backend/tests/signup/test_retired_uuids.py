"""The uuid of a deleted member or company is never accepted again."""

import asyncio
import hashlib
from typing import Any
from uuid import UUID

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core.kdf import salt_from_text
from tests.factories.accounts import Factory, sealed_user_key
from tests.factories.people import People
from tests.signup.signup import NOTHING, Signup, with_ids
from tests.signup.test_invited import Invitation, invitation

__all__ = ["invitation"]


@pytest.fixture
async def admin(make: Factory, people: People) -> dict[str, str]:
    return await make.session(await people.admin(), verified=True)


def person_with(invitation: Invitation, uid: UUID) -> dict[str, Any]:
    person = invitation.person(uuid=str(uid))
    person["userKey"] = sealed_user_key(
        uid, invitation.company.uuid, salt_from_text(person["salt"])
    )
    return person


@pytest.fixture
async def leader(make: Factory, invitation: Invitation) -> dict[str, str]:
    return await make.session(invitation.leader, verified=True)


async def delete_company(client: httpx.AsyncClient, admin: dict[str, str], company_id: int) -> None:
    answer = await client.request("DELETE", f"/api/company/{company_id}", headers=admin)
    assert answer.status_code == 204, answer.text


async def retired(platform: Connection) -> set[bytes]:
    return {row["hash"] for row in await platform.fetch("SELECT * FROM retired_uuids")}


def hashes(*uuids: UUID) -> set[bytes]:
    return {hashlib.sha256(uuid.bytes).digest() for uuid in uuids}


class TestInvitee:
    async def test_invitee_with_the_uuid_of_a_deleted_member_is_refused(
        self,
        invitation: Invitation,
        leader: dict[str, str],
        people: People,
        platform: Connection,
    ) -> None:
        member = await people.person(invitation.company)
        removed = await invitation.signup.client.delete(f"/api/user/{member.uuid}", headers=leader)
        assert removed.status_code == 204, removed.text
        await invitation.signup.verify_phone(invitation.headers)
        answer = await invitation.register(person_with(invitation, member.uuid))
        assert (answer.status_code, answer.json()["code"]) == (409, "uuid_taken")
        assert await platform.fetchval("SELECT state FROM invites") == "open"
        assert (await invitation.register(invitation.person())).status_code == 200

    async def test_invitee_of_another_company_with_a_retired_uuid_is_refused_too(
        self,
        invitation: Invitation,
        people: People,
        platform: Connection,
        admin: dict[str, str],
    ) -> None:
        team = await people.team()
        await delete_company(invitation.signup.client, admin, team.company.id)
        await invitation.signup.verify_phone(invitation.headers)
        for uuid in (team.member.uuid, team.company.uuid):
            answer = await invitation.register(person_with(invitation, uuid))
            assert (answer.status_code, answer.json()["code"]) == (409, "uuid_taken")

    @pytest.mark.parametrize("outcome", ["commit", "rollback"])
    async def test_who_registers_during_the_deletion_is_refused(
        self, invitation: Invitation, people: People, platform: Connection, outcome: str
    ) -> None:
        member = (await people.team()).member
        await invitation.signup.verify_phone(invitation.headers)
        deletion = platform.transaction()
        await deletion.start()
        await platform.execute("DELETE FROM users WHERE id = $1", member.id)
        call = asyncio.create_task(invitation.register(person_with(invitation, member.uuid)))
        waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"
        # The other session's lock can only be asked for.
        while not call.done() and not await platform.fetchval(waiting):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert not call.done()
        await getattr(deletion, outcome)()
        answer = await call
        assert (answer.status_code, answer.json()["code"]) == (409, "uuid_taken")


class TestSignup:
    @pytest.mark.parametrize("which", ["user", "company"])
    async def test_sign_up_with_a_uuid_of_a_deleted_company_is_refused(
        self,
        signup: Signup,
        people: People,
        platform: Connection,
        admin: dict[str, str],
        which: str,
    ) -> None:
        team = await people.team()
        await delete_company(signup.client, admin, team.company.id)
        payload = await signup.payload()
        uid = team.leader.uuid if which == "user" else UUID(payload["user"]["uuid"])
        cid = team.company.uuid if which == "company" else UUID(payload["company"]["uuid"])
        answer = await signup.register(await signup.ready(), with_ids(payload, uid, cid))
        assert (answer.status_code, answer.json()["code"]) == (409, "uuid_taken")
        # The admin is the only user, and no customer was made at the card provider.
        assert await signup.counts() == {**NOTHING, "users": 1}

    @pytest.mark.parametrize("which", ["user", "company"])
    async def test_a_uuid_retired_meanwhile_undoes_everything(
        self, signup: Signup, platform: Connection, which: str
    ) -> None:
        payload = await signup.payload()
        carry_out = signup.carry_out

        async def retire_first(registration_id: int) -> None:
            await platform.execute(
                "INSERT INTO retired_uuids VALUES ($1) ON CONFLICT DO NOTHING",
                *hashes(UUID(payload[which]["uuid"])),
            )
            await carry_out(registration_id)

        signup.carry_out = retire_first  # type: ignore[method-assign]
        answer = await signup.register(await signup.ready(), payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "uuid_taken")
        assert await signup.counts() == NOTHING


class TestRetiredUuids:
    async def test_retired_uuids_are_hashes_and_nothing_else(
        self,
        client: httpx.AsyncClient,
        people: People,
        platform: Connection,
        admin: dict[str, str],
    ) -> None:
        team = await people.team()
        await delete_company(client, admin, team.company.id)
        ids = (team.company.uuid, team.leader.uuid, team.member.uuid)
        assert await retired(platform) == hashes(*ids)
        columns = await platform.fetch(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'retired_uuids'"
        )
        assert [row["column_name"] for row in columns] == ["hash"]

    async def test_count_those_of_a_bulk_deletion(
        self,
        invitation: Invitation,
        leader: dict[str, str],
        people: People,
        platform: Connection,
    ) -> None:
        members = [await people.person(invitation.company) for _ in range(3)]
        answer = await invitation.signup.client.post(
            "/api/users/remove",
            json={"uuids": [str(member.uuid) for member in members[:2]]},
            headers=leader,
        )
        assert answer.status_code == 204, answer.text
        assert await retired(platform) == hashes(*(member.uuid for member in members[:2]))
