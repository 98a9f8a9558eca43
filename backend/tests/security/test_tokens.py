import base64
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from joserfc import jwt
from joserfc.jwk import OctKey

from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.tokens import company_of, hash_handle, new_handle, sign_token
from tests.auth.test_passwords import new_password, reset_token
from tests.factories.accounts import Factory, Outbox, User
from tests.factories.people import People
from tests.security.attacker import alive, error_of, together
from tests.warehouses.leader import Leader


@dataclass
class World:
    """An attacker has stolen sessions of a leader and a member; their owners act."""

    client: httpx.AsyncClient
    outbox: Outbox
    leader: User
    member: User
    leading: dict[str, str]
    admin: dict[str, str]

    async def ok(self, method: str, path: str, headers: dict[str, str], **more: Any) -> None:
        answer = await self.client.request(method, f"/api{path}", headers=headers, **more)
        assert answer.is_success, answer.text


@pytest.fixture
async def world(client: httpx.AsyncClient, make: Factory, people: People, outbox: Outbox) -> World:
    leader = await make.user()
    member = await make.user(leader.company, "teamMember")
    admin = await make.session(await people.admin(), verified=True)
    return World(client, outbox, leader, member, await make.session(leader, verified=True), admin)


async def log_out(world: World, stolen: dict[str, str]) -> None:
    await world.ok("POST", "/auth/logout", stolen)


async def disable(world: World, stolen: dict[str, str]) -> None:
    path = f"/user/status/{world.member.uuid}"
    await world.ok("PUT", path, world.leading, json={"enabled": False})
    assert not await alive(world.client, stolen)
    await world.ok("PUT", path, world.leading, json={"enabled": True})


async def remove(world: World, stolen: dict[str, str]) -> None:
    await world.ok("DELETE", f"/user/{world.member.uuid}", world.leading)


async def disable_company(world: World, stolen: dict[str, str]) -> None:
    path = f"/company/status/{world.member.company.id}"
    await world.ok("PUT", path, world.admin, json={"enabled": False})
    assert not await alive(world.client, stolen)
    await world.ok("PUT", path, world.admin, json={"enabled": True})


async def reset(world: World, stolen: dict[str, str]) -> None:
    token = await reset_token(world.client, world.outbox, world.member)
    body = {"token": token, **new_password(world.member)}
    await world.ok("POST", "/auth/reset-password", {}, json=body)


async def change_password(world: World, stolen: dict[str, str]) -> None:
    own = await world.client.post("/api/auth/login-onboard", json=world.member.credentials)
    assert own.status_code == 200
    code = await world.outbox.code(world.member.phone_number)
    session = await world.client.post(
        "/api/auth/verify-otp", json={**world.member.credentials, "otp": code}
    )
    headers = {"Authorization": f"Bearer {session.json()['access_token']}"}
    body = {"oldPassword": world.member.secret, **new_password(world.member)}
    await world.ok("PUT", "/auth/password", headers, json=body)
    assert await alive(world.client, headers)


class TestOldToken:
    """A stolen session ends, and does not become valid again when access is restored."""

    @pytest.mark.parametrize(
        "event", [log_out, disable, remove, disable_company, reset, change_password]
    )
    async def test_stolen_token_is_dead_after_the_event(
        self,
        world: World,
        make: Factory,
        event: Callable[[World, dict[str, str]], Awaitable[None]],
    ) -> None:
        stolen = await make.session(world.member)
        assert await alive(world.client, stolen)
        await event(world, stolen)
        assert not await alive(world.client, stolen)

    async def test_token_of_a_former_leader_has_no_more_rights(
        self, world: World, make: Factory
    ) -> None:
        stolen = await make.session(world.leader, verified=True)
        await world.ok("PUT", f"/user/team-leader/{world.member.uuid}", world.leading)
        assert not await alive(world.client, stolen)
        again = await make.session(world.leader, verified=True)
        for method, path in (
            ("GET", "/users"),
            ("GET", "/company/passphrase"),
            ("PUT", f"/user/team-leader/{world.leader.uuid}"),
            ("GET", "/payment/methods"),
        ):
            answer = await world.client.request(method, f"/api{path}", headers=again)
            assert error_of(answer) == (403, "forbidden")

    async def test_used_while_it_ends(self, world: World, make: Factory) -> None:
        """Each call either precedes the end of the session or is rejected."""
        stolen = await make.session(world.leader, verified=True)
        calls = [lambda: world.client.get("/api/users", headers=stolen)] * 12
        hand_on = f"/api/user/team-leader/{world.member.uuid}"
        answers = await together([*calls, lambda: world.client.put(hand_on, headers=world.leading)])
        assert {answer.status_code for answer in answers} <= {200, 401}
        assert answers[-1].status_code == 200
        assert not await alive(world.client, stolen)


class TestForgedTokens:
    async def test_algorithm_key_audience_and_session(
        self, client: httpx.AsyncClient, make: Factory, app: FastAPI
    ) -> None:
        headers = await make.session(await make.user())
        head, body, signature = headers["Authorization"].removeprefix("Bearer ").split(".")
        claims = json.loads(base64.urlsafe_b64decode(body + "=="))
        key = OctKey.import_key(app.state.resources.keys.derive("session-tokens"))
        foreign = OctKey.import_key(b"another key of thirty-two bytes!!")

        def without_signature(algorithm: str) -> str:
            forged = base64.urlsafe_b64encode(json.dumps({"alg": algorithm}).encode())
            return f"{forged.decode().rstrip('=')}.{body}."

        def signed(changed: dict[str, Any], by: OctKey = key, alg: str = "HS256") -> str:
            return jwt.encode({"alg": alg}, changed, by, algorithms=[alg])

        assert await alive(client, {"Authorization": f"Bearer {signed(claims)}"})
        for token in (
            *(without_signature(name) for name in ("none", "None", "NONE", "HS256", "")),
            signed(claims, foreign),
            signed(claims, alg="HS512"),
            signed({**claims, "aud": "tessera-cards"}),
            signed({**claims, "aud": None}),
            signed({**claims, "aud": ["tessera-console", "another"]}),
            signed({**claims, "exp": 1}),
            signed({**claims, "exp": "4000000000"}),
            signed({name: value for name, value in claims.items() if name != "exp"}),
            signed({**claims, "sid": "x" * 43}),
            signed({**claims, "sid": claims["sid"][:-1]}),
            signed({**claims, "sid": 1}),
            signed({**claims, "sid": "' OR true --"}),
            f"{head}.{body}.{signature[:-1]}",
            f"{head}.{body}",
            f"{head}.{body}.{signature}.{signature}",
            "x" * 8_000,
        ):
            assert not await alive(client, {"Authorization": f"Bearer {token}"}), token
        for other in (f"Basic {claims['sid']}", "Bearer", "bearer  ", claims["sid"]):
            assert not await alive(client, {"Authorization": other})


class TestVerifiedAccess:
    async def test_lasts_three_hundred_seconds(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        await client.post("/api/auth/generate-otp", headers=headers)
        code = await outbox.code(user.phone_number)
        verified = await client.post(f"/api/auth/verify-otp/{code}", headers=headers)
        assert verified.json() == {"verifiedFor": 300}
        left = await platform.fetchval(
            "SELECT extract(epoch FROM verified_until - now())::float FROM sessions"
        )
        assert 290 < left <= 300
        reveal = "/api/company/passphrase"
        for passing, status in (("298 seconds", 404), ("2 seconds", 403)):
            await platform.execute(
                f"UPDATE sessions SET verified_until = verified_until - interval '{passing}'"
            )
            assert (await client.get(reveal, headers=headers)).status_code == status

    async def test_verified_access_is_not_shared_nor_renewed_by_use(
        self, leader: Leader, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        until = "SELECT max(verified_until) FROM sessions"
        before = await platform.fetchval(until)
        added = await leader.add()
        await client.get("/api/auth/login-token", headers=leader.headers)
        assert await platform.fetchval(until) == before
        other = await make.session(leader.team.leader)
        for path in (f"/api/warehouse?warehouseId={added['id']}", "/api/company/passphrase"):
            answer = await client.get(path, headers=other)
            assert error_of(answer) == (403, "verification_required")

    async def test_stolen_session_without_verified_access_removes_nobody(
        self, client: httpx.AsyncClient, make: Factory, people: People, platform: Connection
    ) -> None:
        team = await people.team()
        leader = await make.session(team.leader)
        admin = await make.session(await people.admin())
        company, member = team.company.id, team.member.uuid
        attempts: list[tuple[str, str, dict[str, str], Any]] = [
            ("DELETE", f"/user/{member}", leader, None),
            ("PUT", f"/user/team-leader/{member}", leader, None),
            ("PUT", f"/user/team-leader?companyId={company}&userId={member}", admin, None),
            ("PUT", f"/company/status/{company}", admin, {"enabled": False}),
            ("DELETE", f"/company/{company}", admin, {"name": team.name}),
        ]
        before = await platform.fetch("SELECT * FROM users, companies ORDER BY 1")
        for method, path, headers, body in attempts:
            answer = await client.request(method, f"/api{path}", json=body, headers=headers)
            assert error_of(answer) == (403, "verification_required"), path
        assert await platform.fetch("SELECT * FROM users, companies ORDER BY 1") == before


class TestCompanyOfAHandle:
    async def opens(
        self, app: FastAPI, client: httpx.AsyncClient, platform: Connection, user: User, handle: str
    ) -> bool:
        expires_at = clock.now() + timedelta(hours=1)
        await platform.execute(
            "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, origin)"
            " VALUES ($1, $2, $3, $4, 'test')",
            user.company.id, user.id, hash_handle(handle), expires_at,
        )  # fmt: skip
        token = sign_token(app.state.resources.keys, handle, expires_at)
        return await alive(client, {"Authorization": f"Bearer {token}"})

    async def test_handle_that_names_no_company_opens_nothing(
        self, app: FastAPI, client: httpx.AsyncClient, platform: Connection, make: Factory
    ) -> None:
        user = await make.user()
        assert not await self.opens(app, client, platform, user, new_handle())
        assert await self.opens(app, client, platform, user, new_handle(user.company.id))

    async def test_handle_that_names_another_company_opens_nothing(
        self, app: FastAPI, client: httpx.AsyncClient, platform: Connection, make: Factory
    ) -> None:
        user, other = await make.user(), await make.user()
        handle = new_handle(other.company.id)
        assert not await self.opens(app, client, platform, user, handle)

    @pytest.mark.parametrize(
        ("handle", "company"),
        [
            ("17-" + "a" * 43, 17),
            ("a" * 43, None),
            ("12-" + "a" * 40, None),
            ("9999999999-" + "a" * 43, None),
            ("-1-" + "a" * 43, None),
            ("١-" + "a" * 43, None),
            ("", None),
        ],
        ids=str,
    )
    def test_company_is_read_from_well_formed_handles_only(
        self, handle: str, company: int | None
    ) -> None:
        assert company_of(handle) == company
