"""A password change makes a new user key and reseals what the old one sealed, so that the old
password and an old backup open nothing that is stored later."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import asyncpg
import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera_core import base64url
from tessera_core.envelopes import (
    new_key,
    open_company_key,
    open_passphrase_pair,
    seal_company_key,
    seal_passphrase_pair,
    seal_user_key,
    split_passphrase_pair,
)
from tessera_core.errors import NotAuthentic
from tessera_core.kdf import new_salt, salt_to_text
from tessera_core.key_envelopes import KeyBundle, open_keys, seal_keys
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory, Outbox, User, derived_secret
from tests.fixtures.waiting import eventually
from tests.security.attacker import error_of

PASSPHRASE = "three clouds, one mosaic"


@dataclass
class Leader:
    http: httpx.AsyncClient
    user: User
    headers: dict[str, str]
    key: bytes

    @property
    def ids(self) -> dict[str, str]:
        return {"uid": str(self.user.uuid), "cid": str(self.user.company.uuid)}

    async def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return await self.http.request(method, f"/api{path}", json=body, headers=self.headers)

    async def set_passphrase(self, epoch: int, text: str = PASSPHRASE) -> httpx.Response:
        pair = seal_passphrase_pair(text, user_key=self.key, epoch=epoch, **self.ids)
        return await self.call("PUT", "/company/passphrase", {"passphrase": pair})

    async def set_storage_keys(self, revision: int, keys: PrivateKeys) -> httpx.Response:
        envelope = seal_keys(KeyBundle(keys), user_key=self.key, revision=revision, **self.ids)
        public = base64url.encode(keys.public.encode())
        return await self.call("PUT", "/storage/keys", {"publicKeys": public, "envelope": envelope})

    async def change_body(self, new: bytes, keys: PrivateKeys, **change: Any) -> dict[str, Any]:
        """What the page sends: everything opened with the old key and sealed by the new one."""
        stored = (await self.call("GET", "/auth/keys")).json()
        salt = new_salt()
        body: dict[str, Any] = {
            "oldPassword": self.user.secret,
            "password": derived_secret(),
            "salt": salt_to_text(salt),
            "userKey": seal_user_key(new, wrap_key=new_key(), salt=salt, **self.ids),
        }
        if stored["sealedCompanyKey"]:
            company_key = open_company_key(
                stored["sealedCompanyKey"], user_key=self.key, **self.ids
            )
            body["companyKey"] = seal_company_key(company_key, user_key=new, epoch=1, **self.ids)
        if stored["storageKeys"]:
            body["storageKeys"] = seal_keys(KeyBundle(keys), user_key=new, revision=2, **self.ids)
        return {**body, **change}


@dataclass(frozen=True)
class Late:
    """Changes that wait for the company's lock."""

    waits: Callable[[int], Awaitable[None]]
    release: Callable[[], Awaitable[None]]


@pytest.fixture
def keys() -> PrivateKeys:
    return PrivateKeys.generate()


@pytest.fixture
async def leader(client: httpx.AsyncClient, make: Factory, keys: PrivateKeys) -> Leader:
    user = await make.user()
    leader = Leader(client, user, await make.session(user, verified=True), new_key())
    assert (await leader.set_passphrase(1)).status_code == 204
    assert (await leader.set_storage_keys(1, keys)).status_code == 200
    return leader


class TestChange:
    async def test_the_new_key_opens_everything_and_the_old_one_nothing(
        self, leader: Leader, keys: PrivateKeys
    ) -> None:
        new = new_key()
        changed = await leader.call("PUT", "/auth/password", await leader.change_body(new, keys))
        assert changed.status_code == 204
        pair = (await leader.call("GET", "/company/passphrase")).text
        assert open_passphrase_pair(pair, user_key=new, **leader.ids) == PASSPHRASE
        stored = (await leader.call("GET", "/storage/keys")).json()
        assert stored["revision"] == 2
        assert open_keys(stored["envelope"], user_key=new, **leader.ids)[0].keys == keys
        with pytest.raises(NotAuthentic):
            open_company_key(split_passphrase_pair(pair)[0], user_key=leader.key, **leader.ids)
        with pytest.raises(NotAuthentic):
            open_keys(stored["envelope"], user_key=leader.key, **leader.ids)

    @pytest.mark.parametrize(
        "change", [{"companyKey": None}, {"storageKeys": None}], ids=lambda change: str(*change)
    )
    async def test_password_change_that_leaves_out_a_sealed_value_is_refused(
        self, leader: Leader, keys: PrivateKeys, platform: Connection, change: dict[str, None]
    ) -> None:
        before = await platform.fetch("SELECT * FROM users")
        body = await leader.change_body(new_key(), keys, **change)
        answer = await leader.call("PUT", "/auth/password", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "keys_changed")
        assert await platform.fetch("SELECT * FROM users") == before

    async def test_a_passphrase_changed_meanwhile_is_not_overwritten(
        self, leader: Leader, keys: PrivateKeys, platform: Connection
    ) -> None:
        body = await leader.change_body(new_key(), keys)
        assert (await leader.set_passphrase(2, "eleven slates")).status_code == 204
        before = await platform.fetch("SELECT * FROM users, company_keys, member_keys")
        answer = await leader.call("PUT", "/auth/password", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "keys_changed")
        assert await platform.fetch("SELECT * FROM users, company_keys, member_keys") == before

    async def test_storage_keys_stored_meanwhile_are_not_overwritten(
        self, leader: Leader, keys: PrivateKeys, platform: Connection
    ) -> None:
        body = await leader.change_body(new_key(), keys)
        assert (await leader.set_storage_keys(2, keys)).status_code == 200
        before = await platform.fetch("SELECT * FROM users, company_keys, member_keys")
        answer = await leader.call("PUT", "/auth/password", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "keys_changed")
        assert await platform.fetch("SELECT * FROM users, company_keys, member_keys") == before

    @pytest.mark.parametrize("field", ["companyKey", "storageKeys"])
    async def test_what_is_not_sealed_is_refused(
        self, leader: Leader, keys: PrivateKeys, field: str
    ) -> None:
        body = await leader.change_body(new_key(), keys, **{field: "in plain sight"})
        answer = await leader.call("PUT", "/auth/password", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "envelope_malformed")
        assert list(answer.json()["fields"]) == [field]


class TestPassphraseUnderWay:
    """A change of the passphrase waits for the company's lock, and something else comes first."""

    @pytest.fixture
    async def late(
        self, leader: Leader, urls: EmbeddedUrls, platform: Connection
    ) -> AsyncIterator[Late]:
        holder = await asyncpg.connect(urls.superuser)
        lock = holder.transaction()
        await lock.start()
        await holder.execute(
            "SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE", leader.user.company.id
        )

        async def waits(expected: int) -> None:
            async def are_waiting() -> bool:
                waiting = await platform.fetchval(
                    "SELECT count(*) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
                )
                return bool(waiting == expected)

            await eventually(are_waiting, "the changes wait for the lock")

        yield Late(waits, lock.rollback)
        await holder.close()

    async def test_second_of_two_passphrase_writers_is_refused_as_stale(
        self, leader: Leader, late: Late
    ) -> None:
        texts = ("eleven slates", "twelve slates")
        changes = [asyncio.create_task(leader.set_passphrase(2, text)) for text in texts]
        await late.waits(2)
        await late.release()
        answers = await asyncio.gather(*changes)
        assert sorted(answer.status_code for answer in answers) == [204, 409]
        (stored,) = [
            text for text, answer in zip(texts, answers, strict=True) if answer.status_code == 204
        ]
        pair = (await leader.call("GET", "/company/passphrase")).text
        assert open_passphrase_pair(pair, user_key=leader.key, **leader.ids) == stored

    async def test_session_ended_meanwhile_changes_no_passphrase(
        self, leader: Leader, late: Late, make: Factory
    ) -> None:
        own = replace(leader, headers=await make.session(leader.user, verified=True))
        change = asyncio.create_task(leader.set_passphrase(2, "eleven slates"))
        await late.waits(1)
        assert (await own.call("POST", "/auth/sessions/end-others")).status_code == 204
        await late.release()
        assert error_of(await change) == (401, "session_expired")
        pair = (await own.call("GET", "/company/passphrase")).text
        assert open_passphrase_pair(pair, user_key=leader.key, **leader.ids) == PASSPHRASE

    async def test_passphrase_for_a_replaced_key_is_not_stored(
        self, leader: Leader, late: Late, make: Factory, keys: PrivateKeys
    ) -> None:
        own = replace(leader, headers=await make.session(leader.user, verified=True))
        body = await own.change_body(new := new_key(), keys)
        change = asyncio.create_task(leader.set_passphrase(2, "eleven slates"))
        await late.waits(1)
        assert (await own.call("PUT", "/auth/password", body)).status_code == 204
        await late.release()
        assert error_of(await change) == (401, "session_expired")
        pair = (await own.call("GET", "/company/passphrase")).text
        assert open_passphrase_pair(pair, user_key=new, **leader.ids) == PASSPHRASE


class TestReset:
    async def test_what_nobody_can_open_any_more_is_deleted(
        self, leader: Leader, outbox: Outbox, platform: Connection, keys: PrivateKeys
    ) -> None:
        user = leader.user
        await leader.call("POST", "/auth/forgot-password", {"emailAddress": user.email})
        salt, new = new_salt(), new_key()
        body = {
            "token": await outbox.token(user.email),
            "password": derived_secret(),
            "salt": salt_to_text(salt),
            "userKey": seal_user_key(new, wrap_key=new_key(), salt=salt, **leader.ids),
        }
        assert (await leader.call("POST", "/auth/reset-password", body)).status_code == 204
        assert await platform.fetchval("SELECT count(*) FROM company_keys") == 0
        row = await platform.fetchrow("SELECT envelope, revision, public_keys FROM member_keys")
        assert row is not None
        assert (row["envelope"], row["revision"]) == (None, 1)
        assert row["public_keys"] == keys.public.encode()
