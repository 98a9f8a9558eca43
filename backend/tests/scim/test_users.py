"""What the directory does to people: they are invited, disabled and forgotten."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People
from tests.scim.directory import USER, Directory, person, refusal, replace
from tests.security.attacker import alive, together


async def actions(platform: Connection) -> list[tuple[str, str, str | None]]:
    rows = await platform.fetch("SELECT * FROM activity ORDER BY id")
    return [(row["action"], row["actor_name"], row["actor_uuid"]) for row in rows]


async def prove(
    platform: Connection, directory: Directory, domain: str, *, company_id: int | None = None
) -> None:
    await platform.execute(
        "INSERT INTO company_domains (company_id, domain, token, proved_at)"
        " VALUES ($1, $2, 't', now())",
        company_id or directory.team.company.id, domain,
    )  # fmt: skip


class TestCreate:
    async def test_a_new_person_is_invited_in_the_leaders_name(
        self, directory: Directory, outbox: Outbox, platform: Connection
    ) -> None:
        answer = await directory.call("POST", "/Users", person("ada", externalId="7f"))
        assert answer.status_code == 201, answer.text
        user = answer.json()
        assert answer.headers["location"] == user["meta"]["location"]
        assert answer.headers["etag"] == user["meta"]["version"]
        assert user == {
            "schemas": [USER],
            "id": user["id"],
            "externalId": "7f",
            "userName": "ada@company.test",
            "name": {"givenName": "Ada", "familyName": "Yilmaz"},
            "active": True,
            "emails": [{"value": "ada@company.test", "type": "work", "primary": True}],
            "meta": user["meta"],
        }
        mail = await outbox.newest("ada@company.test")
        assert "Omar Haddad" in mail["text"]
        assert "SCIM" not in mail["text"]
        assert ("members.invited", "SCIM", None) in await actions(platform)

    async def test_whoever_registers_is_the_person_of_the_directory(
        self, directory: Directory, people: People
    ) -> None:
        user = await directory.add("ada")
        joined = await people.person(directory.team.company, email="Ada@company.test")
        found = await directory.find("ada@company.test")
        assert found["id"] == user["id"] != str(joined.uuid)
        assert found["name"] == {"givenName": "Omar", "familyName": "Haddad"}

    async def test_members_who_were_there_before_are_found(self, directory: Directory) -> None:
        listed = (await directory.get("/Users")).json()
        names = {user["userName"] for user in listed["Resources"]}
        assert names == {directory.team.leader.email, directory.team.member.email}
        assert (listed["totalResults"], listed["itemsPerPage"]) == (2, 2)

    async def test_an_address_may_stand_in_the_user_name_alone(self, directory: Directory) -> None:
        body = {"schemas": [USER], "userName": "ada@company.test"}
        user = (await directory.call("POST", "/Users", body)).json()
        assert user["active"] is True
        assert user["emails"][0]["value"] == "ada@company.test"
        moved = await directory.patch(user, replace("userName", "eda@company.test"))
        assert moved.json()["emails"][0]["value"] == "eda@company.test"

    async def test_someone_whom_the_leader_has_invited_gets_no_second_mail(
        self, directory: Directory, outbox: Outbox
    ) -> None:
        body = [{"email_address": "ada@company.test"}]
        await directory.client.post("/api/invite/users/", json=body, headers=directory.leader)
        await directory.add("ada")
        assert len(await outbox.messages()) == 1

    async def test_an_inactive_person_is_not_invited(
        self, directory: Directory, outbox: Outbox
    ) -> None:
        user = await directory.add("ada", active=False)
        assert await outbox.messages() == []
        await directory.patch(user, replace("active", True))
        assert (await outbox.newest("ada@company.test"))["link"]

    @pytest.mark.parametrize(
        ("changes", "kind"),
        [
            ({"emails": []}, "invalidValue"),
            ({"emails": [{"value": "nonsense"}]}, "invalidValue"),
            ({"emails": [{"value": "a@company.test"}] * 11}, "invalidValue"),
            ({"emails": "ada@company.test"}, "invalidValue"),
            ({"userName": ""}, "invalidValue"),
            ({"userName": "x" * 257}, "invalidValue"),
            ({"userName": "a\nb"}, "invalidValue"),
            ({"userName": "a\0b"}, "invalidValue"),
            ({"name": {"givenName": "see www.x.test"}}, "invalidValue"),
            ({"name": {"givenName": "x" * 101}}, "invalidValue"),
            ({"active": "perhaps"}, "invalidValue"),
        ],
    )
    async def test_a_wrong_value_is_refused_and_nobody_added(
        self, directory: Directory, changes: dict[str, Any], kind: str, platform: Connection
    ) -> None:
        answer = await directory.call("POST", "/Users", person("ada", **changes))
        assert refusal(answer) == (400, kind), answer.text
        assert await platform.fetchval("SELECT count(*) FROM directory_users") == 2
        assert await platform.fetchval("SELECT count(*) FROM messages") == 0

    async def test_two_clients_at_once_add_a_person_once(
        self, directory: Directory, outbox: Outbox
    ) -> None:
        answers = await together(
            [lambda: directory.call("POST", "/Users", person("ada")) for _ in range(4)]
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
        assert len(await outbox.messages()) == 1
        taken = await directory.call("POST", "/Users", person("ada", userName="other"))
        assert refusal(taken) == (409, "uniqueness")

    @pytest.mark.parametrize("changed_settings", [{"limits": {"scim_users": 3}}])
    async def test_a_directory_has_so_many_people(self, directory: Directory) -> None:
        await directory.add("ada")
        answer = await directory.call("POST", "/Users", person("eda"))
        assert refusal(answer) == (403, None)

    async def test_without_a_subscription_nobody_joins_and_everybody_can_leave(
        self, directory: Directory, platform: Connection
    ) -> None:
        member = await directory.find(directory.team.member.email)
        await platform.execute("UPDATE companies SET subscribed_until = NULL")
        assert refusal(await directory.call("POST", "/Users", person("ada"))) == (403, None)
        left = await directory.patch(member, replace("active", False))
        assert left.json()["active"] is False
        back = await directory.patch(member, replace("active", True))
        assert refusal(back) == (403, None)


class TestDeactivate:
    async def test_a_members_sessions_end_at_once_and_the_leader_is_asked_to_remove_them(
        self,
        directory: Directory,
        client: httpx.AsyncClient,
        make: Factory,
        people: People,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        member = directory.team.member
        await people.space(member)
        session = await make.session(member)
        user = await directory.find(member.email)
        answer = await directory.patch(user, replace("active", False))
        assert answer.json()["active"] is False
        assert not await alive(client, session)
        removals = await client.get("/api/storage/removals", headers=directory.leader)
        (removal,) = removals.json()["members"]
        assert (removal["uuid"], removal["reason"]) == (str(member.uuid), "disabled")
        assert await outbox.newest(member.email)
        assert ("member.disabled", "SCIM", None) in await actions(platform)

    async def test_an_invited_person_can_no_longer_join(
        self, directory: Directory, client: httpx.AsyncClient, outbox: Outbox
    ) -> None:
        user = await directory.add("ada")
        token = await outbox.token("ada@company.test")
        # As Microsoft's directory writes it.
        await directory.patch(user, {"op": "Replace", "value": {"active": "False"}})
        state = await client.get("/api/auth/invite", params={"token": token})
        assert state.json()["state"] == "cancelled"

    async def test_the_leader_stays(self, directory: Directory, platform: Connection) -> None:
        leader = await directory.find(directory.team.leader.email)
        for answer in (
            await directory.patch(leader, replace("active", False)),
            await directory.call("PUT", f"/Users/{leader['id']}", {**leader, "active": False}),
            await directory.call("DELETE", f"/Users/{leader['id']}"),
        ):
            assert refusal(answer) == (403, None)
        assert await platform.fetchval("SELECT bool_and(is_active) FROM users")


class TestChange:
    async def test_a_members_name_changes_and_cannot_be_removed(
        self, directory: Directory, platform: Connection
    ) -> None:
        user = await directory.find(directory.team.member.email)
        renamed = await directory.patch(user, replace("name.familyName", "Demir"))
        assert renamed.json()["name"] == {"givenName": "Omar", "familyName": "Demir"}
        kept = await directory.patch(user, {"op": "remove", "path": "name"})
        assert kept.json()["name"] == {"givenName": "Omar", "familyName": "Demir"}

    async def test_a_members_address_outside_proved_domains_stays(
        self, directory: Directory, platform: Connection
    ) -> None:
        user = await directory.find(directory.team.member.email)
        moved = await directory.patch(user, replace("emails", [{"value": "thief@evil.test"}]))
        assert refusal(moved) == (400, "mutability")
        followed = await directory.patch(user, replace("userName", "thief@evil.test"))
        assert refusal(followed) == (400, "mutability")
        assert await directory.find(directory.team.member.email) == user

    async def test_an_address_in_a_proved_domain_counts_at_once_and_resets_no_password(
        self,
        directory: Directory,
        client: httpx.AsyncClient,
        make: Factory,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        member = directory.team.member
        session = await make.session(member, verified=True)
        link = {"emailAddress": member.email}
        assert (await client.post("/api/auth/forgot-password", json=link)).status_code < 300
        old_link = await outbox.token(member.email)
        await prove(platform, directory, "company.test")
        user = await directory.find(member.email)
        moved = await directory.patch(user, replace("emails", [{"value": "New@company.test"}]))
        assert moved.status_code == 200, moved.text
        found = await directory.get("/Users", filter='emails eq "new@company.test"')
        assert [each["id"] for each in found.json()["Resources"]] == [user["id"]]
        # Both mailboxes are told, the session goes on, and the address logs in.
        for address in (member.email, "New@company.test"):
            assert member.email in (await outbox.newest(address))["text"]
        own = (await client.get("/api/auth/profile", headers=session)).json()
        assert (own["email_address"], own["emailConfirmed"]) == ("New@company.test", False)
        found_by = "SELECT user_id FROM find_login($1)"
        assert await platform.fetchval(found_by, "new@company.test") == member.id
        assert await platform.fetchval(found_by, member.email) is None
        assert ("email.setByDirectory", "SCIM", None) in await actions(platform)
        # Neither a link from before nor a new one resets the password.
        state = await client.get("/api/auth/reset", params={"token": old_link})
        assert state.status_code == 404
        await client.post("/api/auth/forgot-password", json={"emailAddress": "new@company.test"})
        assert "token=" not in ((await outbox.newest("New@company.test"))["link"] or "")
        assert await platform.fetchval("SELECT count(*) FROM links WHERE purpose = 'reset'") == 0
        # Until the owner, signed in, confirms it.
        ask = {"email_address": "New@company.test"}
        asked = await client.post("/api/auth/profile/email", json=ask, headers=session)
        assert asked.status_code == 202, asked.text
        token = {"token": await outbox.token("New@company.test")}
        done = await client.post("/api/auth/confirm-email", json=token, headers=session)
        assert done.json()["emailConfirmed"] is True
        await client.post("/api/auth/forgot-password", json={"emailAddress": "new@company.test"})
        assert "/reset-password?token=" in (await outbox.newest("New@company.test"))["link"]

    async def test_the_former_address_may_return(
        self, directory: Directory, platform: Connection
    ) -> None:
        member = directory.team.member
        domain = member.email.partition("@")[2]
        await prove(platform, directory, domain)
        user = await directory.find(member.email)
        for address, former in (("a", member.email), ("b", member.email), (None, None)):
            value = f"{address}@{domain}" if address else member.email
            await directory.patch(user, replace("emails", [{"value": value}]))
            row = await platform.fetchrow(
                "SELECT email, former_email FROM users WHERE id = $1", member.id
            )
            assert tuple(row or ()) == (value, former)

    async def test_an_address_that_somebody_has_is_refused(
        self, directory: Directory, make: Factory, people: People, platform: Connection
    ) -> None:
        await prove(platform, directory, "company.test")
        await make.user(email="taken@company.test")
        holder = await make.user(email="held@company.test", email_confirmed_at=None)
        user = await directory.find(directory.team.member.email)
        taken = await directory.patch(user, replace("emails", [{"value": "taken@company.test"}]))
        assert refusal(taken) == (409, "uniqueness")
        assert await directory.find(directory.team.member.email) == user
        # Nobody has shown that this one is theirs; the domain's owner has.
        moved = await directory.patch(user, replace("emails", [{"value": "held@company.test"}]))
        assert moved.status_code == 200, moved.text
        left = await platform.fetchval("SELECT email FROM users WHERE id = $1", holder.id)
        assert left.endswith("@tessera.invalid")

    async def test_another_companys_domain_proves_nothing(
        self, directory: Directory, people: People, platform: Connection
    ) -> None:
        other = await people.team()
        await prove(platform, directory, "company.test", company_id=other.company.id)
        user = await directory.find(directory.team.member.email)
        moved = await directory.patch(user, replace("emails", [{"value": "new@company.test"}]))
        assert refusal(moved) == (400, "mutability")

    async def test_the_leader_is_renamed_and_keeps_the_address(
        self, directory: Directory, platform: Connection
    ) -> None:
        await prove(platform, directory, "company.test")
        leader = await directory.find(directory.team.leader.email)
        renamed = await directory.patch(leader, replace("name.familyName", "Demir"))
        assert renamed.json()["name"]["familyName"] == "Demir"
        moved = await directory.patch(leader, replace("emails", [{"value": "new@company.test"}]))
        assert refusal(moved) == (403, None)
        assert (await directory.find(leader["userName"]))["name"]["familyName"] == "Demir"

    async def test_an_invitation_follows_the_address(
        self, directory: Directory, client: httpx.AsyncClient, outbox: Outbox
    ) -> None:
        user = await directory.add("ada")
        old = await outbox.token("ada@company.test")
        path = 'emails[type eq "work"].value'
        await directory.patch(user, replace(path, "ada@other.test"))
        state = await client.get("/api/auth/invite", params={"token": old})
        assert state.json()["state"] == "cancelled"
        assert await outbox.token("ada@other.test")

    async def test_put_replaces_what_it_names(self, directory: Directory) -> None:
        user = await directory.add("ada", externalId="7f", displayName="Ada")
        body = person("ada")
        del body["name"]
        put = await directory.call("PUT", f"/Users/{user['id']}", body)
        assert put.status_code == 200, put.text
        assert put.json().keys() == user.keys() - {"externalId", "displayName", "name"}

    async def test_nothing_gives_rights_or_another_uuid(
        self, directory: Directory, platform: Connection
    ) -> None:
        user = await directory.find(directory.team.member.email)
        before = await platform.fetchrow(
            "SELECT uuid, role FROM users WHERE email = $1", user["userName"]
        )
        more = {"id": str(UUID(int=1)), "roles": [{"value": "teamLeader"}], "password": "x" * 20}
        put = await directory.call("PUT", f"/Users/{user['id']}", {**user, **more})
        assert (put.status_code, put.json()["id"]) == (200, user["id"])
        patched = await directory.patch(user, replace("id", str(UUID(int=1))))
        assert refusal(patched) == (400, "mutability")
        assert "password" not in put.text
        after = await platform.fetchrow(
            "SELECT uuid, role FROM users WHERE email = $1", user["userName"]
        )
        assert before == after


class TestVersions:
    async def test_a_change_needs_the_current_version(self, directory: Directory) -> None:
        user = await directory.add("ada")
        path, old = f"/Users/{user['id']}", {"If-Match": user["meta"]["version"]}
        changed = person("ada", displayName="Ada")
        assert (await directory.call("PUT", path, changed, headers=old)).status_code == 200
        for method in ("PUT", "DELETE"):
            stale = await directory.call(method, path, changed, headers=old)
            assert refusal(stale) == (412, None)
        for tag in ("nonsense", 'W/"', '"a", b', "x" * 2_000):
            wrong = await directory.call("PUT", path, changed, headers={"If-Match": tag})
            assert refusal(wrong) == (400, "invalidVers")
        any_version = {"If-Match": "*"}
        assert (await directory.call("DELETE", path, headers=any_version)).status_code == 204

    async def test_an_unchanged_person_is_not_sent_again(self, directory: Directory) -> None:
        user = await directory.add("ada")
        path, version = f"/Users/{user['id']}", user["meta"]["version"]
        same = await directory.call("GET", path, headers={"If-None-Match": version})
        assert (same.status_code, same.content) == (304, b"")
        other = await directory.call("GET", path, headers={"If-None-Match": 'W/"other"'})
        assert other.json() == user

    async def test_a_change_in_the_console_is_another_version(
        self, directory: Directory, client: httpx.AsyncClient
    ) -> None:
        user = await directory.find(directory.team.member.email)
        path = f"/api/user/status/{directory.team.member.uuid}"
        await client.put(path, json={"enabled": False}, headers=directory.leader)
        headers = {"If-Match": user["meta"]["version"]}
        stale = await directory.call("PUT", f"/Users/{user['id']}", user, headers=headers)
        assert refusal(stale) == (412, None)
