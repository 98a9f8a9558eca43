"""Sessions of the client program: they last longer and may call less."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tessera.authz.permissions import CLIENT_PERMISSIONS
from tessera.kit.database import Connection
from tests.authz.matrix import MATRIX, Row
from tests.factories.accounts import Factory, Outbox, User

DEVICE = {"name": "office-pc", "system": "Linux", "version": "0.7.7"}

NEED_A_SESSION = [row for row in MATRIX if row.own.startswith("401")]
# What the client may call besides storage.
ALLOWED = {
    "POST /api/auth/logout",
    "POST /api/auth/generate-otp",
    "POST /api/auth/verify-otp/{code}",
    "GET /api/auth/profile",
    "GET /api/company/passphrase",
    "GET /api/downloads",
    "POST /api/downloads/{file_name}/link",
}


async def log_in(
    client: httpx.AsyncClient, outbox: Outbox, user: User, device: Any
) -> httpx.Response:
    await client.post("/api/auth/login-onboard", json=user.credentials)
    code = await outbox.code(user.phone_number)
    body = {**user.credentials, "otp": code, "client": device}
    return await client.post("/api/auth/verify-otp", json=body)


async def status(client: httpx.AsyncClient, headers: dict[str, str]) -> int:
    return (await client.get("/api/auth/profile", headers=headers)).status_code


class TestLogin:
    async def test_client_session_lasts_thirty_days_and_fourteen_without_use(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        answer = await log_in(client, outbox, user, DEVICE)
        assert answer.status_code == 200
        headers = {"Authorization": f"Bearer {answer.json()['access_token']}"}
        row = await platform.fetchrow("TABLE sessions")
        assert row is not None
        assert (row["kind"], row["client_name"], row["system"], row["client_version"]) == (
            "client", "office-pc", "Linux", "0.7.7",
        )  # fmt: skip
        lasting = row["expires_at"] - datetime.now(UTC)
        assert timedelta(days=29, hours=23) < lasting <= timedelta(days=30)
        for unused, expected in ((13.9, 200), (14.1, 401)):
            await platform.execute(
                "UPDATE sessions SET last_seen_at = now() - $1::interval", timedelta(days=unused)
            )
            assert await status(client, headers) == expected
        await platform.execute("UPDATE sessions SET last_seen_at = now(), expires_at = now()")
        assert await status(client, headers) == 401

    async def test_a_browser_s_session_keeps_its_limits(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        answer = await log_in(client, outbox, await make.user(), None)
        assert answer.status_code == 200
        headers = {"Authorization": f"Bearer {answer.json()['access_token']}"}
        row = await platform.fetchrow("TABLE sessions")
        assert row is not None
        assert row["kind"] == "browser"
        assert row["expires_at"] - datetime.now(UTC) <= timedelta(hours=12)
        await platform.execute("UPDATE sessions SET last_seen_at = now() - interval '16 minutes'")
        assert await status(client, headers) == 401

    @pytest.mark.parametrize(
        "device",
        [
            {"name": "office-pc", "system": "Linux"},
            {**DEVICE, "name": " "},
            {**DEVICE, "name": "x" * 101},
            {**DEVICE, "system": "Linux\nroot"},
            {**DEVICE, "version": "\0"},
            {**DEVICE, "kind": "browser"},
            "office-pc",
        ],
    )
    async def test_a_device_without_a_proper_name_is_refused(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, device: Any
    ) -> None:
        answer = await log_in(client, outbox, await make.user(), device)
        assert answer.status_code == 422


class TestCalls:
    @pytest.mark.parametrize("row", NEED_A_SESSION, ids=lambda row: row.call)
    async def test_client_session_may_call_storage_and_what_a_client_needs_only(
        self, client: httpx.AsyncClient, make: Factory, row: Row
    ) -> None:
        leader = await make.user(await make.company(warehouses=True))
        method, path = row.call.split()
        path = path.format_map(
            {
                "code": "000000",
                "uuid": leader.uuid,
                "key": leader.uuid,
                "space_id": leader.uuid,
                "company_id": leader.company.id,
                "session_id": 1,
                "warehouse_id": 1,
                "passkey_id": 1,
                "kind": "email",
                "epoch": 1,
                "request_id": 1,
                "file_name": "tess.pyz",
                "backup_id": "0" * 16,
                "share_id": leader.uuid,
                "arrival_id": leader.uuid,
                "domain": "nobody.test",
                "token_id": 1,
            }
        )
        headers = await make.session(leader, verified=True, client="office-pc")
        answer = await client.request(method, path, headers=headers)
        refused = answer.status_code == 403 and answer.json()["code"] == "client_session_forbidden"
        assert refused != (row.call in ALLOWED or path.startswith("/api/storage/"))

    async def test_the_passphrase_needs_verified_access(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        headers = await make.session(await make.user(), client="office-pc")
        answer = await client.get("/api/company/passphrase", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "verification_required")

    async def test_a_member_s_client_does_not_read_the_passphrase(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        member = await make.user(await make.company(), "teamMember")
        headers = await make.session(member, verified=True, client="office-pc")
        answer = await client.get("/api/company/passphrase", headers=headers)
        assert answer.status_code == 403

    def test_no_permission_of_the_console_is_among_a_client_s(self) -> None:
        assert {each.split(":")[0] for each in CLIENT_PERMISSIONS} == {
            "session", "client", "passphrase", "storage",
        }  # fmt: skip


async def reason(client: httpx.AsyncClient, headers: dict[str, str]) -> str:
    answer = await client.get("/api/auth/profile", headers=headers)
    assert answer.status_code == 401
    return str(answer.json()["code"])


class TestEnd:
    """`session_ended` makes the client program erase its keys, `session_expired` does not."""

    async def test_session_that_somebody_ended_is_told_from_one_that_expired(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        headers = await make.session(user, client="office-pc")
        await platform.execute("UPDATE sessions SET last_seen_at = now() - interval '15 days'")
        assert await reason(client, headers) == "session_expired"
        await platform.execute("UPDATE sessions SET ended_at = now()")
        assert await reason(client, headers) == "session_ended"

    async def test_user_who_was_disabled_or_deleted_has_no_session_left(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        member = await make.user(await make.company(), "teamMember")
        headers = await make.session(member, client="office-pc")
        await platform.execute("UPDATE users SET is_active = false WHERE uuid = $1", member.uuid)
        assert await reason(client, headers) == "session_ended"
        await platform.execute("DELETE FROM sessions")
        assert await reason(client, headers) == "session_ended"

    async def test_company_that_is_disabled_for_a_while_ends_no_session(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        headers = await make.session(user, client="office-pc")
        await platform.execute("UPDATE companies SET is_enabled = false")
        assert await reason(client, headers) == "session_expired"

    async def test_end_of_a_browser_s_session_is_no_removal(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        headers = await make.session(await make.user())
        await platform.execute("UPDATE sessions SET ended_at = now()")
        assert await reason(client, headers) == "session_expired"

    async def test_token_that_is_not_ours_is_no_removal(self, client: httpx.AsyncClient) -> None:
        assert await reason(client, {"Authorization": "Bearer x.y.z"}) == "session_expired"


class TestOwnList:
    async def test_client_session_is_listed_with_its_device_and_ended_there(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        device = await make.session(user, client="office-pc")
        await platform.execute("UPDATE sessions SET last_seen_at = now() - interval '1 day'")
        here = await make.session(user)
        shown = (await client.get("/api/auth/sessions", headers=here)).json()
        assert [(each["kind"], each["clientName"], each["clientVersion"]) for each in shown] == [
            ("browser", None, None),
            ("client", "office-pc", "0.7.7"),
        ]
        ended = await client.delete(f"/api/auth/sessions/{shown[1]['id']}", headers=here)
        assert ended.status_code == 204
        assert await status(client, device) == 401
        assert await status(client, here) == 200


class TestLeader:
    async def test_lists_and_ends_a_member_s(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        leader = await make.user()
        member = await make.user(leader.company, "teamMember")
        device = await make.session(member, client="office-pc")
        browser = await make.session(member)
        headers = await make.session(leader)
        listed = await client.get(f"/api/user/{member.uuid}/client-sessions", headers=headers)
        (found,) = listed.json()
        assert (found["name"], found["version"], found["origin"]) == ("office-pc", "0.7.7", "test")
        path = f"/api/user/{member.uuid}/client-sessions/{found['id']}"
        assert (await client.delete(path, headers=headers)).status_code == 204
        assert [await status(client, each) for each in (device, browser)] == [401, 200]
        assert (await client.delete(path, headers=headers)).json()["code"] == "session_not_found"
        newest = await platform.fetchrow("SELECT * FROM activity ORDER BY id DESC LIMIT 1")
        assert newest is not None
        assert (newest["action"], newest["target"]) == ("member.deviceSignedOut", member.email)

    async def test_session_is_not_found_under_another_member(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        leader = await make.user()
        one, other = [await make.user(leader.company, "teamMember") for _ in range(2)]
        device = await make.session(other, client="office-pc")
        session_id = await platform.fetchval("SELECT id FROM sessions")
        headers = await make.session(leader)
        answer = await client.delete(
            f"/api/user/{one.uuid}/client-sessions/{session_id}", headers=headers
        )
        assert answer.status_code == 404
        assert await status(client, device) == 200


class TestEnds:
    @pytest.mark.parametrize("event", ["disable", "remove", "leadership"])
    async def test_when_the_leader_acts(
        self, client: httpx.AsyncClient, make: Factory, event: str
    ) -> None:
        leader = await make.user()
        member = await make.user(leader.company, "teamMember")
        device = await make.session(leader if event == "leadership" else member, client="office-pc")
        headers = await make.session(leader, verified=True)
        calls = {
            "disable": ("PUT", f"/api/user/status/{member.uuid}", {"enabled": False}),
            "remove": ("DELETE", f"/api/user/{member.uuid}", None),
            "leadership": ("PUT", f"/api/user/team-leader/{member.uuid}", None),
        }
        method, path, body = calls[event]
        answer = await client.request(method, path, json=body, headers=headers)
        assert answer.status_code in {200, 204}
        assert await status(client, device) == 401
