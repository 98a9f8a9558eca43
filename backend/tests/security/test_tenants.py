"""Calls with another company's ids, and calls of users who have lost access."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tessera.kit.database import Connection
from tests.authz.matrix import MATRIX, Target
from tests.security.attacker import error_of, snapshot
from tests.security.cells import Attack
from tests.subscription.billing import Billing

# Parameters that identify a company's objects, wherever OpenAPI has them. Secrets that are looked
# up by hash (tokens, codes) identify nothing by themselves.
IDS = {
    "company_id", "companyId", "uuid", "userId", "key", "warehouse_id", "warehouseId", "cardId",
    "session_id", "space_id", "token_id",
}  # fmt: skip
# Anyone calls it; a signature of the named provider decides.
SIGNED = {"POST /api/auth/sso/backchannel-logout/{company_uuid}/{uuid}"}
SIGNED_IN = [row for row in MATRIX if row.own.startswith("401")]
# These create accounts: the caller chooses the ids, and a taken one gets 409.
MAKES_IDS = {"POST /api/auth/register", "POST /api/auth/register-team-leader"}


def named_ids(described: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    """The id parameters in the path, in the query and at the top level of the body."""
    found = {given["name"] for given in operation.get("parameters", [])}
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    for part in [schema, *schema.get("anyOf", [])]:
        name = part.get("$ref", "").rpartition("/")[2]
        found |= set(described["components"]["schemas"].get(name, {}).get("properties", {}))
        if name == "WarehouseUpdate":
            found.add("warehouseId")
    return found & IDS


def operations(described: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


class TestForeignIds:
    async def test_calls_that_name_a_thing_are_all_tried_with_a_foreign_one(
        self, client: httpx.AsyncClient
    ) -> None:
        described = (await client.get("/api/openapi.json")).json()
        rows = {row.call: row for row in MATRIX}
        naming = {
            call for call, operation in operations(described) if named_ids(described, operation)
        }
        assert len(naming) > 18
        cards = {"DELETE /api/payment", "PUT /api/payment/default"}
        untried = {
            call for call in naming - MAKES_IDS - SIGNED - cards if rows[call].foreign is None
        }
        assert untried == set()

    async def test_foreign_ids_read_write_and_reveal_nothing(
        self, attack: Attack, platform: Connection
    ) -> None:
        """Another company's object gets the same response as a missing one, and is not changed."""
        own, foreign = [await attack.people.team(warehouses=True) for _ in range(2)]
        theirs = await attack.target(foreign)
        nothing = Target(
            2_000_000, "Nobody", uuid4(), uuid4(), 2_000_000, 2_000_000, uuid4(), 2_000_000, uuid4()
        )
        before = await snapshot(platform, foreign.company.id)
        for row in MATRIX:
            if row.foreign is None:
                continue
            for person in (own.leader, own.member):
                headers = await attack.make.session(person, verified=True)
                named = await attack.send(row, theirs, headers)
                missing = await attack.send(row, nothing, headers)
                assert named.status_code in {403, 404}, f"{row.call}: {named.text}"
                assert named.content == missing.content, row.call
                assert set(named.headers) == set(missing.headers)
        assert await snapshot(platform, foreign.company.id) == before

    async def test_mixed_with_an_own_one(self, attack: Attack, client: httpx.AsyncClient) -> None:
        own, foreign = [await attack.people.team(warehouses=True) for _ in range(2)]
        admin = await attack.make.session(await attack.people.admin(), verified=True)
        for company, person in ((own, foreign.member), (foreign, own.member)):
            answer = await client.put(
                "/api/user/team-leader",
                params={"companyId": company.company.id, "userId": str(person.uuid)},
                headers=admin,
            )
            assert error_of(answer) == (404, "member_not_found")

    async def test_lists_and_searches_show_the_own_company_only(
        self, attack: Attack, client: httpx.AsyncClient
    ) -> None:
        own, foreign = [await attack.people.team(warehouses=True) for _ in range(2)]
        await attack.target(foreign)
        headers = await attack.make.session(own.leader)
        marks = (str(foreign.member.uuid), foreign.member.email, str(foreign.invite), foreign.name)
        for path in ("/users", "/invites", "/activity", "/all", "/activity/export"):
            for query in ({}, {"searchText": foreign.member.email}, {"searchText": "company.test"}):
                answer = await client.get(
                    f"/api{path}", params={**query, "limit": 100}, headers=headers
                )
                assert answer.status_code == 200, answer.text
                assert not any(mark in answer.text for mark in marks)

    async def test_card_of_another_company_is_out_of_reach(self, billing: Billing) -> None:
        mine, theirs = await billing.leader(), await billing.leader()
        await mine.start()
        card = (await theirs.start())["cards"][0]["id"]
        before = await billing.state(theirs.company_id)
        for method, path, more in (
            ("DELETE", "", {"params": {"cardId": card}}),
            ("PUT", "/default", {"params": {"cardId": card}}),
        ):
            answer = await mine.call(method, path, **more)
            assert error_of(answer) == (404, "card_unknown")
        added = await mine.call("POST", "/add", json={"stripeToken": card})
        assert added.status_code in {402, 422}, added.text
        await billing.settle()
        assert len((await mine.methods())["cards"]) == 1
        assert await billing.state(theirs.company_id) == before


class TestStates:
    """Covers every call that needs a session; the matrix covers the roles themselves."""

    @pytest.mark.parametrize(
        ("change", "role"),
        [
            ("UPDATE users SET is_active = false", "teamMember"),
            ("UPDATE companies SET is_enabled = false WHERE id <> 1", "teamLeader"),
            ("UPDATE companies SET deactivated_for_debt_at = now() WHERE id <> 1", "teamMember"),
        ],
    )
    async def test_disabled_user_or_company_is_refused_every_call(
        self, attack: Attack, platform: Connection, change: str, role: str
    ) -> None:
        team = await attack.people.team(warehouses=True)
        person = team.leader if role == "teamLeader" else team.member
        target = await attack.target(team)
        headers = await attack.make.session(person, verified=True)
        await platform.execute(change)
        before = await snapshot(platform, team.company.id)
        for row in SIGNED_IN:
            assert (await attack.send(row, target, headers)).status_code == 401, row.call
        assert await snapshot(platform, team.company.id) == before

    @pytest.mark.parametrize("state", ["in debt", "unsubscribed"])
    async def test_a_leader_who_does_not_pay(
        self, attack: Attack, platform: Connection, state: str
    ) -> None:
        team = await attack.people.team(subscribed=state == "in debt", warehouses=True)
        if state == "in debt":
            await platform.execute("UPDATE companies SET deactivated_for_debt_at = now()")
        target = await attack.target(team)
        for row in SIGNED_IN:
            if row.own.split()[-1] == "403":
                headers = await attack.make.session(team.leader, verified=True)
                answer = await attack.send(row, target, headers)
                assert error_of(answer)[0] == 403, row.call
                assert error_of(answer)[1] in {"subscription_required", "forbidden"}, row.call

    async def test_warehouse_calls_without_the_view_are_refused(
        self, attack: Attack, platform: Connection
    ) -> None:
        team = await attack.people.team(warehouses=False)
        target = await attack.target(team)
        headers = await attack.make.session(team.leader, verified=True)
        rows = [
            row
            for row in MATRIX
            if "warehouse" in row.call or row.call.endswith(("/all", "newkey"))
        ]
        rows = [
            row
            for row in rows
            if not any(part in row.call for part in ("payment", "storage", "/webhook"))
        ]
        assert len(rows) == 14
        before = await snapshot(platform, team.company.id)
        for row in rows:
            assert error_of(await attack.send(row, target, headers)) == (403, "forbidden"), row.call
        assert await snapshot(platform, team.company.id) == before
