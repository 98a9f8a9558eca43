"""The leader's side: the token, and deletions that wait for a confirmation."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from tessera import limits
from tessera.kit.database import Connection
from tessera.scim.endpoints import router
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.scim.directory import Directory, person, refusal, replace
from tests.security.attacker import error_of

# As docs/provisioning.md gives it to scanners of source code.
PATTERN = re.compile(r"tscim_[0-9]{1,9}-[A-Za-z0-9_-]{43}")


async def read(directory: Directory) -> Any:
    answer = await directory.client.get("/api/provisioning", headers=directory.leader)
    assert answer.status_code == 200, answer.text
    return answer.json()


class TestToken:
    async def test_token_of_a_directory_is_shown_once_and_stored_as_a_hash(
        self, directory: Directory, platform: Connection
    ) -> None:
        assert PATTERN.fullmatch(directory.token)
        assert (await directory.get("/Users")).status_code == 200
        shown = await read(directory)
        assert shown["baseUrl"].endswith("/scim/v2")
        (token,) = shown["tokens"]
        assert (token["createdBy"], token["lastOrigin"]) == ("Omar Haddad", "192.0.2.1")
        assert (token["expiresAt"], shown["users"], shown["groups"]) == (None, 2, 0)
        secret = directory.token.partition("-")[2]
        for table in ("scim_tokens", "activity"):
            assert secret not in str(await platform.fetch(f"TABLE {table}"))

    async def test_a_rotated_token_works_for_a_day(
        self, directory: Directory, platform: Connection
    ) -> None:
        tokens = [directory.token]
        for _ in range(2):
            made = await directory.client.post("/api/provisioning/token", headers=directory.leader)
            tokens.append(made.json()["token"])
        statuses = [
            (await directory.call("GET", "/Users", headers=bearer(token))).status_code
            for token in tokens
        ]
        assert statuses == [401, 200, 200]
        current, former = (await read(directory))["tokens"]
        assert current["expiresAt"] is None
        assert datetime.fromisoformat(former["expiresAt"]) > datetime.now(UTC) + timedelta(hours=23)
        await platform.execute("UPDATE scim_tokens SET expires_at = now() WHERE expires_at > now()")
        old = await directory.call("GET", "/Users", headers=bearer(tokens[1]))
        assert refusal(old) == (401, None)
        await platform.fetchval("SELECT purge_expired_logins(100)")
        assert await platform.fetchval("SELECT count(*) FROM scim_tokens") == 1

    async def test_a_revoked_token_stops_at_once(self, directory: Directory) -> None:
        path = "/api/provisioning/token"
        gone = await directory.client.delete(path, headers=directory.leader)
        assert gone.status_code == 204
        assert refusal(await directory.get("/Users")) == (401, None)
        again = await directory.client.delete(path, headers=directory.leader)
        assert error_of(again) == (404, "not_provisioned")

    async def test_token_of_a_directory_outlives_a_change_of_the_leader(
        self, directory: Directory, client: httpx.AsyncClient
    ) -> None:
        path = f"/api/user/team-leader/{directory.team.member.uuid}"
        assert (await client.put(path, headers=directory.leader)).status_code == 200
        assert (await directory.get("/Users")).status_code == 200


class TestDeletion:
    async def test_a_deleted_member_is_disabled_until_the_leader_confirms(
        self, directory: Directory, platform: Connection
    ) -> None:
        member = directory.team.member
        user = await directory.find(member.email)
        assert (await directory.call("DELETE", f"/Users/{user['id']}")).status_code == 204
        assert refusal(await directory.get(f"/Users/{user['id']}")) == (404, None)
        assert (await directory.get("/Users")).json()["totalResults"] == 1
        again = await directory.call("POST", "/Users", person("x", userName=member.email))
        assert refusal(again) == (409, "uniqueness")
        assert not await platform.fetchval("SELECT is_active FROM users WHERE id = $1", member.id)
        waiting = await directory.client.get(
            "/api/provisioning/deletions", headers=directory.leader
        )
        assert [each["uuid"] for each in waiting.json()["members"]] == [str(member.uuid)]
        assert waiting.json()["total"] == 1
        body = {"uuids": [str(member.uuid)]}
        path = "/api/provisioning/deletions/confirm"
        done = await directory.client.post(path, json=body, headers=directory.leader)
        assert done.status_code == 204
        assert await platform.fetchval("SELECT count(*) FROM users WHERE id = $1", member.id) == 0
        assert await platform.fetchval("SELECT count(*) FROM retired_uuids") == 1
        returned = await directory.call("POST", "/Users", person("x", userName=member.email))
        assert returned.status_code == 201
        assert returned.json()["id"] != user["id"]
        twice = await directory.client.post(path, json=body, headers=directory.leader)
        assert error_of(twice) == (404, "deletion_not_requested")

    async def test_a_declined_deletion_leaves_the_member_disabled(
        self, directory: Directory
    ) -> None:
        member = directory.team.member
        user = await directory.find(member.email)
        await directory.call("DELETE", f"/Users/{user['id']}")
        path, body = "/api/provisioning/deletions/decline", {"uuids": [str(member.uuid)]}
        done = await directory.client.post(path, json=body, headers=directory.leader)
        assert done.status_code == 204
        found = await directory.find(member.email)
        assert (found["id"], found["active"]) == (user["id"], False)
        path = "/api/provisioning/deletions/confirm"
        refused = await directory.client.post(path, json=body, headers=directory.leader)
        assert error_of(refused) == (404, "deletion_not_requested")

    async def test_without_the_setting_a_member_is_removed_at_once(
        self, directory: Directory, platform: Connection
    ) -> None:
        body = {"confirmDeletions": False}
        changed = await directory.client.put(
            "/api/provisioning", json=body, headers=directory.leader
        )
        assert changed.json()["confirmDeletions"] is False
        user = await directory.find(directory.team.member.email)
        assert (await directory.call("DELETE", f"/Users/{user['id']}")).status_code == 204
        assert await platform.fetchval("SELECT count(*) FROM users") == 1


class TestAccess:
    async def test_other_tokens_and_sessions_open_nothing(
        self, directory: Directory, make: Factory, people: People
    ) -> None:
        api_token = await make.api_token(directory.team.leader)
        secret = directory.token.partition("-")[2]
        other = (await people.team()).company.id
        for wrong in (
            {"Authorization": ""},
            bearer("nonsense"),
            bearer("tscim_1-x"),
            bearer(f"tscim_{other}-{secret}"),
            bearer(directory.token[:-1]),
            bearer(directory.token.removeprefix("tscim_")),
            {"Authorization": f"Basic {directory.token}"},
            api_token.headers,
            directory.leader,
        ):
            for path in ("/Users", "/Groups", "/Schemas", "/ServiceProviderConfig", "/nonsense"):
                answer = await directory.call("GET", path, headers=wrong)
                assert refusal(answer) == (401, None)
                assert answer.headers["www-authenticate"] == "Bearer"
        with_token = await directory.client.get("/api/users", headers=bearer(directory.token))
        assert with_token.status_code == 401

    async def test_every_call_needs_the_token_of_a_directory(self, directory: Directory) -> None:
        calls = [
            (method, route.path)
            for route in router.routes
            if isinstance(route, APIRoute)
            for method in route.methods or ()
        ]
        assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= {method for method, _ in calls}
        user = await directory.find(directory.team.member.email)
        for method, path in calls:
            place = re.sub(r"\{[^}]*\}", user["id"], path.removeprefix("/scim/v2"))
            for wrong in ({"Authorization": ""}, bearer("tscim_1-x"), directory.leader):
                answer = await directory.call(method, place, person("eve"), headers=wrong)
                assert answer.status_code == 401, (method, place)
        assert (await directory.get("/Users")).json()["totalResults"] == 2
        assert (await directory.find(directory.team.member.email))["meta"] == user["meta"]

    async def test_another_companys_people_are_not_found(
        self, directory: Directory, client: httpx.AsyncClient, make: Factory, people: People
    ) -> None:
        foreign = await people.team()
        session = await make.session(foreign.leader, verified=True)
        made = await client.post("/api/provisioning/token", headers=session)
        theirs = Directory(client, foreign, made.json()["token"], session)
        stranger, mine = await theirs.add("eda"), await directory.add("ada")
        group = {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:Group"], "displayName": "x"}
        sales = (await theirs.call("POST", "/Groups", group)).json()
        for method in ("GET", "PUT", "PATCH", "DELETE"):
            body = {
                "PUT": person("eda"),
                "PATCH": {
                    "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
                    "Operations": [{"op": "replace", "path": "displayName", "value": "x"}],
                },
            }.get(method)
            answer = await directory.call(method, f"/Users/{stranger['id']}", body)
            assert refusal(answer) == (404, None)
            labelled = {**group, "members": []} if method == "PUT" else body
            answer = await directory.call(method, f"/Groups/{sales['id']}", labelled)
            assert refusal(answer) == (404, None)
        listed = (await directory.get("/Users", count=200)).text
        assert stranger["id"] not in listed
        assert mine["id"] in listed
        member = {**group, "members": [{"value": stranger["id"]}]}
        assert refusal(await directory.call("POST", "/Groups", member)) == (400, "invalidValue")

    async def test_a_disabled_companys_token_opens_nothing(
        self, directory: Directory, platform: Connection
    ) -> None:
        await platform.execute("UPDATE companies SET is_enabled = false WHERE id <> 1")
        assert refusal(await directory.get("/Users")) == (401, None)

    async def test_calls_are_limited(self, directory: Directory, platform: Connection) -> None:
        await directory.get("/Users")
        await platform.execute("UPDATE counters SET count = 60000")
        answer = await directory.get("/Users")
        assert refusal(answer) == (429, None)
        assert int(answer.headers["retry-after"]) > 0

    async def test_an_import_beyond_the_invitations_of_a_day_goes_on_the_next_day(
        self, directory: Directory, platform: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(limits.CHANGED, "invites", 3)
        made = [await directory.add(login) for login in ("ada", "eve")]
        away = await directory.add("sam", active=False)
        await directory.add("tom")
        tables = ("directory_users", "invites", "messages", "activity")

        async def stored() -> list[Any]:
            return [await platform.fetch(f"TABLE {table} ORDER BY 1, 2") for table in tables]

        before = await stored()
        for refused in (
            await directory.call("POST", "/Users", person("zoe")),
            await directory.patch(away, replace("active", True)),
            await directory.patch(away, replace("active", True)),
        ):
            assert refusal(refused) == (429, None)
            assert 0 < int(refused.headers["retry-after"]) <= 86_400
        assert await stored() == before
        # What needs no mail goes on.
        renamed = await directory.patch(made[0], replace("name.familyName", "Kaya"))
        assert renamed.status_code == 200
        await platform.execute("DELETE FROM counters")
        await directory.add("zoe")
        assert (await directory.patch(away, replace("active", True))).status_code == 200

    async def test_malformed_bodies_are_named_in_scims_form(self, directory: Directory) -> None:
        headers = {"Authorization": f"Bearer {directory.token}"}
        for content in (b"", b"{", b"[]", b'"x"', b"[" * 100_000, b"\xff", b'{"a": 1'):
            for path in ("/Users", "/Groups", "/Users/.search"):
                answer = await directory.client.post(
                    f"/scim/v2{path}", content=content, headers=headers
                )
                assert refusal(answer) == (400, "invalidSyntax")
        large = await directory.client.post(
            "/scim/v2/Users", content=b" " * (2 << 20), headers=headers
        )
        assert refusal(large) == (413, None)
        assert refusal(await directory.call("POST", "/Bulk", {})) == (404, None)
        assert refusal(await directory.call("POST", "/.search", {})) == (501, None)
        assert refusal(await directory.call("PUT", "/Users", {})) == (405, None)
        answer = await directory.client.get("/scim/v3/Users", headers=headers)
        assert refusal(answer) == (404, None)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
