"""Mails about what happened to an account, a warehouse, a key or a company."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.companies.deletion.service import send_proofs
from tests.companies.test_passphrase import pair
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team(warehouses=True)


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader, verified=True)


@pytest.fixture
async def admin(people: People, make: Factory) -> dict[str, str]:
    return await make.session(await people.admin(), verified=True)


async def sent(outbox: Outbox) -> list[tuple[str, str]]:
    return [(mail["to"], mail["subject"]) for mail in await outbox.messages()]


class TestToMembers:
    async def test_when_they_are_disabled_but_not_when_they_are_enabled(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str], outbox: Outbox
    ) -> None:
        for enabled in (False, True):
            path = f"/api/user/status/{team.member.uuid}"
            answer = await client.put(path, json={"enabled": enabled}, headers=leader)
            assert answer.status_code == 200
        assert await sent(outbox) == [(team.member.email, "Your Tessera account is disabled")]

    async def test_when_they_are_removed(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str], outbox: Outbox
    ) -> None:
        await client.delete(f"/api/user/{team.member.uuid}", headers=leader)
        assert await sent(outbox) == [(team.member.email, "Your Tessera account was removed")]


class TestToTheLeader:
    async def test_when_the_passphrase_changes(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str], outbox: Outbox
    ) -> None:
        body = {"passphrase": pair(team.leader, 1)}
        await client.put("/api/company/passphrase", json=body, headers=leader)
        assert await sent(outbox) == [(team.leader.email, "Your company’s passphrase was changed")]

    async def test_when_the_encryption_key_is_rotated(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str], outbox: Outbox
    ) -> None:
        await client.put("/api/company/newkey", headers=leader)
        assert await sent(outbox) == [(team.leader.email, f"{team.name} has a new encryption key")]

    async def test_when_a_warehouse_is_removed(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        warehouses: Warehouses,
    ) -> None:
        stored = await warehouses.add(team.company.id)
        await client.delete(f"/api/warehouse/{stored.id}", headers=leader)
        assert await sent(outbox) == [(team.leader.email, "Warehouse AWS S3 was removed")]

    async def test_when_the_company_is_disabled_and_enabled(
        self, client: httpx.AsyncClient, team: Team, admin: dict[str, str], outbox: Outbox
    ) -> None:
        for enabled in (False, False, True):
            path = f"/api/company/status/{team.company.id}"
            await client.put(path, json={"enabled": enabled}, headers=admin)
        assert await sent(outbox) == [
            (team.leader.email, f"{team.name} is disabled on Tessera"),
            (team.leader.email, f"{team.name} is enabled on Tessera again"),
        ]

    async def test_when_the_company_is_deleted(
        self,
        app: FastAPI,
        client: httpx.AsyncClient,
        team: Team,
        admin: dict[str, str],
        outbox: Outbox,
    ) -> None:
        body: dict[str, Any] = {"name": team.name}
        path = f"/api/company/{team.company.id}"
        answer = await client.request("DELETE", path, json=body, headers=admin)
        assert answer.status_code == 204
        await send_proofs(app.state.resources)
        assert await sent(outbox) == [(team.leader.email, f"{team.name} was deleted from Tessera")]
