"""Mails about what happened to an account, a warehouse, a key or a company."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.companies.deletion.service import send_proofs
from tessera.identity.domains import checks
from tessera.kit.database import Connection
from tests.companies.test_passphrase import pair
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses
from tests.scim.directory import Directory, replace


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


class TestByTheDirectory:
    """And what its domains need."""

    @pytest.fixture
    async def directory(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str], platform: Connection
    ) -> Directory:
        await platform.execute(
            "INSERT INTO company_domains (company_id, domain, token, proved_at)"
            " VALUES ($1, 'company.test', 'x', now() - interval '1 day')",
            team.company.id,
        )
        made = await client.post("/api/provisioning/token", headers=leader)
        return Directory(client, team, made.json()["token"], leader)

    async def test_when_the_directory_invites_and_cancels(
        self, directory: Directory, team: Team, outbox: Outbox
    ) -> None:
        user = await directory.add("mara")
        await directory.patch(user, replace("active", False))
        invited = f"{team.name} invites you to Tessera"
        assert await sent(outbox) == [("mara@company.test", invited)]

    async def test_when_it_disables_and_removes_members(
        self, directory: Directory, team: Team, outbox: Outbox
    ) -> None:
        user = await directory.find(team.member.email)
        for active in (False, True):
            await directory.patch(user, replace("active", active))
        await directory.client.put(
            "/api/provisioning", json={"confirmDeletions": False}, headers=directory.leader
        )
        await directory.call("DELETE", f"/Users/{user['id']}")
        assert await sent(outbox) == [
            (team.member.email, "Your Tessera account is disabled"),
            (team.member.email, "Your Tessera account was removed"),
        ]

    async def test_when_it_changes_an_address_both_mailboxes_are_told(
        self, directory: Directory, team: Team, outbox: Outbox
    ) -> None:
        user = await directory.find(team.member.email)
        emails = [{"value": "new@company.test", "type": "work", "primary": True}]
        assert (await directory.patch(user, replace("emails", emails))).status_code == 200
        told = await sent(outbox)
        assert sorted(to for to, _ in told) == sorted([team.member.email, "new@company.test"])

    async def test_when_the_record_of_a_domain_is_gone_and_the_domain_is_lost(
        self,
        app: FastAPI,
        directory: Directory,
        team: Team,
        platform: Connection,
        outbox: Outbox,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        async def none(*_: object) -> list[str]:
            return []

        monkeypatch.setattr(checks, "txt_records", none)
        for _ in range(8):
            await checks.check_proved(app.state.resources, team.company.id)
            await platform.execute(
                "UPDATE company_domains SET checked_at = now() - interval '1 day'"
            )
        assert [(to, subject.replace("\u2060", "")) for to, subject in await sent(outbox)] == [
            (team.leader.email, "The DNS record of company.test is missing"),
            (team.leader.email, "company.test no longer counts as your company’s domain"),
        ]


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
