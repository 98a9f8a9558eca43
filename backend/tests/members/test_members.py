import csv
import io
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.members.exports import COLUMNS
from tessera.members.schemas import MemberRead
from tests.factories.accounts import Factory, Outbox, User
from tests.factories.people import People, Team


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader, verified=True)


def form(member: User, **changes: str) -> dict[str, str]:
    return {
        "uuid": str(member.uuid),
        "firstName": "Omar",
        "lastName": "Haddad",
        "email_address": member.email,
        "phoneNumber": member.phone_number,
        **changes,
    }


class TestList:
    @pytest.mark.spec("2.55", "3.6")
    async def test_shows_the_own_company_with_the_leader_first(
        self, client: httpx.AsyncClient, people: People, team: Team, leader: dict[str, str]
    ) -> None:
        await people.team()
        page = (await client.get("/api/users", headers=leader)).json()
        assert page["item2"] == 2
        assert [row["role"] for row in page["item1"]] == ["teamLeader", "teamMember"]
        assert page["item1"][0].keys() == {
            "uuid", "firstName", "lastName", "email_address", "phoneNumber", "role", "isActive",
            "dateCreated", "lastLogin", "twoStep", "pendingEmailAddress", "pendingPhoneNumber",
            "groups",
        }  # fmt: skip

    @pytest.mark.spec("1.7", "6.2", "7.17", "7.26")
    async def test_admin_names_the_company_whose_members_are_listed(
        self, client: httpx.AsyncClient, people: People, make: Factory, team: Team
    ) -> None:
        admin = await make.session(await people.admin())
        page = (await client.get(f"/api/users/{team.company.id}", headers=admin)).json()
        assert page["item2"] == 2
        found = await client.get(f"/api/user/team-leader/{team.company.id}", headers=admin)
        assert found.json()["uuid"] == str(team.leader.uuid)

    async def test_a_company_without_a_leader_says_so(
        self, client: httpx.AsyncClient, people: People, make: Factory
    ) -> None:
        company = await make.company()
        admin = await make.session(await people.admin())
        answer = await client.get(f"/api/user/team-leader/{company.id}", headers=admin)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_team_leader")

    async def test_shows_the_last_login_and_where_codes_come_from(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        member = await make.user(team.company, "teamMember")
        await client.post("/api/auth/login-onboard", json=member.credentials)
        code = await outbox.code(member.phone_number)
        answer = await client.post("/api/auth/verify-otp", json={**member.credentials, "otp": code})
        assert answer.status_code == 200
        await platform.execute(
            "INSERT INTO authenticators (company_id, user_id, sealed_secret, confirmed_at)"
            " VALUES ($1, $2, '', now())",
            team.company.id, member.id,
        )  # fmt: skip
        await platform.execute(
            "INSERT INTO passkeys (company_id, user_id, credential_id, public_key, sign_count,"
            " transports, name) VALUES ($1, $2, '', '', 0, '{}', 'Key')",
            team.company.id, team.leader.id,
        )  # fmt: skip
        query = {"sort": "lastLogin:desc"}
        rows = (await client.get("/api/users", params=query, headers=leader)).json()["item1"]
        assert rows[0]["uuid"] == str(member.uuid)
        assert [row["twoStep"] for row in rows] == ["authenticator", "sms", "passkey"]
        assert rows[0]["lastLogin"] is not None
        assert [row["lastLogin"] for row in rows[1:]] == [None, None]
        query = {"filter": f"lastLogin:greaterThan:{rows[0]['dateCreated']}"}
        found = (await client.get("/api/users", params=query, headers=leader)).json()
        assert [row["uuid"] for row in found["item1"]] == [str(member.uuid)]


class TestExport:
    async def test_a_spreadsheet_computes_nothing(
        self,
        client: httpx.AsyncClient,
        people: People,
        make: Factory,
        team: Team,
        leader: dict[str, str],
    ) -> None:
        await people.person(team.company, first_name="=1+1", last_name='quo"te, comma')
        await people.team()
        query: dict[str, Any] = {"filter": "firstName:contains:=", "limit": 5, "skip": 7}
        answer = await client.get("/api/users/export", params=query, headers=leader)
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"].startswith('attachment; filename="members-')
        [head, row] = csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""))
        assert head == [
            "First name", "Last name", "Email", "Phone", "Role", "Status", "Two-step login",
            "Last login", "Added",
        ]  # fmt: skip
        assert (row[0], row[1], row[3]) == ("'=1+1", 'quo"te, comma', "+12025550177")
        assert row[4:8] == ["Team member", "Enabled", "SMS code", ""]

    async def test_admin_names_the_company_whose_members_are_exported(
        self, client: httpx.AsyncClient, people: People, make: Factory, team: Team
    ) -> None:
        admin = await make.session(await people.admin())
        path = f"/api/users/{team.company.id}/export"
        answer = await client.get(path, headers={**admin, "Accept-Language": "tr"})
        assert answer.text.lstrip("\ufeff").startswith('"Ad","Soyad","E-posta"')
        assert team.leader.email in answer.text
        assert len(answer.text.splitlines()) == 3


class TestUpdate:
    @pytest.mark.spec("7.27")
    async def test_the_name_counts_at_once(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        answer = await client.put(
            "/api/user", json=form(team.member, firstName=" Zeynep "), headers=leader
        )
        assert answer.json()["firstName"] == "Zeynep"
        assert answer.json()["pendingEmailAddress"] is None
        assert await outbox.messages() == []
        assert await platform.fetchval("SELECT action FROM activity") == "member.updated"

    @pytest.mark.spec("5.31")
    async def test_member_with_invalid_fields_is_not_updated(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str], platform: Connection
    ) -> None:
        before = await platform.fetch("TABLE users")
        for field, body in [
            ("firstName", form(team.member, firstName=" ")),
            ("lastName", form(team.member, lastName="")),
            ("firstName", form(team.member, firstName="A\nB")),
            ("email_address", form(team.member, email_address="nobody")),
            ("phoneNumber", form(team.member, phoneNumber="5550142")),
            ("role", form(team.member, role="admin")),
            ("isActive", form(team.member, isActive="false")),
            ("companyId", form(team.member, companyId="1")),
            ("uuid", form(team.member, uuid="x")),
        ]:
            answer = await client.put("/api/user", json=body, headers=leader)
            assert answer.status_code == 422, field
            assert field in answer.json()["fields"]
        assert await platform.fetch("TABLE users") == before

    async def test_an_address_of_a_colleague_is_refused(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str]
    ) -> None:
        body = form(team.member, email_address=team.leader.email.upper())
        answer = await client.put("/api/user", json=body, headers=leader)
        assert (answer.status_code, answer.json()["code"]) == (409, "address_in_use")
        said = "Another member uses this email or has asked for it."
        assert answer.json()["fields"] == {"email_address": said}

    async def test_an_address_of_a_stranger_looks_like_any_other_and_gets_no_link(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
    ) -> None:
        stranger = (await people.team()).leader
        body = form(team.member, email_address=stranger.email)
        answer = await client.put("/api/user", json=body, headers=leader)
        assert answer.status_code == 200
        assert answer.json()["pendingEmailAddress"] == stranger.email
        assert [message["to"] for message in await outbox.messages()] == [team.member.email]


class TestContactChanges:
    async def test_a_leader_s_new_address_counts_after_the_member_confirms_it(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
    ) -> None:
        body = form(team.member, email_address="taken-over@leader.test")
        asked = await client.put("/api/user", json=body, headers=leader)
        assert asked.json()["email_address"] == team.member.email
        assert asked.json()["pendingEmailAddress"] == "taken-over@leader.test"
        mail = await outbox.newest(team.member.email)
        assert "taken-over@leader.test" in mail["text"]
        # Nobody else who reads the new mailbox, not even the leader, can confirm it.
        token = {"token": await outbox.token("taken-over@leader.test")}
        theft = await client.post("/api/auth/confirm-email", json=token, headers=leader)
        assert (theft.status_code, theft.json()["code"]) == (403, "link_of_another_account")
        forgot = {"emailAddress": "taken-over@leader.test"}
        await client.post("/api/auth/forgot-password", json=forgot)
        links = [message["subject"] for message in await outbox.messages()]
        assert "Reset your Tessera password" not in links
        # The member can, once signed in and verified.
        member = await make.session(team.member, verified=True)
        pending = (await client.get("/api/auth/profile/pending", headers=member)).json()
        assert [(change["kind"], change["value"]) for change in pending] == [
            ("email", "taken-over@leader.test")
        ]
        done = await client.post("/api/auth/confirm-email", json=token, headers=member)
        assert done.json()["email_address"] == "taken-over@leader.test"
        assert (await client.get("/api/auth/profile/pending", headers=member)).json() == []

    async def test_a_leader_s_new_phone_counts_after_the_code(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
    ) -> None:
        body = form(team.member, phoneNumber="+12025550142")
        asked = await client.put("/api/user", json=body, headers=leader)
        assert asked.json()["phoneNumber"] == team.member.phone_number
        assert asked.json()["pendingPhoneNumber"] == "+12025550142"
        assert "+1" in (await outbox.newest(team.member.email))["text"]
        member = await make.session(team.member, verified=True)
        phone = {"phoneNumber": "+12025550142"}
        await client.post("/api/auth/profile/phone", json=phone, headers=member)
        code = {"otp": await outbox.code("+12025550142")}
        done = await client.post("/api/auth/profile/phone/confirm", json=code, headers=member)
        assert done.json()["phoneNumber"] == "+12025550142"
        assert (await client.get("/api/auth/profile/pending", headers=member)).json() == []

    async def test_saving_the_form_again_keeps_what_waits(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str]
    ) -> None:
        body = form(team.member, phoneNumber="+12025550142")
        await client.put("/api/user", json=body, headers=leader)
        again = await client.put("/api/user", json=form(team.member), headers=leader)
        assert again.json()["pendingPhoneNumber"] == "+12025550142"

    async def test_the_leader_withdraws_it(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
    ) -> None:
        member = await make.session(team.member)
        body = form(team.member, email_address="proposed@company.test")
        await client.put("/api/user", json=body, headers=leader)
        token = await outbox.token("proposed@company.test")
        path = f"/api/user/{team.member.uuid}/pending/email"
        answer = await client.delete(path, headers=leader)
        assert (answer.status_code, answer.json()["pendingEmailAddress"]) == (200, None)
        assert (await client.get("/api/auth/profile/pending", headers=member)).json() == []
        confirmed = await client.post(
            "/api/auth/confirm-email", json={"token": token}, headers=member
        )
        assert confirmed.status_code == 404
        assert (await client.delete(path, headers=leader)).status_code == 404

    async def test_member_declines_proposed_contacts(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
    ) -> None:
        body = form(team.member, email_address="not-mine@leader.test")
        await client.put("/api/user", json=body, headers=leader)
        member = await make.session(team.member)
        path = "/api/auth/profile/pending/email"
        assert (await client.delete(path, headers=member)).status_code == 204
        assert (await client.delete(path, headers=member)).status_code == 404
        token = {"token": await outbox.token("not-mine@leader.test")}
        dead = await client.post("/api/auth/confirm-email", json=token, headers=member)
        assert dead.status_code == 404


class TestStatus:
    @pytest.mark.spec("7.29")
    async def test_disabled_is_out_at_once_and_enabled_may_come_back(
        self, client: httpx.AsyncClient, make: Factory, people: People
    ) -> None:
        company = await make.company()
        leader = await make.session(await people.person(company, "teamLeader"), verified=True)
        member = await make.user(company, "teamMember")
        session = await make.session(member)
        path = f"/api/user/status/{member.uuid}"
        off = await client.put(path, json={"enabled": False}, headers=leader)
        assert off.json()["isActive"] is False
        assert (await client.get("/api/auth/login-token", headers=session)).status_code == 401
        login = await client.post("/api/auth/login-onboard", json=member.credentials)
        assert (login.status_code, login.json()["code"]) == (403, "account_disabled")
        on = await client.put(path, headers=leader)
        assert on.json()["isActive"] is True
        assert (await client.get("/api/auth/login-token", headers=session)).status_code == 401
        again = await client.post("/api/auth/login-onboard", json=member.credentials)
        assert again.status_code == 200

    @pytest.mark.spec("4.40")
    async def test_leader_cannot_be_disabled(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str]
    ) -> None:
        path = f"/api/user/status/{team.leader.uuid}"
        for body in (None, {"enabled": False}):
            answer = await client.put(path, json=body, headers=leader)
            assert (answer.status_code, answer.json()["code"]) == (
                409,
                "team_leader_cannot_be_disabled",
            )
        same = await client.put(path, json={"enabled": True}, headers=leader)
        assert same.status_code == 200


class TestRemove:
    @pytest.mark.spec("7.28")
    async def test_a_member_goes_with_their_sessions(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
    ) -> None:
        session = await make.session(team.member)
        path = f"/api/user/{team.member.uuid}"
        assert (await client.delete(path, headers=leader)).status_code == 204
        assert (await client.get("/api/auth/login-token", headers=session)).status_code == 401
        assert (await client.delete(path, headers=leader)).status_code == 404
        assert await platform.fetchval("SELECT target FROM activity") == team.member.email

    @pytest.mark.spec("4.40")
    async def test_leader_cannot_be_removed(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str]
    ) -> None:
        answer = await client.delete(f"/api/user/{team.leader.uuid}", headers=leader)
        assert (answer.status_code, answer.json()["code"]) == (
            409,
            "team_leader_cannot_be_removed",
        )


class TestMany:
    """One call for up to a hundred members: all of them are changed, or none."""

    async def test_many_members_are_disabled_and_enabled(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        make: Factory,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        idle = await people.person(team.company, active=False)
        member = await make.session(team.member)
        body = {"uuids": [str(team.member.uuid), str(idle.uuid)], "enabled": False}
        for _ in range(2):
            answer = await client.put("/api/users/status", json=body, headers=leader)
            assert answer.status_code == 204
        assert [message["to"] for message in await outbox.messages()] == [team.member.email]
        assert (await client.get("/api/downloads", headers=member)).status_code == 401
        assert await states(platform, team) == {team.member.email: False, idle.email: False}
        body["enabled"] = True
        assert (await client.put("/api/users/status", json=body, headers=leader)).status_code == 204
        assert await states(platform, team) == {team.member.email: True, idle.email: True}
        assert await recorded(platform) == [
            ("member.disabled", team.member.email),
            ("member.enabled", team.member.email),
            ("member.enabled", idle.email),
        ]

    async def test_many_members_are_removed_with_a_record_and_a_mail_each(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        other = await people.person(team.company)
        await platform.execute("UPDATE users SET language = 'tr' WHERE id = $1", other.id)
        body = {"uuids": [str(other.uuid), str(team.member.uuid), str(other.uuid)]}
        answer = await client.post("/api/users/remove", json=body, headers=leader)
        assert answer.status_code == 204
        assert await states(platform, team) == {}
        subjects = {message["to"]: message["subject"] for message in await outbox.messages()}
        assert subjects == {
            team.member.email: "Your Tessera account was removed",
            other.email: "Tessera hesabınız kaldırıldı",
        }
        assert await recorded(platform) == [
            ("member.removed", team.member.email),
            ("member.removed", other.email),
        ]
        again = await client.post("/api/users/remove", json=body, headers=leader)
        assert (again.status_code, again.json()["code"]) == (404, "member_not_found")

    @pytest.mark.parametrize("call", ["disable", "remove"])
    async def test_member_who_cannot_be_changed_refuses_all(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
        call: str,
    ) -> None:
        stranger = (await people.team()).member
        before = await platform.fetch("TABLE users")
        for wrong, status, code in [
            (team.leader.uuid, 409, f"team_leader_cannot_be_{call}d"),
            (stranger.uuid, 404, "member_not_found"),
            (uuid4(), 404, "member_not_found"),
        ]:
            uuids = [str(team.member.uuid), str(wrong)]
            answer = await change_many(client, leader, call, uuids)
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        for uuids in ([], [str(uuid4()) for _ in range(101)], ["x"]):
            assert (await change_many(client, leader, call, uuids)).status_code == 422
        assert await platform.fetch("TABLE users") == before
        assert (await outbox.messages(), await recorded(platform)) == ([], [])


async def change_many(
    client: httpx.AsyncClient, leader: dict[str, str], call: str, uuids: list[str]
) -> httpx.Response:
    if call == "remove":
        return await client.post("/api/users/remove", json={"uuids": uuids}, headers=leader)
    body = {"uuids": uuids, "enabled": False}
    return await client.put("/api/users/status", json=body, headers=leader)


async def states(platform: Connection, team: Team) -> dict[str, bool]:
    rows = await platform.fetch(
        "SELECT email, is_active FROM users WHERE company_id = $1 AND role = 'teamMember'",
        team.company.id,
    )
    return {row["email"]: row["is_active"] for row in rows}


async def recorded(platform: Connection) -> list[tuple[str, str]]:
    rows = await platform.fetch("SELECT action, target FROM activity ORDER BY id")
    return [(row["action"], row["target"]) for row in rows]


def test_fields_of_a_member_are_columns_of_the_export_or_left_out_knowingly() -> None:
    left_out = {"uuid", "groups", "pendingEmailAddress", "pendingPhoneNumber"}
    renamed = {"email_address": "email", "isActive": "state", "twoStep": "twoFactor"}
    fields = {renamed.get(name, name) for name in MemberRead.model_json_schema()["properties"]}
    assert fields - left_out == COLUMNS.keys()
