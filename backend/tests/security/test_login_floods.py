"""Floods of logins: they neither stall the service nor lock people out of their accounts."""

import asyncio
import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI

from tessera.auth.passwords import hashing
from tessera.kit import fair_queue
from tessera.kit.database import Connection
from tests.auth.test_passwords import new_password
from tests.factories.accounts import Factory, Outbox, User, derived_secret
from tests.fixtures.waiting import until
from tests.security.attacker import error_of, from_origin
from tests.security.test_login import LOGIN, VERIFY, guess, signed_in


async def guess_once(client: httpx.AsyncClient) -> httpx.Response:
    """A login with an address nobody has tried before."""
    return await client.post(LOGIN, json=guess(f"{uuid4().hex}@where.test", "login-onboard"))


class BlockedHashes:
    """Every comparison waits until the test goes on."""

    def __init__(self) -> None:
        self._started, self._go_on = threading.Event(), threading.Event()
        self.order: list[str] = []

    def verify(self, _stored: str, secret: str) -> bool:
        self.order.append(secret)
        self._started.set()
        assert self._go_on.wait(120)
        return False

    async def reached(self) -> None:
        await asyncio.to_thread(self._started.wait)

    def go_on(self) -> None:
        self._go_on.set()


@pytest.fixture
def blocked_hashes(monkeypatch: pytest.MonkeyPatch) -> Iterator[BlockedHashes]:
    blocked = BlockedHashes()
    monkeypatch.setattr(hashing, "_verify", blocked.verify)
    yield blocked
    blocked.go_on()


async def some_of(tasks: list[asyncio.Task[httpx.Response]], count: int) -> list[httpx.Response]:
    """Waits until so many have ended, and returns their answers."""
    await until(lambda: sum(task.done() for task in tasks) >= count)
    return [task.result() for task in tasks if task.done()]


def device_cookie(client: httpx.AsyncClient) -> dict[str, str]:
    """Takes the cookie out of the client, which would not send a secure one over plain HTTP."""
    (cookie,) = client.cookies.jar
    client.cookies.clear()
    return {"Cookie": f"{cookie.name}={cookie.value}"}


class TestLoad:
    @pytest.mark.parametrize("call", ["login-onboard", "verify-otp"])
    async def test_a_password_of_one_megabyte_is_not_hashed(
        self, client: httpx.AsyncClient, make: Factory, call: str
    ) -> None:
        user = await make.user()
        for size, status in ((1_000_000, 422), (1_048_576, 413)):
            body = {**guess(user.email, call), "password": "a1." + "x" * size}
            assert (await client.post(f"/api/auth/{call}", json=body)).status_code == status
        assert (await client.post(LOGIN, json=user.credentials)).status_code == 200

    async def test_two_hundred_parallel_logins_leave_room_for_others(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        blocked_hashes: BlockedHashes,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """While every hash is blocked, other calls are still served, however slow the machine."""
        monkeypatch.setattr(fair_queue, "LONGEST_WAIT", -1)
        headers = await make.session(await make.user())
        flood = asyncio.gather(*(guess_once(client) for _ in range(200)))
        await blocked_hashes.reached()
        answers = [await client.get("/api/users", headers=headers) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        blocked_hashes.go_on()
        assert {answer.status_code for answer in await flood} <= {401, 429, 503}


class TestHashingFlood:
    async def test_random_addresses_of_one_origin_are_refused(
        self, client: httpx.AsyncClient
    ) -> None:
        answers = [await guess_once(client) for _ in range(65)]
        assert [answer.status_code for answer in answers] == [401] * 60 + [429] * 5
        assert int(answers[-1].headers["retry-after"]) > 0

    async def test_random_addresses_of_one_ipv6_site_are_refused(self, app: FastAPI) -> None:
        statuses = []
        for number in range(65):
            async with from_origin(app, f"2001:db8:0:{number:x}::{number:x}") as client:
                statuses.append((await guess_once(client)).status_code)
        assert statuses == [401] * 60 + [429] * 5

    async def test_who_knows_the_password_is_not_counted(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        for _ in range(65):
            assert (await client.post(LOGIN, json=user.credentials)).status_code == 200

    async def test_origin_cannot_fill_the_hashing_queue_alone(
        self, app: FastAPI, blocked_hashes: BlockedHashes
    ) -> None:
        """Two are hashed, ten wait, the rest are refused for now; another origin still gets in."""
        async with from_origin(app, "198.51.100.7") as flooder, from_origin(app, "::5") as other:
            flood = [asyncio.create_task(guess_once(flooder)) for _ in range(30)]
            refused = await some_of(flood, 18)
            assert {error_of(answer) for answer in refused} == {(503, "busy")}
            assert {answer.headers["retry-after"] for answer in refused} == {"2"}
            late = asyncio.create_task(guess_once(other))
            await until(lambda: len(hashing._queue._unknown) == 11)
            blocked_hashes.go_on()
            assert (await late).status_code == 401
            statuses = Counter(answer.status_code for answer in await asyncio.gather(*flood))
            assert statuses == {401: 12, 503: 18}

    async def test_many_origins_cannot_make_the_queue_long(
        self, app: FastAPI, blocked_hashes: BlockedHashes
    ) -> None:
        async def from_anywhere(number: int) -> httpx.Response:
            async with from_origin(app, f"198.51.100.{number}") as client:
                return await guess_once(client)

        flood = [asyncio.create_task(from_anywhere(number)) for number in range(60)]
        assert {error_of(answer) for answer in await some_of(flood, 18)} == {(503, "busy")}
        blocked_hashes.go_on()
        statuses = Counter(answer.status_code for answer in await asyncio.gather(*flood))
        assert statuses == {401: 42, 503: 18}

    async def test_a_refused_attempt_does_not_count(
        self, client: httpx.AsyncClient, make: Factory, blocked_hashes: BlockedHashes
    ) -> None:
        user = await make.user()
        flood = [asyncio.create_task(guess_once(client)) for _ in range(12)]
        await until(lambda: len(hashing._queue._unknown) == 10)
        for _ in range(15):
            assert error_of(await client.post(LOGIN, json=user.credentials)) == (503, "busy")
        blocked_hashes.go_on()
        await asyncio.gather(*flood)
        answer = await client.post(LOGIN, json={**user.credentials, "password": derived_secret()})
        assert answer.status_code == 401

    async def test_a_known_device_goes_first(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        outbox: Outbox,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        user = await make.user()
        await signed_in(client, outbox, user)
        known = device_cookie(client)
        blocked = BlockedHashes()
        monkeypatch.setattr(hashing, "_verify", blocked.verify)
        flood = [asyncio.create_task(guess_once(client)) for _ in range(12)]
        await until(lambda: len(hashing._queue._unknown) == 10)
        login = asyncio.create_task(client.post(LOGIN, json=user.credentials, headers=known))
        await until(lambda: len(hashing._queue._known) == 1)
        blocked.go_on()
        await asyncio.gather(*flood, login)
        assert user.secret in blocked.order[2:4]


class TestLockout:
    """Strangers guess passwords of an account until it is locked."""

    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"login_any_origin": 20}}

    async def lock(self, app: FastAPI, user: User, sites: int = 2) -> list[int]:
        statuses = []
        for site in range(sites):
            for number in range(11):
                async with from_origin(app, f"2001:db8:{site:x}::{number:x}") as client:
                    body = guess(user.email, "login-onboard")
                    statuses.append((await client.post(LOGIN, json=body)).status_code)
        return statuses

    async def test_addresses_of_one_subnet_count_as_one_origin(
        self, app: FastAPI, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        assert await self.lock(app, user, sites=1) == [401] * 10 + [429]
        assert (await client.post(LOGIN, json=user.credentials)).status_code == 200

    async def test_a_device_that_has_logged_in_before_is_not_locked_out(
        self, app: FastAPI, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        await signed_in(client, outbox, user)
        known = device_cookie(client)
        await self.lock(app, user)
        stranger = await client.post(LOGIN, json=user.credentials)
        assert error_of(stranger) == (429, "too_many_tries")
        owner = await client.post(LOGIN, json=user.credentials, headers=known)
        assert owner.status_code == 200
        code = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        assert (await client.post(VERIFY, json=code, headers=known)).status_code == 200

    async def test_the_device_of_another_account_is_a_stranger(
        self, app: FastAPI, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user, colleague = await make.user(), await make.user()
        await signed_in(client, outbox, colleague)
        foreign = device_cookie(client)
        await self.lock(app, user)
        answer = await client.post(LOGIN, json=user.credentials, headers=foreign)
        assert error_of(answer) == (429, "too_many_tries")

    async def test_the_device_itself_may_guess_ten_times(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        await signed_in(client, outbox, user)
        known = device_cookie(client)
        body = {**user.credentials, "password": derived_secret()}
        statuses = [
            (await client.post(LOGIN, json=body, headers=known)).status_code for _ in range(12)
        ]
        assert statuses == [401] * 10 + [429] * 2

    async def test_browser_that_knows_several_accounts_is_not_locked_out(
        self, app: FastAPI, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        users = [await make.user(phone_number=f"+1202555010{number}") for number in range(3)]
        known: dict[str, str] = {}
        for user in (*users, users[0]):
            assert (await client.post(LOGIN, json=user.credentials)).status_code == 200
            code = {**user.credentials, "otp": await outbox.code(user.phone_number)}
            answer = await client.post(VERIFY, json=code, headers=known)
            assert answer.status_code == 200
            known = device_cookie(client)
        assert known["Cookie"].count(".") == 2
        for user in users:
            await self.lock(app, user)
            answer = await client.post(LOGIN, json=user.credentials, headers=known)
            assert answer.status_code == 200

    async def test_the_cookie_is_kept_from_scripts_and_other_sites(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post(LOGIN, json=user.credentials)
        code = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        header = (await client.post(VERIFY, json=code)).headers["set-cookie"]
        value, *attributes = header.split("; ")
        assert {"HttpOnly", "Secure", "SameSite=strict", "Path=/api/auth"} <= set(attributes)
        token = value.partition("=")[2]
        stored = await platform.fetchval("SELECT token_hash FROM remembered_devices")
        assert stored == hashlib.sha256(token.encode()).digest()

    @pytest.mark.parametrize("event", ["end-all", "password"])
    async def test_devices_are_forgotten_with_the_sessions(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        outbox: Outbox,
        platform: Connection,
        event: str,
    ) -> None:
        user = await make.user()
        headers = await signed_in(client, outbox, user)
        if event == "end-all":
            answer = await client.post("/api/auth/sessions/end-all", headers=headers)
        else:
            body = {**new_password(user), "oldPassword": user.secret}
            answer = await client.put("/api/auth/password", json=body, headers=headers)
        assert answer.status_code == 204
        assert await platform.fetchval("SELECT count(*) FROM remembered_devices") == 0


class TestRegistrationPassword:
    async def test_guesses_of_the_registration_password_from_one_site_are_limited(
        self, app: FastAPI
    ) -> None:
        statuses = []
        for number in range(25):
            async with from_origin(app, f"2001:db8:0:{number:x}::1") as client:
                answer = await client.post(
                    "/api/auth/verify-registration-password", json={"password": "a wrong guess"}
                )
                statuses.append(answer.status_code)
        assert statuses == [403] * 20 + [429] * 5
