import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI

from tessera.auth.passkeys.ceremonies import site_of
from tessera.auth.passkeys.errors import PasskeysUnavailable
from tessera.auth.two_factor import operator_resets
from tessera.kit.database import Connection
from tessera.settings import Settings
from tessera_core import base64url, envelopes
from tessera_core.kdf import new_salt
from tests.auth.passkey_device import USER_PRESENT, PasskeyDevice, add, listed, start
from tests.auth.phone_app import actions, mails, outcome
from tests.factories.accounts import (
    Factory,
    Outbox,
    User,
    derived_secret,
    sealed_user_key,
)


async def send(
    client: httpx.AsyncClient, headers: dict[str, str], credential: dict[str, Any], name: str
) -> httpx.Response:
    body = {"name": name, "credential": credential}
    return await client.post("/api/auth/passkeys", json=body, headers=headers)


class TestSite:
    @pytest.mark.parametrize(
        ("address", "rp_id", "origin"),
        [
            ("https://Console.Example.com", "console.example.com", "https://console.example.com"),
            ("https://a.example:443", "a.example", "https://a.example"),
            ("https://a.example:8443", "a.example", "https://a.example:8443"),
            ("http://127.0.0.1:8000", "localhost", "http://localhost:8000"),
            ("http://[::1]:8000", "localhost", "http://localhost:8000"),
        ],
    )
    def test_passkeys_are_bound_to_the_public_address(
        self, settings: Settings, address: str, rp_id: str, origin: str
    ) -> None:
        site = site_of(settings.model_copy(update={"public_url": address}))
        assert (site.rp_id, site.origin) == (rp_id, origin)

    def test_no_passkeys_at_an_ip_address(self, settings: Settings) -> None:
        with pytest.raises(PasskeysUnavailable):
            site_of(settings.model_copy(update={"public_url": "https://192.0.2.7"}))


class TestAdding:
    async def test_added_passkey_is_listed_recorded_and_mailed(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        options = await start(client, headers)
        assert options["rp"] == {"id": "console.test", "name": "Tessera"}
        assert options["authenticatorSelection"]["userVerification"] == "required"
        assert options["attestation"] == "none"
        device = PasskeyDevice()
        added = (await send(client, headers, device.create(options), "  Laptop ")).json()
        assert await listed(client, headers) == [added]
        assert {key: value for key, value in added.items() if key not in {"id", "createdAt"}} == {
            "name": "Laptop",
            "credentialId": device.id,
            "transports": ["internal"],
            "lastUsedAt": None,
            "sealedUserKey": None,
        }
        assert await actions(platform) == ["passkey.added"]
        assert await mails(outbox, user) == ["A passkey was added to your account"]
        again = await start(client, headers)
        assert [each["id"] for each in again["excludeCredentials"]] == [device.id]

    async def test_who_is_signed_in_elsewhere_is_signed_out(
        self, client: httpx.AsyncClient, make: Factory, user: User, headers: dict[str, str]
    ) -> None:
        async def is_in(session: dict[str, str]) -> bool:
            return (await client.get("/api/auth/sessions", headers=session)).status_code == 200

        elsewhere = await make.session(user)
        device = await add(client, headers)
        assert (await is_in(elsewhere), await is_in(headers)) == (False, True)
        elsewhere = await make.session(user)
        await client.delete(f"/api/auth/passkeys/{device.passkey_id}", headers=headers)
        assert (await is_in(elsewhere), await is_in(headers)) == (False, True)

    async def test_adding_a_passkey_needs_verified_access(
        self, client: httpx.AsyncClient, make: Factory, user: User, device: PasskeyDevice
    ) -> None:
        unverified = await make.session(user)
        one = f"/api/auth/passkeys/{device.passkey_id}"
        for method, path, body in (
            ("POST", "/api/auth/passkeys/start", None),
            ("DELETE", one, None),
            ("PUT", f"{one}/key", {"sealedUserKey": "none"}),
        ):
            answer = await client.request(method, path, headers=unverified, json=body)
            assert await outcome(answer) == (403, "verification_required")

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            (lambda device: replace(device, origin="https://evil.test"), "passkey_of_another_site"),
            (
                lambda device: replace(device, origin="http://sub.console.test"),
                "passkey_of_another_site",
            ),
            (lambda device: replace(device, rp_id="evil.test"), "passkey_of_another_site"),
            (lambda device: replace(device, cross_origin=True), "passkey_of_another_site"),
            (lambda device: replace(device, flags=USER_PRESENT), "passkey_refused"),
        ],
    )
    async def test_passkey_that_does_not_verify_is_refused(
        self,
        client: httpx.AsyncClient,
        headers: dict[str, str],
        change: Callable[[PasskeyDevice], PasskeyDevice],
        code: str,
    ) -> None:
        made = change(PasskeyDevice()).create(await start(client, headers))
        assert await outcome(await send(client, headers, made, "Laptop")) == (400, code)
        assert await listed(client, headers) == []

    async def test_garbage_instead_of_a_passkey_is_refused(
        self, client: httpx.AsyncClient, headers: dict[str, str]
    ) -> None:
        for part in ("attestationObject", "clientData", "id"):
            made = PasskeyDevice().create(await start(client, headers))
            answer = await send(client, headers, {**made, part: "oWNhYmM"}, "Laptop")
            assert await outcome(answer) == (400, "passkey_refused"), part

    async def test_results_of_extensions_are_not_taken(
        self, client: httpx.AsyncClient, headers: dict[str, str]
    ) -> None:
        made = PasskeyDevice().create(await start(client, headers))
        results = {**made, "clientExtensionResults": {"prf": {"results": {"first": "c2VjcmV0"}}}}
        assert (await send(client, headers, results, "Laptop")).status_code == 422

    async def test_a_challenge_is_good_once_for_a_while_and_for_its_session(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        user: User,
        headers: dict[str, str],
        platform: Connection,
    ) -> None:
        made = PasskeyDevice().create(await start(client, headers))
        other = await make.session(user, verified=True)
        expired = (400, "passkey_challenge_expired")
        assert await outcome(await send(client, other, made, "Laptop")) == expired
        assert (await send(client, headers, made, "Laptop")).status_code == 200
        assert await outcome(await send(client, headers, made, "Phone")) == expired
        made = PasskeyDevice().create(await start(client, headers))
        await platform.execute("UPDATE passkey_challenges SET expires_at = now()")
        assert await outcome(await send(client, headers, made, "Phone")) == expired
        old = PasskeyDevice().create(await start(client, headers))
        await start(client, headers)
        assert await outcome(await send(client, headers, old, "Phone")) == expired

    async def test_a_credential_belongs_to_one_user(
        self, client: httpx.AsyncClient, make: Factory, device: PasskeyDevice
    ) -> None:
        stranger = await make.session(await make.user(), verified=True)
        made = device.create(await start(client, stranger))
        answer = await send(client, stranger, made, "Laptop")
        assert await outcome(answer) == (409, "passkey_already_added")

    async def test_names_are_unique_and_short(
        self, client: httpx.AsyncClient, headers: dict[str, str], device: PasskeyDevice
    ) -> None:
        made = PasskeyDevice().create(await start(client, headers))
        answer = await send(client, headers, made, "lapTop")
        assert await outcome(answer) == (409, "passkey_name_taken")
        for name in ("", "  ", "x" * 65, "two\nlines"):
            answer = await send(client, headers, made, name)
            assert answer.status_code == 422, name
        path = f"/api/auth/passkeys/{device.passkey_id}"
        renamed = await client.put(path, json={"name": "x" * 64}, headers=headers)
        assert renamed.status_code == 204
        await add(client, headers, name="Phone")
        taken = await client.put(path, json={"name": "Phone"}, headers=headers)
        assert await outcome(taken) == (409, "passkey_name_taken")
        assert [each["name"] for each in await listed(client, headers)] == ["x" * 64, "Phone"]

    async def test_ten_are_enough_also_at_once(
        self, client: httpx.AsyncClient, headers: dict[str, str], platform: Connection
    ) -> None:
        for number in range(9):
            await add(client, headers, name=f"Key {number}")
        tenth = PasskeyDevice().create(await start(client, headers))
        twice = await asyncio.gather(
            *(send(client, headers, tenth, name) for name in ("Key 9", "Key 10"))
        )
        assert sorted(answer.status_code for answer in twice) == [200, 400]
        full = await client.post("/api/auth/passkeys/start", headers=headers)
        assert await outcome(full) == (409, "too_many_passkeys")
        assert await platform.fetchval("SELECT count(*) FROM passkeys") == 10


class TestOwnList:
    async def test_passkey_is_renamed_and_removed(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        path = f"/api/auth/passkeys/{device.passkey_id}"
        assert (await client.put(path, json={"name": "Key"}, headers=headers)).status_code == 204
        assert (await client.put(path, json={"name": "Key"}, headers=headers)).status_code == 204
        assert (await client.delete(path, headers=headers)).status_code == 204
        assert await outcome(await client.delete(path, headers=headers)) == (
            404,
            "passkey_not_found",
        )
        assert await listed(client, headers) == []
        assert await actions(platform) == ["passkey.added", "passkey.renamed", "passkey.removed"]
        assert (await mails(outbox, user))[-1] == "A passkey was removed from your account"
        asked = await client.post(
            "/api/auth/login-onboard", json={**user.credentials, "passkey": True}
        )
        assert asked.json()["method"] == "sms"

    async def test_somebody_else_s_does_not_exist(
        self, client: httpx.AsyncClient, make: Factory, user: User, device: PasskeyDevice
    ) -> None:
        colleague = await make.session(await make.user(user.company, "teamMember"), verified=True)
        assert await listed(client, colleague) == []
        path = f"/api/auth/passkeys/{device.passkey_id}"
        for method, end, body in (
            ("PUT", "", {"name": "Mine"}),
            ("PUT", "/key", {"sealedUserKey": "none"}),
            ("DELETE", "", None),
        ):
            answer = await client.request(method, path + end, json=body, headers=colleague)
            assert await outcome(answer) == (404, "passkey_not_found")

    async def test_support_removes_them_with_the_lost_phone(
        self, app: FastAPI, user: User, device: PasskeyDevice, platform: Connection
    ) -> None:
        await operator_resets.reset_phone(app.state.resources, user.email, "+12025550199")
        assert await platform.fetch("TABLE passkeys") == []
        assert (await actions(platform))[-2:] == [
            "phone.resetByPlatform",
            "passkey.resetByPlatform",
        ]


class TestKey:
    async def test_an_envelope_of_this_user_password_and_passkey_is_stored(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        platform: Connection,
    ) -> None:
        sealed = seal(user, device)
        answer = await put_key(client, headers, device, sealed)
        assert answer.status_code == 204
        assert (await listed(client, headers))[0]["sealedUserKey"] == sealed
        assert (await actions(platform))[-1] == "passkey.unlockTurnedOn"

    @pytest.mark.parametrize(
        "changes",
        [
            {"uid": str(UUID(int=1))},
            {"cid": str(UUID(int=1))},
            {"salt": bytes(16)},
            {"credential_id": bytes(16)},
        ],
        ids=",".join,
    )
    async def test_any_other_is_refused(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        changes: dict[str, Any],
    ) -> None:
        answer = await put_key(client, headers, device, seal(user, device, **changes))
        assert await outcome(answer) == (422, "envelope_malformed")
        assert (await listed(client, headers))[0]["sealedUserKey"] is None

    async def test_a_key_in_the_clear_is_refused(
        self, client: httpx.AsyncClient, headers: dict[str, str], device: PasskeyDevice
    ) -> None:
        answer = await put_key(client, headers, device, base64url.encode(bytes(32)))
        assert await outcome(answer) == (422, "envelope_malformed")

    async def test_a_new_password_drops_it_and_keeps_the_passkey(
        self, client: httpx.AsyncClient, user: User, headers: dict[str, str], device: PasskeyDevice
    ) -> None:
        await put_key(client, headers, device, seal(user, device))
        salt = new_salt()
        body = {
            "oldPassword": user.secret,
            "password": derived_secret(),
            "salt": base64url.encode(salt),
            "userKey": sealed_user_key(user.uuid, user.company.uuid, salt),
        }
        changed = await client.put("/api/auth/password", json=body, headers=headers)
        assert changed.status_code == 204, changed.text
        assert [each["sealedUserKey"] for each in await listed(client, headers)] == [None]
        late = await put_key(client, headers, device, seal(user, device))
        assert await outcome(late) == (422, "envelope_malformed")

    async def test_a_reset_drops_it_too(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        outbox: Outbox,
    ) -> None:
        await put_key(client, headers, device, seal(user, device))
        await client.post("/api/auth/forgot-password", json={"emailAddress": user.email})
        salt = new_salt()
        body = {
            "token": await outbox.token(user.email),
            "password": derived_secret(),
            "salt": base64url.encode(salt),
            "userKey": sealed_user_key(user.uuid, user.company.uuid, salt),
        }
        assert (await client.post("/api/auth/reset-password", json=body)).status_code == 204
        session = await make.session(user)
        assert [each["sealedUserKey"] for each in await listed(client, session)] == [None]


def seal(user: User, device: PasskeyDevice, **changes: Any) -> str:
    pinned: dict[str, Any] = {
        "uid": str(user.uuid),
        "cid": str(user.company.uuid),
        "salt": user.salt,
        "credential_id": device.credential_id,
        **changes,
    }
    return envelopes.seal_passkey_key(bytes(32), wrap_key=bytes(32), **pinned)


async def put_key(
    client: httpx.AsyncClient, headers: dict[str, str], device: PasskeyDevice, sealed: str
) -> httpx.Response:
    path = f"/api/auth/passkeys/{device.passkey_id}/key"
    return await client.put(path, json={"sealedUserKey": sealed}, headers=headers)
